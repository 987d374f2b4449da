// The log of `semel serve`: one JSON object per line on the standard error.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace semel::cli {

class LineWriter;

// Makes spdlog's default logger write lines like {"ts":…,"level":…,"message":…}, and makes the
// logger of decisions, whose lines come as JSON already. To log never waits: where nobody reads the
// standard error, lines are dropped and counted. One per process, which outlives all that log.
class Log {
public:
    Log(const std::string& level, bool logs_decisions);
    ~Log();  // the last lines get a moment
    Log(const Log&) = delete;
    Log& operator=(const Log&) = delete;

private:
    std::shared_ptr<LineWriter> lines_;
};

}  // namespace semel::cli
