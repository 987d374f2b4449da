#include <gmock/gmock.h>

#include "http/fixture.hpp"

namespace semel::test {
namespace {

class ActionsOverHttp : public ApiTest {};

constexpr const char* kOrder = R"({"type":"mail","payload":{"entityId":"7","n":1}})";

TEST_F(ActionsOverHttp, TheFirstRequestIsNewAndTheSecondADuplicateWithTheSameId) {
    const Answered first = client_.post("/v1/actions", kOrder);
    EXPECT_EQ(first.status, 201);
    EXPECT_EQ(first.text("/decision"), "new");
    EXPECT_EQ(first.raw("/replaced"), "false");
    const Answered second =
        client_.post("/v1/actions", R"({"type":"mail","payload":{"entityId":"7","n":2}})");
    EXPECT_EQ(second.status, 200);
    EXPECT_EQ(second.text("/decision"), "duplicate");
    EXPECT_EQ(second.raw("/replaced"), "true");
    EXPECT_EQ(second.text("/id"), first.text("/id"));
    EXPECT_EQ(second.raw("/action/payload"), R"({"entityId":"7","n":2})");
}

TEST_F(ActionsOverHttp, AnActionShowsEveryMemberOfTheContractInItsOrder) {
    const Answered made = client_.post("/v1/actions", kOrder);
    std::vector<std::string> names;
    for (const auto& [name, value] : made.at("/action")->members()) {
        names.emplace_back(name);
    }
    EXPECT_THAT(names, testing::ElementsAre("id", "tenant", "type", "status", "payload", "output",
                                            "errorMessage", "errorCode", "attempts", "maxRetries",
                                            "lockGroup", "priority", "scheduledAt", "startedAt",
                                            "completedAt", "createdAt", "updatedAt", "scheduleName",
                                            "slot", "recurringInterval", "recurrenceType",
                                            "supersededBy", "uniqueUntil", "chainId", "chainIndex",
                                            "backoff", "timeoutMs"));
    EXPECT_EQ(made.text("/action/tenant"), "default");
    EXPECT_EQ(made.text("/action/status"), "pending");
    EXPECT_EQ(made.integer("/action/maxRetries"), 3);
    EXPECT_EQ(made.raw("/action/backoff"), R"({"kind":"linear","stepMs":300000})");
    EXPECT_EQ(made.text("/action/chainId"), made.text("/id"));
}

TEST_F(ActionsOverHttp, APayloadComesBackAsTheBytesThatCame) {
    const std::string payload = R"({ "big" : 12345678901234567890.10, "e":1.50E+2, "s":"\u00e4" })";
    const std::string id = schedule(R"({"type":"t","payload":)" + payload + "}");
    EXPECT_EQ(client_.get("/v1/actions/" + id).raw("/payload"), payload);
    EXPECT_EQ(claim("t").raw("/jobs/0/input"), payload);
}

TEST_F(ActionsOverHttp, ByIdItHasHistoryAndSaysWhatItWaitsFor) {
    const std::string id = schedule(R"({"type":"t","delayMs":3600000})");
    const Answered shown = client_.get("/v1/actions/" + id);
    EXPECT_EQ(shown.status, 200);
    EXPECT_EQ(shown.raw("/history"), "[]");
    EXPECT_EQ(shown.text("/waitingFor/reason"), "not_due");
    EXPECT_EQ(shown.text("/waitingFor/until"), shown.text("/scheduledAt"));
}

TEST_F(ActionsOverHttp, OneWithoutAWorkerSaysSoAndAWorkerMakesItReady) {
    const std::string id = schedule(R"({"type":"lonely"})");
    EXPECT_EQ(client_.get("/v1/actions/" + id).text("/waitingFor/reason"), "no_worker");
    EXPECT_EQ(claim("lonely").text("/jobs/0/id"), id);
    const std::string next = schedule(R"({"type":"lonely"})");
    EXPECT_EQ(client_.get("/v1/actions/" + next).text("/waitingFor/reason"), "ready");
}

TEST_F(ActionsOverHttp, AMemberOfALockGroupNamesWhoHoldsIt) {
    const std::string head = schedule(R"({"type":"a","lockGroup":"g"})");
    const std::string next = schedule(R"({"type":"b","lockGroup":"g"})");
    const Answered idle = client_.get("/v1/actions/" + next);
    EXPECT_EQ(idle.text("/waitingFor/reason"), "lock_group");
    EXPECT_EQ(idle.text("/waitingFor/heldBy"), head);
    EXPECT_THAT(idle.text("/waitingFor/detail"), testing::HasSubstr("no worker"));
    static_cast<void>(claim("a"));
    EXPECT_THAT(client_.get("/v1/actions/" + next).text("/waitingFor/detail"),
                testing::HasSubstr("running"));
}

TEST_F(ActionsOverHttp, TheRunningAttemptIsTheLastOfTheHistory) {
    const std::string id = schedule(R"({"type":"t"})");
    const Answered first = claim("t", R"("worker":"ann")");
    client_.post("/v1/jobs/" + id + "/release", token_body(first.integer("/jobs/0/token")));
    const Answered second = claim("t", R"("worker":"bob")");
    const Answered shown = client_.get("/v1/actions/" + id);
    ASSERT_EQ(shown.size("/history"), 2U) << shown.body;
    EXPECT_EQ(shown.text("/history/0/worker"), "ann");
    EXPECT_EQ(shown.text("/history/0/outcome"), "released");
    EXPECT_EQ(shown.text("/history/1/worker"), "bob");
    EXPECT_EQ(shown.text("/history/1/outcome"), "running");
    EXPECT_EQ(shown.integer("/history/1/token"), second.integer("/jobs/0/token"));
    EXPECT_EQ(shown.raw("/waitingFor"), "null");
}

// ---- deduplication -----------------------------------------------------------------------------

TEST_F(ActionsOverHttp, KeepLeavesThePayloadAndSaysThatItDiffers) {
    const std::string id = schedule(kOrder);
    const Answered kept =
        client_.post("/v1/actions",
                     R"({"type":"mail","payload":{"entityId":"7","n":2},"priority":5,
            "deduplication":{"onDuplicate":"keep"}})");
    EXPECT_EQ(kept.status, 200);
    EXPECT_EQ(kept.raw("/replaced"), "false");
    EXPECT_EQ(kept.raw("/payloadDiffers"), "true");
    EXPECT_EQ(kept.raw("/ignored"), R"(["priority"])");
    EXPECT_EQ(client_.get("/v1/actions/" + id).integer("/payload/n"), 1);
}

TEST_F(ActionsOverHttp, RejectAnswersAConflictWithTheDiffAndChangesNothing) {
    const std::string id = schedule(kOrder);
    const Answered refused = client_.post(
        "/v1/actions",
        R"({"type":"mail","payload":{"entityId":"7","n":2},"deduplication":{"onDuplicate":"reject"}})");
    EXPECT_EQ(refused.status, 409);
    EXPECT_EQ(refused.code(), "conflict");
    EXPECT_EQ(refused.text("/decision"), "conflict");
    EXPECT_EQ(refused.text("/existingId"), id);
    EXPECT_EQ(refused.raw("/diff"), R"([{"op":"replace","path":"/n","value":2}])");
    EXPECT_EQ(*refused.header("content-type"), "application/problem+json");
    EXPECT_EQ(client_.get("/v1/actions/" + id).integer("/payload/n"), 1);
    const Answered same = client_.post(
        "/v1/actions",
        R"({"type":"mail","payload":{"n":1,"entityId":"7"},"deduplication":{"onDuplicate":"reject"}})");
    EXPECT_EQ(same.status, 200) << same.body;
}

TEST_F(ActionsOverHttp, DebouncePushesTheTimeAndKeepsTheId) {
    const std::string body =
        R"({"type":"t","payload":{"entityId":1},"deduplication":{"windowSeconds":600,"onDuplicate":"debounce"}})";
    const Answered first = client_.post("/v1/actions", body);
    const Answered second = client_.post("/v1/actions", body);
    EXPECT_EQ(second.text("/id"), first.text("/id"));
    EXPECT_GE(second.text("/action/scheduledAt"), first.text("/action/scheduledAt"));
    EXPECT_GT(first.text("/action/scheduledAt"), first.text("/action/createdAt"));
    EXPECT_EQ(client_.get("/v1/actions/" + first.text("/id")).text("/waitingFor/reason"),
              "not_due");
}

TEST_F(ActionsOverHttp, ADuplicateOfARunningActionIsItsSuccessor) {
    const std::string first = schedule(kOrder);
    static_cast<void>(claim("mail"));
    const Answered second = client_.post("/v1/actions", kOrder);
    EXPECT_EQ(second.status, 201);
    EXPECT_EQ(second.text("/successorOf"), first);
    const Answered waiting = client_.get("/v1/actions/" + second.text("/id"));
    EXPECT_EQ(waiting.text("/waitingFor/reason"), "predecessor");
    EXPECT_EQ(waiting.text("/waitingFor/heldBy"), first);
}

TEST_F(ActionsOverHttp, WithoutDeduplicationEveryRequestMakesAnAction) {
    const std::string body = R"({"type":"t","payload":{"entityId":"7"},"deduplication":false})";
    EXPECT_NE(schedule(body), schedule(body));
}

// ---- batches -----------------------------------------------------------------------------------

TEST_F(ActionsOverHttp, ABatchAnswersItemByItemAndABadItemUndoesItselfOnly) {
    const Answered batch = client_.post("/v1/actions/batch", R"({"items":[
        {"type":"a","payload":{"entityId":"1","v":1}},
        {"type":"a","delayMs":-1},
        {"type":"a","payload":{"entityId":"1","v":2}},
        {"type":"a","colour":"red"},
        7,
        {"type":"b"}]})");
    ASSERT_EQ(batch.status, 200) << batch.body;
    ASSERT_EQ(batch.size("/results"), 6U);
    EXPECT_EQ(batch.text("/results/0/decision"), "new");
    EXPECT_EQ(batch.text("/results/1/error/code"), "invalid");
    EXPECT_EQ(batch.text("/results/1/error/pointer"), "/items/1/delayMs");
    EXPECT_EQ(batch.text("/results/2/decision"), "duplicate");
    EXPECT_EQ(batch.text("/results/2/id"), batch.text("/results/0/id"));
    EXPECT_EQ(batch.raw("/results/2/replaced"), "true");
    EXPECT_EQ(batch.text("/results/3/error/code"), "unknown_member");
    EXPECT_EQ(batch.text("/results/3/error/pointer"), "/items/3/colour");
    EXPECT_EQ(batch.text("/results/4/error/pointer"), "/items/4");
    EXPECT_EQ(batch.text("/results/5/decision"), "new");
    EXPECT_EQ(client_.get("/v1/actions").size("/items"), 2U);
}

