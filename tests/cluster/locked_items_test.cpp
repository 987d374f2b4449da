// Commands of many items, of which one needs a row that a user's own transaction holds: that one is
// refused, and the others stand; but under an Idempotency-Key, which would repeat that refusal.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cluster/hosts.hpp"
#include "cluster/user_session.hpp"
#include "core/actions/action_request.hpp"
#include "core/keys/idempotency.hpp"
#include "support/postgres_server.hpp"

namespace semel::test {
namespace {

Item<ActionRequest> action(const std::string& body) {
    return read_action_request(json::Document::parse(body)->root(), "default", Settings{}, "");
}

template <typename T>
std::string told(const Item<T>& item) {
    const auto* problem = std::get_if<Problem>(&item);
    return problem == nullptr ? "ok" : std::string(to_string(problem->code));
}

template <typename Outcome>
std::vector<std::string> told_each(const Outcome& items) {
    std::vector<std::string> all;
    all.reserve(items.size());
    for (const auto& item : items) all.push_back(told(item));
    return all;
}

class ClusterLockedItems : public testing::Test {
protected:
    void SetUp() override { hosts_.start(); }

    template <typename Command>
    typename Command::Outcome run(Command command) {
        auto reply = hosts_[0].execute(std::move(command));
        EXPECT_TRUE(reply.has_value()) << reply.error().message();
        return std::get<typename Command::Outcome>(*reply);
    }
    void schedule(const std::vector<std::string>& bodies) {
        ScheduleActions command{.tenant = "default", .items = {}};
        for (const std::string& body : bodies) command.items.push_back(action(body));
        EXPECT_EQ(run(std::move(command)).size(), bodies.size());
    }
    std::vector<TakenJob> take(int count) {
        return run(TakeJobs{.query = {.tenant = "default", .types = {"pay"}, .limit = count},
                            .worker = "w",
                            .lease = std::chrono::seconds(60)});
    }
    // Told "ok", "replayed", or what is wrong.
    std::string schedule_under_key(const std::vector<std::string>& bodies) {
        ScheduleActions command{.tenant = "default", .items = {}};
        for (const std::string& body : bodies) command.items.push_back(action(body));
        std::promise<std::string> answered;
        Node& node = hosts_[0].node();
        node.post([&] {
            node.submit_rendered<ScheduleActions>(
                std::move(command), make_guard("default", "token", "POST", "/v1/batch", "k", ""),
                [](const Reply<ScheduleActions>& reply) {
                    const auto all = told_each(std::get<ScheduleActions::Outcome>(reply));
                    return Receipt{.status = 200, .body = fmt::format("{}", fmt::join(all, " "))};
                },
                [&answered](const Result<Rendered>& answer) {
                    answered.set_value(!answer            ? answer.error().message()
                                       : answer->replayed ? "replayed " + answer->receipt.body
                                                          : answer->receipt.body);
                });
        });
        return answered.get_future().get();
    }
    void hold(const TakenJob& taken) {
        user_.ask("begin; select semel.complete_job('" + taken.job.id.to_string() + "', " +
                  std::to_string(to_int(taken.job.token)) + ")");
    }

    const std::string url_ = PostgresServer::shared().make_database();
    Hosts hosts_{url_, 1};
    UserSession user_{url_};
};

TEST_F(ClusterLockedItems, OtherJobsOfASettleAreSettled) {
    schedule({R"({"type":"pay"})", R"({"type":"pay"})", R"({"type":"pay"})"});
    const auto taken = take(3);
    ASSERT_EQ(taken.size(), 3U);
    hold(taken[0]);
    SettleJobs beats{.tenant = "default", .calls = {}};
    for (const TakenJob& job : taken) {
        beats.calls.emplace_back(
            JobCall{.id = job.job.id, .token = job.job.token, .verb = Verb::heartbeat});
    }
    const std::vector<std::string> expected{"store_unavailable", "ok", "ok"};
    EXPECT_EQ(told_each(run(beats)), expected);
    user_.ask("rollback");
    EXPECT_EQ(told_each(run(beats)), (std::vector<std::string>{"ok", "ok", "ok"}));
}

TEST_F(ClusterLockedItems, OtherActionsOfABatchAreMade) {
    schedule({R"({"type":"pay","payload":{"entityId":1}})"});
    user_.ask("begin; select 1 from semel.claim for update");
    const auto made =
        run(ScheduleActions{.tenant = "default",
                            .items = {action(R"({"type":"pay","payload":{"entityId":1}})"),
                                      action(R"({"type":"pay","payload":{"entityId":2}})"),
                                      action(R"({"type":"pay","payload":{"entityId":1}})")}});
    const std::vector<std::string> expected{"store_unavailable", "ok", "store_unavailable"};
    EXPECT_EQ(told_each(made), expected);
    EXPECT_EQ(std::get<Problem>(made[0]).retry_after, Millis(1000));
    user_.ask("rollback");
    EXPECT_EQ(list_jobs(hosts_[0], {}).size(), 2U);
}

TEST_F(ClusterLockedItems, ABatchUnderAKeyIsDoneAsAWholeOrNotAtAll) {
    const std::vector<std::string> bodies{
        R"({"type":"pay","deduplication":{"key":"a","windowSeconds":60}})",
        R"({"type":"pay","deduplication":false})"};
    schedule({bodies[0]});
    user_.ask("begin; select 1 from semel.job for update");
    EXPECT_THAT(schedule_under_key(bodies), testing::HasSubstr("another transaction holds"));
    user_.ask("rollback");
    EXPECT_EQ(schedule_under_key(bodies), "ok ok");
    EXPECT_EQ(schedule_under_key(bodies), "replayed ok ok");
    EXPECT_EQ(list_jobs(hosts_[0], {}).size(), 2U);
}

TEST_F(ClusterLockedItems, OtherChainsOfABatchAreStarted) {
    const std::string held = R"({"type":"pay","deduplication":{"key":"a"}})";
    (void)start_chain(hosts_[0], held);
    user_.ask("begin; select 1 from semel.claim for update");
    const auto started = run(StartChains{
        .tenant = "default", .items = {chain_request(held), chain_request(R"({"type":"pay"})")}});
    const std::vector<std::string> expected{"store_unavailable", "ok"};
    EXPECT_EQ(told_each(started), expected);
    user_.ask("rollback");
}

TEST_F(ClusterLockedItems, ABulkRunSkipsOneAndGoesOn) {
    schedule({R"({"type":"pay"})"});
    hold(take(1).at(0));
    schedule({R"({"type":"other"})", R"({"type":"other"})"});
    std::vector<JobId> all;
    for (const ActionView& view : list_jobs(hosts_[0], {})) all.insert(all.begin(), view.job.id);
    const BulkRun run_row = run(StartBulk{.tenant = "default",
                                          .operation = Operation::cancel,
                                          .dry_run = true,  // the node's own steps change nothing
                                          .matched = {.count = 3, .newest = all.back()}});
    const BulkRun after = run(StepBulk{run_row.id, all, true});
    EXPECT_EQ(after.done, 2);
    EXPECT_EQ(after.skipped.at("store_unavailable"), 1);
    user_.ask("rollback");
}

}  // namespace
}  // namespace semel::test
