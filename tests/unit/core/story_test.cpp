// The story of a claim: who has its key, since when, by which rule, and what followed.
#include "core/story.hpp"

#include <gmock/gmock.h>

#include "core/fence.hpp"
#include "support/fence_table.hpp"

namespace semel {
namespace {

using namespace std::chrono_literals;
using test::done;
using test::FenceTable;
using testing::HasSubstr;
using testing::Not;

const std::string kKey = R"({"key":"k","content":{"order":17}})";

// With all that the log of the table says, sums included.
Story story(FenceTable& t, const ClaimId& id) {
    Story told(*as_of(*t.row(id), t.now), t.now);
    std::vector<DecisionEntry> lines = t.decisions;
    lines.insert(lines.end(), t.repeats.begin(), t.repeats.end());
    std::stable_sort(lines.begin(), lines.end(),
                     [](const auto& a, const auto& b) { return a.at > b.at; });
    for (const DecisionEntry& line : lines) told.hear(line);
    return told;
}

DecisionEntry line_of(const Claim& claim, Decision decision, std::string rule, Time at) {
    DecisionEntry line;
    line.at = at;
    line.claim = claim.id;
    line.decision = decision;
    line.rule = std::move(rule);
    if (!claim.owners.empty()) line.effect_id = claim.newest().job;
    return line;
}

TEST(Story, OfAFenceIsInItsRow) {
    FenceTable t;
    const Time first = t.now;
    const Claim owned = t.own(kKey);
    EXPECT_EQ(story(t, owned.id).winner(), "") << "nothing was done yet";
    EXPECT_EQ(story(t, owned.id).until(), owned.effect->lease_until);
    EXPECT_THAT(story(t, owned.id).summary(), Not(HasSubstr(std::to_string(to_int(owned.token)))))
        << "a token is its owner's";
    t.advance(60s);
    const Claim next = t.own(kKey);
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
    const Claim owned = t.own(kKey);
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
    const Claim owned = t.own(kKey);
    done(t.release(owned));
    const Story told = story(t, owned.id);
    EXPECT_EQ(told.winner(), "");
    EXPECT_EQ(told.rule(), "");
    EXPECT_EQ(told.until(), std::nullopt);
    EXPECT_FALSE(told.lines().empty());
}

// The line is about the first of them.
TEST(Story, OfEachKeyThatANearMissNamesHasIt) {
    FenceTable t;
    const Claim first = t.own(kKey);
    DecisionEntry line = line_of(first, Decision::near_miss, "same_content", t.now);
    line.tenant = first.tenant;
    line.surface = "fences";
    line.key = first.full_key;
    line.reason = R"(["foo["], ["]"], ["later"] and 2 more)";
    line.count = 5;
    t.advance(1s);
    const auto told = [&](const std::string& key, const std::string& tenant = "default") {
        Story heard(t.own(R"({"key":")" + key + "\"}", tenant), t.now);
        heard.hear(line);
        EXPECT_EQ(heard.first_seen(), t.now) << "another key came earlier";
        return heard;
    };
    const Story later = told("later");
    ASSERT_EQ(later.lines().size(), 1U);
    EXPECT_EQ(later.lines()[0].decision, Decision::near_miss);
    EXPECT_EQ(later.lines()[0].claim, later.claim().id);
    EXPECT_EQ(later.lines()[0].key, R"(["later"])");
    EXPECT_EQ(later.lines()[0].reason, R"(["k"])");
    EXPECT_EQ(later.lines()[0].count, 1);
    EXPECT_EQ(told("]").lines().size(), 1U);
    EXPECT_TRUE(told("late").lines().empty());
    EXPECT_TRUE(told("], [").lines().empty()) << "it stands between two of them";
    EXPECT_TRUE(told("later", "other").lines().empty());
    Story own(first, t.now);
    own.hear(line);
    ASSERT_EQ(own.lines().size(), 1U);
    EXPECT_EQ(own.lines()[0].reason, line.reason);
    EXPECT_EQ(own.lines()[0].count, 5);
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
    auto duplicates = line_of(claim, Decision::duplicate, "replace", Time(203s));
    duplicates.count = 7;
    told.hear(duplicates);
    auto of_another = duplicates;
    of_another.claim = sha256("b");
    told.hear(of_another);
    told.hear(line_of(claim, Decision::new_, "window_over", Time(199s)));
    auto of_the_first = line_of(claim, Decision::duplicate, "replace", Time(101s));
    of_the_first.effect_id = *Uuid::parse("0192f0c1-2b7e-7000-8000-000000000002");
    told.hear(of_the_first);
    EXPECT_EQ(told.winner(), winner.to_string());
    EXPECT_EQ(told.rule(), "window_over");
    EXPECT_EQ(told.since(), Time(199s));
    EXPECT_EQ(told.first_seen(), Time(100s));
    EXPECT_EQ(told.duplicates(), 7) << "since the winner won";
    EXPECT_EQ(told.lines().size(), 3U);
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

TEST(Story, TellsTheNewestLinesAndCountsAll) {
    Claim claim;
    claim.space = "chains";
    claim.owners = {{.job = Uuid{}, .window_from = Time(0s)}};
    Story told(claim, Time(300s));
    constexpr int kHeard = static_cast<int>(Story::kLinesMax) + 5;
    for (int i = 0; i < kHeard; ++i) {
        told.hear(
            line_of(claim, Decision::duplicate, "key", Time(1000s) - std::chrono::seconds(i)));
    }
    EXPECT_EQ(told.lines().size(), Story::kLinesMax);
    EXPECT_EQ(told.lines().front().at, Time(1000s));
    EXPECT_EQ(told.duplicates(), kHeard);
}

}  // namespace
}  // namespace semel
