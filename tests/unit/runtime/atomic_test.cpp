// Handlers whose statements and whose job's end are one commit, on a real file.
#include <atomic>
#include <stdexcept>

#include "support/countdown.hpp"
#include "unit/runtime/own_tables.hpp"

namespace semel::test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

// Counts until it is stopped.
constexpr const char* kEndless = "with recursive n(x) as (select 1 union all select x + 1 from n) ";

class Atomic : public OwnTables {};

TEST_F(Atomic, StatementsAndOutputAreOneCommit) {
    engine->handle_atomic("pay", [](const Work& work, Tx& tx) {
        take(tx, 250);
        return done(R"({"paid":)" + work.payload + "}");
    });
    start();
    const ChainInfo chain = run(ChainSpec{.type = "pay", .input = "250"});
    EXPECT_EQ(chain.status, Status::completed);
    EXPECT_EQ(chain.output, R"({"paid":250})");
    EXPECT_EQ(cents(), 750);
}

TEST_F(Atomic, WhatItReadsMayDecideHowItEnds) {
    engine->handle_atomic("pay", [](const Work&, Tx& tx) {
        const std::int64_t changed = tx.execute(
            "update app_account set cents = cents - 600 where id = ? and cents >= 600", "ada");
        return changed == 1 ? done() : continue_with("dun");
    });
    engine->handle("dun", [](const Work&) { return done(R"("dunned")"); });
    start();
    EXPECT_EQ(run("pay").output, std::nullopt);
    EXPECT_EQ(run("pay").output, R"("dunned")");
    EXPECT_EQ(cents(), 400);
}

TEST_F(Atomic, WhatItThrowsUndoesItsStatements) {
    engine->handle_atomic("pay", [](const Work&, Tx& tx) -> HandlerResult {
        take(tx, 250);
        throw std::runtime_error("the printer jams");
    });
    engine->handle_atomic("odd", [](const Work&, Tx& tx) -> HandlerResult {
        take(tx, 250);
        throw 7;
    });
    start();
    const ChainInfo chain = run("pay");
    EXPECT_EQ(chain.status, Status::failed);
    EXPECT_EQ(chain.error_message, "the printer jams");
    EXPECT_THAT(run("odd").error_message.value_or(""), HasSubstr("no std::exception"));
    EXPECT_EQ(cents(), 1000);
}

TEST_F(Atomic, AFailureThatItReturnsUndoesThemToo) {
    engine->handle_atomic("pay", [](const Work&, Tx& tx) {
        take(tx, 250);
        return failed("not today");
    });
    start();
    EXPECT_EQ(run("pay").error_message, "not today");
    EXPECT_EQ(cents(), 1000);
}

TEST_F(Atomic, AnotherAttemptDoesItOnce) {
    engine->handle_atomic("pay", [](const Work& work, Tx& tx) {
        take(tx, 250);
        if (work.attempt < 3) throw std::runtime_error("again");
        return done();
    });
    start();
    EXPECT_EQ(run(ChainSpec{.type = "pay", .max_retries = 5}).status, Status::completed);
    EXPECT_EQ(cents(), 750);
}

TEST_F(Atomic, AStatementThatFailsCanBeCaught) {
    engine->handle_atomic("pay", [](const Work&, Tx& tx) {
        take(tx, 250);
        try {
            tx.execute("insert into app_account values ('ada', 0)");
        } catch (const SqlError& error) {
            EXPECT_THAT(error.what(), HasSubstr("UNIQUE"));
        }
        return done();
    });
    start();
    EXPECT_EQ(run("pay").status, Status::completed);
    EXPECT_EQ(cents(), 750);
}

TEST_F(Atomic, ItContinuesOnce) {
    engine->handle_atomic("pay", [](const Work&, Tx& tx) {
        take(tx, 250);
        HandlerResult result = continue_with("ship");
        return result.continue_with("ship");
    });
    engine->handle("twice", [](const Work&) { return continue_with("a").continue_with("b"); });
    start();
    EXPECT_EQ(run("pay").error_message, "continueWith can only be called once");
    EXPECT_EQ(run("twice").error_message, "continueWith can only be called once");
    EXPECT_EQ(cents(), 1000);
}

