#include "api/waiting_for.hpp"

#include <gtest/gtest.h>

namespace semel {
namespace {

const Time kNow = from_ms(1'000'000);
const JobId kOther = *Uuid::parse("0192f0c1-2b7e-7000-8000-0000000000ff");

Job a_job(Place place) {
    Job job;
    job.tenant = "default";
    job.type = "mail";
    job.place = place;
    job.scheduled_at = kNow;
    return job;
}

Surroundings around(bool has_worker = true) {
    return {.now = kNow, .has_worker = has_worker, .group_head = {}};
}

WaitReason reason(const Job& job, const Surroundings& surroundings) {
    const auto waiting = waiting_for(job, surroundings);
    EXPECT_TRUE(waiting.has_value());
    EXPECT_FALSE(waiting->detail.empty());
    return waiting ? waiting->reason : WaitReason::paused;
}

TEST(WaitingFor, WhatRunsOrHasEndedWaitsForNothing) {
    for (const Status status : {Status::running, Status::completed, Status::failed,
                                Status::cancelled, Status::superseded, Status::uncertain}) {
        Job job = a_job(Place::done);
        job.status = status;
        EXPECT_FALSE(waiting_for(job, around())) << to_string(status);
    }
}

TEST(WaitingFor, TimeThatHasNotCome) {
    Job job = a_job(Place::later);
    job.scheduled_at = kNow + Millis(1);
    EXPECT_EQ(reason(job, around()), WaitReason::not_due);
    EXPECT_EQ(waiting_for(job, around())->until, job.scheduled_at);
    job.attempts = 1;
    EXPECT_EQ(reason(job, around()), WaitReason::backoff);
    EXPECT_EQ(waiting_for(job, around())->until, job.scheduled_at);
}

TEST(WaitingFor, DueWorkWaitsForAWorker) {
    // `later` with its time come: about to be promoted.
    for (const Place place : {Place::ready, Place::later}) {
        EXPECT_EQ(reason(a_job(place), around(true)), WaitReason::ready);
        EXPECT_EQ(reason(a_job(place), around(false)), WaitReason::no_worker);
    }
    EXPECT_NE(waiting_for(a_job(Place::ready), around(false))->detail.find("`mail`"),
              std::string::npos);
}

TEST(WaitingFor, ASuccessorWaitsForItsPredecessorWhateverItsTime) {
    Job job = a_job(Place::predecessor);
    job.predecessor = kOther;
    job.scheduled_at = kNow + Millis(1);
    EXPECT_EQ(reason(job, around()), WaitReason::predecessor);
    EXPECT_EQ(waiting_for(job, around())->held_by, kOther);
}

TEST(WaitingFor, AMemberOfALockGroupWaitsForItsHead) {
    Job job = a_job(Place::waiting);
    job.lock_group = "g";
    EXPECT_EQ(reason(job, around()), WaitReason::lock_group);
    Surroundings with_head = around();
    with_head.group_head = GroupHead{a_job(Place::ready), true};
    with_head.group_head->job.id = kOther;
    EXPECT_EQ(waiting_for(job, with_head)->held_by, kOther);
    const std::string waits = waiting_for(job, with_head)->detail;
    with_head.group_head->has_worker = false;
    const std::string unhandled = waiting_for(job, with_head)->detail;
    EXPECT_NE(unhandled.find("no worker"), std::string::npos);
    with_head.group_head->job.status = Status::running;
    const std::string running = waiting_for(job, with_head)->detail;
    EXPECT_NE(running.find("running"), std::string::npos);
    EXPECT_NE(waits, unhandled);
    EXPECT_NE(waits, running);
    job.scheduled_at = kNow + Millis(1);
    EXPECT_EQ(reason(job, with_head), WaitReason::not_due) << "its own time comes first";
}

TEST(WaitingFor, ABlockedJobWaitsForOthers) {
    Job job = a_job(Place::blocked);
    job.status = Status::blocked;
    EXPECT_EQ(reason(job, around()), WaitReason::blocked);
}

TEST(WaitingFor, ABlockedOneNamesTheChainsThatHaveNotCompleted) {
    Job job = a_job(Place::blocked);
    job.status = Status::blocked;
    Surroundings surroundings = around();
    surroundings.blockers = {{.id = {}, .type = "done", .status = Status::completed},
                             {.id = kOther, .type = "open", .status = Status::running}};
    const auto one = waiting_for(job, surroundings);
    EXPECT_EQ(one->blocked_by, std::vector<JobId>{kOther});
    EXPECT_EQ(one->detail,
              "it is blocked by chain 0192f0c1-2b7e-7000-8000-0000000000ff of type `open`, which "
              "is running");
    surroundings.blockers.push_back({.id = {}, .type = "", .status = {}});
    const auto two = waiting_for(job, surroundings);
    EXPECT_EQ(two->blocked_by.size(), 2U);
    EXPECT_TRUE(two->detail.ends_with(", and by 1 more"));
    JsonWriter out;
    write_waiting_for(out, {.reason = WaitReason::blocked, .blocked_by = {kOther}, .detail = "d"});
    EXPECT_EQ(out.take(), R"({"reason":"blocked",)"
                          R"("blockedBy":["0192f0c1-2b7e-7000-8000-0000000000ff"],"detail":"d"})");
}

TEST(WaitingFor, ABackoffWithoutALimitNamesNone) {
    Job job = a_job(Place::later);
    job.attempts = 2;
    job.scheduled_at = kNow + Millis(1);
    job.max_retries = kUnlimitedRetries;
    EXPECT_TRUE(waiting_for(job, around())->detail.starts_with("attempt 2 did not succeed"));
}

TEST(WaitingFor, IsWrittenWithWhatIsKnown) {
    JsonWriter out;
    write_waiting_for(out, {.reason = WaitReason::lock_group, .held_by = kOther, .detail = "d"});
    EXPECT_EQ(out.take(), R"({"reason":"lock_group",)"
                          R"("heldBy":"0192f0c1-2b7e-7000-8000-0000000000ff","detail":"d"})");
    JsonWriter timed;
    write_waiting_for(timed, {.reason = WaitReason::not_due, .until = kNow, .detail = "d"});
    EXPECT_EQ(timed.take(),
              R"({"reason":"not_due","until":"1970-01-01T00:16:40.000Z","detail":"d"})");
}

TEST(WaitingFor, ReasonsHaveTheContractsWords) {
    const std::vector<std::pair<WaitReason, const char*>> words = {
        {WaitReason::not_due, "not_due"},       {WaitReason::backoff, "backoff"},
        {WaitReason::lock_group, "lock_group"}, {WaitReason::predecessor, "predecessor"},
        {WaitReason::no_worker, "no_worker"},   {WaitReason::blocked, "blocked"},
        {WaitReason::paused, "paused"},         {WaitReason::ready, "ready"}};
    for (const auto& [word, text] : words) {
        EXPECT_EQ(to_string(word), text);
    }
}

}  // namespace
}  // namespace semel