// ---- operators ---------------------------------------------------------------------------------

TEST_F(ActionsOverHttp, RunBringsTheTimeToNow) {
    const std::string id = schedule(R"({"type":"t","delayMs":3600000})");
    const Answered run = client_.post("/v1/actions/" + id + "/run", "");
    EXPECT_EQ(run.status, 200) << run.body;
    EXPECT_EQ(run.text("/status"), "pending");
    EXPECT_EQ(run.text("/action/id"), id);
    EXPECT_EQ(claim("t").text("/jobs/0/id"), id);
    const Answered again = client_.post("/v1/actions/" + id + "/run", "{}");
    EXPECT_EQ(again.status, 409);
    EXPECT_EQ(again.code(), "wrong_state");
    EXPECT_EQ(again.text("/state"), "running");
}

TEST_F(ActionsOverHttp, CancelFencesARunningJob) {
    const std::string id = schedule(R"({"type":"t"})");
    const Answered taken = claim("t");
    const Answered cancelled = client_.send("POST", "/v1/actions/" + id + "/cancel");
    EXPECT_EQ(cancelled.status, 200) << cancelled.body;
    EXPECT_EQ(cancelled.text("/status"), "cancelled");
    const Answered late =
        client_.post("/v1/jobs/" + id + "/complete", token_body(taken.integer("/jobs/0/token")));
    EXPECT_EQ(late.status, 409);
    EXPECT_EQ(late.code(), "stale_token");
    EXPECT_EQ(client_.get("/v1/actions/" + id).text("/status"), "cancelled");
}

