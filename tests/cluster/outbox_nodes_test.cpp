// Nodes that drain one outbox.
#include <future>
#include <map>

#include "cluster/cluster.hpp"
#include "cluster/user_session.hpp"
#include "support/tcp_proxy.hpp"

namespace semel::test {
namespace {

std::string enqueue_sql(const std::string& payload, const std::string& options = "{}") {
    return "select semel.enqueue_action('step', '" + payload + "', '" + options + "')";
}

std::string complete_sql(const Work& work, const std::string& output) {
    return "select semel.complete_job('" + work.id.to_string() + "', " +
           std::to_string(work.token) + ", '" + output + "')";
}

TEST(OutboxNodes, EachEntryIsDecidedOnce) {
    constexpr int kEntries = 2000;
    constexpr int kInATransaction = 50;
    const std::string url = PostgresServer::shared().make_database();
    Record<std::string> record;
    const Nodes nodes = open_nodes(url, 3);
    for (const auto& node : nodes) {
        node->handle("step", [&](const Work& work) {
            record.add(work.payload);
            return semel::done();
        });
        node->start();
    }
    UserSession user(url);
    for (int i = 0; i < kEntries; i += kInATransaction) {
        user.ask("begin");
        user.ask("select semel.enqueue_action('step', to_json(n)) from generate_series(" +
                 std::to_string(i) + ", " + std::to_string(i + kInATransaction - 1) + ") n");
        user.ask("commit");
    }
    std::map<std::string, int> times;
    for (const std::string& payload : record.wait_for(kEntries)) ++times[payload];
    EXPECT_EQ(times.size(), static_cast<std::size_t>(kEntries));
    EXPECT_EQ(user.ask("select count(*) from semel.outbox"), "0");
    EXPECT_EQ(user.ask("select count(*) from semel.job"), std::to_string(kEntries));
    EXPECT_EQ(user.ask("select count(*) from semel.outbox_answer where "
                       "result::json ->> 'decision' = 'new'"),
              std::to_string(kEntries));
}

// The user's transaction is committed, and the node that could have drained is gone.
TEST(OutboxNodes, AnotherNodeDrainsWhenOneIsGone) {
    const std::string url = PostgresServer::shared().make_database();
    TcpProxy proxy(PostgresServer::shared().port());
    Record<int> record;
    const auto node_with = [&](const std::string& way, int number) {
        auto node = open_node(way);
        node->handle("step", [&record, number](const Work&) {
            record.add(number);
            return semel::done();
        });
        node->start();
        return node;
    };
    const auto first = node_with(proxy.url(url), 1);
    UserSession user(url);
    user.ask(enqueue_sql("1"));
    EXPECT_EQ(record.wait_for(1).back(), 1);
    proxy.refuse();
    proxy.cut();
    user.ask(enqueue_sql("2"));
    const auto second = node_with(url, 2);
    EXPECT_EQ(record.wait_for(2).back(), 2);
    EXPECT_EQ(user.ask("select count(*) from semel.job"), "2");
}

// The handler's own transaction ends the job; what it answers afterwards is the same call again.
TEST(OutboxNodes, AHandlerMayEndItsJobInItsOwnTransaction) {
    const std::string url = PostgresServer::shared().make_database();
    Record<std::string> record;
    const auto node = open_node(url);
    UserSession setup(url);
    setup.ask("create table paid (id text primary key)");
    node->handle("step", [&](const Work& work) {
        UserSession user(url);
        user.ask("begin; insert into paid values ('" + work.payload + "');" +
                 complete_sql(work, work.payload) + "; commit");
        record.add(work.payload);
        return semel::done(work.payload);
    });
    node->start();
    for (int i = 0; i < 5; ++i) {
        setup.ask(enqueue_sql(std::to_string(i), R"({"lockGroup":"line","maxRetries":1})"));
    }
    const auto order = record.wait_for(5);
    EXPECT_EQ(order, (std::vector<std::string>{"0", "1", "2", "3", "4"}));
    node->stop();
    EXPECT_EQ(setup.ask("select count(*) from paid"), "5");
    EXPECT_EQ(setup.ask("select count(completed_by) from semel.job"), "5");
}

// It holds its job and what it enqueued, and nobody else's.
TEST(OutboxNodes, ALongTransactionHoldsNobodyElse) {
    const std::string url = PostgresServer::shared().make_database();
    Record<std::string> record;
    std::promise<Work> taken;
    std::promise<void> may_end;
    auto ending = may_end.get_future().share();
    const auto node = open_node(url);
    node->handle("long", [&](const Work& work) {
        taken.set_value(work);
        ending.wait();
        return semel::done("1");
    });
    node->handle("step", [&](const Work& work) {
        record.add(work.payload);
        return semel::done();
    });
    node->start();
    UserSession setup(url);
    setup.ask("select semel.enqueue_action('long', '{}')");
    const Work work = taken.get_future().get();
    UserSession user(url);
    user.ask("begin; " + complete_sql(work, "1") + "; " + enqueue_sql("100"));
    for (int i = 0; i < 20; ++i) {
        setup.ask(enqueue_sql(std::to_string(i)));
        ASSERT_TRUE(node->schedule({.type = "step", .payload = std::to_string(i)}).has_value());
    }
    EXPECT_EQ(record.wait_for(40).size(), 40U);
    user.ask("commit");
    EXPECT_EQ(record.wait_for(41).back(), "100");
    may_end.set_value();
    node->stop();
    EXPECT_EQ(setup.ask("select count(*) from semel.job where status = 3"), "42");
}

// A request of two actions meets a held row with the second: the first must not be made twice.
TEST(OutboxNodes, ARequestThatMeetsALockedRowIsUndoneAsAWhole) {
    const std::string url = PostgresServer::shared().make_database();
    const auto node = open_node(url);
    node->start();
    ActionSpec keyed{.type = "step", .payload = R"({"entityId":1})"};
    keyed.delay = std::chrono::hours(1);
    keyed.deduplication.window = std::chrono::hours(1);
    ActionSpec keyless = keyed;
    keyless.payload = "{}";
    ASSERT_TRUE(node->schedule(keyed).has_value());
    UserSession user(url);
    user.ask("begin; select 1 from semel.job for update");
    std::promise<Result<std::vector<ScheduleAnswer>>> answered;
    std::promise<void> started;
    std::thread waiting([&] {
        started.set_value();
        answered.set_value(node->schedule_all({keyless, keyed}));
    });
    started.get_future().wait();
    for (int i = 0; i < 20; ++i) ASSERT_TRUE(node->schedule(keyless).has_value());
    user.ask("rollback");
    const auto answer = answered.get_future().get();
    waiting.join();
    ASSERT_TRUE(answer.has_value()) << answer.error().message();
    EXPECT_EQ(user.ask("select count(*) from semel.job"), "22");
}

}  // namespace
}  // namespace semel::test
