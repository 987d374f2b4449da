// What commands print for people: tables, key and value lines, colour where a terminal shows it.
#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace semel::cli {

// Text from elsewhere, safe to show: control characters, which could steer a terminal, become
// \xNN; bytes that are not UTF-8 become U+FFFD.
[[nodiscard]] std::string printable(std::string_view text);

// The same, with line breaks kept: for details of several lines.
[[nodiscard]] std::string printable_lines(std::string_view text);

// How many columns a terminal needs for it: one per code point.
[[nodiscard]] std::size_t width_of(std::string_view text);

class Console {
public:
    Console(std::ostream& out, std::ostream& err, bool has_colour)
        : out_(out), err_(err), has_colour_(has_colour) {}

    // Colour only if `fd` is a terminal and NO_COLOR is not set.
    [[nodiscard]] static bool wants_colour(int fd);

    [[nodiscard]] std::ostream& out() { return out_; }
    [[nodiscard]] std::ostream& err() { return err_; }

    // A status in its colour, padded to `width`.
    [[nodiscard]] std::string status(std::string_view word, std::size_t width = 0) const;
    [[nodiscard]] std::string dim(std::string_view text) const;

    // One line on the standard error: "semel: …".
    void complain(std::string_view message);
    // That line.
    [[nodiscard]] static std::string complaint(std::string_view message);

private:
    std::ostream& out_;
    std::ostream& err_;
    bool has_colour_;
};

// A cell of a table whose value may be missing.
[[nodiscard]] std::string or_dash(const std::string& text);

// Prints a name and its value on a line. Prints nothing if the value is empty.
void print_member(Console& console, const std::string& name, const std::string& value,
                  int name_width = 11);

// Columns as wide as their widest cell, two spaces between them; nothing after the last.
class Table {
public:
    explicit Table(std::vector<std::string> header) : header_(std::move(header)) {}

    // As many cells as the header has. They are made printable here.
    void add(std::vector<std::string> cells);
    [[nodiscard]] bool empty() const { return rows_.empty(); }

    // The cells of the column named STATUS get their colour.
    void print(Console& console) const;

private:
    void print_row(Console& console, const std::vector<std::string>& cells,
                   const std::vector<std::size_t>& widths, bool is_header) const;

    std::vector<std::string> header_;
    std::vector<std::vector<std::string>> rows_;
};

}  // namespace semel::cli
