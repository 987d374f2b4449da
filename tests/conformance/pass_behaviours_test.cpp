// What the gateway relies on, on every store that holds main rows: its claims, in one commit each,
// and the bodies of the answers that it replays.
#include "conformance/store_conformance.hpp"
#include "support/pass_calls.hpp"

namespace semel::test {
namespace {

using namespace std::chrono_literals;

const Asked kBoth{.key = "k1", .guard = "hello"};

class PassBehaviour : public PassCalls<StoreConformance> {
protected:
    void advance(Millis by) { clock.now += by; }
    std::optional<Claim> row(const std::shared_ptr<const Claim>& claim) {
        return driver.get_claim("default", claim->id);
    }
    std::optional<std::string> body_of(const Claim& claim) {
        return driver.get_response(claim.effect->pass->answer->response);
    }
    template <typename Variant>
    static std::optional<ProblemCode> code_of(const Variant& answer) {
        const auto* problem = std::get_if<Problem>(&answer);
        return problem == nullptr ? std::nullopt : std::optional(problem->code);
    }
};
INSTANTIATE_TEST_SUITE_P(Stores, PassBehaviour, all_stores(), name_of_store);

TEST_P(PassBehaviour, IsAdmittedDispatchedSealedAndReplayed) {
    const AdmitPass command = admission(kBoth);
    const PassAnswer pass = admit(command);
    EXPECT_EQ(row(pass.key), *pass.key);
    EXPECT_EQ(row(pass.guard), *pass.guard);
    EXPECT_EQ(*admit(command).key, *pass.key) << "repeated under its effect id";
    EXPECT_EQ(admit(kBoth).decision, Decision::in_flight);
    ASSERT_EQ(code_of(dispatch(pass)), std::nullopt);
    EXPECT_EQ(row(pass.guard)->effect->pass->dispatched_at, Time(clock.now));
    const SettledPass settled = settle(pass, PassEnd::seal);
    EXPECT_EQ(row(pass.key), *settled.key);
    EXPECT_EQ(row(pass.guard), *settled.guard);
    const PassAnswer replay = admit(kBoth);
    EXPECT_EQ(replay.decision, Decision::duplicate);
    EXPECT_EQ(*replay.key, *settled.key);
    EXPECT_EQ(body_of(*replay.key), "sent");
    EXPECT_EQ(body_of(*admit({.guard = "hello"}).guard), "sent");
    EXPECT_EQ(*settle(pass, PassEnd::seal).key, *settled.key) << "repeated";
}

TEST_P(PassBehaviour, OfManyInOneCommitOneIsNew) {
    const auto replies =
        driver.run(admission(kBoth), admission({.key = "k2", .guard = "hello"}),
                   admission({.guard = "hello"}), admission({.key = "k1", .guard = "other"}));
    const auto decision_of = [](const Reply<AdmitPass>& reply) {
        return std::get<PassAnswer>(std::get<AdmitPass::Outcome>(reply)).decision;
    };
    EXPECT_EQ(decision_of(std::get<0>(replies)), Decision::new_);
    EXPECT_EQ(decision_of(std::get<1>(replies)), Decision::in_flight);
    EXPECT_EQ(decision_of(std::get<2>(replies)), Decision::in_flight);
    EXPECT_EQ(decision_of(std::get<3>(replies)), Decision::in_flight);
}

TEST_P(PassBehaviour, OtherContentIsAConflictWithADiff) {
    own(kBoth);
    const auto conflict = try_admit({.key = "k1", .body = R"({"a":2})"});
    ASSERT_EQ(code_of(conflict), ProblemCode::key_reused);
    EXPECT_EQ(std::get<Problem>(conflict).diff_json, R"([{"op":"replace","path":"/a","value":2}])");
}

TEST_P(PassBehaviour, ABodyKeepsItsBytes) {
    std::string all(1024 * 1024, 'x');
    for (std::size_t i = 0; i < 256; ++i) all[i] = static_cast<char>(i);
    for (const std::string& body : {std::string(), std::string(1, '\0'), all}) {
        const PassAnswer pass = send({.key = "k" + std::to_string(body.size())});
        const SettledPass settled = settle(settlement(pass, PassEnd::seal, std::nullopt, body));
        EXPECT_TRUE(body_of(*settled.key) == body) << body.size() << " bytes";
    }
}

TEST_P(PassBehaviour, AReleaseFreesBothForTheNextWithALargerToken) {
    const PassAnswer pass = send(kBoth);
    settle(pass, PassEnd::release);
    const PassAnswer next = own({.key = "k1", .guard = "hello", .body = R"({"a":2})"});
    EXPECT_GT(next.key->token, pass.key->token);
    EXPECT_EQ(code_of(try_admit(kBoth)), ProblemCode::key_reused);
    EXPECT_TRUE(settle(pass, PassEnd::seal).is_key_stale);
    EXPECT_EQ(row(next.key), *next.key);
    EXPECT_EQ(driver.get_response(pass.key->effect->pass->effect), std::nullopt);
}

TEST_P(PassBehaviour, ASilentOwnersClaimsAreFoundByUpkeep) {
    const PassAnswer unsent = own({.key = "k2", .guard = "other"});
    const PassAnswer sent = send(kBoth);
    advance(5s);
    for (const Item<Time>& end : beat(sent)) EXPECT_EQ(code_of(end), std::nullopt);
    advance(10s);
    EXPECT_EQ(prune_claims().count, 2) << "the other lease was renewed";
    EXPECT_EQ(row(unsent.key), std::nullopt);
    advance(5s);
    EXPECT_EQ(prune_claims().count, 2);
    EXPECT_EQ(row(sent.key)->state, ClaimState::uncertain);
    EXPECT_EQ(row(sent.guard)->state, ClaimState::uncertain);
    EXPECT_EQ(code_of(try_admit(kBoth)), ProblemCode::uncertain);
    advance(kWindow);
    EXPECT_EQ(prune_claims().count, 1) << "the guard";
    EXPECT_EQ(code_of(resolve(*sent.key, ClaimOutcome::released)), std::nullopt);
    own(kBoth);
}

TEST_P(PassBehaviour, AResolvedPassHasTheAnswerThatWasFound) {
    const PassAnswer pass = send(kBoth);
    settle(pass, PassEnd::doubt);
    FoundAnswer found;
    found.status = 202;
    found.body = std::make_shared<const std::string>("found");
    ASSERT_EQ(code_of(resolve(*pass.guard, ClaimOutcome::sealed, found)), std::nullopt);
    EXPECT_EQ(body_of(*admit(kBoth).key), "found");
    EXPECT_EQ(body_of(*admit({.guard = "hello"}).guard), "found");
}

TEST_P(PassBehaviour, ARetryKeepsTheEffectAndReplacesNoAnswer) {
    const PassAnswer first = send(kBoth);
    advance(kLease);
    Asked again = kBoth;
    again.retries = true;
    const PassAnswer next = send(again);
    EXPECT_EQ(row(next.key), *next.key);
    EXPECT_EQ(next.key->effect->pass->attempt, 2);
    settle(next, PassEnd::seal);
    EXPECT_TRUE(settle(settlement(first, PassEnd::seal, PassEnd::seal, "late")).is_key_stale);
    EXPECT_EQ(body_of(*admit(kBoth).key), "sent");
}

TEST_P(PassBehaviour, ABodyStaysAsLongAsTheLastKeyThatRefersToIt) {
    const PassAnswer pass = send(kBoth);
    settle(pass, PassEnd::seal);
    advance(10min);
    const PassAnswer borrowed = admit({.key = "k2", .guard = "hello"});
    EXPECT_EQ(row(borrowed.key), *borrowed.key);
    advance(kTtl - 10min);
    EXPECT_EQ(prune_claims().count, 2);
    EXPECT_EQ(std::get<UpkeepOutcome>(run(PruneResponses{})).count, 0);
    EXPECT_EQ(body_of(*admit({.key = "k2", .guard = "x"}).key), "sent");
    advance(10min);
    EXPECT_EQ(std::get<UpkeepOutcome>(run(PruneResponses{})).count, 1);
    EXPECT_EQ(body_of(*borrowed.key), std::nullopt);
}

TEST_P(PassBehaviour, ADeletedClaimTakesItsBodyAlongUnlessItsTwinHasIt) {
    const PassAnswer pass = send(kBoth);
    const SettledPass settled = settle(pass, PassEnd::seal);
    erase(*settled.guard);
    EXPECT_EQ(body_of(*settled.key), "sent");
    erase(*settled.key);
    EXPECT_EQ(body_of(*settled.key), std::nullopt);
}

TEST_P(PassBehaviour, TheLogNamesBothClaims) {
    const PassAnswer pass = own(kBoth);
    const auto entries = driver.list_decisions("default");
    ASSERT_EQ(entries.size(), 1U);
    EXPECT_EQ(entries[0].entry.surface, "gateway");
    EXPECT_EQ(entries[0].entry.claim, pass.key->id);
    EXPECT_EQ(entries[0].entry.other_claim, pass.guard->id);
}

}  // namespace
}  // namespace semel::test
