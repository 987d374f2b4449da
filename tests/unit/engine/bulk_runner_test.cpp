#include "support/test_node.hpp"

namespace semel {
namespace {

using namespace std::chrono_literals;
using test::TestNode;

class BulkRunner : public testing::Test {
protected:
    TestNode t;

    void make(int count, const std::string& json = R"({"type":"a"})") {
        for (int i = 0; i < count; ++i) {
            t.schedule(json);
        }
    }
    Uuid start(Operation operation, ActionFilter filter = {}, std::int64_t matched = 0) {
        std::optional<Uuid> id;
        t.node.submit(StartBulk{.tenant = "default",
                                .operation = operation,
                                .filter = std::move(filter),
                                .dry_run = false,
                                .matched = {.count = matched}},
                      [&](Result<Reply<StartBulk>> reply) { id = std::get<BulkRun>(*reply).id; });
        t.env.settle();
        return id.value_or(Uuid{});
    }
    BulkRun get(const Uuid& id) {
        std::optional<BulkRun> run;
        t.store.reads().get_bulk_run("default", id, [&](auto found) { run = std::move(*found); });
        EXPECT_TRUE(run.has_value());
        return run.value_or(BulkRun{});
    }
    int count(Status status) {
        int found = 0;
        for (const ActionView& action : t.jobs()) {
            found += action.job.status == status ? 1 : 0;
        }
        return found;
    }
};

TEST_F(BulkRunner, WalksAllThatMatchesInSteps) {
    t.node.start();
    make(1050);
    const BulkRun run = get(start(Operation::cancel, {}, 1050));
    EXPECT_EQ(run.done, 1050);
    EXPECT_TRUE(run.skipped.empty());
    EXPECT_TRUE(run.finished_at.has_value());
    EXPECT_EQ(count(Status::cancelled), 1050);
}

TEST_F(BulkRunner, ActionsMadeAfterTheStartAreNotMeant) {
    make(10);
    const Uuid id = start(Operation::cancel, {}, 10);  // the node has not started: nobody walks
    make(5);
    t.node.start();
    t.env.settle();
    EXPECT_EQ(get(id).done, 10);
    EXPECT_EQ(count(Status::pending), 5);
}

TEST_F(BulkRunner, GoesOnAfterTheStoreWasAway) {
    t.node.start();
    make(300);
    t.store.fail_commit = Error(ErrorCode::unavailable, "away");
    std::optional<Uuid> id;
    t.node.submit(StartBulk{.tenant = "default",
                            .operation = Operation::cancel,
                            .filter = {},
                            .dry_run = false,
                            .matched = {.count = 300}},
                  [&](Result<Reply<StartBulk>> reply) {
                      id = reply ? std::get<BulkRun>(*reply).id : Uuid{};
                  });
    t.env.settle();
    ASSERT_EQ(id, Uuid{}) << "nothing is answered before it is committed";
    t.store.fail_commit.reset();
    const Uuid second = start(Operation::cancel, {}, 300);
    EXPECT_EQ(get(second).done, 300);
}

TEST_F(BulkRunner, AStepWhoseCommitWasLostIsNotCountedTwice) {
    make(450);
    const Uuid id = start(Operation::cancel, {}, 450);
    t.store.lose_commit = Error(ErrorCode::commit_unknown, "the answer did not come");
    t.node.start();
    t.env.advance(10s);
    const BulkRun run = get(id);
    EXPECT_EQ(run.done, 450);
    EXPECT_TRUE(run.finished_at.has_value());
}

TEST_F(BulkRunner, ARunWhoseStartWasLostIsWalkedAllTheSame) {
    t.node.start();
    make(10);
    t.env.settle();
    t.store.lose_commit = Error(ErrorCode::commit_unknown, "the answer did not come");
    t.node.submit(StartBulk{.tenant = "default",
                            .operation = Operation::cancel,
                            .filter = {},
                            .dry_run = false,
                            .matched = {.count = 10}},
                  [](const auto&) {});
    t.env.settle();
    EXPECT_EQ(count(Status::cancelled), 10);
}

TEST_F(BulkRunner, RunsTakeTurns) {
    make(1000);
    const Uuid first = start(Operation::run_now, {}, 1000);
    const Uuid second = start(Operation::run_now, {.type = "b"}, 0);
    t.node.start();
    t.env.settle();
    EXPECT_LE(*get(second).finished_at, *get(first).finished_at);
    EXPECT_EQ(get(first).done, 1000);
}

}  // namespace
}  // namespace semel
