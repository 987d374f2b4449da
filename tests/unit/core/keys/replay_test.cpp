// What a kept claim says of a request is what a decision on its row says.
#include "core/keys/replay.hpp"

#include "core/fences/fence_trace.hpp"
#include "support/fence_table.hpp"

namespace semel {
namespace {

using namespace std::chrono_literals;
using test::done;
using test::FenceTable;

const std::string kReplayed = R"({"key":"k","content":{"amount":5}})";

const std::vector<std::string> kRequests = {
    kReplayed,
    R"({"key":"k","content":{"amount":5.0}})",
    R"({"key":"k","content":{"amount":7}})",
    R"({"key":"k"})",
    R"({"key":"k","class":"batch","waitMs":1000})",
    R"({"key":"other","content":{"amount":5}})",
};

// A key in one of the states that it goes through; the row as it was seen then.
Claim in_state(FenceTable& t, int state) {
    const Claim owned = t.own(kReplayed);
    switch (state) {
        case 0: return owned;
        case 1: done(t.seal(owned, "e", R"({"n":1})")); break;
        case 2: done(t.mark_uncertain(owned)); break;
        case 3: done(t.release(owned)); break;
        default: done(t.mark_uncertain(owned)); done(t.resolve(owned, ClaimOutcome::sealed, "e2"));
    }
    return t.row(owned.id).value_or(Claim{});
}

TEST(Replay, IsExactlyWhatWouldBeAPlainDuplicate) {
    int replays = 0;
    for (int state = 0; state < 5; ++state) {
        for (const Millis later : {Millis(0), Millis(48h - 1ms), Millis(48h)}) {
            for (const std::string& request : kRequests) {
                FenceTable t;
                const Claim kept = in_state(t, state);
                t.advance(later);
                const ClaimFence command = t.command(request);
                const bool said = is_replay(kept, command, t.now);
                const auto decided = std::get<ClaimFence::Outcome>(t.run(command));
                const auto* answer = std::get_if<FenceAnswer>(&decided);
                const bool is_duplicate =
                    answer != nullptr && answer->decision == Decision::duplicate;
                EXPECT_EQ(said, is_duplicate) << state << " " << later.count() << " " << request;
                if (said && is_duplicate) {
                    EXPECT_EQ(*replayed(std::make_shared<const Claim>(kept)).claim, *answer->claim);
                    ++replays;
                }
            }
        }
    }
    EXPECT_EQ(replays, 2 * 2 * 4) << "sealed by its owner or an operator, in time, same content";
}

TEST(Replay, IsNeverAnotherTenants) {
    FenceTable t;
    const Claim kept = in_state(t, 1);
    EXPECT_TRUE(is_replay(kept, t.command(kReplayed), t.now));
    EXPECT_FALSE(is_replay(kept, t.command(kReplayed, "acme"), t.now));
    ClaimFence forged = t.command(kReplayed);
    forged.tenant = "acme";
    EXPECT_FALSE(is_replay(kept, forged, t.now)) << "not even by the same id";
}

// The key's own claim is judged before its source.
TEST(Replay, IsNoMatterOfVersions) {
    FenceTable t;
    const auto version = [&](int number) {
        return R"({"parts":{"sourceType":"doc","sourceId":"7","revision":")" +
               std::to_string(number) + R"("},"version":)" + std::to_string(number) + "}";
    };
    const Claim first = t.own(version(1));
    done(t.seal(first));
    done(t.seal(t.own(version(2))));
    EXPECT_TRUE(is_replay(*t.row(first.id), t.command(version(1)), t.now));
    EXPECT_EQ(t.decision(version(1)), Decision::duplicate);
}

// Where other content is not refused, the decision is still the row's.
TEST(Replay, OfOtherContentIsLeftToTheRow) {
    FenceTable t;
    t.settings.fences.reject_on_body_mismatch = false;
    const Claim kept = in_state(t, 1);
    EXPECT_FALSE(is_replay(kept, t.command(kRequests[2]), t.now));
    EXPECT_EQ(t.decision(kRequests[2]), Decision::duplicate);
}

TEST(Replay, LeavesTheEntryThatADecisionWouldLeave) {
    FenceTable t;
    const Claim kept = in_state(t, 1);
    t.advance(3s);
    const ClaimFence command = t.command(R"({"key":"k","class":"webhook"})");
    t.run(command);
    ASSERT_EQ(t.repeats.size(), 1U);
    const DecisionEntry& decided = t.repeats.front();
    const DecisionEntry entry = replay_entry(command, kept, t.now);
    EXPECT_EQ(entry.at, decided.at);
    EXPECT_EQ(entry.tenant, decided.tenant);
    EXPECT_EQ(entry.surface, decided.surface);
    EXPECT_EQ(entry.type, decided.type);
    EXPECT_EQ(entry.claim, decided.claim);
    EXPECT_EQ(entry.key, decided.key);
    EXPECT_EQ(entry.decision, decided.decision);
    EXPECT_EQ(entry.rule, decided.rule);
    EXPECT_EQ(entry.effect, decided.effect);
    EXPECT_EQ(entry.token, decided.token);
    EXPECT_EQ(entry.count, decided.count);
    EXPECT_EQ(entry.source_type, decided.source_type);
    EXPECT_EQ(entry.source_id, decided.source_id);
}

}  // namespace
}  // namespace semel