TEST_F(ActionsOverHttp, RetryOpensANewRound) {
    const std::string id = schedule(R"({"type":"t","maxRetries":1})");
    const std::int64_t token = claim("t").integer("/jobs/0/token");
    const Answered failed =
        client_.post("/v1/jobs/" + id + "/fail", token_body(token, R"("error":"no")"));
    EXPECT_EQ(failed.text("/status"), "failed");
    EXPECT_EQ(client_.get("/v1/actions/" + id).text("/errorMessage"), "no");
    const Answered retried = client_.post("/v1/actions/" + id + "/retry", "");
    EXPECT_EQ(retried.status, 200) << retried.body;
    EXPECT_EQ(retried.integer("/action/attempts"), 0);
    EXPECT_GT(claim("t").integer("/jobs/0/token"), token);
}

TEST_F(ActionsOverHttp, RetryIsRefusedWhenTheKeyHasANewerOwnerUnlessForced) {
    const std::string old = schedule(kOrder);
    EXPECT_EQ(client_.post("/v1/actions/" + old + "/cancel", "").status, 200);
    const std::string newer = schedule(kOrder);
    const Answered refused = client_.post("/v1/actions/" + old + "/retry", "{}");
    EXPECT_EQ(refused.status, 409);
    EXPECT_EQ(refused.code(), "superseded");
    EXPECT_EQ(refused.text("/existingId"), newer);
    EXPECT_EQ(client_.get("/v1/actions/" + old).text("/status"), "cancelled");
    const Answered forced = client_.post("/v1/actions/" + old + "/retry", R"({"force":true})");
    EXPECT_EQ(forced.status, 200);
    EXPECT_EQ(forced.text("/status"), "pending");
}

