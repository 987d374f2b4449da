// JsonWriter: builds compact JSON text from front to back, and sets the commas. The caller must
// write keys and values in a valid order. Strings are always escaped. Threads: one at a time.
//
//   JsonWriter w;
//   w.begin_object().member("id", id).member("attempts", 3).member_raw("payload", bytes);
//   w.begin_array("errors").value("first").end_array().end_object();
//   return w.take();
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace semel {

namespace json {

// Appends `text` as a JSON string. UTF-8 passes through, and control characters are escaped as RFC
// 8785 wants them. Bytes that are not UTF-8 become U+FFFD, so the output is always valid.
void append_quoted(std::string& out, std::string_view text);
[[nodiscard]] std::string quote(std::string_view text);

}  // namespace json

class JsonWriter {
public:
    JsonWriter() = default;
    explicit JsonWriter(std::size_t expected_bytes) { out_.reserve(expected_bytes); }

    JsonWriter& begin_object();
    JsonWriter& begin_object(std::string_view name) { return key(name).begin_object(); }
    JsonWriter& end_object();
    JsonWriter& begin_array();
    JsonWriter& begin_array(std::string_view name) { return key(name).begin_array(); }
    JsonWriter& end_array();

    JsonWriter& key(std::string_view name);
    JsonWriter& string(std::string_view text);
    JsonWriter& integer(std::int64_t number);
    JsonWriter& unsigned_integer(std::uint64_t number);
    JsonWriter& number(double number);  // finite; written as ECMAScript does
    JsonWriter& boolean(bool value);
    JsonWriter& null();
    JsonWriter& raw(std::string_view json);  // one value, already serialised

    // Writes any of the above by the argument's type. An empty optional is null.
    template <typename T>
    JsonWriter& value(const T& value);

    template <typename T>
    JsonWriter& member(std::string_view name, const T& member_value) {
        return key(name).value(member_value);
    }
    JsonWriter& member_raw(std::string_view name, std::string_view json) {
        return key(name).raw(json);
    }
    JsonWriter& member_null(std::string_view name) { return key(name).null(); }
    template <typename T>
    JsonWriter& member_or_null(std::string_view name, const std::optional<T>& member_value) {
        return key(name).value(member_value);
    }
    JsonWriter& member_raw_or_null(std::string_view name, const std::optional<std::string>& json) {
        return json ? member_raw(name, *json) : member_null(name);
    }
    // Writes nothing without a value.
    template <typename T>
    JsonWriter& member_if(std::string_view name, const std::optional<T>& member_value) {
        return member_value ? member(name, *member_value) : *this;
    }

    [[nodiscard]] std::size_t size() const { return out_.size(); }
    // Returns the text written so far.
    [[nodiscard]] std::string_view view() const { return out_; }
    // Returns the finished text and empties the writer. Asserts that every begin has its end.
    [[nodiscard]] std::string take();

private:
    void separate();

    std::string out_;
    int open_ = 0;
    bool needs_comma_ = false;
};

namespace detail {
template <typename T>
inline constexpr bool kIsOptional = false;
template <typename T>
inline constexpr bool kIsOptional<std::optional<T>> = true;
}  // namespace detail

template <typename T>
JsonWriter& JsonWriter::value(const T& value) {
    if constexpr (detail::kIsOptional<T>) {
        return value ? this->value(*value) : null();
    } else if constexpr (std::same_as<T, bool>) {
        return boolean(value);
    } else if constexpr (std::same_as<T, std::nullptr_t> || std::same_as<T, std::nullopt_t>) {
        return null();
    } else if constexpr (std::signed_integral<T>) {
        return integer(value);
    } else if constexpr (std::unsigned_integral<T>) {
        return unsigned_integer(value);
    } else if constexpr (std::floating_point<T>) {
        return number(static_cast<double>(value));
    } else {
        static_assert(std::is_convertible_v<const T&, std::string_view>,
                      "write this type as a string, number or raw JSON");
        return string(value);
    }
}

}  // namespace semel
