-- In the user's own transaction: functions that leave an entry in the outbox. The nodes decide it after
-- the commit, by the rules of core, which are nowhere written a second time.

-- What a user's transaction left. The entry is deleted in the commit that decides it.
create table semel.outbox (
    id bigint generated always as identity primary key,
    verb smallint not null check (verb between 0 and 2),    -- 0 enqueue, 1 complete, 2 fail
    tenant text collate "C" not null,
    subject uuid not null,              -- the new action's id; or the job
    token bigint not null,              -- 0: enqueue
    content text                        -- the request as HTTP takes it; the output; the error
);

-- Whoever has locked this row drains the outbox: two at once would decide one key in any order.
create table semel.drain (
    id smallint primary key check (id = 1)
);
insert into semel.drain values (1);

-- What became of enqueued requests.
create table semel.outbox_answer (
    id uuid primary key,
    at bigint not null,
    result text not null
);
create index outbox_answer_old on semel.outbox_answer (at, id);

-- Its owner's result is committed and in the outbox: nobody takes the job over any more.
alter table semel.job add column settling boolean not null default false;
alter table semel.job add check (not settling or status = 2);

-- ---- helpers ----------------------------------------------------------------------------------

-- A UUIDv7: milliseconds since 1970, the rest of the microseconds, then random bits. One session's
-- are in the order of its calls, and so are its actions in a lock group.
create function semel.new_id() returns uuid
language sql volatile set search_path = semel, pg_temp
as $$
    select encode(substring(int8send(us / 1000) from 3)
        || substring(int4send(28672 + (us % 1000 * 4096 / 1000)::integer) from 3)
        || substring(uuid_send(gen_random_uuid()) from 9), 'hex')::uuid
    from (select (extract(epoch from clock_timestamp()) * 1000000)::bigint as us) clock
$$;

create function semel.check_name(what text, name text) returns void
language plpgsql immutable set search_path = semel, pg_temp
as $$
declare
    bytes integer := octet_length(convert_to(name, 'UTF8'));
begin
    if name is null then
        raise exception '% must not be null', what using errcode = 'null_value_not_allowed';
    elsif bytes = 0 then
        raise exception '% must not be empty', what using errcode = 'invalid_parameter_value';
    elsif bytes > 255 then
        raise exception '% must have 1 to 255 bytes, this has %', what, bytes
            using errcode = 'invalid_parameter_value';
    elsif name ~ '[\u0001-\u001f\u007f-\u009f]' then
        raise exception '% must not hold control characters', what
            using errcode = 'invalid_parameter_value';
    end if;
end
$$;

-- The names of an object's members; what their values may be is for the nodes to say.
create function semel.check_members(what text, object json, known text[]) returns void
language plpgsql immutable set search_path = semel, pg_temp
as $$
declare
    kind text := json_typeof(object);
    member text;
    seen text[] := '{}';
begin
    if kind <> 'object' then
        raise exception '% must be a JSON object, this is of type %', what, kind
            using errcode = 'invalid_parameter_value';
    end if;
    for member in select json_object_keys(object) loop
        if member <> all (known) then
            raise exception '% has the unknown member "%"', what, member
                using errcode = 'invalid_parameter_value',
                      hint = 'It may have: ' || array_to_string(known, ', ');
        elsif member = any (seen) then
            raise exception '% has the member "%" twice', what, member
                using errcode = 'invalid_parameter_value';
        end if;
        seen := seen || member;
    end loop;
end
$$;

create function semel.check_size(what text, content text, most integer) returns void
language plpgsql immutable set search_path = semel, pg_temp
as $$
declare
    bytes integer := octet_length(convert_to(content, 'UTF8'));
begin
    if bytes > most then
        raise exception '% must have at most % bytes, this has %', what, most, bytes
            using errcode = 'program_limit_exceeded';
    end if;
end
$$;

create function semel.check_options(options json) returns void
language plpgsql immutable set search_path = semel, pg_temp
as $$
declare
    deduplication json := options -> 'deduplication';
