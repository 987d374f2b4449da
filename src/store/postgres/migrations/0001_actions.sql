-- Actions, schedules, their keys, their history, the decision log, API tokens.
--
-- Times are milliseconds since 1970, by store time. Enumerations are numbers; store/packing/pack_job.cpp pins
-- them:
--   status  0 blocked, 1 pending, 2 running, 3 completed, 4 failed, 5 cancelled, 6 superseded,
--           7 uncertain
--   place   0 later, 1 ready, 2 running, 3 waiting, 4 blocked, 5 predecessor, 6 done, 7 paused
-- Columns are what is searched by or named in SQL; the rest is packed into `data` (store/packing/row_pack.hpp).
-- Text is compared by its bytes, as everywhere in Semel.

-- No stored time is later than time_mark by more than a second or two.
create table semel.meta (
    id smallint primary key check (id = 1),
    time_mark bigint not null
);
insert into semel.meta values (1, 0);

-- One row per batch that wrote something, so that a commit whose answer was lost can be looked up.
create table semel.commit_mark (
    id uuid primary key,
    at bigint not null
);

create table semel.claim (
    id bytea primary key check (length(id) = 32),
    expires_at bigint,                  -- null: as long as its owner lives
    data bytea not null,
    receipt bytea
) with (fillfactor = 85);
create index claim_expiring on semel.claim (expires_at, id) where expires_at is not null;

-- A job's row is changed in place while it lives: no index is on a column that changes before the
-- end. Where it stands in line is a narrow row of its own in one of the four tables below.
create table semel.job (
    id uuid primary key,
    tenant text collate "C" not null,
    type text collate "C" not null,
    status smallint not null,
    place smallint not null,
    shelf smallint not null,            -- in lists: 0 blocked, pending or running; else the status
    urgency integer not null,           -- priority, negated
    scheduled_at bigint not null,
    created_at bigint not null,
    completed_at bigint,
    lock_group text collate "C",        -- null: none
    chain uuid not null,
    token bigint not null,
    schedule uuid,
    schedule_name text collate "C",
    slot bigint,
    data bytea not null,
    payload bytea,
    check ((place = 2) = (status = 2)),
    check ((completed_at is not null) = (status between 3 and 6)),
    check (status <> 2 or token > 0)
) with (fillfactor = 70, toast_tuple_target = 512);
create index job_listed on semel.job (tenant, shelf, id);
create index job_finished on semel.job (completed_at, id) where completed_at is not null;
create unique index job_slot on semel.job (schedule, slot) where slot is not null;

create table semel.later (
    scheduled_at bigint not null,
    id uuid not null,
    primary key (scheduled_at, id)
);
create table semel.ready (
    tenant text collate "C" not null,
    type text collate "C" not null,
    urgency integer not null,
    scheduled_at bigint not null,
    id uuid not null,
    primary key (tenant, type, urgency, scheduled_at, id)
);
create table semel.waiting (
    tenant text collate "C" not null,
    lock_group text collate "C" not null,
    scheduled_at bigint not null,
    id uuid not null,
    primary key (tenant, lock_group, scheduled_at, id)
);
-- As many rows as there are jobs being worked on: read whole, so that heartbeats move no index.
create table semel.running (
    id uuid primary key,
    deadline bigint not null            -- the end of the lease or the time-out, if that is earlier
) with (fillfactor = 50);

create table semel.job_result (
    job uuid primary key,
    output bytea,
    error_message bytea,
    error_code bytea
);
create table semel.attempt (
    job uuid not null,
    token bigint not null,
    number integer not null,
    worker bytea not null,
    started_at bigint not null,
    ended_at bigint not null,
    ending smallint not null,           -- 0 completed, 1 failed, 2 timeout, 3 lost, 4 released, 5 cancelled
    error bytea not null,
    primary key (job, token)
);

-- Sums to the number of jobs. Each commit appends what it changed: a counter that all nodes update
-- would make them wait for each other.
create table semel.job_count (
    type text collate "C" not null,
    status smallint not null,
    count bigint not null
);

create table semel.lock_group (
    tenant text collate "C" not null,
    name text collate "C" not null,
    head uuid not null,
    primary key (tenant, name)
);

create table semel.schedule (
    tenant text collate "C" not null,
    name text collate "C" not null,
    id uuid not null unique,
    data bytea not null,
    primary key (tenant, name)
);
create index schedule_listed on semel.schedule (tenant, id);

create table semel.bulk_run (
    id uuid primary key,
    tenant text collate "C" not null,
    finished_at bigint,                 -- null: unfinished
    data bytea not null
);
create index bulk_run_open on semel.bulk_run (id) where finished_at is null;
create index bulk_run_finished on semel.bulk_run (finished_at, id) where finished_at is not null;

create table semel.api_token (
    id uuid primary key,
    tenant text collate "C" not null,
    name text collate "C" not null,
    scopes integer not null,
    secret_hash bytea not null,
    created_at bigint not null,
    expires_at bigint
);

-- `day` is the one on which a line was written, in days since 1970.
create table semel.decision (
    day bigint not null,
    tenant text collate "C" not null,
    sequence bigint generated always as identity,
    data bytea not null,
    primary key (tenant, sequence)
);
create index decision_by_day on semel.decision (day, sequence);
