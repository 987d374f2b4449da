// once: an effect that happens once per key, on all nodes of a store.
//
//   const auto charged = engine.once("invoice-17", [&](const semel::OnceWork& work) {
//       const Charge charge = bank.charge(card, work.token);
//       return semel::OnceEffect{.effect_id = charge.id, .receipt = charge.to_json()};
//   });
//   if (!charged) return complain(charged.error().message());  // the effect did not run here
//   if (const auto* effect = charged->sealed()) show(effect->receipt);
//
// Engine::once claims a fence, runs the effect and seals the fence: see docs/guides/fences.md.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <variant>

#include <semel/problem.hpp>
#include <semel/time.hpp>
#include <semel/words.hpp>

namespace semel {

struct OnceSpec {
    // The key, per tenant: 1 to 255 bytes of UTF-8 without control characters. It names the effect,
    // like `invoice-17`. A time or a random value in it would make each repeat another effect.
    std::string key;
    // JSON that describes the effect. The same key with other content is refused with `conflict`.
    // Absent: nothing is compared.
    std::optional<std::string> content = {};
    FenceClass fence_class = FenceClass::api;
    // Time after which another caller replaces an owner that was lost: 100 ms to 24 h. The engine
    // renews the lease while the effect runs. Absent: the lease of the class.
    std::optional<Millis> lease = {};
    // Time for which the receipt is remembered: 1 s to 100 years, cut to whole seconds. Absent: the
    // time of the class.
    std::optional<Millis> ttl = {};
    // Time to wait for an owner that is at work. 0: do not wait.
    Millis wait = std::chrono::seconds(30);
    std::string tenant = "default";
};

// The claim under which the effect runs.
struct OnceWork {
    std::string key;
    // Fencing token: each owner of the key has a larger one. Pass it to the services that you call,
    // so that they can refuse a late call of an older owner.
    std::int64_t token = 0;
    // Whether an earlier owner was lost. Find out first whether its effect happened.
    bool is_takeover = false;
    // The engine requests this stop when another caller owns the key, or when the grace of
    // Engine::stop() is over. Stop callbacks run on the engine's thread: they must not block, nor
    // call the engine.
    std::stop_token stop;
};

// The result of an effect.
struct OnceEffect {
    // Your name for the effect: 1 to 255 bytes of UTF-8 without control characters.
    std::string effect_id;
    // JSON, at most 1 MiB. Every caller receives these bytes.
    std::string receipt = "null";
};

// A sealed effect. Every call with the same key and content receives it until `expires_at`, unless
// an operator frees the key.
struct SealedEffect {
    std::string effect_id;
    std::string receipt;
    Time sealed_at;
    Time expires_at;
};

// The effect ran in this call and is sealed.
struct RanHere : SealedEffect {};
// The effect was sealed before this call, or while it waited.
struct RanBefore : SealedEffect {};

// The effect ran in this call, but is not known to be sealed. A later call can run it again, as a
// takeover after the end of the lease.
struct RanUnsealed {
    // The result of the effect: undo the effect, or note the result elsewhere.
    OnceEffect effect;
    // `stale_token`: while the effect ran, another caller took over after the lease, or an operator
    // resolved or freed the key.
    // `store_unavailable`: the store failed for 30 s, or the engine stopped. The seal might be
    // stored: call again to find out.
    Problem why;
};

// The answer of Engine::once.
//
// Example: if (const auto* effect = answer.sealed()) show(effect->receipt);
//          else log(answer.problem()->detail);
class OnceAnswer {
public:
    using Outcome = std::variant<RanHere, RanBefore, RanUnsealed, Problem>;

    OnceAnswer(Outcome outcome) : outcome_(std::move(outcome)) {}

    // A Problem here means: refused, and the effect did not run in this call. Its code is
    // `conflict`, `uncertain`, `in_progress` if the owner did not finish within OnceSpec::wait, or
    // `invalid` for a request that breaks a limit.
    [[nodiscard]] const Outcome& outcome() const { return outcome_; }
    // Whether the effect ran in this call, sealed or not.
    [[nodiscard]] bool ran_here() const {
        return std::holds_alternative<RanHere>(outcome_) ||
               std::holds_alternative<RanUnsealed>(outcome_);
    }
    // The sealed effect. Null for a refused call and for RanUnsealed. Lives as long as this answer.
    [[nodiscard]] const SealedEffect* sealed() const {
        if (const auto* here = std::get_if<RanHere>(&outcome_)) return here;
        return std::get_if<RanBefore>(&outcome_);
    }
    // Why there is no sealed effect. Null if there is one. Lives as long as this answer.
    [[nodiscard]] const Problem* problem() const {
        if (const auto* unsealed = std::get_if<RanUnsealed>(&outcome_)) return &unsealed->why;
        return std::get_if<Problem>(&outcome_);
    }

private:
    Outcome outcome_;
};

// An effect throws this if it has certainly not happened: the key becomes free for the next caller.
// After any other exception the key is uncertain: calls are refused until an operator resolves it.
//
// The engine tries for up to 30 s to store that. If it cannot, or is stopped, the key keeps its
// lease, and the next caller after the lease is a takeover.
class Temporary : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// Performs the effect. Runs on the thread that called Engine::once, at most once per call.
using OnceFunction = std::function<OnceEffect(const OnceWork&)>;

}  // namespace semel
