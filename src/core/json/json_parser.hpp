// Parser: checks a text against the JSON grammar and fills a Storage with its nodes.
// json_scan.hpp is the level below it: characters, escapes and the range of numbers. Only
// core/json/json.cpp includes this header.
//
// Errors: run() returns false. error() then has the code, offset and JSON pointer. Do not use the
// Storage then.
// Threads: one at a time.
// Lifetime: the Storage outlives the Parser, and its text does not change.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/json/json.hpp"
#include "core/json/json_pointer.hpp"
#include "core/json/json_scan.hpp"
#include "core/json/json_writer.hpp"

namespace semel::json::detail {

inline constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

// A number of at most this many bytes, without an exponent, fits a double (at most about 1.8e308).
inline constexpr std::ptrdiff_t kAlwaysFits = 300;

// Up to this number, comparing all pairs of names is quicker than sorting the names.
inline constexpr std::size_t kFewMembers = 16;

// Reads one document into a Storage. The parser has no stack: the `link` of an open container names
// its parent until the container is closed. So depth costs no memory and cannot overflow a stack.
// The terminating NUL of the text is allowed nowhere in JSON, so every scan stops there.
class Parser {
public:
    Parser(Storage& storage, Limits limits)
        : storage_(storage),
          begin_(storage.text.data()),
          end_(begin_ + storage.text.size()),
          at_(begin_),
          depth_max_(std::min(limits.depth_max, kDepthMax)),
          numbers_(limits.numbers) {}

    // Returns false on an error, which error() then returns. Call run() once.
    [[nodiscard]] bool run();
    [[nodiscard]] ParseError error() { return std::move(error_); }

private:
    bool step();
    bool value();
    bool open(Kind kind);
    bool close();
    bool name();
    bool string();
    bool escape(const char*& at);
    bool unicode_escape(const char*& at);
    bool number();
    bool literal(std::string_view word, Kind kind);
    bool check_names();

    void skip_space() {
        while (*at_ == ' ' || *at_ == '\n' || *at_ == '\t' || *at_ == '\r') ++at_;
    }
    [[nodiscard]] std::uint32_t offset(const char* at) const {
        return static_cast<std::uint32_t>(at - begin_);
    }

    bool fail(ParseErrorCode code, const char* at, std::string_view what);
    bool unexpected(std::string_view wanted, const char* at);
    bool bad_string_byte(const char* at);
    bool duplicate(std::uint32_t name);
    [[nodiscard]] std::string pointer() const;
    [[nodiscard]] std::uint32_t current_name(std::uint32_t object) const;

