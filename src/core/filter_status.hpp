// The `status` of a filter, wherever it is written.
#pragma once

#include <optional>
#include <string_view>

#include "core/words.hpp"

namespace semel {

// `refuse` gets what follows "`status` " in the sentence that turns the word away.
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
