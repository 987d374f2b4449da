#include "config/guard_members.hpp"

#include <algorithm>
#include <array>

#include "config/yaml_values.hpp"
#include "core/json/json.hpp"
#include "core/json/json_writer.hpp"
#include "core/limits.hpp"

namespace semel {
namespace {

using yaml::Value;
using GuardMember = YamlMember<ReadRoute>;

// It is stored with the answer of a key that met the guard.
constexpr std::size_t kMessageBytesMax = 1000;

// The members that an answer in flight has already.
constexpr std::array<std::string_view, 4> kShapeMembers = {"success", "duplicateOnly",
                                                           "duplicateMessage", "message"};

GuardRule& guard_of(ReadRoute& read) {
    return *read.route.guard;
}

bool has_repeats(std::vector<std::string> texts) {
    std::ranges::sort(texts);
    return std::ranges::adjacent_find(texts) != texts.end();
}

bool take_fields(ReadRoute& read, Value value) {
    if (!yaml::is_list_of(value, &yaml::is_pointer) || value.size() > kKeyFieldsMax) {
        return false;
    }
    guard_of(read).fields = yaml::texts_of(value);
    read.checked.key_fields = guard_of(read).fields;
    return !has_repeats(guard_of(read).fields);
}

bool take_guard_window(ReadRoute& read, Value value) {
    const auto window = yaml::some_time(value);
    guard_of(read).window = window.value_or(Millis(0));
    read.checked.window = window;
    return window.has_value();
}

bool take_guard_wait(ReadRoute& read, Value value) {
    const auto wait = yaml::wait(value);
    guard_of(read).wait = wait.value_or(Millis(0));
    return wait.has_value();
}

bool take_in_flight(ReadRoute& read, Value value) {
    guard_of(read).refuses_in_flight = value.IsScalar() && value.Scalar() == "conflict";
    return yaml::is_one_of(value, {"ok", "conflict"});
}

bool take_failed_pointer(ReadRoute& read, Value value) {
    guard_of(read).failed_when->pointer = value.IsScalar() ? value.Scalar() : "";
    return yaml::is_pointer(value);
}

// A plain `true`, `false` or number is that JSON value, and everything else a string.
bool take_failed_value(ReadRoute& read, Value value) {
    if (!value.IsScalar()) {
        return false;
    }
    const std::string& text = value.Scalar();
    const bool is_plain = value.Tag() == "?";
    const auto parsed = json::Document::parse(text, json::kAnyNumbers);
    const bool is_json =
        is_plain && parsed && (parsed->root().is_boolean() || parsed->root().is_number());
    guard_of(read).failed_when->equals = is_json ? text : json::quote(text);
    return true;
}

void begin_failed_when(ReadRoute& read) {
    guard_of(read).failed_when.emplace();
}

bool take_guard_fail_mode(ReadRoute& read, Value value) {
    guard_of(read).fail_mode =
        value.IsScalar() && value.Scalar() == "closed" ? FailMode::closed : FailMode::open;
    return yaml::is_one_of(value, {"closed", "open"});
}

bool take_null_fields(ReadRoute& read, Value value) {
    if (!value.IsSequence() || (value.size() > 0 && !yaml::is_list_of(value, &yaml::is_name))) {
        return false;
    }
    std::vector<std::string> all = yaml::texts_of(value);
    guard_of(read).null_fields = all;
    all.insert(all.end(), kShapeMembers.begin(), kShapeMembers.end());
    return !has_repeats(std::move(all));
}

bool is_message(Value value) {
    return yaml::is_text(value) && value.Scalar().size() <= kMessageBytesMax;
}

bool take_duplicate_message(ReadRoute& read, Value value) {
    guard_of(read).duplicate_message = value.IsScalar() ? value.Scalar() : "";
    return is_message(value);
}

bool take_in_flight_message(ReadRoute& read, Value value) {
    guard_of(read).in_flight_message = value.IsScalar() ? value.Scalar() : "";
    return is_message(value) && value.Scalar().find("{age}") == std::string::npos;
}

constexpr GuardMember kFailedWhen[] = {
    {"json", yaml::kPointer, &take_failed_pointer, {}, true},
    {"equals", "a text, a number, `true` or `false`", &take_failed_value, {}, true},
};

}  // namespace

constexpr GuardMember kGuardMembers[9] = {
    {"fields",
     "a list of 1 to 16 different JSON pointers below the root, like [/workspaceId, /message]",
     &take_fields},
    {"window", yaml::kTime, &take_guard_window},
    {"wait", yaml::kWait, &take_guard_wait},
    {"in_flight", "`ok` or `conflict`", &take_in_flight},
    {.name = "failed_when",
     .expects = "a map, like { json: /status, equals: failed }",
     .members = kFailedWhen,
     .begin = &begin_failed_when},
    {"fail_mode", "`closed` or `open`", &take_guard_fail_mode},
    {"null_fields",
     "a list of different names, like [leadId, contactId], without `success`, `duplicateOnly`, "
     "`duplicateMessage` and `message`",
     &take_null_fields},
    {"duplicate_message", "a text of at most 1000 bytes, in which `{age}` is the time since then",
     &take_duplicate_message},
    {"in_flight_message",
     "a text of at most 1000 bytes without `{age}`: the first request has no age yet",
     &take_in_flight_message},
};

void begin_guard(ReadRoute& read) {
    read.route.guard.emplace();
    read.checked.window = read.route.guard->window;
}

}  // namespace semel
