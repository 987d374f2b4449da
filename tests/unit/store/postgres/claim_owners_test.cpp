// The job that has a key is fetched and locked with the key's claim.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cluster/user_session.hpp"
#include "store/postgres/postgres_store.hpp"
#include "support/postgres_server.hpp"
#include "support/rows.hpp"
#include "support/store_driver.hpp"

namespace semel::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class ClaimOwners : public testing::Test {
protected:
    ClaimOwners() {
        Claim claim = small_claim(1);
        Job job = ready_job(1);
        job.claim = claim.id;
        claim.owners = {{.job = job.id, .window_from = kStart}};
        Changes changes = inserting({job});
        changes.claims.push_back(inserted(claim));
        EXPECT_TRUE(driver_.write(changes).has_value());
        spec_.claims = {claim.id};
    }

    const std::string url_ = PostgresServer::shared().make_database();
    std::unique_ptr<Store> store_ = std::move(open_postgres_store({.url = url_})).value();
    StoreDriver driver_{*store_};
    UserSession user_{url_};
    LoadSpec spec_;
};

TEST_F(ClaimOwners, AreWrittenDownBesideWhatIsPacked) {
    EXPECT_EQ(user_.ask("select owner from semel.claim"), id_at(kStart, 1).to_string());
    const Loaded loaded = driver_.look(spec_);
    ASSERT_EQ(loaded.jobs.size(), 1U);
    EXPECT_EQ(loaded.jobs.front().status, Status::pending);
    ASSERT_EQ(loaded.bodies.size(), 1U);
}

TEST_F(ClaimOwners, AreFoundAllTheSameWhereAnEarlierVersionWroteTheClaim) {
    user_.ask("update semel.claim set owner = null");
    EXPECT_EQ(driver_.look(spec_).jobs.size(), 1U);
}

TEST_F(ClaimOwners, ThatRunAreSeenToRun) {
    const TakeJobs command{.query = {.tenant = "acme", .types = {"mail"}},
                           .worker = "w",
                           .lease = std::chrono::minutes(1)};
    const auto [reply] = driver_.run(command);
    const TakenJob taken = std::get<TakeJobs::Outcome>(reply).at(0);
    EXPECT_THAT(driver_.look(spec_).jobs, ElementsAre(taken.job));
}

// Whoever has that claim may be about to lock its owner.
TEST_F(ClaimOwners, OfClaimsThatAnotherHasAreLeftAlone) {
    user_.ask("begin; select id from semel.claim for update");
    const Loaded loaded = driver_.load(spec_).value();
    EXPECT_THAT(loaded.locked_elsewhere.claims, ElementsAre(spec_.claims.front()));
    EXPECT_THAT(loaded.locked_elsewhere.jobs, IsEmpty());
    EXPECT_EQ(user_.ask("select id from semel.job for update nowait"),
              id_at(kStart, 1).to_string());
}

TEST_F(ClaimOwners, ThatAnotherHasAreLockedElsewhere) {
    user_.ask("begin; select id from semel.job for update");
    const Loaded loaded = driver_.load(spec_).value();
    EXPECT_THAT(loaded.locked_elsewhere.jobs, ElementsAre(id_at(kStart, 1)));
    EXPECT_THAT(loaded.jobs, IsEmpty());
}

}  // namespace
}  // namespace semel::test
