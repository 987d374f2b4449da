// LineWriter: writes lines to a descriptor in its own thread. If the reader stops reading, only
// that thread waits, and lines above a limit are dropped and counted.
//
// Errors: a failed write is not reported.
// Threads: write(): any. One thread makes and destroys it.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace semel::cli {

struct LineWriterOptions {
    int fd = 2;                                            // stays open; the caller owns it
    std::size_t waiting_bytes_max = std::size_t{1} << 20;  // more is dropped
    std::chrono::milliseconds last_wait{1'000};            // in the destructor, for the rest
    // Returns the line, with its line feed, that reports dropped lines once there is room again.
    std::function<std::string(std::uint64_t dropped)> note;
};

class LineWriter {
public:
    explicit LineWriter(LineWriterOptions options);
    // Waits `last_wait` for the lines that are not written. After that the thread continues alone.
    ~LineWriter();
    LineWriter(const LineWriter&) = delete;
    LineWriter& operator=(const LineWriter&) = delete;

    // Queues a line, which has its line feed. Does not wait for the descriptor. Any thread.
    void write(std::string_view line);

private:
    class State;
    std::shared_ptr<State> state_;
};

}  // namespace semel::cli
