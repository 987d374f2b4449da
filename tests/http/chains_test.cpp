// Chains over HTTP: start, find, steer.
#include "http/chain_fixture.hpp"

namespace semel::test {
namespace {

using testing::HasSubstr;
using testing::UnorderedElementsAre;

class ChainsOverHttp : public ChainTest {};

std::vector<std::string> names_of(json::Value object) {
    std::vector<std::string> names;
    for (const auto& [name, value] : object.members()) {
        names.emplace_back(name);
    }
    return names;
}

TEST_F(ChainsOverHttp, AChainHasWhatTheContractNames) {
    const Answered started =
        client_.post("/v1/chains", R"({"type":"order","input":{ "n" : 1.0 }})");
    EXPECT_EQ(started.status, 201) << started.body;
    EXPECT_THAT(names_of(started.document->root()),
                UnorderedElementsAre("chain", "deduplicated", "inputDiffers"));
    EXPECT_EQ(started.raw("/deduplicated"), "false");
    EXPECT_EQ(started.raw("/inputDiffers"), "false");
    const std::string id = started.text("/chain/id");
    const Answered shown = client_.get(path(id));
    EXPECT_EQ(shown.status, 200);
    EXPECT_THAT(names_of(*shown.at("/chain")),
                UnorderedElementsAre("id", "type", "tenant", "input", "status", "output",
                                     "errorMessage", "chainIndex", "createdAt", "completedAt"));
    EXPECT_EQ(shown.raw("/chain"), started.raw("/chain"));
    EXPECT_EQ(shown.raw("/chain/input"), R"({ "n" : 1.0 })");
    EXPECT_EQ(shown.text("/chain/status"), "pending");
    EXPECT_EQ(shown.raw("/chain/output"), "null");
    EXPECT_EQ(shown.raw("/chain/completedAt"), "null");
    EXPECT_EQ(client_.get("/v1/actions/" + id).raw("/maxRetries"), "null") << "any number";
}

TEST_F(ChainsOverHttp, ItsStatusAndOutputAreItsLastJobs) {
    const std::string id = start(R"({"type":"a"})");
    const Answered next = complete(id, 0, R"("continueWith":{"type":"b","input":2})");
    EXPECT_EQ(next.status, 200) << next.body;
    EXPECT_EQ(next.text("/id"), id);
    EXPECT_EQ(next.text("/status"), "completed");
    EXPECT_EQ(status_of(id), "pending");
    EXPECT_EQ(client_.get(path(id)).integer("/chain/chainIndex"), 1);
    finish(id, 1, R"({"done":true})");
    const Answered shown = client_.get(path(id));
    EXPECT_EQ(shown.text("/chain/status"), "completed");
    EXPECT_EQ(shown.raw("/chain/output"), R"({"done":true})");
    EXPECT_EQ(shown.text("/chain/type"), "a");
    EXPECT_FALSE(shown.text("/chain/completedAt").empty());
}

TEST_F(ChainsOverHttp, AMatchAnswersTheChainThatIsThere) {
    const std::string id = start(R"({"type":"a","input":1,"deduplication":{"key":"k"}})");
    const Answered same =
        client_.post("/v1/chains", R"({"type":"a","input":1.0,"deduplication":{"key":"k"}})");
    EXPECT_EQ(same.status, 200) << same.body;
    EXPECT_EQ(same.text("/chain/id"), id);
    EXPECT_EQ(same.raw("/deduplicated"), "true");
    EXPECT_EQ(same.raw("/inputDiffers"), "false");
    const Answered other = client_.post(
        "/v1/chains",
        R"({"type":"a","input":2,"deduplication":{"key":"k"},"blockers":[{"type":"side"}]})");
    EXPECT_EQ(other.raw("/inputDiffers"), "true");
    EXPECT_EQ(other.raw("/chain/input"), "1");
    EXPECT_EQ(chains(), 1U) << "inline blockers of a match are not created";
    start(R"({"type":"b","deduplication":{"key":"k"}})");
}

// Contract section 9, number 3: a second chain started while the first was open.
TEST_F(ChainsOverHttp, N03_TheLastJobDecidesWhetherAChainIsIncomplete) {
    const std::string body = R"({"type":"a","deduplication":{"key":"k"}})";
    const std::string id = start(body);
    complete(id, 0, R"("continueWith":{"type":"b"})");
    EXPECT_EQ(client_.post("/v1/chains", body).text("/chain/id"), id);
    finish(id, 1);
    EXPECT_EQ(
        client_.post("/v1/chains", R"({"type":"a","deduplication":{"key":"k","scope":"any"}})")
            .text("/chain/id"),
        id);
    EXPECT_NE(start(body), id);
}

TEST_F(ChainsOverHttp, AnIdOfYourOwnMakesARepeatHarmless) {
    const std::string body = fmt::format(R"({{"id":"{}","type":"a","input":1}})", kNobody);
    EXPECT_EQ(start(body), kNobody);
    const Answered again = client_.post("/v1/chains", body);
    EXPECT_EQ(again.status, 200) << again.body;
    EXPECT_EQ(again.raw("/deduplicated"), "true");
    const Answered other =
        client_.post("/v1/chains", fmt::format(R"({{"id":"{}","type":"a","input":2}})", kNobody));
    EXPECT_EQ(other.status, 409) << other.body;
    EXPECT_EQ(other.code(), "conflict");
    EXPECT_EQ(other.text("/decision"), "conflict");
    EXPECT_EQ(other.text("/existingId"), kNobody);
}

TEST_F(ChainsOverHttp, ABatchIsOneCommitAndReportsPerItem) {
    const Answered batch =
        client_.post("/v1/chains/batch", fmt::format(R"({{"items":[{{"type":"a","id":"{0}"}},
                        {{"type":"b","blockers":["{0}"]}},
                        {{"type":"c","deduplication":{{"key":"k"}}}},
                        {{"type":"c","input":1,"deduplication":{{"key":"k"}}}},
                        {{"type":"d","nothing":1}},
                        {{"type":"e","blockers":["0192f0c1-2b7e-7000-8000-00000000000f"]}}]}})",
                                                     kNobody));
    EXPECT_EQ(batch.status, 200) << batch.body;
    ASSERT_EQ(batch.size("/results"), 6U) << batch.body;
    EXPECT_EQ(batch.text("/results/0/chain/id"), kNobody);
    EXPECT_EQ(batch.text("/results/1/chain/status"), "blocked");
    EXPECT_EQ(batch.raw("/results/2/deduplicated"), "false");
    EXPECT_EQ(batch.raw("/results/3/deduplicated"), "true");
    EXPECT_EQ(batch.raw("/results/3/inputDiffers"), "true");
    EXPECT_EQ(batch.text("/results/4/error/code"), "unknown_member");
    EXPECT_EQ(batch.text("/results/4/error/pointer"), "/items/4/nothing");
    EXPECT_EQ(batch.text("/results/5/error/code"), "not_found");
    EXPECT_EQ(batch.text("/results/5/error/pointer"), "/items/5/blockers/0");
    EXPECT_EQ(chains(), 3U) << "a bad item undoes itself only";
    EXPECT_EQ(client_.post("/v1/chains/batch", R"({"items":[]})").body, R"({"results":[]})");
}

