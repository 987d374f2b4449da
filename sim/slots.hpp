// Slots: when a schedule runs, counted in the plainest way from the contract's words. The checker
// compares the engine's slots with these; no code is shared with core's recurrence.
#pragma once

#include <optional>
#include <set>
#include <utility>

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

    // The same for a schedule that has had these slots.
    [[nodiscard]] SlotRule without(std::set<Time> had) const {
        SlotRule rule = *this;
        rule.had_ = std::move(had);
        return rule;
    }

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
    [[nodiscard]] bool was_had(Time time) const { return had_.contains(time); }
    [[nodiscard]] Time one_after(Time time) const;
    [[nodiscard]] Time one_before(Time slot, Time now) const;

    Kind kind_;
    Millis step_;
    std::set<Time> had_;
};

// What becomes of a slot whose occurrence is made, resumed or due at `now`.
[[nodiscard]] Time settled(const SlotRule& rule, Missed missed, Time slot, Time now);

// The slots that a schedule has had: the latest whose time had come when it ended, and those that
// ended before their time and still lie ahead, of the line or of now.
struct PastSlots {
    std::optional<Time> last;
    std::set<Time> early;

    // The occurrence of `slot` ends at `now`. Answers the slot that it keeps: a rolling one whose
    // time had not come gives its slot back, and has the time of its end.
    [[nodiscard]] Time end(RecurrenceType type, Time slot, Time now);
    // The latest that has come.
    [[nodiscard]] std::optional<Time> come(Time now) const;
};

// The slot after one that ended at `now`.
[[nodiscard]] Time following(const SlotRule& rule, RecurrenceType type, Time slot,
                             const PastSlots& past, Time now);

// The slot of a pending occurrence whose rule changes at `now`.
[[nodiscard]] Time edited(const SlotRule& rule, const PastSlots& past, std::optional<Time> start_at,
                          Time now);

}  // namespace semel::sim
