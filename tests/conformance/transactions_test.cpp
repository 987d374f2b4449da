// A batch is saved whole or not at all, and the next one sees it.
#include "conformance/store_conformance.hpp"

namespace semel::test {
namespace {

using testing::IsEmpty;

// One of everything.
Changes everything(int number) {
    Job job = ready_job(number);
    job.has_result = true;
    Changes changes = inserting({job});
    changes.results.emplace_back(job.id, JobResult{"1", {}, {}});
    changes.claims.push_back(inserted(full_claim(number)));
    changes.groups.push_back(inserted(LockGroup{{"acme", "g"}, job.id}));
    changes.api_tokens.push_back(inserted(full_api_token(number)));
    changes.attempts.push_back(full_attempt(job.id, 1));
    changes.decisions.push_back(full_decision(number));
    return changes;
}

class Transactions : public StoreConformance {
protected:
    void expect_nothing_of(int number) {
        LoadSpec spec;
        spec.claims = {hash_of(number)};
        spec.jobs = {{.id = id_at(kStart, number), .body = true}};
        spec.groups = {{"acme", "g"}};
        spec.api_tokens = {id_at(kStart, number)};
        spec.queries = {ReadyQuery{.tenant = "acme", .types = {"mail"}, .limit = 10}};
        const Loaded loaded = driver.look(spec);
        EXPECT_THAT(loaded.claims, IsEmpty());
        EXPECT_THAT(loaded.jobs, IsEmpty());
        EXPECT_THAT(loaded.bodies, IsEmpty());
        EXPECT_THAT(loaded.groups, IsEmpty());
        EXPECT_THAT(loaded.api_tokens, IsEmpty());
        EXPECT_THAT(loaded.queries.at(0).jobs, IsEmpty());
        EXPECT_THAT(driver.list_actions("acme"), IsEmpty());
        EXPECT_THAT(driver.list_decisions("acme"), IsEmpty());
        EXPECT_THAT(driver.list_api_tokens(), IsEmpty());
        EXPECT_THAT(driver.count_jobs(), IsEmpty());
    }
};

INSTANTIATE_TEST_SUITE_P(Stores, Transactions, all_stores(), name_of_store);

TEST_P(Transactions, ReadsGoOnDuringOneAndSeeItAfterItsCommit) {
    ASSERT_TRUE(driver.load({}).has_value());
    EXPECT_THAT(driver.list_actions("acme"), IsEmpty());
    ASSERT_TRUE(driver.commit(everything(1)).has_value());
    EXPECT_EQ(driver.list_actions("acme").size(), 1U);
}

TEST_P(Transactions, ACommitOfNothingChangesNothing) {
    ASSERT_TRUE(driver.load({}).has_value());
    ASSERT_TRUE(driver.commit({}).has_value());
    expect_nothing_of(1);
}

TEST_P(Transactions, AJobThatExistsCannotBeInserted) {
    write(inserting({ready_job(7)}));
    Changes changes = everything(1);
    changes.jobs.push_back(inserted(ready_job(7)));
    EXPECT_FALSE(driver.write(changes).has_value());
    EXPECT_EQ(ids_of(driver.list_actions("acme")), std::vector{id_at(kStart, 7)});
    EXPECT_THAT(driver.list_decisions("acme"), IsEmpty());
}

TEST_P(Transactions, AFailedSaveLeavesNothing) {
    const Job absent = ready_job(7);
    Job edited = absent;
    edited.priority = 3;
    Claim claim = small_claim(8);
    claim.token = Token{99};
    std::vector<std::function<void(Changes&)>> mistakes = {
        [&](Changes& c) { c.jobs.push_back(changed(absent, edited)); },
        [&](Changes& c) { c.jobs.push_back(deleted(absent)); },
        [&](Changes& c) { c.claims.push_back(changed(small_claim(8), claim)); },
        [&](Changes& c) { c.claims.push_back(deleted(claim)); },
        [&](Changes& c) {
            c.groups.push_back(deleted(LockGroup{{"acme", "h"}, absent.id}));
        },
        [&](Changes& c) {
            c.groups.push_back(changed(LockGroup{{"acme", "h"}, absent.id},
                                       LockGroup{{"acme", "h"}, id_at(kStart, 1)}));
        },
        [&](Changes& c) { c.api_tokens.push_back(deleted(full_api_token(7))); },
    };
    for (std::size_t i = 0; i < mistakes.size(); ++i) {
        SCOPED_TRACE(i);
        Changes changes = everything(1);
        mistakes[i](changes);
        EXPECT_FALSE(driver.write(changes).has_value());
        expect_nothing_of(1);
    }
    // And the store goes on.
    write(everything(1));
    EXPECT_EQ(driver.list_actions("acme").size(), 1U);
}

TEST_P(Transactions, NamesOfAFailedSaveAreNotTakenForStored) {
    Job stranger = ready_job(1);
    stranger.tenant = "new tenant";
    stranger.type = "new type";
    Changes changes = inserting({stranger});
    changes.jobs.push_back(deleted(ready_job(7)));
    EXPECT_FALSE(driver.write(changes).has_value());
    EXPECT_THAT(driver.list_actions("new tenant"), IsEmpty());
    write(inserting({stranger}));
    ActionFilter filter;
    filter.type = "new type";
    EXPECT_EQ(driver.list_actions("new tenant", filter).size(), 1U);
    filter.type = "another type";
    EXPECT_THAT(driver.list_actions("new tenant", filter), IsEmpty());
}

TEST_P(Transactions, AnAttemptIsWrittenOnce) {
    write(everything(1));
    Changes changes;
    changes.attempts.push_back(full_attempt(id_at(kStart, 1), 1));
    changes.decisions.push_back(full_decision(2));
    EXPECT_FALSE(driver.write(changes).has_value());
    EXPECT_EQ(driver.list_decisions("acme").size(), 1U);
}

TEST_P(Transactions, ALoadSeesWhatIsCommitted) {
    write(everything(1));
    LoadSpec spec;
    spec.queries = {ReadyQuery{.tenant = "acme", .types = {"mail"}, .limit = 10}};
    EXPECT_EQ(driver.look(spec).queries.at(0).jobs.size(), 1U);
}

TEST_P(Transactions, TimeNeverGoesBack) {
    clock.now = kStart + Millis(1000);
    const Time first = driver.look({}).now;
    EXPECT_EQ(first, kStart + Millis(1000));
    clock.now = kStart;
    EXPECT_EQ(driver.look({}).now, first);
    EXPECT_EQ(store->now(), first);
    clock.now = kStart + Millis(1500);
    EXPECT_GE(driver.look({}).now, first);
    EXPECT_GE(store->now(), first);
}

TEST_P(Transactions, AStoreSaysWhatItIs) {
    EXPECT_EQ(store->info().kind, GetParam().name);
    EXPECT_NE(store->info().location, "");
    EXPECT_NE(store->info().durability, "");
}

}  // namespace
}  // namespace semel::test
