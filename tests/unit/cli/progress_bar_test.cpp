#include "cli/progress_bar.hpp"

#include <sstream>

#include <gtest/gtest.h>

namespace semel::cli {
namespace {

TEST(ProgressBar, SaysHowFarItIs) {
    EXPECT_EQ(ProgressBar::line("drain", 0), "[..............................]   0 %  drain");
    EXPECT_EQ(ProgressBar::line("drain", 0.5), "[###############...............]  50 %  drain");
    EXPECT_EQ(ProgressBar::line("drain", 1), "[##############################] 100 %  drain");
    EXPECT_EQ(ProgressBar::line("drain", 7), ProgressBar::line("drain", 1));
}

TEST(ProgressBar, LeavesItsLineAsItFoundIt) {
    std::ostringstream out;
    {
        ProgressBar bar(out, true);
        bar.show("one", 0);
        bar.clear();
        bar.clear();
        bar.show("two", 0.5);
    }
    const std::string again = "\r\x1b[2K";
    EXPECT_EQ(out.str(), again + ProgressBar::line("one", 0) + again + again +
                             ProgressBar::line("two", 0.5) + again);
}

TEST(ProgressBar, WritesNothingWhereItIsNotShown) {
    std::ostringstream out;
    {
        ProgressBar bar(out, false);
        bar.show("one", 0.5);
    }
    EXPECT_EQ(out.str(), "");
}

}  // namespace
}  // namespace semel::cli
