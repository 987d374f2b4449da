#include "core/words.hpp"

#include <array>

namespace semel {
namespace {

template <typename E>
std::optional<E> parse_word(std::string_view text, std::initializer_list<E> values) {
    for (const E value : values) {
        if (to_string(value) == text) {
            return value;
        }
    }
    return std::nullopt;
}

}  // namespace

std::string_view to_string(Decision value) {
    switch (value) {
        case Decision::new_: return "new";
        case Decision::duplicate: return "duplicate";
        case Decision::in_flight: return "in_flight";
        case Decision::conflict: return "conflict";
        case Decision::stale: return "stale";
        case Decision::takeover: return "takeover";
        case Decision::resolved: return "resolved";
        case Decision::uncertain: return "uncertain";
        case Decision::near_miss: return "near_miss";
    }
    return "";
}

std::string_view to_string(FenceClass value) {
    switch (value) {
        case FenceClass::webhook: return "webhook";
        case FenceClass::api: return "api";
        case FenceClass::batch: return "batch";
    }
    return "";
}

std::string_view to_string(Status value) {
    switch (value) {
        case Status::blocked: return "blocked";
        case Status::pending: return "pending";
        case Status::running: return "running";
        case Status::completed: return "completed";
        case Status::failed: return "failed";
        case Status::cancelled: return "cancelled";
        case Status::superseded: return "superseded";
        case Status::uncertain: return "uncertain";
    }
    return "";
}

std::string_view to_string(Verb value) {
    switch (value) {
        case Verb::complete: return "complete";
        case Verb::fail: return "fail";
        case Verb::heartbeat: return "heartbeat";
        case Verb::release: return "release";
    }
    return "";
}

std::string_view to_string(ClaimState value) {
    switch (value) {
        case ClaimState::owned: return "owned";
        case ClaimState::sealed: return "sealed";
        case ClaimState::uncertain: return "uncertain";
        case ClaimState::free: return "free";
    }
    return "";
}

std::string_view to_string(FenceVerb value) {
    switch (value) {
        case FenceVerb::seal: return "seal";
        case FenceVerb::release: return "release";
        case FenceVerb::heartbeat: return "heartbeat";
        case FenceVerb::uncertain: return "uncertain";
        case FenceVerb::resolve: return "resolve";
    }
    return "";
}

std::string_view to_string(ClaimOutcome value) {
    switch (value) {
        case ClaimOutcome::sealed: return "sealed";
        case ClaimOutcome::released: return "released";
    }
    return "";
}

std::string_view to_string(AttemptEnd value) {
    switch (value) {
        case AttemptEnd::completed: return "completed";
        case AttemptEnd::failed: return "failed";
        case AttemptEnd::timeout: return "timeout";
        case AttemptEnd::lost: return "lost";
        case AttemptEnd::released: return "released";
        case AttemptEnd::cancelled: return "cancelled";
    }
    return "";
}

std::string_view to_string(Operation value) {
    switch (value) {
        case Operation::run_now: return "run";
        case Operation::retry: return "retry";
        case Operation::cancel: return "cancel";
    }
    return "";
}

std::string_view to_string(Resolution value) {
    switch (value) {
        case Resolution::completed: return "completed";
        case Resolution::failed: return "failed";
        case Resolution::retry: return "retry";
    }
    return "";
}

std::string_view to_string(Scope value) {
    switch (value) {
        case Scope::pending: return "pending";
        case Scope::incomplete: return "incomplete";
        case Scope::any: return "any";
    }
    return "";
}

std::string_view to_string(OnDuplicate value) {
    switch (value) {
        case OnDuplicate::replace: return "replace";
        case OnDuplicate::keep: return "keep";
        case OnDuplicate::reject: return "reject";
        case OnDuplicate::debounce: return "debounce";
    }
    return "";
}

std::string_view to_string(OnBlockerFailed value) {
    switch (value) {
        case OnBlockerFailed::fail: return "fail";
        case OnBlockerFailed::wait: return "wait";
    }
    return "";
}

std::string_view to_string(RecurrenceType value) {
    switch (value) {
        case RecurrenceType::fixed: return "fixed";
        case RecurrenceType::rolling: return "rolling";
    }
    return "";
}

std::string_view to_string(Missed value) {
    switch (value) {
        case Missed::latest: return "latest";
        case Missed::skip: return "skip";
        case Missed::all: return "all";
    }
    return "";
}

std::optional<Status> parse_status(std::string_view text) {
    return parse_word(
        text, {Status::blocked, Status::pending, Status::running, Status::completed, Status::failed,
               Status::cancelled, Status::superseded, Status::uncertain});
}

std::optional<Verb> parse_verb(std::string_view text) {
    return parse_word(text, {Verb::complete, Verb::fail, Verb::heartbeat, Verb::release});
}

std::optional<FenceClass> parse_fence_class(std::string_view text) {
    return parse_word(text, {FenceClass::webhook, FenceClass::api, FenceClass::batch});
}

std::optional<ClaimOutcome> parse_claim_outcome(std::string_view text) {
    return parse_word(text, {ClaimOutcome::sealed, ClaimOutcome::released});
}

std::optional<Operation> parse_operation(std::string_view text) {
    return parse_word(text, {Operation::run_now, Operation::retry, Operation::cancel});
}

std::optional<Resolution> parse_resolution(std::string_view text) {
    return parse_word(text, {Resolution::completed, Resolution::failed, Resolution::retry});
}

std::optional<Scope> parse_scope(std::string_view text) {
    return parse_word(text, {Scope::pending, Scope::incomplete, Scope::any});
}

std::optional<OnDuplicate> parse_on_duplicate(std::string_view text) {
    return parse_word(text, {OnDuplicate::replace, OnDuplicate::keep, OnDuplicate::reject,
                             OnDuplicate::debounce});
}

std::optional<OnBlockerFailed> parse_on_blocker_failed(std::string_view text) {
    return parse_word(text, {OnBlockerFailed::fail, OnBlockerFailed::wait});
}

std::optional<RecurrenceType> parse_recurrence_type(std::string_view text) {
    return parse_word(text, {RecurrenceType::fixed, RecurrenceType::rolling});
}

std::optional<Missed> parse_missed(std::string_view text) {
    return parse_word(text, {Missed::latest, Missed::skip, Missed::all});
}

}  // namespace semel
