// Writes the values of command line options into a request body.
//
// Errors: a value has the wrong form, or its file cannot be read. Blocks while it reads a file or
// the standard input. Threads: any.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "core/json/json_writer.hpp"

namespace semel::cli {

// Returns the JSON of an argument: the argument itself, @FILE, or "-" for the standard input, up to
// 1 MiB. Checks that it is JSON and does not change it.
[[nodiscard]] Result<std::string> json_argument(const std::string& option,
                                                const std::string& argument);

// Append a member. An empty argument, which is an option that was not given, appends nothing.
[[nodiscard]] Result<void> write_json(JsonWriter& body, std::string_view member,
                                      const std::string& option, const std::string& argument);
[[nodiscard]] Result<void> write_millis(JsonWriter& body, std::string_view member,
                                        const std::string& option, const std::string& duration);
void write_text(JsonWriter& body, std::string_view member, const std::string& text);

}  // namespace semel::cli
