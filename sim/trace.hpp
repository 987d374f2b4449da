// Trace: what happened, line by line, with a hash over all of it. Two runs of one plan give equal
// hashes.
#pragma once

#include <cstdint>
#include <cstdio>
#include <deque>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace semel::sim {

class Trace {
public:
    // `print`: every line to stdout as it comes.
    explicit Trace(bool print) : print_(print) {}

    void set_time(std::int64_t micros) { micros_ = micros; }

    template <typename... Args>
    void line(fmt::format_string<Args...> format, Args&&... args) {
        text_.clear();
        fmt::format_to(std::back_inserter(text_), "{:>12.3f} ", static_cast<double>(micros_) / 1e6);
        fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
        add();
    }

    [[nodiscard]] std::uint64_t hash() const { return hash_; }
    // The lines before the last one, for the report of a failure.
    [[nodiscard]] const std::deque<std::string>& recent() const { return recent_; }

private:
    void add() {
        for (const char byte : text_) {
            hash_ = (hash_ ^ static_cast<unsigned char>(byte)) * 0x100000001B3ULL;
        }
        if (print_) std::puts(text_.c_str());
        recent_.push_back(text_);
        if (recent_.size() > kRecentMax) recent_.pop_front();
    }

    static constexpr std::size_t kRecentMax = 60;

    bool print_;
    std::int64_t micros_ = 0;
    std::string text_;
    std::uint64_t hash_ = 0xCBF29CE484222325ULL;
    std::deque<std::string> recent_;
};

}  // namespace semel::sim
