#include "core/schedule.hpp"

namespace semel {

Result<Rule> ScheduleSpec::rule(ZoneSource& zones) const {
    if (!every.empty()) {
        return Rule::every(every);
    }
    SEMEL_TRY(zone, zones.find(timezone));
    return Rule::cron(cron, zone);
}

}  // namespace semel
