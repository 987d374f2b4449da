// Actions that are enqueued in a user's own transaction.
#include <vector>

#include <gmock/gmock.h>

#include "cluster/outbox_fixture.hpp"

namespace semel::test {
namespace {

constexpr const char* kHourly = "{\"delayMs\":3600000,\"deduplication\":{\"windowSeconds\":3600}}";

std::string keyed(int key, int number, const std::string& options = kHourly) {
    return "'{\"entityId\":" + std::to_string(key) + ",\"n\":" + std::to_string(number) + "}', '" +
           options + "'";
}

TEST_F(Outbox, WhatIsCommittedIsDecidedUnderItsId) {
    user.ask("create table orders (id int)");
    const std::string id = user.ask(
        "begin; insert into orders values (1);"
        "select semel.enqueue_action('pay', ' { \"x\" : 1.0, \"y\": [ ] }')");
    EXPECT_EQ(drain().count, 0) << "before the commit it is nobody's business";
    EXPECT_EQ(result_of(id, "decision"), "");
    user.ask("commit");
    EXPECT_EQ(drain().count, 1);
    EXPECT_EQ(result_of(id, "decision"), "new");
    EXPECT_EQ(result_of(id, "id"), id);
    EXPECT_EQ(result_of(id, "error"), "");
    const ActionDetails action = get(id);
    EXPECT_EQ(action.view.job.type, "pay");
    EXPECT_EQ(action.view.body.payload, "{ \"x\" : 1.0, \"y\": [ ] }") << "the bytes that came";
    EXPECT_EQ(drain().count, 0);
}

// PostgreSQL has no such character in its text; JSON and keys have.
TEST_F(Outbox, AKeyMayHoldAZero) {
    const std::string options = R"('{"deduplication":{"key":"a\u0000b","windowSeconds":60}}')";
    const std::string first = enqueue(user, "'{}', " + options);
    const std::string second = enqueue(user, "'{}', " + options);
    const std::string chain = user.ask(
        R"(select semel.enqueue_chain('pay', '"\u0000"', '{"deduplication":{"key":"\u0000"},)"
        R"("blockers":[{"type":"pay","input":"\u0000"}]}'))");
    EXPECT_EQ(drain().count, 3);
    EXPECT_EQ(result_of(first, "decision"), "new");
    EXPECT_EQ(result_of(second, "id"), first);
    EXPECT_EQ(result_of(chain, "decision"), "new");
    EXPECT_THAT(
        user.refusal_of(R"(select semel.enqueue_action('t', '{}', '{"lockGroup":"\u0000"}'))")
            .message,
        testing::HasSubstr("must not hold control characters"));
}

TEST_F(Outbox, WhatIsRolledBackNeverWas) {
    user.ask("begin");
    const std::string id = enqueue(user, "'{}'");
    user.ask("rollback");
    EXPECT_EQ(drain().count, 0);
    EXPECT_EQ(user.ask("select count(*) from semel.job"), "0");
    EXPECT_EQ(result_of(id, "decision"), "");
}

TEST_F(Outbox, AnIdIsAUuidOfItsTime) {
    const auto id = Uuid::parse(enqueue(user, "null, null"));
    ASSERT_TRUE(id.has_value());
    EXPECT_EQ(id->bytes[6] >> 4, 7);
    EXPECT_EQ(id->bytes[8] >> 6, 2);
    EXPECT_EQ(user.ask("select abs(extract(epoch from clock_timestamp()) * 1000 - ('x' || "
                       "left(replace('" +
                       id->to_string() + "', '-', ''), 12))::bit(48)::bigint) < 60000"),
              "t");
    EXPECT_EQ(drain().count, 1);
    EXPECT_EQ(get(id->to_string()).view.body.payload, "{}");
}

TEST_F(Outbox, TheLastPayloadOfAKeyWins) {
    const std::string first = enqueue(user, keyed(1, 1));
    UserSession other(url);
    for (int i = 2; i <= 20; ++i) enqueue(i % 2 == 0 ? other : user, keyed(1, i));
    EXPECT_EQ(drain(7).count, 20);
    EXPECT_EQ(get(first).view.body.payload, "{\"entityId\":1,\"n\":20}");
    EXPECT_EQ(user.ask("select count(*) from semel.job"), "1");
}

// Its number is smaller than those of transactions that were decided long ago.
TEST_F(Outbox, ALateCommitIsNeitherForgottenNorDecidedAfterTheNext) {
    UserSession slow(url);
    slow.ask("begin");
    const std::string late = enqueue(slow, keyed(1, 1));
    enqueue(user, keyed(2, 1));
    EXPECT_EQ(drain().count, 1);
    slow.ask("commit");
    const std::string next = enqueue(user, keyed(1, 2));
    EXPECT_EQ(drain().count, 2);
    EXPECT_EQ(result_of(late, "decision"), "new");
    EXPECT_EQ(result_of(next, "decision"), "duplicate");
    EXPECT_EQ(result_of(next, "id"), late);
    EXPECT_EQ(get(late).view.body.payload, "{\"entityId\":1,\"n\":2}");
}

TEST_F(Outbox, DecidesLikeARequest) {
    const std::vector<std::string> options = {
        kHourly,
        kHourly,
        R"({"deduplication":{"windowSeconds":3600,"onDuplicate":"reject"}})",
        R"({"deduplication":{"windowSeconds":3600,"onDuplicate":"keep"}})",
        R"({"deduplication":false})",
        R"({"deduplication":{"windowSeconds":3600,"key":"k"}})",
        R"({"deduplication":{"windowSeconds":3600,"key":"k"},"lockGroup":"g"})",
        R"({"delayMs":-1})",
        R"({"deduplication":{"scope":"everything"}})",
        R"({"backoff":{"kind":"none"}})",
        R"({"scheduledAt":"tomorrow"})",
    };
    int number = 0;
    for (const std::string& each : options) {
        SCOPED_TRACE(each);
        const std::string payload = "{\"entityId\":1,\"n\":" + std::to_string(++number) + "}";
        const auto document = json::Document::parse("{\"type\":\"pay\",\"payload\":" + payload +
                                                    "," + each.substr(1));
        ASSERT_TRUE(document.has_value());
        ScheduleActions command{.tenant = "http", .items = {}};
        command.items.push_back(
            read_action_request(document->root(), "http", driver.settings(), ""));
        const auto [reply] = driver.run(command);
        const auto& item = std::get<ScheduleActions::Outcome>(reply).front();
        const std::string id = enqueue(user, "'" + payload + "', '" + each + "', 'sql'");
        EXPECT_EQ(drain().count, 1);
        if (const auto* problem = std::get_if<Problem>(&item)) {
            EXPECT_EQ(user.ask("select semel.outbox_result('" + id + "') -> 'error' ->> 'code'"),
                      to_string(problem->code));
            EXPECT_EQ(user.ask("select semel.outbox_result('" + id + "') -> 'error' ->> 'detail'"),
                      problem->detail);
        } else {
            EXPECT_EQ(result_of(id, "decision"),
                      to_string(std::get<ScheduledAction>(item).decision));
        }
    }
    EXPECT_EQ(user.ask("select count(*) from semel.job where tenant = 'sql'"),
              user.ask("select count(*) from semel.job where tenant = 'http'"));
    EXPECT_EQ(user.ask("select count(*) from semel.outbox"), "0");
}

// PostgreSQL takes it for JSON; we do not.
TEST_F(Outbox, APayloadThatIsRefusedStopsNobody) {
    const std::string bad = enqueue(user, "'{\"a\":1,\"a\":2}'");
    const std::string good = enqueue(user, "'{}'");
    EXPECT_EQ(drain().count, 2);
    EXPECT_NE(result_of(bad, "error"), "");
    EXPECT_EQ(result_of(bad, "decision"), "");
    EXPECT_EQ(result_of(good, "decision"), "new");
}

struct BadInput {
    std::string arguments;
    std::string state;
    std::string message;
};

TEST_F(Outbox, RefusesBadInputAtOnce) {
    const std::string kInvalid = "22023";
    const std::vector<BadInput> table = {
        {"'', '{}'", kInvalid, "type must not be empty"},
        {"null, '{}'", "22004", "type must not be null"},
        {"repeat('x', 256), '{}'", kInvalid, "type must have 1 to 255 bytes, this has 256"},
        {"repeat('ä', 128), '{}'", kInvalid, "type must have 1 to 255 bytes, this has 256"},
        {"E'a\\nb', '{}'", kInvalid, "type must not hold control characters"},
        {"U&'a\\0085b', '{}'", kInvalid, "type must not hold control characters"},
        {"'a', '{}', '[]'", kInvalid, "options must be a JSON object, this is of type array"},
        {"'a', '{}', '{\"delay\":1}'", kInvalid, "options has the unknown member \"delay\""},
        {"'a', '{}', '{\"payload\":1}'", kInvalid, "options has the unknown member \"payload\""},
        {"'a', '{}', '{\"delayMs\":1,\"delayMs\":2}'", kInvalid,
         "options has the member \"delayMs\" twice"},
        {"'a', '{}', '{\"deduplication\":{\"window\":1}}'", kInvalid,
         "options.deduplication has the unknown member \"window\""},
        {"'a', '{}', '{\"lockGroup\":\"\"}'", kInvalid, "options.lockGroup must not be empty"},
        {"'a', to_json(repeat('x', 1048576))", "54000",
         "payload and options must have at most 1048576 bytes, this has 1048601"},
        {"'a', '{}', '{}', ''", kInvalid, "tenant must not be empty"},
        {"'a', '{}', '{}', null", "22004", "tenant must not be null"},
        {"'a', 'no JSON'", "22P02", "invalid input syntax for type json"},
    };
    for (const BadInput& bad : table) {
        const auto refusal = user.refusal_of("select semel.enqueue_action(" + bad.arguments + ")");
        EXPECT_EQ(refusal.state, bad.state) << bad.arguments;
        EXPECT_EQ(refusal.message, bad.message) << bad.arguments;
    }
    EXPECT_EQ(user.ask("select count(*) from semel.outbox"), "0");
}

TEST_F(Outbox, IsForThoseWhoWereGrantedIt) {
    const std::string role = "app_of_outbox";
    user.ask("create role " + role + "; grant usage on schema semel to " + role);
    user.ask("set role " + role);
    const std::string enqueues = "select semel.enqueue_action('pay', '{}')";
    EXPECT_EQ(user.refusal_of(enqueues).state, "42501");
    user.ask("reset role; grant execute on function semel.enqueue_action to " + role +
             "; set role " + role);
    EXPECT_EQ(user.refusal_of(enqueues).state, "");
    EXPECT_EQ(user.refusal_of("select 1 from semel.outbox").state, "42501");
    user.ask("reset role; drop owned by " + role + "; drop role " + role);
    EXPECT_EQ(drain().count, 1);
}

TEST_F(Outbox, ResultsAreKeptForSevenDays) {
    const std::string id = enqueue(user, "'{}'");
    drain();
    now = now.load() + kOutboxResultRetention;
    EXPECT_EQ(std::get<UpkeepOutcome>(std::get<0>(driver.run(PruneOutboxResults{}))).count, 0);
    now = now.load() + Millis(1);
    EXPECT_EQ(std::get<UpkeepOutcome>(std::get<0>(driver.run(PruneOutboxResults{}))).count, 1);
    EXPECT_EQ(result_of(id, "decision"), "");
}

// What somebody else holds is left, with everything of its key; the rest goes on.
TEST_F(Outbox, ALockedRowStopsItsKeyAlone) {
    const std::string first = enqueue(user, keyed(1, 1));
    drain();
    UserSession holder(url);
    holder.ask("begin; select 1 from semel.job where id = '" + first + "' for update");
    enqueue(user, keyed(1, 2));
    enqueue(user, keyed(1, 3));
    const std::string other = enqueue(user, keyed(2, 1));
    const DrainOutcome left = drain(1);
    EXPECT_EQ(left.count, 1);
    EXPECT_EQ(left.skipped.entries.size(), 2U);
    EXPECT_EQ(result_of(other, "decision"), "new");
    holder.ask("rollback");
    EXPECT_EQ(drain(1).count, 2);
    EXPECT_EQ(get(first).view.body.payload, "{\"entityId\":1,\"n\":3}");
}

// The first is left because of its lock group; the second has none, and must not go before it.
TEST_F(Outbox, WhatIsLeftIsNotOvertakenByItsKey) {
    enqueue(user, "'{}', '{\"lockGroup\":\"g\",\"delayMs\":3600000}'");
    drain();
    UserSession holder(url);
    holder.ask("begin; select 1 from semel.lock_group for update");
    const std::string first = enqueue(
        user,
        keyed(1, 1, R"({"lockGroup":"g","delayMs":60000,"deduplication":{"windowSeconds":60}})"));
    const std::string second = enqueue(user, keyed(1, 2));
    EXPECT_EQ(drain(1).skipped.entries.size(), 2U);
    holder.ask("rollback");
    EXPECT_EQ(drain().count, 2);
    EXPECT_EQ(result_of(first, "decision"), "new");
    EXPECT_EQ(result_of(second, "id"), first);
    EXPECT_EQ(get(first).view.body.payload, "{\"entityId\":1,\"n\":2}");
}

TEST_F(Outbox, OneNodeDrainsAtATime) {
    enqueue(user, "'{}'");
    UserSession drainer(url);
    drainer.ask("begin; select 1 from semel.drain for update");
    EXPECT_EQ(drain().count, 0);
    drainer.ask("rollback");
    EXPECT_EQ(drain().count, 1);
}

}  // namespace
}  // namespace semel::test