begin
    perform semel.check_members('options', options,
        '{scheduledAt,delayMs,lockGroup,maxRetries,backoff,timeoutMs,priority,deduplication}');
    if json_typeof(options -> 'lockGroup') = 'string' then
        perform semel.check_name('options.lockGroup', options ->> 'lockGroup');
    end if;
    if json_typeof(deduplication) = 'object' then
        perform semel.check_members('options.deduplication', deduplication,
            '{key,keyFields,windowSeconds,scope,onDuplicate,maxWaitMs}');
        perform semel.check_size('options.deduplication.key', deduplication ->> 'key', 65536);
    end if;
end
$$;

-- Locks the job, checks its owner, and leaves the result.
create function semel.settle_job(job_id uuid, owner bigint, verb smallint, content text)
returns void
language plpgsql volatile set search_path = semel, pg_temp
as $$
declare
    job record;
    wrong text;
begin
    select j.tenant, j.status, j.token, j.settling into job
        from semel.job j where j.id = job_id for update;
    if not found then
        wrong := format('there is no job %s', job_id);
    elsif job.token is distinct from owner then
        wrong := format('token %s does not own job %s, or no longer: stop working on it', owner, job_id);
    elsif job.settling then
        wrong := format('job %s was settled with this token already', job_id);
    elsif job.status <> 2 then
        wrong := format('this attempt at job %s has ended already', job_id);
    end if;
    if wrong is not null then
        raise exception 'stale_token: %', wrong
            using errcode = 'SM001', hint = 'Roll back: another attempt does this work, or did it.';
    end if;
    update semel.job j set settling = true where j.id = job_id;
    insert into semel.outbox (verb, tenant, subject, token, content)
        values (verb, job.tenant, job_id, owner, content);
end
$$;

-- ---- for users --------------------------------------------------------------------------------

-- json and not jsonb: the bytes count.
create function semel.enqueue_action(type text, payload json, options json default '{}',
                                     tenant text default 'default')
returns uuid
language plpgsql volatile security definer set search_path = semel, pg_temp
as $$
declare
    id uuid := semel.new_id();
    members text := btrim(coalesce(options, '{}')::text, E' \t\r\n');
    request text;
begin
    perform semel.check_name('type', type);
    perform semel.check_name('tenant', tenant);
    perform semel.check_options(coalesce(options, '{}'));
    members := btrim(substr(members, 2, length(members) - 2), E' \t\r\n');
    -- The body that HTTP would be sent, and read by the same reader.
    request := '{"type":' || to_json(type) || ',"payload":' || coalesce(payload::text, '{}')
        || case members when '' then '' else ',' || members end || '}';
    perform semel.check_size('payload and options', request, 1048576);
    insert into semel.outbox (verb, tenant, subject, token, content)
        values (0, tenant, id, 0, request);
    return id;
end
$$;

create function semel.complete_job(id uuid, token bigint, output json default null,
                                   continue_with json default null)
returns void
language plpgsql volatile security definer set search_path = semel, pg_temp
as $$
begin
    if continue_with is not null then
        raise exception 'continue_with is not available: this version has no chains'
            using errcode = 'feature_not_supported';
    end if;
    if json_typeof(output) = 'null' then
        output := null;
    end if;
    perform semel.check_size('output', output::text, 1048576);
    perform semel.settle_job(id, token, 1::smallint, output::text);
end
$$;

create function semel.fail_job(id uuid, token bigint, error text)
returns void
language plpgsql volatile security definer set search_path = semel, pg_temp
as $$
begin
    if error is null then
        raise exception 'error must not be null' using errcode = 'null_value_not_allowed';
    end if;
    perform semel.check_size('error', error, 65536);
    perform semel.settle_job(id, token, 2::smallint, error);
end
$$;

-- {decision, id, error}; null: not decided yet, or longer ago than seven days.
create function semel.outbox_result(id uuid) returns json
language sql stable security definer set search_path = semel, pg_temp
as $$
    select a.result::json from semel.outbox_answer a where a.id = outbox_result.id
$$;

-- Roles that may call them are trusted for every tenant: none may until it is granted.
revoke execute on all functions in schema semel from public;
