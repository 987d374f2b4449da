// Engine::once: claim, effect, seal.
#include "runtime/once.hpp"

#include <future>
#include <thread>

#include "core/fence.hpp"
#include "core/fence_request.hpp"
#include "core/json.hpp"
#include "core/limits.hpp"
#include "core/names.hpp"
#include "runtime/requests.hpp"

namespace semel {
namespace {

// A call that ends a hold must not be lost by a moment of trouble: it can be repeated, because its
// token says what is meant.
constexpr int kTriesMax = 6;
constexpr Millis kFirstPause = Millis(100);  // then twice as long each time

Result<Reply<CallFence>> call_until_answered(Host& host, const CallFence& command) {
    Millis pause = kFirstPause;
    for (int tries = 1;; ++tries) {
        auto reply = host.execute(command);
        const bool is_final = reply || reply.error().code() == ErrorCode::stopped ||
                              reply.error().code() == ErrorCode::refused;
        if (is_final || tries == kTriesMax) {
            return reply;
        }
        std::this_thread::sleep_for(pause);
        pause *= 2;
    }
}

// What the owner of a claim does with it.
class EffectOwner {
public:
    EffectOwner(Host& host, const Claim& claim) : host_(host), claim_(claim) {
        HeldFence fence{claim.tenant, claim.id, claim.token, claim.effect->lease};
        host_.node().post([&node = host.node(), fence = std::move(fence), hold = hold_,
                           lost = lost_]() mutable {
            *hold = node.hold_fence(std::move(fence), [lost]() mutable { lost.request_stop(); });
        });
    }
    ~EffectOwner() {
        host_.node().post([&node = host_.node(), hold = hold_] { node.end_hold(*hold); });
    }
    EffectOwner(const EffectOwner&) = delete;
    EffectOwner& operator=(const EffectOwner&) = delete;

    [[nodiscard]] std::stop_token lost() const { return lost_.get_token(); }

    Result<Reply<CallFence>> seal(OnceEffect effect) {
        FenceCall call = begin(FenceVerb::seal);
        call.effect_id = std::move(effect.effect_id);
        if (effect.receipt != "null") {
            call.receipt = std::move(effect.receipt);
        }
        return call_until_answered(host_, {claim_.tenant, std::move(call)});
    }
    // What the caller is told is why. A call that fails leaves the key to its lease.
    void release() {
        static_cast<void>(call_until_answered(host_, {claim_.tenant, begin(FenceVerb::release)}));
    }
    void give_up(const std::string& reason) {
        FenceCall call = begin(FenceVerb::uncertain);
        call.reason = reason.substr(0, kErrorBytesMax);
        static_cast<void>(call_until_answered(host_, {claim_.tenant, std::move(call)}));
    }

private:
    [[nodiscard]] FenceCall begin(FenceVerb verb) const {
        return {.claim = claim_.id, .token = claim_.token, .verb = verb};
    }

    Host& host_;
    const Claim& claim_;
    std::stop_source lost_;
    std::shared_ptr<FenceHolds::HoldId> hold_ = std::make_shared<FenceHolds::HoldId>(0);
};

void check(const OnceEffect& effect) {
    if (!is_name(effect.effect_id)) {
        throw std::invalid_argument(
            "an effect's id has 1 to 255 bytes of UTF-8, none of them a control character");
    }
    if (effect.receipt.size() > kOutputBytesMax) {
        throw std::invalid_argument("the receipt is larger than 1 MiB");
    }
    if (!json::Document::parse(effect.receipt)) {
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
    } catch (const temporary&) {
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

Result<OnceAnswer> run_and_seal(Host& host, const FenceAnswer& answer, const std::string& key,
                                const OnceFunction& effect) {
    EffectOwner owner(host, *answer.claim);
    const OnceWork work{.key = key,
                        .token = to_int(answer.claim->token),
                        .is_takeover = answer.takeover,
                        .stop = owner.lost()};
    SEMEL_TRY(reply, owner.seal(run(effect, work, owner)));
    if (auto* problem = std::get_if<Problem>(&reply)) {
        return OnceAnswer(std::move(*problem));
    }
    return OnceAnswer(sealed<RanHere>(std::get<Claim>(reply)));
}

}  // namespace

Result<OnceAnswer> once(Host& host, const OnceSpec& spec, const OnceFunction& effect) {
    auto request = to_request(spec, host.node().settings());
    if (auto* problem = std::get_if<Problem>(&request)) {
        return OnceAnswer(std::move(*problem));
    }
    SEMEL_TRY(item, host.claim_fence({spec.tenant, std::get<FenceRequest>(std::move(request))}));
    if (auto* problem = std::get_if<Problem>(&item)) {
        return OnceAnswer(std::move(*problem));
    }
    const auto& answer = std::get<FenceAnswer>(item);
    if (answer.decision == Decision::new_) {
        return run_and_seal(host, answer, spec.key, effect);
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
    host.store().reads().get_claim(tenant, fence_key(tenant, key).claim, [&answered](auto found) {
        answered.set_value(std::move(found));
    });
    SEMEL_TRY(found, answer.get());
    const auto claim = found ? as_of(*found, host.store().now()) : std::nullopt;
    if (!claim || !claim->effect || claim->state != ClaimState::sealed) {
        return std::optional<SealedEffect>();
    }
    return std::optional(sealed<SealedEffect>(*claim));
}

}  // namespace semel
