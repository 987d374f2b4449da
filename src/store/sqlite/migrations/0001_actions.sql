-- Actions, their keys, their history, the decision log, API tokens.
--
-- Times are milliseconds since 1970. Enumerations are numbers; row_codec.cpp pins them:
--   status  0 blocked, 1 pending, 2 running, 3 completed, 4 failed, 5 cancelled, 6 superseded,
--           7 uncertain
--   place   0 later, 1 ready, 2 running, 3 waiting, 4 blocked, 5 predecessor, 6 done
-- Each check repeats an invariant of core/job.hpp or core/claim.hpp.

-- One row. No stored time is later than time_mark; commits grows by one with each commit that
-- changes anything.
create table meta (
    id integer primary key check (id = 1),
    time_mark integer not null,
    commits integer not null
) strict;
insert into meta values (1, 0, 0);

create table claim (
    id blob primary key check (length(id) = 32),
    tenant text not null,
    space text not null,
    full_key text not null,
    state integer not null,             -- 0 owned, 1 sealed
    token integer not null,
    created_at integer not null,
    window_from integer not null,
    expires_at integer,
    owner blob,
    purged_as integer,                  -- a status
    fingerprint blob,
    receipt_status integer              -- null: no row in receipt
) strict, without rowid;
create index claim_expiring on claim (expires_at) where expires_at is not null;

create table receipt (
    claim blob primary key,
    body blob not null
) strict, without rowid;

-- Narrow, because each step of a job's life writes it anew: what is wide or written once stands in
-- job_body and job_result.
create table job (
    id blob primary key check (length(id) = 16),
    tenant text not null,
    type text not null,
    chain blob,                         -- null: its own id
    chain_index integer not null,
    claim blob,
    status integer not null,
    place integer not null,
    shelf integer not null,             -- in lists: 0 blocked, pending or running; else the status
    urgency integer not null,           -- priority, negated, so that an index ranks it
    scheduled_at integer not null,
    created_at integer not null,
    updated_at integer not null,
    started_at integer,
    completed_at integer,
    lock_group text not null,           -- empty: none
    max_retries integer not null,
    backoff text,                       -- null: the default; else kind, base, factor, max
    timeout integer,
    unique_until integer,
    attempts integer not null,
    lost_in_a_row integer not null,
    token integer not null,
    worker text,
    lease_started_at integer,
    lease_until integer,
    timeout_at integer,
    settled blob,                       -- verb, status: a byte each; content: 32 bytes
    predecessor blob,
    successor blob,
    superseded_by blob,
    has_result integer not null,
    check ((place = 2) = (status = 2)),
    check ((lease_until is not null) = (status = 2)),
    check ((completed_at is not null) = (status between 3 and 6)),
    check ((predecessor is not null) = (place = 5)),
    check ((superseded_by is not null) = (status = 6))
) strict, without rowid;

-- The lines. A job is in at most one of them, and only a change of place moves it, so that taking
-- due work is one index range. They are partial indexes and not tables, because SQLite keeps them
-- within the statement that changes the job: half the price of a statement of its own. `place`
-- stands in them so that SQLite, which checks it, need not look at the job.
create index job_later on job (scheduled_at, id, place) where place = 0;
create index job_ready on job (tenant, type, urgency, scheduled_at, id, place) where place = 1;
create index job_running on job (min(lease_until, coalesce(timeout_at, lease_until)), id)
    where place = 2;
create index job_waiting on job (tenant, lock_group, scheduled_at, id) where place = 3;

-- Lists, newest first. Pending and running jobs share a shelf, so that a job's life moves one entry
-- once (when it ends) and not with each step; running jobs are listed by job_running, of which
-- there are as many as workers. Without a status, a list merges the shelves.
create index job_listed on job (tenant, shelf, id);

-- Retention.
create index job_finished on job (completed_at, id) where completed_at is not null;

create table job_body (
    id blob primary key,
    payload blob not null
) strict, without rowid;

create table job_result (
    id blob primary key,
    output blob,
    error_message blob,
    error_code blob
) strict, without rowid;

create table attempt (
    job blob not null,
    token integer not null,
    number integer not null,
    worker text not null,
    started_at integer not null,
    ended_at integer not null,
    ending integer not null,            -- 0 completed, 1 failed, 2 timeout, 3 lost, 4 released, 5 cancelled
    error text not null,
    primary key (job, token)
) strict, without rowid;

-- How many jobs there are, kept with each commit: counting them would read them all.
create table job_count (
    type text not null,
    status integer not null,
    count integer not null,
    primary key (type, status)
) strict, without rowid;

create table lock_group (
    tenant text not null,
    name text not null,
    head blob not null,
    primary key (tenant, name)
) strict, without rowid;

create table decision (
    sequence integer primary key,
    at integer not null,
    tenant text not null,
    surface text not null,
    type text not null,
    claim blob,
    key text not null,
    decision integer not null,          -- 0 new, 1 duplicate, 2 in_flight, 3 conflict, 4 stale, 5 takeover
    rule text not null,
    effect_id blob not null,
    token integer not null,
    replaced integer not null,
    count integer not null,
    source_type text not null,
    source_id text not null
) strict;
create index decision_listed on decision (tenant, sequence);

create table api_token (
    id blob primary key,
    tenant text not null,
    name text not null,
    scopes integer not null,
    secret_hash blob not null,
    created_at integer not null,
    expires_at integer
) strict, without rowid;
