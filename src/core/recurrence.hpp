// Recurrence: the slots of a schedule. Everything here is arithmetic: no call's cost depends on how
// many slots have gone by; only those that were had before their time are stepped over one by one.
// Where a function answers nothing, no slot is left before the end of time (year 9999).
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"
#include "core/cron.hpp"
#include "core/spent_slots.hpp"
#include "core/time_zone.hpp"
#include "core/words.hpp"

namespace semel {

// When a schedule runs: each interval, or at the matches of a cron expression in its zone.
class Rule {
public:
    struct InZone {
        Cron cron;
        std::shared_ptr<const TimeZone> zone;
    };

    [[nodiscard]] static Result<Rule> every(std::string_view text);
    [[nodiscard]] static Result<Rule> cron(std::string_view expression,
                                           std::shared_ptr<const TimeZone> zone);

    // The same rule for a schedule that has had some of the slots to come: it steps over these.
    [[nodiscard]] Rule without(SpentSlots spent) const;

    // The one or the other.
    [[nodiscard]] std::optional<Millis> interval() const;
    [[nodiscard]] const InZone* in_zone() const { return std::get_if<InZone>(&when_); }

    // The slot that follows `slot`.
    [[nodiscard]] std::optional<Time> after(Time slot) const;
    // The last slot at or before `now`, counted from `slot` (which is not after `now`).
    [[nodiscard]] Time last_slot(Time slot, Time now) const;
    // `slot` itself; where that is spent, the first one behind.
    [[nodiscard]] std::optional<Time> unless_spent(Time slot) const;

    // The same slots, whatever has been spent of them; `hourly` equals `PT1H`.
    bool operator==(const Rule& other) const;

private:
    explicit Rule(std::variant<Millis, InZone> when) : when_(std::move(when)) {}

    // As if nothing were spent.
    [[nodiscard]] std::optional<Time> step(Time slot) const;
    [[nodiscard]] Time last_step(Time slot, Time now) const;

    std::variant<Millis, InZone> when_;
    SpentSlots spent_;
};

// A new schedule's first slot.
[[nodiscard]] std::optional<Time> first_slot(const Rule& rule, std::optional<Time> start_at,
                                             Time now);

// The slot after an occurrence of `slot` that ended at `ended`, however it ended: behind `last`,
// the latest slot that has come.
[[nodiscard]] std::optional<Time> next_slot(const Rule& rule, RecurrenceType type, Time slot,
                                            Time ended, std::optional<Time> last);

// What `slot` becomes under the missed policy, when its occurrence is created, resumed or becomes
// due. A slot is missed if the next one is not after `now` either; one that is not missed stays.
[[nodiscard]] std::optional<Time> settle_missed(const Rule& rule, Missed missed, Time slot,
                                                Time now);

// The pending occurrence's slot after an edit. `last` is the latest slot that has come; a schedule
// without one has not begun, and does not begin before its `startAt`. A rule that cannot be read
// any more was another one.
struct SlotEdit {
    Time pending;
    std::optional<Time> last;
    std::optional<Time> start_at;
};
[[nodiscard]] std::optional<Time> slot_after_edit(const std::optional<Rule>& before,
                                                  const Rule& after, const SlotEdit& edit,
                                                  Time now);

// Where a schedule goes on that had slots and then stood still; `last` as above.
[[nodiscard]] std::optional<Time> slot_behind(const Rule& rule, std::optional<Time> last,
                                              std::optional<Time> start_at, Time now);

// `slot` and those that follow it, for display: `count` at most.
[[nodiscard]] std::vector<Time> next_runs(const Rule& rule, Time slot, std::size_t count);

}  // namespace semel