TEST_F(ChainsOverHttp, AJobsContinuationHasItsOwnIdAndItsRepeatTheSameAnswer) {
    const std::string id = schedule(R"({"type":"t","maxRetries":7,"priority":3})");
    const std::int64_t token = claim("t").integer("/jobs/0/token");
    const std::string body = token_body(token, R"("continueWith":{"type":"u","input":[1]})");
    const Answered done = client_.post("/v1/jobs/" + id + "/complete", body);
    EXPECT_EQ(done.status, 200) << done.body;
    const std::string next = done.text("/nextId");
    EXPECT_EQ(client_.post("/v1/jobs/" + id + "/complete", body).body, done.body);
    const Answered other = client_.post("/v1/jobs/" + id + "/complete",
                                        token_body(token, R"("continueWith":{"type":"v"})"));
    EXPECT_EQ(other.status, 409) << other.body;
    EXPECT_EQ(other.code(), "conflict");
    EXPECT_GT(other.size("/diff"), 0U) << other.body;
    const Answered claimed = claim("u");
    EXPECT_EQ(claimed.text("/jobs/0/id"), next);
    EXPECT_EQ(claimed.text("/jobs/0/chainId"), id);
    EXPECT_EQ(claimed.integer("/jobs/0/chainIndex"), 1);
    EXPECT_EQ(claimed.raw("/jobs/0/input"), "[1]");
    const Answered shown = client_.get("/v1/actions/" + next);
    EXPECT_EQ(shown.integer("/maxRetries"), 7) << "continuations inherit";
    EXPECT_EQ(shown.integer("/priority"), 3);
}

