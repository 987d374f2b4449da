// Ends of jobs that the same node took: decided by what its store remembers, and saved only if the
// rows are still so.
#include <gtest/gtest.h>

#include "store/postgres/postgres_store.hpp"
#include "support/postgres_server.hpp"
#include "support/rows.hpp"
#include "support/store_driver.hpp"

namespace semel::test {
namespace {

class GuessedJobs : public testing::Test {
protected:
    // A job that `one_` has taken.
    TakenJob take(Job job) {
        EXPECT_TRUE(one_.write(inserting({std::move(job)})).has_value());
        const TakeJobs command{.query = {.tenant = "acme", .types = {"mail"}},
                               .worker = "w",
                               .lease = std::chrono::minutes(1)};
        const auto [reply] = one_.run(command);
        return std::get<TakeJobs::Outcome>(reply).at(0);
    }
    static SettleJobs ending(const TakenJob& taken, Verb verb = Verb::complete) {
        return {"acme", {JobCall{.id = taken.job.id, .token = taken.job.token, .verb = verb}}};
    }

    // What `one_` makes of it, as an engine's line does that tries once.
    Result<Item<JobAnswer>> try_once(const SettleJobs& command) {
        LoadSpec spec;
        name_rows(command, spec);
        SEMEL_TRY(loaded, one_.load(std::move(spec)));
        Workspace workspace(std::move(loaded), settings_, ids_, random_);
        workspace.savepoint();
        const auto reply = decide(command, workspace);
        Changes changes = workspace.take_changes();
        if (changes.empty()) {
            SEMEL_CHECK(one_.roll_back());
        } else {
            SEMEL_CHECK(one_.commit(std::move(changes)));
        }
        return std::get<SettleJobs::Outcome>(reply).at(0);
    }
    static std::optional<ErrorCode> error_of(const Result<Item<JobAnswer>>& result) {
        return result ? std::nullopt : std::optional(result.error().code());
    }
    static std::optional<ProblemCode> problem_of(const Result<Item<JobAnswer>>& result) {
        const Problem* problem = result ? std::get_if<Problem>(&*result) : nullptr;
        return problem != nullptr ? std::optional(problem->code) : std::nullopt;
    }
    // Whether a load of its end has locked it.
    bool is_locked_by_its_end(const TakenJob& taken, Verb verb = Verb::complete) {
        LoadSpec spec;
        name_rows(ending(taken, verb), spec);
        EXPECT_TRUE(one_.load(std::move(spec)).has_value());
        const bool is_held =
            !other_.look({.jobs = {{.id = taken.job.id}}}).locked_elsewhere.jobs.empty();
        (void)one_.roll_back();
        return is_held;
    }
    Status status_of(const TakenJob& taken) {
        return other_.get_action("acme", taken.job.id)->view.job.status;
    }

