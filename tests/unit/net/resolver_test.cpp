#include "net/resolver.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "net/io_thread.hpp"
#include "unit/net/support.hpp"

namespace semel::net {
namespace {

using namespace test;
using std::chrono::milliseconds;

// Look-ups that end when the test says so. Look-ups share it, because they outlive their resolver.
struct SlowNames {
    std::mutex mutex;
    std::condition_variable changed;
    std::map<std::string, int> begun;
    std::set<std::string> answered;
    int running = 0;

    Resolver::Addresses look_up(const std::string& host) {
        std::unique_lock lock(mutex);
        ++begun[host];
        ++running;
        changed.notify_all();
        changed.wait(lock, [&] { return answered.count(host) > 0; });
        --running;
        changed.notify_all();
        if (host == "none") return Error(ErrorCode::not_found, "no such name");
        return std::vector<std::string>{"127.0.0.1", host};
    }
    void answer(const std::string& host) {
        const std::lock_guard lock(mutex);
        answered.insert(host);
        changed.notify_all();
    }
    bool await_running(int count) {
        std::unique_lock lock(mutex);
        return changed.wait_for(lock, kPatience, [&] { return running == count; });
    }
    int begun_of(const std::string& host) {
        const std::lock_guard lock(mutex);
        return begun[host];
    }
};

// One answer that the io thread has received.
struct Answered {
    std::atomic<int> times{0};
    std::atomic<bool> was_on_thread{false};
    std::string last;  // written before `times`

    bool await(int count = 1) {
        return eventually([&] { return times >= count; });
    }
};

class ResolverTest : public testing::Test {
protected:
    std::shared_ptr<SlowNames> names_ = std::make_shared<SlowNames>();
    IoThreads threads_{2};
    std::shared_ptr<Resolver> resolver_;

    void make(milliseconds keep = milliseconds(600'000), int threads_max = 32) {
        ResolverOptions options;
        options.threads_max = threads_max;
        options.keep = keep;
        options.look_up = [names = names_](const std::string& host) {
            return names->look_up(host);
        };
        resolver_ = make_resolver(std::move(options));
    }
    std::shared_ptr<Answered> ask(const std::string& host, std::size_t thread = 0) {
        auto answered = std::make_shared<Answered>();
        IoThread& asking = threads_.at(thread);
        resolver_->resolve(host, asking, [answered, &asking](const Resolver::Addresses& found) {
            answered->last = found ? found->back() : found.error().message();
            answered->was_on_thread = asking.is_current();
            ++answered->times;
        });
        return answered;
    }
    // The look-ups that wait for the test would never end.
    void TearDown() override {
        for (const char* host : {"a", "b", "c", "none"}) names_->answer(host);
        EXPECT_TRUE(names_->await_running(0));
    }
};

TEST_F(ResolverTest, AnswersOnTheThreadThatAsks) {
    make();
    names_->answer("a");
    const auto first = ask("a", 0);
    const auto second = ask("a", 1);
    ASSERT_TRUE(first->await());
    ASSERT_TRUE(second->await());
    EXPECT_EQ(first->last, "a");
    EXPECT_TRUE(first->was_on_thread);
    EXPECT_TRUE(second->was_on_thread);
}

TEST_F(ResolverTest, LooksANameUpOnceForAllWhoWait) {
    make();
    std::vector<std::shared_ptr<Answered>> askers;
    for (int i = 0; i < 10; ++i) askers.push_back(ask("a", i % 2 == 0 ? 0 : 1));
    ASSERT_TRUE(names_->await_running(1));
    names_->answer("a");
    for (const auto& asker : askers) ASSERT_TRUE(asker->await());
    EXPECT_EQ(names_->begun_of("a"), 1);
    EXPECT_EQ(askers.front()->times, 1);
}

TEST_F(ResolverTest, ADeadNameDelaysNoOther) {
    make();
    const auto dead = ask("a");
    ASSERT_TRUE(names_->await_running(1));
    names_->answer("b");
    ASSERT_TRUE(ask("b")->await());
    EXPECT_EQ(dead->times, 0);
}

TEST_F(ResolverTest, BoundsItsThreads) {
    make(milliseconds(600'000), 2);
    const auto a = ask("a");
    const auto b = ask("b");
    const auto c = ask("c");
    ASSERT_TRUE(names_->await_running(2));
    names_->answer("c");
    EXPECT_EQ(names_->begun_of("c"), 0);
    names_->answer("a");
    ASSERT_TRUE(a->await());
    ASSERT_TRUE(c->await());
}

TEST_F(ResolverTest, KeepsAnswersAndFailures) {
    make();
    names_->answer("a");
    names_->answer("none");
    for (int i = 0; i < 3; ++i) {
        const auto found = ask("a");
        const auto failed = ask("none");
        ASSERT_TRUE(found->await());
        ASSERT_TRUE(failed->await());
        EXPECT_EQ(found->last, "a");
        EXPECT_EQ(failed->last, "no such name");
    }
    EXPECT_EQ(names_->begun_of("a"), 1);
    EXPECT_EQ(names_->begun_of("none"), 1);
}

TEST_F(ResolverTest, AsksAgainWhenTheAnswerIsOld) {
    make(milliseconds(0));
    names_->answer("a");
    for (int i = 1; i < 4; ++i) {
        ASSERT_TRUE(ask("a")->await());
        EXPECT_EQ(names_->begun_of("a"), i);
    }
}

TEST_F(ResolverTest, EndsWithoutWaitingForLookUps) {
    make();
    const auto asker = ask("a");
    ASSERT_TRUE(names_->await_running(1));
    resolver_ = nullptr;
    names_->answer("a");
    ASSERT_TRUE(names_->await_running(0));
    threads_.stop();
    EXPECT_EQ(asker->times, 0);
    EXPECT_EQ(asker.use_count(), 1);  // its function was dropped
}

TEST_F(ResolverTest, AsksTheSystem) {
    resolver_ = make_resolver();
    std::atomic<bool> is_done{false};
    resolver_->resolve("localhost", threads_.at(0), [&](const Resolver::Addresses& found) {
        EXPECT_TRUE(found);
        if (found) {
            for (const std::string& literal : *found) {
                EXPECT_TRUE(literal == "127.0.0.1" || literal == "::1") << literal;
            }
        }
        is_done = true;
    });
    EXPECT_TRUE(eventually([&] { return is_done.load(); }));
}

TEST_F(ResolverTest, NamesTheSystemsFailure) {
    resolver_ = make_resolver();
    std::atomic<bool> is_done{false};
    resolver_->resolve("no host", threads_.at(0), [&](const Resolver::Addresses& found) {
        EXPECT_FALSE(found);
        if (!found) {
            EXPECT_EQ(found.error().code(), ErrorCode::not_found);
            EXPECT_NE(found.error().message().find("no host"), std::string::npos);
        }
        is_done = true;
    });
    EXPECT_TRUE(eventually([&] { return is_done.load(); }));
}

}  // namespace
}  // namespace semel::net
