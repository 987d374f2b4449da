// Document and Value: a strict RFC 8259 parser that keeps the text. Every value has its raw bytes,
// every number its digits.
//
// Errors: malformed text, duplicate member names, bad UTF-8, lone surrogates, and texts beyond the
// Limits (by default 64 levels and 64 MiB). A ParseError has the offset and the JSON pointer.
// Threads: any, because a Document does not change.
// Lifetime: a Value and its views live as long as their Document, even if that is moved.
//
// docs/decisions/0005-own-json-parser.md has the reasons for a separate parser.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/assert.hpp"

namespace semel::json {

enum class Kind : std::uint8_t { null, boolean, number, string, array, object };

[[nodiscard]] const char* to_string(Kind kind);

// No document is deeper than this, whatever its Limits. So a function can walk it by recursion.
inline constexpr std::size_t kDepthMax = 512;

// The numbers that a text can contain. `any` also accepts numbers beyond a double. It is for values
// that are only stored and compared.
enum class Numbers : std::uint8_t { fit_double, any };

struct Limits {
    std::size_t depth_max = 64;  // how many arrays and objects can be open at once
    std::size_t bytes_max = std::size_t{64} << 20;
    Numbers numbers = Numbers::fit_double;
};

inline constexpr Limits kAnyNumbers{.numbers = Numbers::any};

enum class ParseErrorCode { malformed, duplicate_member, too_deep, bad_utf8, too_large };

[[nodiscard]] const char* to_string(ParseErrorCode code);

struct ParseError {
    ParseErrorCode code = ParseErrorCode::malformed;
    std::size_t offset = 0;  // in bytes, of the first byte that is not allowed
    std::string message;     // for people, with the offset in it
    std::string pointer;     // JSON pointer of the value being read ("" is the whole document)
};

namespace detail {

// One value or member name. Nodes are in document order: a container is followed by its children, a
// member's name by its value.
struct Node {
    std::uint32_t begin = 0;  // first byte in the text
    std::uint32_t end = 0;    // one past the last
    std::uint32_t count = 0;  // elements, members, or the decoded length of an escaped string
    std::uint32_t link = 0;   // container: the node behind its last child;
                              // escaped string: where its decoded form begins in `decoded`
    Kind kind = Kind::null;
    bool escaped = false;
};

struct Storage {
    std::string text;
    std::string decoded;  // the strings that have escapes, one after another
    std::vector<Node> nodes;

    [[nodiscard]] std::uint32_t after(std::uint32_t index) const {
        const Node& node = nodes[index];
        return node.kind >= Kind::array ? node.link : index + 1;
    }
    [[nodiscard]] std::string_view raw(std::uint32_t index) const {
        const Node& node = nodes[index];
        return std::string_view(text).substr(node.begin, node.end - node.begin);
    }
    [[nodiscard]] std::string_view string(std::uint32_t index) const {
        const Node& node = nodes[index];
        return node.escaped
                   ? std::string_view(decoded).substr(node.link, node.count)
                   : std::string_view(text).substr(node.begin + 1, node.end - node.begin - 2);
    }
};

}  // namespace detail

struct Member;
class Elements;
class Members;

// A value inside a Document. It is a cheap view and can be copied freely.
class Value {
public:
    [[nodiscard]] Kind kind() const { return node().kind; }
    [[nodiscard]] bool is_null() const { return kind() == Kind::null; }
    [[nodiscard]] bool is_boolean() const { return kind() == Kind::boolean; }
    [[nodiscard]] bool is_number() const { return kind() == Kind::number; }
    [[nodiscard]] bool is_string() const { return kind() == Kind::string; }
    [[nodiscard]] bool is_array() const { return kind() == Kind::array; }
    [[nodiscard]] bool is_object() const { return kind() == Kind::object; }

    // Returns exactly the bytes of the text, without surrounding white space.
    [[nodiscard]] std::string_view raw() const { return storage_->raw(index_); }
    [[nodiscard]] std::size_t offset() const { return node().begin; }

    // Each of these asserts its kind.
    [[nodiscard]] bool as_bool() const;
    [[nodiscard]] std::string_view as_string() const;  // decoded, valid UTF-8, may hold NUL
    [[nodiscard]] std::string_view number_text() const;
    // Returns the nearest double: 0 for a number too small, infinity for a number too large.
    [[nodiscard]] double as_double() const;

