// fill_age: replaces `{age}` in the message that shows a client when the same request was sent
// before.
//
// Pure. Threads: any.
#pragma once

#include <string>
#include <string_view>

#include "base/time.hpp"

namespace semel {

// Returns the text with each `{age}` replaced by words: "less than a second", "1 second",
// "5 minutes", "2 hours". Ages are rounded down. A negative age counts as zero.
[[nodiscard]] std::string fill_age(std::string_view text, Millis age);

}  // namespace semel
