#include "store/clocks/shared_time.hpp"

#include <algorithm>

namespace semel {
namespace {

// A smaller difference can be drift or a slow answer. Each node corrects it alone.
constexpr Millis kStep = std::chrono::seconds(1);
// 5 %, so that a node, whose time can run 10 % faster or slower, can follow the offset.
constexpr int kSharedSlewDivisor = 20;
// How far the time mark can be behind. It is raised about every second.
constexpr Millis kMarkLag = std::chrono::seconds(3);
// Clocks count nanoseconds in 64 bits, which end in 2262.
constexpr Time kLatest = from_ms(7'258'118'400'000);  // 2200-01-01

// Refuses times that no node has written.
Result<AgreedTime> read_sane(AgreedTimes& agreed) {
    SEMEL_TRY(read, agreed.read());
    const Millis ahead = read.offset.ahead < Millis(0) ? -read.offset.ahead : read.offset.ahead;
    if (read.mark > kLatest || read.offset.since > kLatest || ahead > kLatest.time_since_epoch()) {
        return Error(ErrorCode::refused,
                     "the time that its nodes agreed on is after the year 2200: somebody has "
                     "changed it, or the server's clock was wrong. Set `time_mark` to now, in "
                     "milliseconds since 1970, and `clock_ahead` and `clock_since` to 0");
    }
    return read;
}

}  // namespace

Millis ClockOffset::at(Time server) const {
    const Millis made_up = std::max(server - since, Millis(0)) / kSharedSlewDivisor;
    return ahead > Millis(0) ? std::max(ahead - made_up, Millis(0))
                             : std::min(ahead + made_up, Millis(0));
}

Result<std::unique_ptr<SharedTime>> SharedTime::open(AgreedTimes& agreed, Time newest,
                                                     const std::optional<Sampler>& instead) {
    std::unique_ptr<SharedTime> time(new SharedTime(instead));
    const auto asked = StoreClock::real_sample().steady;
    SEMEL_TRY(read, read_sane(agreed));
    time->heard(read.server, asked);
    time->set_offset(read.offset);
    time->clock_ = std::make_unique<StoreClock>(
        [shared = time.get()] { return shared->shared_sample(); }, std::max(read.mark, newest));
    time->agree(agreed);
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

void SharedTime::agree(AgreedTimes& agreed) {
    const auto asked = StoreClock::real_sample().steady;
    const auto read = read_sane(agreed);
    // After a long round trip the row would be compared with an old time.
    if (!read || !server_.heard(read->server, asked)) {
        return;
    }
    set_offset(read->offset);
    // Uses the time that was read with the row. Later recorded answers can be older than the row.
    const Time server = instead_ ? (*instead_)().wall : read->server;
    const Time shared = server - read->offset.at(server);
    if (read->mark > now() + kStep) {
        // This process was suspended and the others were not. The server's clock did not step.
        clock_->raise_to(std::clamp(shared, read->mark, read->mark + kMarkLag));
    }
    const Time here = now();
    if (std::max(shared - here, here - shared) <= kStep) {
        return;
    }
    const ClockOffset stepped{server - here, server};
    const auto replaced = agreed.replace(read->offset, stepped);
    if (replaced && *replaced) {
        set_offset(stepped);
    }
}

}  // namespace semel
