// PassCalls: requests of the gateway are admitted, sent and settled on a table that can `run` a
// command.
#pragma once

#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "core/decide.hpp"
#include "core/keys/dedup_key.hpp"
#include "core/passes/pass.hpp"

namespace semel::test {

// A request in few words. Without a key or a guard it does not ask for that claim.
struct Asked {
    std::string key = {};
    std::string guard = {};
    std::string body = R"({"a":1})";
    std::string principal = "ann";
    bool dispatched = false;
    bool retries = false;
    Millis wait{0};
};

inline const Asked kBoth{.key = "k1", .guard = "hello"};

template <typename Table>
class PassCalls : public Table {
public:
    using Table::Table;

    static constexpr Millis kLease = std::chrono::seconds(15);
    static constexpr Millis kTtl = std::chrono::hours(24);
    static constexpr Millis kWindow = std::chrono::minutes(15);

    // Each request has an effect id of its own.
    AdmitPass admission(const Asked& asked) {
        PassRequest request;
        request.route = "message.api";
        const auto claim_of = [](const std::string& space, const std::vector<std::string>& parts,
                                 Millis ttl) {
            Key key = make_key("default", space, parts);
            return AskedClaim{key.claim, std::move(key.full_key), ttl};
        };
        if (!asked.key.empty()) {
            request.key = claim_of("key.message.api", {asked.principal, asked.key}, kTtl);
        }
        if (!asked.guard.empty()) {
            request.guard = claim_of("guard.message.api", {asked.guard}, kWindow);
        }
        request.effect = make_uuid(++effects_);
        request.principal = sha256(asked.principal);
        request.sent_key = asked.key.empty() ? request.effect.to_string() : asked.key;
        request.fingerprint = sha256(asked.body);
        request.content = R"({"body":)" + asked.body + "}";  // as the gateway stores a request
        request.lease = kLease;
        request.dispatched = asked.dispatched;
        request.retries_uncertain = asked.retries;
        request.duplicate_message = "Sent {age} ago.";
        request.wait = asked.wait;
        return {"default", std::move(request)};
    }

    Item<PassAnswer> try_admit(const AdmitPass& command) {
        return std::get<AdmitPass::Outcome>(this->run(command));
    }
    Item<PassAnswer> try_admit(const Asked& asked) { return try_admit(admission(asked)); }
    PassAnswer admit(const AdmitPass& command) {
        const auto item = try_admit(command);
        const auto* problem = std::get_if<Problem>(&item);
        EXPECT_EQ(problem, nullptr) << problem->detail;
        return problem == nullptr ? std::get<PassAnswer>(item) : PassAnswer{};
    }
    PassAnswer admit(const Asked& asked) { return admit(admission(asked)); }
    // A pass that must be new.
    PassAnswer own(const Asked& asked) {
        PassAnswer answer = admit(asked);
        EXPECT_EQ(answer.decision, Decision::new_);
        return answer;
    }
    // A pass that is new and sent.
    PassAnswer send(Asked asked) {
        asked.dispatched = true;
        return own(asked);
    }

    Reply<DispatchPass> dispatch(const PassAnswer& pass) {
        return this->run(DispatchPass{"default", refs_of(pass)});
    }
    BeatPasses::Outcome beat(const PassAnswer& pass) {
        return std::get<BeatPasses::Outcome>(this->run(BeatPasses{refs_of(pass)}));
    }

    SettlePass settlement(const PassAnswer& pass, PassEnd key_end, std::optional<PassEnd> guard_end,
                          const std::string& body = "sent") {
        SettlePass command{.tenant = "default", .reason = "cut"};
        if (pass.key) command.key = PassCall{pass.key->id, pass.key->token, key_end};
        if (pass.guard && guard_end) {
            command.guard = PassCall{pass.guard->id, pass.guard->token, *guard_end};
        }
        command.body = std::make_shared<const std::string>(body);
        KeptAnswer& answer = command.answer.emplace();
        answer.status = 201;
        answer.headers = {{"content-type", "application/json"}};
        answer.size = static_cast<std::int64_t>(body.size());
        answer.has_body = true;
        return command;
    }
    SettledPass settle(const SettlePass& command) {
        return std::get<SettledPass>(this->run(command));
    }
    SettledPass settle(const PassAnswer& pass, PassEnd end) {
        return settle(settlement(pass, end, end));
    }

    Reply<ResolveClaim> resolve(const Claim& claim, ClaimOutcome outcome,
                                std::optional<FoundAnswer> answer = {}) {
        return this->run(ResolveClaim{.tenant = "default",
                                      .claim = claim.id,
                                      .twin = twin_of(claim),
                                      .outcome = outcome,
                                      .answer = std::move(answer),
                                      .reason = "asked the upstream"});
    }
    // `names_twin`: as a caller does that has read the claim.
    Claim erase(const Claim& claim, bool names_twin = true) {
        return std::get<Claim>(
            this->run(DeleteClaim{.tenant = "default",
                                  .claim = claim.id,
                                  .reason = "again",
                                  .twin = names_twin ? twin_of(claim) : std::optional<ClaimId>()}));
    }
    UpkeepOutcome prune_claims() { return std::get<UpkeepOutcome>(this->run(PruneClaims{})); }

    static std::optional<ClaimId> twin_of(const Claim& claim) {
        const auto& twin = claim.effect->pass->twin;
        return twin ? std::optional(twin->claim) : std::nullopt;
    }

private:
    static Uuid make_uuid(int number) {
        Uuid id;
        id.bytes[0] = 1;
        id.bytes[15] = static_cast<std::uint8_t>(number % 256);
        id.bytes[14] = static_cast<std::uint8_t>(number / 256);
        return id;
    }
    static std::vector<PassRef> refs_of(const PassAnswer& pass) {
        std::vector<PassRef> refs;
        for (const auto& claim : {pass.key, pass.guard}) {
            if (claim) refs.push_back({claim->id, claim->token});
        }
        return refs;
    }

    int effects_ = 0;
};

}  // namespace semel::test