TEST_F(ChainsOverHttp, SettleContinuesToo) {
    const std::string id = start(R"({"type":"t"})");
    const std::int64_t token = claim("t").integer("/jobs/0/token");
    const Answered settled = client_.post(
        "/v1/jobs/settle",
        fmt::format(R"({{"items":[{{"id":"{0}","verb":"complete","token":{1},"output":1,
                        "continueWith":{{"type":"u"}}}},
                        {{"id":"{0}","verb":"complete","token":{1},"continueWith":{{"type":"u"}}}},
                        {{"id":"{0}","verb":"fail","token":{1},"error":"","continueWith":{{}}}}]}})",
                    id, token));
    EXPECT_EQ(settled.integer("/results/0/status"), 400) << settled.body;
    EXPECT_EQ(settled.text("/results/0/body/pointer"), "/items/0/continueWith");
    EXPECT_EQ(settled.integer("/results/1/status"), 200);
    EXPECT_FALSE(settled.text("/results/1/body/nextId").empty());
    EXPECT_EQ(settled.text("/results/2/body/code"), "unknown_member");
}

TEST_F(ChainsOverHttp, ItIsCompletedWithoutAWorkerAndTheOwnerIsFenced) {
    const std::string id = start(R"({"type":"t"})");
    const std::int64_t token = claim("t").integer("/jobs/0/token");
    const Answered done = complete(id, 0, R"("output":{"ok":1})");
    EXPECT_EQ(done.status, 200) << done.body;
    EXPECT_GT(done.integer("/token"), token);
    EXPECT_FALSE(done.at("/nextId"));
    EXPECT_EQ(complete(id, 0, R"("output":{"ok":1.0})").body, done.body);
    EXPECT_EQ(complete(id, 0, R"("output":2)").code(), "conflict");
    EXPECT_EQ(client_.post("/v1/jobs/" + id + "/complete", token_body(token)).code(),
              "stale_token");
    const Answered beyond = complete(id, 1, "");
    EXPECT_EQ(beyond.status, 409) << beyond.body;
    EXPECT_EQ(beyond.code(), "wrong_state");
    EXPECT_THAT(beyond.text("/detail"), HasSubstr("chainIndex 0"));
}

TEST_F(ChainsOverHttp, ARepeatedCompletionDoesNotCompleteTheNextOne) {
    const std::string id = start(R"({"type":"a"})");
    const std::string next = R"("continueWith":{"type":"b"})";
    const Answered first = complete(id, 0, next);
    EXPECT_EQ(complete(id, 0, next).body, first.body);
    EXPECT_EQ(client_.get(path(id, "/jobs")).size("/items"), 2U);
    EXPECT_EQ(status_of(id), "pending");
    EXPECT_EQ(complete(id, 0, R"("output":1)").code(), "conflict");
}

TEST_F(ChainsOverHttp, CancelEndsItAtItsCurrentJob) {
    const std::string id = start(R"({"type":"a"})");
    complete(id, 0, R"("continueWith":{"type":"b"})");
    const Answered cancelled = client_.send("POST", path(id, "/cancel"));
    EXPECT_EQ(cancelled.status, 200) << cancelled.body;
    EXPECT_EQ(cancelled.text("/chain/status"), "cancelled");
    EXPECT_EQ(cancelled.integer("/chain/chainIndex"), 1);
    const Answered again = client_.send("POST", path(id, "/cancel"));
    EXPECT_EQ(again.code(), "wrong_state");
    EXPECT_EQ(again.text("/state"), "cancelled");
}

