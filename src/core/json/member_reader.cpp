#include "core/json/member_reader.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.hpp"
#include "core/json/json_pointer.hpp"
#include "core/limits.hpp"
#include "core/names.hpp"

namespace semel {
namespace {

// The member of a request with several items, which the client can split.
constexpr std::string_view kItems = "items";

std::string fault_of_length(std::string_view member, std::size_t bytes, std::size_t min,
                            std::size_t max) {
    if (bytes >= min && bytes <= max) {
        return {};
    }
    return bytes == 0
               ? fmt::format("`{}` must not be empty", member)
               : fmt::format("`{}` must have {} to {} bytes, this has {}", member, min, max, bytes);
}

std::string not_within(std::string_view member, std::int64_t min, std::int64_t max) {
    return fmt::format("`{}` must be a whole number from {} to {}", member, min, max);
}

}  // namespace

std::string fault_of_name(std::string_view member, std::string_view value) {
    std::string fault = fault_of_length(member, value.size(), 1, kNameBytesMax);
    if (fault.empty() && has_control_character(value)) {
        fault = fmt::format("`{}` must not contain control characters", member);
    }
    return fault;
}

std::string fault_of_integer(std::string_view member, std::int64_t value, std::int64_t min,
                             std::int64_t max) {
    return value < min || value > max ? not_within(member, min, max) : std::string();
}

MemberReader::MemberReader(json::Value object, std::string pointer) : pointer_(std::move(pointer)) {
    if (object.is_object()) {
        object_ = object;
    } else {
        problem_ = invalid(
            fmt::format("expected an object, found {}", json::to_string(object.kind())), pointer_);
    }
}

std::string MemberReader::pointer_to(std::string_view name) const {
    return pointer_ + "/" + json::escape_token(name);
}

void MemberReader::fail(std::string_view name, std::string detail) {
    if (!problem_) {
        problem_ = invalid(std::move(detail), pointer_to(name));
    }
}

void MemberReader::fail(Problem problem) {
    if (!problem_) {
        problem_ = std::move(problem);
    }
}

void MemberReader::require(std::string_view name, bool present) {
    if (!present) {
        fail(name, fmt::format("`{}` is required", name));
    }
}

std::optional<json::Value> MemberReader::any(std::string_view name) {
    known_.emplace_back(name);
    return object_ ? object_->find(name) : std::nullopt;
}

std::optional<json::Value> MemberReader::find(std::string_view name) {
    const auto value = any(name);
    return value && value->is_null() ? std::nullopt : value;
}

std::optional<std::string> MemberReader::text(std::string_view name, std::size_t bytes_min,
                                              std::size_t bytes_max) {
    const auto value = find(name);
    if (!value) {
        return std::nullopt;
    }
    if (!value->is_string()) {
        fail(name, fmt::format("`{}` must be a string", name));
        return std::nullopt;
    }
    const std::string_view text = value->as_string();
    if (auto fault = fault_of_length(name, text.size(), bytes_min, bytes_max); !fault.empty()) {
        fail(name, std::move(fault));
        return std::nullopt;
    }
    return std::string(text);
}

std::optional<std::string> MemberReader::name(std::string_view name) {
    auto value = text(name, 1, kNameBytesMax);
    if (auto fault = value ? fault_of_name(name, *value) : std::string(); !fault.empty()) {
        fail(name, std::move(fault));
        return std::nullopt;
    }
    return value;
}

std::optional<std::int64_t> MemberReader::integer(std::string_view name, std::int64_t min,
                                                  std::int64_t max) {
    const auto value = find(name);
    if (!value) {
        return std::nullopt;
    }
    const auto number = value->is_number() ? value->as_int64() : std::nullopt;
    if (!number || *number < min || *number > max) {
        fail(name, not_within(name, min, max));
        return std::nullopt;
    }
    return number;
}

std::optional<double> MemberReader::number(std::string_view name, double min, double max) {
    const auto value = find(name);
    if (!value) {
        return std::nullopt;
    }
    if (!value->is_number() || value->as_double() < min || value->as_double() > max) {
        fail(name, fmt::format("`{}` must be a number from {} to {}", name, min, max));
        return std::nullopt;
    }
    return value->as_double();
}

std::optional<bool> MemberReader::boolean(std::string_view name) {
    const auto value = find(name);
    if (!value) {
        return std::nullopt;
    }
    if (!value->is_boolean()) {
        fail(name, fmt::format("`{}` must be true or false", name));
        return std::nullopt;
    }
    return value->as_bool();
}

std::optional<Millis> MemberReader::milliseconds(std::string_view name, Millis min, Millis max) {
    const auto value = integer(name, min.count(), max.count());
    return value ? std::optional(Millis(*value)) : std::nullopt;
}

std::optional<Time> MemberReader::time(std::string_view name) {
    const auto value = find(name);
    if (!value) {
        return std::nullopt;
    }
    const auto time = value->is_string() ? parse_rfc3339(value->as_string()) : std::nullopt;
    if (!time) {
        fail(name, fmt::format("`{}` must be an RFC 3339 time up to the year 9999, like "
                               "2030-01-31T12:00:00.000Z",
                               name));
    }
    return time;
}

std::optional<Uuid> MemberReader::uuid(std::string_view name) {
    const auto value = find(name);
    if (!value) {
        return std::nullopt;
    }
    const auto id = value->is_string() ? Uuid::parse(value->as_string()) : std::nullopt;
    if (!id) {
        fail(name, fmt::format("`{}` must be an id, as Semel gave it out", name));
    }
    return id;
}

std::optional<json::Value> MemberReader::array(std::string_view name, std::size_t items_max) {
    const auto value = find(name);
    if (!value) {
        return std::nullopt;
    }
    if (!value->is_array()) {
        fail(name, fmt::format("`{}` must be an array", name));
        return std::nullopt;
    }
    if (value->size() > items_max) {
        if (!problem_) {
            problem_ = Problem{.code = ProblemCode::too_large,
                               .detail = fmt::format(
                                   "`{}` has {} items, at most {} are taken{}", name, value->size(),
                                   items_max, name == kItems ? "; send several requests" : ""),
                               .pointer = pointer_to(name)};
        }
        return std::nullopt;
    }
    return value;
}

std::optional<json::Value> MemberReader::object(std::string_view name) {
    const auto value = find(name);
    if (value && !value->is_object()) {
        fail(name, fmt::format("`{}` must be an object", name));
        return std::nullopt;
    }
    return value;
}

std::optional<Problem> MemberReader::problem() {
    if (problem_ || !object_) {
        return problem_;
    }
    for (const auto& [name, value] : object_->members()) {
        if (std::find(known_.begin(), known_.end(), name) != known_.end()) {
            continue;
        }
        const auto near = nearest(name, {known_.begin(), known_.end()});
        std::string detail = fmt::format("`{}` is not a member that this request knows", name);
        detail += near ? fmt::format("; did you mean `{}`?", *near) : "";
        return Problem{.code = ProblemCode::unknown_member,
                       .detail = std::move(detail),
                       .pointer = pointer_to(name)};
    }
    return std::nullopt;
}

Problem to_problem(const json::ParseError& error) {
    const bool too_large = error.code == json::ParseErrorCode::too_large;
    const bool too_deep = error.code == json::ParseErrorCode::too_deep;
    return {.code = too_large ? ProblemCode::too_large : ProblemCode::invalid,
            .detail = error.message + (too_deep ? "; all of the body's levels count, so a payload "
                                                  "may have two fewer in a batch than alone"
                                                : ""),
            .pointer = error.pointer};
}

}  // namespace semel
