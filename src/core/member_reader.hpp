// MemberReader: reads the members of a JSON object one by one, and turns whatever is wrong into the
// Problem that names the member. Read all known members, then ask `problem()`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/json.hpp"
#include "core/limits.hpp"
#include "core/problem.hpp"

namespace semel {

class MemberReader {
public:
    // `pointer` is where the object stands in the request. A value that is no object is a problem.
    MemberReader(json::Value object, std::string pointer);

    // Names are literals: they are kept. Each answers the member's value, or nothing where it is
    // absent, null or wrong.
    std::optional<std::string> text(std::string_view name, std::size_t bytes_min,
                                    std::size_t bytes_max);
    // A name: 1 to 255 bytes without control characters.
    std::optional<std::string> name(std::string_view name);
    std::optional<std::int64_t> integer(std::string_view name, std::int64_t min, std::int64_t max);
    std::optional<double> number(std::string_view name, double min, double max);
    std::optional<bool> boolean(std::string_view name);
    std::optional<Millis> milliseconds(std::string_view name, Millis min, Millis max);
    std::optional<Time> time(std::string_view name);
    std::optional<Uuid> uuid(std::string_view name);
    // One of some words, which `allowed` lists for people. False: it is absent, null or wrong, and
    // `out` stays as it is.
    template <typename T>
    bool word(std::string_view name, std::optional<T> (*parse)(std::string_view),
              std::string_view allowed, T& out);
    // Any value, null included.
    std::optional<json::Value> any(std::string_view name);
    std::optional<json::Value> array(std::string_view name, std::size_t items_max);
    std::optional<json::Value> object(std::string_view name);

    // The member must have been there; without it, a problem that says what to send.
    void require(std::string_view name, bool present);
    void fail(std::string_view name, std::string detail);
    void fail(Problem problem);  // found deeper inside

    // The first thing that was wrong; unknown members count last.
    [[nodiscard]] std::optional<Problem> problem();

    [[nodiscard]] std::string pointer_to(std::string_view name) const;

private:
    // The member, if it is there and not null.
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

// What is wrong with the value of a member, in words; empty: nothing.
[[nodiscard]] std::string fault_of_name(std::string_view member, std::string_view value);
[[nodiscard]] std::string fault_of_integer(std::string_view member, std::int64_t value,
                                           std::int64_t min, std::int64_t max);

// The problem of a text that is no acceptable JSON.
[[nodiscard]] Problem to_problem(const json::ParseError& error);

}  // namespace semel
