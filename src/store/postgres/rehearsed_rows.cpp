#include "store/postgres/rehearsed_rows.hpp"

#include "base/hash.hpp"

namespace semel::postgres {
namespace {

constexpr const char* kType = "rehearsal";
constexpr std::int64_t kNoDay = -10;  // in days since 1970: a day without entries

Job job_of(const RehearsedRows& rows, const Uuid& id, Time now) {
    Job job;
    job.id = id;
    job.tenant = rows.tenant;
    job.type = kType;
    job.chain = id;
    job.scheduled_at = now;
    job.created_at = now;
    job.updated_at = now;
    return job;
}

Job ended(Job job, Time now) {
    job.status = Status::completed;
    job.place = Place::done;
    job.completed_at = now;
    job.lease.reset();
    return job;
}

Claim sealed(Claim claim) {
    claim.state = ClaimState::sealed;
    claim.receipt = Receipt{200, "{}"};
    return claim;
}

Claim sealed_fence(Claim fence, Time now) {
    fence = sealed(std::move(fence));
    fence.effect->id = kType;
    fence.effect->sealed_at = now;
    fence.effect->has_content = false;
    return fence;
}

Source freed(Source source) {
    source.highest = 1;
    source.holder.reset();
    return source;
}

Edge done(Edge edge) {
    edge.done = true;
    return edge;
}

BulkRun finished(BulkRun bulk_run, Time now) {
    bulk_run.finished_at = now;
    return bulk_run;
}

template <typename Row>
void add(std::vector<Change<Row>>& changes, std::optional<Row> before, std::optional<Row> after) {
    changes.push_back({std::move(before), std::move(after)});
}

Attempt attempt_at(const Job& job, Time now) {
    Attempt attempt;
    attempt.job = job.id;
    attempt.number = job.attempts;
    attempt.token = job.token;
    attempt.worker = kType;
    attempt.started_at = now;
    attempt.ended_at = now;
    return attempt;
}

DecisionEntry decision_about(const Job& job, Time now) {
    DecisionEntry entry;
    entry.at = now;
    entry.tenant = job.tenant;
    entry.surface = "store";
    entry.type = kType;
    entry.rule = kType;
    entry.effect_id = job.id;
    return entry;
}

void make_fence(RehearsedRows& rows, Time now) {
    rows.fence = rows.claim;
    rows.fence.id = sha256(rows.tenant + "fences");
    rows.fence.space = "fences";
    rows.fence.token = next_token(Token::none, now);
    Effect& effect = rows.fence.effect.emplace();
    effect.lease_until = now;
    effect.source_type = kType;
    effect.version = 1;
    effect.has_content = true;
    rows.source.key = {rows.tenant, kType, effect.source_id};
    rows.source.holder = SourceHolder{rows.fence.id, rows.fence.token, now};
    rows.source.expires_at = now;
    rows.doubtful = rows.fence;
    rows.doubtful.id = sha256(rows.tenant + "doubtful");
    rows.doubtful.state = ClaimState::uncertain;
}

void make_chain(RehearsedRows& rows, const std::function<Uuid()>& new_id, Time now) {
    rows.first = job_of(rows, new_id(), now);
    rows.blocked = job_of(rows, new_id(), now);
    rows.first.in_chain = true;
    rows.first.status = Status::completed;
    rows.first.place = Place::retained;
    rows.first.completed_at = now;
    rows.first.next = rows.blocked.id;
    rows.first.last = rows.blocked.id;
    rows.blocked.in_chain = true;
    rows.blocked.chain = rows.first.id;
    rows.blocked.chain_index = 1;
    rows.blocked.status = Status::blocked;
    rows.blocked.place = Place::blocked;
    rows.blocked.blockers = 1;
    rows.blocked.blockers_left = 1;
    rows.edge = {{rows.blocked.id, 0}, rows.ready.id, false};
}

void make_jobs(RehearsedRows& rows, const std::function<Uuid()>& new_id, Time now) {
    rows.ready = job_of(rows, new_id(), now);
    rows.ready.claim = rows.claim.id;
    rows.later = job_of(rows, new_id(), now);
    rows.later.place = Place::later;
    rows.later.occurrence = Occurrence{rows.schedule.id, kType, now, "1h", RecurrenceType::fixed};
    rows.running = job_of(rows, new_id(), now);
    rows.running.status = Status::running;
    rows.running.place = Place::running;
    rows.running.token = next_token(Token::none, now);
    rows.running.started_at = now;
    rows.running.attempts = 1;
    rows.running.lease = Lease{kType, now, now, std::nullopt};
    rows.waiting = job_of(rows, new_id(), now);
    rows.waiting.place = Place::waiting;
    rows.waiting.lock_group = rows.group.key.name;
    make_chain(rows, new_id, now);
}

}  // namespace

RehearsedRows make_rehearsed_rows(const std::function<Uuid()>& new_id, Time now) {
    RehearsedRows rows;
    // Callers' names have no control characters, so this tenant is not theirs.
    rows.tenant = "\x01" + new_id().to_string();
    rows.claim.id = sha256(rows.tenant);
    rows.claim.tenant = rows.tenant;
    rows.claim.space = "actions";
    rows.claim.full_key = kType;
    rows.claim.created_at = now;
    rows.group = {{rows.tenant, kType}, new_id()};
    rows.schedule.id = new_id();
    rows.schedule.key = {rows.tenant, kType};
    rows.schedule.spec.type = kType;
    rows.schedule.spec.every = "1h";
    rows.schedule.created_at = now;
    rows.schedule.updated_at = now;
    rows.bulk_run.id = new_id();
    rows.bulk_run.tenant = rows.tenant;
    rows.bulk_run.created_at = now;
    rows.api_token.id = new_id();
    rows.api_token.tenant = rows.tenant;
    rows.api_token.name = kType;
    rows.api_token.secret_hash = rows.claim.id;
    rows.api_token.created_at = now;
    rows.outbox_result = new_id();
    make_fence(rows, now);
    make_jobs(rows, new_id, now);
    rows.schedule.current = rows.later.id;
    return rows;
}

Changes inserting(const RehearsedRows& rows) {
    Changes changes;
    add<Claim>(changes.claims, std::nullopt, rows.claim);
    add<Claim>(changes.claims, std::nullopt, rows.fence);
    add<Claim>(changes.claims, std::nullopt, rows.doubtful);
    changes.contents.emplace_back(rows.fence.id, Content{"{}"});
    add<Source>(changes.sources, std::nullopt, rows.source);
    changes.responses.push_back({ResponseVerb::write, rows.outbox_result, from_ms(0),
                                 std::make_shared<const std::string>("{}")});
    for (const Job* job :
         {&rows.ready, &rows.later, &rows.running, &rows.waiting, &rows.first, &rows.blocked}) {
        add<Job>(changes.jobs, std::nullopt, *job);
        changes.bodies.emplace_back(job->id, JobBody{"{}"});
    }
    add<Edge>(changes.edges, std::nullopt, rows.edge);
    add<LockGroup>(changes.groups, std::nullopt, rows.group);
    add<Schedule>(changes.schedules, std::nullopt, rows.schedule);
    add<BulkRun>(changes.bulk_runs, std::nullopt, rows.bulk_run);
    add<ApiToken>(changes.api_tokens, std::nullopt, rows.api_token);
    return changes;
}

Changes changing(const RehearsedRows& rows, Time now) {
    Changes changes;
    add<Claim>(changes.claims, rows.claim, sealed(rows.claim));
    add<Claim>(changes.claims, rows.fence, sealed_fence(rows.fence, now));
    changes.contents.emplace_back(rows.fence.id, std::nullopt);
    add<Source>(changes.sources, rows.source, freed(rows.source));
    changes.responses.push_back({ResponseVerb::extend, rows.outbox_result, now});
    for (const Job* job : {&rows.ready, &rows.later, &rows.running}) {
        Job after = ended(*job, now);
        after.has_result = true;
        add<Job>(changes.jobs, *job, after);
        changes.results.emplace_back(job->id, JobResult{"{}", std::nullopt, std::nullopt});
    }
    changes.bodies.emplace_back(rows.later.id,
                                JobBody{"{}"});  // every column of it, not its attempt's
    changes.bodies.emplace_back(rows.waiting.id, JobBody{"{}"});
    add<Edge>(changes.edges, rows.edge, done(rows.edge));
    add<LockGroup>(changes.groups, rows.group, rows.group);
    add<Schedule>(changes.schedules, rows.schedule, rows.schedule);
    add<BulkRun>(changes.bulk_runs, rows.bulk_run, finished(rows.bulk_run, now));
    changes.attempts.push_back(attempt_at(rows.running, now));  // is stored in the job's row
    changes.attempts.push_back(attempt_at(rows.ready, now));
    changes.attempts.back().end = AttemptEnd::failed;
    changes.decisions.push_back(decision_about(rows.running, now));
    changes.outbox_results.push_back({rows.outbox_result, "{}"});
    changes.forgotten.push_back({.tenant = "", .day = kNoDay});
    return changes;
}

Changes renewing(const RehearsedRows& rows) {
    Job after = rows.running;
    after.lease->until += std::chrono::seconds(1);
    Changes changes;
    add<Job>(changes.jobs, rows.running, after);
    return changes;
}

Changes deleting(const RehearsedRows& rows, Time now) {
    Changes changes;
    add<Claim>(changes.claims, sealed(rows.claim), std::nullopt);
    add<Claim>(changes.claims, sealed_fence(rows.fence, now), std::nullopt);
    add<Claim>(changes.claims, rows.doubtful, std::nullopt);
    add<Source>(changes.sources, freed(rows.source), std::nullopt);
    changes.responses.push_back({ResponseVerb::expire, rows.outbox_result, now});
    for (const Job* job : {&rows.ready, &rows.later, &rows.running}) {
        add<Job>(changes.jobs, ended(*job, now), std::nullopt);
    }
    for (const Job* job : {&rows.waiting, &rows.first, &rows.blocked}) {
        add<Job>(changes.jobs, *job, std::nullopt);
    }
    add<Edge>(changes.edges, done(rows.edge), std::nullopt);
    changes.results.emplace_back(rows.ready.id, std::nullopt);
    add<LockGroup>(changes.groups, rows.group, std::nullopt);
    add<Schedule>(changes.schedules, rows.schedule, std::nullopt);
    add<BulkRun>(changes.bulk_runs, finished(rows.bulk_run, now), std::nullopt);
    add<ApiToken>(changes.api_tokens, rows.api_token, std::nullopt);
    changes.forgotten_outbox_results.push_back(rows.outbox_result);
    return changes;
}

}  // namespace semel::postgres
