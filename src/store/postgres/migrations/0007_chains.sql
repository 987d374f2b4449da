-- Chains: jobs that follow one another, and jobs that wait for chains.
--
--   place   8 passed: ended, and kept, because its chain went on or a job was to wait for it
--           9 telling: ended without completing, and those who wait for it are yet to be told
--
-- Not side by side with the version before: a program that does not know these places deletes jobs that
-- chains still need, and writes rows back without what it does not know of them.
update semel.meta set works_from = 7;

-- The newest migration that a writer knows. It has no default, so that a node which has run since before
-- this migration cannot commit any more.
alter table semel.commit_mark add column known smallint not null default 6;
alter table semel.commit_mark alter column known drop default;

alter table semel.job add column chain_index integer not null default 0;
-- Was started as a chain, or continues one.
alter table semel.job add column in_chain boolean not null default false;
-- On the last job of a chain: where the chain stands in lists, as `shelf`. Else null.
alter table semel.job add column chain_shelf smallint;
-- The place of an ended job that is not to be pruned, 8 or 9. Else null. An index over `place` itself would
-- get an entry whenever a job is taken.
alter table semel.job add column kept smallint;
alter table semel.job add constraint job_kept
    check (case when place in (8, 9) then kept is not distinct from place and completed_at is not null
           else kept is null end)
    not valid;                          -- no row has one yet

-- True: its id does not begin with the time of its making, because a caller chose it or a transaction made it
-- long before it was decided. Lists by createdAt, which else are ranges of ids, look at these too. Else null.
alter table semel.job add column chosen boolean;
update semel.job set chosen = true
    where created_at - ('x' || substr(replace(id::text, '-', ''), 1, 12))::bit(48)::bigint not between -60000 and 0;
create index job_chosen on semel.job (tenant, id) where chosen;

create unique index job_step on semel.job (chain, chain_index) where chain_index > 0;
create index job_chain on semel.job (tenant, chain_shelf, chain) where chain_shelf is not null;
create index job_telling on semel.job (id) where kept = 9;
drop index semel.job_finished;
create index job_finished on semel.job (completed_at, id) where completed_at is not null and kept is null;

-- That a job waits for a chain, or waited: as long as the job lives. Whoever changes an edge has locked the
-- job that is blocked; whoever adds one, or looks for those of a chain, has locked the chain's first job.
create table semel.edge (
    blocked uuid not null,              -- a job
    position integer not null,          -- of the blocker, in the order in which they were given
    blocker uuid not null,              -- a chain
    done boolean not null,              -- it has completed
    primary key (blocked, position)
) with (fillfactor = 70);
create index edge_blocker on semel.edge (blocker, blocked, position);