TEST_F(Atomic, AResultWithinAResultIsNone) {
    engine->handle_atomic("pay", [](const Work&, Tx& tx) {
        take(tx, 250);
        HandlerResult result;
        result.in_commit = [](Tx& again) {
            take(again, 250);
            return done();
        };
        return result;
    });
    start();
    EXPECT_THAT(run("pay").error_message.value_or(""), HasSubstr("says there how the job ends"));
    EXPECT_EQ(cents(), 1000);
}

TEST_F(Atomic, AnOutputThatIsNoJsonUndoesThem) {
    engine->handle_atomic("pay", [](const Work&, Tx& tx) {
        take(tx, 250);
        return done("{");
    });
    start();
    EXPECT_THAT(run(ChainSpec{.type = "pay", .max_retries = 5}).error_message.value_or(""),
                HasSubstr("not JSON"));
    EXPECT_EQ(cents(), 1000);
}

// Which rows it names is known only after its statements have run: they run again, on those.
TEST_F(Atomic, AContinuationMayWaitForChainsThatWereNotNamedBefore) {
    std::atomic<int> runs = 0;
    Uuid existing;
    engine->handle("part", [](const Work&) { return done("7"); });
    engine->handle_atomic("pay", [&](const Work&, Tx& tx) {
        ++runs;
        take(tx, 250);
        return continue_with("merge", "{}",
                             R"({"lockGroup":"g","blockers":[")" + existing.to_string() +
                                 R"(",{"type":"part","deduplication":{"key":"k"}}]})");
    });
    engine->handle("merge", [](const Work& work) {
        EXPECT_EQ(work.blockers.size(), 2U);
        return done(work.blockers.back().output.value_or("nothing"));
    });
    start();
    existing = run("part").id;
    const ChainInfo chain = run("pay");
    EXPECT_EQ(chain.status, Status::completed) << chain.error_message.value_or("");
    EXPECT_EQ(chain.output, "7");
    EXPECT_EQ(chain.chain_index, 1);
    EXPECT_EQ(runs, 2);
    EXPECT_EQ(cents(), 750);
}

TEST_F(Atomic, AContinuationThatIsRefusedUndoesThem) {
    engine->handle_atomic("pay", [](const Work&, Tx& tx) {
        take(tx, 250);
        return continue_with("merge", "{}",
                             R"({"blockers":["00000000-0000-7000-8000-000000000001"]})");
    });
    start();
    const ChainInfo chain = run(ChainSpec{.type = "pay", .max_retries = 5});
    EXPECT_EQ(chain.status, Status::failed);
    EXPECT_THAT(chain.error_message.value_or(""), HasSubstr("continues with cannot be used"));
    EXPECT_EQ(cents(), 1000);
}

TEST_F(Atomic, AContinuationThatIsAnotherEachTimeIsGivenUp) {
    std::atomic<int> runs = 0;
    engine->handle_atomic("pay", [&](const Work&, Tx& tx) {
        take(tx, 250);
        return continue_with("merge", "{}",
                             R"({"lockGroup":"g)" + std::to_string(++runs) + R"("})");
    });
    start();
    EXPECT_THAT(run("pay").error_message.value_or(""), HasSubstr("each time"));
    EXPECT_EQ(cents(), 1000);
}

TEST_F(Atomic, ReadingForTooLongFailsTheAttempt) {
    engine->handle_atomic("pay", [](const Work&, Tx& tx) {
        take(tx, 250);
        (void)tx.query(std::string(kEndless) + "select count(*) from n");
        return done();
    });
    start();
    EXPECT_THAT(run("pay").error_message.value_or(""), HasSubstr("100 ms"));
    EXPECT_EQ(cents(), 1000);
}

// SQLite rolls the whole transaction back when it interrupts a statement that writes.
TEST_F(Atomic, WritingForTooLongFailsTheAttemptAndNobodyElses) {
    engine->handle_atomic("endless", [](const Work&, Tx& tx) {
        take(tx, 250);
        tx.execute(std::string(kEndless) +
                   "update app_account set cents = (select count(*) from n)");
        return done();
    });
    engine->handle_atomic("pay", [](const Work&, Tx& tx) {
        take(tx, 1);
        return done();
    });
    start();
    std::vector<ChainSpec> chains(20, ChainSpec{.type = "pay", .max_retries = 1});
    chains[10].type = "endless";
    const auto started = engine->chains().start_all(chains);
    ASSERT_TRUE(started.has_value());
    for (std::size_t i = 0; i < chains.size(); ++i) {
        const auto chain = engine->chains().wait((*started)[i].id, 60s).value();
        ASSERT_TRUE(chain.has_value());
        EXPECT_EQ(chain->status, i == 10 ? Status::failed : Status::completed);
        EXPECT_THAT(chain->error_message.value_or(""), HasSubstr(i == 10 ? "100 ms" : ""));
    }
    EXPECT_EQ(cents(), 1000 - 19);
}

