#include "store/caches/remembered_jobs.hpp"

#include <gtest/gtest.h>

#include "support/rows.hpp"

namespace semel::test {
namespace {

constexpr Time kUntil = kStart + std::chrono::minutes(1);

Changes taking(const Job& job) {
    Changes changes;
    changes.jobs.push_back(changed(ready_job(1), job));
    return changes;
}

bool is_remembered(const Job& job) {
    RememberedJobs remembered;
    remembered.note(taking(job));
    return remembered.find(job.id, job.token, job.lease->started_at).has_value();
}

TEST(RememberedJobs, AreThoseThatACommitLeftRunning) {
    const Job job = running_job(1, kUntil);
    RememberedJobs remembered;
    EXPECT_EQ(remembered.find(job.id, job.token, kStart), std::nullopt);
    remembered.note(taking(job));
    EXPECT_EQ(remembered.find(job.id, job.token, kStart), job);
    Changes ending;
    ending.jobs.push_back(changed(job, finished_job(1, Status::completed, kStart)));
    remembered.note(ending);
    EXPECT_EQ(remembered.find(job.id, job.token, kStart), std::nullopt);
}

TEST(RememberedJobs, AreFoundWithTheirTokenAlone) {
    const Job job = running_job(1, kUntil);
    RememberedJobs remembered;
    remembered.note(taking(job));
    EXPECT_EQ(remembered.find(job.id, next_token(job.token, kStart), kStart), std::nullopt);
}

TEST(RememberedJobs, AreForgottenBeforeAHeartbeatIsDue) {
    const Job job = running_job(1, kUntil);
    RememberedJobs remembered;
    remembered.note(taking(job));
    const Time end = job.lease->started_at + RememberedJobs::kFor;
    EXPECT_NE(remembered.find(job.id, job.token, end - Millis(1)), std::nullopt);
    EXPECT_EQ(remembered.find(job.id, job.token, end), std::nullopt);
}

TEST(RememberedJobs, AreForgottenWhereAGuessCameToNothing) {
    const Job one = running_job(1, kUntil);
    const Job other = running_job(2, kUntil);
    RememberedJobs remembered;
    remembered.note(taking(one));
    remembered.note(taking(other));
    remembered.forget({one.id});
    EXPECT_EQ(remembered.find(one.id, one.token, kStart), std::nullopt);
    EXPECT_NE(remembered.find(other.id, other.token, kStart), std::nullopt);
}

TEST(RememberedJobs, StandAlone) {
    Job job = running_job(1, kUntil);
    EXPECT_TRUE(is_remembered(job));
    job.successor = id_at(kStart, 2);
    EXPECT_FALSE(is_remembered(job));
    job = running_job(1, kUntil);
    job.lock_group = "g";
    EXPECT_FALSE(is_remembered(job));
    job = running_job(1, kUntil);
    job.in_chain = true;
    EXPECT_FALSE(is_remembered(job));
    job = running_job(1, kUntil);
    job.blocks = 1;
    EXPECT_FALSE(is_remembered(job));
    job = running_job(1, kUntil);
    job.occurrence = Occurrence{};
    EXPECT_FALSE(is_remembered(job));
}

TEST(RememberedJobs, AreNotEndlesslyMany) {
    RememberedJobs remembered;
    const int most = static_cast<int>(RememberedJobs::kMax);
    Job job = running_job(1, kUntil);
    for (int number = 0; number <= most; ++number) {
        job.id = id_at(kStart + Millis(number));
        remembered.note(taking(job));
    }
    EXPECT_NE(remembered.find(job.id, job.token, kStart), std::nullopt);
    EXPECT_EQ(remembered.find(id_at(kStart), job.token, kStart), std::nullopt);
}

TEST(Guesses, AreTestedByAChangeOfTheirRow) {
    const Job job = running_job(1, kUntil);
    Changes changes;
    EXPECT_TRUE(tests_all(changes, {}));
    EXPECT_FALSE(tests_all(changes, {job.id}));
    changes.jobs.push_back(changed(job, finished_job(1, Status::completed, kStart)));
    EXPECT_TRUE(tests_all(changes, {job.id}));
    EXPECT_FALSE(tests_all(changes, {job.id, id_at(kStart, 2)}));
    changes.jobs.front() = deleted(job);
    EXPECT_FALSE(tests_all(changes, {job.id}));
}

}  // namespace
}  // namespace semel::test
