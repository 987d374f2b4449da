// Handlers of the library that end their jobs in transactions of their own.
#include <stdexcept>

#include "cluster/cluster.hpp"
#include "cluster/user_session.hpp"

namespace semel::test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

class OwnTransaction : public testing::Test {
protected:
    OwnTransaction() { UserSession(url).ask("create table orders (id int)"); }

    static std::string complete_sql(const Work& work, const std::string& more = "") {
        return "select semel.complete_job('" + work.id.to_string() + "', " +
               std::to_string(work.token) + more + ");";
    }
    std::string orders() { return UserSession(url).ask("select count(*) from orders"); }
    ChainInfo run(const std::string& type, int max_retries = 1) {
        const auto started = engine->chains().start({.type = type,
                                                     .max_retries = max_retries,
                                                     .backoff = R"({"kind":"fixed","delayMs":1})"});
        EXPECT_TRUE(started.has_value() && *started);
        const auto ended = engine->chains().wait(started->id, 60s);
        EXPECT_TRUE(ended.has_value() && ended->has_value());
        return ended.value().value_or(ChainInfo{});
    }

    const std::string url = PostgresServer::shared().make_database();
    const std::unique_ptr<Engine> engine = open_node(url);
};

TEST_F(OwnTransaction, RowsAndOutputAreOneCommit) {
    engine->handle("pay", [&](const Work& work) {
        UserSession(url).ask("begin; insert into orders values (1);" +
                             complete_sql(work, R"(, '{"paid":true}')") + "commit");
        return ended_in_sql();
    });
    engine->start();
    const ChainInfo chain = run("pay");
    EXPECT_EQ(chain.status, Status::completed);
    EXPECT_EQ(chain.output, R"({"paid":true})");
    EXPECT_EQ(orders(), "1");
}

TEST_F(OwnTransaction, WhatIsNotCommittedIsAnotherAttempts) {
    engine->handle("pay", [&](const Work& work) {
        UserSession user(url);
        user.ask("begin; insert into orders values (1);" + complete_sql(work));
        if (work.attempt == 1) throw std::runtime_error("after all");
        user.ask("commit");
        return ended_in_sql();
    });
    engine->start();
    EXPECT_EQ(run("pay", 2).status, Status::completed);
    EXPECT_EQ(orders(), "1");
}

TEST_F(OwnTransaction, TheChainGoesOn) {
    engine->handle("pay", [&](const Work& work) {
        UserSession(url).ask("begin; insert into orders values (1);" +
                             complete_sql(work, R"(, null, '{"type":"ship","input":7}')") +
                             "commit");
        return ended_in_sql();
    });
    engine->handle("ship", [](const Work& work) { return semel::done(work.payload); });
    engine->start();
    const ChainInfo chain = run("pay");
    EXPECT_EQ(chain.output, "7");
    EXPECT_EQ(chain.chain_index, 1);
    EXPECT_EQ(orders(), "1");
}

TEST_F(OwnTransaction, WhoeverForgetsTheCommitHasFailed) {
    engine->handle("pay", [&](const Work& work) {
        UserSession(url).ask("begin; insert into orders values (1);" + complete_sql(work));
        return ended_in_sql();
    });
    engine->start();
    EXPECT_THAT(run("pay").error_message.value_or(""), HasSubstr("has not ended"));
    EXPECT_EQ(orders(), "0");
}

TEST_F(OwnTransaction, TheStoreRunsNoStatementsItself) {
    engine->handle_atomic("atomic", [](const Work&, Tx&) { return semel::done(); });
    engine->handle_staged("staged", [](const Work&, Stages& stages) {
        stages.prepare([](Tx&) {});
        return semel::done();
    });
    engine->start();
    EXPECT_THAT(run("atomic", 5).error_message.value_or(""), HasSubstr("semel.complete_job"));
    EXPECT_THAT(run("staged").error_message.value_or(""), HasSubstr("semel.complete_job"));
    const auto written = engine->write([](Tx&) {});
    ASSERT_FALSE(written.has_value());
    EXPECT_EQ(written.error().code(), ErrorCode::refused);
}

}  // namespace
}  // namespace semel::test
