// Outbox: a PostgreSQL store whose outbox is drained when the test says so, and a user beside it.
#pragma once

#include <atomic>
#include <string>

#include "cluster/user_session.hpp"
#include "core/actions/action_request.hpp"
#include "store/postgres/postgres_store.hpp"
#include "support/postgres_server.hpp"
#include "support/rows.hpp"
#include "support/store_driver.hpp"

namespace semel::test {

class Outbox : public testing::Test {
public:
    // Decides what is there. Tells how many entries that were, and which it had to leave.
    DrainOutcome drain(int limit = 250) {
        DrainOutcome all;
        all.more = true;
        while (all.more) {
            const auto [reply] = driver.run(DrainOutbox{.skipped = all.skipped, .limit = limit});
            const auto& outcome = std::get<DrainOutcome>(reply);
            all.count += outcome.count;
            all.more = outcome.more;
            all.skipped = outcome.skipped;
        }
        return all;
    }

    template <typename Command>
    Reply<Command> run(const Command& command) {
        return std::get<0>(driver.run(command));
    }
    [[nodiscard]] const Settings& command_settings() { return driver.settings(); }

    // `arguments` as in SQL, after the type.
    std::string enqueue(UserSession& session, const std::string& arguments) {
        return session.ask("select semel.enqueue_action('pay', " + arguments + ")");
    }
    std::string result_of(const std::string& id, const std::string& member) {
        return user.ask("select semel.outbox_result('" + id + "') ->> '" + member + "'");
    }
    ActionDetails get(const std::string& id) {
        const auto found = driver.get_action("default", *Uuid::parse(id));
        EXPECT_TRUE(found.has_value()) << id;
        return found.value_or(ActionDetails{});
    }

    // A job that is being worked on.
    TakenJob take(const std::string& group = "") {
        const std::string more = group.empty() ? "" : R"(,"lockGroup":")" + group + '"';
        enqueue(user, "'{}', '{\"maxRetries\":1" + more + "}'");
        drain();
        return take_next();
    }
    // The one that is ready.
    TakenJob take_next() {
        TakeJobs command;
        command.query.types = {"pay"};
        command.worker = "w";
        command.lease = kLease;
        const auto [reply] = driver.run(command);
        const auto& taken = std::get<TakeJobs::Outcome>(reply);
        EXPECT_EQ(taken.size(), 1U);
        return taken.empty() ? TakenJob{} : taken.front();
    }
    // A new member of a lock group, asked for over HTTP.
    ActionView schedule_in(const std::string& group) {
        ActionRequest request;
        request.type = "pay";
        request.payload = "{}";
        request.lock_group = group;
        const auto [reply] = driver.run(ScheduleActions{.tenant = "default", .items = {request}});
        const auto item = std::get<ScheduleActions::Outcome>(reply).front();
        EXPECT_TRUE(std::holds_alternative<ScheduledAction>(item));
        return std::get<ScheduledAction>(item).action;
    }
    Item<JobAnswer> call(const TakenJob& job, Verb verb) {
        SettleJobs command{.tenant = "default", .calls = {}};
        command.calls.emplace_back(
            JobCall{.id = job.job.id, .token = job.job.token, .verb = verb, .lease = kLease});
        const auto [reply] = driver.run(command);
        return std::get<SettleJobs::Outcome>(reply).front();
    }
    static std::string complete_sql(const TakenJob& job, const std::string& more = "") {
        return "select semel.complete_job('" + job.job.id.to_string() + "', " +
               std::to_string(to_int(job.job.token)) + more + ")";
    }

    static constexpr Millis kLease = std::chrono::seconds(15);

    const std::string url = PostgresServer::shared().make_database();
    // Read by the store on threads of its own.
    std::atomic<Time> now = kStart;
    std::unique_ptr<Store> store =
        std::move(open_postgres_store({
                      .url = url,
                      .clock =
                          [this] {
                              const Time time = now;
                              return ClockSample{time, time.time_since_epoch()};
                          },
                  }))
            .value();
    StoreDriver driver{*store};
    UserSession user{url};
};

}  // namespace semel::test
