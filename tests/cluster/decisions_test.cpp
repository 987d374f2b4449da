// One decision per key, however many nodes are asked at once.
#include <atomic>
#include <future>
#include <latch>
#include <map>
#include <set>
#include <thread>

#include <libpq-fe.h>

#include "cluster/cluster.hpp"

namespace semel::test {
namespace {

ActionSpec action_for(int key, int number) {
    ActionSpec action;
    action.type = "pay";
    action.payload =
        "{\"entityId\":" + std::to_string(key) + ",\"n\":" + std::to_string(number) + "}";
    action.delay = std::chrono::hours(1);
    action.deduplication.window = std::chrono::hours(1);
    return action;
}

// A transaction of somebody else, which holds what its statement has locked.
class LockedRow {
public:
    LockedRow(const std::string& url, const std::string& statement)
        : connection_(PQconnectdb(url.c_str()), PQfinish) {
        run("begin");
        run(statement);
    }
    void let_go() { run("rollback"); }

private:
    void run(const std::string& sql) {
        PGresult* result = PQexec(connection_.get(), sql.c_str());
        EXPECT_NE(PQresultStatus(result), PGRES_FATAL_ERROR) << PQresultErrorMessage(result);
        PQclear(result);
    }

    std::unique_ptr<PGconn, void (*)(PGconn*)> connection_;
};

TEST(ClusterDecisions, ThreeNodesAndManyRequestsMakeOneActionPerKey) {
    constexpr int kKeys = 500;
    constexpr int kRequests = 10'000;
    const std::string url = PostgresServer::shared().make_database();
    const Nodes nodes = open_nodes(url, 3);
    for (const auto& node : nodes) node->start();
    std::latch answered(kRequests);
    std::mutex mutex;
    std::map<int, std::set<Uuid>> ids;
    std::atomic<int> made = 0;
    std::atomic<int> errors = 0;
    for (int i = 0; i < kRequests; ++i) {
        // Neighbours in time have the same key and different nodes.
        const int key = i / 3 % kKeys;
        nodes[static_cast<std::size_t>(i % 3)]->schedule_async(
            action_for(key, i), [&, key](const Result<ScheduleAnswer>& answer) {
                if (answer && *answer) {
                    if (answer->decision == Decision::new_) ++made;
                    const std::lock_guard lock(mutex);
                    ids[key].insert(answer->id);
                } else if (answer || answer.error().code() != ErrorCode::busy) {
                    ++errors;  // who waited too long on a slow machine made nothing
                }
                answered.count_down();
            });
    }
    answered.wait();
    EXPECT_EQ(errors, 0);
    EXPECT_EQ(made, kKeys);
    for (const auto& [key, found] : ids) EXPECT_EQ(found.size(), 1U) << "key " << key;
    EXPECT_EQ(ids.size(), static_cast<std::size_t>(kKeys));
    EXPECT_EQ(ask_postgres(url, "select count(*) from semel.job"), std::to_string(kKeys));
}

TEST(ClusterDecisions, NodesThatStartTogetherMakeOneSchema) {
    for (int round = 0; round < 5; ++round) {
        const std::string url = PostgresServer::shared().make_database();
        constexpr int kNodes = 8;
        std::latch ready(kNodes);
        std::vector<std::thread> threads;
        threads.reserve(kNodes);
        std::atomic<int> opened = 0;
        for (int i = 0; i < kNodes; ++i) {
            threads.emplace_back([&] {
                ready.arrive_and_wait();
                auto engine = Engine::open({.store = url});
                EXPECT_TRUE(engine.has_value()) << engine.error().message();
                opened += engine.has_value() ? 1 : 0;
            });
        }
        for (std::thread& thread : threads) thread.join();
        EXPECT_EQ(opened, kNodes);
        EXPECT_EQ(ask_postgres(url, "select count(*) from semel.meta"), "1");
    }
}

// A user's own transaction may hold a job's row for as long as it likes.
TEST(ClusterDecisions, ARowThatSomebodyHoldsStopsNobodyElse) {
    const std::string url = PostgresServer::shared().make_database();
    const auto node = open_node(url);
    node->start();
    const auto first = node->schedule(action_for(1, 1));
    ASSERT_TRUE(first.has_value());
    LockedRow held(url,
                   "select 1 from semel.job where id = '" + first->id.to_string() + "' for update");
    std::promise<Result<ScheduleAnswer>> later;
    node->schedule_async(action_for(1, 2), [&](Result<ScheduleAnswer> answer) {
        later.set_value(std::move(answer));
    });
    const auto other = node->schedule(action_for(2, 1));
    ASSERT_TRUE(other.has_value());
    EXPECT_EQ(other->decision, Decision::new_);
    auto waiting = later.get_future();
    EXPECT_EQ(waiting.wait_for(std::chrono::seconds(0)), std::future_status::timeout);
    held.let_go();
    const auto answer = waiting.get();
    ASSERT_TRUE(answer.has_value()) << answer.error().message();
    EXPECT_EQ(answer->id, first->id);
    EXPECT_TRUE(answer->replaced);
}

}  // namespace
}  // namespace semel::test