    Storage& storage_;
    const char* const begin_;
    const char* const end_;
    const char* at_;
    const std::size_t depth_max_;
    const Numbers numbers_;
    std::size_t depth_ = 0;
    std::uint32_t open_ = kNone;  // the innermost open container
    bool in_child_ = false;       // reading a value inside it, for the error's pointer
    ParseError error_;
};

inline bool Parser::run() {
    skip_space();
    if (!value()) return false;
    while (open_ != kNone) {
        if (!step()) return false;
    }
    skip_space();
    return at_ == end_ || unexpected("the end of the document", at_);
}

// Reads the end of the open container, or its next element or member.
inline bool Parser::step() {
    in_child_ = false;
    Node& container = storage_.nodes[open_];
    const bool is_object = container.kind == Kind::object;
    skip_space();
    if (*at_ == (is_object ? '}' : ']')) {
        ++at_;
        return close();
    }
    if (container.count > 0) {
        if (*at_ != ',') return unexpected(is_object ? "',' or '}'" : "',' or ']'", at_);
        ++at_;
        skip_space();
    }
    ++container.count;
    if (is_object && !name()) return false;
    in_child_ = true;
    return value();
}

inline bool Parser::value() {
    switch (*at_) {
        case '{': return open(Kind::object);
        case '[': return open(Kind::array);
        case '"': return string();
        case 't': return literal("true", Kind::boolean);
        case 'f': return literal("false", Kind::boolean);
        case 'n': return literal("null", Kind::null);
        default: return number();
    }
}

inline bool Parser::open(Kind kind) {
    if (depth_ == depth_max_) {
        return fail(ParseErrorCode::too_deep, at_,
                    fmt::format("more than {} arrays and objects inside one another", depth_max_));
    }
    ++depth_;
    const auto index = static_cast<std::uint32_t>(storage_.nodes.size());
    storage_.nodes.push_back(
        {.begin = offset(at_), .end = 0, .count = 0, .link = open_, .kind = kind});
    open_ = index;
    in_child_ = false;
    ++at_;
    return true;
}

inline bool Parser::close() {
    Node& node = storage_.nodes[open_];
    const std::uint32_t parent = node.link;
    node.end = offset(at_);
    if (node.kind == Kind::object && node.count > 1 && !check_names()) return false;
    node.link = static_cast<std::uint32_t>(storage_.nodes.size());
    open_ = parent;
    --depth_;
    return true;
}

inline bool Parser::name() {
    if (*at_ != '"') return unexpected("a member name in double quotes", at_);
    if (!string()) return false;
    skip_space();
    if (*at_ != ':') return unexpected("':' after the member name", at_);
    ++at_;
    skip_space();
    return true;
}

inline bool Parser::string() {
    const char* plain = at_ + 1;
    const char* at = plain_end(plain, end_);
    const std::size_t decoded_at = storage_.decoded.size();
    const bool escaped = *at == '\\';
    while (*at == '\\') {
        storage_.decoded.append(plain, at);
        if (!escape(at)) return false;
        plain = at;
        at = plain_end(at, end_);
    }
    if (*at != '"') return bad_string_byte(at);
    Node node{.begin = offset(at_), .end = offset(at + 1), .kind = Kind::string};
    if (escaped) {
        storage_.decoded.append(plain, at);
        node.count = static_cast<std::uint32_t>(storage_.decoded.size() - decoded_at);
        node.link = static_cast<std::uint32_t>(decoded_at);
        node.escaped = true;
    }
    storage_.nodes.push_back(node);
    at_ = at + 1;
    return true;
}

inline bool Parser::escape(const char*& at) {
    static constexpr std::string_view kLetters = "\"\\/bfnrt";
    static constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    if (at[1] == 'u') return unicode_escape(at);
    const std::size_t which = at + 1 == end_ ? std::string_view::npos : kLetters.find(at[1]);
    if (which == std::string_view::npos) {
        return unexpected("one of \" \\ / b f n r t u after the backslash", at + 1);
    }
    storage_.decoded.push_back(kMeanings[which]);
    at += 2;
    return true;
}

inline bool Parser::unicode_escape(const char*& at) {
    const int first = hex4(at + 2, end_);
    if (first < 0) {
        return fail(ParseErrorCode::malformed, at, "\\u must be followed by four hex digits");
    }
    auto code_point = static_cast<unsigned>(first);
    std::ptrdiff_t length = 6;
    if (code_point >= 0xD800 && code_point <= 0xDFFF) {
        const bool pair = code_point < 0xDC00 && at[6] == '\\' && at[7] == 'u';
        const int second = pair ? hex4(at + 8, end_) : -1;
        if (second < 0xDC00 || second > 0xDFFF) {
            return fail(ParseErrorCode::bad_utf8, at,
                        fmt::format("\\u{:04x} is half of a surrogate pair, which is no character",
                                    code_point));
        }
        code_point =
            0x10000 + ((code_point & 0x3FFU) << 10) + (static_cast<unsigned>(second) & 0x3FFU);
        length = 12;
    }
    append_utf8(storage_.decoded, code_point);
    at += length;
    return true;
}

inline bool Parser::number() {
    const char* at = at_ + (*at_ == '-' ? 1 : 0);
    if (!is_digit(*at)) return unexpected(at == at_ ? "a value" : "a digit after '-'", at);
    const auto skip_digits = [&at] {
        while (is_digit(*at)) ++at;
    };
    const bool leading_zero = *at == '0';
    ++at;
    if (leading_zero && is_digit(*at)) {
        return fail(ParseErrorCode::malformed, at_, "a number must not begin with 0");
    }
    skip_digits();
    if (*at == '.') {
        ++at;
        if (!is_digit(*at)) return unexpected("a digit after the decimal point", at);
        skip_digits();
    }
    const bool has_exponent = *at == 'e' || *at == 'E';
    if (has_exponent) {
        ++at;
        if (*at == '+' || *at == '-') ++at;
        if (!is_digit(*at)) return unexpected("a digit in the exponent", at);
        skip_digits();
    }
    const bool may_exceed = has_exponent || at - at_ > kAlwaysFits;
    if (may_exceed && numbers_ == Numbers::fit_double && !fits_double({at_, at})) {
        return fail(ParseErrorCode::malformed, at_, "the number does not fit a double");
    }
    storage_.nodes.push_back({.begin = offset(at_), .end = offset(at), .kind = Kind::number});
    at_ = at;
    return true;
}

inline bool Parser::literal(std::string_view word, Kind kind) {
    if (!std::string_view(at_, end_).starts_with(word)) return unexpected("a value", at_);
    const char* after = at_ + word.size();
    storage_.nodes.push_back({.begin = offset(at_), .end = offset(after), .kind = kind});
    at_ = after;
    return true;
}

// Checks that no decoded name occurs twice in the open object. REQUIRES: its children are complete.
inline bool Parser::check_names() {
    using Name = std::pair<std::string_view, std::uint32_t>;
    const std::size_t count = storage_.nodes[open_].count;
    const auto last = static_cast<std::uint32_t>(storage_.nodes.size());
    const auto collect = [&](Name* out) {
        for (std::uint32_t i = open_ + 1; i < last; i = storage_.after(i + 1)) {
            *out++ = {storage_.string(i), i};
        }
    };
    if (count <= kFewMembers) {
        std::array<Name, kFewMembers> names;
        collect(names.data());
        for (std::size_t i = 1; i < count; ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                if (names[i].first == names[j].first) return duplicate(names[i].second);
            }
        }
        return true;
    }
    std::vector<Name> names(count);
    collect(names.data());
    std::sort(names.begin(), names.end());
    std::uint32_t first = kNone;
    for (std::size_t i = 1; i < count; ++i) {
        if (names[i].first == names[i - 1].first) first = std::min(first, names[i].second);
    }
    return first == kNone || duplicate(first);
}

