#include "cli/commands/request_parts.hpp"

#include "config/durations.hpp"
#include "config/files.hpp"
#include "core/json/json.hpp"

namespace semel::cli {
namespace {

constexpr std::size_t kJsonBytesMax = 1024 * 1024;  // what the API takes as a body

}  // namespace

Result<std::string> json_argument(const std::string& option, const std::string& argument) {
    std::string text = argument;
    if (argument == "-" || argument.starts_with("@")) {
        SEMEL_TRY(read, read_file(argument == "-" ? argument : argument.substr(1), kJsonBytesMax));
        text = std::move(read);
    }
    // The server decides which numbers it accepts: fences accept any.
    const auto parsed = json::Document::parse(text, json::kAnyNumbers);
    if (!parsed) {
        return Error(ErrorCode::invalid,
                     option + " must be JSON: " + parsed.error().message +
                         " (a string needs its quotes: '\"text\"'; a file is @FILE)");
    }
    return std::string(parsed->root().raw());
}

Result<void> write_json(JsonWriter& body, std::string_view member, const std::string& option,
                        const std::string& argument) {
    if (argument.empty()) {
        return {};
    }
    SEMEL_TRY(json, json_argument(option, argument));
    body.member_raw(member, json);
    return {};
}

Result<void> write_millis(JsonWriter& body, std::string_view member, const std::string& option,
                          const std::string& duration) {
    if (duration.empty()) {
        return {};
    }
    const auto parsed = parse_duration(duration);
    if (!parsed) {
        return parsed.error().prefixed(option);
    }
    body.member(member, parsed->count());
    return {};
}

void write_text(JsonWriter& body, std::string_view member, const std::string& text) {
    if (!text.empty()) {
        body.member(member, text);
    }
}

}  // namespace semel::cli
