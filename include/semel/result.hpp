// Result<T>: a value, or the Error that explains its absence. The names are those of std::expected.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace semel {

// Operating failures: the machine, the store or the state of the engine prevents the call. A
// refused request, such as a conflict, is a Problem: see <semel/problem.hpp>.
enum class ErrorCode {
    invalid,         // the input cannot be used
    not_found,       // a file, folder, host or row does not exist
    refused,         // the call is not allowed here
    busy,            // another process or transaction holds it; try again later
    overloaded,      // a bounded queue is full; nothing was changed, try again later
    timeout,         // a deadline passed
    unavailable,     // the store or peer cannot be reached; try again later
    io_error,        // the disk or the socket failed
    corrupt,         // the stored data contradicts itself
    damaged_row,     // one row of the store is damaged; the message names the row and a remedy
    commit_unknown,  // COMMIT was sent, but no result came back: the change happened or did not
    stopped,         // the engine does not run, or is stopping
};

// Returns the name of the enumerator.
[[nodiscard]] const char* to_string(ErrorCode code);

class [[nodiscard]] Error {
public:
    Error(ErrorCode code, std::string message) : code_(code), message_(std::move(message)) {}

    [[nodiscard]] ErrorCode code() const { return code_; }
    // One sentence for people. The text can change, so compare codes instead.
    [[nodiscard]] const std::string& message() const { return message_; }

    // Returns the error with a context before its message: "opening ./semel.db: disk I/O error".
    [[nodiscard]] Error prefixed(const std::string& context) const {
        return {code_, context + ": " + message_};
    }

private:
    ErrorCode code_;
    std::string message_;
};

// End the process, in release builds too: the program read a value or an error that does not exist.
[[noreturn]] void no_value_in_result();
[[noreturn]] void no_error_in_result();

// Check has_value() before value(), `*` and `->`: without a value they end the process. With a
// value error() ends the process.
//
// Example: if (auto id = find(); id) use(*id); else log(id.error().message());
template <typename T>
class [[nodiscard]] Result {
public:
    using value_type = T;

    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

    [[nodiscard]] bool has_value() const { return state_.index() == 0; }
    explicit operator bool() const { return has_value(); }

    [[nodiscard]] T& value() & {
        auto* value = std::get_if<0>(&state_);
        if (value == nullptr) no_value_in_result();
        return *value;
    }
    [[nodiscard]] const T& value() const& {
        const auto* value = std::get_if<0>(&state_);
        if (value == nullptr) no_value_in_result();
        return *value;
    }
    [[nodiscard]] T&& value() && {
        auto* value = std::get_if<0>(&state_);
        if (value == nullptr) no_value_in_result();
        return std::move(*value);
    }
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T&& operator*() && { return std::move(*this).value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }

    [[nodiscard]] const Error& error() const {
        const auto* error = std::get_if<1>(&state_);
        if (error == nullptr) no_error_in_result();
        return *error;
    }

private:
    std::variant<T, Error> state_;
};

// Success, or an Error. error() ends the process on success.
template <>
class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Error error) : error_(std::move(error)) {}

    [[nodiscard]] bool has_value() const { return !error_.has_value(); }
    explicit operator bool() const { return has_value(); }
    [[nodiscard]] const Error& error() const {
        if (!error_) no_error_in_result();
        return *error_;
    }

private:
    std::optional<Error> error_;
};

}  // namespace semel
