// A load brings every row that a decision can need, each once (core/batch/load_spec.hpp).
#include "conformance/store_conformance.hpp"

namespace semel::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

std::vector<JobId> bodies_of(const Loaded& loaded) {
    std::vector<JobId> ids;
    for (const auto& [id, body] : loaded.bodies) {
        EXPECT_EQ(body.payload, payload_of(id));
        ids.push_back(id);
    }
    return ids;
}

class Ladder : public StoreConformance {
protected:
    // A group with a head and members that wait; `numbers` in the order of their time.
    void write_group(const std::string& name, int head, const std::vector<int>& numbers) {
        Job first = ready_job(head);
        first.lock_group = name;
        Changes changes = inserting({first});
        Millis behind{0};
        for (const int number : numbers) {
            Job job = waiting_job(number, name);
            job.scheduled_at = kStart + ++behind;
            changes.jobs.push_back(inserted(job));
        }
        changes.groups.push_back(inserted(LockGroup{{"acme", name}, first.id}));
        write(changes);
    }
};

INSTANTIATE_TEST_SUITE_P(Stores, Ladder, all_stores(), name_of_store);

TEST_P(Ladder, WhatIsAbsentIsAbsent) {
    LoadSpec spec;
    spec.claims = {hash_of(1)};
    spec.jobs = {{.id = id_at(kStart, 1), .body = true, .claim = true}};
    spec.groups = {{"acme", "g"}};
    spec.api_tokens = {id_at(kStart, 2)};
    const Loaded loaded = driver.look(spec);
    EXPECT_THAT(loaded.claims, IsEmpty());
    EXPECT_THAT(loaded.jobs, IsEmpty());
    EXPECT_THAT(loaded.bodies, IsEmpty());
    EXPECT_THAT(loaded.results, IsEmpty());
    EXPECT_THAT(loaded.groups, IsEmpty());
    EXPECT_THAT(loaded.api_tokens, IsEmpty());
    EXPECT_THAT(loaded.queries, IsEmpty());
}

TEST_P(Ladder, ANamedClaimBringsItsOwnerWithPayloadAndResult) {
    Job owner = finished_job(1, Status::completed, kStart);
    owner.has_result = true;
    Claim claim = small_claim(9);
    claim.owners = {{.job = owner.id, .window_from = kStart}};
    Changes changes = inserting({owner});
    const JobResult result{"7", {}, {}};
    changes.results.emplace_back(owner.id, result);
    changes.claims.push_back(inserted(claim));
    write(changes);
    LoadSpec spec;
    spec.claims = {claim.id};
    const Loaded loaded = driver.look(spec);
    EXPECT_THAT(loaded.claims, ElementsAre(claim));
    EXPECT_THAT(loaded.jobs, ElementsAre(owner));
    EXPECT_THAT(bodies_of(loaded), ElementsAre(owner.id));
    EXPECT_THAT(loaded.results, ElementsAre(Pair(owner.id, result)));
}

TEST_P(Ladder, AClaimWhoseOwnerIsGoneComesAlone) {
    Claim claim = full_claim(9);
    Changes changes;
    changes.claims.push_back(inserted(claim));
    write(changes);
    LoadSpec spec;
    spec.claims = {claim.id};
    const Loaded loaded = driver.look(spec);
    EXPECT_THAT(loaded.claims, ElementsAre(claim));
    EXPECT_THAT(loaded.jobs, IsEmpty());
}

TEST_P(Ladder, AJobBringsPayloadAndClaimWhenAsked) {
    Job job = ready_job(1);
    job.claim = hash_of(9);
    Claim claim = small_claim(9);
    claim.owners = {{.job = id_at(kStart, 2), .window_from = kStart}};
    const Job owner = ready_job(2);
    Changes changes = inserting({job, owner});
    changes.claims.push_back(inserted(claim));
    write(changes);

    LoadSpec plain;
    plain.jobs = {{.id = job.id}};
    EXPECT_THAT(driver.look(plain).jobs, ElementsAre(job));
    EXPECT_THAT(driver.look(plain).bodies, IsEmpty());
    EXPECT_THAT(driver.look(plain).claims, IsEmpty());

    LoadSpec whole;
    whole.jobs = {{.id = job.id, .body = true, .claim = true}};
    const Loaded loaded = driver.look(whole);
    EXPECT_THAT(bodies_of(loaded), ElementsAre(job.id));
    EXPECT_THAT(loaded.claims, ElementsAre(claim));
    EXPECT_THAT(ids_of(loaded.jobs), UnorderedElementsAre(job.id, owner.id));
}

