#include <set>

#include <gmock/gmock.h>

#include "http/fixture.hpp"

namespace semel::test {
namespace {

constexpr int kTriesMax = 2000;
constexpr const char* kSecret = "correct horse";

class CronTrigger : public testing::Test {
protected:
    TempFolder folder_;
    TestServer server_{folder_.file("semel.db"), {.cron_secret = kSecret, .handler_type = "good"}};
    Caller client_{server_.url(), {}};

    Answered process(const std::string& query = "", const std::string& method = "GET") {
        return client_.send(method, "/v1/cron/process" + query, {}, {{"x-cron-secret", kSecret}});
    }
};

TEST_F(CronTrigger, RunsWhatIsDueAndReports) {
    EXPECT_EQ(client_.post("/v1/actions", R"({"type":"pulled"})").status, 201);
    // The server runs due work by itself too: until the trigger is the one that meets it.
    Answered report;
    int made = 0;
    while (report.integer("/data/processing/succeeded") == 0 && made < kTriesMax) {
        EXPECT_EQ(client_.post("/v1/actions", R"({"type":"good","payload":"ok"})").status, 201);
        ++made;
        report = process();
        ASSERT_EQ(report.status, 200) << report.body;
    }
    EXPECT_EQ(report.integer("/data/processing/processed"), 1) << "of " << made;
    EXPECT_EQ(report.integer("/data/processing/succeeded"), 1);
    EXPECT_EQ(report.raw("/success"), "true");
    EXPECT_EQ(report.integer("/data/processing/failed"), 0);
    EXPECT_EQ(report.raw("/data/processing/errors"), "[]");
    EXPECT_EQ(report.integer("/data/cleanup/deletedCount"), 0);
    EXPECT_NE(report.raw("/data/executionTime"), "");
    EXPECT_NE(report.text("/info/timestamp"), "");
    const Answered listed = client_.get("/v1/actions?type=good");
    EXPECT_EQ(listed.text("/items/0/status"), "completed") << "it was waited for";
}

TEST_F(CronTrigger, NamesTheActionsThatFailed) {
    // The server runs due work by itself too: until the trigger is the one that meets it.
    Answered report;
    std::set<std::string> made;
    while (report.integer("/data/processing/failed") == 0) {
        made.insert(client_.post("/v1/actions", R"({"type":"good","payload":"bad"})").text("/id"));
        report = process("?limit=1", "POST");
        ASSERT_EQ(report.status, 200) << report.body;
    }
    EXPECT_EQ(report.integer("/data/processing/processed"), 1);
    EXPECT_EQ(report.integer("/data/processing/succeeded"), 0);
    EXPECT_TRUE(made.contains(report.text("/data/processing/errors/0/actionId")));
    EXPECT_EQ(report.text("/data/processing/errors/0/error"), "refused by the handler");
}

TEST_F(CronTrigger, AWrongOrMissingSecretIsRefusedInItsOwnShape) {
    for (const Headers& headers :
         {Headers{}, Headers{{"x-cron-secret", "wrong"}}, Headers{{"x-cron-secret", ""}},
          Headers{{"x-cron-secret", kSecret}, {"x-cron-secret", kSecret}}}) {
        const Answered refused = client_.get("/v1/cron/process", headers);
        EXPECT_EQ(refused.status, 401);
        EXPECT_EQ(refused.raw("/success"), "false");
        EXPECT_EQ(refused.text("/error"), "INVALID_CRON_SECRET");
    }
}

TEST_F(CronTrigger, ABadLimitIsRefused) {
    for (const char* query : {"?limit=0", "?limit=x", "?limit=1001", "?limits=1"}) {
        EXPECT_EQ(process(query).code(), "invalid") << query;
    }
}

class WithoutCronSecret : public ApiTest {};

TEST_F(WithoutCronSecret, TheTriggerSaysThatItIsNotConfigured) {
    const Answered refused = client_.get("/v1/cron/process", {{"x-cron-secret", ""}});
    EXPECT_EQ(refused.status, 500);
    EXPECT_EQ(refused.raw("/success"), "false");
    EXPECT_EQ(refused.text("/error"), "CRON_SECRET_NOT_CONFIGURED");
}

}  // namespace
}  // namespace semel::test
