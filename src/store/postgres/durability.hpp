// Durability: which failures an acknowledged commit survives, according to the server's settings.
// DurabilityWatch keeps this up to date while the nodes run. Errors: the connection's. Threads: see
// DurabilityWatch.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "store/postgres/connection.hpp"

namespace semel::postgres {

struct Durability {
    std::string words;        // a sentence for people
    bool is_durable = false;  // survives a power cut of the server
};

// Settings by their names on the server. Sessions can have different values of
// `synchronous_commit`.
struct DurabilitySettings {
    std::string fsync;
    std::string full_page_writes;
    std::string synchronous_commit;
    std::string synchronous_standby_names;
};

// Translates settings into a Durability. Unknown values of synchronous_commit promise least.
[[nodiscard]] Durability judge(const DurabilitySettings& settings);
[[nodiscard]] Result<DurabilitySettings> read_durability_settings(Connection& connection);
[[nodiscard]] Result<Durability> read_durability(Connection& connection);

// DurabilityWatch: the durability of a store while its nodes run. Settings can change, and a
// failover can lead to a server with other settings.
//
// Threads: inspect(): one at a time. The others: any.
class DurabilityWatch {
public:
    explicit DurabilityWatch(DurabilitySettings first) : present_(std::move(first)) {}

    // Reads the settings if 5 s have passed. An error is ignored: the next call tries again.
    void inspect(Connection& connection, Time now);
    // Reads the settings on a new connection.
    void heard(Connection& connection);
    // Records that `writer` commits with this synchronous_commit from now on.
    void commits_with(std::size_t writer, const std::string& synchronous_commit);
    // The durability with the weakest synchronous_commit of all writers.
    [[nodiscard]] Durability present() const;

private:
    Time next_poll_;  // used only by inspect()

    mutable std::mutex mutex_;
    DurabilitySettings present_;                  // guarded by mutex_
    std::map<std::size_t, std::string> writers_;  // guarded by mutex_: their synchronous_commit
};

}  // namespace semel::postgres
