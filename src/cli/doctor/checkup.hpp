// Checkup: collects the findings of `semel doctor`, in the order of its checks, and prints them. A
// failed check is a finding, not an error. Threads: one.
#pragma once

#include <string>
#include <vector>

#include "cli/output.hpp"

namespace semel::cli {

enum class Verdict {
    good,
    warning,  // works, but an operator should inspect it
    bad,      // does not work, or will fail soon
};

struct Finding {
    Verdict verdict = Verdict::good;
    std::string check;   // one word, like "disk"
    std::string detail;  // the finding
    std::string advice;  // the remedy; empty if none is needed
};

class Checkup {
public:
    void good(std::string check, std::string detail);
    void warn(std::string check, std::string detail, std::string advice);
    void bad(std::string check, std::string detail, std::string advice);

    [[nodiscard]] bool has_bad() const;
    [[nodiscard]] const std::vector<Finding>& findings() const { return findings_; }

    void print(Console& console) const;
    [[nodiscard]] std::string to_json() const;

private:
    std::vector<Finding> findings_;
};

}  // namespace semel::cli
