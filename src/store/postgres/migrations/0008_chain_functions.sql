-- Chains in the user's own transaction.

-- 3: starts a chain. 4: completes a job with what follows it.
alter table semel.outbox drop constraint outbox_verb_check;
alter table semel.outbox add constraint outbox_verb_check check (verb between 0 and 4);

-- ---- helpers ----------------------------------------------------------------------------------

-- The members of a job of a chain, at any depth; what their values may be is for the nodes to say.
create function semel.check_step(what text, step json, known text[]) returns void
language plpgsql immutable set search_path = semel, pg_temp
as $$
declare
    blockers json := step -> 'blockers';
    blocker json;
    number integer := 0;
begin
    perform semel.check_members(what, step, known);
    if json_typeof(step -> 'lockGroup') = 'string' then
        perform semel.check_name(what || '.lockGroup', step ->> 'lockGroup');
    end if;
    if json_typeof(step -> 'schedule') = 'object' then
        perform semel.check_members(what || '.schedule', step -> 'schedule', '{at,afterMs}');
    end if;
    if json_typeof(step -> 'deduplication') = 'object' then
        perform semel.check_members(what || '.deduplication', step -> 'deduplication',
            '{key,scope,windowMs,excludeChainIds}');
        perform semel.check_size(what || '.deduplication.key',
            step -> 'deduplication' ->> 'key', 65536);
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

-- ---- for users --------------------------------------------------------------------------------

create function semel.enqueue_chain(type text, input json, options json default '{}',
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
    perform semel.check_step('options', coalesce(options, '{}'),
        '{schedule,blockers,onBlockerFailed,deduplication,maxRetries,backoff,timeoutMs,lockGroup,priority}');
    members := btrim(substr(members, 2, length(members) - 2), E' \t\r\n');
    -- The body that HTTP would be sent, and read by the same reader.
    request := '{"type":' || to_json(type) || ',"input":' || coalesce(input::text, '{}')
        || case members when '' then '' else ',' || members end || '}';
    perform semel.check_size('input and options', request, 1048576);
    insert into semel.outbox (verb, tenant, subject, token, content)
        values (3, tenant, id, 0, request);
    return id;
end
$$;

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
    perform semel.check_name('continue_with.type', continue_with ->> 'type');
    perform semel.check_size('continue_with', continue_with::text, 1048576);
    perform semel.settle_job(id, token, 4::smallint, continue_with::text);
end
$$;

-- As in 0003: none may until it is granted. What was granted on complete_job stays.
revoke execute on function semel.check_step(text, json, text[]) from public;
revoke execute on function semel.enqueue_chain(text, json, json, text) from public;
