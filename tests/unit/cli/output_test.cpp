#include "cli/output.hpp"

#include <sstream>

#include <gtest/gtest.h>

namespace semel::cli {
namespace {

TEST(Printable, WhatCouldSteerATerminalIsSpeltOut) {
    EXPECT_EQ(printable("a\x1b[2Jb"), "a\\x1b[2Jb");
    EXPECT_EQ(printable("a\nb\tc\x7f"), "a\\x0ab\\x09c\\x7f");
    EXPECT_EQ(printable("\xc2\x9b"), "\\x9b");  // the C1 form of ESC [
    EXPECT_EQ(printable("gr\xc3\xbc\xc3\x9f"), "gr\xc3\xbc\xc3\x9f");
    EXPECT_EQ(printable("\xff\xc3"), "\xEF\xBF\xBD\xEF\xBF\xBD");
    EXPECT_EQ(printable_lines("a\x1b\nb"), "a\\x1b\nb");
}

TEST(Table, ColumnsAreAsWideAsTheirWidestCell) {
    std::ostringstream out;
    std::ostringstream err;
    Console console(out, err, false);
    Table table({"ID", "STATUS", "TYPE"});
    table.add({"1", "completed", "a"});
    table.add({"22\xc3\xbc", "failed", "b\nc"});
    table.print(console);
    EXPECT_EQ(out.str(),
              "ID   STATUS     TYPE\n"
              "1    completed  a\n"
              "22\xc3\xbc  failed     b\\x0ac\n");
}

TEST(Table, ColourIsOnlyForTerminalsAndKeepsTheWidth) {
    std::ostringstream out;
    std::ostringstream err;
    Console console(out, err, true);
    Table table({"STATUS", "X"});
    table.add({"failed", "1"});
    table.add({"completed", "2"});
    table.print(console);
    EXPECT_EQ(out.str(),
              "\x1b[2mSTATUS     X\x1b[0m\n"
              "\x1b[31mfailed\x1b[0m     1\n"
              "\x1b[32mcompleted\x1b[0m  2\n");
}

TEST(Console, AFileIsNoTerminal) {
    EXPECT_FALSE(Console::wants_colour(-1));
}

}  // namespace
}  // namespace semel::cli
