// What a commit that this server acknowledged survives, by its own settings.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "store/postgres/connection.hpp"

namespace semel::postgres {

struct Durability {
    std::string words;
    bool is_durable = false;  // survives a power cut of the server
};

// By their names on the server. `synchronous_commit` may be another in each session.
struct DurabilitySettings {
    std::string fsync;
    std::string full_page_writes;
    std::string synchronous_commit;
    std::string synchronous_standby_names;
};

[[nodiscard]] Durability judge(const DurabilitySettings& settings);
[[nodiscard]] Result<DurabilitySettings> read_durability_settings(Connection& connection);
[[nodiscard]] Result<Durability> read_durability(Connection& connection);

// The same as time goes on: somebody may change the settings while nodes run, or a failover leads
// to a server with others.
class DurabilityWatch {
public:
    explicit DurabilityWatch(DurabilitySettings first) : present_(std::move(first)) {}

    // Reads where it is time for that; on one thread. What fails is done the next time.
    void look(Connection& connection, Time now);
    // By a connection that is new. From any thread, as is the next.
    void heard(Connection& connection);
    // `writer` commits with that synchronous_commit from now on, whatever other sessions have.
    void commits_with(std::size_t writer, const std::string& synchronous_commit);
    // By the weakest of them.
    [[nodiscard]] Durability present() const;

private:
    Time next_look_;  // of the thread that looks

    mutable std::mutex mutex_;
    DurabilitySettings present_;                  // guarded by mutex_
    std::map<std::size_t, std::string> writers_;  // guarded by mutex_: their synchronous_commit
};

}  // namespace semel::postgres