TEST_P(Ladder, WhatIsNamedTwiceComesOnce) {
    Job job = ready_job(1);
    job.claim = hash_of(9);
    Claim claim = small_claim(9);
    claim.owners = {{.job = job.id, .window_from = kStart}};
    Changes changes = inserting({job});
    changes.claims.push_back(inserted(claim));
    write(changes);
    LoadSpec spec;
    spec.jobs = {{.id = job.id}, {.id = job.id, .body = true}, {.id = job.id, .claim = true}};
    spec.claims = {claim.id, claim.id};
    const Loaded loaded = driver.look(spec);
    EXPECT_THAT(loaded.jobs, ElementsAre(job));
    EXPECT_THAT(loaded.claims, ElementsAre(claim));
    EXPECT_THAT(bodies_of(loaded), ElementsAre(job.id));
}

TEST_P(Ladder, AJobBringsItsPredecessorAndItsSuccessor) {
    Job running = running_job(1, kStart + Millis(100));
    Job successor = ready_job(2);
    successor.place = Place::predecessor;
    successor.predecessor = running.id;
    running.successor = successor.id;
    write(inserting({running, successor}));
    LoadSpec first;
    first.jobs = {{.id = running.id}};
    EXPECT_THAT(driver.look(first).jobs, UnorderedElementsAre(running, successor));
    LoadSpec second;
    second.jobs = {{.id = successor.id}};
    EXPECT_THAT(driver.look(second).jobs, UnorderedElementsAre(running, successor));
}

TEST_P(Ladder, ASuccessorBringsItsGroup) {
    write_group("g", 10, {11});
    Job running = running_job(1, kStart + Millis(100));
    Job successor = ready_job(2);
    successor.place = Place::predecessor;
    successor.predecessor = running.id;
    successor.lock_group = "g";
    running.successor = successor.id;
    write(inserting({running, successor}));
    LoadSpec spec;
    spec.jobs = {{.id = running.id}};
    const Loaded loaded = driver.look(spec);
    EXPECT_THAT(loaded.groups, ElementsAre(LockGroup{{"acme", "g"}, id_at(kStart, 10)}));
    EXPECT_THAT(ids_of(loaded.jobs), UnorderedElementsAre(running.id, successor.id,
                                                          id_at(kStart, 10), id_at(kStart, 11)));
}

TEST_P(Ladder, ASupersededOwnerBringsTheOneAfterIt) {
    const Job owner = finished_job(1, Status::superseded, kStart);
    const Job after = ready_job(2);
    Claim claim = small_claim(9);
    claim.owners = {{.job = owner.id, .window_from = kStart}};
    Changes changes = inserting({owner, after});
    changes.claims.push_back(inserted(claim));
    write(changes);
    LoadSpec spec;
    spec.claims = {claim.id};
    const Loaded loaded = driver.look(spec);
    EXPECT_THAT(loaded.jobs, UnorderedElementsAre(owner, after));
    EXPECT_THAT(bodies_of(loaded), UnorderedElementsAre(owner.id, after.id));
}

TEST_P(Ladder, ANamedGroupBringsItsHeadAndTheNextMembersInOrder) {
    // By scheduledAt and not by id: 30 stands first.
    write_group("g", 10, {30, 20, 25, 21});
    LoadSpec spec;
    spec.groups = {{"acme", "g"}};
    EXPECT_THAT(ids_of(driver.look(spec).jobs),
                UnorderedElementsAre(id_at(kStart, 10), id_at(kStart, 30), id_at(kStart, 20)));
    spec.groups = {{"acme", "g"}, {"acme", "g"}};
    EXPECT_THAT(ids_of(driver.look(spec).jobs),
                UnorderedElementsAre(id_at(kStart, 10), id_at(kStart, 30), id_at(kStart, 20),
                                     id_at(kStart, 25)));
}

