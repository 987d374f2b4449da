// once: an effect that happens once, whoever asks for it, wherever and how often.
//
//   const auto charged = engine.once("invoice-17", [&](const semel::OnceWork& work) {
//       const Charge charge = bank.charge(card, work.token);
//       return semel::OnceEffect{.effect_id = charge.id, .receipt = charge.to_json()};
//   });
//   if (!charged) return complain(charged.error().message());  // of the store
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
    // Asked for when somebody else owns the key by now. Stop callbacks run on the engine's thread:
    // they must not block, nor call the engine.
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

class OnceAnswer {
public:
    using Outcome = std::variant<RanHere, RanBefore, Problem>;

    OnceAnswer(Outcome outcome) : outcome_(std::move(outcome)) {}

    [[nodiscard]] const Outcome& outcome() const { return outcome_; }
    [[nodiscard]] bool ran_here() const { return std::holds_alternative<RanHere>(outcome_); }
    // Null: refused.
    [[nodiscard]] const SealedEffect* sealed() const {
        if (const auto* here = std::get_if<RanHere>(&outcome_)) return here;
        return std::get_if<RanBefore>(&outcome_);
    }
    // `conflict`, `uncertain`, `in_progress`, or, if it did run and somebody took over,
    // `stale_token`. Null: sealed.
    [[nodiscard]] const Problem* problem() const { return std::get_if<Problem>(&outcome_); }

private:
    Outcome outcome_;
};

// Thrown by an effect that has certainly not happened: the key is free for the next one. Whatever
// else it throws leaves the key uncertain, until somebody resolves it.
class temporary : public std::runtime_error {  // NOLINT(readability-identifier-naming)
public:
    using std::runtime_error::runtime_error;
};

using OnceFunction = std::function<OnceEffect(const OnceWork&)>;

}  // namespace semel
