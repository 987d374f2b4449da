// What the ladder makes of rows that somebody else holds.
#include "store/ladder/wished_rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/ladder/ladder.hpp"
#include "support/rows.hpp"

namespace semel {
namespace {

using testing::Contains;
using testing::Pair;

// All that was asked for has been fetched.
class FetchedRows final : public WishedRows {
public:
    void fetch(const Job& job) { jobs_.values[job.id] = job; }
    void hold(const JobId& id) {
        jobs_.values[id] = std::nullopt;
        jobs_.locked.insert(id);
    }
    void fetch_step(const JobId& chain, int index, const JobId& id) {
        step_.values[{chain, index}] = id;
    }
};

// Between the two looks of a node, another may have locked the step alone: it lost the chain's
// first job to this one.
TEST(WishedRows, AStepThatSomebodyHoldsIsNotAbsent) {
    const JobId chain = test::id_at(test::kStart, 1);
    const JobId step = test::id_at(test::kStart, 2);
    Job first = test::ready_job(1);
    first.in_chain = true;
    first.last = test::id_at(test::kStart, 3);
    FetchedRows rows;
    rows.fetch(first);
    rows.hold(step);
    rows.fetch_step(chain, 1, step);
    LoadSpec spec;
    spec.jobs = {{.id = chain}};
    spec.steps = {{chain, 1}};
    Loaded climbed = climb_ladder(rows, spec, test::kStart);
    ASSERT_FALSE(rows.has_wishes());
    const Loaded loaded = answer_of(std::move(climbed), rows);
    EXPECT_THAT(loaded.locked_elsewhere.jobs, Contains(step));
    EXPECT_THAT(loaded.steps, Contains(Pair(StepRef{chain, 1}, step)));
}

// What belongs to a job has to fit to its row.
TEST(WishedRows, AGuessedJobIsFetchedWhereMoreIsWantedOfIt) {
    const Job job = test::running_job(1, test::kStart + std::chrono::minutes(1));
    RememberedJobs remembered;
    Changes taking;
    taking.jobs.push_back(test::changed(test::ready_job(1), job));
    remembered.note(taking);
    const LoadSpec spec{.jobs = {{.id = job.id, .completed_by = job.token}}};
    for (const bool wants_body : {true, false}) {
        FetchedRows rows;
        rows.guess(spec, remembered, test::kStart);
        EXPECT_TRUE(rows.job(job.id, false).has_value());
        EXPECT_FALSE(rows.has_wishes());
        EXPECT_TRUE(rows.guesses().contains(job.id));
        wants_body ? (void)rows.body(job.id) : (void)rows.result(job.id);
        EXPECT_FALSE(rows.job(job.id, false).has_value());
        EXPECT_TRUE(rows.has_wishes());
        EXPECT_TRUE(rows.guesses().empty());
    }
}

}  // namespace
}  // namespace semel
