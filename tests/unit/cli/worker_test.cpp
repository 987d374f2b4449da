// The worker against a server that misbehaves on demand. The well-behaved one is in tests/cli.
#include "cli/work/worker.hpp"

#include <csignal>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <poll.h>

#include "config/config.hpp"
#include "core/json/json.hpp"
#include "net/server.hpp"

namespace semel::cli {
namespace {

constexpr auto kDeadline = std::chrono::seconds(30);

// Gives out the jobs it was told to, parks claims for which it has none, and notes every call.
class FakeSemel {
public:
    FakeSemel() {
        auto server =
            net::Server::start({}, [this](const net::Request& request, net::Responder respond) {
                handle(request, std::move(respond));
            });
        server_ = *std::move(server);
    }
    ~FakeSemel() { server_->stop(); }
    FakeSemel(const FakeSemel&) = delete;
    FakeSemel& operator=(const FakeSemel&) = delete;

    [[nodiscard]] std::string url() const {
        return "http://127.0.0.1:" + std::to_string(server_->port());
    }
    void add_job(const std::string& id) {
        const std::lock_guard lock(mutex_);
        jobs_.push_back(R"({"id":")" + id + R"(","type":"t","input":{},"attempt":1,"token":7})");
        serve_parked();
    }
    // Answers a claim that waits, with nothing.
    void end_claim() {
        const std::lock_guard lock(mutex_);
        closed_ = true;
        serve_parked();
    }
    // The next calls of this path are answered so, one each.
    void next(const std::string& path, std::vector<net::Response> responses) {
        const std::lock_guard lock(mutex_);
        scripted_[path] = {responses.begin(), responses.end()};
    }
    // Waits until so many calls of this path have come; answers their bodies.
    std::vector<std::string> wait_for(const std::string& path, std::size_t count) {
        std::unique_lock lock(mutex_);
        EXPECT_TRUE(changed_.wait_for(lock, kDeadline, [&] {
            return calls_[path].size() >= count;
        })) << path;
        return calls_[path];
    }
    std::vector<std::string> calls(const std::string& path) {
        const std::lock_guard lock(mutex_);
        return calls_[path];
    }

private:
    void handle(const net::Request& request, net::Responder respond) {
        const std::lock_guard lock(mutex_);
        calls_[request.path].push_back(request.body);
        changed_.notify_all();
        auto& scripted = scripted_[request.path];
        if (!scripted.empty()) {
            respond(scripted.front());
            scripted.pop_front();
        } else if (request.path == "/v1/jobs/claim") {
            parked_ = std::move(respond);
            serve_parked();
        } else if (request.path == "/v1/jobs/settle") {
            respond({200, {}, R"({"results":[{"status":200,"body":{}}]})"});
        } else {
            respond({200, {}, "{}"});
        }
    }
    // REQUIRES: mutex_ is held.
    void serve_parked() {
        if (parked_ && (closed_ || !jobs_.empty())) {
            std::string body = R"({"jobs":[)";
            if (!jobs_.empty()) {
                body += jobs_.front();
                jobs_.pop_front();
            }
            parked_({200, {}, body + "]}"});
            parked_ = nullptr;
        }
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::string> jobs_;
    net::Responder parked_;
    bool closed_ = false;
    std::map<std::string, std::deque<net::Response>> scripted_;
    std::map<std::string, std::vector<std::string>> calls_;
    std::unique_ptr<net::Server> server_;
};

void open_gate(const std::string& path) {
    const std::ofstream file(path);
    EXPECT_TRUE(file.is_open());
}

class WorkerTest : public testing::Test {
protected:
    WorkerTest() {
        std::signal(SIGPIPE, SIG_IGN);  // as the command does
        options_.types = {"t"};
        options_.name = "w";
        options_.environment = current_environment();
        options_.lease = Millis(300);
        options_.kill_grace = Millis(100);
    }
    void start(const std::string& command) {
        options_.command = command;
        ConnectionOptions to;
        to.url = fake_.url();
        WorkerEvents events;
        events.started = [](const ClaimedJob&) {};
        events.ended = [this](const ClaimedJob& job, JobEnd end, Millis) {
            const std::lock_guard lock(mutex_);
            ends_[job.id] = end;
            changed_.notify_all();
        };
        events.said = [this](const std::string& message) {
            const std::lock_guard lock(mutex_);
            said_.push_back(message);
            changed_.notify_all();
        };
        worker_ = std::make_unique<Worker>(options_, *CallerFactory::open(to), events);
        worker_->start();
    }
    JobEnd end_of(const std::string& id) {
        std::unique_lock lock(mutex_);
        EXPECT_TRUE(changed_.wait_for(lock, kDeadline, [&] { return ends_.contains(id); })) << id;
        return ends_[id];
    }
    std::vector<std::string> said(std::size_t count) {
        std::unique_lock lock(mutex_);
        EXPECT_TRUE(changed_.wait_for(lock, kDeadline, [&] { return said_.size() >= count; }));
        return said_;
    }
    void TearDown() override {
        if (worker_) {
            worker_->stop_claiming();
            fake_.end_claim();
        }
        worker_.reset();
    }
    bool finishes() {
        pollfd event{worker_->finished_fd(), POLLIN, 0};
        return ::poll(&event, 1, 30'000) == 1;
    }
    static std::string max_of(const std::string& claim) {
        const auto parsed = json::Document::parse(claim);
        return std::string(parsed->root().find("max")->raw());
    }

    FakeSemel fake_;
    WorkerOptions options_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::map<std::string, JobEnd> ends_;
    std::vector<std::string> said_;
    std::unique_ptr<Worker> worker_;
};

net::Response problem(int status, const std::string& code) {
    return {status, {}, R"({"code":")" + code + R"(","detail":"because"})"};
}

TEST_F(WorkerTest, AsksForFreeSlotsOnlyAndNotAtAllWhileSaturated) {
    const std::string gate = testing::TempDir() + "semel_worker_gate";
    std::filesystem::remove(gate);
    options_.concurrency = 2;
    start("while [ ! -e '" + gate + "' ]; do sleep 0.02; done");
    fake_.add_job("a");
    fake_.add_job("b");
    fake_.wait_for("/v1/jobs/settle", 3);  // both run, and heartbeats pass
    EXPECT_EQ(fake_.calls("/v1/jobs/claim").size(), 2U);
    open_gate(gate);
    EXPECT_EQ(end_of("a"), JobEnd::completed);
    EXPECT_EQ(end_of("b"), JobEnd::completed);
    const auto claims = fake_.wait_for("/v1/jobs/claim", 3);
    EXPECT_EQ(max_of(claims[0]), "2");
    EXPECT_EQ(max_of(claims[1]), "1");
}

TEST_F(WorkerTest, AResultIsRepeatedUntilItIsAccepted) {
    fake_.next("/v1/jobs/a/complete", {problem(503, "store_unavailable"), problem(500, "")});
    fake_.add_job("a");
    start("echo '{\"ok\":true}'");
    EXPECT_EQ(end_of("a"), JobEnd::completed);
    const auto calls = fake_.calls("/v1/jobs/a/complete");
    ASSERT_EQ(calls.size(), 3U);
    EXPECT_EQ(calls[2], R"({"token":7,"output":{"ok":true}})");
    EXPECT_EQ(calls[0], calls[2]);
}

TEST_F(WorkerTest, ALateResultIsDroppedWithoutAnotherWord) {
    fake_.next("/v1/jobs/a/complete", {problem(409, "stale_token")});
    fake_.add_job("a");
    start("true");
    EXPECT_EQ(end_of("a"), JobEnd::lost);
    EXPECT_EQ(fake_.calls("/v1/jobs/a/complete").size(), 1U);
    EXPECT_TRUE(fake_.calls("/v1/jobs/a/fail").empty());
}

TEST_F(WorkerTest, ALostTokenEndsTheProgramAndNothingIsReported) {
    fake_.next("/v1/jobs/settle",
               {{200, {}, R"({"results":[{"status":409,"body":{"code":"stale_token"}}]})"}});
    fake_.add_job("a");
    start("sleep 1000");
    EXPECT_EQ(end_of("a"), JobEnd::lost);
    for (const char* verb : {"complete", "fail", "release"}) {
        EXPECT_TRUE(fake_.calls(std::string("/v1/jobs/a/") + verb).empty()) << verb;
    }
}

TEST_F(WorkerTest, AHeartbeatThatFailsIsTriedAgainAndKillsNobody) {
    fake_.next("/v1/jobs/settle", {problem(503, "overloaded"), {200, {}, "not JSON"}});
    const std::string gate = testing::TempDir() + "semel_worker_gate2";
    std::filesystem::remove(gate);
    fake_.add_job("a");
    start("while [ ! -e '" + gate + "' ]; do sleep 0.02; done");
    const auto beats = fake_.wait_for("/v1/jobs/settle", 3);
    EXPECT_EQ(beats[0], R"({"items":[{"id":"a","verb":"heartbeat","token":7,"leaseMs":300}]})");
    open_gate(gate);
    EXPECT_EQ(end_of("a"), JobEnd::completed);
}

TEST_F(WorkerTest, ARefusedResultFailsTheAttemptWithTheReason) {
    fake_.next("/v1/jobs/a/complete", {problem(413, "too_large")});
    fake_.add_job("a");
    start("echo 1");
    EXPECT_EQ(end_of("a"), JobEnd::failed);
    EXPECT_EQ(fake_.calls("/v1/jobs/a/fail"),
              (std::vector<std::string>{
                  R"({"token":7,"error":"its result was refused: too_large: because"})"}));
}

TEST_F(WorkerTest, OutputOverAMebibyteIsNotKeptAndThatIsSaid) {
    fake_.add_job("a");
    start("printf '\"'; head -c 2000000 /dev/zero | tr '\\0' x; printf '\"'");
    EXPECT_EQ(end_of("a"), JobEnd::completed);
    EXPECT_EQ(fake_.calls("/v1/jobs/a/complete"), (std::vector<std::string>{R"({"token":7})"}));
    EXPECT_EQ(said(1),
              (std::vector<std::string>{
                  "job a: the program wrote more than 1023 KiB to its standard output. The "
                  "job is completed, without an output: write large results elsewhere and "
                  "print where they are"}));
}

TEST_F(WorkerTest, ARefusedClaimEndsTheWorker) {
    fake_.next("/v1/jobs/claim", {problem(401, "unauthorized")});
    start("true");
    EXPECT_TRUE(finishes());
    EXPECT_EQ(worker_->refusal(), "unauthorized: because");
    EXPECT_EQ(worker_->refusal_status(), 401);
    EXPECT_EQ(fake_.calls("/v1/jobs/claim").size(), 1U);
}

TEST_F(WorkerTest, AnUnreachableServerIsSaidOnceAndTriedAgain) {
    fake_.next("/v1/jobs/claim",
               {problem(503, "overloaded"), problem(503, "overloaded"), problem(500, "")});
    fake_.add_job("a");
    start("true");
    EXPECT_EQ(end_of("a"), JobEnd::completed);
    EXPECT_EQ(said(2), (std::vector<std::string>{
                           "cannot reach " + fake_.url() + ", trying again: overloaded: because",
                           "reached " + fake_.url() + " again"}));
}

TEST_F(WorkerTest, AnAnswerThatCannotBeReadIsSaidAndTheWorkerGoesOn) {
    fake_.next("/v1/jobs/claim", {{200, {}, "<html>"}, {200, {}, R"({"jobs":[{"id":"x"}]})"}});
    fake_.add_job("a");
    start("true");
    EXPECT_EQ(end_of("a"), JobEnd::completed);
    EXPECT_EQ(said(2), (std::vector<std::string>{
                           "cannot reach " + fake_.url() +
                               ", trying again: the answer to a claim is not what Semel gives",
                           "reached " + fake_.url() + " again"}));
}

TEST_F(WorkerTest, JobsThatComeAfterTheStopGoBackAtOnce) {
    start("true");
    fake_.wait_for("/v1/jobs/claim", 1);
    worker_->stop_claiming();
    fake_.add_job("a");
    EXPECT_TRUE(finishes());
    EXPECT_EQ(fake_.calls("/v1/jobs/a/release"), (std::vector<std::string>{R"({"token":7})"}));
    EXPECT_TRUE(fake_.calls("/v1/jobs/a/complete").empty());
}

TEST_F(WorkerTest, WhatRunsIsGivenBackWhenTheGraceIsOver) {
    options_.jobs_max = 1;
    fake_.add_job("a");
    start("sleep 1000");
    fake_.wait_for("/v1/jobs/settle", 1);
    worker_->release_all();
    EXPECT_TRUE(finishes());
    EXPECT_EQ(end_of("a"), JobEnd::released);
    EXPECT_EQ(fake_.calls("/v1/jobs/a/release").size(), 1U);
}

TEST_F(WorkerTest, SoManyJobsAndNoMore) {
    options_.jobs_max = 2;
    options_.concurrency = 8;
    fake_.add_job("a");
    fake_.add_job("b");
    fake_.add_job("c");
    start("true");
    EXPECT_TRUE(finishes());
    const auto claims = fake_.calls("/v1/jobs/claim");
    ASSERT_EQ(claims.size(), 2U);
    EXPECT_EQ(max_of(claims[0]), "2");
    EXPECT_EQ(max_of(claims[1]), "1");
}

}  // namespace
}  // namespace semel::cli
