#include "api/problem_json.hpp"

namespace semel {
namespace {

constexpr Millis kRetryAfter = std::chrono::seconds(1);

std::string_view explain_unknown(Repeat repeat) {
    switch (repeat) {
        case Repeat::with_key:
            return "the store did not say whether this was done; repeat it with the same "
                   "Idempotency-Key, or look before you repeat it";
        case Repeat::as_it_is:
            return "the store did not say whether this was done; repeat it as it is: what was done "
                   "is not done again";
        case Repeat::after_a_query:
            return "the store did not say whether this was done; look before you repeat it";
        case Repeat::claim:
            return "the store did not say whether this was done; repeat it as it is. What it may "
                   "have claimed is nobody's, and can be had when that lease has ended";
    }
    return "";
}

std::string_view explain(ErrorCode code, Repeat repeat) {
    switch (code) {
        case ErrorCode::overloaded:
            return "more requests are waiting than can be served; slow down and repeat it";
        case ErrorCode::commit_unknown: return explain_unknown(repeat);
        case ErrorCode::stopped: return "the server is stopping; nothing was changed, repeat it";
        case ErrorCode::busy:
            return "somebody's open transaction holds a row that this needs, and did so until it "
                   "was given up; nothing was changed, repeat it when that transaction has ended";
        case ErrorCode::invalid:
        case ErrorCode::not_found:
        case ErrorCode::refused:
        case ErrorCode::unavailable:
        case ErrorCode::io_error:
            return "the store failed and nothing was changed; repeat it, and see /readyz and the "
                   "server's log";
        case ErrorCode::timeout:
            return "the store did not answer in time and nothing was changed; repeat it, and see "
                   "/readyz and the server's log";
        case ErrorCode::damaged_row: return "a row of the store is damaged and nothing was changed";
        case ErrorCode::corrupt:
            return "the store is damaged and nothing was changed; a repeat does not help before a "
                   "backup is restored, see /readyz and the server's log";
    }
    return "";
}

}  // namespace

Problem to_problem(const Error& error, Repeat repeat) {
    const bool overloaded = error.code() == ErrorCode::overloaded;
    const bool is_row = error.code() == ErrorCode::damaged_row;
    const bool is_damaged = is_row || error.code() == ErrorCode::corrupt;
    // The caller that named a damaged row receives its fault.
    return {.code = overloaded ? ProblemCode::overloaded : ProblemCode::store_unavailable,
            .detail = is_row ? error.message() : std::string(explain(error.code(), repeat)),
            .retry_after = is_damaged ? std::nullopt : std::optional(kRetryAfter)};
}

}  // namespace semel
