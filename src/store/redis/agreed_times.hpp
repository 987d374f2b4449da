// What the nodes of a Redis server have agreed on about time: a few fields of its meta row.
#pragma once

#include "store/redis/connection.hpp"
#include "store/shared_time.hpp"

namespace semel::redis {

// What TIME replied; `corrupt`: that was no time.
[[nodiscard]] Result<Time> read_time(const Reply& reply);

class RedisAgreedTimes final : public AgreedTimes {
public:
    explicit RedisAgreedTimes(Connection& connection) : connection_(connection) {}

    [[nodiscard]] Result<AgreedTime> read() override;
    [[nodiscard]] Result<bool> replace(const ClockOffset& old, const ClockOffset& offset) override;

private:
    Connection& connection_;
};

}  // namespace semel::redis
