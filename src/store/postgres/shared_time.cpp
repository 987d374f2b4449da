#include "store/postgres/shared_time.hpp"

#include <algorithm>

namespace semel::postgres {
namespace {

// What is less may be drift or a slow answer: each node makes up for it by itself.
constexpr Millis kStep = std::chrono::seconds(1);
// A twentieth, so that a node, which may go a tenth faster or slower, can catch up with the others.
constexpr int kSlewDivisor = 20;
// The time mark is raised every second or so: that is how far it is behind.
constexpr Millis kMarkLag = std::chrono::seconds(3);

constexpr const char* kAgreed =
    "select (extract(epoch from clock_timestamp()) * 1000)::bigint, time_mark, clock_ahead, "
    "clock_since from semel.meta";
constexpr const char* kNewestCommit =
    "select coalesce(max(at), 0) from "
    "(select at from semel.commit_mark order by id desc limit 16) newest";

struct Agreed {
    Time server;
    Time mark;
    ClockOffset offset;
};

Result<Agreed> read_agreed(Connection& connection) {
    SEMEL_TRY(rows, connection.ask(kAgreed));
    if (!rows.next_row()) {
        return Error(ErrorCode::corrupt, "the schema semel is damaged: semel.meta is empty");
    }
    Agreed agreed;
    agreed.server = rows.read_time();
    agreed.mark = rows.read_time();
    agreed.offset.ahead = Millis(rows.read_integer());
    agreed.offset.since = rows.read_time();
    return agreed;
}

}  // namespace

Millis ClockOffset::at(Time server) const {
    const Millis made_up = std::max(server - since, Millis(0)) / kSlewDivisor;
    return ahead > Millis(0) ? std::max(ahead - made_up, Millis(0))
                             : std::min(ahead + made_up, Millis(0));
}

Result<std::unique_ptr<SharedTime>> SharedTime::open(Connection& connection,
                                                     const std::optional<Sampler>& instead) {
    std::unique_ptr<SharedTime> time(new SharedTime(instead));
    const auto asked = StoreClock::real_sample().steady;
    SEMEL_TRY(agreed, read_agreed(connection));
    time->heard(agreed.server, asked);
    time->set_offset(agreed.offset);
    // Both, because commits do not wait for the mark, and their own marks are not kept for ever.
    SEMEL_TRY(newest, connection.ask(kNewestCommit));
    newest.next_row();
    const Time not_before = std::max(agreed.mark, newest.read_time());
    time->clock_ = std::make_unique<StoreClock>(
        [shared = time.get()] { return shared->shared_sample(); }, not_before);
    time->agree(connection);
    return time;
}

ClockSample SharedTime::shared_sample() const {
    ClockSample sample = server_sample();
    const std::lock_guard lock(mutex_);
    sample.wall -= offset_.at(sample.wall);
    return sample;
}

void SharedTime::set_offset(const ClockOffset& offset) {
    const std::lock_guard lock(mutex_);
    offset_ = offset;
}

void SharedTime::agree(Connection& connection) {
    const auto asked = StoreClock::real_sample().steady;
    const auto agreed = read_agreed(connection);
    // After a long round trip it would be compared with a time that is over.
    if (!agreed || !server_.heard(agreed->server, asked)) {
        return;
    }
    set_offset(agreed->offset);
    // By the answer that came with the row: what was heard since may be from before it.
    const Time server = instead_ ? (*instead_)().wall : agreed->server;
    const Time shared = server - agreed->offset.at(server);
    if (agreed->mark > now() + kStep) {
        // The others went on while this node stood still: the server's clock did not step.
        clock_->raise_to(std::clamp(shared, agreed->mark, agreed->mark + kMarkLag));
    }
    const Time here = now();
    if (std::max(shared - here, here - shared) <= kStep) {
        return;
    }
    const ClockOffset stepped{server - here, server};
    const auto changed = connection.ask(
        "update semel.meta set clock_ahead = $1, clock_since = $2 "
        "where clock_ahead = $3 and clock_since = $4",
        Params()
            .integer(stepped.ahead.count())
            .time(stepped.since)
            .integer(agreed->offset.ahead.count())
            .time(agreed->offset.since));
    if (changed && changed->affected() == 1) {
        set_offset(stepped);
    }
}

}  // namespace semel::postgres
