// rule_in_words: describes a schedule's rule in plain English, for people who do not read cron.
//
// Pure. Threads: any.
#pragma once

#include <string>

#include "base/time.hpp"
#include "core/schedules/recurrence.hpp"

namespace semel {

// Returns text like "every 15 minutes" or "every Monday to Friday at 09:30 Europe/Berlin". A rule
// without a short form is described field by field.
//
// The text also says if a change of the clock skips or repeats one of its times. The search for
// such changes covers the 28 years after `now`.
[[nodiscard]] std::string rule_in_words(const Rule& rule, Time now);

}  // namespace semel
