#include "core/passes/request_differences.hpp"

#include <optional>
#include <string_view>

namespace semel {
namespace {

std::optional<std::string_view> text_of(json::Value object, std::string_view name) {
    const auto value = object.find(name);
    return value && value->is_string() ? std::optional(value->as_string()) : std::nullopt;
}

bool differ(json::Value first, json::Value second, std::string_view name) {
    const auto before = text_of(first, name);
    return before && before != text_of(second, name);
}

}  // namespace

Differences request_differences(const std::string& first, const std::string& second,
                                const DiffOptions& options) {
    constexpr json::Limits kInsideAnObject{.depth_max = 65, .numbers = json::Numbers::any};
    Differences differences;
    const auto before = json::Document::parse(first, kInsideAnObject);
    const auto after = json::Document::parse(second, kInsideAnObject);
    if (!before || !after) {
        return differences;
    }
    for (const char* name : {"method", "path", "query"}) {
        if (differ(before->root(), after->root(), name)) differences.names.emplace_back(name);
    }
    const auto first_body = before->root().find("body");
    const auto body = after->root().find("body");
    if (first_body && body) {
        DiffResult diff = json_diff(*first_body, *body, options);
        differences.patch = std::move(diff.patch_json);
        differences.is_truncated = diff.truncated;
    } else if (differ(before->root(), after->root(), "bodyHash")) {
        differences.names.emplace_back("body");
    }
    return differences;
}

}  // namespace semel
