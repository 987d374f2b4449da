// engine.once where something goes wrong while the effect runs: the store, the lease, the engine.
#include <atomic>
#include <future>
#include <latch>

#include <gmock/gmock.h>

#include "core/fences/fence_request.hpp"
#include "runtime/once.hpp"
#include "runtime/open_store.hpp"
#include "support/store_spy.hpp"
#include "support/temp_folder.hpp"

namespace semel::test {
namespace {

using namespace std::chrono_literals;

class OnceTrouble : public testing::Test {
protected:
    OnceTrouble() { host_.start(); }
    ~OnceTrouble() override { host_.stop(Millis(0)); }

    // Runs it on the engine's thread, where the store is asked.
    void on_loop(const std::function<void()>& run) {
        std::promise<void> done;
        ASSERT_TRUE(host_.node().post([&] {
            run();
            done.set_value();
        }));
        done.get_future().wait();
    }
    // From now on the store fails; `then` runs with each failure, on the engine's thread.
    void lose_store(const std::function<void()>& then) {
        on_loop([&] {
            spy_->fail_load = Error(ErrorCode::unavailable, "away");
            spy_->after_failed_load = then;
        });
    }
    std::future<Result<OnceAnswer>> start(const OnceSpec& spec, OnceFunction effect) {
        return std::async(std::launch::async, [this, spec, effect = std::move(effect)] {
            return once(host_, spec, effect);
        });
    }
    static const RanUnsealed* unsealed(const Result<OnceAnswer>& answer) {
        EXPECT_TRUE(answer.has_value());
        return answer ? std::get_if<RanUnsealed>(&answer->outcome()) : nullptr;
    }
    // As it is stored.
    std::optional<Claim> row(const std::string& key = "k") {
        std::promise<std::optional<Claim>> found;
        store_->reads().get_claim("default", fence_key("default", key).claim,
                                  [&](auto result) { found.set_value(std::move(*result)); });
        return found.get_future().get();
    }
    // Frees the key, as an operator does.
    void delete_claim(const std::string& key = "k") {
        const auto reply = host_.execute(DeleteClaim{
            .tenant = "default", .claim = fence_key("default", key).claim, .reason = "wrong"});
        ASSERT_TRUE(reply.has_value());
    }
    // Returns when it is asked to stop.
    static void wait_for_stop(const OnceWork& work) {
        std::promise<void> asked;
        const std::stop_callback callback(work.stop, [&] { asked.set_value(); });
        EXPECT_EQ(asked.get_future().wait_for(60s), std::future_status::ready);
    }

