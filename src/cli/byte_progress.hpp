// ByteProgress: shows on a terminal how many bytes of a long copy are done. Without a terminal it
// prints nothing. (ProgressBar shows a step and a done part.) For one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>

namespace semel::cli {

// Returns a size with up to three digits and a unit, like "412 MiB".
[[nodiscard]] std::string describe_bytes(std::uint64_t bytes);

class ByteProgress {
public:
    ByteProgress(std::ostream& out, bool is_terminal) : out_(out), is_terminal_(is_terminal) {}
    // Clears the line.
    ~ByteProgress();
    ByteProgress(const ByteProgress&) = delete;
    ByteProgress& operator=(const ByteProgress&) = delete;

    // Replaces the line by this text.
    void say(const std::string& text);
    // Shows the bytes that are done, and of how many, at most every 200 ms.
    void moved(std::uint64_t bytes, std::optional<std::uint64_t> of);

private:
    std::ostream& out_;
    const bool is_terminal_;
    std::chrono::steady_clock::time_point said_at_;
};

}  // namespace semel::cli
