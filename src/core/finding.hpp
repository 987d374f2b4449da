// Finding: one fault of a configuration, with its place and the text that corrects it. A plain
// value.
#pragma once

#include <string>

namespace semel {

enum class Severity {
    error,    // the configuration is unusable, lets duplicates pass, or mixes tenants
    warning,  // under some condition duplicates might pass
};

struct Finding {
    Severity severity = Severity::error;
    std::string where;   // the place in the file: stores.ttl.webhook_days
    std::string detail;  // the fault
    std::string fix;     // the text to write instead
};

// Returns "where: detail; fix" in one line.
[[nodiscard]] inline std::string to_string(const Finding& finding) {
    return finding.where + ": " + finding.detail + "; " + finding.fix;
}

}  // namespace semel