    const TempFolder folder_;
    const std::unique_ptr<Store> store_ = open_store(folder_.file("semel.db")).value();
    StoreSpy* spy_ = nullptr;  // the host's
    Observer observer_;
    Host host_{make_spy(), {}, observer_};

private:
    std::unique_ptr<Store> make_spy() {
        auto spy = std::make_unique<StoreSpy>(*store_);
        spy_ = spy.get();
        return spy;
    }
};

TEST_F(OnceTrouble, AStoreThatIsAwayForAMomentSealsAllTheSame) {
    int failures = 0;
    const auto answer = once(host_, {.key = "k"}, [&](const OnceWork&) {
        lose_store([&] {
            if (++failures == 3) spy_->fail_load.reset();
        });
        return OnceEffect{.effect_id = "e"};
    });
    ASSERT_TRUE(answer.has_value());
    EXPECT_TRUE(std::holds_alternative<RanHere>(answer->outcome()));
    EXPECT_EQ(row()->state, ClaimState::sealed);
    EXPECT_EQ(failures, 3);
}

TEST_F(OnceTrouble, AStoreThatStaysAwayIsToldWithWhatTheEffectLeft) {
    std::latch failed(1);
    std::atomic<bool> was_told = false;
    auto ended = start({.key = "k"}, [&](const OnceWork&) {
        lose_store([&] {
            if (!was_told.exchange(true)) failed.count_down();
        });
        return OnceEffect{.effect_id = "e", .receipt = "[7]"};
    });
    failed.wait();
    host_.stop(Millis(0));  // which does not wait for the store
    const auto answer = ended.get();
    const RanUnsealed* ran = unsealed(answer);
    ASSERT_NE(ran, nullptr);
    EXPECT_EQ(ran->why.code, ProblemCode::store_unavailable);
    EXPECT_EQ(ran->effect.effect_id, "e");
    EXPECT_EQ(ran->effect.receipt, "[7]");
    EXPECT_TRUE(answer->ran_here());
    EXPECT_EQ(answer->sealed(), nullptr);
    EXPECT_EQ(answer->problem(), &ran->why);
    EXPECT_EQ(row()->state, ClaimState::owned) << "it is left to its lease";
}

TEST_F(OnceTrouble, AnExceptionThatTheStoreCannotBeToldReachesTheCaller) {
    std::latch failed(1);
    std::atomic<bool> was_told = false;
    auto ended = start({.key = "k"}, [&](const OnceWork&) -> OnceEffect {
        lose_store([&] {
            if (!was_told.exchange(true)) failed.count_down();
        });
        throw std::runtime_error("no answer");
    });
    failed.wait();
    host_.stop(Millis(0));
    EXPECT_THROW(static_cast<void>(ended.get()), std::runtime_error);
    EXPECT_EQ(row()->state, ClaimState::owned);
}

TEST_F(OnceTrouble, ALostLeaseIsToldWhileItRunsAndAfter) {
    const auto answer = once(host_, {.key = "k", .lease = 300ms}, [&](const OnceWork& work) {
        delete_claim();
        wait_for_stop(work);
        return OnceEffect{.effect_id = "late"};
    });
    const RanUnsealed* ran = unsealed(answer);
    ASSERT_NE(ran, nullptr);
    EXPECT_EQ(ran->why.code, ProblemCode::stale_token);
    EXPECT_EQ(ran->effect.effect_id, "late");
    EXPECT_EQ(row()->state, ClaimState::free) << "nothing was changed";
}

TEST_F(OnceTrouble, ExceptionsOfALateOwnerChangeNothing) {
    EXPECT_THROW(static_cast<void>(once(host_, {.key = "k"},
                                        [&](const OnceWork&) -> OnceEffect {
                                            delete_claim();
                                            throw std::runtime_error("no answer");
                                        })),
                 std::runtime_error);
    EXPECT_EQ(row()->state, ClaimState::free);
    EXPECT_THROW(static_cast<void>(once(host_, {.key = "k"},
                                        [&](const OnceWork&) -> OnceEffect {
                                            delete_claim();
                                            throw Temporary("not now");
                                        })),
                 Temporary);
    const auto next =
        once(host_, {.key = "k"}, [](const OnceWork&) { return OnceEffect{.effect_id = "e"}; });
    EXPECT_TRUE(next && next->ran_here());
}

TEST_F(OnceTrouble, AStopWaitsForTheEffect) {
    std::latch began(1);
    std::latch may_end(1);
    auto ended = start({.key = "k"}, [&](const OnceWork&) {
        began.count_down();
        may_end.wait();
        return OnceEffect{.effect_id = "e"};
    });
    began.wait();
    // It waits for the first one, until the stop begins.
    auto waiter = start({.key = "k", .wait = 1h}, [](const OnceWork&) { return OnceEffect{"x"}; });
    auto stopped = std::async(std::launch::async, [&] {
        host_.stop(1h);
        return row()->state;
    });
    EXPECT_EQ(waiter.get().error().code(), ErrorCode::stopped);
    may_end.count_down();
    EXPECT_EQ(stopped.get(), ClaimState::sealed) << "when the stop is over, it is sealed";
    const auto answer = ended.get();
    ASSERT_TRUE(answer.has_value());
    EXPECT_TRUE(std::holds_alternative<RanHere>(answer->outcome()));
}

TEST_F(OnceTrouble, NothingIsSealedAfterTheStop) {
    std::latch began(1);
    std::latch has_stopped(1);
    auto ended = start({.key = "k"}, [&](const OnceWork& work) {
        began.count_down();
        wait_for_stop(work);
        has_stopped.wait();
        return OnceEffect{.effect_id = "e"};
    });
    began.wait();
    host_.stop(Millis(0));
    has_stopped.count_down();
    const auto answer = ended.get();
    const RanUnsealed* ran = unsealed(answer);
    ASSERT_NE(ran, nullptr);
    EXPECT_EQ(ran->why.code, ProblemCode::store_unavailable);
    EXPECT_EQ(row()->state, ClaimState::owned);
}

}  // namespace
}  // namespace semel::test
