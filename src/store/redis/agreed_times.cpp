#include "store/redis/agreed_times.hpp"

#include "store/redis/layout.hpp"
#include "store/redis/scripts.hpp"

namespace semel::redis {
namespace {

constexpr std::int64_t kMillisInSecond = 1000;
constexpr std::int64_t kMicrosInMilli = 1000;

}  // namespace

Result<Time> read_time(const Reply& reply) {
    if (reply.is_error()) {
        return error_of(reply);
    }
    const bool is_pair = reply.kind == Reply::Kind::list && reply.items.size() == 2;
    const auto seconds = is_pair ? reply.items[0].as_number() : std::nullopt;
    const auto micros = is_pair ? reply.items[1].as_number() : std::nullopt;
    if (!seconds || !micros) {
        return Error(ErrorCode::corrupt, "Redis answered TIME with something else");
    }
    return from_ms(*seconds * kMillisInSecond + *micros / kMicrosInMilli);
}

Result<AgreedTime> RedisAgreedTimes::read() {
    connection_.queue({"TIME"});
    connection_.queue({"HMGET", kMetaKey, "time_mark", "clock_ahead", "clock_since"});
    SEMEL_TRY(replies, connection_.flush());
    const Reply& fields = replies[1];
    if (fields.is_error()) {
        return error_of(fields);
    }
    SEMEL_TRY(server, read_time(replies[0]));
    const auto number = [&fields](std::size_t at) {
        return fields.items.at(at).as_number().value_or(0);
    };
    return AgreedTime{.server = server,
                      .mark = from_ms(number(0)),
                      .offset = {.ahead = Millis(number(1)), .since = from_ms(number(2))}};
}

Result<bool> RedisAgreedTimes::replace(const ClockOffset& old, const ClockOffset& offset) {
    SEMEL_TRY(reply,
              agree_script().run(
                  connection_, {kMetaKey},
                  {std::to_string(old.ahead.count()), std::to_string(to_ms(old.since)),
                   std::to_string(offset.ahead.count()), std::to_string(to_ms(offset.since))}));
    return reply.number == 1;
}

}  // namespace semel::redis
