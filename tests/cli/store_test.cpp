// --store: the same commands without a server.
#include <csignal>
#include <cstdlib>

#include <gmock/gmock.h>
#include <sys/wait.h>

#include "cli/program.hpp"

namespace semel::cli {
namespace {

class DirectStore : public ServerTest {
protected:
    void SetUp() override {}
    Ended here(std::vector<std::string> arguments) {
        arguments.insert(arguments.end(), {"--store", "semel.db"});
        return run(arguments);
    }
};

TEST_F(DirectStore, CommandsWorkWithoutAServer) {
    const Ended made = here({"schedule", "t", "--payload", "{\"entityId\":1}"});
    ASSERT_EQ(made.code, 0) << made.err;
    EXPECT_EQ(made.out.find("new  "), 0U) << made.out;
    EXPECT_EQ(made.err, "");
    const std::string id = made.out.substr(5, 36);
    EXPECT_NE(here({"actions", "list"}).out.find(id), std::string::npos);
    EXPECT_EQ(here({"why", id}).out.find("It is not running because no worker"), 0U);
    const Ended worked = here({"work", "--type", "t", "--exec", "cat", "--once"});
    EXPECT_EQ(worked.code, 0) << worked.err;
    EXPECT_NE(here({"actions", "show", id}).out.find("status       completed"), std::string::npos);
}

TEST_F(DirectStore, WhatIsPrintedToAClosedDescriptorDoesNotLandInTheStore) {
    ASSERT_EQ(here({"schedule", "t"}).code, 0);
    const std::string command = "cd '" + folder_ +
                                "' && '" SEMEL_PROGRAM
                                "' work --type t --exec cat --once --store semel.db <&- >&- 2>&-";
    EXPECT_EQ(std::system(command.c_str()), 0);
    EXPECT_EQ(read("semel.db").find("SQLite format 3"), 0U);
    const Ended listed = here({"actions", "list"});
    EXPECT_NE(listed.out.find("completed"), std::string::npos) << listed.out << listed.err;
}

TEST_F(DirectStore, AFileThatMayNotGrowIsAnErrorAndNotTheEnd) {
    const std::string command = "cd '" + folder_ +
                                "' && ulimit -f 1 && exec '" SEMEL_PROGRAM
                                "' schedule t --store semel.db";
    const int status = std::system(command.c_str());
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 3);
}

TEST_F(DirectStore, ItAsksForNoTokenSinceTheFileIsOpenToItsOwner) {
    for (const char* name : {"one", "two"}) {
        ASSERT_EQ(here({"token", "create", "--name", name, "--scopes", "admin"}).code, 0);
    }
    const Ended listed = here({"token", "list"});
    EXPECT_EQ(std::count(listed.out.begin(), listed.out.end(), '\n'), 3) << listed.out;
    EXPECT_EQ(here({"schedule", "t"}).code, 0);
    start_server();
    EXPECT_EQ(semel({"schedule", "t"}).code, 1);
}

TEST_F(DirectStore, OnlyWhatWritesAFirstRowMakesTheFile) {
    const std::string nobody = "0198c5a0-0000-7000-8000-000000000000";
    const std::vector<std::vector<std::string>> commands = {
        {"actions", "list"},
        {"actions", "tail"},
        {"actions", "show", nobody},
        {"actions", "cancel", nobody},
        {"why", nobody},
        {"token", "list"},
        {"token", "delete", nobody},
        {"work", "--type", "t", "--exec", "true", "--once"}};
    for (const auto& command : commands) {
        const Ended ended = here(command);
        EXPECT_EQ(ended.code, 3) << command[0];
        EXPECT_EQ(ended.err,
                  "semel: there is no store semel.db: look at the path; `semel serve --store "
                  "semel.db` would make one\n");
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder_)) << "not even a lock file";
    EXPECT_EQ(here({"schedule", "t"}).code, 0);
    EXPECT_EQ(here({"actions", "list"}).code, 0);
}

TEST_F(DirectStore, ItIsNamedByAUrlWithoutItsPasswordOrByAPath) {
    for (const char* store :
         {"postgres://u:hush%zz@127.0.0.1:1/h", "postgres://u:hush@[::1/h",
          "postgres://u:hush/2@127.0.0.1:1/h", "host=127.0.0.1 dbname=h password=hush"}) {
        for (const char* command : {"serve", "migrate"}) {
            const Ended ended = run({command, "--store", store});
            EXPECT_EQ(ended.code, 2) << store;
            EXPECT_THAT(ended.out + ended.err, testing::Not(testing::HasSubstr("hush"))) << store;
        }
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder_)) << "no file of such a name";
}

TEST_F(DirectStore, AVariableThatNamesAServerIsForOtherCalls) {
    EXPECT_EQ(run({"schedule", "t", "--store", "semel.db"},
                  {{"SEMEL_URL", "http://127.0.0.1:1"}, {"SEMEL_TOKEN", "secret"}})
                  .code,
              0);
}

TEST_F(DirectStore, AStoppedWorkerWithItsOwnStoreEndsAtOnce) {
    ASSERT_EQ(here({"schedule", "other"}).code, 0);
    Program worker(
        {"work", "--store", "semel.db", "--type", "t", "--exec", "true", "--claim-wait", "60s"},
        folder_);
    ASSERT_TRUE(worker.err_shows("up to 1 at once"));
    worker.signal(SIGTERM);
    EXPECT_EQ(worker.wait().code, 0);
}

TEST_F(DirectStore, AStoreThatAServerHasIsRefused) {
    start_server();
    const Ended ended = here({"actions", "list"});
    EXPECT_EQ(ended.code, 3);
    EXPECT_EQ(ended.err.find("semel: semel.db is in use by process "), 0U) << ended.err;
}

}  // namespace
}  // namespace semel::cli
