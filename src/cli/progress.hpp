// Progress: how far a long transfer has come, on a terminal; elsewhere it says nothing.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>

namespace semel::cli {

// "412 MiB": three digits and a unit.
[[nodiscard]] std::string describe_bytes(std::uint64_t bytes);

class Progress {
public:
    Progress(std::ostream& out, bool is_terminal) : out_(out), is_terminal_(is_terminal) {}
    // Wipes its line.
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void say(const std::string& text);
    // A few times a second at most.
    void moved(std::uint64_t bytes, std::optional<std::uint64_t> of);

private:
    std::ostream& out_;
    const bool is_terminal_;
    std::chrono::steady_clock::time_point said_at_;
};

}  // namespace semel::cli