TEST_F(ChainsOverHttp, AStepIsScheduledForLaterAndRunNow) {
    const Answered later =
        client_.post("/v1/chains", R"({"type":"a","schedule":{"afterMs":3600000}})");
    const std::string id = later.text("/chain/id");
    EXPECT_EQ(client_.post("/v1/jobs/claim", R"({"types":["a"]})").body, R"({"jobs":[]})");
    EXPECT_EQ(client_.send("POST", "/v1/actions/" + id + "/run").status, 200);
    EXPECT_EQ(claim("a").text("/jobs/0/id"), id);
    const std::string past = start(R"({"type":"b","schedule":{"at":"2001-01-01T00:00:00Z"}})");
    const Answered shown = client_.get("/v1/actions/" + past);
    EXPECT_EQ(shown.text("/scheduledAt"), shown.text("/createdAt")) << "a past time means now";
    complete(past, 0, R"("continueWith":{"type":"c","schedule":{"at":"2099-01-01T00:00:00Z"}})");
    EXPECT_EQ(client_.get(path(past, "/jobs")).text("/items/1/scheduledAt"),
              "2099-01-01T00:00:00.000Z");
}

TEST_F(ChainsOverHttp, AnIdempotencyKeyReplaysTheStart) {
    const Headers key = {{"Idempotency-Key", "k"}};
    const Answered first = client_.post("/v1/chains", R"({"type":"a"})", key);
    const Answered second = client_.post("/v1/chains", R"({"type":"a"})", key);
    EXPECT_EQ(second.status, 201);
    EXPECT_EQ(second.body, first.body);
    EXPECT_NE(second.header("Idempotent-Replayed"), nullptr);
    EXPECT_EQ(client_.post("/v1/chains", R"({"type":"b"})", key).code(), "key_reused");
    EXPECT_EQ(chains(), 1U);
}

TEST_F(ChainsOverHttp, ListsFilterAndWalkNewestFirst) {
    EXPECT_EQ(client_.get("/v1/chains").body, R"({"items":[],"nextCursor":null})");
    std::vector<std::string> ids;
    for (int i = 0; i < 5; ++i) {
        ids.push_back(start(i % 2 == 0 ? R"({"type":"even"})" : R"({"type":"odd"})"));
    }
    schedule(R"({"type":"even"})");  // an action is not listed
    complete(ids[0], 0, R"("continueWith":{"type":"odd"})");
    finish(ids[1]);
    EXPECT_EQ(client_.get("/v1/chains?type=odd").size("/items"), 2U);
    EXPECT_EQ(client_.get("/v1/chains?status=completed").text("/items/0/id"), ids[1]);
    EXPECT_EQ(client_.get("/v1/chains?to=2001-01-01T00:00:00Z").size("/items"), 0U);
    EXPECT_EQ(client_.get("/v1/chains?from=2001-01-01T00:00:00Z").size("/items"), 5U);
    std::vector<std::string> walked;
    std::string cursor;
    do {
        const Answered page =
            client_.get("/v1/chains?limit=2" + (cursor.empty() ? "" : "&cursor=" + cursor));
        for (std::size_t i = 0; i < page.size("/items"); ++i) {
            walked.push_back(page.text(fmt::format("/items/{}/id", i)));
        }
        cursor = page.text("/nextCursor");
    } while (!cursor.empty());
    EXPECT_EQ(walked, newest_first(ids));
    const std::string first = client_.get("/v1/chains?limit=1").text("/nextCursor");
    EXPECT_EQ(client_.get("/v1/chains?limit=1&type=odd&cursor=" + first).code(), "invalid");
    EXPECT_EQ(client_.get("/v1/chains?chainIndex=1").status, 400);
    EXPECT_EQ(client_.get("/v1/chains?status=odd").code(), "invalid");
}

