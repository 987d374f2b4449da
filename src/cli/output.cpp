#include "cli/output.hpp"

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>
#include <unistd.h>

#include "base/assert.hpp"
#include "base/text.hpp"

namespace semel::cli {

namespace {

std::string_view colour_of(std::string_view status) {
    if (status == "completed") return "\x1b[32m";
    if (status == "failed" || status == "uncertain") return "\x1b[31m";
    if (status == "running") return "\x1b[36m";
    if (status == "pending" || status == "blocked") return "\x1b[33m";
    return "\x1b[2m";
}

std::size_t sequence_length(unsigned char lead) {
    if (lead < 0x80) return 1;
    if (lead < 0xE0) return 2;
    return lead < 0xF0 ? 3 : 4;
}

}  // namespace

std::string printable(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const auto byte = static_cast<unsigned char>(text[at]);
        const std::string_view sequence = text.substr(at, sequence_length(byte));
        if (byte < 0x20 || byte == 0x7F) {
            out += fmt::format("\\x{:02x}", byte);
            ++at;
        } else if (!is_valid_utf8(sequence)) {
            out += "\xEF\xBF\xBD";
            ++at;
        } else if (sequence.size() == 2 && byte == 0xC2 &&
                   static_cast<unsigned char>(sequence[1]) < 0xA0) {
            out += fmt::format("\\x{:02x}", static_cast<unsigned char>(sequence[1]));  // C1
            at += 2;
        } else {
            out += sequence;
            at += sequence.size();
        }
    }
    return out;
}

std::string printable_lines(std::string_view text) {
    std::string out;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        out += (begin == 0 ? "" : "\n") + printable(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return out;
}

std::size_t width_of(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    }));
}

bool Console::wants_colour(int fd) {
    const char* refused = std::getenv("NO_COLOR");
    return (refused == nullptr || *refused == '\0') && ::isatty(fd) == 1;
}

std::string Console::status(std::string_view word, std::size_t width) const {
    const std::size_t used = width_of(word);
    const std::string padding(width > used ? width - used : 0, ' ');
    if (!has_colour_) {
        return std::string(word) + padding;
    }
    return fmt::format("{}{}\x1b[0m{}", colour_of(word), word, padding);
}

std::string Console::dim(std::string_view text) const {
    return has_colour_ ? fmt::format("\x1b[2m{}\x1b[0m", text) : std::string(text);
}

void Console::complain(std::string_view message) {
    err_ << complaint(message) << std::flush;
}

std::string Console::complaint(std::string_view message) {
    return "semel: " + std::string(message) + "\n";
}

std::string or_dash(const std::string& text) {
    return text.empty() ? "-" : text;
}

void print_member(Console& console, const std::string& name, const std::string& value,
                  int name_width) {
    if (!value.empty()) {
        console.out() << console.dim(fmt::format("{:<{}}", name, name_width))
                      << printable_lines(value) << "\n";
    }
}

void Table::add(std::vector<std::string> cells) {
    SEMEL_ASSERT(cells.size() == header_.size());
    for (std::string& cell : cells) {
        cell = printable(cell);
    }
    rows_.push_back(std::move(cells));
}

void Table::print(Console& console) const {
    std::vector<std::size_t> widths;
    for (std::size_t column = 0; column < header_.size(); ++column) {
        std::size_t widest = width_of(header_[column]);
        for (const auto& row : rows_) {
            widest = std::max(widest, width_of(row[column]));
        }
        widths.push_back(widest);
    }
    print_row(console, header_, widths, true);
    for (const auto& row : rows_) {
        print_row(console, row, widths, false);
    }
}

void Table::print_row(Console& console, const std::vector<std::string>& cells,
                      const std::vector<std::size_t>& widths, bool is_header) const {
    std::string line;
    for (std::size_t column = 0; column < cells.size(); ++column) {
        const bool is_last = column + 1 == cells.size();
        const std::string& cell = cells[column];
        if (!is_header && header_[column] == "STATUS") {
            line += console.status(cell, is_last ? 0 : widths[column]);
        } else {
            line += cell;
            line.append(is_last ? 0 : widths[column] - width_of(cell), ' ');
        }
        line += is_last ? "" : "  ";
    }
    console.out() << (is_header ? console.dim(line) : line) << "\n";
}

}  // namespace semel::cli
