#include "core/time/cron.hpp"

#include <algorithm>

#include "core/time/cron_calendar.hpp"

namespace semel {
namespace {

using std::chrono::local_seconds;
using std::chrono::seconds;
using std::chrono::sys_seconds;

constexpr seconds kOneSecond{1};
constexpr sys_seconds kFirst{};
constexpr sys_seconds kLast{seconds(kTimeMaxMs / 1000)};

sys_seconds when(local_seconds local, const OffsetSpan& span) {
    return sys_seconds(local.time_since_epoch() - span.offset);
}

// Searches span after span of one offset. A match beyond the end of a span is searched again only
// if the change of the clock can make another match the first one.
std::optional<sys_seconds> instant_after(const CronFields& fields, const TimeZone& zone,
                                         sys_seconds time) {
    std::optional<local_seconds> searched;
    std::optional<local_seconds> match;
    for (sys_seconds from = time + kOneSecond; from <= kLast;) {
        const OffsetSpan span = zone.span_at(from);
        const local_seconds local(from.time_since_epoch() + span.offset);
        if (!searched || local < *searched || *match < local) {
            searched = local;
            match = first_match(fields, local);
            if (!match) return std::nullopt;
        }
        if (when(*match, span) < span.end) return when(*match, span);
        from = span.end;
    }
    return std::nullopt;
}

std::optional<sys_seconds> instant_to(const CronFields& fields, const TimeZone& zone,
                                      sys_seconds time) {
    std::optional<local_seconds> searched;
    std::optional<local_seconds> match;
    for (sys_seconds to = time; to >= kFirst;) {
        const OffsetSpan span = zone.span_at(to);
        const local_seconds local(to.time_since_epoch() + span.offset);
        if (!searched || local > *searched || *match > local) {
            searched = local;
            match = last_match(fields, local);
            if (!match) return std::nullopt;
        }
        if (when(*match, span) >= span.begin) return when(*match, span);
        to = span.begin - kOneSecond;
    }
    return std::nullopt;
}

std::optional<Time> in_range(std::optional<sys_seconds> time) {
    if (!time || *time < kFirst || *time > kLast) return std::nullopt;
    return Time(*time);
}

sys_seconds whole_second(Time time) {
    return std::clamp(std::chrono::floor<seconds>(time), kFirst - kOneSecond, kLast);
}

}  // namespace

Result<Cron> Cron::parse(std::string_view text) {
    SEMEL_TRY(fields, CronFields::parse(text));
    return Cron(std::string(text), fields);
}

std::optional<Time> Cron::next_after(Time time, const TimeZone& zone) const {
    const sys_seconds from = whole_second(time);
    if (fields_.by_elapsed_time) {
        return in_range(instant_after(fields_, zone, from));
    }
    // Wall times up to the latest shown one have had their run.
    const auto match = first_match(fields_, zone.latest_shown(from) + kOneSecond);
    return match ? in_range(zone.first_reaching(*match)) : std::nullopt;
}

std::optional<Time> Cron::last_at_or_before(Time time, const TimeZone& zone) const {
    const sys_seconds to = whole_second(time);
    if (fields_.by_elapsed_time) {
        return in_range(instant_to(fields_, zone, to));
    }
    const auto match = last_match(fields_, zone.latest_shown(to));
    return match ? in_range(zone.first_reaching(*match)) : std::nullopt;
}

}  // namespace semel