// ---- lists -------------------------------------------------------------------------------------

TEST_F(ActionsOverHttp, ListsAreNewestFirstAndFiltersMeanWhatTheySay) {
    const std::string a = schedule(R"({"type":"a","lockGroup":"g"})");
    const std::string b = schedule(R"({"type":"b"})");
    static_cast<void>(claim("b"));
    const Answered all = client_.get("/v1/actions");
    ASSERT_EQ(all.size("/items"), 2U);
    EXPECT_EQ(all.text("/items/0/id"), newest_first({a, b})[0]);
    EXPECT_EQ(all.raw("/nextCursor"), "null");
    const std::vector<std::pair<std::string, std::vector<std::string>>> cases = {
        {"status=running", {b}},
        {"status=pending", {a}},
        {"type=a", {a}},
        {"lockGroup=g", {a}},
        {"chainId=" + b, {b}},
        {"scheduleName=nightly", {}},
        {"from=2099-01-01T00:00:00Z", {}},
        {"to=2099-01-01T00:00:00Z&type=b", {b}},
        {"to=1999-01-01T00:00:00Z", {}},
    };
    for (const auto& [query, expected] : cases) {
        const Answered some = client_.get("/v1/actions?" + query);
        EXPECT_EQ(some.status, 200) << query << some.body;
        ASSERT_EQ(some.size("/items"), expected.size()) << query;
        for (std::size_t i = 0; i < expected.size(); ++i) {
            EXPECT_EQ(some.text("/items/" + std::to_string(i) + "/id"), expected[i]) << query;
        }
    }
}

TEST_F(ActionsOverHttp, AWalkShowsEveryRowOnceWhileOthersAreMade) {
    std::vector<std::string> made;
    made.reserve(23);
    for (int i = 0; i < 23; ++i) {
        made.push_back(schedule(R"({"type":"walk"})"));
    }
    std::vector<std::string> seen;
    std::string cursor;
    do {
        const Answered page = client_.get("/v1/actions?type=walk&limit=5" +
                                          (cursor.empty() ? "" : "&cursor=" + cursor));
        ASSERT_EQ(page.status, 200) << page.body;
        for (const json::Value item : page.at("/items")->elements()) {
            seen.emplace_back(item.find("id")->as_string());
        }
        cursor = page.text("/nextCursor");
        schedule(R"({"type":"walk"})");
    } while (!cursor.empty());
    EXPECT_THAT(seen, testing::ElementsAreArray(newest_first(made)));
}

TEST_F(ActionsOverHttp, ACursorIsForItsOwnFiltersAndTenant) {
    for (int i = 0; i < 3; ++i) {
        schedule(R"({"type":"a"})");
    }
    const std::string cursor = client_.get("/v1/actions?type=a&limit=1").text("/nextCursor");
    ASSERT_FALSE(cursor.empty());
    EXPECT_EQ(client_.get("/v1/actions?type=a&limit=2&cursor=" + cursor).status, 200);
    EXPECT_EQ(client_.get("/v1/actions?type=b&cursor=" + cursor).code(), "invalid");
    EXPECT_EQ(client_.get("/v1/actions?cursor=" + cursor).code(), "invalid");
    Caller other = tenant_caller("other");
    EXPECT_EQ(other.get("/v1/actions?type=a&cursor=" + cursor).code(), "invalid");
}

// ---- tenants -----------------------------------------------------------------------------------

TEST_F(ActionsOverHttp, TenantsNeverMeet) {
    Caller acme = tenant_caller("acme");
    const Answered ours = client_.post("/v1/actions", kOrder);
    const Answered theirs = acme.post("/v1/actions", kOrder);
    EXPECT_EQ(theirs.status, 201) << "the same key in another tenant is another key";
    EXPECT_NE(ours.text("/id"), theirs.text("/id"));
    EXPECT_EQ(theirs.text("/action/tenant"), "acme");
    const std::string path = "/v1/actions/" + ours.text("/id");
    EXPECT_EQ(acme.get(path).status, 404);
    for (const char* verb : {"/run", "/retry", "/cancel"}) {
        EXPECT_EQ(acme.post(path + verb, "").status, 404) << verb;
    }
    EXPECT_EQ(acme.get("/v1/actions").size("/items"), 1U);
    EXPECT_EQ(acme.post("/v1/jobs/claim", R"({"types":["mail"],"max":10})").text("/jobs/0/id"),
              theirs.text("/id"));
    EXPECT_EQ(client_.get(path).text("/status"), "pending");
}

}  // namespace
}  // namespace semel::test
