// MemberReader: reads the members of a JSON object one by one, and keeps the first error.
//
// Read all known members first. Then call `problem`, which also rejects unknown members. The
// Problem names the member by its JSON pointer.
// Lifetime: the Document of the object must outlive the reader. Threads: one at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/json/json.hpp"
#include "core/limits.hpp"
#include "core/problem.hpp"

namespace semel {

class MemberReader {
public:
    // `pointer` is the place of the object in the request. Any other kind of value is an error.
    MemberReader(json::Value object, std::string pointer);

    // Each returns the member's value, or nullopt if the member is absent, null or wrong. A wrong
    // value is an error. REQUIRES: `name` is a literal, because the reader keeps the view.
    std::optional<std::string> text(std::string_view name, std::size_t bytes_min,
                                    std::size_t bytes_max);
    // Reads a name: 1 to 255 bytes without control characters.
    std::optional<std::string> name(std::string_view name);
    std::optional<std::int64_t> integer(std::string_view name, std::int64_t min, std::int64_t max);
    std::optional<double> number(std::string_view name, double min, double max);
    std::optional<bool> boolean(std::string_view name);
    std::optional<Millis> milliseconds(std::string_view name, Millis min, Millis max);
    std::optional<Time> time(std::string_view name);
    std::optional<Uuid> uuid(std::string_view name);
    // Reads one of some words into `out`. `allowed` lists them for people. Returns false and leaves
    // `out` unchanged if the member is absent, null or wrong.
    template <typename T>
    bool word(std::string_view name, std::optional<T> (*parse)(std::string_view),
              std::string_view allowed, T& out);
    // Returns any value, also null.
    std::optional<json::Value> any(std::string_view name);
    std::optional<json::Value> array(std::string_view name, std::size_t items_max);
    std::optional<json::Value> object(std::string_view name);

    // Records an error if the member is missing. `present` is the result of reading it.
    void require(std::string_view name, bool present);
    void fail(std::string_view name, std::string detail);
    void fail(Problem problem);  // of a value deeper inside

    // Returns the first error. Without one, returns the first unknown member as `unknown_member`.
    [[nodiscard]] std::optional<Problem> problem();

    [[nodiscard]] std::string pointer_to(std::string_view name) const;

private:
    // Returns the member if it is present and not null.
    std::optional<json::Value> find(std::string_view name);

    std::optional<json::Value> object_;
    std::string pointer_;
    std::vector<std::string_view> known_;
    std::optional<Problem> problem_;
};

template <typename T>
bool MemberReader::word(std::string_view name, std::optional<T> (*parse)(std::string_view),
                        std::string_view allowed, T& out) {
    const auto written = text(name, 1, kNameBytesMax);
    if (!written) {
        return false;
    }
    const auto meant = parse(*written);
    if (meant) {
        out = *meant;
    } else {
        fail(name, "`" + std::string(name) + "` must be " + std::string(allowed));
    }
    return meant.has_value();
}

// Return the fault of a member's value in words, or "" if the value is valid.
[[nodiscard]] std::string fault_of_name(std::string_view member, std::string_view value);
[[nodiscard]] std::string fault_of_integer(std::string_view member, std::int64_t value,
                                           std::int64_t min, std::int64_t max);

// Returns the Problem for a text that is not acceptable JSON.
[[nodiscard]] Problem to_problem(const json::ParseError& error);

}  // namespace semel
