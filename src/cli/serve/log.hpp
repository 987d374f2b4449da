// Log: the log of `semel serve`, one JSON object per line on standard error. Any thread may log.
// Logging does not wait: if standard error is not read, lines are dropped and counted.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace semel::cli {

class LineWriter;

// Sets spdlog's default logger, which writes lines like {"ts":…,"level":…,"message":…}, and the
// logger of decisions, whose lines are JSON already.
//
// Threads: any thread may log. One controlling thread makes and destroys the Log.
// Lifetime: one at a time per process. It must outlive everything that logs.
class Log {
public:
    // `level` is debug, info, warn, error or off.
    Log(const std::string& level, bool logs_decisions);
    ~Log();  // waits up to 1 s for the last lines
    Log(const Log&) = delete;
    Log& operator=(const Log&) = delete;

private:
    std::shared_ptr<LineWriter> lines_;
};

}  // namespace semel::cli
