// A request under its key while the store is unavailable: closed and open routes, in virtual time.
#include <gtest/gtest.h>

#include "gateway/pass_run.hpp"
#include "support/pass_node.hpp"
#include "unit/gateway/a_request.hpp"

namespace semel::gateway {
namespace {

using namespace std::chrono_literals;
using test::PassNode;

// An upstream whose answers the test gives.
struct FakeUpstream final : PassUpstream {
    [[nodiscard]] Clock::time_point now() const override { return {}; }
    void reserve(std::function<void(Result<void>)> done) override {
        waiting = std::move(done);
        if (!holds) connect();
    }
    void connect() { std::exchange(waiting, nullptr)(Result<void>()); }
    void give_back() override { ++given_back; }
    void send(std::vector<net::Header> headers, Clock::time_point /*not_after*/,
              Answered answered) override {
        sent.push_back(std::move(headers));
        answer = std::move(answered);
    }
    void give(int status) { answer(UpstreamAnswer{.status = status, .headers = {}, .body = "b"}); }

    bool holds = false;  // connections come by connect()
    std::function<void(Result<void>)> waiting;
    int given_back = 0;
    std::vector<std::vector<net::Header>> sent;
    Answered answer;
};

struct CountsOpen final : Observer {
    void on_open(std::string_view route) override { routes.emplace_back(route); }
    std::vector<std::string> routes;
};

// One request with a key, on a route with this mode.
struct Running : PassNode {
    explicit Running(FailMode mode) {
        env.observe(counted);
        GatewayRoute route;
        route.name = "message.api";
        route.path = "/*";
        route.upstream = "http://127.0.0.1:1";
        route.idempotency_key.emplace().fail_mode = mode;
        const auto routes =
            std::make_shared<const RouteTable>(std::move(RouteTable::make({route})).value());
        PassOrder order;
        order.admission = admission({.key = "k"});
        order.routes = routes;
        order.route = routes->match(a_request({}), "/a").route;
        order.headers = [](const PassHeaders&) {
            return std::vector<net::Header>{{"under-claims", "yes"}};
        };
        order.open_headers = [] { return std::vector<net::Header>{{"under-claims", "no"}}; };
        effect = order.admission.request.effect;
        run = std::make_shared<PassRun>(node, std::move(order), upstream,
                                        [this](net::Response response) {
                                            EXPECT_FALSE(answer) << "answered twice";
                                            answer = std::move(response);
                                        });
    }
    // What was never answered would keep its request, and the request this upstream.
    ~Running() {
        upstream->waiting = nullptr;
        upstream->answer = nullptr;
    }
    Running(const Running&) = delete;
    Running& operator=(const Running&) = delete;

    void start() {
        run->start(effect);
        env.settle();
    }
    void back() { store.fail_load.reset(); }
    // The state of its key.
    PassState key_state() {
        const auto found = find(admission({.key = "k"}).request.key->claim);
        return found ? judge(*found, store.now()) : PassState::nothing;
    }

