#include "api/query_reader.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/names.hpp"
#include "net/http.hpp"

namespace semel {

QueryReader::QueryReader(std::string_view query) {
    auto parsed = net::parse_query(query);
    if (!parsed) {
        fail("the query has a `%` that is not followed by two hex digits");
        return;
    }
    parameters_ = std::move(*parsed);
}

void QueryReader::fail(std::string detail) {
    if (!problem_) {
        problem_ = invalid(std::move(detail));
    }
}

std::optional<std::string> QueryReader::text(std::string_view name) {
    known_.emplace_back(name);
    std::optional<std::string> found;
    for (const auto& [each, value] : parameters_) {
        if (each != name) {
            continue;
        }
        if (found) {
            fail(fmt::format("the query parameter `{}` occurs twice", name));
            return std::nullopt;
        }
        found = value;
    }
    return found;
}

std::optional<std::string> QueryReader::name(std::string_view name) {
    auto value = text(name);
    if (value && !is_name(*value)) {
        fail(
            fmt::format("the query parameter `{}` must have 1 to {} bytes of UTF-8 without "
                        "control characters",
                        name, kNameBytesMax));
        return std::nullopt;
    }
    return value;
}

std::optional<bool> QueryReader::boolean(std::string_view name) {
    const auto value = text(name);
    if (value && *value != "true" && *value != "false") {
        fail(fmt::format("the query parameter `{}` must be true or false", name));
        return std::nullopt;
    }
    return value ? std::optional(*value == "true") : std::nullopt;
}

std::optional<std::int64_t> QueryReader::integer(std::string_view name, std::int64_t min,
                                                 std::int64_t max) {
    const auto value = text(name);
    if (!value) {
        return std::nullopt;
    }
    const auto number = parse_decimal(*value);
    if (!number || *number < min || *number > max) {
        fail(fmt::format("the query parameter `{}` must be a whole number from {} to {}", name, min,
                         max));
        return std::nullopt;
    }
    return number;
}

std::optional<Time> QueryReader::time(std::string_view name) {
    const auto value = text(name);
    const auto time = value ? parse_rfc3339(*value) : std::nullopt;
    if (value && !time) {
        fail(
            fmt::format("the query parameter `{}` must be an RFC 3339 time, like "
                        "2030-01-31T12:00:00.000Z (a `+` in it is written %2B)",
                        name));
    }
    return time;
}

std::optional<Uuid> QueryReader::uuid(std::string_view name) {
    const auto value = text(name);
    const auto id = value ? Uuid::parse(*value) : std::nullopt;
    if (value && !id) {
        fail(fmt::format("the query parameter `{}` must be an id, as Semel gave it out", name));
    }
    return id;
}

std::optional<Problem> QueryReader::problem() {
    if (problem_) {
        return problem_;
    }
    for (const auto& [name, value] : parameters_) {
        if (std::find(known_.begin(), known_.end(), name) != known_.end()) {
            continue;
        }
        const auto near = nearest(name, known_);
        return invalid(fmt::format("this path takes no query parameter `{}`{}", name,
                                   near ? fmt::format("; did you mean `{}`?", *near) : ""));
    }
    return std::nullopt;
}

int read_limit(QueryReader& reader) {
    return static_cast<int>(reader.integer("limit", 1, kPageItemsMax).value_or(kPageItemsDefault));
}

}  // namespace semel
