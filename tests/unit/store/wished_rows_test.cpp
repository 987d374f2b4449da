// What the ladder makes of rows that somebody else holds.
#include "store/wished_rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/ladder.hpp"
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
        jobs_.held.insert(id);
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
    EXPECT_THAT(loaded.held.jobs, Contains(step));
    EXPECT_THAT(loaded.steps, Contains(Pair(StepRef{chain, 1}, step)));
}

}  // namespace
}  // namespace semel