TEST_F(ChainsOverHttp, APageHasFiftyUnlessToldOtherwise) {
    std::string items;
    for (int i = 0; i < 51; ++i) items += i == 0 ? R"({"type":"a"})" : R"(,{"type":"a"})";
    EXPECT_EQ(client_.post("/v1/chains/batch", R"({"items":[)" + items + "]}").status, 200);
    const Answered page = client_.get("/v1/chains");
    EXPECT_EQ(page.size("/items"), 50U);
    const Answered rest = client_.get("/v1/chains?cursor=" + page.text("/nextCursor"));
    EXPECT_EQ(rest.size("/items"), 1U);
    EXPECT_EQ(chains(), 51U);
    EXPECT_EQ(client_.get("/v1/chains?limit=501").status, 400);
}

TEST_F(ChainsOverHttp, ItsJobsComeInOrderPageByPage) {
    const std::string id = start(R"({"type":"a"})");
    for (int i = 0; i < 4; ++i) {
        complete(id, i, fmt::format(R"("continueWith":{{"type":"s{}"}})", i + 1));
    }
    start(R"({"type":"other"})");
    const Answered all = client_.get(path(id, "/jobs"));
    ASSERT_EQ(all.size("/items"), 5U) << all.body;
    EXPECT_EQ(all.raw("/nextCursor"), "null");
    EXPECT_EQ(all.text("/items/0/id"), id);
    EXPECT_EQ(all.text("/items/4/type"), "s4");
    EXPECT_EQ(all.integer("/items/4/chainIndex"), 4);
    EXPECT_EQ(all.raw("/items/0/blockers"), "[]");
    const Answered page = client_.get(path(id, "/jobs?limit=3"));
    EXPECT_EQ(page.size("/items"), 3U);
    const Answered rest = client_.get(path(id, "/jobs?limit=3&cursor=" + page.text("/nextCursor")));
    ASSERT_EQ(rest.size("/items"), 2U);
    EXPECT_EQ(rest.integer("/items/0/chainIndex"), 3);
    EXPECT_EQ(rest.raw("/nextCursor"), "null");
    EXPECT_EQ(client_.get("/v1/actions?chainId=" + id).size("/items"), 5U);
}

TEST_F(ChainsOverHttp, TenantsNeverMeet) {
    Caller other = tenant_caller("other");
    const std::string id = start(R"({"type":"a","deduplication":{"key":"k"}})");
    for (const char* more : {"", "/jobs", "/wait"}) {
        EXPECT_EQ(other.get(path(id, more)).status, 404) << more;
    }
    EXPECT_EQ(other.send("POST", path(id, "/cancel")).status, 404);
    EXPECT_EQ(other.post(path(id, "/complete"), R"({"chainIndex":0})").status, 404);
    EXPECT_EQ(other.post("/v1/chains", R"({"type":"a","blockers":[")" + id + R"("]})").status, 404);
    EXPECT_EQ(other.post("/v1/chains", R"({"type":"a","deduplication":{"key":"k"}})").status, 201);
    EXPECT_EQ(other.get("/v1/chains").size("/items"), 1U);
    const Answered taken = other.post("/v1/chains", fmt::format(R"({{"type":"a","id":"{}"}})", id));
    EXPECT_EQ(taken.status, 409) << taken.body;
    EXPECT_EQ(taken.body.find("default"), std::string::npos) << "nothing of the other is told";
}

// The pattern that runs itself again: it starts its successor although it is not finished itself.
TEST_F(ChainsOverHttp, ALoopReschedulesItselfWithExcludeChainIds) {
    std::string id = start(R"({"type":"loop","deduplication":{"key":"nightly"}})");
    for (int round = 0; round < 3; ++round) {
        const Answered next = client_.post(
            "/v1/chains",
            fmt::format(
                R"({{"type":"loop","deduplication":{{"key":"nightly","excludeChainIds":["{}"]}}}})",
                id));
        ASSERT_EQ(next.status, 201) << next.body;
        const Answered again = client_.post(
            "/v1/chains",
            fmt::format(
                R"({{"type":"loop","deduplication":{{"key":"nightly","excludeChainIds":["{}"]}}}})",
                id));
        EXPECT_EQ(again.text("/chain/id"), next.text("/chain/id")) << "a repeat starts no third";
        finish(id);
        id = next.text("/chain/id");
    }
    EXPECT_EQ(client_.get("/v1/chains?status=pending").size("/items"), 1U);
}

}  // namespace
}  // namespace semel::test
