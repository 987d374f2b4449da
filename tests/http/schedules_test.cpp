#include <thread>

#include <gmock/gmock.h>

#include "http/fixture.hpp"

namespace semel::test {
namespace {

class SchedulesOverHttp : public ApiTest {
protected:
    Answered put(const std::string& name, const std::string& body) {
        return client_.send("PUT", "/v1/schedules/" + name, body,
                            {{"Content-Type", "application/json"}});
    }
};

constexpr const char* kDaily =
    R"({"type":"report","cron":"30 9 * * MON-FRI","timezone":"Europe/Berlin","payload":{"n":1}})";

TEST_F(SchedulesOverHttp, AScheduleIsMadeShownAndListed) {
    const Answered made = put("daily%20report", kDaily);
    EXPECT_EQ(made.status, 201) << made.body;
    EXPECT_EQ(made.text("/name"), "daily report");
    EXPECT_EQ(made.text("/cron"), "30 9 * * MON-FRI");
    EXPECT_EQ(made.text("/timezone"), "Europe/Berlin");
    EXPECT_EQ(made.raw("/every"), "null");
    EXPECT_EQ(made.text("/recurrenceType"), "fixed");
    EXPECT_EQ(made.text("/missed"), "latest");
    EXPECT_EQ(made.raw("/paused"), "false");
    EXPECT_EQ(made.size("/nextRuns"), 5U);
    EXPECT_EQ(made.text("/nextRuns/0"), made.text("/slot"));
    EXPECT_THAT(made.text("/description"), testing::HasSubstr("09:30"));
    EXPECT_EQ(put("daily%20report", kDaily).status, 200);
    const Answered shown = client_.get("/v1/schedules/daily%20report");
    EXPECT_EQ(shown.status, 200);
    EXPECT_EQ(shown.text("/currentActionId"), made.text("/currentActionId"));
    const Answered listed = client_.get("/v1/schedules");
    EXPECT_EQ(listed.size("/items"), 1U);
    EXPECT_EQ(listed.text("/items/0/name"), "daily report");
}

TEST_F(SchedulesOverHttp, ItsActionSaysWhatItBelongsTo) {
    const Answered made = put("hourly", R"({"type":"t","every":"hourly"})");
    const std::string id = made.text("/currentActionId");
    const Answered action = client_.get("/v1/actions/" + id);
    EXPECT_EQ(action.text("/scheduleName"), "hourly");
    EXPECT_EQ(action.text("/slot"), made.text("/slot"));
    EXPECT_EQ(action.text("/recurringInterval"), "hourly");
    EXPECT_EQ(action.text("/recurrenceType"), "fixed");
    EXPECT_EQ(client_.get("/v1/actions?scheduleName=hourly").text("/items/0/id"), id);
    EXPECT_EQ(client_.get("/v1/actions?scheduleName=other").size("/items"), 0U);
    const Answered job = claim("t");
    EXPECT_EQ(job.text("/jobs/0/id"), id);
    EXPECT_EQ(client_.post("/v1/jobs/" + id + "/complete", token_body(job.integer("/jobs/0/token")))
                  .status,
              200);
    const Answered next = client_.get("/v1/schedules/hourly");
    EXPECT_NE(next.text("/currentActionId"), id);
    EXPECT_EQ(next.text("/lastSlot"), made.text("/slot"));
}

TEST_F(SchedulesOverHttp, PauseResumeTriggerAndDelete) {
    const Answered made = put("s", R"({"type":"t","every":"PT1H"})");
    const std::string id = made.text("/currentActionId");
    EXPECT_EQ(client_.post("/v1/schedules/s/pause", "").raw("/paused"), "true");
    EXPECT_EQ(client_.get("/v1/actions/" + id).text("/waitingFor/reason"), "paused");
    const Answered extra = client_.post("/v1/schedules/s/trigger", "");
    EXPECT_EQ(extra.status, 201);
    EXPECT_EQ(extra.raw("/action/slot"), "null");
    EXPECT_EQ(claim("t").text("/jobs/0/id"), extra.text("/id"));
    EXPECT_EQ(client_.post("/v1/schedules/s/resume", "").raw("/paused"), "false");
    EXPECT_EQ(claim("t").text("/jobs/0/id"), id);
    EXPECT_EQ(client_.send("DELETE", "/v1/schedules/s").status, 204);
    EXPECT_EQ(client_.get("/v1/schedules/s").code(), "not_found");
    EXPECT_EQ(client_.get("/v1/actions/" + id).text("/status"), "running") << "it may finish";
}

TEST_F(SchedulesOverHttp, EightStartersMakeOneOccurrence) {
    std::vector<std::thread> starters;
    for (int i = 0; i < 8; ++i) {
        starters.emplace_back([this] {
            Caller each = caller();
            const Answered made =
                each.send("PUT", "/v1/schedules/s", R"({"type":"t","every":"daily"})",
                          {{"Content-Type", "application/json"}});
            EXPECT_LT(made.status, 300) << made.body;
        });
    }
    for (std::thread& starter : starters) {
        starter.join();
    }
    EXPECT_EQ(client_.get("/v1/actions?scheduleName=s").size("/items"), 1U);
}

TEST_F(SchedulesOverHttp, TenantsNeverMeet) {
    put("s", R"({"type":"t","every":"daily"})");
    Caller zeta = tenant_caller("zeta");
    EXPECT_EQ(zeta.get("/v1/schedules/s").code(), "not_found");
    EXPECT_EQ(zeta.get("/v1/schedules").size("/items"), 0U);
    EXPECT_EQ(zeta.send("DELETE", "/v1/schedules/s").code(), "not_found");
    EXPECT_EQ(zeta.post("/v1/schedules/s/trigger", "").code(), "not_found");
}

TEST_F(SchedulesOverHttp, BadRequestsAreRefusedAndMakeNothing) {
    const std::vector<std::pair<std::string, std::string>> cases = {
        {R"({"type":"t"})", "/every"},
        {R"({"type":"t","every":"monthly"})", "/every"},
        {R"({"type":"t","cron":"* * *"})", "/cron"},
        {R"({"type":"t","cron":"0 9 * * *","timezone":"Europe/Berln"})", "/timezone"},
        {R"({"type":"t","cron":"0 9 * * *","timezone":"../../etc/passwd"})", "/timezone"},
        {R"({"type":"t","every":"daily","timezone":"UTC"})", "/timezone"},
        {R"({"type":"t","every":"daily","colour":"red"})", "/colour"},
    };
    for (const auto& [body, pointer] : cases) {
        const Answered refused = put("s", body);
        EXPECT_EQ(refused.status, 400) << body;
        EXPECT_EQ(refused.text("/pointer"), pointer) << refused.body;
    }
    EXPECT_THAT(put("s", cases[3].first).text("/detail"), testing::HasSubstr("Europe/Berlin"))
        << "the nearest name";
    EXPECT_EQ(put("%00", R"({"type":"t","every":"daily"})").status, 400);
    EXPECT_EQ(put("%FF", R"({"type":"t","every":"daily"})").status, 400);
    EXPECT_EQ(put("a%C2%9Bb", R"({"type":"t","every":"daily"})").status, 400);
    EXPECT_EQ(put("s", R"({"type":"t"})").text("/detail"),
              "a schedule needs a rule: give `every` or `cron`");
    EXPECT_EQ(put(std::string(256, 'n'), R"({"type":"t","every":"daily"})").status, 400);
    EXPECT_EQ(client_.get("/v1/schedules").size("/items"), 0U);
    EXPECT_EQ(client_.get("/v1/actions").size("/items"), 0U);
}

}  // namespace
}  // namespace semel::test
