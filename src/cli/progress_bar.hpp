// ProgressBar: one line on a terminal that shows the running step and the done part. (ByteProgress
// shows bytes.) For one thread.
#pragma once

#include <ostream>
#include <string>
#include <string_view>

namespace semel::cli {

class ProgressBar {
public:
    // Without `is_shown` it writes nothing. `out` must outlive it.
    ProgressBar(std::ostream& out, bool is_shown) : out_(out), is_shown_(is_shown) {}
    ~ProgressBar() { clear(); }
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;

    // Draws the line again. `part` is 0 to 1.
    void show(std::string_view what, double part);
    // Clears the line, so that other output can follow.
    void clear();

    // Returns the line without terminal codes.
    [[nodiscard]] static std::string line(std::string_view what, double part);

private:
    std::ostream& out_;
    const bool is_shown_;
    bool is_on_ = false;
};

}  // namespace semel::cli
