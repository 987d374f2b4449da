// semel schedules, as people and scripts use it.
#include <csignal>
#include <filesystem>

#include <gmock/gmock.h>

#include "cli/program.hpp"

namespace semel::cli {
namespace {

using testing::HasSubstr;

using Schedules = ServerTest;

TEST_F(Schedules, ShowTheRuleInWordsAndTheNextFiveRuns) {
    EXPECT_EQ(semel({"schedules", "list"}).out, "no schedules\n");
    EXPECT_EQ(semel({"schedules", "list", "--json"}).out, "{\"items\":[],\"nextCursor\":null}\n");
    const Ended made =
        semel({"schedules", "put", "nightly report", "--type", "report", "--cron", "30 2 * * *",
               "--timezone", "Europe/Berlin", "--payload", R"({"n":1})"});
    ASSERT_EQ(made.code, 0) << made.err;
    const Ended shown = semel({"schedules", "show", "nightly report"});
    EXPECT_EQ(shown.code, 0);
    EXPECT_THAT(shown.out, HasSubstr("02:30 Europe/Berlin"));
    EXPECT_THAT(shown.out, HasSubstr("next runs "));
    EXPECT_EQ(std::count(shown.out.begin(), shown.out.end(), 'Z'), 5) << shown.out;
    EXPECT_THAT(semel({"schedules", "list"}).out, HasSubstr("nightly report"));
    EXPECT_EQ(member(semel({"schedules", "show", "nightly report", "--json"}).out, "cron"),
              R"("30 2 * * *")");
}

TEST_F(Schedules, TakeAPayloadAndABackoffFromFilesAndTheInput) {
    write("payload.json", R"({"n":12345678901234567890})");
    write("backoff.json", R"({"kind":"fixed","delayMs":1000})");
    const Ended made =
        semel({"schedules", "put", "s", "--type", "t", "--every", "daily", "--payload",
               "@payload.json", "--backoff", "@backoff.json", "--json"});
    ASSERT_EQ(made.code, 0) << made.err;
    EXPECT_EQ(member(made.out, "payload"), R"({"n":12345678901234567890})");
    EXPECT_EQ(member(made.out, "backoff"), R"({"kind":"fixed","delayMs":1000})");
    const Ended none = semel(
        {"schedules", "put", "s", "--type", "t", "--every", "daily", "--payload", "@none.json"});
    EXPECT_EQ(none.code, 2);
    EXPECT_THAT(none.err, HasSubstr("none.json"));
}

TEST_F(Schedules, AreNamedBehindTwoDashesWhereTheNameBeginsWithOne) {
    const auto named = [&](const std::vector<std::string>& words, const std::string& name) {
        std::vector<std::string> arguments = {"schedules"};
        arguments.insert(arguments.end(), words.begin(), words.end());
        arguments.insert(arguments.end(), {"--url", url_, "--", name});
        return run(arguments);
    };
    EXPECT_EQ(named({"put", "--type", "t", "--every", "daily"}, "-dash").code, 0);
    EXPECT_THAT(named({"show"}, "-dash").out, HasSubstr("-dash"));
    EXPECT_EQ(named({"list"}, "--json").code, 2) << "no option any more";
    const Ended bare = semel({"schedules", "delete", "-dash"});
    EXPECT_EQ(bare.code, 2);
    EXPECT_THAT(bare.err, HasSubstr("NAME is required; one that begins with `-` stands behind"));
    EXPECT_EQ(named({"delete"}, "-dash").out, "deleted\n");
}

// Nobody looks at a schedule that worked for years.
TEST_F(Schedules, OneWhoseZoneIsGoneIsSeen) {
    server_->signal(SIGTERM);
    server_->wait();
    const std::filesystem::path zones = path("zones/Europe");
    std::filesystem::create_directories(zones);
    std::filesystem::copy_file("/usr/share/zoneinfo/Europe/Berlin", zones / "Berlin");
    const Environment environment = {{"TZDIR", path("zones")}};
    start_server({}, environment);
    ASSERT_EQ(semel({"schedules", "put", "s", "--type", "t", "--cron", "0 0 1 1 *", "--timezone",
                     "Europe/Berlin"})
                  .code,
              0);
    EXPECT_THAT(semel({"doctor"}).out, HasSubstr("✓ schedules "));
    server_->signal(SIGTERM);
    server_->wait();
    std::filesystem::remove(zones / "Berlin");
    start_server({}, environment);
    const std::string shown = semel({"schedules", "show", "s", "--json"}).out;
    EXPECT_THAT(member(shown, "fault"), HasSubstr("there is no time zone"));
    EXPECT_THAT(semel({"doctor"}).out,
                HasSubstr("! schedules    `s` cannot go on: there is no time"));
    const std::string current = member(shown, "currentActionId");
    ASSERT_EQ(semel({"actions", "cancel", current.substr(1, current.size() - 2)}).code, 0);
    EXPECT_TRUE(server_->err_shows("the schedule `s` of tenant `default` has stopped"));
}

TEST_F(Schedules, ArePausedResumedTriggeredAndDeleted) {
    ASSERT_EQ(semel({"schedules", "put", "s", "--type", "t", "--every", "daily"}).code, 0);
    EXPECT_THAT(semel({"schedules", "pause", "s"}).out, HasSubstr("paused"));
    EXPECT_THAT(semel({"schedules", "resume", "s"}).out, HasSubstr("active"));
    const Ended triggered = semel({"schedules", "trigger", "s"});
    EXPECT_EQ(triggered.code, 0);
    EXPECT_EQ(action(triggered.out.substr(0, 36), "slot"), "null");
    EXPECT_EQ(semel({"schedules", "delete", "s"}).out, "deleted\n");
    EXPECT_EQ(semel({"schedules", "show", "s"}).code, 4);
}

TEST_F(Schedules, WhatIsWrongIsSaid) {
    const Ended both =
        semel({"schedules", "put", "s", "--type", "t", "--every", "daily", "--cron", "* * * * *"});
    EXPECT_EQ(both.code, 2);
    const Ended rule = semel({"schedules", "put", "s", "--type", "t", "--every", "P1M"});
    EXPECT_EQ(rule.code, 2);
    EXPECT_THAT(rule.err, HasSubstr("month"));
    EXPECT_EQ(
        semel({"schedules", "put", "s", "--type", "t", "--every", "daily", "--payload", "{"}).code,
        2);
    EXPECT_EQ(semel({"schedules", "list"}).out, "no schedules\n");
}

}  // namespace
}  // namespace semel::cli
