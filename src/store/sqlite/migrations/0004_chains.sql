-- Chains: lines of jobs, and the jobs that wait for them.
--
-- Place 8 is passed (ended, and kept: its chain went on, or another named it as a blocker), 9 telling
-- (ended without completing, and those who wait for its chain are yet to be told).

-- Both are null for what is an action by itself: it pays for neither, nor for their indexes.
alter table job add column chain_index integer;     -- null: it begins its chain
-- Of a chain that was started as one, on its first job: the shelf of its last. Lists of chains go by
-- it, without a look at their jobs.
alter table job add column chain_shelf integer;
create unique index job_step on job (chain, chain_index) where chain_index is not null;
create index job_chain_listed on job (tenant, chain_shelf) where chain_shelf is not null;

-- Callers may choose ids. One that does not begin with the time of its making, to a minute, is not
-- where lists by createdAt look first, and stands here as well.
create index job_chosen on job (tenant)
    where (high >> 16) + 140737488355328 not between created_at and created_at + 60000;

-- That a job waits for a chain, or waited; it lives as long as the job.
create table edge (
    blocked blob not null,
    position integer not null,          -- in the order in which blockers were given
    blocker blob not null,              -- a chain
    done integer not null,              -- 1: it has completed
    primary key (blocked, position)
) strict, without rowid;
create index edge_blocker on edge (blocker);

create index job_telling on job (place) where place = 9;

-- Retention: what has ended is no longer always what may go.
drop index job_finished;
create index job_finished on job (completed_at) where place = 6 and completed_at is not null;
