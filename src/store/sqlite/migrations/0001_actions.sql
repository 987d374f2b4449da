-- Actions, their keys, their history, the decision log, API tokens.
--
-- Times are milliseconds since 1970. Enumerations are numbers; job_codec.cpp pins them:
--   status  0 blocked, 1 pending, 2 running, 3 completed, 4 failed, 5 cancelled, 6 superseded,
--           7 uncertain
--   place   0 later, 1 ready, 2 running, 3 waiting, 4 blocked, 5 predecessor, 6 done
-- Each check repeats an invariant of core/actions/job.hpp; job_codec.cpp checks those that are packed.

-- One row, written with every commit that changes anything. No stored time is later than time_mark;
-- commits counts them; decisions is the last number in the decision log.
create table meta (
    id integer primary key check (id = 1),
    time_mark integer not null,
    commits integer not null,
    decisions integer not null
) strict;
insert into meta values (1, 0, 0, 0);

create table claim (
    id blob primary key check (length(id) = 32),
    expires_at integer,                 -- null: as long as its owner lives
    data blob not null                  -- the rest: row_codec.cpp
) strict, without rowid;
create index claim_expiring on claim (expires_at) where expires_at is not null;

create table receipt (
    claim blob primary key,
    body blob not null
) strict, without rowid;

-- Tenants and types as numbers. A name stays when its jobs are gone.
create table name (
    number integer primary key,
    name text not null unique
) strict;

-- A job's id is kept as two numbers (JobKey in statement.hpp). The first, the time of its making and
-- a counter, is unique by itself: then rows are appended, found by a number, and changed in place.
-- Elsewhere an id is a blob.
--
-- Columns are what an index or a list needs; the rest is packed into one, because SQLite pays for
-- each column at each statement (docs/internals/sqlite_layout.md has the figures). A small payload
-- stands in the row too: that is cheaper than a row of its own, which costs another statement and
-- another page with each insert, replacement and taking.
create table job (
    high integer primary key,
    low integer not null,
    tenant integer not null,
    type integer not null,
    status integer not null,
    place integer not null,
    shelf integer not null,             -- in lists: 0 blocked, pending or running; else the status
    urgency integer not null,           -- priority, negated, so that an index ranks it
    scheduled_at integer not null,
    created_at integer not null,
    completed_at integer,
    deadline integer,                   -- the end of the lease or the time-out, if that is earlier
    lock_group text,                    -- null: none
    chain blob,                         -- null: its own id
    data blob not null,                 -- the rest: job_codec.cpp
    payload blob,                       -- null: in large_payload
    check ((place = 2) = (status = 2)),
    check ((deadline is not null) = (place = 2)),
    check ((completed_at is not null) = (status between 3 and 6))
) strict;

-- The lines. A job is in at most one of them, and only a change of place moves it, so that taking
-- due work is one index range. They are partial indexes and not tables, because SQLite keeps them
-- within the statement that changes the job. `place` stands in the first two because SQLite checks
-- it; with high and low they answer without the job's row.
create index job_later on job (scheduled_at, high, low, place) where place = 0;
create index job_ready on job (tenant, type, urgency, scheduled_at, high, low, place)
    where place = 1;
create index job_running on job (deadline) where place = 2;
create index job_waiting on job (tenant, lock_group, scheduled_at) where place = 3;

-- Lists, newest first. Blocked, pending and running jobs share a shelf, so that a job's life moves
-- one entry once (when it ends) and not with each step; running jobs are listed by job_running, of
-- which there are as many as workers. Without a status, a list merges the shelves.
create index job_listed on job (tenant, shelf);

-- Retention.
create index job_finished on job (completed_at) where completed_at is not null;

-- The tables below are keyed by the first half of the job's id. A payload that a smaller one
-- replaced may stay here until its job goes.
create table large_payload (
    high integer primary key,
    payload blob not null
) strict;
create table job_result (
    high integer primary key,
    output blob,
    error_message blob,
    error_code blob
) strict;

create table attempt (
    job integer not null,
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
    tenant integer not null,
    sequence integer not null,          -- over all tenants
    data blob not null,                 -- the rest: row_codec.cpp
    primary key (tenant, sequence)
) strict, without rowid;

create table api_token (
    id blob primary key,
    tenant text not null,
    name text not null,
    scopes integer not null,
    secret_hash blob not null,
    created_at integer not null,
    expires_at integer
) strict, without rowid;
