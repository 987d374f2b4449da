// Progress: shows the progress of a long transfer on a terminal. Without a terminal it prints
// nothing. For one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>

namespace semel::cli {

// Returns a size with up to three digits and a unit, like "412 MiB".
[[nodiscard]] std::string describe_bytes(std::uint64_t bytes);

class Progress {
public:
    Progress(std::ostream& out, bool is_terminal) : out_(out), is_terminal_(is_terminal) {}
    // Clears the line.
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

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
