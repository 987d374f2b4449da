#include "api/router.hpp"

#include <optional>

namespace semel {
namespace {

// Removes and returns the first segment, with its slash.
std::string_view next_segment(std::string_view& rest) {
    const std::size_t end = std::min(rest.find('/', 1), rest.size());
    const std::string_view segment = rest.substr(0, end);
    rest.remove_prefix(end);
    return segment;
}

// Returns the variable's value if the path fits the pattern ("" without a variable), or nullopt.
std::optional<std::string_view> fit(std::string_view pattern, std::string_view path) {
    std::string_view value;
    while (!pattern.empty() && !path.empty()) {
        const std::string_view wanted = next_segment(pattern);
        const std::string_view found = next_segment(path);
        if (wanted.substr(0, 2) == "/{") {
            value = found.substr(1);
            if (value.empty()) {
                return std::nullopt;
            }
        } else if (wanted != found) {
            return std::nullopt;
        }
    }
    return pattern.empty() && path.empty() ? std::optional(value) : std::nullopt;
}

}  // namespace

Match find_route(std::span<const Route> table, std::string_view method, std::string_view path) {
    const std::string_view wanted = method == "HEAD" ? "GET" : method;
    for (const Route& route : table) {
        if (route.method != wanted) {
            continue;
        }
        if (const auto value = fit(route.pattern, path)) {
            return {&route, std::string(*value)};
        }
    }
    return {};
}

std::string allowed_methods(std::span<const Route> table, std::string_view path) {
    std::string methods;
    for (const Route& route : table) {
        if (!fit(route.pattern, path)) {
            continue;
        }
        methods += methods.empty() ? "" : ", ";
        methods += route.method == "GET" ? "GET, HEAD" : route.method;
    }
    return methods;
}

}  // namespace semel
