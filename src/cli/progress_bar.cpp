#include "cli/progress_bar.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace semel::cli {

namespace {

constexpr std::size_t kWidth = 30;                    // with its text it fits into 80 columns
constexpr std::string_view kLineAgain = "\r\x1b[2K";  // from its start, without what it held

}  // namespace

std::string ProgressBar::line(std::string_view what, double part) {
    const double done = std::clamp(part, 0.0, 1.0);
    const auto full = static_cast<std::size_t>(done * static_cast<double>(kWidth));
    return fmt::format("[{}{}] {:3.0f} %  {}", std::string(full, '#'),
                       std::string(kWidth - full, '.'), done * 100, what);
}

void ProgressBar::show(std::string_view what, double part) {
    if (!is_shown_) {
        return;
    }
    out_ << kLineAgain << line(what, part) << std::flush;
    is_on_ = true;
}

void ProgressBar::clear() {
    if (is_on_) {
        out_ << kLineAgain << std::flush;
        is_on_ = false;
    }
}

}  // namespace semel::cli