    // Returns the number if its exact value is an integer in range: 5, 5.0, 50e-1. Otherwise, or
    // for another kind, returns nullopt.
    [[nodiscard]] std::optional<std::int64_t> as_int64() const;

    // Returns the number of elements or members, or 0 for any other kind.
    [[nodiscard]] std::size_t size() const;
    [[nodiscard]] Elements elements() const;  // asserts an array
    [[nodiscard]] Members members() const;    // asserts an object

    // Returns the member with this decoded name, or nullopt, also if this is not an object. Linear.
    [[nodiscard]] std::optional<Value> find(std::string_view name) const;

private:
    friend class Document;
    friend class Elements;
    friend class Members;
    Value(const detail::Storage* storage, std::uint32_t index) : storage_(storage), index_(index) {}

    [[nodiscard]] const detail::Node& node() const { return storage_->nodes[index_]; }

    const detail::Storage* storage_;
    std::uint32_t index_;
};

struct Member {
    std::string_view name;  // decoded
    Value value;
};

// for (json::Value element : value.elements())
class Elements {
public:
    class Iterator {
    public:
        Value operator*() const { return {storage_, index_}; }
        Iterator& operator++() {
            index_ = storage_->after(index_);
            return *this;
        }
        bool operator==(const Iterator& other) const { return index_ == other.index_; }

    private:
        friend class Elements;
        Iterator(const detail::Storage* storage, std::uint32_t index)
            : storage_(storage), index_(index) {}
        const detail::Storage* storage_;
        std::uint32_t index_;
    };

    [[nodiscard]] Iterator begin() const { return {storage_, index_ + 1}; }
    [[nodiscard]] Iterator end() const { return {storage_, storage_->after(index_)}; }

private:
    friend class Value;
    Elements(const detail::Storage* storage, std::uint32_t index)
        : storage_(storage), index_(index) {}
    const detail::Storage* storage_;
    std::uint32_t index_;
};

// for (const auto& [name, value] : object.members())
class Members {
public:
    class Iterator {
    public:
        Member operator*() const { return {storage_->string(index_), Value(storage_, index_ + 1)}; }
        Iterator& operator++() {
            index_ = storage_->after(index_ + 1);
            return *this;
        }
        bool operator==(const Iterator& other) const { return index_ == other.index_; }

    private:
        friend class Members;
        Iterator(const detail::Storage* storage, std::uint32_t index)
            : storage_(storage), index_(index) {}
        const detail::Storage* storage_;
        std::uint32_t index_;
    };

    [[nodiscard]] Iterator begin() const { return {storage_, index_ + 1}; }
    [[nodiscard]] Iterator end() const { return {storage_, storage_->after(index_)}; }

private:
    friend class Value;
    Members(const detail::Storage* storage, std::uint32_t index)
        : storage_(storage), index_(index) {}
    const detail::Storage* storage_;
    std::uint32_t index_;
};

class ParseResult;

// A parsed text. It owns the bytes and the values in them.
class Document {
public:
    [[nodiscard]] static ParseResult parse(std::string text, Limits limits = {});

    [[nodiscard]] Value root() const { return {storage_.get(), 0}; }
    [[nodiscard]] const std::string& text() const { return storage_->text; }

private:
    friend class ParseResult;
    explicit Document(std::unique_ptr<detail::Storage> storage) : storage_(std::move(storage)) {}

    std::unique_ptr<detail::Storage> storage_;
};

// A Document, or the ParseError with the reason. Used like Result<T>.
class [[nodiscard]] ParseResult {
public:
    ParseResult(Document document) : document_(std::move(document)) {}
    ParseResult(ParseError error) : document_(nullptr), error_(std::move(error)) {}

    [[nodiscard]] bool has_value() const { return document_.storage_ != nullptr; }
    explicit operator bool() const { return has_value(); }
    [[nodiscard]] const Document& value() const& {
        SEMEL_ASSERT(has_value());
        return document_;
    }
    [[nodiscard]] Document&& value() && {
        SEMEL_ASSERT(has_value());
        return std::move(document_);
    }
    const Document& operator*() const& { return value(); }
    Document&& operator*() && { return std::move(*this).value(); }
    const Document* operator->() const { return &value(); }
    [[nodiscard]] const ParseError& error() const {
        SEMEL_ASSERT(!has_value());
        return error_;
    }

private:
    Document document_;
    ParseError error_;
};

}  // namespace semel::json
