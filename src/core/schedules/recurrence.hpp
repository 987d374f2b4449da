// Recurrence: computes the slots of a schedule from its rule.
//
// A function that returns an optional Time returns nullopt if no slot is left up to the year 9999.
// The cost does not depend on the number of slots that have passed. Only spent slots are skipped
// one by one. Pure. Threads: any.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"
#include "core/schedules/spent_slots.hpp"
#include "core/time/cron.hpp"
#include "core/time/time_zone.hpp"
#include "core/words.hpp"

namespace semel {

// The times at which a schedule runs: an interval, or a cron expression in a time zone.
class Rule {
public:
    struct InZone {
        Cron cron;
        std::shared_ptr<const TimeZone> zone;
    };

    // Both return the error `invalid` if the text is not an interval or cron expression.
    [[nodiscard]] static Result<Rule> every(std::string_view text);
    [[nodiscard]] static Result<Rule> cron(std::string_view expression,
                                           std::shared_ptr<const TimeZone> zone);

    // Returns the same rule, which skips these spent slots.
    [[nodiscard]] Rule without(SpentSlots spent) const;

    // Exactly one of these has a value.
    [[nodiscard]] std::optional<Millis> interval() const;
    [[nodiscard]] const InZone* in_zone() const { return std::get_if<InZone>(&when_); }

    // Returns the slot that follows `slot`.
    [[nodiscard]] std::optional<Time> after(Time slot) const;
    // Returns the last slot at or before `now`, counted from `slot`. REQUIRES: slot <= now.
    [[nodiscard]] Time last_slot(Time slot, Time now) const;
    // Returns `slot`, or the first unspent slot after it if `slot` is spent.
    [[nodiscard]] std::optional<Time> unless_spent(Time slot) const;

    // Compares the slots and ignores the spent ones. `hourly` equals `PT1H`.
    bool operator==(const Rule& other) const;

private:
    explicit Rule(std::variant<Millis, InZone> when) : when_(std::move(when)) {}

    // Both ignore the spent slots.
    [[nodiscard]] std::optional<Time> step(Time slot) const;
    [[nodiscard]] Time last_step(Time slot, Time now) const;

    std::variant<Millis, InZone> when_;
    SpentSlots spent_;
};

// Returns the first slot of a new schedule: `start_at` if given, otherwise `now` for an interval
// and the next match for cron.
[[nodiscard]] std::optional<Time> first_slot(const Rule& rule, std::optional<Time> start_at,
                                             Time now);

// Returns the slot after an occurrence of `slot` that ended at `ended`, in whatever status. The
// result is later than `last`, the latest used slot that has come.
[[nodiscard]] std::optional<Time> next_slot(const Rule& rule, RecurrenceType type, Time slot,
                                            Time ended, std::optional<Time> last);

// Applies the missed policy to the slot of an occurrence that is created, resumed or becomes due. A
// slot is missed if the next slot is not after `now` either. A slot that is not missed stays.
[[nodiscard]] std::optional<Time> apply_missed_policy(const Rule& rule, Missed missed, Time slot,
                                                      Time now);

// An edit of a schedule with a pending occurrence. `last` is the latest used slot that has come. A
// schedule without it has not begun, and does not begin before `start_at`.
struct SlotEdit {
    Time pending;
    std::optional<Time> last;
    std::optional<Time> start_at;
};
// Returns the pending occurrence's slot after the edit. The slot stays if the rule does. A `before`
// that could not be read (nullopt) counts as another rule.
[[nodiscard]] std::optional<Time> slot_after_edit(const std::optional<Rule>& before,
                                                  const Rule& after, const SlotEdit& edit,
                                                  Time now);

// Returns the slot with which a schedule continues that has no current occurrence. `last` and
// `start_at` are as in SlotEdit.
[[nodiscard]] std::optional<Time> slot_behind(const Rule& rule, std::optional<Time> last,
                                              std::optional<Time> start_at, Time now);

// Returns `slot` and the slots that follow it, at most `count` in all. For display.
[[nodiscard]] std::vector<Time> next_runs(const Rule& rule, Time slot, std::size_t count);

}  // namespace semel
