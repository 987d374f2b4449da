-- What a take changes stands in a row of `run`, and no longer in the job's own: that one is written when the job
-- is made and when its attempt has ended.
--
-- Not side by side with the version before, which would take a job that runs for one that is ready.
update semel.meta set works_from = 13;
alter table semel.commit_mark drop constraint commit_mark_known;
alter table semel.commit_mark add constraint commit_mark_known check (known >= 13) not valid;

-- Read by its key alone, so that dead rows are in nobody's way; who looks for leases that have ended goes by the
-- line, `running`, which can be made from this.
create table semel.run (
    id uuid primary key,                -- the job's
    token bigint not null check (token > 0),
    -- Its owner's result is committed and in the outbox: nobody takes the job over any more.
    settling boolean not null default false,
    data bytea not null                 -- the job's while it runs: instead of job.data
) with (fillfactor = 70);
insert into semel.run select id, token, settling, data from semel.job where status = 2;

-- A job's row, while the job runs, says what it was before it was taken.
alter table semel.job drop constraint job_check;
alter table semel.job drop constraint job_check2;
alter table semel.job drop column settling;             -- with its check
update semel.job set status = 1, place = 1 where id in (select id from semel.run);
alter table semel.job add constraint job_runs_elsewhere check (status <> 2 and place <> 2) not valid;

-- Pages kept half of their room for that update.
alter table semel.job set (fillfactor = 70);

-- Of a job that has completed: who worked on the attempt that completed it. All else that a row of `attempt`
-- would say stands in the job's. Null: that attempt has its row there, or there was none.
alter table semel.job add column completed_by bytea;

-- The job or chain that has a key, the newest of them: so that it is fetched with its claim. Null also where a
-- version before this one wrote the claim last.
alter table semel.claim add column owner uuid;

-- Locks the job, checks its owner, and leaves the result. The job is locked before its run is looked at: from
-- then on nobody else changes that.
create or replace function semel.settle_job(job_id uuid, owner bigint, verb smallint, content text)
returns void
language plpgsql volatile set search_path = semel, pg_temp
as $$
declare
    job record;
    run record;
    wrong text;
begin
    select j.tenant, j.token into job from semel.job j where j.id = job_id for update;
    if not found then
        wrong := format('there is no job %s', job_id);
    else
        select r.token, r.settling into run from semel.run r where r.id = job_id;
        if not found and job.token < owner
            and current_setting('transaction_isolation') in ('repeatable read', 'serializable') then
            raise exception 'could not serialize access: job % was taken after this transaction began', job_id
                using errcode = 'serialization_failure';
        elsif coalesce(run.token, job.token) is distinct from owner then
            wrong := format('token %s does not own job %s, or no longer: stop working on it', owner, job_id);
        elsif run.token is null then
            wrong := format('this attempt at job %s has ended already', job_id);
        elsif run.settling then
            wrong := format('job %s was settled with this token already', job_id);
        end if;
    end if;
    if wrong is not null then
        raise exception 'stale_token: %', wrong
            using errcode = 'SM001', hint = 'Roll back: another attempt does this work, or did it.';
    end if;
    update semel.run r set settling = true where r.id = job_id;
    insert into semel.outbox (verb, tenant, subject, token, content)
        values (verb, job.tenant, job_id, owner, content);
end
$$;