TEST_F(Atomic, WhoeverGoesOnAfterItsTimeIsUndoneAllTheSame) {
    engine->handle_atomic("pay", [](const Work&, Tx& tx) {
        take(tx, 250);
        try {
            while (true) tx.execute("update app_account set cents = cents where id = 'ada'");
        } catch (const SqlError&) {
        }
        EXPECT_THROW(tx.execute("delete from app_account"), SqlError);
        return done();
    });
    start();
    EXPECT_THAT(run("pay").error_message.value_or(""), HasSubstr("100 ms"));
    EXPECT_EQ(cents(), 1000);
}

// What follows would otherwise be commits of their own.
TEST_F(Atomic, WhoeverEndsTheTransactionWritesNothingAfterIt) {
    engine->handle_atomic("pay", [](const Work&, Tx& tx) {
        take(tx, 250);
        EXPECT_THROW(tx.execute("insert or rollback into app_account values ('ada', 0)"), SqlError);
        EXPECT_THROW(tx.execute("delete from app_account"), SqlError);
        return done();
    });
    start();
    EXPECT_THAT(run("pay").error_message.value_or(""), HasSubstr("ended the transaction"));
    EXPECT_EQ(cents(), 1000);
}

TEST_F(Atomic, TheEngineCannotBeCalledMeanwhile) {
    engine->handle_atomic("pay", [&](const Work&, Tx&) {
        const auto answer = engine->schedule({.type = "other"});
        EXPECT_FALSE(answer.has_value());
        EXPECT_EQ(answer.error().code(), ErrorCode::refused);
        EXPECT_FALSE(engine->write([](Tx&) {}).has_value());
        return done();
    });
    start();
    EXPECT_EQ(run("pay").status, Status::completed);
}

TEST_F(Atomic, WhoeverLostItsJobWritesNothing) {
    Countdown working(1);
    Countdown cancelled(1);
    std::atomic<int> runs = 0;
    engine->handle("pay", [&](const Work&) {
        working.one();
        EXPECT_TRUE(cancelled.wait());
        HandlerResult result;
        result.in_commit = [&runs](Tx& tx) {
            ++runs;
            take(tx, 250);
            return done();
        };
        return result;
    });
    start();
    const auto started = engine->chains().start({.type = "pay"});
    ASSERT_TRUE(started.has_value());
    ASSERT_TRUE(working.wait());
    ASSERT_EQ(engine->cancel(started->id).value(), std::nullopt);
    cancelled.one();
    EXPECT_EQ(cents(), 1000);
    engine->stop();
    EXPECT_EQ(runs, 0);
}

TEST_F(Atomic, ManyOfThemAddUp) {
    constexpr int kJobs = 300;
    engine->handle_atomic("pay", [](const Work&, Tx& tx) {
        take(tx, 1);
        return done();
    });
    start();
    const auto started = engine->chains().start_all(
        std::vector<ChainSpec>(kJobs, ChainSpec{.type = "pay", .max_retries = 1}));
    ASSERT_TRUE(started.has_value());
    for (const ChainAnswer& chain : *started) {
        EXPECT_EQ(engine->chains().wait(chain.id, 60s).value()->status, Status::completed);
    }
    EXPECT_EQ(cents(), 1000 - kJobs);
}

// ---- statements of their own ------------------------------------------------------------------

TEST_F(Atomic, StatementsWithoutAJobAreAllOrNone) {
    start();
    const auto failed = engine->write([](Tx& tx) {
        take(tx, 250);
        throw std::runtime_error("no");
    });
    ASSERT_FALSE(failed.has_value());
    EXPECT_EQ(failed.error().code(), ErrorCode::invalid);
    EXPECT_EQ(failed.error().message(), "no");
    EXPECT_EQ(cents(), 1000);
}

TEST_F(Atomic, OwnTablesOutliveTheEngine) {
    start();
    ASSERT_TRUE(engine->write([](Tx& tx) { take(tx, 250); }).has_value());
    engine->stop();
    EXPECT_FALSE(engine->write([](Tx& tx) { take(tx, 250); }).has_value()) << "it has stopped";
}

}  // namespace
}  // namespace semel::test
