// The time that the nodes of a Redis server share (store/clocks/shared_time.hpp), in fields of the
// meta row.
#pragma once

#include "store/clocks/shared_time.hpp"
#include "store/redis/connection.hpp"

namespace semel::redis {

// Reads a reply to TIME. Error: `corrupt` if it is no time.
[[nodiscard]] Result<Time> read_time(const Reply& reply);

// Threads: the connection's thread. Lifetime: `connection` outlives the object.
class RedisAgreedTimes final : public AgreedTimes {
public:
    explicit RedisAgreedTimes(Connection& connection) : connection_(connection) {}

    [[nodiscard]] Result<AgreedTime> read() override;
    [[nodiscard]] Result<bool> replace(const ClockOffset& old, const ClockOffset& offset) override;

private:
    Connection& connection_;
};

}  // namespace semel::redis
