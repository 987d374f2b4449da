#include "store/postgres/agreed_times.hpp"

namespace semel::postgres {
namespace {

constexpr const char* kAgreed =
    "select (extract(epoch from clock_timestamp()) * 1000)::bigint, time_mark, clock_ahead, "
    "clock_since from semel.meta";
constexpr const char* kNewestCommit =
    "select coalesce(max(at), 0) from "
    "(select at from semel.commit_mark order by id desc limit 16) newest";

}  // namespace

Result<Time> read_server_time(Connection& connection) {
    SEMEL_TRY(rows,
              connection.ask("select (extract(epoch from clock_timestamp()) * 1000)::bigint"));
    rows.next_row();
    return rows.read_time();
}

Result<AgreedTime> PostgresAgreedTimes::read() {
    SEMEL_TRY(rows, connection_.ask(kAgreed));
    if (!rows.next_row()) {
        return Error(ErrorCode::corrupt, "the schema semel is damaged: semel.meta is empty");
    }
    AgreedTime agreed;
    agreed.server = rows.read_time();
    agreed.mark = rows.read_time();
    agreed.offset.ahead = Millis(rows.read_integer());
    agreed.offset.since = rows.read_time();
    return agreed;
}

Result<bool> PostgresAgreedTimes::replace(const ClockOffset& old, const ClockOffset& offset) {
    SEMEL_TRY(changed, connection_.ask("update semel.meta set clock_ahead = $1, clock_since = $2 "
                                       "where clock_ahead = $3 and clock_since = $4",
                                       Params()
                                           .integer(offset.ahead.count())
                                           .time(offset.since)
                                           .integer(old.ahead.count())
                                           .time(old.since)));
    return changed.affected() == 1;
}

// Uses the newest commits too, because commits do not wait for the time mark, and commit marks are
// deleted after a time.
Result<std::unique_ptr<SharedTime>> open_shared_time(
    Connection& connection, const std::optional<SharedTime::Sampler>& instead) {
    SEMEL_TRY(newest, connection.ask(kNewestCommit));
    newest.next_row();
    PostgresAgreedTimes agreed(connection);
    return SharedTime::open(agreed, newest.read_time(), instead);
}

}  // namespace semel::postgres
