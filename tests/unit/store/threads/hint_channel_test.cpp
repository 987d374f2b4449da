// The thread that hears of other nodes: what it calls, and when.
#include "store/threads/hint_channel.hpp"

#include <future>
#include <thread>

#include <gtest/gtest.h>

namespace semel {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// Hears what a test says, one hint at a time.
class ScriptedEar final : public HintChannel::Ear {
public:
    [[nodiscard]] bool serve() override {
        ++served;
        return is_new.exchange(false);
    }
    [[nodiscard]] HintChannel::Heard listen(milliseconds most, int fd) override {
        HintChannel::wait(most, fd);
        return {.work = hears_work.exchange(false), .ends = hears_ends.exchange(false)};
    }
    void do_chores() override { ++chores; }

    std::atomic<int> served = 0;
    std::atomic<int> chores = 0;
    std::atomic<bool> is_new = false;
    std::atomic<bool> hears_work = false;
    std::atomic<bool> hears_ends = false;
};

class HintChannelTest : public testing::Test {
protected:
    // Counts up to a first call.
    struct Called {
        std::promise<void> first;
        std::atomic<int> count = 0;

        [[nodiscard]] std::function<void()> poll() {
            return [this] {
                if (count++ == 0) first.set_value();
            };
        }
        [[nodiscard]] bool comes() {
            return first.get_future().wait_for(seconds(60)) == std::future_status::ready;
        }
    };

    ScriptedEar ear_;
    Called polled_;
    Called ended_;
    HintChannel line_{ear_};  // last: it calls the rest
};

TEST_F(HintChannelTest, PollsByItselfAndDoesItsChores) {
    line_.watch(polled_.poll());
    line_.watch_ends(ended_.poll());
    EXPECT_TRUE(polled_.comes());
    line_.watch(nullptr);
    const int seen = polled_.count;
    const int chores = ear_.chores;
    while (ear_.chores < chores + 2) std::this_thread::yield();
    EXPECT_EQ(polled_.count, seen) << "nobody watches any more";
    EXPECT_EQ(ended_.count, 0) << "nothing was heard";
}

TEST_F(HintChannelTest, AHintOfAnEndIsNoHintOfWork) {
    line_.watch_ends(ended_.poll());
    for (int i = 0; i < 100; ++i) {
        const int served = ear_.served;
        ear_.hears_ends = true;
        line_.wake();
        while (ear_.served == served) std::this_thread::yield();
    }
    EXPECT_TRUE(ended_.comes());
    EXPECT_GT(ended_.count, ear_.chores) << "it looks for work twice a second, whatever ends";
}

TEST_F(HintChannelTest, WhatWasToldWhileItHeardNobodyIsPolledFor) {
    line_.watch_ends(ended_.poll());
    ear_.is_new = true;
    line_.wake();
    EXPECT_TRUE(ended_.comes());
}

}  // namespace
}  // namespace semel
