#include "core/actions/work_options.hpp"

#include <algorithm>

#include "core/limits.hpp"

namespace semel {

WorkOptions read_work_options(MemberReader& reader) {
    WorkOptions options;
    options.lock_group = reader.name("lockGroup");
    if (const auto retries = reader.integer("maxRetries", 0, kMaxRetriesMax)) {
        options.max_retries = static_cast<int>(std::max<std::int64_t>(*retries, 1));
    }
    if (const auto backoff = reader.object("backoff")) {
        auto parsed = Backoff::from_json(*backoff, reader.pointer_to("backoff"));
        if (auto* problem = std::get_if<Problem>(&parsed)) {
            reader.fail(std::move(*problem));
        } else {
            options.backoff = std::get<Backoff>(parsed);
        }
    }
    options.timeout = reader.milliseconds("timeoutMs", Millis(1), kTimeoutMax);
    if (const auto priority = reader.integer("priority", -kPriorityMax, kPriorityMax)) {
        options.priority = static_cast<int>(*priority);
    }
    return options;
}

}  // namespace semel
