-- A zero byte in a JSON string is a character like any other, over HTTP and here. PostgreSQL has
-- none in its text: whatever looks into a JSON value that names one raises an error.

-- Of the same shape and the same sizes, for whoever looks into it. (chr(92): a backslash, whatever
-- standard_conforming_strings says.)
create function semel.without_zeros(given json) returns json
language sql immutable set search_path = semel, pg_temp
as $$ select replace(given::text, chr(92) || 'u0000', chr(92) || 'u0001')::json $$;

-- As in 0003, but for the first line.
create or replace function semel.check_options(options json) returns void
language plpgsql immutable set search_path = semel, pg_temp
as $$
declare
    looked_at json := semel.without_zeros(options);
    deduplication json := looked_at -> 'deduplication';
begin
    perform semel.check_members('options', looked_at,
        '{scheduledAt,delayMs,lockGroup,maxRetries,backoff,timeoutMs,priority,deduplication}');
    if json_typeof(looked_at -> 'lockGroup') = 'string' then
        perform semel.check_name('options.lockGroup', looked_at ->> 'lockGroup');
    end if;
    if json_typeof(deduplication) = 'object' then
        perform semel.check_members('options.deduplication', deduplication,
            '{key,keyFields,windowSeconds,scope,onDuplicate,maxWaitMs}');
        perform semel.check_size('options.deduplication.key', deduplication ->> 'key', 65536);
    end if;
end
$$;

-- As in 0008, but for the first line.
create or replace function semel.check_step(what text, step json, known text[]) returns void
language plpgsql immutable set search_path = semel, pg_temp
as $$
declare
    looked_at json := semel.without_zeros(step);
    blockers json := looked_at -> 'blockers';
    blocker json;
    number integer := 0;
begin
    perform semel.check_members(what, looked_at, known);
    if json_typeof(looked_at -> 'lockGroup') = 'string' then
        perform semel.check_name(what || '.lockGroup', looked_at ->> 'lockGroup');
    end if;
    if json_typeof(looked_at -> 'schedule') = 'object' then
        perform semel.check_members(what || '.schedule', looked_at -> 'schedule', '{at,afterMs}');
    end if;
    if json_typeof(looked_at -> 'deduplication') = 'object' then
        perform semel.check_members(what || '.deduplication', looked_at -> 'deduplication',
            '{key,scope,windowMs,excludeChainIds}');
        perform semel.check_size(what || '.deduplication.key',
            looked_at -> 'deduplication' ->> 'key', 65536);
    end if;
    if json_typeof(blockers) is distinct from 'array' then
        return;
    elsif json_array_length(blockers) > 1000 then
        raise exception '%.blockers must have at most 1000 elements, this has %', what,
            json_array_length(blockers) using errcode = 'program_limit_exceeded';
    end if;
    for blocker in select * from json_array_elements(blockers) loop
        if json_typeof(blocker) = 'object' and blocker -> 'type' is not null then
            perform semel.check_step(format('%s.blockers[%s]', what, number), blocker,
                '{id,type,input,schedule,blockers,onBlockerFailed,deduplication,'
                'maxRetries,backoff,timeoutMs,lockGroup,priority}');
        end if;
        number := number + 1;
    end loop;
end
$$;

-- As in 0008, but for the check of the type.
create or replace function semel.complete_job(id uuid, token bigint, output json default null,
                                              continue_with json default null)
returns void
language plpgsql volatile security definer set search_path = semel, pg_temp
as $$
begin
    if json_typeof(output) = 'null' then
        output := null;
    end if;
    if json_typeof(continue_with) = 'null' then
        continue_with := null;
    end if;
    if continue_with is null then
        perform semel.check_size('output', output::text, 1048576);
        perform semel.settle_job(id, token, 1::smallint, output::text);
        return;
    elsif output is not null then
        raise exception 'give output or continue_with, not both: the output of a chain is its last job''s'
            using errcode = 'invalid_parameter_value';
    end if;
    perform semel.check_step('continue_with', continue_with,
        '{id,type,input,schedule,blockers,onBlockerFailed,maxRetries,backoff,timeoutMs,lockGroup,priority}');
    perform semel.check_name('continue_with.type', semel.without_zeros(continue_with) ->> 'type');
    perform semel.check_size('continue_with', continue_with::text, 1048576);
    perform semel.settle_job(id, token, 4::smallint, continue_with::text);
end
$$;

-- As in 0003: none may until it is granted. What was granted on the others stays.
revoke execute on function semel.without_zeros(json) from public;
