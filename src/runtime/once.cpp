// Engine::once: claim, effect, seal.
#include "runtime/once.hpp"

#include <future>

#include "core/fences/fence.hpp"
#include "core/fences/fence_request.hpp"
#include "core/json/json.hpp"
#include "core/limits.hpp"
#include "core/names.hpp"
#include "runtime/requests.hpp"

namespace semel {
namespace {

// The owner of a claim, which makes its last call once.
class EffectOwner {
public:
    EffectOwner(Host& host, FenceHolds::HoldId hold) : host_(host), hold_(hold) {}

    Result<Reply<CallFence>> seal(const OnceEffect& effect) {
        FenceCall call{.verb = FenceVerb::seal, .effect_id = effect.effect_id};
        if (effect.receipt != "null") {
            call.receipt = effect.receipt;
        }
        return host_.end_hold(hold_, std::move(call));
    }
    // Errors of these calls are ignored: the caller receives the first error, and the lease ends.
    void release() { static_cast<void>(host_.end_hold(hold_, {.verb = FenceVerb::release})); }
    void give_up(const std::string& reason) {
        FenceCall call{.verb = FenceVerb::uncertain};
        call.reason = reason.substr(0, kErrorBytesMax);
        static_cast<void>(host_.end_hold(hold_, std::move(call)));
    }

private:
    Host& host_;
    const FenceHolds::HoldId hold_;
};

void check(const OnceEffect& effect) {
    if (!is_name(effect.effect_id)) {
        throw std::invalid_argument(
            "an effect's id has 1 to 255 bytes of UTF-8, none of them a control character");
    }
    if (effect.receipt.size() > kOutputBytesMax) {
        throw std::invalid_argument("the receipt is larger than 1 MiB");
    }
    if (!json::Document::parse(effect.receipt, json::kAnyNumbers)) {
        throw std::invalid_argument("the receipt is not JSON");
    }
}

template <typename Ran>
Ran sealed(const Claim& claim) {
    Ran ran;
    ran.effect_id = claim.effect->id;
    ran.receipt = claim.receipt ? claim.receipt->body : "null";
    ran.sealed_at = *claim.effect->sealed_at;
    ran.expires_at = *claim.expires_at;
    return ran;
}

OnceEffect run(const OnceFunction& effect, const OnceWork& work, EffectOwner& owner) {
    try {
        OnceEffect done = effect(work);
        check(done);
        return done;
    } catch (const Temporary&) {
        owner.release();
        throw;
    } catch (const std::exception& failure) {
        owner.give_up(failure.what());
        throw;
    } catch (...) {
        owner.give_up("the effect threw something that is no std::exception");
        throw;
    }
}

// Returns the problem for an effect whose seal is unknown.
Problem unsealed(const Error& error) {
    return {.code = ProblemCode::store_unavailable,
            .detail = "the effect has run, but it is not known to be sealed: " + error.message()};
}

OnceAnswer run_and_seal(const OnceFunction& effect, const OnceWork& work, EffectOwner owner) {
    OnceEffect done = run(effect, work, owner);
    auto reply = owner.seal(done);
    if (!reply) {
        return OnceAnswer(RanUnsealed{std::move(done), unsealed(reply.error())});
    }
    if (auto* problem = std::get_if<Problem>(&*reply)) {
        return OnceAnswer(RanUnsealed{std::move(done), std::move(*problem)});
    }
    return OnceAnswer(sealed<RanHere>(std::get<Claim>(*reply)));
}

}  // namespace

Result<OnceAnswer> once(Host& host, const OnceSpec& spec, const OnceFunction& effect) {
    auto request = to_request(spec, host.node().settings());
    if (auto* problem = std::get_if<Problem>(&request)) {
        return OnceAnswer(std::move(*problem));
    }
    ClaimFence command{spec.tenant, std::get<FenceRequest>(std::move(request))};
    if (const auto claim = host.find_receipt(command)) {
        return OnceAnswer(sealed<RanBefore>(*claim));
    }
    std::stop_source lost;
    SEMEL_TRY(held,
              host.claim_and_hold(std::move(command), [lost]() mutable { lost.request_stop(); }));
    if (auto* problem = std::get_if<Problem>(&held.answer)) {
        return OnceAnswer(std::move(*problem));
    }
    const auto& answer = std::get<FenceAnswer>(held.answer);
    if (answer.decision == Decision::new_) {
        return run_and_seal(effect,
                            {.key = spec.key,
                             .token = to_int(answer.claim->token),
                             .is_takeover = answer.takeover,
                             .stop = lost.get_token()},
                            EffectOwner(host, held.hold));
    }
    if (answer.decision == Decision::duplicate) {
        return OnceAnswer(sealed<RanBefore>(*answer.claim));
    }
    return OnceAnswer(Problem{.code = ProblemCode::in_progress,
                              .detail = "somebody else is at work under this key, and was not done "
                                        "in time; ask again",
                              .retry_after = answer.retry_after});
}

Result<std::optional<SealedEffect>> sealed_effect(Host& host, const std::string& key,
                                                  const std::string& tenant) {
    if (!is_name(key)) {
        return std::optional<SealedEffect>();
    }
    std::promise<Result<std::optional<Claim>>> answered;
    auto answer = answered.get_future();
    host.fence_store().reads().get_claim(
        tenant, fence_key(tenant, key).claim,
        [&answered](auto found) { answered.set_value(std::move(found)); });
    SEMEL_TRY(found, answer.get());
    const auto claim = found ? as_of(*found, host.fence_store().now()) : std::nullopt;
    if (!claim || !claim->effect || claim->state != ClaimState::sealed) {
        return std::optional<SealedEffect>();
    }
    return std::optional(sealed<SealedEffect>(*claim));
}

}  // namespace semel
