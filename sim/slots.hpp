// Slots: when a schedule runs, counted in the plainest way from the contract's words. The checker
// compares the engine's slots with these; no code is shared with core's recurrence.
#pragma once

#include <optional>

#include "base/time.hpp"
#include "core/words.hpp"

namespace semel::sim {

// The clock of Berlin in 2027, the year in which every run lies: an hour ahead of UTC, and two
// from the end of March to the end of October.
inline constexpr Time kBerlinForward = from_ms(1'806'195'600'000);
inline constexpr Time kBerlinBack = from_ms(1'824'944'400'000);

class SlotRule {
public:
    [[nodiscard]] static SlotRule every(Millis interval) { return {Kind::interval, interval}; }
    // Cron: each `step` of the clock, at any hour.
    [[nodiscard]] static SlotRule each(Millis step) { return {Kind::each, step}; }
    // Cron: each `step`, in the hour that begins at 2 in Berlin. In spring that hour does not
    // exist: one slot when the clock has jumped. In autumn it comes twice: the first time counts.
    [[nodiscard]] static SlotRule at_two(Millis step) { return {Kind::at_two, step}; }

    [[nodiscard]] bool is_cron() const { return kind_ != Kind::interval; }
    // The slot that follows a slot, or for cron any time.
    [[nodiscard]] Time after(Time time) const;
    // The last one at or before `now`, counted from `slot`, which is not later than that.
    [[nodiscard]] Time last(Time slot, Time now) const;

    bool operator==(const SlotRule&) const = default;

private:
    enum class Kind { interval, each, at_two };
    SlotRule(Kind kind, Millis step) : kind_(kind), step_(step) {}

    [[nodiscard]] bool is_slot(Time time) const;

    Kind kind_;
    Millis step_;
};

// What becomes of a slot whose occurrence is made, resumed or due at `now`.
[[nodiscard]] Time settled(const SlotRule& rule, Missed missed, Time slot, Time now);

// The slot after one that ended at `now`; none comes at or before `high`, the latest there was.
[[nodiscard]] Time following(const SlotRule& rule, RecurrenceType type, Time slot, Time high,
                             Time now);

// The slot of a pending occurrence whose rule changes at `now`.
[[nodiscard]] Time edited(const SlotRule& rule, std::optional<Time> high,
                          std::optional<Time> start_at, Time now);

}  // namespace semel::sim
