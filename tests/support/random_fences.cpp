#include "support/random_fences.hpp"

#include <fmt/format.h>

#include "core/keys/dedup_key.hpp"
#include "support/rows.hpp"

namespace semel::test {
namespace {

constexpr int kPlainKeys = 3;
constexpr int kSources = 2;
constexpr int kVersions = 2;
constexpr int kContents = 3;
constexpr std::size_t kRememberedFences = 12;

// The first are without a version; then each source's, one version after another.
constexpr int kFenceKeys = kPlainKeys + kSources * kVersions;

Key fence_key(const std::string& tenant, int number) {
    return make_key(tenant, "fences", {std::to_string(number)});
}

std::string source_id(int number) {
    return fmt::format("s{}", number);
}

}  // namespace

std::vector<ClaimId> RandomFences::claims(const std::string& tenant) {
    std::vector<ClaimId> ids;
    ids.reserve(kFenceKeys);
    for (int number = 0; number < kFenceKeys; ++number)
        ids.push_back(fence_key(tenant, number).claim);
    return ids;
}

std::vector<SourceKey> RandomFences::sources(const std::string& tenant) {
    std::vector<SourceKey> keys;
    keys.reserve(kSources);
    for (int number = 0; number < kSources; ++number) {
        keys.push_back({tenant, "source", source_id(number)});
    }
    return keys;
}

AnyCommand RandomFences::next(Dice& dice) {
    const int chance = dice.below(20);
    if (chance < 8 || owned_.empty()) return claim(dice);
    const Claim& known = dice.any_of(owned_);
    if (chance < 15) return call(dice, known);
    if (chance < 17) return operate(dice, known);
    if (chance < 18) return CountRepeats{{{known.id, known.token, 1 + dice.below(3)}}};
    if (chance < 19) return PruneSources{.limit = 1 + dice.below(3)};
    return PruneClaims{.limit = 1 + dice.below(5)};
}

ClaimFence RandomFences::claim(Dice& dice) {
    const std::string tenant = dice.any_of(tenants_);
    const int number = dice.below(kFenceKeys);
    const Key key = fence_key(tenant, number);
    FenceRequest request{.key = std::to_string(number),
                         .claim = key.claim,
                         .full_key = key.full_key,
                         .lease = Millis(100 + dice.below(5'000)),
                         .ttl = Millis(1'000 + dice.below(600'000))};
    if (const int content = dice.below(kContents); content > 0) {
        request.fingerprint = hash_of(content);
        if (dice.one_in(2)) request.content = fmt::format("{{\"n\":{}}}", content);
    }
    if (const int versioned = number - kPlainKeys; versioned >= 0) {
        request.source_type = "source";
        request.source_id = source_id(versioned / kVersions);
        request.version = versioned % kVersions;
    }
    return {tenant, std::move(request)};
}

CallFence RandomFences::call(Dice& dice, const Claim& owned) {
    FenceCall call{.claim = owned.id,
                   .token = dice.one_in(12) ? Token{to_int(owned.token) - 1} : owned.token};
    const int chance = dice.below(10);
    call.verb = chance < 4   ? FenceVerb::seal
                : chance < 6 ? FenceVerb::release
                : chance < 8 ? FenceVerb::heartbeat
                             : FenceVerb::uncertain;
    if (call.verb == FenceVerb::seal) {
        call.effect_id = fmt::format("e{}", dice.below(2));
        if (dice.one_in(2)) call.receipt = "[ 1.0 ]";
    }
    if (call.verb == FenceVerb::heartbeat && dice.one_in(2)) {
        call.lease = Millis(100 + dice.below(5'000));
    }
    return {dice.one_in(20) ? dice.any_of(tenants_) : owned.tenant, std::move(call)};
}

AnyCommand RandomFences::operate(Dice& dice, const Claim& known) {
    if (dice.one_in(4)) {
        return DeleteClaim{.tenant = known.tenant, .claim = known.id, .reason = "seen"};
    }
    const bool happened = dice.one_in(2);
    return ResolveClaim{.tenant = known.tenant,
                        .claim = known.id,
                        .outcome = happened ? ClaimOutcome::sealed : ClaimOutcome::released,
                        .effect_id = happened ? "e" : "",
                        .reason = "seen"};
}

void RandomFences::learn(const AnyReply& reply) {
    const auto* item = outcome_of<ClaimFence::Outcome>(reply);
    const auto* answer = item != nullptr ? std::get_if<FenceAnswer>(item) : nullptr;
    if (answer == nullptr || answer->decision != Decision::new_) {
        return;
    }
    owned_.push_back(*answer->claim);
    if (owned_.size() > kRememberedFences) owned_.erase(owned_.begin());
}

}  // namespace semel::test
