#include "base/result.hpp"

namespace semel {

const char* to_string(ErrorCode code) {
    switch (code) {
        case ErrorCode::invalid: return "invalid";
        case ErrorCode::not_found: return "not_found";
        case ErrorCode::refused: return "refused";
        case ErrorCode::busy: return "busy";
        case ErrorCode::overloaded: return "overloaded";
        case ErrorCode::timeout: return "timeout";
        case ErrorCode::unavailable: return "unavailable";
        case ErrorCode::io_error: return "io_error";
        case ErrorCode::corrupt: return "corrupt";
        case ErrorCode::damaged_row: return "damaged_row";
        case ErrorCode::commit_unknown: return "commit_unknown";
        case ErrorCode::stopped: return "stopped";
    }
    return "unknown";
}

void no_value_in_result() {
    assertion_failed("Result::has_value()", __FILE__, __LINE__);
}

void no_error_in_result() {
    assertion_failed("!Result::has_value()", __FILE__, __LINE__);
}

}  // namespace semel
