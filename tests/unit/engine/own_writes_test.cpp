// Statements of handlers' own in the middle of a batch. The store is a memory one; what stands for
// its statements is what the test says.
#include "engine/own_writes.hpp"

#include <gmock/gmock.h>

#include "support/test_node.hpp"

namespace semel {
namespace {

using namespace std::chrono_literals;
using test::TestNode;
using testing::ElementsAre;
using testing::HasSubstr;

class NoStatements final : public Tx {
protected:
    Ran run(std::string_view, const std::vector<SqlValue>&) override { return {}; }
};

class OwnWritesTest : public testing::Test {
protected:
    OwnWritesTest() {
        t.node.add_handler("a", {});
        t.node.start();
        t.store.on_write = [this](const OwnWrites& writes) -> Result<Written> {
            NoStatements tx;
            writes(tx);
            return Written{};
        };
    }

    // A job whose handler runs.
    Job make_job(const std::string& payload) {
        return t.schedule(R"({"type":"a","maxRetries":1,"payload":")" + payload + R"("})");
    }
    // All handlers end, with statements that are noted.
    void end_all(const std::function<HandlerResult(const std::string&)>& result) {
        for (auto& call : std::exchange(t.env.calls, {})) {
            HandlerResult in_commit;
            in_commit.in_commit = [this, result, payload = call.job.payload](Tx&) {
                ran.push_back(payload);
                return result(payload);
            };
            call.done(in_commit);
        }
        t.env.settle();
    }
    void end_all() {
        end_all([](const std::string& payload) { return done(payload); });
    }
    Status status_of(const Job& job) { return t.get(job.id).view.job.status; }
    std::string error_of(const Job& job) {
        return t.get(job.id).view.result.error_message.value_or("");
    }

