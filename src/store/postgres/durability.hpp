// What a commit that this server acknowledged survives, by its own settings.
#pragma once

#include <mutex>
#include <string>

#include "store/postgres/connection.hpp"

namespace semel::postgres {

struct Durability {
    std::string words;
    bool is_durable = false;  // survives a power cut of the server
};

[[nodiscard]] Result<Durability> read_durability(Connection& connection);

// The same as time goes on: somebody may change the settings while nodes run, or a failover leads
// to a server with others.
class DurabilityWatch {
public:
    explicit DurabilityWatch(Durability first) : present_(std::move(first)) {}

    // Reads where it is time for that; on one thread. What fails is done the next time.
    void look(Connection& connection, Time now);
    // By a connection that is new. From any thread, as is the next.
    void heard(Connection& connection);
    [[nodiscard]] Durability present() const;

private:
    Time next_look_;  // of the thread that looks

    mutable std::mutex mutex_;
    Durability present_;  // guarded by mutex_
};

}  // namespace semel::postgres
