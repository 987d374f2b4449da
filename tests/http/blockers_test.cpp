// Chains that wait for chains, over HTTP.
#include <numeric>
#include <set>
#include <thread>

#include "http/chain_fixture.hpp"

namespace semel::test {
namespace {

using testing::HasSubstr;

class BlockersOverHttp : public ChainTest {};

TEST_F(BlockersOverHttp, AWorkerGetsTheirOutputsInTheDeclaredOrder) {
    const std::string there = start(R"({"type":"x"})");
    finish(there, 0, R"({ "n" : 0 })");
    const std::string id =
        start(fmt::format(R"({{"type":"merge","blockers":[{{"id":"{}"}},{{"type":"y","input":1}},
                        {{"type":"z"}}]}})",
                          there));
    EXPECT_EQ(status_of(id), "blocked");
    EXPECT_EQ(chains(), 4U);
    const Answered job = client_.get(path(id, "/jobs"));
    const std::string y = job.text("/items/0/blockers/1/id");
    const std::string z = job.text("/items/0/blockers/2/id");
    EXPECT_EQ(job.text("/items/0/blockers/0/status"), "completed");
    EXPECT_FALSE(job.at("/items/0/blockers/0/output")) << "lists are kept small";
    finish(z, 0, "2");
    EXPECT_EQ(status_of(id), "blocked");
    complete(y, 0, R"("continueWith":{"type":"y2"})");
    EXPECT_EQ(status_of(id), "blocked") << "its chain goes on";
    finish(y, 1, "null");
    const Answered claimed = claim("merge");
    EXPECT_EQ(claimed.text("/jobs/0/chainId"), id);
    EXPECT_EQ(
        claimed.raw("/jobs/0/blockers"),
        fmt::format(R"([{{"id":"{}","type":"x","status":"completed","output":{{ "n" : 0 }}}},)"
                    R"({{"id":"{}","type":"y","status":"completed","output":null}},)"
                    R"({{"id":"{}","type":"z","status":"completed","output":2}}])",
                    there, y, z));
}

TEST_F(BlockersOverHttp, WhyItDoesNotRunNamesThem) {
    const std::string done = start(R"({"type":"x"})");
    const std::string open = start(R"({"type":"y"})");
    const std::string last = start(R"({"type":"z"})");
    const std::string id = start_behind("t", {done, open, last});
    finish(done);
    const Answered shown = client_.get("/v1/actions/" + id);
    EXPECT_EQ(shown.text("/waitingFor/reason"), "blocked");
    EXPECT_EQ(shown.raw("/waitingFor/blockedBy"), fmt::format(R"(["{}","{}"])", open, last));
    EXPECT_THAT(shown.text("/waitingFor/detail"), HasSubstr("blocked by chain " + open));
    EXPECT_THAT(shown.text("/waitingFor/detail"), HasSubstr("and by 1 more"));
    EXPECT_EQ(shown.text("/blockers/0/status"), "completed");
    const Answered run = client_.send("POST", "/v1/actions/" + id + "/run");
    EXPECT_EQ(run.status, 200) << run.body;
    EXPECT_EQ(run.text("/status"), "blocked") << "it skips no blockers";
    finish(id);
    EXPECT_EQ(client_.send("POST", "/v1/actions/" + id + "/run").code(), "wrong_state");
}

TEST_F(BlockersOverHttp, UnblockingRaisesItsTime) {
    const std::string first = start(R"({"type":"x"})");
    const std::string id = start_behind("t", {first});
    finish(first);
    const Answered shown = client_.get("/v1/actions/" + id);
    EXPECT_EQ(shown.text("/status"), "pending");
    EXPECT_EQ(shown.text("/scheduledAt"), client_.get("/v1/actions/" + first).text("/completedAt"));
}

TEST_F(BlockersOverHttp, OneThatFailsFailsThoseBehindItTransitively) {
    const std::string first = start(R"({"type":"x"})");
    const std::string second = start_behind("y", {first});
    const std::string third = start_behind("z", {second});
    const std::string patient =
        start(fmt::format(R"({{"type":"p","blockers":["{}"],"onBlockerFailed":"wait"}})", first));
    client_.send("POST", path(first, "/cancel"));
    EXPECT_EQ(ended(third).text("/chain/status"), "failed");
    EXPECT_THAT(ended(second).text("/chain/errorMessage"), HasSubstr(first));
    EXPECT_EQ(client_.get("/v1/actions/" + second).text("/errorCode"), "blocker_failed");
    EXPECT_EQ(status_of(patient), "blocked");
    const std::string late = start_behind("late", {first});
    EXPECT_EQ(status_of(late), "failed") << "also one that has failed already";
    EXPECT_EQ(client_.send("POST", "/v1/actions/" + first + "/retry").status, 200);
    finish(first);
    EXPECT_EQ(status_of(patient), "pending");
    EXPECT_EQ(client_.send("POST", "/v1/actions/" + late + "/retry").text("/status"), "pending")
        << "by its blockers' present state";
}

