// Something that is wrong with a configuration, and what to write instead.
#pragma once

#include <string>

namespace semel {

enum class Severity {
    error,    // it cannot be used, duplicates will get through, or tenants meet
    warning,  // they may
};

struct Finding {
    Severity severity = Severity::error;
    std::string where;   // in the file: stores.ttl.webhook_days
    std::string detail;  // what is wrong
    std::string fix;     // what to write instead
};

// In one line.
[[nodiscard]] inline std::string to_string(const Finding& finding) {
    return finding.where + ": " + finding.detail + "; " + finding.fix;
}

}  // namespace semel
