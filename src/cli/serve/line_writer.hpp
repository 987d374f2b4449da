// LineWriter: lines on their way to a descriptor that may block. A thread of its own writes them,
// so that a reader who has stopped reading holds up nobody but that thread.
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
    int fd = 2;                                            // stays the caller's
    std::size_t waiting_bytes_max = std::size_t{1} << 20;  // what comes on top is dropped
    std::chrono::milliseconds last_wait{1'000};            // in the destructor, for what is left
    // The line that says how many were dropped, when there is room again. With its line feed.
    std::function<std::string(std::uint64_t dropped)> note;
};

class LineWriter {
public:
    explicit LineWriter(LineWriterOptions options);
    // Waits for what is left, but not for ever: then the thread stays behind, with its lines.
    ~LineWriter();
    LineWriter(const LineWriter&) = delete;
    LineWriter& operator=(const LineWriter&) = delete;

    // From any thread, with its line feed. Never waits for the descriptor.
    void write(std::string_view line);

private:
    class State;
    std::shared_ptr<State> state_;
};

}  // namespace semel::cli
