#include "cli/work/child_process.hpp"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "config/config.hpp"

namespace semel::cli {
namespace {

class ChildProcess : public testing::Test {
protected:
    ChildProcess() {
        std::signal(SIGPIPE, SIG_IGN);  // as the command does
        options_.environment = current_environment();
        options_.output_bytes_max = 1024;
        options_.error_bytes_max = 16;
        options_.kill_grace = Millis(200);
    }
    ChildOutcome run(const std::string& command) {
        options_.command = command;
        auto outcome = run_child(options_, stop_);
        EXPECT_TRUE(outcome);
        return *std::move(outcome);
    }

    ChildOptions options_;
    StopFlag stop_;
};

TEST_F(ChildProcess, InputGoesInAndOutputComesOut) {
    options_.input = "hello";
    const ChildOutcome outcome = run("cat; echo aside >&2");
    EXPECT_TRUE(outcome.has_succeeded());
    EXPECT_EQ(outcome.output, "hello");
    EXPECT_EQ(outcome.error_tail, "aside\n");
    EXPECT_FALSE(outcome.was_stopped);
}

TEST_F(ChildProcess, TheExitStatusAndTheSignalAreTold) {
    EXPECT_EQ(run("exit 7").exit_status, 7);
    const ChildOutcome killed = run("kill -9 $$");
    EXPECT_EQ(killed.signal, SIGKILL);
    EXPECT_FALSE(killed.has_succeeded());
    EXPECT_EQ(run("no-such-program-here 2>/dev/null").exit_status, 127);
}

TEST_F(ChildProcess, LargeInputThatIsReadArrivesWhole) {
    options_.input.assign(4 << 20, 'x');
    EXPECT_EQ(run("wc -c | tr -d ' \\n'").output, std::to_string(4 << 20));
}

TEST_F(ChildProcess, LargeInputThatIsIgnoredNeitherBlocksNorKills) {
    options_.input.assign(4 << 20, 'x');
    EXPECT_EQ(run("exec <&-; echo done").output, "done\n");
    EXPECT_TRUE(run("true").has_succeeded());
}

TEST_F(ChildProcess, InputAndOutputFlowAtTheSameTime) {
    options_.input.assign(1 << 20, 'x');
    options_.output_bytes_max = 2 << 20;
    EXPECT_EQ(run("cat").output.size(), std::size_t{1} << 20);
}

TEST_F(ChildProcess, OutputBeyondTheLimitIsCutAndTheChildStillEnds) {
    const ChildOutcome outcome = run("head -c 1000000 /dev/zero");
    EXPECT_TRUE(outcome.has_succeeded());
    EXPECT_TRUE(outcome.is_output_cut);
    EXPECT_EQ(outcome.output.size(), 1024U);
}

TEST_F(ChildProcess, OfTheErrorsTheEndIsKept) {
    EXPECT_EQ(run("echo 0123456789abcdefghij >&2").error_tail, "56789abcdefghij\n");
}

TEST_F(ChildProcess, AGrandchildThatKeepsThePipesDoesNotHoldUs) {
    const auto began = std::chrono::steady_clock::now();
    EXPECT_EQ(run("echo out; (sleep 30; echo late) & exit 0").output, "out\n");
    EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(20));
}

TEST_F(ChildProcess, AStopTerminatesTheWholeGroup) {
    stop_.raise();
    const ChildOutcome outcome = run("sleep 1000 & sleep 1000");
    EXPECT_TRUE(outcome.was_stopped);
    EXPECT_EQ(outcome.signal, SIGTERM);
}

TEST_F(ChildProcess, WhoIgnoresTheStopIsKilled) {
    const std::string ready = testing::TempDir() + "semel_child_ready";
    std::filesystem::remove(ready);
    std::thread stopper([&] {
        while (!std::filesystem::exists(ready)) {
            std::this_thread::yield();
        }
        stop_.raise();
    });
    const ChildOutcome outcome =
        run("trap '' TERM; touch '" + ready + "'; while :; do sleep 1; done");
    stopper.join();
    EXPECT_TRUE(outcome.was_stopped);
    EXPECT_EQ(outcome.signal, SIGKILL);
}

TEST_F(ChildProcess, AGrandchildThatIgnoresTheStopIsKilledToo) {
    const std::string pid_file = testing::TempDir() + "semel_grandchild_pid";
    std::filesystem::remove(pid_file);
    std::thread stopper([&] {
        while (!std::filesystem::exists(pid_file)) {
            std::this_thread::yield();
        }
        stop_.raise();
    });
    const ChildOutcome outcome =
        run("(trap '' TERM; sh -c 'echo $PPID' >'" + pid_file + ".new'; mv '" + pid_file +
            ".new' '" + pid_file + "'; while :; do sleep 1; done) & wait");
    stopper.join();
    EXPECT_TRUE(outcome.was_stopped);
    pid_t pid = 0;
    std::ifstream(pid_file) >> pid;
    ASSERT_GT(pid, 1);
    // It is dead as soon as the kernel has delivered the signal; init reaps it.
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    bool is_dead = false;
    while (!is_dead && std::chrono::steady_clock::now() < deadline) {
        std::ifstream status("/proc/" + std::to_string(pid) + "/stat");
        std::string ignored;
        std::string name;
        std::string state;
        status >> ignored >> name >> state;
        is_dead = state.empty() || state == "Z" || state == "X";
    }
    EXPECT_TRUE(is_dead);
}

TEST_F(ChildProcess, ADeadGrandchildThatNobodyWaitedForIsNotWaitedFor) {
    options_.kill_grace = std::chrono::hours(1);
    const std::string ready = testing::TempDir() + "semel_grandchild_ready";
    std::filesystem::remove(ready);
    ASSERT_EQ(::prctl(PR_SET_CHILD_SUBREAPER, 1), 0);  // it becomes ours, and we do not wait for it
    std::thread stopper([&] {
        while (!std::filesystem::exists(ready)) {
            std::this_thread::yield();
        }
        stop_.raise();
    });
    const ChildOutcome outcome = run("sleep 1000 & touch '" + ready + "'; wait");
    stopper.join();
    ASSERT_EQ(::prctl(PR_SET_CHILD_SUBREAPER, 0), 0);
    EXPECT_TRUE(outcome.was_stopped);
    int left = 0;
    while (::waitpid(-1, nullptr, 0) > 0) {
        ++left;
    }
    EXPECT_GT(left, 0) << "it was there all the time";
}

TEST_F(ChildProcess, OnlyTheThreeStandardDescriptorsAreInherited) {
    // Not close-on-exec, as a library might open it.
    const UniqueFd leak(::dup(STDERR_FILENO));
    // The fourth is the folder that ls reads.
    EXPECT_EQ(run("exec ls /proc/self/fd").output, "0\n1\n2\n3\n");
}

TEST_F(ChildProcess, SignalsAreAsAFreshProgramExpectsThem) {
    sigset_t blocked;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &blocked, nullptr);
    const ChildOutcome outcome =
        run("sed -n 's/^Sig\\(Blk\\|Ign\\):[^0-9a-f]*//p' /proc/self/status");
    pthread_sigmask(SIG_UNBLOCK, &blocked, nullptr);
    std::istringstream masks(outcome.output);
    constexpr unsigned long kOrdinary = (1UL << 31) - 1;  // glibc keeps 32 and 33 for itself
    unsigned long mask = 1;
    for (int i = 0; i < 2; ++i) {
        ASSERT_TRUE(masks >> std::hex >> mask) << outcome.output;
        EXPECT_EQ(mask & kOrdinary, 0UL) << outcome.output;
    }
}

TEST_F(ChildProcess, NoneIsLeftAsAZombieAndNoDescriptorLeaks) {
    const auto descriptors = [] {
        return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
    };
    run("true");
    const auto before = descriptors();
    for (int i = 0; i < 20; ++i) {
        run("true");
    }
    EXPECT_EQ(descriptors(), before);
    EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);  // no children at all
}

}  // namespace
}  // namespace semel::cli
