// RedisAgreedTimes: the AgreedTimes of a Redis server (store/clocks/shared_time.hpp), stored in
// fields of the meta row. Errors: the connection's. Threads: the connection's thread.
#pragma once

#include "store/clocks/shared_time.hpp"
#include "store/redis/connection.hpp"

namespace semel::redis {

// Reads a reply to TIME. Error: `corrupt` if it is no time.
[[nodiscard]] Result<Time> read_time(const Reply& reply);

// Lifetime: `connection` outlives the object.
class RedisAgreedTimes final : public AgreedTimes {
public:
    explicit RedisAgreedTimes(Connection& connection) : connection_(connection) {}

    [[nodiscard]] Result<AgreedTime> read() override;
    [[nodiscard]] Result<bool> replace(const ClockOffset& old, const ClockOffset& offset) override;

private:
    Connection& connection_;
};

}  // namespace semel::redis
