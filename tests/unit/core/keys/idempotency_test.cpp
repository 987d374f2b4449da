#include "core/keys/idempotency.hpp"

#include <gtest/gtest.h>

#include "core/decide.hpp"
#include "core/limits.hpp"

namespace semel {
namespace {

struct Fixture {
    explicit Fixture(Time now, std::vector<Claim> claims = {}) {
        Loaded loaded;
        loaded.now = now;
        loaded.claims = std::move(claims);
        workspace.emplace(std::move(loaded), settings, ids, random);
        workspace->savepoint();
    }
    Settings settings;
    std::function<std::uint64_t()> random = [] { return 4U; };
    UuidGenerator ids{random};
    std::optional<Workspace> workspace;
};

const Time kNow = from_ms(1'000'000);

TEST(IdempotencyKey, AnAnswerIsReplayedUntilItExpires) {
    const auto guard = make_guard("t", "", "POST", "/v1/actions", "k", "{}");
    Fixture first(kNow);
    EXPECT_FALSE(find_answer(*first.workspace, guard).has_value());
    seal(*first.workspace, guard, Receipt{201, "bytes"});
    const Claim sealed = *first.workspace->take_changes().claims.front().after;

    Fixture again(kNow + kApiKeyRetention - Millis(1), {sealed});
    const auto found = find_answer(*again.workspace, guard);
    ASSERT_TRUE(found.has_value());
    EXPECT_EQ(std::get<Receipt>(*found), (Receipt{201, "bytes"}));

    Fixture later(kNow + kApiKeyRetention, {sealed});
    EXPECT_FALSE(find_answer(*later.workspace, guard).has_value());
}

TEST(IdempotencyKey, AnotherBodyIsRefused) {
    const auto guard = make_guard("t", "", "POST", "/v1/actions", "k", "{}");
    Fixture first(kNow);
    seal(*first.workspace, guard, Receipt{201, "bytes"});
    Fixture again(kNow, {*first.workspace->take_changes().claims.front().after});
    const auto other = make_guard("t", "", "POST", "/v1/actions", "k", "{ }");
    EXPECT_EQ(std::get<Problem>(*find_answer(*again.workspace, other)).code,
              ProblemCode::key_reused);
}

// The first use has the command's own line.
TEST(IdempotencyKey, AReplayIsCountedAndAReusedKeyHasAnEntry) {
    const auto guard = make_guard("t", "", "POST", "/v1/actions", "k", "{}");
    Fixture first(kNow);
    EXPECT_FALSE(find_answer(*first.workspace, guard).has_value());
    seal(*first.workspace, guard, Receipt{201, "bytes"});
    const Changes sealed = first.workspace->take_changes();
    EXPECT_TRUE(sealed.decisions.empty() && sealed.repeats.empty());

    Fixture again(kNow, {*sealed.claims.front().after});
    (void)find_answer(*again.workspace, guard);
    (void)find_answer(*again.workspace, make_guard("t", "", "POST", "/v1/actions", "k", "[]"));
    const Changes told = again.workspace->take_changes();
    ASSERT_EQ(told.repeats.size(), 1U);
    EXPECT_EQ(told.repeats[0].decision, Decision::duplicate);
    EXPECT_EQ(told.repeats[0].surface, "api");
    EXPECT_EQ(told.repeats[0].type, "POST /v1/actions");
    EXPECT_EQ(told.repeats[0].claim, guard.claim);
    ASSERT_EQ(told.decisions.size(), 1U);
    EXPECT_EQ(told.decisions[0].decision, Decision::conflict);
    EXPECT_EQ(told.decisions[0].rule, "key_reused");
    EXPECT_TRUE(told.claims.empty());
}

TEST(IdempotencyKey, ThatAnOperatorFreedIsNewAgain) {
    const auto guard = make_guard("t", "", "POST", "/v1/actions", "k", "{}");
    Fixture first(kNow);
    seal(*first.workspace, guard, Receipt{201, "bytes"});
    Fixture freeing(kNow, {*first.workspace->take_changes().claims.front().after});
    const auto freed = decide(DeleteClaim{"t", guard.claim, "wrong"}, *freeing.workspace);
    Fixture again(kNow, {std::get<Claim>(freed)});
    EXPECT_FALSE(find_answer(*again.workspace, guard).has_value());
}

TEST(IdempotencyKey, IsPerTenantTokenMethodAndPath) {
    const auto guard = make_guard("t", "tok", "POST", "/a", "k", "{}");
    EXPECT_NE(guard.claim, make_guard("u", "tok", "POST", "/a", "k", "{}").claim);
    EXPECT_NE(guard.claim, make_guard("t", "other", "POST", "/a", "k", "{}").claim);
    EXPECT_NE(guard.claim, make_guard("t", "tok", "PUT", "/a", "k", "{}").claim);
    EXPECT_NE(guard.claim, make_guard("t", "tok", "POST", "/b", "k", "{}").claim);
    EXPECT_NE(guard.claim, make_guard("t", "tok", "POST", "/a", "l", "{}").claim);
    EXPECT_EQ(guard.claim, make_guard("t", "tok", "POST", "/a", "k", "other").claim);
}

}  // namespace
}  // namespace semel
