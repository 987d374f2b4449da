#include "api/metrics.hpp"

#include <algorithm>
#include <sstream>
#include <thread>

#include <gmock/gmock.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include "core/json/json.hpp"

namespace semel {
namespace {

using testing::HasSubstr;
using testing::Not;

// Metrics whose decision lines end up in a string.
class MetricsTest : public testing::Test {
protected:
    MetricsTest() {
        spdlog::drop("semel.decisions");
        auto logger = std::make_shared<spdlog::logger>(
            "semel.decisions", std::make_shared<spdlog::sinks::ostream_sink_mt>(log_));
        logger->set_pattern("%v");
        spdlog::register_logger(logger);
        metrics_ = std::make_unique<Metrics>();
    }
    void TearDown() override { spdlog::drop("semel.decisions"); }

    static DecisionEntry entry(Decision decision) {
        DecisionEntry made;
        made.at = from_ms(0);
        made.tenant = "acme";
        made.surface = "actions";
        made.type = "mail";
        made.key = R"(["mail","entity","order","7"])";
        made.decision = decision;
        made.rule = "first";
        made.token = Token{5};
        made.count = 3;
        made.source_type = "order";
        made.source_id = "7";
        return made;
    }
    std::ostringstream log_;
    std::unique_ptr<Metrics> metrics_;
};

TEST_F(MetricsTest, ADecisionIsOneLineOfJsonWithTheContractsMembers) {
    metrics_->on_decision_line(entry(Decision::new_));
    metrics_->on_decision_line(entry(Decision::conflict));
    EXPECT_EQ(log_.str(), "") << "lines leave with the commit, in one piece";
    metrics_->on_committed(StoreRole::main, Changes{});
    std::istringstream lines(log_.str());
    std::vector<std::string> decisions;
    for (std::string line; std::getline(lines, line);) {
        const auto parsed = json::Document::parse(line);
        ASSERT_TRUE(parsed) << line;
        for (const char* member :
             {"idempotency_key", "decision", "effect_id", "source_type", "source_id", "tenant",
              "surface", "type", "token", "replaced", "count", "ts", "event"}) {
            EXPECT_TRUE(parsed->root().find(member)) << member;
        }
        decisions.emplace_back(parsed->root().find("decision")->as_string());
        EXPECT_EQ(parsed->root().find("event")->as_string(), "decision");
        EXPECT_EQ(parsed->root().find("count")->as_int64(), 3);
    }
    EXPECT_THAT(decisions, testing::ElementsAre("new", "conflict"));
}

TEST_F(MetricsTest, ASilencedLoggerGetsNothing) {
    spdlog::get("semel.decisions")->set_level(spdlog::level::warn);
    metrics_->on_decision_line(entry(Decision::new_));
    metrics_->on_committed(StoreRole::main, Changes{});
    EXPECT_EQ(log_.str(), "");
}

TEST_F(MetricsTest, NothingIsLostWhenItEnds) {
    metrics_->on_decision_line(entry(Decision::new_));
    metrics_.reset();
    EXPECT_THAT(log_.str(), HasSubstr(R"("decision":"new")"));
}

TEST_F(MetricsTest, TheSizeOfAConflictsDiffIsMeasured) {
    DecisionEntry conflict = entry(Decision::conflict);
    conflict.diff_bytes = 300;
    metrics_->on_decision(conflict);
    EXPECT_THAT(metrics_->render(), HasSubstr("semel_conflict_diff_bytes_sum 300"));
}

TEST_F(MetricsTest, DecisionsCountWithTheirRepeats) {
    metrics_->on_decision(entry(Decision::duplicate));
    metrics_->on_decision(entry(Decision::duplicate));
    EXPECT_THAT(
        metrics_->render(),
        HasSubstr(R"(semel_decisions_total{decision="duplicate",route="",surface="actions"} 6)"));
}

TEST_F(MetricsTest, AReplayFromMemoryIsADuplicateOfAFence) {
    metrics_->on_replay();
    metrics_->on_replay();
    DecisionEntry told = entry(Decision::duplicate);
    told.surface = "fences";
    told.count = 1;
    metrics_->on_decision(told);
    const std::string text = metrics_->render();
    EXPECT_THAT(text, HasSubstr(R"(decision="duplicate",route="",surface="fences"} 3)"));
    EXPECT_THAT(text, HasSubstr("semel_receipts_from_memory_total 2"));
}

TEST_F(MetricsTest, ARequestThatAGuardAnsweredIsALineWithTheSeedsMembers) {
    Claim guard;
    guard.tenant = "w1";
    guard.space = "guard.message.api";
    guard.full_key = R"(["0a"])";
    guard.effect.emplace().id = "effect-1";
    metrics_->on_guard_answer({.guard = guard, .at = from_ms(0)});
    metrics_->on_guard_answer({.guard = guard, .at = from_ms(0), .has_waited = true});
    metrics_->on_guard_answer({.guard = guard, .at = from_ms(0), .is_pending = true});
    metrics_->on_committed(StoreRole::main, Changes{});
    const std::string rest = R"("tenant":"w1","key":"[\"0a\"]","original_id":"effect-1"})"
                             "\n";
    const std::string ts = R"("ts":"1970-01-01T00:00:00.000Z",)";
    EXPECT_EQ(log_.str(), R"({"event":"message.api.duplicate_blocked",)" + ts +
                              R"("mode":"lock_resolved",)" + rest +
                              R"({"event":"message.api.duplicate_blocked",)" + ts +
                              R"("mode":"lock_resolved_polled",)" + rest +
                              R"({"event":"message.api.duplicate_pending",)" + ts + rest);
}

TEST_F(MetricsTest, RequestsPastAGuardAreCountedByRoute) {
    metrics_->on_guard_skipped("a");
    metrics_->on_guard_skipped("b");
    metrics_->on_guard_skipped("a");
    EXPECT_THAT(metrics_->render(), HasSubstr(R"(semel_guard_skipped_total{route="a"} 2)"));
    EXPECT_THAT(metrics_->render(), HasSubstr(R"(semel_guard_skipped_total{route="b"} 1)"));
}

TEST_F(MetricsTest, JobsAreThoseOfTheLastCount) {
    metrics_->set_job_counts({{Status::pending, "mail", 10}, {Status::running, "mail", 2}});
    metrics_->set_job_counts({{Status::pending, "mail", 9}, {Status::completed, "bill", 3}});
    const std::string text = metrics_->render();
    EXPECT_THAT(text, HasSubstr(R"(semel_jobs{status="pending",type="mail"} 9)"));
    EXPECT_THAT(text, HasSubstr(R"(semel_jobs{status="running",type="mail"} 0)"));
    EXPECT_THAT(text, HasSubstr(R"(semel_jobs{status="completed",type="bill"} 3)"));
}

TEST_F(MetricsTest, InventedTypesDoNotGrowItWithoutBound) {
    constexpr int kTypes = 1500;
    std::vector<JobCount> counts;
    counts.reserve(kTypes);
    for (int i = 0; i < kTypes; ++i) {
        counts.push_back({Status::pending, "t" + std::to_string(i), 1});
    }
    metrics_->set_job_counts(counts);
    const std::string text = metrics_->render();
    EXPECT_THAT(text, HasSubstr(R"(semel_jobs{status="pending",type="other"} 500)"));
    EXPECT_THAT(text, HasSubstr(R"(type="t999")"));
    EXPECT_THAT(text, Not(HasSubstr(R"(type="t1000")")));
    counts.pop_back();
    metrics_->set_job_counts(counts);
    EXPECT_THAT(metrics_->render(), HasSubstr(R"(semel_jobs{status="pending",type="other"} 499)"));
}

TEST_F(MetricsTest, ALabelCannotBreakOutOfItsLine) {
    metrics_->set_job_counts({{Status::pending, "a\"} 1\nsemel_fake 2\\", 1}});
    EXPECT_THAT(metrics_->render(), Not(HasSubstr("\nsemel_fake")));
}

TEST_F(MetricsTest, AStoreErrorIsRememberedUntilACommitSucceeds) {
    EXPECT_FALSE(metrics_->last_store_error(StoreRole::main));
    metrics_->on_store_error(StoreRole::main, Error(ErrorCode::io_error, "disk full"));
    EXPECT_EQ(metrics_->last_store_error(StoreRole::main), "disk full");
    EXPECT_THAT(metrics_->render(), HasSubstr("semel_store_errors_total 1"));
    metrics_->on_commit(StoreRole::main, 1, 0.001);
    EXPECT_FALSE(metrics_->last_store_error(StoreRole::main));
}

// Batches that only look are let through.
TEST_F(MetricsTest, AnErrorOfWritesIsRememberedUntilSomethingIsWritten) {
    for (const ErrorCode code : {ErrorCode::busy, ErrorCode::commit_unknown}) {
        metrics_->on_store_error(StoreRole::main, Error(code, "no write"));
        metrics_->on_committed(StoreRole::main, {});
        metrics_->on_commit(StoreRole::main, 1, 0.001);
        EXPECT_EQ(metrics_->last_store_error(StoreRole::main), "no write");
        Changes changes;
        changes.drained = {1};
        metrics_->on_committed(StoreRole::main, changes);
        EXPECT_FALSE(metrics_->last_store_error(StoreRole::main));
    }
}

TEST_F(MetricsTest, EachStoreHasItsOwnHealth) {
    metrics_->on_store_error(StoreRole::main, Error(ErrorCode::io_error, "disk full"));
    Changes changes;
    changes.drained = {1};
    metrics_->on_commit(StoreRole::fences, 1, 0.001);
    metrics_->on_committed(StoreRole::fences, changes);
    EXPECT_EQ(metrics_->last_store_error(StoreRole::main), "disk full");
    EXPECT_FALSE(metrics_->last_store_error(StoreRole::fences));
    metrics_->on_store_error(StoreRole::fences, Error(ErrorCode::timeout, "frozen"));
    metrics_->on_commit(StoreRole::main, 1, 0.001);
    EXPECT_FALSE(metrics_->last_store_error(StoreRole::main));
    EXPECT_EQ(metrics_->last_store_error(StoreRole::fences), "frozen");
}

// Fences may not be asked for until somebody finds the node ready again.
TEST_F(MetricsTest, AStoreThatWasAwayIsBackWhenAReadIsAnswered) {
    metrics_->on_store_error(StoreRole::fences, Error(ErrorCode::timeout, "frozen"));
    metrics_->on_read(StoreRole::main);
    EXPECT_TRUE(metrics_->last_store_error(StoreRole::fences));
    metrics_->on_read(StoreRole::fences);
    EXPECT_FALSE(metrics_->last_store_error(StoreRole::fences));
    metrics_->on_store_error(StoreRole::fences, Error(ErrorCode::io_error, "disk full"));
    metrics_->on_read(StoreRole::fences);
    EXPECT_TRUE(metrics_->last_store_error(StoreRole::fences)) << "it reads, and does not write";
}

TEST_F(MetricsTest, ADamagedRowIsCountedAndTheStoreIsWell) {
    metrics_->on_store_error(StoreRole::fences, Error(ErrorCode::damaged_row, "one of many"));
    EXPECT_FALSE(metrics_->last_store_error(StoreRole::fences));
    EXPECT_THAT(metrics_->render(), HasSubstr("semel_store_errors_total 1"));
}

TEST_F(MetricsTest, DecisionsWithoutALineAreCountedAndSaidOnce) {
    std::ostringstream lines;
    const auto before = spdlog::default_logger();
    spdlog::set_default_logger(std::make_shared<spdlog::logger>(
        "lines", std::make_shared<spdlog::sinks::ostream_sink_mt>(lines)));
    for (int i = 0; i < 100; ++i) metrics_->on_unlogged(2);
    spdlog::set_default_logger(before);
    EXPECT_THAT(metrics_->render(), HasSubstr("semel_decisions_unlogged_total 200"));
    EXPECT_THAT(lines.str(), HasSubstr("the decision log loses lines"));
    // More than one, if this took minutes; never all of them.
    EXPECT_LT(std::ranges::count(lines.str(), '\n'), 50);
}

TEST_F(MetricsTest, AStoreErrorThatRepeatsIsLoggedOnce) {
    std::ostringstream lines;
    const auto before = spdlog::default_logger();
    spdlog::set_default_logger(std::make_shared<spdlog::logger>(
        "lines", std::make_shared<spdlog::sinks::ostream_sink_mt>(lines)));
    for (int i = 0; i < 100; ++i) {
        metrics_->on_store_error(StoreRole::main, Error(ErrorCode::unavailable, "disk full"));
    }
    spdlog::set_default_logger(before);
    EXPECT_THAT(lines.str(), HasSubstr("store: disk full (unavailable)"));
    // More than one, if this took seconds; never all of them.
    EXPECT_LT(std::ranges::count(lines.str(), '\n'), 50);
    EXPECT_THAT(metrics_->render(), HasSubstr("semel_store_errors_total 100"));
}

TEST_F(MetricsTest, RequestsMayBeCountedFromManyThreadsWhileTheyAreRead) {
    std::vector<std::thread> threads;
    threads.reserve(4);
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([this, t] {
            for (int i = 0; i < 1000; ++i) {
                metrics_->on_request(t % 2 == 0 ? "/a" : "/b", 200 + i % 3, 0.001);
            }
        });
    }
    for (int i = 0; i < 20; ++i) {
        EXPECT_FALSE(metrics_->render().empty());
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_THAT(metrics_->render(),
                HasSubstr(R"(semel_http_request_seconds_count{route="/a",status="200"} 668)"));
}

TEST_F(MetricsTest, ASealIsTimedFromItsClaim) {
    Claim owned;
    owned.created_at = from_ms(1'000);
    owned.effect.emplace();
    Claim sealed = owned;
    sealed.state = ClaimState::sealed;
    sealed.effect->sealed_at = from_ms(3'500);
    Changes changes;
    changes.claims.push_back({owned, sealed});
    changes.claims.push_back({sealed, sealed});  // a count of repeats was added
    changes.claims.push_back({std::nullopt, owned});
    metrics_->on_committed(StoreRole::main, changes);
    EXPECT_THAT(metrics_->render(), HasSubstr("semel_fence_seal_seconds_count 1"));
    EXPECT_THAT(metrics_->render(), HasSubstr("semel_fence_seal_seconds_sum 2.5"));
}

TEST_F(MetricsTest, AFenceThatIsNotSealedHasNoEffectInItsLine) {
    DecisionEntry claimed = entry(Decision::new_);
    metrics_->on_decision_line(claimed);
    claimed.effect = "ch_9";
    metrics_->on_decision_line(claimed);
    metrics_->on_committed(StoreRole::main, Changes{});
    EXPECT_THAT(log_.str(), HasSubstr(R"("effect_id":"",)"));
    EXPECT_THAT(log_.str(), HasSubstr(R"("effect_id":"ch_9",)"));
}

}  // namespace
}  // namespace semel
