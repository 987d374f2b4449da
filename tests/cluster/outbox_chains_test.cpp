// Chains that are started and continued in a user's own transaction.
#include "cluster/outbox_fixture.hpp"
#include "core/chains/chain_request.hpp"

namespace semel::test {
namespace {

constexpr const char* kKeyed = R"('{"deduplication":{"key":"k"}}')";
constexpr const char* kNobody = "01900000-0000-7000-8000-000000000000";

class OutboxChains : public Outbox {
public:
    // `arguments` as in SQL, after the type.
    std::string start(const std::string& arguments) {
        return user.ask("select semel.enqueue_chain('order', " + arguments + ")");
    }
    UserSession::Refusal refusal(const std::string& arguments) {
        return user.refusal_of("select semel.enqueue_chain('order', " + arguments + ")");
    }
    std::optional<ChainView> chain(const std::string& id) {
        using Answer = std::optional<ChainView>;
        return driver
            .read<Answer>([&](Reads& reads, Done<Answer> done) {
                reads.get_chain("default", *Uuid::parse(id), std::move(done));
            })
            .value();
    }
    std::vector<StepView> steps(const JobId& id) {
        using Answer = std::vector<StepView>;
        return driver
            .read<Answer>([&](Reads& reads, Done<Answer> done) {
                reads.list_steps("default", id, 0, 100, std::move(done));
            })
            .value();
    }
    std::string error_of(const std::string& id, const std::string& member) {
        return user.ask("select semel.outbox_result('" + id + "') -> 'error' ->> '" + member + "'");
    }
    static std::string continue_sql(const TakenJob& job, const std::string& step) {
        return complete_sql(job, ", null, '" + step + "'");
    }
    // The same over HTTP.
    Item<JobAnswer> continue_with(const TakenJob& job, const std::string& step) {
        const auto document = json::Document::parse(step);
        auto read = read_continuation(document->root(), "default", driver.settings(), "");
        JobCall wanted{.id = job.job.id, .token = job.job.token};
        wanted.continue_with = std::get<Continuation>(std::move(read));
        SettleJobs command{.tenant = "default", .calls = {std::move(wanted)}};
        const auto [reply] = driver.run(command);
        return std::get<SettleJobs::Outcome>(reply).front();
    }
};

TEST_F(OutboxChains, WhatIsCommittedIsStartedUnderItsId) {
    user.ask("begin");
    const std::string id = start("'{\"total\": 9.50}', '{\"maxRetries\":2}'");
    EXPECT_EQ(drain().count, 0) << "before the commit it is nobody's business";
    user.ask("commit");
    EXPECT_EQ(drain().count, 1);
    EXPECT_EQ(result_of(id, "decision"), "new");
    EXPECT_EQ(result_of(id, "id"), id);
    EXPECT_EQ(result_of(id, "error"), "");
    const auto started = chain(id);
    ASSERT_TRUE(started.has_value());
    EXPECT_EQ(started->first.type, "order");
    EXPECT_EQ(started->first.max_retries, 2);
    EXPECT_EQ(started->input.payload, "{\"total\": 9.50}") << "the bytes that came";
    EXPECT_TRUE(started->first.in_chain);
}

TEST_F(OutboxChains, AKeyIsOneChains) {
    const std::string first = start(std::string("'1', ") + kKeyed);
    const std::string second = start(std::string("'2', ") + kKeyed);
    EXPECT_EQ(drain().count, 2);
    EXPECT_EQ(result_of(first, "decision"), "new");
    EXPECT_EQ(result_of(second, "decision"), "duplicate");
    EXPECT_EQ(result_of(second, "id"), first);
    EXPECT_EQ(chain(first)->input.payload, "1");
    EXPECT_FALSE(chain(second).has_value());
}

TEST_F(OutboxChains, ItsBlockersAreStartedWithIt) {
    const std::string paid = start("'{}'");
    const std::string id =
        start("'{}', '{\"blockers\":[\"" + paid + "\",{\"type\":\"pack\",\"input\":3}]}'");
    EXPECT_EQ(drain().count, 2);
    const auto waiting = steps(*Uuid::parse(id));
    ASSERT_EQ(waiting.size(), 1U);
    EXPECT_EQ(waiting[0].view.job.status, Status::blocked);
    ASSERT_EQ(waiting[0].blockers.size(), 2U);
    EXPECT_EQ(waiting[0].blockers[0].id.to_string(), paid);
    EXPECT_EQ(waiting[0].blockers[1].type, "pack");
}

TEST_F(OutboxChains, WhatANodeRefusesIsTold) {
    const std::string unknown = start("'{}', '{\"blockers\":[\"" + std::string(kNobody) + "\"]}'");
    const std::string soon = start("'{}', '{\"schedule\":{\"at\":\"soon\"}}'");
    EXPECT_EQ(drain().count, 2);
    EXPECT_EQ(result_of(unknown, "decision"), "");
    EXPECT_EQ(error_of(unknown, "code"), "not_found");
    EXPECT_EQ(error_of(unknown, "pointer"), "/blockers/0");
    EXPECT_EQ(error_of(soon, "code"), "invalid");
    EXPECT_EQ(user.ask("select count(*) from semel.job"), "0");
}

TEST_F(OutboxChains, NamesAndSizesAreCheckedAtOnce) {
    const auto named =
        refusal(R"('{}', '{"blockers":[{"type":"b","blockers":[{"type":"c","x":1}]}]}')");
    EXPECT_EQ(named.state, "22023");
    EXPECT_NE(named.message.find(R"(options.blockers[0].blockers[0] has the unknown member "x")"),
              std::string::npos)
        << named.message;
    for (const char* options :
         {"[]", R"({"id":"x"})", R"({"payload":1})", R"({"schedule":{"when":1}})",
          R"({"deduplication":{"key":"k","windowSeconds":1}})", R"({"priority":1,"priority":2})"}) {
        EXPECT_EQ(refusal("'{}', '" + std::string(options) + "'").state, "22023") << options;
    }
    EXPECT_EQ(refusal("to_json(repeat('x', 1048576))").state, "54000");
    EXPECT_EQ(refusal("'{}', json_build_object('blockers', "
                      "(select json_agg(gen_random_uuid()) from generate_series(1, 1001)))")
                  .state,
              "54000");
    EXPECT_EQ(refusal("'{}', '{}', ''").state, "22023");
    EXPECT_EQ(user.ask("select count(*) from semel.outbox"), "0");
}

TEST_F(OutboxChains, AJobIsContinuedInTheUsersTransaction) {
    user.ask("create table orders (id int)");
    const TakenJob job = take();
    user.ask("begin; insert into orders values (1);" +
             continue_sql(job, R"({"type":"ship","input":{"n": 1.0}})"));
    EXPECT_EQ(drain().count, 0);
    user.ask("commit");
    EXPECT_TRUE(get(job.job.id.to_string()).view.job.settling);
    EXPECT_EQ(drain().count, 1);
    const auto line = steps(job.job.id);
    ASSERT_EQ(line.size(), 2U);
    EXPECT_EQ(line[0].view.job.status, Status::completed);
    EXPECT_EQ(line[1].view.job.type, "ship");
    EXPECT_EQ(line[1].view.job.chain_index, 1);
    EXPECT_EQ(line[1].view.body.payload, "{\"n\": 1.0}");
    EXPECT_EQ(line[1].view.job.place, Place::ready);
}

TEST_F(OutboxChains, TheSameContinuationAgainOverHttpGetsTheSameAnswer) {
    const TakenJob job = take();
    user.ask(continue_sql(job, R"({"type":"ship","input":1})"));
    drain();
    const auto again = continue_with(job, R"({"input":1,"type":"ship"})");
    ASSERT_TRUE(std::holds_alternative<JobAnswer>(again));
    EXPECT_EQ(std::get<JobAnswer>(again).next, steps(job.job.id).at(1).view.job.id);
    EXPECT_TRUE(
        std::holds_alternative<Problem>(continue_with(job, R"({"input":2,"type":"ship"})")));
}

// What its owner did is committed: it must not be done again.
TEST_F(OutboxChains, AJobWhoseContinuationIsRefusedFailsForGood) {
    for (const std::string& step :
         {R"({"type":"ship","blockers":[")" + std::string(kNobody) + R"("]})",
          std::string(R"({"type":"ship","backoff":"none"})")}) {
        start("'{}', '{\"maxRetries\":5}'");
        drain();
        TakeJobs command;
        command.query.types = {"order"};
        command.worker = "w";
        command.lease = kLease;
        const auto [reply] = driver.run(command);
        const TakenJob job = std::get<TakeJobs::Outcome>(reply).at(0);
        user.ask(continue_sql(job, step));
        EXPECT_EQ(drain().count, 1);
        const ActionDetails failed = get(job.job.id.to_string());
        EXPECT_EQ(failed.view.job.status, Status::failed) << step;
        EXPECT_EQ(failed.view.result.error_message->rfind("continue_with was refused: ", 0), 0U);
        EXPECT_EQ(steps(job.job.id).size(), 1U);
    }
}

TEST_F(OutboxChains, ABadContinuationIsRefusedAtOnce) {
    const TakenJob job = take();
    const auto refused = [&](const std::string& step) {
        return user.refusal_of(continue_sql(job, step)).state;
    };
    EXPECT_EQ(refused(R"({"input":1})"), "22004") << "without a type";
    EXPECT_EQ(refused(R"({"type":""})"), "22023");
    EXPECT_EQ(refused(R"({"type":"t","deduplication":{"key":"k"}})"), "22023");
    EXPECT_EQ(refused("[]"), "22023");
    EXPECT_EQ(user.refusal_of(complete_sql(job, ", '1', '{\"type\":\"t\"}'")).state, "22023");
    EXPECT_EQ(user.refusal_of(complete_sql(job,
                                           ", null, json_build_object('type', 't', 'input', "
                                           "repeat('x', 1048576))"))
                  .state,
              "54000");
    EXPECT_FALSE(get(job.job.id.to_string()).view.job.settling);
}

}  // namespace
}  // namespace semel::test
