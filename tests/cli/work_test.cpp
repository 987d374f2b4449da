// semel work: any program is a worker.
#include <csignal>

#include "cli/program.hpp"

namespace semel::cli {
namespace {

class Work : public ServerTest {
protected:
    Ended once(const std::string& command, const std::string& input_type = "t") {
        return semel({"work", "--type", input_type, "--exec", command, "--once"});
    }
    // One attempt at a time, at once after each other.
    std::string schedule_job(const std::string& payload = "{}", const std::string& attempts = "1") {
        return schedule({"t", "--payload", payload, "--max-retries", attempts, "--backoff",
                         R"({"kind":"fixed","delayMs":0})", "--no-dedup"});
    }
    std::vector<std::string> slow_worker(const std::string& command) {
        return {"work",    "--type",       "t",       "--exec", command,
                "--lease", "1s",           "--grace", "200ms",  "--kill-grace",
                "200ms",   "--claim-wait", "200ms"};
    }
};

TEST_F(Work, ExitZeroCompletesAndJsonIsTheOutput) {
    const std::string id = schedule_job(R"({"n":12345678901234567890})");
    const Ended ended = once(R"(read job; echo "$job" >job; echo ' {"done": true} ')");
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_EQ(action(id, "status"), "\"completed\"");
    EXPECT_EQ(action(id, "output"), R"({"done": true})");
    const std::string job = read("job");
    EXPECT_EQ(member(job, "id"), "\"" + id + "\"");
    EXPECT_EQ(member(job, "type"), "\"t\"");
    EXPECT_EQ(member(job, "tenant"), "\"default\"");
    EXPECT_EQ(member(job, "input"), R"({"n":12345678901234567890})");
    EXPECT_EQ(member(job, "attempt"), "1");
    EXPECT_NE(ended.out.find("completed   " + id + "  t  attempt 1  "), std::string::npos)
        << ended.out;
}

TEST_F(Work, OutputThatIsNotJsonIsNone) {
    const std::string id = schedule_job();
    EXPECT_EQ(once("echo hello").code, 0);
    EXPECT_EQ(action(id, "status"), "\"completed\"");
    EXPECT_EQ(action(id, "output"), "null");
}

std::string levels(std::size_t count) {
    return std::string(count, '[') + std::string(count, ']');
}

TEST_F(Work, TheDeepestPayloadThatIsTakenIsDoneAndShown) {
    const std::string id = schedule_job(levels(63));
    EXPECT_NE(semel({"actions", "list"}).out.find(id), std::string::npos);
    EXPECT_NE(semel({"actions", "list", "--json"}).out.find(levels(63)), std::string::npos);
    const Ended ended = once("read job; echo '" + levels(63) + "'");
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_NE(ended.out.find("completed   " + id), std::string::npos) << ended.out;
    const Ended shown = semel({"actions", "show", id, "--json"});
    EXPECT_NE(shown.out.find("\"output\":" + levels(63)), std::string::npos) << shown.out;
}

TEST_F(Work, AnOutputThatIsTooDeepIsNone) {
    const std::string id = schedule_job();
    const Ended ended = once("echo '" + levels(64) + "'");
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_NE(ended.err.find("JSON of more than 63 levels"), std::string::npos) << ended.err;
    EXPECT_EQ(action(id, "status"), "\"completed\"");
    EXPECT_EQ(action(id, "output"), "null");
}

TEST_F(Work, TheEnvironmentNamesTheJob) {
    const std::string id = schedule_job();
    EXPECT_EQ(once("echo $SEMEL_JOB_ID $SEMEL_JOB_TYPE $SEMEL_ATTEMPT $SEMEL_URL >env; "
                   "read job; echo $job $SEMEL_JOB_TOKEN >token")
                  .code,
              0);
    EXPECT_EQ(read("env"), id + " t 1 " + url_ + "\n");
    const std::string line = read("token");
    const std::string document = line.substr(0, line.rfind(' '));
    EXPECT_EQ(member(document, "token") + "\n", line.substr(line.rfind(' ') + 1));
}

TEST_F(Work, AnythingElseFailsTheAttemptWithTheEndOfItsErrors) {
    const std::string id = schedule_job("{}", "2");
    EXPECT_EQ(once("echo it broke >&2; exit 3").code, 0);
    EXPECT_EQ(action(id, "status"), "\"pending\"");
    EXPECT_EQ(once("exit 4").code, 0);
    EXPECT_EQ(action(id, "status"), "\"failed\"");
    EXPECT_EQ(action(id, "errorMessage"), "\"exit status 4\"");
    EXPECT_NE(action(id, "history").find("\"error\":\"it broke\""), std::string::npos);
}

TEST_F(Work, ASignalIsAFailureToo) {
    const std::string id = schedule_job();
    EXPECT_EQ(once("kill -9 $$").code, 0);
    EXPECT_EQ(action(id, "errorMessage"), "\"killed by signal 9\"");
}

TEST_F(Work, AHundredFailsForGood) {
    const std::string id = schedule_job("{}", "5");
    EXPECT_EQ(once("exit 100").code, 0);
    EXPECT_EQ(action(id, "status"), "\"failed\"");
    EXPECT_EQ(action(id, "attempts"), "1");
}

TEST_F(Work, ErrorsPassThroughToOurOwn) {
    schedule_job();
    EXPECT_NE(once("echo for the operator >&2").err.find("for the operator\n"), std::string::npos);
}

TEST_F(Work, ALargeInputMayBeReadOrNot) {
    write("large.json", "\"" + std::string(900'000, 'x') + "\"");
    const std::string reads = schedule({"t", "--payload", "@large.json"});
    EXPECT_EQ(once("wc -c").code, 0);
    EXPECT_GT(std::stoi(action(reads, "output")), 900'000);
    const std::string ignores = schedule({"t", "--payload", "@large.json"});
    EXPECT_EQ(once("echo 1").code, 0);
    EXPECT_EQ(action(ignores, "output"), "1");
}

TEST_F(Work, SeveralRunAtOnce) {
    const std::string first = schedule_job();
    const std::string second = schedule_job();
    // Each waits for the other: alone, neither would end.
    const Ended ended = semel({"work", "--type", "t", "--type", "u", "--concurrency", "2", "--exec",
                               "touch at-$SEMEL_JOB_ID; until [ -e at-" + first + " ] && [ -e at-" +
                                   second + " ]; do sleep 0.02; done",
                               "--max-jobs", "2"});
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_EQ(action(first, "status"), "\"completed\"");
    EXPECT_EQ(action(second, "status"), "\"completed\"");
}

TEST_F(Work, HeartbeatsKeepALongJobAndItIsRunOnce) {
    const std::string id = schedule_job("{}", "3");
    // Twice as long as the lease and its rescue: 1 s + 2 s.
    const Ended ended = semel(
        {"work", "--type", "t", "--exec", "echo x >>runs; sleep 5", "--lease", "1s", "--once"});
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_EQ(action(id, "status"), "\"completed\"");
    EXPECT_EQ(action(id, "attempts"), "1");
    EXPECT_EQ(read("runs"), "x\n");
}

TEST_F(Work, ALostTokenKillsTheProgramThatWillNotGo) {
    const std::string id = schedule_job();
    const auto worker = begin(
        slow_worker("trap '' TERM; echo $$ >pid.new; mv pid.new pid; while :; do sleep 0.1; done"));
    ASSERT_TRUE(appears("pid"));
    ASSERT_EQ(semel({"actions", "cancel", id}).code, 0);
    ASSERT_TRUE(worker->out_shows("lost        " + id));
    EXPECT_NE(::kill(std::stoi(read("pid")), 0), 0) << "the program still runs";
    EXPECT_EQ(action(id, "status"), "\"cancelled\"");
    worker->signal(SIGTERM);
    EXPECT_EQ(worker->wait().code, 0);
}

TEST_F(Work, SigtermLetsAJobEndThatEndsInTime) {
    const std::string id = schedule_job();
    const auto worker =
        begin({"work", "--type", "t", "--exec",
               "touch started; while [ ! -e go ]; do sleep 0.02; done", "--claim-wait", "200ms"});
    ASSERT_TRUE(appears("started"));
    worker->signal(SIGTERM);
    ASSERT_TRUE(worker->err_shows("stopping: no further jobs"));
    write("go", "");
    const Ended ended = worker->wait();
    EXPECT_EQ(ended.code, 0);
    EXPECT_EQ(action(id, "status"), "\"completed\"");
}

TEST_F(Work, SigtermReleasesWhatDoesNotEndAndChargesNoAttempt) {
    const std::string id = schedule_job();
    const auto worker = begin(slow_worker("touch started; sleep 1000"));
    ASSERT_TRUE(appears("started"));
    worker->signal(SIGTERM);
    const Ended ended = worker->wait();
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_NE(ended.out.find("released    " + id), std::string::npos) << ended.out;
    EXPECT_EQ(action(id, "status"), "\"pending\"");
    EXPECT_EQ(once("true").code, 0);  // its one attempt is still there
    EXPECT_EQ(action(id, "status"), "\"completed\"");
}

TEST_F(Work, WhatIsDoneAfterTheSignalIsDoneAllTheSame) {
    const std::string id = schedule_job();
    const auto worker =
        begin(slow_worker("trap 'echo {} && exit 0' TERM; touch started; sleep 1000 & wait"));
    ASSERT_TRUE(appears("started"));
    worker->signal(SIGTERM);
    EXPECT_EQ(worker->wait().code, 0);
    EXPECT_EQ(action(id, "status"), "\"completed\"");
}

TEST_F(Work, AServerThatComesBackIsFoundAgain) {
    const auto worker = begin({"work", "--type", "t", "--exec", "true", "--once"});
    ASSERT_TRUE(worker->err_shows("up to 1 at once"));
    server_->signal(SIGKILL);
    server_->wait();
    ASSERT_TRUE(worker->err_shows("cannot reach " + url_ + ", trying again"));
    const std::string address = url_.substr(std::string("http://").size());
    server_ = std::make_unique<Program>(
        std::vector<std::string>{"serve", "--store", "semel.db", "--listen", address}, folder_);
    ASSERT_TRUE(server_->out_shows("try:"));
    const std::string id = schedule_job();
    EXPECT_EQ(worker->wait().code, 0);
    EXPECT_EQ(action(id, "status"), "\"completed\"");
}

TEST_F(Work, AnIdleWorkerHangsUpItsPollAndEndsAtOnce) {
    // The poll would outlast the test.
    const auto worker =
        begin({"work", "--type", "t", "--exec", "true", "--claim-wait", "60s", "--max-jobs", "2"});
    const std::string id = schedule_job();
    ASSERT_TRUE(worker->out_shows("completed   " + id));  // so the next poll is the one that waits
    worker->signal(SIGTERM);
    const Ended ended = worker->wait();
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_EQ(ended.err.find("cannot reach"), std::string::npos) << ended.err;
    const std::string next = schedule_job();
    EXPECT_EQ(once("true").code, 0);
    EXPECT_EQ(action(next, "attempts"), "1") << "the dead poll got nothing";
}

TEST_F(Work, OutputThatIsTooLargeIsSaidAndTheJobIsCompleted) {
    const std::string id = schedule_job();
    const Ended ended = once("head -c 1100000 /dev/zero | tr '\\0' 1");
    EXPECT_EQ(ended.code, 0) << ended.err;
    EXPECT_NE(ended.err.find("semel: job " + id +
                             ": the program wrote more than 1023 KiB to its standard output. The "
                             "job is completed, without an output"),
              std::string::npos)
        << ended.err;
    EXPECT_EQ(action(id, "status"), "\"completed\"");
    EXPECT_EQ(action(id, "output"), "null");
}

TEST_F(Work, JsonLinesForScripts) {
    const std::string id = schedule_job();
    const Ended ended = semel({"work", "--type", "t", "--exec", "true", "--once", "--json"});
    EXPECT_EQ(ended.out.find(R"({"event":"started","id":")" + id + R"(","type":"t","attempt":1})"),
              0U)
        << ended.out;
    EXPECT_NE(ended.out.find(R"({"event":"completed","id":")" + id), std::string::npos);
    EXPECT_EQ(ended.err, "");
}

}  // namespace
}  // namespace semel::cli
