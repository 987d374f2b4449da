#include "core/json/json_writer.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "base/assert.hpp"
#include "base/utf8.hpp"
#include "core/json/canonical_json.hpp"

namespace semel {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

void append_escape(std::string& out, unsigned char byte) {
    static constexpr char kHex[] = "0123456789abcdef";
    switch (byte) {
        case '"': out += "\\\""; return;
        case '\\': out += "\\\\"; return;
        case '\b': out += "\\b"; return;
        case '\f': out += "\\f"; return;
        case '\n': out += "\\n"; return;
        case '\r': out += "\\r"; return;
        case '\t': out += "\\t"; return;
        default:
            out += "\\u00";
            out += kHex[byte >> 4];
            out += kHex[byte & 0x0F];
    }
}

bool is_plain(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
}

// Checks eight bytes at once. The highest bit of a byte is set if the byte is not plain. Otherwise
// it is set only by a borrow from a byte that is not plain.
bool are_plain(const char* eight) {
    constexpr std::uint64_t kOnes = 0x0101010101010101;
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, eight, sizeof(bytes));
    const std::uint64_t quotes = bytes ^ ('"' * kOnes);  // zero where there is one
    const std::uint64_t backslashes = bytes ^ ('\\' * kOnes);
    const std::uint64_t marks =
        bytes | (bytes - 0x20 * kOnes) | (quotes - kOnes) | (backslashes - kOnes);
    return (marks & (0x80 * kOnes)) == 0;
}

// Returns true if the text needs no escapes and no check of UTF-8, as most texts.
bool is_plain(std::string_view text) {
    constexpr std::size_t kAtOnce = 8;
    if (text.size() < kAtOnce) {
        return std::all_of(text.begin(), text.end(), [](char c) { return is_plain(c); });
    }
    for (std::size_t at = 0; at + kAtOnce < text.size(); at += kAtOnce) {
        if (!are_plain(text.data() + at)) return false;
    }
    return are_plain(text.data() + text.size() - kAtOnce);  // some of them twice
}

template <typename Integer>
void append_integer(std::string& out, Integer number) {
    char buffer[24];
    const auto result = std::to_chars(std::begin(buffer), std::end(buffer), number);
    out.append(buffer, result.ptr);
}

}  // namespace

void json::append_quoted(std::string& out, std::string_view text) {
    const char* const end = text.data() + text.size();
    const char* plain = text.data();
    const char* at = is_plain(text) ? end : plain;
    out += '"';
    while (at != end) {
        const auto byte = static_cast<unsigned char>(*at);
        if (is_plain(*at)) {
            ++at;
            continue;
        }
        const std::size_t length = byte < 0x80 ? 0 : utf8_sequence(at, end);
        if (length > 0) {
            at += length;
            continue;
        }
        out.append(plain, at);
        if (byte < 0x80) {
            append_escape(out, byte);
        } else {
            out += kReplacement;
        }
        plain = ++at;
    }
    out.append(plain, end);
    out += '"';
}

std::string json::quote(std::string_view text) {
    std::string out;
    out.reserve(text.size() + 2);
    append_quoted(out, text);
    return out;
}

void JsonWriter::separate() {
    if (needs_comma_) out_ += ',';
    needs_comma_ = true;
}

JsonWriter& JsonWriter::begin_object() {
    separate();
    out_ += '{';
    needs_comma_ = false;
    ++open_;
    return *this;
}

JsonWriter& JsonWriter::end_object() {
    out_ += '}';
    needs_comma_ = true;
    --open_;
    return *this;
}

JsonWriter& JsonWriter::begin_array() {
    separate();
    out_ += '[';
    needs_comma_ = false;
    ++open_;
    return *this;
}

JsonWriter& JsonWriter::end_array() {
    out_ += ']';
    needs_comma_ = true;
    --open_;
    return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
    string(name);
    out_ += ':';
    needs_comma_ = false;
    return *this;
}

JsonWriter& JsonWriter::string(std::string_view text) {
    separate();
    json::append_quoted(out_, text);
    return *this;
}

JsonWriter& JsonWriter::integer(std::int64_t number) {
    separate();
    append_integer(out_, number);
    return *this;
}

JsonWriter& JsonWriter::unsigned_integer(std::uint64_t number) {
    separate();
    append_integer(out_, number);
    return *this;
}

JsonWriter& JsonWriter::number(double number) {
    return raw(format_double(number));
}

JsonWriter& JsonWriter::boolean(bool value) {
    return raw(value ? "true" : "false");
}

JsonWriter& JsonWriter::null() {
    return raw("null");
}

JsonWriter& JsonWriter::raw(std::string_view json) {
    separate();
    out_ += json;
    return *this;
}

std::string JsonWriter::take() {
    SEMEL_ASSERT(open_ == 0);
    needs_comma_ = false;
    return std::exchange(out_, {});
}

}  // namespace semel
