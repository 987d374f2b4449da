// Result<T>: a value, or the Error that says why there is none. Spelled like std::expected.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace semel {

// Operating failures: what went wrong around us. The answers a business call may expect
// (duplicate, stale token, …) are not errors; see <semel/problem.hpp>.
enum class ErrorCode {
    invalid,         // the caller's input cannot be used
    not_found,       // a file, host or row that should be there is not
    refused,         // understood, and not allowed here
    busy,            // somebody else holds it; trying again may help
    overloaded,      // a bounded queue is full
    timeout,         // a deadline passed
    unavailable,     // the store or peer cannot be reached
    io_error,        // the disk or the socket failed
    corrupt,         // stored data contradicts itself
    damaged_row,     // one row of the store does; the message says which, and what to do about it
    commit_unknown,  // a COMMIT was sent and its fate is not known: neither success nor failure
    stopped,         // we are shutting down
};

[[nodiscard]] const char* to_string(ErrorCode code);

class [[nodiscard]] Error {
public:
    Error(ErrorCode code, std::string message) : code_(code), message_(std::move(message)) {}

    [[nodiscard]] ErrorCode code() const { return code_; }
    [[nodiscard]] const std::string& message() const { return message_; }

    // Adds context while an error travels up: "opening ./semel.db: disk I/O error".
    [[nodiscard]] Error prefixed(const std::string& context) const {
        return {code_, context + ": " + message_};
    }

private:
    ErrorCode code_;
    std::string message_;
};

// Ends the process: whoever asks for the side that is not there has not looked.
[[noreturn]] void no_value_in_result();
[[noreturn]] void no_error_in_result();

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
