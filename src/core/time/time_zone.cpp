#include "core/time/time_zone.hpp"

#include <algorithm>

#include "core/settings.hpp"

namespace semel {

using std::chrono::local_seconds;
using std::chrono::seconds;
using std::chrono::sys_seconds;

namespace {

constexpr seconds kResolution{1};

local_seconds shown(sys_seconds time, seconds offset) {
    return local_seconds(time.time_since_epoch() + offset);
}

sys_seconds when(local_seconds local, seconds offset) {
    return sys_seconds(local.time_since_epoch() - offset);
}

}  // namespace

ZoneSource& utc_only() {
    class UtcOnly final : public ZoneSource {
        Result<std::shared_ptr<const TimeZone>> find(std::string_view name) override {
            if (name == "UTC") {
                return TimeZone::utc();
            }
            return Error(ErrorCode::not_found, "no time zone but UTC is known here");
        }
    };
    static UtcOnly source;
    return source;
}

std::shared_ptr<const TimeZone> TimeZone::utc() {
    std::shared_ptr<TimeZone> zone(new TimeZone());
    zone->name_ = "UTC";
    return zone;
}

OffsetSpan TimeZone::span_at(sys_seconds time) const {
    const auto after =
        std::upper_bound(transitions_.begin(), transitions_.end(), time,
                         [](sys_seconds t, const Transition& to) { return t < to.time; });
    const bool before_all = after == transitions_.begin();
    OffsetSpan span{.begin = before_all ? kSpanBegin : std::prev(after)->time,
                    .end = after == transitions_.end() ? kSpanEnd : after->time,
                    .offset = before_all ? first_offset_ : std::prev(after)->offset};
    if (after != transitions_.end() || !rule_) {
        return span;
    }
    // Until the rule's first change the last transition's offset stays.
    const OffsetSpan ruled = rule_->span_at(std::max(time, rule_from_));
    if (ruled.begin > rule_from_) {
        return ruled;
    }
    span.end = ruled.end;
    return span;
}

seconds TimeZone::offset_at(sys_seconds time) const {
    return span_at(time).offset;
}

local_seconds TimeZone::local_at(sys_seconds time) const {
    return shown(time, offset_at(time));
}

TimeZone::Instants TimeZone::instants_of(local_seconds local) const {
    std::optional<sys_seconds> first;
    std::optional<sys_seconds> last;
    for (sys_seconds at = when(local, kOffsetMax); at <= when(local, kOffsetMin);) {
        const OffsetSpan span = span_at(at);
        const sys_seconds time = when(local, span.offset);
        if (time >= span.begin && time < span.end) {
            first = first.value_or(time);
            last = time;
        }
        at = span.end;
    }
    if (!first) {
        const sys_seconds end = first_reaching(local);
        return {.kind = Instants::Kind::gap, .first = end, .last = end};
    }
    return {.kind = *first == *last ? Instants::Kind::unique : Instants::Kind::overlap,
            .first = *first,
            .last = *last};
}

sys_seconds TimeZone::first_reaching(local_seconds local) const {
    // Before this time the clock cannot have shown `local`.
    OffsetSpan span = span_at(when(local, kOffsetMax));
    while (when(local, span.offset) >= span.end) {
        span = span_at(span.end);
    }
    return std::max(span.begin, when(local, span.offset));
}

local_seconds TimeZone::latest_shown(sys_seconds time) const {
    OffsetSpan span = span_at(time);
    local_seconds latest = shown(time, span.offset);
    // No offset was ahead of the present one by more than this.
    const sys_seconds horizon = time - (kOffsetMax - kOffsetMin);
    while (span.begin > horizon) {
        span = span_at(span.begin - kResolution);
        latest = std::max(latest, shown(span.end - kResolution, span.offset));
    }
    return latest;
}

}  // namespace semel