inline bool Parser::fail(ParseErrorCode code, const char* at, std::string_view what) {
    error_ = {code, offset(at), fmt::format("{} at offset {}", what, offset(at)), pointer()};
    return false;
}

inline bool Parser::unexpected(std::string_view wanted, const char* at) {
    if (at == end_) {
        return fail(ParseErrorCode::malformed, at,
                    fmt::format("expected {}, but the text ends", wanted));
    }
    const auto byte = static_cast<unsigned char>(*at);
    const std::string found =
        byte > 0x20 && byte < 0x7F ? fmt::format("'{}'", *at) : fmt::format("byte 0x{:02X}", byte);
    return fail(ParseErrorCode::malformed, at, fmt::format("expected {}, found {}", wanted, found));
}

inline bool Parser::bad_string_byte(const char* at) {
    const auto byte = static_cast<unsigned char>(*at);
    if (at == end_) return unexpected("'\"' to end the string", at);
    if (byte < 0x20) {
        return fail(ParseErrorCode::malformed, at,
                    fmt::format("a control character in a string must be written \\u{:04x}", byte));
    }
    return fail(ParseErrorCode::bad_utf8, at,
                fmt::format("byte 0x{:02X} in a string is not valid UTF-8", byte));
}

inline bool Parser::duplicate(std::uint32_t name) {
    constexpr std::size_t kShown = 80;  // the offset finds the rest
    const std::string_view text = storage_.string(name);
    const std::string shown = quote(text.substr(0, kShown)) + (text.size() > kShown ? "…" : "");
    const char* at = begin_ + storage_.nodes[name].begin;
    fail(ParseErrorCode::duplicate_member, at,
         fmt::format("member {} occurs twice in one object", shown));
    error_.pointer += '/' + escape_token(text);
    return false;
}

// Returns the last name of an open object, after all its closed members.
inline std::uint32_t Parser::current_name(std::uint32_t object) const {
    std::uint32_t name = object + 1;
    for (std::uint32_t i = 1; i < storage_.nodes[object].count; ++i) {
        name = storage_.after(name + 1);
    }
    return name;
}

inline std::string Parser::pointer() const {
    std::string path;
    bool in_child = in_child_;
    for (std::uint32_t i = open_; i != kNone; i = storage_.nodes[i].link) {
        const Node& node = storage_.nodes[i];
        if (in_child) {
            const std::string token = node.kind == Kind::array
                                          ? std::to_string(node.count - 1)
                                          : escape_token(storage_.string(current_name(i)));
            path.insert(0, '/' + token);
        }
        in_child = true;
    }
    return path;
}

}  // namespace semel::json::detail
