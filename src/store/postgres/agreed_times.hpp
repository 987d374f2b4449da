// PostgresAgreedTimes: reads and writes the clock offset that all nodes share. It is stored in
// semel.meta. SharedTime (store/clocks/shared_time.hpp) computes store time from it.
//
// Errors: the connection's, or `corrupt` if semel.meta is empty. Blocks.
// Threads: the connection's thread.
#pragma once

#include <memory>
#include <optional>

#include "store/clocks/shared_time.hpp"
#include "store/postgres/connection.hpp"

namespace semel::postgres {

// Returns the server's clock, without the nodes' offset.
[[nodiscard]] Result<Time> read_server_time(Connection& connection);

// Reads and writes the row of semel.meta. Lifetime: `connection` outlives the object.
class PostgresAgreedTimes final : public AgreedTimes {
public:
    explicit PostgresAgreedTimes(Connection& connection) : connection_(connection) {}

    [[nodiscard]] Result<AgreedTime> read() override;
    [[nodiscard]] Result<bool> replace(const ClockOffset& old, const ClockOffset& offset) override;

private:
    Connection& connection_;
};

// Starts store time from this row and the newest commits. `instead` replaces the server's clock in
// tests. Keeps no reference to `connection`.
[[nodiscard]] Result<std::unique_ptr<SharedTime>> open_shared_time(
    Connection& connection, const std::optional<SharedTime::Sampler>& instead);

}  // namespace semel::postgres
