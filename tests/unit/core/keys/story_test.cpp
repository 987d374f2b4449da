// The story of a claim: who has its key, since when, by which rule, and what followed.
#include "core/keys/story.hpp"

#include <gmock/gmock.h>

#include "core/fences/fence.hpp"
#include "support/fence_table.hpp"

namespace semel {
namespace {

using namespace std::chrono_literals;
using test::done;
using test::FenceTable;
using testing::HasSubstr;
using testing::Not;

const std::string kOrder = R"({"key":"k","content":{"order":17}})";

// With all that the log of the table says, sums included.
Story story(FenceTable& t, const ClaimId& id) {
    Story told(*as_of(*t.row(id), t.now), t.now);
    std::vector<DecisionEntry> entries = t.decisions;
    entries.insert(entries.end(), t.repeats.begin(), t.repeats.end());
    std::stable_sort(entries.begin(), entries.end(),
                     [](const auto& a, const auto& b) { return a.at > b.at; });
    for (const DecisionEntry& entry : entries) told.hear(entry);
    return told;
}

DecisionEntry entry_of(const Claim& claim, Decision decision, std::string rule, Time at) {
    DecisionEntry entry;
    entry.at = at;
    entry.claim = claim.id;
    entry.decision = decision;
    entry.rule = std::move(rule);
    if (!claim.owners.empty()) entry.effect_id = claim.newest().job;
    return entry;
}

TEST(Story, OfAFenceIsInItsRow) {
    FenceTable t;
    const Time first = t.now;
    const Claim owned = t.own(kOrder);
    EXPECT_EQ(story(t, owned.id).winner(), "") << "nothing was done yet";
    EXPECT_EQ(story(t, owned.id).until(), owned.effect->lease_until);
    EXPECT_THAT(story(t, owned.id).summary(), Not(HasSubstr(std::to_string(to_int(owned.token)))))
        << "a token is its owner's";
    t.advance(60s);
    const Claim next = t.own(kOrder);
    const Time won = t.now;
    t.advance(1s);
    const Claim sealed = done(t.seal(next, "ch_9"));
    const Story told = story(t, owned.id);
    EXPECT_EQ(told.winner(), "ch_9");
    EXPECT_EQ(told.rule(), "lease_over");
    EXPECT_EQ(told.since(), won);
    EXPECT_EQ(told.first_seen(), first) << "by the owner that was lost";
    EXPECT_EQ(told.until(), sealed.expires_at);
    EXPECT_THAT(told.summary(), HasSubstr("`ch_9`"));
}

TEST(Story, OfALeaseThatIsOverSaysSo) {
    FenceTable t;
    const Claim owned = t.own(kOrder);
    t.advance(60s - 1ms);
    EXPECT_THAT(story(t, owned.id).summary(), HasSubstr("lease lasts until"));
    t.advance(1ms);
    const Story over = story(t, owned.id);
    EXPECT_THAT(over.summary(), HasSubstr("lease ended at"));
    EXPECT_THAT(over.summary(), HasSubstr("takes over"));
    EXPECT_EQ(over.until(), owned.effect->lease_until);
    t.edit_claim(owned.id, [](Workspace&, Claim& claim) { claim.effect->settling = true; });
    EXPECT_THAT(story(t, owned.id).summary(), HasSubstr("its seal is on its way"))
        << "nobody takes over any more";
}

TEST(Story, OfAFreeKeyHasNobodyInIt) {
    FenceTable t;
    const Claim owned = t.own(kOrder);
    done(t.release(owned));
    const Story told = story(t, owned.id);
    EXPECT_EQ(told.winner(), "");
    EXPECT_EQ(told.rule(), "");
    EXPECT_EQ(told.until(), std::nullopt);
    EXPECT_FALSE(told.entries().empty());
}

// The line is about the first of them.
TEST(Story, OfEachKeyThatANearMissNamesHasIt) {
    FenceTable t;
    const Claim first = t.own(kOrder);
    DecisionEntry entry = entry_of(first, Decision::near_miss, "same_content", t.now);
    entry.tenant = first.tenant;
    entry.surface = "fences";
    entry.key = first.full_key;
    entry.reason = R"(["foo["], ["]"], ["later"] and 2 more)";
    entry.count = 5;
    t.advance(1s);
    const auto told = [&](const std::string& key, const std::string& tenant = "default") {
        Story heard(t.own(R"({"key":")" + key + "\"}", tenant), t.now);
        heard.hear(entry);
        EXPECT_EQ(heard.first_seen(), t.now) << "another key came earlier";
        return heard;
    };
    const Story later = told("later");
    ASSERT_EQ(later.entries().size(), 1U);
    EXPECT_EQ(later.entries()[0].decision, Decision::near_miss);
    EXPECT_EQ(later.entries()[0].claim, later.claim().id);
    EXPECT_EQ(later.entries()[0].key, R"(["later"])");
    EXPECT_EQ(later.entries()[0].reason, R"(["k"])");
    EXPECT_EQ(later.entries()[0].count, 1);
    EXPECT_EQ(told("]").entries().size(), 1U);
    EXPECT_TRUE(told("late").entries().empty());
    EXPECT_TRUE(told("], [").entries().empty()) << "it stands between two of them";
    EXPECT_TRUE(told("later", "other").entries().empty());
    Story own(first, t.now);
    own.hear(entry);
    ASSERT_EQ(own.entries().size(), 1U);
    EXPECT_EQ(own.entries()[0].reason, entry.reason);
    EXPECT_EQ(own.entries()[0].count, 5);
}

TEST(Story, OfAnActionTakesRuleTimeAndDuplicatesFromTheLog) {
    Claim claim;
    claim.id = sha256("a");
    claim.space = "actions";
    claim.created_at = Time(100s);
    const JobId winner = *Uuid::parse("0192f0c1-2b7e-7000-8000-000000000001");
    claim.owners = {{.job = winner, .window_from = Time(200s)}};
    Story told(claim, Time(300s));
    EXPECT_EQ(told.rule(), "") << "the row does not say whom it followed";
    EXPECT_EQ(told.since(), Time(200s));
    auto duplicates = entry_of(claim, Decision::duplicate, "replace", Time(203s));
    duplicates.count = 7;
    told.hear(duplicates);
    auto of_another = duplicates;
    of_another.claim = sha256("b");
    told.hear(of_another);
    told.hear(entry_of(claim, Decision::new_, "window_over", Time(199s)));
    auto of_the_first = entry_of(claim, Decision::duplicate, "replace", Time(101s));
    of_the_first.effect_id = *Uuid::parse("0192f0c1-2b7e-7000-8000-000000000002");
    told.hear(of_the_first);
    EXPECT_EQ(told.winner(), winner.to_string());
    EXPECT_EQ(told.rule(), "window_over");
    EXPECT_EQ(told.since(), Time(199s));
    EXPECT_EQ(told.first_seen(), Time(100s));
    EXPECT_EQ(told.duplicates(), 7) << "since the winner won";
    EXPECT_EQ(told.entries().size(), 3U);
}

TEST(Story, WithoutALogTellsWhatTheRowDoes) {
    Claim claim;
    claim.space = "actions";
    claim.created_at = Time(100s);
    claim.owners = {{.job = Uuid{}, .window_from = Time(100s)}};
    EXPECT_EQ(Story(claim, Time(300s)).rule(), "first");
    claim.owners.push_back({.job = Uuid{}, .window_from = Time(101s), .is_successor = true});
    EXPECT_EQ(Story(claim, Time(300s)).rule(), "successor");
    claim.owners.back().is_successor = false;
    claim.space = "chains";
    EXPECT_EQ(Story(claim, Time(300s)).rule(), "key");
}

TEST(Story, OfAnIdempotencyKeyIsItsFirstRequest) {
    Claim claim;
    claim.space = "api";
    claim.state = ClaimState::sealed;
    claim.created_at = Time(100s);
    claim.expires_at = Time(200s);
    claim.repeats = 3;
    const Story told(claim, Time(300s));
    EXPECT_EQ(told.rule(), "first");
    EXPECT_EQ(told.since(), Time(100s));
    EXPECT_EQ(told.duplicates(), 3);
    EXPECT_EQ(told.until(), Time(200s));
    EXPECT_THAT(told.summary(), HasSubstr("its answer"));
}

TEST(Story, TellsTheNewestEntriesAndCountsAll) {
    Claim claim;
    claim.space = "chains";
    claim.owners = {{.job = Uuid{}, .window_from = Time(0s)}};
    Story told(claim, Time(300s));
    constexpr int kHeard = static_cast<int>(Story::kEntriesMax) + 5;
    for (int i = 0; i < kHeard; ++i) {
        told.hear(
            entry_of(claim, Decision::duplicate, "key", Time(1000s) - std::chrono::seconds(i)));
    }
    EXPECT_EQ(told.entries().size(), Story::kEntriesMax);
    EXPECT_EQ(told.entries().front().at, Time(1000s));
    EXPECT_EQ(told.duplicates(), kHeard);
}

}  // namespace
}  // namespace semel
