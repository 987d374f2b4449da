// The log of `semel serve`: one JSON object per line on the standard error.
#pragma once

#include <string>
#include <string_view>

namespace semel::cli {

[[nodiscard]] bool is_log_level(std::string_view text);

// Makes spdlog's default logger write lines like {"ts":…,"level":…,"message":…}, and makes the
// logger of decisions, whose lines come as JSON already. Once per process.
void start_log(const std::string& level, bool logs_decisions);

}  // namespace semel::cli
