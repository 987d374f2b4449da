// ProgressBar: one line on a terminal that says what is going on and how far it is.
#pragma once

#include <ostream>
#include <string>
#include <string_view>

namespace semel::cli {

class ProgressBar {
public:
    // Where `is_shown` is false nothing is ever written.
    ProgressBar(std::ostream& out, bool is_shown) : out_(out), is_shown_(is_shown) {}
    ~ProgressBar() { clear(); }
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;

    // `part` from 0 to 1.
    void show(std::string_view what, double part);
    // The line is free again.
    void clear();

    [[nodiscard]] static std::string line(std::string_view what, double part);

private:
    std::ostream& out_;
    const bool is_shown_;
    bool is_on_ = false;
};

}  // namespace semel::cli