    CountsOpen counted;
    std::shared_ptr<FakeUpstream> upstream = std::make_shared<FakeUpstream>();
    Uuid effect;
    std::shared_ptr<PassRun> run;
    std::optional<net::Response> answer;
};

TEST(PassWithoutStore, AClosedRouteRefusesAndSendsNothing) {
    Running t(FailMode::closed);
    t.fail();
    t.start();
    t.env.advance(3s);
    ASSERT_TRUE(t.answer);
    EXPECT_EQ(t.answer->status, 503);
    EXPECT_NE(t.answer->header("retry-after"), nullptr);
    EXPECT_TRUE(t.upstream->sent.empty());
    EXPECT_TRUE(t.counted.routes.empty());
}

TEST(PassWithoutStore, AnOpenRouteSendsWithoutClaimsAndCounts) {
    Running t(FailMode::open);
    t.fail();
    t.start();
    EXPECT_TRUE(t.upstream->sent.empty()) << "the store is tried for a second";
    t.env.advance(3s);
    ASSERT_EQ(t.upstream->sent.size(), 1U);
    EXPECT_EQ(t.upstream->sent.front().front().value, "no");
    EXPECT_EQ(t.counted.routes, std::vector<std::string>{"message.api"});
    t.back();
    t.upstream->give(201);
    t.env.settle();
    ASSERT_TRUE(t.answer);
    EXPECT_EQ(t.answer->status, 201);
    EXPECT_EQ(t.answer->body, "b");
    EXPECT_EQ(t.answer->header("semel-claim"), nullptr);
    EXPECT_EQ(t.key_state(), PassState::nothing) << "no answer is stored";
}

TEST(PassWithoutStore, AnOpenRouteAnswersAStoreThatWorksUnderClaims) {
    Running t(FailMode::open);
    t.start();
    ASSERT_EQ(t.upstream->sent.size(), 1U);
    EXPECT_EQ(t.upstream->sent.front().front().value, "yes");
    t.upstream->give(201);
    t.env.settle();
    EXPECT_EQ(t.key_state(), PassState::sealed);
    EXPECT_TRUE(t.counted.routes.empty());
}

TEST(PassWithoutStore, AnAdmissionThatLandedIsLetGoInTheBackground) {
    Running t(FailMode::open);
    t.lose_commit();
    t.store.before_commit = [&t] { t.fail(); };
    t.start();
    t.env.advance(3s);
    EXPECT_EQ(t.upstream->sent.size(), 1U);
    t.store.before_commit = nullptr;
    EXPECT_EQ(t.key_state(), PassState::held) << "the commit happened";
    t.back();
    t.env.advance(5s);
    EXPECT_EQ(t.key_state(), PassState::nothing);
}

TEST(PassWithoutStore, AnOpenRouteSendsOnceIfTheStoreFailsBeforeTheFirstByte) {
    Running t(FailMode::open);
    t.upstream->holds = true;
    t.start();
    EXPECT_EQ(t.key_state(), PassState::held);
    t.fail();
    t.upstream->holds = false;
    t.upstream->connect();
    t.env.advance(3s);
    ASSERT_EQ(t.upstream->sent.size(), 1U);
    EXPECT_EQ(t.upstream->sent.front().front().value, "no");
    EXPECT_EQ(t.upstream->given_back, 1);
    t.back();
    t.upstream->give(200);
    t.env.advance(5s);
    ASSERT_TRUE(t.answer);
    EXPECT_EQ(t.answer->status, 200);
    EXPECT_EQ(t.key_state(), PassState::nothing);
}

TEST(PassWithoutStore, AnAnswerThatCannotBeSealedLeavesAnOpenRouteAfterFiveSeconds) {
    for (const FailMode mode : {FailMode::closed, FailMode::open}) {
        const bool is_open = mode == FailMode::open;
        Running t(mode);
        t.start();
        t.fail();
        t.upstream->give(201);
        t.env.advance(kSettleWait - 1ms);
        EXPECT_FALSE(t.answer);
        t.env.advance(1ms);
        ASSERT_TRUE(t.answer);
        EXPECT_EQ(t.answer->status, is_open ? 201 : 504);
        EXPECT_EQ(t.counted.routes.size(), is_open ? 1U : 0U);
        t.back();
        t.env.advance(3s);
        EXPECT_EQ(t.key_state(), PassState::sealed) << "the seal is still tried";
    }
}

TEST(PassWithoutStore, AnOpenRouteTellsWhyItsUpstreamDidNotAnswer) {
    for (const auto& [what, status] :
         {std::pair(net::CallResult::not_sent, 502), std::pair(net::CallResult::timed_out, 504),
          std::pair(net::CallResult::maybe_sent, 502)}) {
        Running t(FailMode::open);
        t.fail();
        t.start();
        t.env.advance(3s);
        t.upstream->answer(UpstreamFailure{what, "it broke"});
        ASSERT_TRUE(t.answer);
        EXPECT_EQ(t.answer->status, status);
        EXPECT_EQ(t.answer->header("semel-claim"), nullptr);
    }
}

}  // namespace
}  // namespace semel::gateway
