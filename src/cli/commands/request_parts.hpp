// Parts of request bodies, as options give them.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "core/json_writer.hpp"

namespace semel::cli {

// JSON as given, from @FILE, or from the standard input as "-"; checked here, sent as it is.
[[nodiscard]] Result<std::string> json_argument(const std::string& option,
                                                const std::string& argument);

// Each writes nothing where the option was not given.
[[nodiscard]] Result<void> write_json(JsonWriter& body, std::string_view member,
                                      const std::string& option, const std::string& argument);
[[nodiscard]] Result<void> write_millis(JsonWriter& body, std::string_view member,
                                        const std::string& option, const std::string& duration);
void write_text(JsonWriter& body, std::string_view member, const std::string& text);

}  // namespace semel::cli
