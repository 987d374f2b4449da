// once: an effect that happens once, whoever asks for it, wherever and how often.
//
//   const auto charged = engine.once("invoice-17", [&](const semel::OnceWork& work) {
//       const Charge charge = bank.charge(card, work.token);
//       return semel::OnceEffect{.effect_id = charge.id, .receipt = charge.to_json()};
//   });
//   if (!charged) return complain(charged.error().message());  // of the store: nothing ran here
//   if (const auto* effect = charged->sealed()) show(effect->receipt);
//
// It is a fence that is claimed, done and sealed: see docs/guides/fences.md.
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
    std::string key;  // what must happen once
    // JSON: the same key with other content is a conflict. Absent: nothing is compared.
    std::optional<std::string> content = {};
    FenceClass fence_class = FenceClass::api;
    std::optional<Millis> lease = {};        // kept while the effect runs; absent: the class's
    std::optional<Millis> ttl = {};          // how long the receipt is remembered, in whole seconds
    Millis wait = std::chrono::seconds(30);  // for an owner elsewhere that is at work
    std::string tenant = "default";
};

// What an effect that may run is given.
struct OnceWork {
    std::string key;
    std::int64_t token = 0;    // hand it to whatever you call, so that it can refuse an older one
    bool is_takeover = false;  // an owner before it was lost: look whether its effect happened
    // Asked for when somebody else owns the key by now, or the engine stops and waits no longer.
    // Stop callbacks run on the engine's thread: they must not block, nor call the engine.
    std::stop_token stop;
};

// What it leaves behind.
struct OnceEffect {
    std::string effect_id;         // 1 to 255 bytes, as you call it
    std::string receipt = "null";  // JSON
};

struct SealedEffect {
    std::string effect_id;
    std::string receipt;  // the same bytes for everyone
    Time sealed_at;
    Time expires_at;
};

// Whether the effect ran in this call.
struct RanHere : SealedEffect {};
struct RanBefore : SealedEffect {};

// It ran in this call, and nobody else will be told so: the next one may run it again, as a
// takeover, once the lease is over.
struct RanUnsealed {
    OnceEffect effect;  // what it left behind
    // `stale_token`: the lease was lost while it ran, and somebody else owns the key.
    // `store_unavailable`: the store was away for too long, or the engine stopped. The seal may
    // have been stored all the same: ask again to find out.
    Problem why;
};

class OnceAnswer {
public:
    using Outcome = std::variant<RanHere, RanBefore, RanUnsealed, Problem>;

    OnceAnswer(Outcome outcome) : outcome_(std::move(outcome)) {}

    [[nodiscard]] const Outcome& outcome() const { return outcome_; }
    // Sealed or not.
    [[nodiscard]] bool ran_here() const {
        return std::holds_alternative<RanHere>(outcome_) ||
               std::holds_alternative<RanUnsealed>(outcome_);
    }
    // Null: refused, or it ran here and could not be sealed.
    [[nodiscard]] const SealedEffect* sealed() const {
        if (const auto* here = std::get_if<RanHere>(&outcome_)) return here;
        return std::get_if<RanBefore>(&outcome_);
    }
    // Null: sealed. Where it did not run here: `conflict`, `uncertain`, `in_progress`, or what is
    // wrong with the request.
    [[nodiscard]] const Problem* problem() const {
        if (const auto* unsealed = std::get_if<RanUnsealed>(&outcome_)) return &unsealed->why;
        return std::get_if<Problem>(&outcome_);
    }

private:
    Outcome outcome_;
};

// Thrown by an effect that has certainly not happened: the key is free for the next one. Whatever
// else it throws leaves the key uncertain, until somebody resolves it. Either is told to the store,
// for up to 30 s if need be; where that fails, or the engine stopped, the key stays with its lease,
// and the next one takes over when that has run out.
class Temporary : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

using OnceFunction = std::function<OnceEffect(const OnceWork&)>;

}  // namespace semel
