// semel bench: what it measures, what it leaves, what it says of arguments that do not fit.
#include <csignal>
#include <filesystem>
#include <thread>

#include "cli/program.hpp"

namespace semel::cli {
namespace {

class Bench : public CliTest {
protected:
    static std::vector<std::string> quick(const std::vector<std::string>& more = {}) {
        std::vector<std::string> arguments = {"bench", "--duration", "100ms", "--jobs", "200"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return arguments;
    }
    [[nodiscard]] Environment temporary_files_here() const { return {{"TMPDIR", folder_}}; }
    static std::int64_t number(const std::string& document, const std::string& name) {
        return std::stoll(member(document, name));
    }
};

TEST_F(Bench, AReportForPeopleNamesTheMachineAndEveryMeasure) {
    const Ended ended = run(quick({"--callers", "8"}), temporary_files_here());
    ASSERT_EQ(ended.code, 0) << ended.err;
    EXPECT_EQ(ended.err, "") << "no progress bar where there is no terminal";
    for (const char* part :
         {" cores, Linux ", "\nstore   temporary, ", "\ndisk    ", "syncing it takes",
          "\nload    8 callers at once, 100ms a measure, 200 jobs", "\nschedule, 0 % duplicates",
          "\nschedule, 50 % duplicates", "\nschedule, 99 % duplicates", "\ndrain of no-op jobs",
          "\nschedule to start, idle", "\npeak memory "}) {
        EXPECT_NE(ended.out.find(part), std::string::npos) << part << ended.out;
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder_)) << "the temporary store is gone";
}

TEST_F(Bench, AReportForScriptsHasTheSameFigures) {
    const Ended ended = run(quick({"--duplicates", "0", "--json"}), temporary_files_here());
    ASSERT_EQ(ended.code, 0) << ended.err;
    EXPECT_EQ(ended.err, "");
    for (const char* name : {"version", "machine", "store", "disk", "callers", "durationMs",
                             "scheduleToStart", "peakMemoryBytes"}) {
        EXPECT_NE(member(ended.out, name), "null") << name;
    }
    EXPECT_EQ(number(member(ended.out, "drain"), "count"), 200);
    EXPECT_EQ(number(ended.out, "leftActions"), 0);
    const auto parsed = json::Document::parse(ended.out);
    const auto schedule = parsed->root().find("schedule");
    ASSERT_TRUE(schedule && schedule->is_array());
    int measures = 0;
    for (const json::Value measure : schedule->elements()) {
        ++measures;
        const std::string text(measure.raw());
        EXPECT_EQ(number(text, "duplicatesPercent"), 0);
        EXPECT_EQ(number(text, "new"), number(text, "count"));
        EXPECT_GE(number(text, "p999Ms"), number(text, "p99Ms"));
    }
    EXPECT_EQ(measures, 1);
}

TEST_F(Bench, AGivenStoreKeepsOnlyFinishedActionsOfATenantOfTheirOwn) {
    ASSERT_EQ(run({"schedule", "mine", "--store", "semel.db"}).code, 0);
    const auto measured = quick({"--duplicates", "50", "--store", "semel.db", "--json"});
    for (int round = 0; round < 2; ++round) {
        const Ended ended = run(measured);
        ASSERT_EQ(ended.code, 0) << ended.err;
        EXPECT_GT(number(ended.out, "leftActions"), 200) << "also the second time keys are new";
    }
    const auto list = [&](const std::string& tenant, const std::string& status) {
        return run({"actions", "list", "--store", "semel.db", "--tenant", tenant, "--status",
                    status, "--json"})
            .out;
    };
    EXPECT_EQ(member(list("semel-bench", "pending"), "items"), "[]");
    EXPECT_EQ(member(list("semel-bench", "running"), "items"), "[]");
    EXPECT_NE(member(list("semel-bench", "completed"), "items"), "[]");
    EXPECT_NE(member(list("default", "pending"), "items"), "[]") << "what was there is as it was";
}

TEST_F(Bench, ASignalEndsItAndTakesTheTemporaryStoreAway) {
    Program program({"bench", "--duration", "1h"}, folder_, temporary_files_here());
    while (std::filesystem::is_empty(folder_)) {
        // waits: for the folder, which nothing announces
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    program.signal(SIGINT);
    const Ended ended = program.wait();
    EXPECT_EQ(ended.code, 128 + SIGINT);
    EXPECT_EQ(ended.err, "semel: stopped; the temporary store is gone\n");
    EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

TEST_F(Bench, ArgumentsThatDoNotFitAreNamed) {
    const std::pair<std::vector<std::string>, const char*> mistakes[] = {
        {{"--duration", "5"}, "semel: --duration: `5` is not a duration;"},
        {{"--duration", "1ms"}, "semel: --duration must be from 100ms to 1h\n"},
        {{"--callers", "0"}, "--callers: it must be a whole number from 1 to 5000, not `0`"},
        {{"--duplicates", "101"}, "it must be a whole number from 0 to 100, not `101`"},
        {{"--jobs", "many"}, "it must be a whole number from 1 to 10000000, not `many`"},
        {{"--store", "redis://x"}, "semel: no store for `redis://`"},
        {{"--stoer", "x"}, "did you mean `--store`?"},
    };
    for (const auto& [arguments, said] : mistakes) {
        std::vector<std::string> words = {"bench"};
        words.insert(words.end(), arguments.begin(), arguments.end());
        const Ended ended = run(words);
        EXPECT_EQ(ended.code, 2) << said;
        EXPECT_NE(ended.err.find(said), std::string::npos) << ended.err;
        EXPECT_EQ(ended.out, "");
    }
}

TEST_F(Bench, AStoreThatIsInUseIsLeftAlone) {
    Program server({"serve", "--store", "semel.db", "--listen", "127.0.0.1:0"}, folder_);
    ASSERT_TRUE(server.out_shows("try:"));
    const Ended ended = run(quick({"--store", "semel.db"}));
    EXPECT_EQ(ended.code, 3);
    EXPECT_NE(ended.err.find("semel.db"), std::string::npos) << ended.err;
}

}  // namespace
}  // namespace semel::cli