    TestNode t;
    std::vector<std::string> ran;
};

TEST_F(OwnWritesTest, TheyRunBetweenTheDecisionsOfABatch) {
    const Job one = make_job("1");
    const Job two = make_job("2");
    const int before = t.store.commits;
    end_all();
    EXPECT_THAT(ran, ElementsAre("\"1\"", "\"2\""));
    EXPECT_EQ(status_of(one), Status::completed);
    EXPECT_EQ(t.get(two.id).view.result.output, "\"2\"");
    EXPECT_EQ(t.store.commits, before + 1);
}

// All are one batch, which begins again without the one.
TEST_F(OwnWritesTest, ALostTransactionIsTheFaultOfOneAndTheOthersRunAgain) {
    const Job one = make_job("1");
    const Job two = make_job("2");
    const Job three = make_job("3");
    const Job four = make_job("4");
    bool is_lost = false;
    t.store.on_write = [&](const OwnWrites& writes) -> Result<Written> {
        NoStatements tx;
        writes(tx);
        if (ran.back() != "\"3\"" || std::exchange(is_lost, true)) return Written{};
        return Written{.error = "interrupted", .is_lost = true};
    };
    end_all();
    EXPECT_THAT(ran, ElementsAre("\"1\"", "\"2\"", "\"3\"", "\"1\"", "\"2\"", "\"4\""));
    for (const Job& job : {one, two, four}) EXPECT_EQ(status_of(job), Status::completed);
    EXPECT_EQ(status_of(three), Status::failed);
    EXPECT_EQ(error_of(three), "interrupted");
}

TEST_F(OwnWritesTest, WhatTheStoreUndidIsAFailedAttempt) {
    const Job one = make_job("1");
    t.store.on_write = [](const OwnWrites& writes) -> Result<Written> {
        NoStatements tx;
        writes(tx);
        return Written{.error = "too long"};
    };
    end_all();
    EXPECT_EQ(status_of(one), Status::failed);
    EXPECT_EQ(error_of(one), "too long");
}

TEST_F(OwnWritesTest, AStoreThatFailsIsTriedAgain) {
    const Job one = make_job("1");
    bool has_failed = false;
    t.store.on_write = [&](const OwnWrites& writes) -> Result<Written> {
        if (!std::exchange(has_failed, true)) return Error(ErrorCode::io_error, "the disk failed");
        NoStatements tx;
        writes(tx);
        return Written{};
    };
    end_all();
    EXPECT_EQ(status_of(one), Status::running);
    t.env.advance(1s);
    EXPECT_EQ(status_of(one), Status::completed);
    EXPECT_EQ(ran.size(), 1U);
}

TEST_F(OwnWritesTest, ACommitWhoseAnswerWasLostIsNotRepeated) {
    const Job one = make_job("1");
    t.store.lose_commit = Error(ErrorCode::commit_unknown, "the connection broke");
    end_all();
    t.env.advance(1s);
    EXPECT_EQ(status_of(one), Status::completed);
    EXPECT_EQ(ran.size(), 1U);
}

TEST_F(OwnWritesTest, AfterAWhileNoFurtherOnesBeginInABatch) {
    for (const char* payload : {"1", "2", "3"}) make_job(payload);
    t.store.on_write = [&](const OwnWrites& writes) -> Result<Written> {
        NoStatements tx;
        writes(tx);
        t.env.advance(150ms);
        return Written{};
    };
    const int before = t.store.commits;
    end_all();
    EXPECT_THAT(ran, ElementsAre("\"1\"", "\"2\"", "\"3\""));
    EXPECT_EQ(t.store.commits, before + 3) << "each has its own";
    for (const ActionView& view : t.jobs()) EXPECT_EQ(view.job.status, Status::completed);
}

TEST_F(OwnWritesTest, AStoreWithoutStatementsSaysSo) {
    t.store.on_write = nullptr;
    const Job one = t.schedule(R"({"type":"a","maxRetries":9})");
    end_all();
    EXPECT_EQ(status_of(one), Status::failed);
    EXPECT_THAT(error_of(one), HasSubstr("semel.complete_job"));
    EXPECT_THAT(ran, ElementsAre());
    std::optional<Result<void>> answer;
    t.node.submit_writes(
        std::nullopt, [](Tx&) { return std::optional<std::string>(); },
        [&](const Result<void>& outcome) { answer = outcome; });
    t.env.settle();
    ASSERT_TRUE(answer.has_value());
    EXPECT_EQ(answer->error().code(), ErrorCode::refused);
}

TEST_F(OwnWritesTest, StatementsWithoutAJobAreCommitted) {
    const int before = t.store.commits;
    std::optional<Result<void>> answer;
    t.node.submit_writes(
        std::nullopt, [](Tx&) { return std::optional<std::string>(); },
        [&](const Result<void>& outcome) { answer = outcome; });
    t.env.settle();
    ASSERT_TRUE(answer.has_value());
    EXPECT_TRUE(answer->has_value());
    EXPECT_EQ(t.store.commits, before + 1);
}

TEST_F(OwnWritesTest, AnAttemptThatHasNoJobPreparesNothing) {
    const Job one = make_job("1");
    const TakenJob taken = t.env.calls.front().job;
    bool has_run = false;
    std::optional<Result<void>> answer;
    const auto prepare = [&](Token token) {
        t.node.submit_writes(
            Attempting{.tenant = "default", .id = one.id, .token = token},
            [&](Tx&) {
                has_run = true;
                return std::optional<std::string>();
            },
            [&](const Result<void>& outcome) { answer = outcome; });
        t.env.settle();
    };
    prepare(Token{to_int(taken.job.token) - 1});
    ASSERT_TRUE(answer.has_value());
    EXPECT_EQ(answer->error().code(), ErrorCode::refused);
    EXPECT_FALSE(has_run);
    prepare(taken.job.token);
    EXPECT_TRUE(answer->has_value());
    EXPECT_TRUE(has_run);
}

TEST_F(OwnWritesTest, WhoeverSaysThatItEndedItsJobInSqlHasToHaveDoneIt) {
    const Job one = make_job("1");
    t.env.calls.front().done(ended_in_sql());
    t.env.settle();
    EXPECT_EQ(status_of(one), Status::failed);
    EXPECT_THAT(error_of(one), HasSubstr("has not ended"));
}

// The same without statements.
TEST_F(OwnWritesTest, AContinuationThatTheStoreRefusesFailsTheJob) {
    const Job one = t.schedule(R"({"type":"a","maxRetries":9})");
    t.env.calls.front().done(
        continue_with("b", "{}", R"({"blockers":["00000000-0000-7000-8000-000000000001"]})"));
    t.env.settle();
    EXPECT_EQ(status_of(one), Status::failed);
    EXPECT_THAT(error_of(one), HasSubstr("continues with cannot be used"));
}

}  // namespace
}  // namespace semel