TEST_P(Ladder, MembersDueTogetherStandInTheOrderOfTheirIds) {
    Job head = ready_job(10);
    head.lock_group = "g";
    Changes changes =
        inserting({waiting_job(14, "g"), waiting_job(12, "g"), waiting_job(13, "g"), head});
    changes.groups.push_back(inserted(LockGroup{{"acme", "g"}, head.id}));
    write(changes);
    LoadSpec spec;
    spec.groups = {{"acme", "g"}};
    EXPECT_THAT(ids_of(driver.look(spec).jobs),
                UnorderedElementsAre(head.id, id_at(kStart, 12), id_at(kStart, 13)));
}

TEST_P(Ladder, EachJobOfAGroupMayLeaveItSoThatManyMoreMembersCome) {
    write_group("g", 10, {11, 12, 13, 14, 15, 16});
    LoadSpec spec;
    spec.jobs = {{.id = id_at(kStart, 10)}, {.id = id_at(kStart, 16)}};
    spec.groups = {{"acme", "g"}};
    // Two jobs and one mention: 3 + 1 that wait.
    EXPECT_THAT(ids_of(driver.look(spec).jobs),
                UnorderedElementsAre(id_at(kStart, 10), id_at(kStart, 16), id_at(kStart, 11),
                                     id_at(kStart, 12), id_at(kStart, 13), id_at(kStart, 14)));
}

TEST_P(Ladder, GroupsOfOtherTenantsStayOut) {
    write_group("g", 10, {11});
    Job job = ready_job(1);
    job.tenant = "zeta";
    job.lock_group = "g";
    write(inserting({job}));
    LoadSpec spec;
    spec.jobs = {{.id = job.id}};
    const Loaded loaded = driver.look(spec);
    EXPECT_THAT(loaded.jobs, ElementsAre(job));
    EXPECT_THAT(loaded.groups, IsEmpty());
}

TEST_P(Ladder, AnExpiredJobBringsItsGroup) {
    Job head = running_job(10, kStart);
    head.lock_group = "g";
    Changes changes = inserting({head, waiting_job(11, "g")});
    changes.groups.push_back(inserted(LockGroup{{"acme", "g"}, head.id}));
    write(changes);
    LoadSpec spec;
    spec.queries = {ExpiredQuery{}};
    const Loaded loaded = driver.look(spec);
    EXPECT_EQ(loaded.groups.size(), 1U);
    EXPECT_THAT(ids_of(loaded.jobs), UnorderedElementsAre(head.id, id_at(kStart, 11)));
}

TEST_P(Ladder, AFinishedJobBringsItsClaim) {
    Job job = finished_job(1, Status::completed, kStart);
    job.claim = hash_of(9);
    Claim claim = small_claim(9);
    claim.owners = {{.job = job.id, .window_from = kStart}};
    Changes changes = inserting({job});
    changes.claims.push_back(inserted(claim));
    write(changes);
    LoadSpec spec;
    spec.queries = {FinishedQuery{}};
    const Loaded loaded = driver.look(spec);
    EXPECT_THAT(loaded.jobs, ElementsAre(job));
    EXPECT_THAT(loaded.claims, ElementsAre(claim));
}

TEST_P(Ladder, ReadyJobsBringTheirPayloads) {
    write(inserting({ready_job(1), ready_job(2)}));
    LoadSpec spec;
    spec.queries = {ReadyQuery{.tenant = "acme", .types = {"mail"}, .limit = 1}};
    const Loaded loaded = driver.look(spec);
    EXPECT_THAT(ids_of(loaded.jobs), ElementsAre(id_at(kStart, 1)));
    EXPECT_THAT(bodies_of(loaded), ElementsAre(id_at(kStart, 1)));
}

}  // namespace
}  // namespace semel::test
