// Checkup: what a doctor found, in the order in which it looked.
#pragma once

#include <string>
#include <vector>

#include "cli/output.hpp"

namespace semel::cli {

enum class Verdict {
    good,
    warning,  // works, but somebody should look at it
    bad,      // does not work, or will not
};

struct Finding {
    Verdict verdict = Verdict::good;
    std::string check;   // one word: "disk"
    std::string detail;  // what was found
    std::string advice;  // what to do; empty where there is nothing to do
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
