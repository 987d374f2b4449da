// semel migrate: what a person sees of it, and that it survives its own end.
#include <csignal>

#include <gmock/gmock.h>

#include "cli/program.hpp"
#include "support/postgres_server.hpp"

namespace semel::cli {
namespace {

using test::ask_postgres;
using test::PostgresServer;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class Migrate : public ServerTest {
protected:
    void SetUp() override {}

    const std::string database_ = PostgresServer::shared().make_database();

    // A store with some actions, which nobody has open.
    void make_store(int actions = 2) {
        start_server();
        for (int i = 0; i < actions; ++i) schedule({"t", "--delay", "1h"});
        stop_server();
    }
    void stop_server() {
        server_->signal(SIGTERM);
        EXPECT_EQ(server_->wait().code, 0);
        server_.reset();
    }
    [[nodiscard]] std::vector<std::string> move(std::vector<std::string> more = {}) const {
        std::vector<std::string> arguments = {"migrate", "--from", "semel.db", "--to", database_};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return arguments;
    }
};

TEST_F(Migrate, ASchemaIsMadeAndThenThereIsNothingToDo) {
    const std::vector<std::string> arguments = {"migrate", "--store", database_};
    const Ended checked = run({"migrate", "--store", database_, "--check"});
    EXPECT_EQ(checked.code, 1) << checked.err;
    EXPECT_THAT(checked.out, HasSubstr(": would make the schema, version "));
    const Ended made = run({"migrate", "--store", database_, "--json"});
    EXPECT_EQ(made.code, 0) << made.err;
    EXPECT_EQ(member(made.out, "from"), "0");
    const std::string newest = member(made.out, "to");
    EXPECT_THAT(run(arguments).out,
                HasSubstr(": the schema has version " + newest + ": nothing to do\n"));
    EXPECT_EQ(run({"migrate", "--store", database_, "--check"}).code, 0);
}

TEST_F(Migrate, TheStoreIsFoundAsTheServerFindsIt) {
    ASSERT_EQ(run({"schedule", "t", "--store", "semel.db"}).code, 0);
    EXPECT_THAT(run({"migrate"}).out, StartsWith("./semel.db: the schema has version 9"));
    write("semel.yaml", "store: ./none.db\n");
    for (const Ended& ended : {run({"migrate", "--config", "semel.yaml"}),
                               run({"migrate"}, {{"SEMEL_CONFIG", "semel.yaml"}}),
                               run({"migrate"}, {{"SEMEL_STORE", "./none.db"}})}) {
        EXPECT_EQ(ended.code, 3);
        EXPECT_THAT(ended.err, HasSubstr("there is no store ./none.db"));
    }
    EXPECT_FALSE(std::filesystem::exists(path("none.db")));
    EXPECT_EQ(run({"migrate", "--config", "none.yaml"}).code, 2);
}

TEST_F(Migrate, AStoreIsMovedAndServedFromThere) {
    start_server();
    const std::string id = schedule({"t", "--payload", "{\"entityId\":1}", "--delay", "1h"});
    const Ended served = run(move());
    EXPECT_EQ(served.code, 3) << "the server has it open";
    EXPECT_THAT(served.err, HasSubstr("--from: semel.db is in use by process "));
    stop_server();
    const Ended checked = run(move({"--check"}));
    EXPECT_EQ(checked.code, 1) << checked.err;
    EXPECT_THAT(checked.out, StartsWith("would move "));
    const Ended moved = run(move());
    ASSERT_EQ(moved.code, 0) << moved.err;
    EXPECT_EQ(moved.err, "") << "no progress bar where there is no terminal";
    EXPECT_THAT(moved.out, AllOf(HasSubstr("every row was read back from both, and is the same"),
                                 HasSubstr("semel.db is as it was: keep it as a backup, and do "
                                           "not serve it again")));
    const Ended again = run(move());
    EXPECT_EQ(again.code, 0) << again.err;
    EXPECT_THAT(again.out, HasSubstr(": nothing to do\n"));
    EXPECT_EQ(run(move({"--check"})).code, 0);
    const Ended shown = run({"actions", "show", id, "--store", database_, "--json"});
    EXPECT_EQ(member(shown.out, "status"), "\"pending\"") << shown.err;
}

TEST_F(Migrate, AMoveForScriptsHasCountsAndHashes) {
    make_store();
    const Ended moved = run(move({"--json"}));
    ASSERT_EQ(moved.code, 0) << moved.err;
    const std::string jobs = member(member(moved.out, "tables"), "jobs");
    EXPECT_EQ(member(jobs, "rows"), "2");
    EXPECT_EQ(member(jobs, "hash").size(), 66U);
}

TEST_F(Migrate, AKilledMoveGoesOnWithTheSameCommand) {
    make_store();
    ASSERT_EQ(run({"migrate", "--store", database_}).code, 0);
    // Until it is killed it sleeps, in the midst of a transaction.
    ask_postgres(database_,
                 "create function slow() returns trigger language plpgsql as "
                 "'begin perform pg_sleep(600); return null; end'; "
                 "create trigger slow after insert on semel.job execute function slow()");
    {
        Program program(move(), folder_);
        while (ask_postgres(database_,
                            "select count(*) from pg_stat_activity where wait_event = 'PgSleep'") ==
               "0") {
        }
        program.signal(SIGKILL);
        EXPECT_EQ(program.wait().code, 128 + SIGKILL);
    }
    ask_postgres(database_,
                 "select pg_terminate_backend(pid) from pg_stat_activity where wait_event = "
                 "'PgSleep'; drop trigger slow on semel.job");
    const Ended refused = run({"actions", "list", "--store", database_});
    EXPECT_EQ(refused.code, 3);
    EXPECT_THAT(refused.err, HasSubstr("it is being filled from " + folder_ + "/semel.db"));
    EXPECT_THAT(run(move({"--check"})).out, StartsWith("would go on: "));
    const Ended moved = run(move({"--json"}));
    ASSERT_EQ(moved.code, 0) << moved.err;
    EXPECT_EQ(ask_postgres(database_, "select count(*) from semel.later"), "2");
}

TEST_F(Migrate, ArgumentsThatDoNotFitAreRefused) {
    const std::vector<std::vector<std::string>> wrong = {
        {"migrate", "--from", "semel.db"},
        {"migrate", "--to", database_},
        {"migrate", "--from", "semel.db", "--to", database_, "--store", "x.db"},
        {"migrate", "--from", "semel.db", "--to", "./other.db"},
        {"migrate", "--from", "postgres://x/y", "--to", database_},
        {"migrate", "--store", "redis://x"},
        {"migrate", "--frm", "semel.db"},
        {"migrate", "--from", ""}};
    ASSERT_EQ(run({"schedule", "t", "--store", "semel.db"}).code, 0);
    for (const auto& arguments : wrong) {
        EXPECT_EQ(run(arguments).code, 2) << testing::PrintToString(arguments);
    }
    EXPECT_EQ(run({"migrate", "--from", "none.db", "--to", database_}).code, 3);
    const Ended secret =
        run({"migrate", "--from", "semel.db", "--to", "postgres://u:hush@127.0.0.1:1/x"});
    EXPECT_EQ(secret.code, 3);
    EXPECT_THAT(secret.err, Not(HasSubstr("hush")));
    ASSERT_EQ(run({"schedule", "t", "--store", database_}).code, 0);
    const Ended used = run(move());
    EXPECT_EQ(used.code, 5) << used.err;
    EXPECT_THAT(used.err, HasSubstr("has data of its own"));
}

}  // namespace
}  // namespace semel::cli
