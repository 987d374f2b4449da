#include "core/schedule.hpp"

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
    if (spent && spent->last < slot) {
        // The line has passed them. Those that have come need not be told apart any more.
        last_slot = last_come(now);
        if (spent->last <= now) spent.reset();
    }
    if (slot <= now) {
        last_slot = std::max(last_slot.value_or(slot), slot);
    } else if (spent) {
        spent = SlotRange{std::min(spent->first, slot), std::max(spent->last, slot)};
    } else {
        spent = SlotRange{slot, slot};
    }
}

std::optional<Time> Schedule::last_come(Time now) const {
    const bool have_come = spent && spent->last <= now;
    return have_come ? std::max(last_slot.value_or(spent->last), spent->last) : last_slot;
}

}  // namespace semel
