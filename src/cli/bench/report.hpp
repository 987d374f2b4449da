// Renders the report of `semel bench`: as text for people, or as JSON for scripts. Threads: any.
#pragma once

#include <string>

#include "cli/bench/run.hpp"
#include "cli/output.hpp"

namespace semel::cli {

void print_report(Console& console, const BenchOptions& options, const BenchReport& report);
[[nodiscard]] std::string report_json(const BenchOptions& options, const BenchReport& report);

}  // namespace semel::cli
