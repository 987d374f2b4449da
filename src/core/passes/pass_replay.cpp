#include "core/passes/pass_replay.hpp"

#include <utility>

#include "core/keys/replay.hpp"
#include "core/passes/pass.hpp"
#include "core/passes/pass_trace.hpp"

namespace semel {
namespace {

bool is_asked(const std::optional<AskedClaim>& asked, const Claim& claim) {
    return asked && asked->claim == claim.id && asked->full_key == claim.full_key;
}

PassAnswer foreign(const Claim& guard) {
    Claim shown = guard;
    shown.effect->pass->answer.reset();
    return {.decision = Decision::duplicate,
            .guard = std::make_shared<const Claim>(std::move(shown)),
            .by_guard = true,
            .is_foreign = true};
}

}  // namespace

std::optional<PassAnswer> replay_pass(const AdmitPass& command,
                                      const std::shared_ptr<const Claim>& sealed, Time now) {
    const PassRequest& request = command.request;
    if (sealed->tenant != command.tenant || judge(*sealed, now) != PassState::sealed) {
        return std::nullopt;
    }
    if (is_asked(request.key, *sealed) && !has_other_content(request, *sealed)) {
        return PassAnswer{.decision = Decision::duplicate, .key = sealed};
    }
    if (request.key || !is_asked(request.guard, *sealed)) {
        return std::nullopt;
    }
    if (sealed->effect->pass->principal != request.principal) {
        return foreign(*sealed);
    }
    return PassAnswer{.decision = Decision::duplicate, .guard = sealed, .by_guard = true};
}

DecisionEntry replay_entry(const AdmitPass& command, const Claim& sealed, const PassAnswer& answer,
                           Time now) {
    return admission_entry(command, sealed, answer, answer.is_foreign ? "foreign" : kReplayRule,
                           now);
}

}  // namespace semel
