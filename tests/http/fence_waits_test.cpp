// Claims that wait for an owner, over HTTP.
#include <atomic>
#include <map>
#include <mutex>
#include <thread>

#include "http/fence_fixture.hpp"

namespace semel::test {
namespace {

using namespace std::chrono_literals;

class FenceWaitsOverHttp : public FenceTest {};

constexpr const char* kPatient = R"({"key":"k","waitMs":25000})";

TEST_F(FenceWaitsOverHttp, TheSealWakesWhoWaitsLongBeforeTheDeadline) {
    const auto token = own("k");
    const auto began = std::chrono::steady_clock::now();
    auto told = ask_meanwhile(R"({"key":"k","waitMs":60000})");
    seal("k", token, R"("effectId":"ch_9")");
    const Answered answer = told.get();
    EXPECT_EQ(answer.text("/decision"), "duplicate") << answer.body;
    EXPECT_EQ(answer.text("/effectId"), "ch_9");
    EXPECT_LT(std::chrono::steady_clock::now() - began, 50s) << "answered by its deadline";
}

TEST_F(FenceWaitsOverHttp, AReleaseLetsExactlyOneIn) {
    const auto token = own("k");
    auto first = ask_meanwhile(kPatient);
    auto second = ask_meanwhile(kPatient);
    call("k", "release", token);
    // One of them owns it now; the other has the receipt when that one has sealed.
    const auto is_first = [&] { return first.wait_for(1ms) == std::future_status::ready; };
    const auto is_second = [&] { return second.wait_for(1ms) == std::future_status::ready; };
    while (!is_first() && !is_second()) {
    }
    auto& winner = is_first() ? first : second;
    auto& loser = &winner == &first ? second : first;
    const Answered won = winner.get();
    EXPECT_EQ(won.text("/decision"), "new") << won.body;
    seal("k", won.integer("/token"), R"("effectId":"mine")");
    EXPECT_EQ(loser.get().text("/effectId"), "mine");
}

TEST_F(FenceWaitsOverHttp, PastItsPatienceItIsInFlight) {
    own("k");
    expect("in_flight", "k", R"("waitMs":50)");
}

TEST_F(FenceWaitsOverHttp, AnUncertainEffectEndsTheWait) {
    const auto token = own("k");
    auto told = ask_meanwhile(kPatient);
    call("k", "uncertain", token);
    EXPECT_EQ(told.get().code(), "uncertain");
}

TEST_F(FenceWaitsOverHttp, OneThatHungUpOwnsNothing) {
    const auto token = own("k");
    net::Client gone(server_.urls().front());
    const auto unanswered = gone.send("POST", "/v1/fences/claim",
                                      {{"Content-Type", "application/json"}}, kPatient, 200ms);
    EXPECT_FALSE(unanswered.has_value()) << "it gave up and closed its connection";
    auto told = ask_meanwhile(kPatient);
    call("k", "release", token);
    EXPECT_EQ(told.get().text("/decision"), "new") << "not the one that is gone";
}

TEST_F(FenceWaitsOverHttp, ATokensEndEndsItsWaits) {
    Caller admin = token_caller(client_, R"(["admin"])");
    const Answered made = admin.post("/v1/tokens", R"({"scopes":["work"]})");
    remember_secret(made.text("/secret"));
    EXPECT_EQ(admin.post("/v1/fences/claim", R"({"key":"k"})").text("/decision"), "new");
    auto told = std::async(std::launch::async, [&] {
        Caller worker = caller({{"Authorization", "Bearer " + made.text("/secret")}});
        return worker.post("/v1/fences/claim", kPatient);
    });
    EXPECT_EQ(admin.send("DELETE", "/v1/tokens/" + made.text("/id")).status, 204);
    EXPECT_EQ(told.get().status, 401);
}

TEST_F(FenceWaitsOverHttp, OfManyEqualClaimsOneIsNewAndAllOthersGetItsReceipt) {
    constexpr int kCallers = 16;
    constexpr int kClaims = 25;
    std::mutex mutex;
    std::map<std::string, int> bodies;
    std::atomic<int> news = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < kCallers; ++i) {
        threads.emplace_back([&] {
            Caller own = caller();
            for (int n = 0; n < kClaims; ++n) {
                const Answered told = own.post("/v1/fences/claim", kPatient);
                EXPECT_EQ(told.status, 200) << told.body;
                if (told.text("/decision") == "new") {
                    ++news;
                    EXPECT_EQ(own.post(path("k", "/seal"),
                                       token_body(told.integer("/token"), R"("effectId":"e")"))
                                  .status,
                              200);
                } else {
                    const std::lock_guard lock(mutex);
                    ++bodies[told.body];
                }
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(news, 1);
    ASSERT_EQ(bodies.size(), 1U) << bodies.begin()->first;
    EXPECT_EQ(bodies.begin()->second, kCallers * kClaims - 1);
}

}  // namespace
}  // namespace semel::test