    const std::string url_ = PostgresServer::shared().make_database();
    std::unique_ptr<Store> store_ = std::move(open_postgres_store({.url = url_})).value();
    std::unique_ptr<Store> elsewhere_ = std::move(open_postgres_store({.url = url_})).value();
    StoreDriver one_{*store_};
    StoreDriver other_{*elsewhere_};  // of another node
    Settings settings_;
    const std::function<std::uint64_t()> random_ = [] { return 1; };
    UuidGenerator ids_{random_};
};

TEST_F(GuessedJobs, AreEndedWithoutALock) {
    const TakenJob taken = take(ready_job(1));
    EXPECT_FALSE(is_locked_by_its_end(taken));
    EXPECT_TRUE(is_locked_by_its_end(taken)) << "a guess that led to nothing is not made again";
    const auto ended = try_once(ending(taken));
    ASSERT_TRUE(ended.has_value()) << ended.error().message();
    EXPECT_EQ(std::get<JobAnswer>(*ended).status, Status::completed);
    EXPECT_EQ(status_of(taken), Status::completed);
}

TEST_F(GuessedJobs, AreKnownToTheOtherCommittersOfTheirNode) {
    const TakenJob taken = take(ready_job(1));
    StoreDriver beside(*store_);
    LoadSpec spec;
    name_rows(ending(taken), spec);
    ASSERT_TRUE(beside.load(std::move(spec)).has_value());
    EXPECT_TRUE(other_.look({.jobs = {{.id = taken.job.id}}}).locked_elsewhere.jobs.empty());
    (void)beside.roll_back();
}

// Who says that a job has failed may be in doubt, and is often wrong.
TEST_F(GuessedJobs, AreNotReleasedOrFailed) {
    const TakenJob taken = take(ready_job(1));
    EXPECT_TRUE(is_locked_by_its_end(taken, Verb::fail));
    EXPECT_TRUE(is_locked_by_its_end(taken, Verb::release));
    EXPECT_FALSE(is_locked_by_its_end(taken, Verb::complete));
}

TEST_F(GuessedJobs, ThatOthersHaveChangedAreReadAgain) {
    const TakenJob taken = take(ready_job(1));
    const auto [released] = other_.run(ending(taken, Verb::release));
    ASSERT_TRUE(std::holds_alternative<SettleJobs::Outcome>(released));
    EXPECT_EQ(error_of(try_once(ending(taken))), ErrorCode::busy);
    EXPECT_EQ(status_of(taken), Status::pending) << "and nothing was saved";
    EXPECT_EQ(problem_of(try_once(ending(taken))), ProblemCode::wrong_state);
}

TEST_F(GuessedJobs, ThatAreGoneAreReadAgain) {
    const TakenJob taken = take(ready_job(1));
    ask_postgres(url_, "delete from semel.job; delete from semel.running; delete from semel.run");
    EXPECT_EQ(error_of(try_once(ending(taken))), ErrorCode::busy);
    EXPECT_EQ(problem_of(try_once(ending(taken))), ProblemCode::not_found);
}

TEST_F(GuessedJobs, ThatOthersHoldStopABatchForAMomentOnly) {
    const TakenJob taken = take(ready_job(1));
    ASSERT_TRUE(other_.load({.jobs = {{.id = taken.job.id}}}).has_value());
    EXPECT_EQ(error_of(try_once(ending(taken))), ErrorCode::busy);
    ASSERT_TRUE(other_.roll_back().has_value());
    EXPECT_TRUE(try_once(ending(taken)).has_value());
    EXPECT_EQ(status_of(taken), Status::completed);
}

TEST_F(GuessedJobs, WhoseResultAUsersTransactionLeftAreNotEndedTwice) {
    const TakenJob taken = take(ready_job(1));
    ask_postgres(url_, "select semel.complete_job('" + taken.job.id.to_string() + "', " +
                           std::to_string(to_int(taken.job.token)) + ")");
    EXPECT_EQ(error_of(try_once(ending(taken))), ErrorCode::busy);
    EXPECT_EQ(status_of(taken), Status::running);
    EXPECT_EQ(ask_postgres(url_, "select settling from semel.run"), "t");
}

// A call that changes nothing would be answered by what nobody has polled at.
TEST_F(GuessedJobs, AnswerNoCallByThemselves) {
    const TakenJob taken = take(ready_job(1));
    SettleJobs foreign = ending(taken);
    foreign.tenant = "other";
    EXPECT_EQ(error_of(try_once(foreign)), ErrorCode::busy);
    EXPECT_EQ(problem_of(try_once(foreign)), ProblemCode::not_found);
}

// As where its end is refused and a heartbeat is in the same batch: that would not lock the job.
TEST_F(GuessedJobs, ThatGoOnRunningAreReadAgain) {
    const TakenJob taken = take(ready_job(1));
    LoadSpec spec;
    name_rows(ending(taken), spec);
    ASSERT_TRUE(one_.load(std::move(spec)).has_value());
    Job later = taken.job;
    later.lease->until += std::chrono::minutes(5);
    Changes changes;
    changes.jobs.push_back(changed(taken.job, later));
    const auto committed = one_.commit(std::move(changes));
    ASSERT_FALSE(committed.has_value());
    EXPECT_EQ(committed.error().code(), ErrorCode::busy);
}

// Their groups are locked after them.
TEST_F(GuessedJobs, StandAlone) {
    Job member = ready_job(1);
    member.lock_group = "g";
    Changes group;
    group.groups.push_back(inserted(LockGroup{{"acme", "g"}, member.id}));
    ASSERT_TRUE(one_.write(group).has_value());
    EXPECT_TRUE(is_locked_by_its_end(take(member)));
}

}  // namespace
}  // namespace semel::test
