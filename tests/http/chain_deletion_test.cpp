// Deleting chains over HTTP.
#include <future>

#include "http/chain_fixture.hpp"

namespace semel::test {
namespace {

using testing::HasSubstr;

class ChainDeletionOverHttp : public ChainTest {
protected:
    Answered remove(const std::string& chain, const std::string& query = {}) {
        return client_.send("DELETE", path(chain, query));
    }
    void expect_gone(const std::string& chain) {
        EXPECT_EQ(client_.get(path(chain)).status, 404);
        EXPECT_EQ(client_.get("/v1/actions/" + chain).status, 404);
        EXPECT_EQ(client_.get(path(chain, "/jobs")).status, 404);
    }
};

TEST_F(ChainDeletionOverHttp, AChainGoesWithAllItsJobs) {
    const std::string id = start(R"({"type":"a"})");
    const std::string next = complete(id, 0, R"("continueWith":{"type":"b"})").text("/nextId");
    const Answered deleted = remove(id);
    EXPECT_EQ(deleted.status, 200) << deleted.body;
    EXPECT_EQ(deleted.body, R"({"deleted":[")" + id + R"("]})");
    expect_gone(id);
    EXPECT_EQ(client_.get("/v1/actions/" + next).status, 404);
    EXPECT_EQ(chains(), 0U);
    EXPECT_EQ(client_.post("/v1/jobs/claim", R"({"types":["b"]})").body, R"({"jobs":[]})");
    EXPECT_EQ(remove(id).status, 404) << "a repeat";
}

TEST_F(ChainDeletionOverHttp, ARunningOwnerIsFencedAndItsLockGroupGoesOn) {
    const std::string id = start(R"({"type":"a","lockGroup":"g"})");
    start(R"({"type":"b","lockGroup":"g"})");
    const std::int64_t token = claim("a").integer("/jobs/0/token");
    EXPECT_EQ(remove(id).status, 200);
    for (const char* verb : {"/complete", "/heartbeat", "/release"}) {
        const Answered late = client_.post("/v1/jobs/" + id + verb, token_body(token));
        EXPECT_EQ(late.status, 404) << verb << late.body;
    }
    EXPECT_EQ(claim("b").size("/jobs"), 1U);
    expect_gone(id);
}

TEST_F(ChainDeletionOverHttp, WhileOthersWaitItIsRefusedWithTheList) {
    const std::string id = start(R"({"type":"a"})");
    const std::string behind = start_behind("b", {id});
    for (const char* query : {"", "?cascade=false", "?cascade=true"}) {
        const Answered refused = remove(id, query);
        EXPECT_EQ(refused.status, 409) << refused.body;
        EXPECT_EQ(refused.code(), "dependants");
        EXPECT_EQ(refused.raw("/dependants"), "[\"" + behind + "\"]");
        EXPECT_THAT(refused.text("/detail"), HasSubstr("Nothing was changed"));
    }
    EXPECT_EQ(status_of(id), "pending");
    finish(id);
    EXPECT_EQ(remove(id).code(), "dependants") << "its output is yet to be given";
    finish(behind);
    EXPECT_EQ(remove(id).status, 200);
    EXPECT_EQ(client_.get("/v1/actions/" + behind).raw("/blockers/0/status"), "null");
}

TEST_F(ChainDeletionOverHttp, CascadeTakesItsBlockersTransitivelyUnlessSomebodyOutsideWaits) {
    const std::string base = start(R"({"type":"base"})");
    const std::string left = start_behind("left", {base});
    const std::string right = start_behind("right", {base});
    const std::string top = start_behind("top", {left, right});
    const std::string outside = start_behind("outside", {base});
    const Answered refused = remove(top, "?cascade=true");
    EXPECT_EQ(refused.status, 409) << refused.body;
    EXPECT_EQ(refused.raw("/dependants"), "[\"" + outside + "\"]");
    EXPECT_EQ(chains(), 5U) << "all of them, or none";
    EXPECT_EQ(remove(outside).status, 200);
    EXPECT_EQ(status_of(base), "pending") << "without cascade its blockers stay";
    const Answered deleted = remove(top, "?cascade=true");
    EXPECT_EQ(deleted.status, 200) << deleted.body;
    EXPECT_EQ(deleted.size("/deleted"), 4U) << deleted.body;
    EXPECT_EQ(deleted.text("/deleted/0"), top);
    EXPECT_EQ(chains(), 0U);
}

TEST_F(ChainDeletionOverHttp, WhoeverWaitsForItsEndIsTold) {
    const std::string id = start(R"({"type":"a"})");
    auto waited = std::async(std::launch::async, [this, id] {
        Caller own = caller();
        return own.get(path(id, "/wait?timeoutMs=25000"));
    });
    EXPECT_EQ(remove(id).status, 200);
    EXPECT_EQ(waited.get().status, 404);
}

TEST_F(ChainDeletionOverHttp, ItsKeyIsRemembered) {
    const std::string body = R"({"type":"a","deduplication":{"key":"k","scope":"any"}})";
    const std::string id = start(body);
    EXPECT_EQ(remove(id).status, 200);
    const Answered again = client_.post("/v1/chains", body);
    EXPECT_EQ(again.status, 200) << again.body;
    EXPECT_EQ(again.raw("/chain"), R"({"id":")" + id + R"(","status":"cancelled","purged":true})");
}

TEST_F(ChainDeletionOverHttp, AnActionIsAChainOfOne) {
    const std::string id = schedule(R"({"type":"mail"})");
    EXPECT_EQ(remove(id).status, 200);
    expect_gone(id);
}

TEST_F(ChainDeletionOverHttp, WhatCannotBeMeantIsRefused) {
    const std::string id = start(R"({"type":"a"})");
    const std::string next = complete(id, 0, R"("continueWith":{"type":"b"})").text("/nextId");
    EXPECT_EQ(remove(next).status, 404) << "a step is no chain";
    EXPECT_EQ(remove(kNobody).status, 404);
    EXPECT_EQ(remove("nonsense").status, 404);
    Caller zeta = caller({{"Semel-Tenant", "zeta"}});
    EXPECT_EQ(zeta.send("DELETE", path(id)).status, 404);
    for (const char* query : {"?cascade=1", "?cascade=", "?cascade=true&cascade=true",
                              "?cascade=TRUE", "?force=true", "?reason=x"}) {
        const Answered refused = remove(id, query);
        EXPECT_EQ(refused.status, 400) << query << refused.body;
        EXPECT_EQ(refused.code(), "invalid") << query;
    }
    EXPECT_EQ(status_of(id), "pending");
}

// A line of chains that wait for one another is walked from its end, up to a bound.
TEST_F(ChainDeletionOverHttp, ACascadeIsDeepButNotWithoutEnd) {
    std::vector<std::string> line{start(R"({"type":"t"})")};
    while (line.size() < 201) line.push_back(start_behind("t", {line.back()}));
    const Answered refused = remove(line.back(), "?cascade=true");
    EXPECT_EQ(refused.status, 413) << refused.body;
    EXPECT_EQ(refused.code(), "too_large");
    EXPECT_THAT(refused.text("/detail"), HasSubstr("200 deep"));
    EXPECT_EQ(chains(), line.size());
    EXPECT_EQ(remove(line.back()).status, 200);
    line.pop_back();
    const Answered deleted = remove(line.back(), "?cascade=true");
    EXPECT_EQ(deleted.status, 200) << deleted.body;
    EXPECT_EQ(deleted.size("/deleted"), 200U);
    EXPECT_EQ(chains(), 0U);
}

}  // namespace
}  // namespace semel::test
