// What a seed's clients do with fences, as plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.hpp"
#include "core/words.hpp"

namespace semel::sim {

struct Plan;

// Something that must happen once: a key, or a version of a source.
struct FenceKeyPlan {
    std::string tenant;
    std::string key;  // empty: it is made of the rest
    std::string source_id;
    std::string revision;
    std::optional<std::int64_t> version;
};

// How an owner's work ends; one that is lost says nothing any more.
enum class FenceEnd { seal, release, uncertain, lost };
[[nodiscard]] std::string_view to_string(FenceEnd end);

struct FenceWork {
    Millis takes{0};
    std::optional<Millis> beats_every;
    std::optional<Millis> beat_lease;  // said with each heartbeat
    FenceEnd end = FenceEnd::seal;
    bool has_receipt = true;
    int repeats = 0;           // of its last word, heard or not
    bool contradicts = false;  // and then says something else
    bool changes_verb = false;
};

struct FenceClaimPlan {
    int number = 0;  // stands in the effect's id, and nowhere twice
    Millis at{0};
    FenceKeyPlan key;
    std::optional<int> content;  // which one
    int spelling = 0;            // two of it, and its fingerprint
    FenceClass fence_class = FenceClass::api;
    Millis lease{0};
    int ttl_seconds = 1;
    Millis wait{0};
    std::optional<Millis> hangs_up;  // so soon, while it waits
    int asks = 1;                    // at most, while it is in flight or unanswered
    FenceWork work;

    [[nodiscard]] std::string to_json() const;
};

enum class FenceVisit { resolve_sealed, resolve_released, remove, get };
[[nodiscard]] std::string_view to_string(FenceVisit visit);

// What an operator does.
struct FenceVisitPlan {
    int number = 0;
    Millis at{0};
    FenceKeyPlan key;
    FenceVisit what = FenceVisit::get;
    int sends = 1;
    bool contradicts = false;  // the last of them says something else
    bool foreign = false;      // by the other tenant
};

struct FencePlan {
    std::vector<FenceClaimPlan> claims;
    std::vector<FenceVisitPlan> visits;
};

[[nodiscard]] std::string to_text(const FencePlan& plan);

// Adds them to a plan. Their dice are their own, as those of chains.
void plan_fences(Plan& plan);
// receipt_plan.cpp: adds repeats of what is sealed to some of the plans that have no fences.
void plan_receipts(Plan& plan);

}  // namespace semel::sim
