// A schedule's rule in plain English, for people who do not read cron.
#pragma once

#include <string>

#include "base/time.hpp"
#include "core/recurrence.hpp"

namespace semel {

// "every 15 minutes", "every Monday to Friday at 09:30 Europe/Berlin". Where the clock will jump
// over one of its times, or repeat it, that is said too. What has no short form is told field by
// field.
[[nodiscard]] std::string rule_in_words(const Rule& rule, Time now);

}  // namespace semel
