// read_filter_status: reads the `status` of a filter, in JSON bodies and in query strings. Pure.
// Threads: any.
#pragma once

#include <optional>
#include <string_view>

#include "core/words.hpp"

namespace semel {

// Returns the status. For an unknown word it returns nullopt and calls `refuse` with the rest of
// the error text, which begins with "`status` ".
template <typename Refuse>
[[nodiscard]] std::optional<Status> read_filter_status(std::string_view word,
                                                       const Refuse& refuse) {
    const auto status = parse_status(word);
    if (!status) {
        refuse(
            "must be blocked, pending, running, completed, failed, cancelled, superseded or "
            "uncertain");
    }
    return status;
}

}  // namespace semel
