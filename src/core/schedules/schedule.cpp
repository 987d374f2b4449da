#include "core/schedules/schedule.hpp"

#include <algorithm>

namespace semel {

Result<Rule> ScheduleSpec::rule(ZoneSource& zones) const {
    if (!every.empty()) {
        return Rule::every(every);
    }
    SEMEL_TRY(zone, zones.find(timezone));
    return Rule::cron(cron, zone);
}

Result<Rule> Schedule::rule(ZoneSource& zones) const {
    SEMEL_TRY(rule, spec.rule(zones));
    return rule.without(spent);
}

void Schedule::spend(Time slot, Time now) {
    // Spent slots in the past that precede `slot` are forgotten; `last_slot` replaces them.
    last_slot = std::max(last_slot, spent.forget_before(slot, now));
    if (slot <= now) {
        last_slot = std::max(last_slot, std::optional(slot));
    } else {
        spent.add(slot);
    }
}

std::optional<Time> Schedule::last_come(Time now) const {
    return std::max(last_slot, spent.last_until(now));
}

}  // namespace semel
