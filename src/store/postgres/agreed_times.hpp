// What the nodes of a database have agreed on about time: the row of semel.meta.
#pragma once

#include <memory>
#include <optional>

#include "store/postgres/connection.hpp"
#include "store/shared_time.hpp"

namespace semel::postgres {

// What the server's clock says now, whatever the nodes have agreed on.
[[nodiscard]] Result<Time> read_server_time(Connection& connection);

class PostgresAgreedTimes final : public AgreedTimes {
public:
    explicit PostgresAgreedTimes(Connection& connection) : connection_(connection) {}

    [[nodiscard]] Result<AgreedTime> read() override;
    [[nodiscard]] Result<bool> replace(const ClockOffset& old, const ClockOffset& offset) override;

private:
    Connection& connection_;
};

// `instead`: in place of the server's clock, for tests.
[[nodiscard]] Result<std::unique_ptr<SharedTime>> open_shared_time(
    Connection& connection, const std::optional<SharedTime::Sampler>& instead);

}  // namespace semel::postgres
