-- Chains: lines of jobs, and the jobs that wait for them.
--
-- Place 8 is passed (ended, and kept: its chain went on, or another named it as a blocker), 9 telling
-- (ended without completing, and those who wait for its chain are yet to be told).
--
-- These are tables of their own, not columns and partial indexes of `job`: what is an action by itself
-- writes nothing here, and pays for none of it.

-- The jobs behind the first of each chain.
create table step (
    chain blob not null,
    chain_index integer not null,
    high integer not null,
    low integer not null,
    primary key (chain, chain_index)
) strict, without rowid;

-- Chains that were started as such, keyed like their first jobs, with all that lists ask for.
create table chain (
    high integer primary key,
    low integer not null,
    tenant integer not null,
    type integer not null,
    created_at integer not null,
    shelf integer not null              -- its last job's
) strict;
create index chain_listed on chain (tenant, shelf);

-- That a job waits for a chain, or waited; it lives as long as the job.
create table edge (
    blocked blob not null,
    position integer not null,          -- in the order in which blockers were given
    blocker blob not null,              -- a chain
    done integer not null,              -- 1: it has completed
    primary key (blocked, position)
) strict, without rowid;
create index edge_blocker on edge (blocker);

-- Jobs in place 9.
create table telling (
    high integer primary key,
    low integer not null
) strict;

-- Jobs with an id that a caller chose and that does not begin with the time of their making: lists by
-- createdAt, which else are ranges of ids, look here too.
create table chosen (
    tenant integer not null,
    high integer not null,
    primary key (tenant, high)
) strict, without rowid;

-- Retention: what has ended is no longer always what may go.
drop index job_finished;
create index job_finished on job (completed_at) where place = 6 and completed_at is not null;
