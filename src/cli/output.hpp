// Prints the output of commands for people: messages, tables, name and value lines, with colour if
// the Console has it. Errors of the streams are ignored. Threads: one.
#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace semel::cli {

// Makes text from outside safe to print. Control characters, which could steer a terminal, become
// \xNN, and bytes that are not UTF-8 become U+FFFD.
[[nodiscard]] std::string printable(std::string_view text);

// Does the same, but keeps line breaks, for details of several lines.
[[nodiscard]] std::string printable_lines(std::string_view text);

// Returns the columns that a terminal needs for the text: one per code point.
[[nodiscard]] std::size_t width_of(std::string_view text);

// The two output streams of a command, which must outlive it.
class Console {
public:
    Console(std::ostream& out, std::ostream& err, bool has_colour)
        : out_(out), err_(err), has_colour_(has_colour) {}

    // Returns true if `fd` is a terminal and NO_COLOR is not set.
    [[nodiscard]] static bool wants_colour(int fd);

    [[nodiscard]] std::ostream& out() { return out_; }
    [[nodiscard]] std::ostream& err() { return err_; }

    // Returns a status in its colour, padded to `width` columns.
    [[nodiscard]] std::string status(std::string_view word, std::size_t width = 0) const;
    [[nodiscard]] std::string dim(std::string_view text) const;

    // Prints "semel: …" to standard error.
    void complain(std::string_view message);
    // Returns the line that complain() prints, with its line feed.
    [[nodiscard]] static std::string complaint(std::string_view message);

private:
    std::ostream& out_;
    std::ostream& err_;
    bool has_colour_;
};

// Returns the text, or "-" if it is empty, for a cell of a table.
[[nodiscard]] std::string or_dash(const std::string& text);

// Prints a name and its value on one line, or nothing if the value is empty.
void print_member(Console& console, const std::string& name, const std::string& value,
                  int name_width = 11);

// A table whose columns are as wide as their widest cell, with two spaces between them.
class Table {
public:
    explicit Table(std::vector<std::string> header) : header_(std::move(header)) {}

    // Adds a row, and makes its cells printable. REQUIRES: as many cells as the header has.
    void add(std::vector<std::string> cells);
    [[nodiscard]] bool empty() const { return rows_.empty(); }

    // Prints the header and the rows. Cells of a column named STATUS have their colour.
    void print(Console& console) const;

private:
    void print_row(Console& console, const std::vector<std::string>& cells,
                   const std::vector<std::size_t>& widths, bool is_header) const;

    std::vector<std::string> header_;
    std::vector<std::vector<std::string>> rows_;
};

}  // namespace semel::cli