TEST_F(BlockersOverHttp, ABlockedJobIsCompletedWithoutAWorkerToo) {
    const std::string first = start(R"({"type":"x"})");
    const std::string id = start_behind("t", {first});
    finish(id, 0, "7");
    EXPECT_EQ(status_of(id), "completed");
    finish(first);
    EXPECT_EQ(client_.get(path(id)).raw("/chain/output"), "7");
    EXPECT_EQ(client_.post("/v1/jobs/claim", R"({"types":["t"]})").body, R"({"jobs":[]})");
}

TEST_F(BlockersOverHttp, AContinuationWaitsToo) {
    const std::string id = start(R"({"type":"a"})");
    const Answered next =
        complete(id, 0, R"("continueWith":{"type":"b","blockers":[{"type":"side","input":1}]})");
    EXPECT_EQ(next.status, 200) << next.body;
    EXPECT_EQ(status_of(id), "blocked");
    const std::string side =
        client_.get("/v1/actions/" + next.text("/nextId")).text("/blockers/0/id");
    finish(side);
    EXPECT_EQ(status_of(id), "pending");
}

TEST_F(BlockersOverHttp, ACycleIsRefusedAndNothingIsMade) {
    const std::string id = start(R"({"type":"a"})");
    const std::string behind = start_behind("b", {id});
    const std::string further = start_behind("c", {behind});
    for (const std::string& blocker : {id, behind, further}) {
        const Answered refused = complete(
            id, 0, fmt::format(R"("continueWith":{{"type":"n","blockers":["{}"]}})", blocker));
        EXPECT_EQ(refused.status, 409) << refused.body;
        EXPECT_EQ(refused.code(), "cycle");
        EXPECT_EQ(refused.text("/pointer"), "/continueWith/blockers");
        EXPECT_EQ(refused.text("/type"), "/errors/cycle");
    }
    EXPECT_EQ(client_.get(path(id, "/jobs")).size("/items"), 1U);
    EXPECT_EQ(status_of(id), "pending");
    EXPECT_THAT(client_.get("/errors/cycle").body, HasSubstr("# cycle"));
    EXPECT_THAT(client_.get("/errors/dependants").body, HasSubstr("# dependants"));
}

// Contract section 9, number 1: 8 concurrent starts of one key made duplicates.
TEST_F(BlockersOverHttp, N01_ConcurrentStartsOfOneKeyMakeOneChain) {
    constexpr int kCallers = 8;
    constexpr int kKeys = 20;
    std::vector<std::set<std::string>> ids(kCallers);
    std::vector<int> made(kCallers, 0);
    std::vector<std::thread> threads;
    for (int i = 0; i < kCallers; ++i) {
        threads.emplace_back([&, i] {
            Caller own = caller();
            for (int key = 0; key < kKeys; ++key) {
                const Answered started =
                    own.post("/v1/chains",
                             fmt::format(R"({{"type":"t","deduplication":{{"key":"{}"}}}})", key));
                made[static_cast<std::size_t>(i)] += started.status == 201 ? 1 : 0;
                ids[static_cast<std::size_t>(i)].insert(started.text("/chain/id"));
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(std::accumulate(made.begin(), made.end(), 0), kKeys);
    EXPECT_EQ(chains(), static_cast<std::size_t>(kKeys));
    for (const auto& seen : ids) EXPECT_EQ(seen, ids.front());
}

// Contract section 9, number 2: two blockers completing together left jobs blocked for ever.
TEST_F(BlockersOverHttp, N02_BlockersThatCompleteTogetherStrandNobody) {
    constexpr int kJobs = 30;
    std::vector<std::string> left;
    std::vector<std::string> right;
    std::vector<std::string> waiting;
    for (int i = 0; i < kJobs; ++i) {
        left.push_back(start(R"({"type":"l"})"));
        right.push_back(start(R"({"type":"r"})"));
        waiting.push_back(start_behind("w", {left.back(), right.back()}));
    }
    const auto finish_all = [this](const std::vector<std::string>& all) {
        Caller own = caller();
        for (const std::string& id : all) {
            EXPECT_EQ(own.post(path(id, "/complete"), R"({"chainIndex":0})").status, 200);
        }
    };
    std::thread other([&] { finish_all(left); });
    finish_all(right);
    other.join();
    for (const std::string& id : waiting) EXPECT_EQ(status_of(id), "pending");
}

TEST_F(BlockersOverHttp, ASharedBlockerReleasesAllWhoWaitForIt) {
    const std::string shared = start(R"({"type":"x"})");
    std::vector<std::string> waiting;
    for (int i = 0; i < 20; ++i) waiting.push_back(start_behind("w", {shared}));
    finish(shared, 0, "5");
    const Answered claimed = claim("w", R"("max":100)");
    EXPECT_EQ(claimed.size("/jobs"), 20U);
    EXPECT_EQ(claimed.raw("/jobs/19/blockers/0/output"), "5");
}

}  // namespace
}  // namespace semel::test
