--
-- PostgreSQL database dump
--



SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: semel; Type: SCHEMA; Schema: -; Owner: -
--

CREATE SCHEMA semel;


--
-- Name: check_members(text, json, text[]); Type: FUNCTION; Schema: semel; Owner: -
--

CREATE FUNCTION semel.check_members(what text, object json, known text[]) RETURNS void
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'semel', 'pg_temp'
    AS $$
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


--
-- Name: check_name(text, text); Type: FUNCTION; Schema: semel; Owner: -
--

CREATE FUNCTION semel.check_name(what text, name text) RETURNS void
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'semel', 'pg_temp'
    AS $$
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


--
-- Name: check_options(json); Type: FUNCTION; Schema: semel; Owner: -
--

CREATE FUNCTION semel.check_options(options json) RETURNS void
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'semel', 'pg_temp'
    AS $$
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


--
-- Name: check_size(text, text, integer); Type: FUNCTION; Schema: semel; Owner: -
--

CREATE FUNCTION semel.check_size(what text, content text, most integer) RETURNS void
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'semel', 'pg_temp'
    AS $$
declare
    bytes integer := octet_length(convert_to(content, 'UTF8'));
begin
    if bytes > most then
        raise exception '% must have at most % bytes, this has %', what, most, bytes
            using errcode = 'program_limit_exceeded';
    end if;
end
$$;


--
-- Name: check_step(text, json, text[]); Type: FUNCTION; Schema: semel; Owner: -
--

CREATE FUNCTION semel.check_step(what text, step json, known text[]) RETURNS void
    LANGUAGE plpgsql IMMUTABLE
    SET search_path TO 'semel', 'pg_temp'
    AS $$
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


--
-- Name: complete_job(uuid, bigint, json, json); Type: FUNCTION; Schema: semel; Owner: -
--

CREATE FUNCTION semel.complete_job(id uuid, token bigint, output json DEFAULT NULL::json, continue_with json DEFAULT NULL::json) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'semel', 'pg_temp'
    AS $$
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


--
-- Name: enqueue_action(text, json, json, text); Type: FUNCTION; Schema: semel; Owner: -
--

CREATE FUNCTION semel.enqueue_action(type text, payload json, options json DEFAULT '{}'::json, tenant text DEFAULT 'default'::text) RETURNS uuid
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'semel', 'pg_temp'
    AS $$
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


--
-- Name: enqueue_chain(text, json, json, text); Type: FUNCTION; Schema: semel; Owner: -
--

CREATE FUNCTION semel.enqueue_chain(type text, input json, options json DEFAULT '{}'::json, tenant text DEFAULT 'default'::text) RETURNS uuid
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'semel', 'pg_temp'
    AS $$
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


--
-- Name: fail_job(uuid, bigint, text); Type: FUNCTION; Schema: semel; Owner: -
--

CREATE FUNCTION semel.fail_job(id uuid, token bigint, error text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'semel', 'pg_temp'
    AS $$
begin
    if error is null then
        raise exception 'error must not be null' using errcode = 'null_value_not_allowed';
    end if;
    perform semel.check_size('error', error, 65536);
    perform semel.settle_job(id, token, 2::smallint, error);
end
$$;


--
-- Name: fence_claim(text, text); Type: FUNCTION; Schema: semel; Owner: -
--

CREATE FUNCTION semel.fence_claim(tenant text, key text) RETURNS bytea
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'semel', 'pg_temp'
    AS $$
    select sha256(semel.key_field('semel.claim.v1') || semel.key_field(tenant)
        || semel.key_field('fences') || semel.key_field(key))
$$;


--
-- Name: key_field(text); Type: FUNCTION; Schema: semel; Owner: -
--

CREATE FUNCTION semel.key_field(value text) RETURNS bytea
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'semel', 'pg_temp'
    AS $$
    select int8send(octet_length(bytes)) || bytes from (select convert_to(value, 'UTF8') as bytes) field
$$;


--
-- Name: name_of_place(); Type: FUNCTION; Schema: semel; Owner: -
--

CREATE FUNCTION semel.name_of_place() RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
declare
    server text := '';
begin
    begin
        select s.system_identifier into server from pg_control_system() s;
    exception when insufficient_privilege then null;
    end;
    return md5(server || ',' || (select d.oid from pg_database d where d.datname = current_database())
        || ',' || (select string_agg(t || ('semel.' || t)::regclass::oid, ',')
                   from unnest(array['job', 'later', 'ready', 'running', 'waiting']) t));
end
$$;


--
-- Name: new_id(); Type: FUNCTION; Schema: semel; Owner: -
--

CREATE FUNCTION semel.new_id() RETURNS uuid
    LANGUAGE sql
    SET search_path TO 'semel', 'pg_temp'
    AS $$
    select encode(substring(int8send(us / 1000) from 3)
        || substring(int4send(28672 + (us % 1000 * 4096 / 1000)::integer) from 3)
        || substring(uuid_send(gen_random_uuid()) from 9), 'hex')::uuid
    from (select (extract(epoch from clock_timestamp()) * 1000000)::bigint as us) clock
$$;


--
-- Name: outbox_result(uuid); Type: FUNCTION; Schema: semel; Owner: -
--

CREATE FUNCTION semel.outbox_result(id uuid) RETURNS json
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'semel', 'pg_temp'
    AS $$
    select a.result::json from semel.outbox_answer a where a.id = outbox_result.id
$$;


--
-- Name: refuse_count(bigint, bigint, text); Type: FUNCTION; Schema: semel; Owner: -
--

CREATE FUNCTION semel.refuse_count(touched bigint, expected bigint, state text) RETURNS integer
    LANGUAGE plpgsql
    AS $$
begin
    raise exception 'a change is not saved: % rows touched instead of %', touched, expected
        using errcode = state;
end
$$;


--
-- Name: refuse_while_moving(); Type: FUNCTION; Schema: semel; Owner: -
--

CREATE FUNCTION semel.refuse_while_moving() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path TO 'semel', 'pg_temp'
    AS $$
begin
    if coalesce(current_setting('semel.moving', true), '') <> 'on' then
        raise exception 'this database is being filled from another store'
            using errcode = 'cannot_connect_now', hint = 'Wait until `semel migrate` has finished.';
    end if;
    return null;
end
$$;


--
-- Name: seal_fence(text, bigint, text, json, text); Type: FUNCTION; Schema: semel; Owner: -
--

CREATE FUNCTION semel.seal_fence(key text, token bigint, effect_id text, receipt json DEFAULT NULL::json, tenant text DEFAULT 'default'::text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'semel', 'pg_temp'
    AS $$
declare
    found_claim record;
    claim bytea;
    wrong text;
begin
    perform semel.check_name('key', key);
    perform semel.check_name('effect_id', effect_id);
    perform semel.check_name('tenant', tenant);
    if json_typeof(receipt) = 'null' then
        receipt := null;
    end if;
    perform semel.check_size('receipt', receipt::text, 1048576);
    claim := semel.fence_claim(tenant, key);
    -- As over HTTP, the token counts and not the lease: until somebody has taken over, or upkeep has
    -- forgotten the claim, the owner is whoever it was. What is sealed, released, uncertain, deleted or
    -- a tombstone has no owner.
    select c.owner_token, c.source_type, c.source_id, c.version, c.settling into found_claim
        from semel.claim c where c.id = claim for update;
    if not found then
        wrong := format('there is no fence with the key "%s"', key);
    elsif token is null or found_claim.owner_token is distinct from token then
        wrong := format('token %s does not hold the key "%s", or no longer', token, key);
    elsif found_claim.settling then
        wrong := format('the key "%s" was sealed with this token already', key);
    elsif found_claim.source_id is not null then
        wrong := semel.settle_source(claim, token, tenant, found_claim.source_type,
                                     found_claim.source_id, found_claim.version);
    end if;
    if wrong is not null then
        raise exception 'stale_token: %', wrong
            using errcode = 'SM001', hint = 'Roll back: somebody else does this, or did it.';
    end if;
    update semel.claim c set settling = true where c.id = claim;
    insert into semel.outbox (verb, tenant, subject, token, content, fence, effect_id)
        values (5, tenant, semel.new_id(), token, receipt::text, key, effect_id);
end
$$;


--
-- Name: settle_job(uuid, bigint, smallint, text); Type: FUNCTION; Schema: semel; Owner: -
--

CREATE FUNCTION semel.settle_job(job_id uuid, owner bigint, verb smallint, content text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'semel', 'pg_temp'
    AS $$
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


--
-- Name: settle_source(bytea, bigint, text, text, text, bigint); Type: FUNCTION; Schema: semel; Owner: -
--

CREATE FUNCTION semel.settle_source(claim bytea, owner bigint, of_tenant text, of_type text, of_id text, of_version bigint) RETURNS text
    LANGUAGE plpgsql
    SET search_path TO 'semel', 'pg_temp'
    AS $$
declare
    highest_sealed bigint;
begin
    select s.highest into highest_sealed from semel.source s
        where s.tenant = of_tenant and s.type = of_type and s.id = of_id
        and s.holder = claim and s.holder_token = owner for update;
    if not found then
        return format('token %s no longer holds its source: another version has been at work', owner);
    elsif of_version < highest_sealed then
        return format('version %s of its source is sealed, and this is %s', highest_sealed, of_version);
    end if;
    update semel.source s set settling = true
        where s.tenant = of_tenant and s.type = of_type and s.id = of_id;
    return null;
end
$$;


--
-- Name: without_zeros(json); Type: FUNCTION; Schema: semel; Owner: -
--

CREATE FUNCTION semel.without_zeros(given json) RETURNS json
    LANGUAGE sql IMMUTABLE
    SET search_path TO 'semel', 'pg_temp'
    AS $$ select replace(given::text, chr(92) || 'u0000', chr(92) || 'u0001')::json $$;


SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: api_token; Type: TABLE; Schema: semel; Owner: -
--

CREATE TABLE semel.api_token (
    id uuid NOT NULL,
    tenant text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    scopes integer NOT NULL,
    secret_hash bytea NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint
);


--
-- Name: attempt; Type: TABLE; Schema: semel; Owner: -
--

CREATE TABLE semel.attempt (
    job uuid NOT NULL,
    token bigint NOT NULL,
    number integer NOT NULL,
    worker bytea NOT NULL,
    started_at bigint NOT NULL,
    ended_at bigint NOT NULL,
    ending smallint NOT NULL,
    error bytea NOT NULL
);


--
-- Name: bulk_run; Type: TABLE; Schema: semel; Owner: -
--

CREATE TABLE semel.bulk_run (
    id uuid NOT NULL,
    tenant text NOT NULL COLLATE pg_catalog."C",
    finished_at bigint,
    data bytea NOT NULL
);


--
-- Name: claim; Type: TABLE; Schema: semel; Owner: -
--

CREATE TABLE semel.claim (
    id bytea NOT NULL,
    expires_at bigint,
    data bytea NOT NULL,
    receipt bytea,
    content bytea,
    owner_token bigint,
    source_type text COLLATE pg_catalog."C",
    source_id text COLLATE pg_catalog."C",
    version bigint,
    settling boolean DEFAULT false NOT NULL,
    owner uuid,
    CONSTRAINT claim_id_check CHECK ((length(id) = 32))
)
WITH (fillfactor='85');


--
-- Name: commit_mark; Type: TABLE; Schema: semel; Owner: -
--

CREATE TABLE semel.commit_mark (
    id uuid NOT NULL,
    at bigint NOT NULL,
    known smallint NOT NULL,
    of_batch boolean DEFAULT true NOT NULL
);


--
-- Name: decision_number; Type: SEQUENCE; Schema: semel; Owner: -
--

CREATE SEQUENCE semel.decision_number
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: decision; Type: TABLE; Schema: semel; Owner: -
--

CREATE TABLE semel.decision (
    day bigint NOT NULL,
    tenant text NOT NULL COLLATE pg_catalog."C",
    sequence bigint DEFAULT nextval('semel.decision_number'::regclass) NOT NULL,
    data bytea NOT NULL
)
PARTITION BY RANGE (day);


--
-- Name: decision_20776; Type: TABLE; Schema: semel; Owner: -
--

CREATE TABLE semel.decision_20776 (
    day bigint NOT NULL,
    tenant text NOT NULL COLLATE pg_catalog."C",
    sequence bigint DEFAULT nextval('semel.decision_number'::regclass) NOT NULL,
    data bytea NOT NULL
);


--
-- Name: decision_20777; Type: TABLE; Schema: semel; Owner: -
--

CREATE TABLE semel.decision_20777 (
    day bigint NOT NULL,
    tenant text NOT NULL COLLATE pg_catalog."C",
    sequence bigint DEFAULT nextval('semel.decision_number'::regclass) NOT NULL,
    data bytea NOT NULL
);


--
-- Name: decision_20778; Type: TABLE; Schema: semel; Owner: -
--

CREATE TABLE semel.decision_20778 (
    day bigint NOT NULL,
    tenant text NOT NULL COLLATE pg_catalog."C",
    sequence bigint DEFAULT nextval('semel.decision_number'::regclass) NOT NULL,
    data bytea NOT NULL
);


--
-- Name: decision_20779; Type: TABLE; Schema: semel; Owner: -
--

CREATE TABLE semel.decision_20779 (
    day bigint NOT NULL,
    tenant text NOT NULL COLLATE pg_catalog."C",
    sequence bigint DEFAULT nextval('semel.decision_number'::regclass) NOT NULL,
    data bytea NOT NULL
);


--
-- Name: decision_rest; Type: TABLE; Schema: semel; Owner: -
--

CREATE TABLE semel.decision_rest (
    day bigint NOT NULL,
    tenant text NOT NULL COLLATE pg_catalog."C",
    sequence bigint DEFAULT nextval('semel.decision_number'::regclass) NOT NULL,
    data bytea NOT NULL
);


--
-- Name: drain; Type: TABLE; Schema: semel; Owner: -
--

CREATE TABLE semel.drain (
    id smallint NOT NULL,
    CONSTRAINT drain_id_check CHECK ((id = 1))
);


--
-- Name: edge; Type: TABLE; Schema: semel; Owner: -
--

CREATE TABLE semel.edge (
    blocked uuid NOT NULL,
    "position" integer NOT NULL,
    blocker uuid NOT NULL,
    done boolean NOT NULL
)
WITH (fillfactor='70');


--
-- Name: job; Type: TABLE; Schema: semel; Owner: -
--

CREATE TABLE semel.job (
    id uuid NOT NULL,
    tenant text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL COLLATE pg_catalog."C",
    status smallint NOT NULL,
    place smallint NOT NULL,
    shelf smallint NOT NULL,
    urgency integer NOT NULL,
    scheduled_at bigint NOT NULL,
    created_at bigint NOT NULL,
    completed_at bigint,
    lock_group text COLLATE pg_catalog."C",
    chain uuid NOT NULL,
    token bigint NOT NULL,
    schedule uuid,
    schedule_name text COLLATE pg_catalog."C",
    slot bigint,
    data bytea NOT NULL,
    payload bytea,
    chain_index integer DEFAULT 0 NOT NULL,
    in_chain boolean DEFAULT false NOT NULL,
    chain_shelf smallint,
    kept smallint,
    chosen boolean,
    completed_by bytea,
    CONSTRAINT job_check1 CHECK (((completed_at IS NOT NULL) = ((status >= 3) AND (status <= 6))))
)
WITH (toast_tuple_target='512', fillfactor='70');


--
-- Name: job_count; Type: TABLE; Schema: semel; Owner: -
--

CREATE TABLE semel.job_count (
    type text NOT NULL COLLATE pg_catalog."C",
    status smallint NOT NULL,
    count bigint NOT NULL
);


--
-- Name: job_result; Type: TABLE; Schema: semel; Owner: -
--

CREATE TABLE semel.job_result (
    job uuid NOT NULL,
    output bytea,
    error_message bytea,
    error_code bytea
);


--
-- Name: later; Type: TABLE; Schema: semel; Owner: -
--

CREATE TABLE semel.later (
    scheduled_at bigint NOT NULL,
    id uuid NOT NULL
);


--
-- Name: lock_group; Type: TABLE; Schema: semel; Owner: -
--

CREATE TABLE semel.lock_group (
    tenant text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    head uuid NOT NULL
);


--
-- Name: meta; Type: TABLE; Schema: semel; Owner: -
--

CREATE TABLE semel.meta (
    id smallint NOT NULL,
    time_mark bigint NOT NULL,
    works_from integer DEFAULT 4 NOT NULL,
    clock_ahead bigint DEFAULT 0 NOT NULL,
    clock_since bigint DEFAULT 0 NOT NULL,
    decisions_from bigint DEFAULT 0 NOT NULL,
    made_at text,
    CONSTRAINT meta_id_check CHECK ((id = 1))
);


--
-- Name: migration; Type: TABLE; Schema: semel; Owner: -
--

CREATE TABLE semel.migration (
    number integer NOT NULL,
    applied_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);


--
-- Name: moved_from; Type: TABLE; Schema: semel; Owner: -
--

CREATE TABLE semel.moved_from (
    id smallint NOT NULL,
    path text NOT NULL,
    mark text NOT NULL,
    kind smallint NOT NULL,
    after bytea NOT NULL,
    rows bigint NOT NULL,
    started_at bigint NOT NULL,
    finished_at bigint,
    CONSTRAINT moved_from_id_check CHECK ((id = 1))
);


--
-- Name: outbox; Type: TABLE; Schema: semel; Owner: -
--

CREATE TABLE semel.outbox (
    id bigint NOT NULL,
    verb smallint NOT NULL,
    tenant text NOT NULL COLLATE pg_catalog."C",
    subject uuid NOT NULL,
    token bigint NOT NULL,
    content text,
    fence text,
    effect_id text,
    CONSTRAINT outbox_verb_check CHECK (((verb >= 0) AND (verb <= 5)))
);


--
-- Name: outbox_answer; Type: TABLE; Schema: semel; Owner: -
--

CREATE TABLE semel.outbox_answer (
    id uuid NOT NULL,
    at bigint NOT NULL,
    result text NOT NULL
);


--
-- Name: outbox_id_seq; Type: SEQUENCE; Schema: semel; Owner: -
--

ALTER TABLE semel.outbox ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME semel.outbox_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: ready; Type: TABLE; Schema: semel; Owner: -
--

CREATE TABLE semel.ready (
    tenant text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL COLLATE pg_catalog."C",
    urgency integer NOT NULL,
    scheduled_at bigint NOT NULL,
    id uuid NOT NULL
);


--
-- Name: run; Type: TABLE; Schema: semel; Owner: -
--

CREATE TABLE semel.run (
    id uuid NOT NULL,
    token bigint NOT NULL,
    settling boolean DEFAULT false NOT NULL,
    data bytea NOT NULL,
    CONSTRAINT run_token_check CHECK ((token > 0))
)
WITH (fillfactor='70');


--
-- Name: running; Type: TABLE; Schema: semel; Owner: -
--

CREATE TABLE semel.running (
    id uuid NOT NULL,
    deadline bigint NOT NULL
)
WITH (fillfactor='50');


--
-- Name: schedule; Type: TABLE; Schema: semel; Owner: -
--

CREATE TABLE semel.schedule (
    tenant text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    id uuid NOT NULL,
    data bytea NOT NULL
);


--
-- Name: source; Type: TABLE; Schema: semel; Owner: -
--

CREATE TABLE semel.source (
    tenant text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL COLLATE pg_catalog."C",
    id text NOT NULL COLLATE pg_catalog."C",
    highest bigint,
    holder bytea,
    holder_token bigint,
    held_until bigint,
    expires_at bigint NOT NULL,
    settling boolean DEFAULT false NOT NULL,
    CONSTRAINT source_check CHECK ((((holder IS NULL) = (holder_token IS NULL)) AND ((holder IS NULL) = (held_until IS NULL)))),
    CONSTRAINT source_check1 CHECK (((NOT settling) OR (holder IS NOT NULL)))
)
WITH (fillfactor='85');


--
-- Name: waiting; Type: TABLE; Schema: semel; Owner: -
--

CREATE TABLE semel.waiting (
    tenant text NOT NULL COLLATE pg_catalog."C",
    lock_group text NOT NULL COLLATE pg_catalog."C",
    scheduled_at bigint NOT NULL,
    id uuid NOT NULL
);


--
-- Name: worker; Type: TABLE; Schema: semel; Owner: -
--

CREATE TABLE semel.worker (
    node uuid NOT NULL,
    tenant text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL COLLATE pg_catalog."C",
    until bigint NOT NULL
);


--
-- Name: decision_20776; Type: TABLE ATTACH; Schema: semel; Owner: -
--

ALTER TABLE ONLY semel.decision ATTACH PARTITION semel.decision_20776 FOR VALUES FROM (MINVALUE) TO ('20777');


--
-- Name: decision_20777; Type: TABLE ATTACH; Schema: semel; Owner: -
--

ALTER TABLE ONLY semel.decision ATTACH PARTITION semel.decision_20777 FOR VALUES FROM ('20777') TO ('20778');


--
-- Name: decision_20778; Type: TABLE ATTACH; Schema: semel; Owner: -
--

ALTER TABLE ONLY semel.decision ATTACH PARTITION semel.decision_20778 FOR VALUES FROM ('20778') TO ('20779');


--
-- Name: decision_20779; Type: TABLE ATTACH; Schema: semel; Owner: -
--

ALTER TABLE ONLY semel.decision ATTACH PARTITION semel.decision_20779 FOR VALUES FROM ('20779') TO ('20780');


--
-- Name: decision_rest; Type: TABLE ATTACH; Schema: semel; Owner: -
--

ALTER TABLE ONLY semel.decision ATTACH PARTITION semel.decision_rest DEFAULT;


--
-- Data for Name: api_token; Type: TABLE DATA; Schema: semel; Owner: -
--

COPY semel.api_token (id, tenant, name, scopes, secret_hash, created_at, expires_at) FROM stdin;
01a1f4d5-8b38-7096-9d5b-d6913f51a80c	default	admin	8	\\x37b55f412672e07d79930628571cc910ec8fa0cb5d7245defd74234ec2e7bd20	1795108997944	\N
01a1f4d5-8b39-70c6-9744-9e3dbed787d3	acme	until 2099	5	\\x5e949004d208d1837d4620d4900d30acd388653143f6ffaf89dd49908b45238f	1795108997945	4070908800000
\.


--
-- Data for Name: attempt; Type: TABLE DATA; Schema: semel; Owner: -
--

COPY semel.attempt (job, token, number, worker, started_at, ended_at, ending, error) FROM stdin;
01a1f4d5-8b40-70e6-87f4-794677b2a804	1795108997953	1	\\x776f726b6572206f66206661696c6564	1795108997953	1795108997954	1	\\x6e6f206c75636b3a20c3a9
01a1f4d5-8b43-708c-914a-c42c4fd37940	1795108997956	1	\\x776f726b6572206f66206661696c65645f61745f6c617374	1795108997956	1795108997957	1	\\x6669727374
01a1f4d5-8b43-708c-914a-c42c4fd37940	1795108998058	2	\\x776f726b6572206f66206661696c65645f61745f6c617374	1795108998058	1795108998059	1	\\x7365636f6e64
01a1f4d5-8bac-703d-8cd7-039400346749	1795108998061	1	\\x776f726b6572206f66206661696c65645f666f725f676f6f64	1795108998061	1795108998062	1	\\x6e65766572
01a1f4d5-8bb1-7014-b48c-a4f58149b4d5	1795108998066	1	\\x776f726b6572206f662063616e63656c6c65645f7768696c655f72756e6e696e67	1795108998066	1795108998067	5	\\x63616e63656c6c656420627920616e206f70657261746f72
01a1f4d5-8bb4-7036-b3de-1ecd67b49299	1795108998069	1	\\x776f726b6572206f6620726574726965645f62795f6f70657261746f72	1795108998069	1795108998070	1	\\x6f6e6365
01a1f4d5-8bb8-70d1-a8b9-97a2af9248c4	1795108998074	1	\\x776f726b6572206f662072656c6561736564	1795108998074	1795108998075	4	\\x
01a1f4d5-8bd4-706a-b224-6f86388de5fe	1795108998102	1	\\x776f726b6572206f662073757065727365646564	1795108998102	1795108998104	1	\\x6f76657274616b656e
01a1f4d5-8be2-70b8-b8da-78509970d1a8	1795108998118	1	\\x776f726b6572206f6620636861696e5f6661696c6564	1795108998118	1795108998119	1	\\x74686520656e64
01a1f4d5-8bbb-70b5-836c-6a1217b8eae1	1795108998076	1	\\x776f726b6572206f66206c6f73745f6f6e6365	1795108998076	1795108998177	3	\\x74686520776f726b65722773206c656173652072616e206f7574
01a1f4d5-8bbf-70e9-ae66-2b08efca8ef2	1795108998080	1	\\x776f726b6572206f66206c6f73745f666f725f676f6f64	1795108998080	1795108998181	3	\\x74686520776f726b65722773206c656173652072616e206f7574
01a1f4d5-8bbd-702c-841f-a2641852a74b	1795108998078	1	\\x776f726b6572206f662074696d65645f6f75745f6f6e6365	1795108998078	1795109001079	2	\\x74696d6564206f75742061667465722033303030206d73
01a1f4d5-9a6a-709c-abf3-7c4033f336e6	1795109001835	1	\\x776f726b6572206f66206261636b6f66665f31	1795109001835	1795109001836	1	\\x7472792031
01a1f4d5-9a6e-7003-ab5b-072efe2777a7	1795109001839	1	\\x776f726b6572206f66206261636b6f66665f32	1795109001839	1795109001839	1	\\x7472792032
01a1f4d5-9a71-7012-abfc-f1af2c6cf99a	1795109001842	1	\\x776f726b6572206f66206261636b6f66665f33	1795109001842	1795109001843	1	\\x7472792033
01a1f4d5-9a97-7089-b81d-236ceee0e073	1795109001893	1	\\x776f726b6572206f6620646f6f6d6564	1795109001893	1795109003207	1	\\x646f6f6d6564
01a1f4d5-9a9b-7031-8fc2-bf3aff2a229c	1795109001893	1	\\x776f726b6572206f6620646f6f6d6564	1795109001893	1795109003207	1	\\x646f6f6d6564
01a1f4d5-9a9f-7023-afb7-93a4336ea353	1795109001893	1	\\x776f726b6572206f6620646f6f6d6564	1795109001893	1795109003207	1	\\x646f6f6d6564
01a1f4d5-9aa2-704a-9f44-a8651f8275f2	1795109001893	1	\\x776f726b6572206f6620646f6f6d6564	1795109001893	1795109003207	1	\\x646f6f6d6564
\.


--
-- Data for Name: bulk_run; Type: TABLE DATA; Schema: semel; Owner: -
--

COPY semel.bulk_run (id, tenant, finished_at, data) FROM stdin;
01a1f4d5-8c24-7040-9d31-d04eee118244	default	1795108998181	\\x01060406020862756c6bc8b0accdbe68060601a1f4d58c22703ba52e62bffa9ab6ab00
01a1f4d5-8c58-704e-966d-ea222eeb4325	default	1795108998233	\\x01020406020862756c6bb0b1accdbe68060601a1f4d58c22703ba52e62bffa9ab6ab00
\.


--
-- Data for Name: claim; Type: TABLE DATA; Schema: semel; Owner: -
--

COPY semel.claim (id, expires_at, data, receipt, content, owner_token, source_type, source_id, version, settling, owner) FROM stdin;
\\xcb57377f999398392a6b012bd0c109d3af3c0b6031111daed1c74741d534012b	1795800199428	\\x03100e64656661756c740c66656e636573165b2265787069726564225d00c0c2accdbe68c0c2accdbe68002000086672656588c4accdbe68c80180e0e5a40122656666656374206f662065787069726564beb2accdbe688ec2aa8cc06a	\N	\N	1795108999328	\N	\N	\N	f	\N
\\xcdd4ddc403eda8dbd32d26ceee3f978a8e4d06fb2b18a8ba2b70db498bd72fb1	\N	\\x02000e64656661756c740e616374696f6e73385b226e6f77222c22656e74697479222c226f72646572222c2237225d00d0e9accdbe68d0e9accdbe680201a1f4d59a687097bae1ead8acfe260fd0e9accdbe6800	\N	\N	\N	\N	\N	\N	f	01a1f4d5-9a68-7097-bae1-ead8acfe260f
\\x0acc365472eb66d4c19d5f4367d80ec94fc1c865aba3fd0af92621ffb655b8f7	\N	\\x02000e64656661756c740e616374696f6e733c5b226b65795f636f6d706c65746564222c226b6579222c226f6e6365225d0090afaccdbe6890afaccdbe680201a1f4d58bc8703c8ade62b224d1a04790afaccdbe6800	\N	\N	\N	\N	\N	\N	f	01a1f4d5-8bc8-703c-8ade-62b224d1a047
\\x01893c05fd8699a0de3514339d65977792bf2ac63e8d5c33fdc6c86d574a7d7f	\N	\\x02000e64656661756c740e616374696f6e73385b226b65795f70656e64696e67222c226b6579222c2268656c64225d0098afaccdbe6898afaccdbe680201a1f4d58bcc708da1c07d137580e7f098afaccdbe6800	\N	\N	\N	\N	\N	\N	f	01a1f4d5-8bcc-708d-a1c0-7d137580e7f0
\\xf58a81f419e0e6031a2afd1b03d52a7be220fe18c45ac7168dceca94d31934be	\N	\\x02000e64656661756c740e616374696f6e73745b226b65795f6f665f656e74697479222c22656e74697479222c226f72646572222c223137222c222f6b696e64222c225c226d61696c5c22225d009cafaccdbe689cafaccdbe680201a1f4d58bce70ee909de9d2b2a2c5de9cafaccdbe6800	\N	\N	\N	\N	\N	\N	f	01a1f4d5-8bce-70ee-909d-e9d2b2a2c5de
\\xd2a4a6e8e4b23d17c38fae3866aff971ec51a211be4680906e52c15ae0af9f2a	\N	\\x02000e64656661756c740e616374696f6e73345b226465626f756e636564222c226b6579222c2263616c6d225d00a0afaccdbe68a0afaccdbe680201a1f4d58bd070798c3a17dd643c2352a0afaccdbe6800	\N	\N	\N	\N	\N	\N	f	01a1f4d5-8bd0-7079-8c3a-17dd643c2352
\\x403bc634cfabd4d72c0edeca86a367ca43131957a76e0c1449fb89debde76b37	1795195398099	\\x020c0e64656661756c740661706992015b2230316131663464352d386233382d373039362d396435622d643639313366353161383063222c22504f5354222c222f76312f616374696f6e73222c22726571756573742d31225d02a6afaccdbe68a6afaccdbe6800042d27c6a1a6bb76ca581eaafd1fb021ff4af168752b490e8fdab7aeeb20e01c9203	\\x7b226964223a2230316131663464352d386264332d373065372d386265342d303633366238663035323934222c226465636973696f6e223a226e6577222c227265706c61636564223a66616c73652c22616374696f6e223a7b226964223a2230316131663464352d386264332d373065372d386265342d303633366238663035323934222c2274656e616e74223a2264656661756c74222c2274797065223a226964656d706f74656e74222c22737461747573223a2270656e64696e67222c227061796c6f6164223a7b7d2c226f7574707574223a6e756c6c2c226572726f724d657373616765223a6e756c6c2c226572726f72436f6465223a6e756c6c2c22617474656d707473223a302c226d617852657472696573223a332c226c6f636b47726f7570223a6e756c6c2c227072696f72697479223a302c227363686564756c65644174223a22323032362d31312d31395431373a32333a31382e3039395a222c22737461727465644174223a6e756c6c2c22636f6d706c657465644174223a6e756c6c2c22637265617465644174223a22323032362d31312d31395431373a32333a31382e3039395a222c22757064617465644174223a22323032362d31312d31395431373a32333a31382e3039395a222c227363686564756c654e616d65223a6e756c6c2c22736c6f74223a6e756c6c2c22726563757272696e67496e74657276616c223a6e756c6c2c22726563757272656e636554797065223a6e756c6c2c22737570657273656465644279223a6e756c6c2c22756e69717565556e74696c223a6e756c6c2c22636861696e4964223a2230316131663464352d386264332d373065372d386265342d303633366238663035323934222c22636861696e496e646578223a302c226261636b6f6666223a7b226b696e64223a226c696e656172222c22737465704d73223a3330303030307d2c2274696d656f75744d73223a6e756c6c7d7d	\N	\N	\N	\N	\N	f	\N
\\x41d25326a93f08e5a79c07871258e0d78d7b9c2695c68ca20af113791bb724cb	\N	\\x02000e64656661756c740e616374696f6e733a5b2273757065727365646564222c226b6579222c226e6577657374225d00aeafaccdbe68a8afaccdbe680401a1f4d58bd4706ab2246f86388de5fea8afaccdbe680001a1f4d58bd770cfa72497b7b03ca720aeafaccdbe6802	\N	\N	\N	\N	\N	\N	f	01a1f4d5-8bd7-70cf-a724-97b7b03ca720
\\xfd293d19745efda23599ff7cf691464b3870d79cf9214f7f376ef4553412b5dc	\N	\\x02000e64656661756c740c636861696e73365b22636861696e5f636f6d706c65746564222c2277686f6c65225d00b4afaccdbe68b4afaccdbe680201a1f4d58bda7000833cfe164a21b93ab4afaccdbe6800	\N	\N	\N	\N	\N	\N	f	01a1f4d5-8bda-7000-833c-fe164a21b93a
\\x793baedeba7386ccb4b65ca1bab1ab4533076ab3a5991c0181e299958f1aab87	\N	\\x02020e64656661756c740c636861696e73365b22636861696e5f64656c65746564222c2264656c65746564225d00d4afaccdbe68d4afaccdbe680201a1f4d58bea7019ba96f234ab827c16d4afaccdbe680006	\N	\N	\N	\N	\N	\N	f	01a1f4d5-8bea-7019-ba96-f234ab827c16
\\xdd386588c55bac7aee8f8f63770f6549c75b626561cfaf4c7ddd65e919c785e3	\N	\\x02000e64656661756c740c636861696e73265b22636861696e5f666172222c22666172225d00deafaccdbe68deafaccdbe680201a1f4d58bef703a96c907a633a88198deafaccdbe6800	\N	\N	\N	\N	\N	\N	f	01a1f4d5-8bef-703a-96c9-07a633a88198
\\x7bfdafa1a8066551a1153a5051321caa67f150a0147520b3f05a822beb752aba	1796318598290	\\x03140e64656661756c740c66656e636573265b227365616c65642f627920636c617373225d02a2b2accdbe68a2b2accdbe6800c39b4da89616f13f44b246db0b123f86bd3159d73b1ec872a3b76d528ffa67aa1232656666656374206f66207365616c65642f627920636c6173730a6669727374e2dbb3cdbe68c0a90780a0c88109a4b2accdbe68005f3efda1e5ccd76e3d8b417fd61b522bbad03b5bad6ea1e827f0fddbd45e15c0	\N	\N	\N	\N	\N	\N	f	\N
\\xdd36a0e6a8958d18f0e13e5796646cc710a66c3952b325f5f1a0a9a9557249fa	1795713798292	\\x03100e64656661756c740c66656e636573185b2272656c6561736564225d06a6b2accdbe68a6b2accdbe680010000000000002a4bb9aaf45a1da6529c9c915487571aab246a30bd3f7608f24000ccf81311e7f	\N	\N	\N	\N	\N	\N	f	\N
\\x9d8b5d7940dfb12ccc4520ddd86778b7359dc7a55cd60308cef99ac23a0e7a0e	\N	\\x03140e64656661756c740c66656e6365731a5b22756e6365727461696e225d04aab2accdbe68aab2accdbe6800080a9ed428559ef602668b4c00f114f1a11c3f6b02a435f0bdc154578e4d7f2250000a6669727374eadbb3cdbe68c0a90780e0e5a40106fde17d1b21e6db1c12da32ebbf1c26a9f3375d78644aa6ce4a9e9ade01b72a58	\N	\\x5b315d	\N	\N	\N	\N	f	\N
\\x7a255ce80e55c2c167f9bce5c7d9e1d4f19da593ce8e8d441cb11a3a4c2e951b	1795281798301	\\x03180e64656661756c740c66656e636573185b227265736f6c766564225d02bab2accdbe68aeb2accdbe68009003120e62792068616e640a6669727374eedbb3cdbe68c0a90780e0e5a401bab2accdbe680809612476eaf5807844b30ce979de2e64f1658dd1c1b664c0ea9f419f97cb091d	\\x5b325d	\N	\N	\N	\N	\N	f	\N
\\xb491ba7ec6c170ada29802822571612ca0b666209ef0969dbca6fa9fa7036c6e	4795108998407	\\x03180e64656661756c740c66656e6365731c5b2274616b656e5f6f766572225d028ab4accdbe688ab4accdbe680090031228656666656374206f662074616b656e5f6f766572146c656173655f6f766572caddb3cdbe68c0a90780c0f9decfae018eb4accdbe68001f6c3364dc7c86e952cfa664e4fcf88ccecb712396198a19f2fc2abeb50c6d0f	\\x33	\N	\N	\N	\N	\N	f	\N
\\xcebfc68d2d1ac3cd0fe0f8c6a177eb5a2df2a2b6efb8dec5799de652da7c1930	4795108998285	\\x033c0e64656661756c740c66656e636573145b227365616c6564225d0298b2accdbe6898b2accdbe6800247be862ba50ab8f303b120bda5cde1f4006ea51dac1e257d62d0f58026445eb90035220656666656374206f66207365616c65640a6669727374d8dbb3cdbe68c0a90780c0f9decfae019ab2accdbe6800199eb9e7ffd3a0d0edd4611086e590733b552fb526f79ff9d257aad82533018802	\\x7b22636861726765223a202263685f31222c202274657874223a20225c7530306539227d	\\x7b22746f74616c223a2031322c202270617373776f7264223a202268757368227d	\N	\N	\N	\N	f	\N
\\xa937c8372e20d6c8191467b15700fe1f6b95b7982c328bbf5cf4466d8de1a584	\N	\\x02000e64656661756c740e616374696f6e733a5b226f76657274616b656e222c226b6579222c22666f6c6c6f7773225d0082eaaccdbe68fee9accdbe680401a1f4d59a7f70ce8f8e979f780aa7d9fee9accdbe680001a1f4d59a8170f18b97c3aa3955226e82eaaccdbe6802	\N	\N	\N	\N	\N	\N	f	01a1f4d5-9a81-70f1-8b97-c3aa3955226e
\\xe9b4203fc39554f220f5b2595ba5791e231a70c221d0d379384f491c52f32fab	1795800211878	\\x03100e64656661756c740c66656e63657388015b2264363635353237316362336331666165373331386161656466613936343861363966613664386333613363373035636539356238656133313961363966306435225d00aceaaccdbe68aceaaccdbe68000c000a6669727374cc86aecdbe68a09c0180c0f9decfae010e696e766f69636504313710	\N	\N	1795109001878	invoice	17	8	f	\N
\\xcb4646f104c5be040d14cbb754e152d31e6e98fcb85d6b180dce1746583719ae	\N	\\x0208000e7369676e696e67185b227265636569707473225d028affaccdbe688affaccdbe68009003	\\x65623261323764643836346439383063303837643063343465323830613437343130616137336136313936623132633538386534343537653631653834666330	\N	\N	\N	\N	\N	f	\N
\\x77f6c1c947170b32894f94c44de0d335e3250a26b406220ee9161a9d881c3554	1795800211877	\\x03100e64656661756c740c66656e636573225b227365616c65645f696e5f73716c225d00aaeaaccdbe68aaeaaccdbe680000000a6669727374ca86aecdbe68a09c0180c0f9decfae01	\N	\N	1795109001877	\N	\N	\N	t	\N
\\x26d99176f838bd2562789de37bb0cff512d42d2eed9c4a5361fe8d1280ae898d	4795108998410	\\x03180e64656661756c740c66656e63657388015b2232393061643738376436356430653135343739376130396161376232326566396530653962653231376334613865353633623036303237353361643737343937225d0290b4accdbe6890b4accdbe680090031e22656666656374206f66206f726465723a340a6669727374b0d0adcdbe68a09c0180c0f9decfae0194b4accdbe680a6f726465720431370800816d603c2c7e6a96f87798fb8a1c06497c7aadf83297195cc2723c4ff630df80	\\x7b2276657273696f6e223a20347d	\N	\N	\N	\N	\N	f	\N
\\x58b21dbed5595e521d70be6911471c69ce78ccff5fb1131a17274a66c3fb5a55	4795108998416	\\x03180e64656661756c740c66656e63657388015b2237356665306530336436313337323664656138633862303533373934653137623562616166333765393931356534646538376665653831626565646461393132225d0296b4accdbe6896b4accdbe680090031e22656666656374206f66206f726465723a350a6669727374b6d0adcdbe68a09c0180c0f9decfae01a0b4accdbe680a6f726465720431370a004b879230a3d5817954a8821dd5d7f7bdb2c0ca2cf09f61fcbc5fce9966150bf9	\\x7b2276657273696f6e223a20357d	\N	\N	\N	\N	\N	f	\N
\\xfc8e4607443abbd41da372fc3b6fed562500ff13ceb1592314af633ca8ca982f	1795800211871	\\x03140e64656661756c740c66656e6365731a5b22696e5f666c69676874225d009eeaaccdbe689eeaaccdbe6800015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f86240000a6669727374be86aecdbe68a09c0180e0e5a401	\N	\\x7b2261223a20317d	1795109001871	\N	\N	\N	f	\N
\.


--
-- Data for Name: commit_mark; Type: TABLE DATA; Schema: semel; Owner: -
--

COPY semel.commit_mark (id, at, known, of_batch) FROM stdin;
01a1f4d5-8b31-7079-a826-dff6edb68b43	1795108997937	13	t
01a1f4d5-8b38-7065-af6d-ebf5817f0680	1795108997944	13	t
01a1f4d5-8b39-7035-b949-4c11bea9ac5f	1795108997945	13	t
01a1f4d5-8b3a-70b5-a5f3-2f6ed362c05b	1795108997946	13	t
01a1f4d5-8b3a-703b-81ad-f4e5529dffbb	1795108997946	13	t
01a1f4d5-8b3b-701e-a483-e13b83acf41e	1795108997947	13	t
01a1f4d5-8b3d-70df-9c8d-daebc8c85f5e	1795108997949	13	t
01a1f4d5-8b3f-705c-9bb9-2a997b32793a	1795108997951	13	t
01a1f4d5-8b40-7084-9684-69ffcc4d81b9	1795108997952	13	t
01a1f4d5-8b41-7017-8bb3-22a5e377876e	1795108997953	13	t
01a1f4d5-8b42-70b7-b116-fda6c41a7410	1795108997954	13	t
01a1f4d5-8b43-70c0-aa43-581e137bcc63	1795108997955	13	t
01a1f4d5-8b44-7095-993a-ff6ed3f32bcf	1795108997956	13	t
01a1f4d5-8b45-703e-ad8f-5a481418eb6f	1795108997957	13	t
01a1f4d5-8ba9-709a-b953-7d61436f6550	1795108998057	13	t
01a1f4d5-8baa-70b3-989c-b56f877dc9b3	1795108998058	13	t
01a1f4d5-8bab-706c-8f73-fdfd9fa920e9	1795108998059	13	t
01a1f4d5-8bac-709c-9754-410c46bad65c	1795108998060	13	t
01a1f4d5-8bad-70ef-aada-62308707f837	1795108998061	13	t
01a1f4d5-8bae-70b1-aa38-3cccf987bc1f	1795108998062	13	t
01a1f4d5-8bb0-7055-9342-e329c44e5085	1795108998064	13	t
01a1f4d5-8bb0-70e8-972f-b7032499a7f2	1795108998064	13	t
01a1f4d5-8bb1-704f-b93d-0c966ba53a12	1795108998065	13	t
01a1f4d5-8bb2-70b6-97ef-2b24b984cbd6	1795108998066	13	t
01a1f4d5-8bb3-70f2-b794-51ec9a9e608c	1795108998067	13	t
01a1f4d5-8bb4-702b-853d-c9fb3a4f38bd	1795108998068	13	t
01a1f4d5-8bb5-70a3-9f3f-bf4c328656e1	1795108998069	13	t
01a1f4d5-8bb6-703a-a8e5-2809b2f7a3b7	1795108998070	13	t
01a1f4d5-8bb7-7072-a2f4-914b654f8037	1795108998071	13	t
01a1f4d5-8bb9-7057-a3f4-0789f03e0e60	1795108998072	13	t
01a1f4d5-8bba-70f1-af7c-93117d4e4f28	1795108998074	13	t
01a1f4d5-8bbb-70e6-a194-8e4982e7ba76	1795108998075	13	t
01a1f4d5-8bbc-707c-996f-0ace0d73d8aa	1795108998075	13	t
01a1f4d5-8bbc-707d-b86b-01ea3c46085a	1795108998076	13	t
01a1f4d5-8bbd-70a5-b0c4-524e17e7e4e2	1795108998077	13	t
01a1f4d5-8bbe-7014-a2e4-2928fad038e1	1795108998078	13	t
01a1f4d5-8bbf-7061-85af-8e8ecd424059	1795108998079	13	t
01a1f4d5-8bc0-701a-a373-e675058ceb88	1795108998080	13	t
01a1f4d5-8bc1-7025-8c84-3928b02399f5	1795108998081	13	t
01a1f4d5-8bc2-700a-887a-f3ec4474a24a	1795108998082	13	t
01a1f4d5-8bc3-70d3-b11d-06a4434b98b8	1795108998083	13	t
01a1f4d5-8bc4-7075-b449-896cd20acebc	1795108998084	13	t
01a1f4d5-8bc5-7032-82f3-c4c619f3b5e4	1795108998085	13	t
01a1f4d5-8bc6-70e6-8ca4-6e8557fba5a3	1795108998086	13	t
01a1f4d5-8bc6-70a7-bc89-8c6407496e8e	1795108998086	13	t
01a1f4d5-8bc8-7009-ab31-196264505292	1795108998088	13	t
01a1f4d5-8bca-70e6-b2ee-4ea8d32d2a8a	1795108998090	13	t
01a1f4d5-8bcb-7003-9a89-aa5835f9d139	1795108998091	13	t
01a1f4d5-8bcc-70a7-a1d8-b397f63d3fed	1795108998092	13	t
01a1f4d5-8bcd-70a6-b49a-821e99410c42	1795108998093	13	t
01a1f4d5-8bce-70fb-b3ee-1d9f249d36c5	1795108998094	13	t
01a1f4d5-8bcf-7013-b832-fbc670134ac8	1795108998095	13	t
01a1f4d5-8bd0-7005-9d8d-5ddcd999c3b4	1795108998096	13	t
01a1f4d5-8bd1-70e5-9a70-6fdc1dca2523	1795108998097	13	t
01a1f4d5-8bd2-706b-b5db-f4e1c86b8dc1	1795108998098	13	t
01a1f4d5-8bd3-70c7-9093-68004068625d	1795108998099	13	t
01a1f4d5-8bd5-70eb-94bc-4b7108c9bb98	1795108998100	13	t
01a1f4d5-8bd6-70ec-b679-5b78c1c1e2a5	1795108998102	13	t
01a1f4d5-8bd7-70e5-95e9-b2efa703849a	1795108998103	13	t
01a1f4d5-8bd8-70ac-9763-03732a9031ab	1795108998104	13	t
01a1f4d5-8bda-70d1-a27f-baf596d88803	1795108998106	13	t
01a1f4d5-8bdb-70a1-93d0-842f2ea9c451	1795108998107	13	t
01a1f4d5-8bdb-70a2-b8e7-086d3d7fa7fd	1795108998107	13	t
01a1f4d5-8bdd-70e2-a919-67af80876ca2	1795108998109	13	t
01a1f4d5-8bde-70ce-8935-b8bb74f4cf0d	1795108998110	13	t
01a1f4d5-8be0-70fe-9d23-f47f253b57d1	1795108998112	13	t
01a1f4d5-8be0-70ff-a3ca-48756c2cf0ec	1795108998112	13	t
01a1f4d5-8be2-709a-9e0b-f31a79a6fce6	1795108998113	13	t
01a1f4d5-8be2-70c3-8219-0c876b3beb5d	1795108998114	13	t
01a1f4d5-8be3-70a1-8f5b-33793247d516	1795108998115	13	t
01a1f4d5-8be5-70c1-8f20-a1e886dfa5e0	1795108998117	13	t
01a1f4d5-8be6-7079-94da-d96048dfef34	1795108998118	13	t
01a1f4d5-8be7-7076-b498-2d3685f286ba	1795108998119	13	t
01a1f4d5-8be8-70e7-939b-7842e4616c42	1795108998120	13	t
01a1f4d5-8be9-7014-acb2-602da4d72bc9	1795108998121	13	t
01a1f4d5-8bea-7006-bec0-b306b74cb57f	1795108998122	13	t
01a1f4d5-8beb-701e-af5a-fd0ecf87bcc3	1795108998122	13	t
01a1f4d5-8bec-7010-9056-0e787380efa0	1795108998124	13	t
01a1f4d5-8bec-7011-848a-3d0ba0591bba	1795108998124	13	t
01a1f4d5-8bee-7076-b2d7-d36736f3bc9f	1795108998126	13	t
01a1f4d5-8bef-7049-b43d-b3d5f0f3fbe5	1795108998127	13	t
01a1f4d5-8bf1-7057-94d8-9409a2645c15	1795108998129	13	t
01a1f4d5-8bf2-701e-9800-62ab90137f96	1795108998130	13	t
01a1f4d5-8bf3-7062-860c-6b41687260c1	1795108998131	13	t
01a1f4d5-8bf5-70ad-9690-ebac557fd6fa	1795108998133	13	t
01a1f4d5-8bf7-703a-b80a-cd893ac7ab2c	1795108998135	13	t
01a1f4d5-8bf9-70a6-8283-805bf5cdc6ea	1795108998137	13	t
01a1f4d5-8bfa-7045-bc6c-91dfd4cc4f7b	1795108998138	13	t
01a1f4d5-8bfb-7008-909d-b9844aa5e3fa	1795108998139	13	t
01a1f4d5-8bfc-701b-bf75-3730b5b5e171	1795108998140	13	t
01a1f4d5-8bfe-7018-bfcf-b73fdb352672	1795108998142	13	t
01a1f4d5-8c03-70ef-9390-6c427f766be1	1795108998147	13	t
01a1f4d5-8c04-707c-acd9-d6aa7c680981	1795108998148	13	t
01a1f4d5-8c06-70e9-8407-2a39377ba6bd	1795108998150	13	t
01a1f4d5-8c07-704c-b748-f32aa5c8f5c3	1795108998151	13	t
01a1f4d5-8c0b-704b-aa9e-760ef3224f98	1795108998155	13	t
01a1f4d5-8c0c-70f3-9b08-53ab0f0449c1	1795108998156	13	t
01a1f4d5-8c0e-7040-bcf0-a3d144adaa44	1795108998158	13	t
01a1f4d5-8c0f-7002-80bb-1abc068dbec4	1795108998159	13	t
01a1f4d5-8c13-70c0-bc87-3a450933cc5a	1795108998163	13	t
01a1f4d5-8c15-701c-a020-b24e2b4b5e4a	1795108998165	13	t
01a1f4d5-8c16-7082-9975-17af25c738e8	1795108998166	13	t
01a1f4d5-8c18-70fb-92dd-16abaa5b739c	1795108998168	13	t
01a1f4d5-8c19-707c-80e6-3d22464243ef	1795108998169	13	t
01a1f4d5-8c1a-70d2-bd8b-8b07de8d53e9	1795108998170	13	t
01a1f4d5-8c1c-70ff-89bd-f23f6ee6a40e	1795108998172	13	t
01a1f4d5-8c20-70d9-9a68-b151ba97e002	1795108998176	13	t
01a1f4d5-8c20-70da-b807-b18431123f88	1795108998176	13	t
01a1f4d5-8c21-7041-9d88-6ad48efd7115	1795108998177	13	t
01a1f4d5-8c22-70e6-b463-4586103a5cee	1795108998178	13	t
01a1f4d5-8c24-701a-a370-410f903d7071	1795108998180	13	t
01a1f4d5-8c25-70e0-b2ce-e7f52df1bcd8	1795108998181	13	t
01a1f4d5-8c25-700a-818e-85aac9cfbc4a	1795108998181	13	t
01a1f4d5-8c58-708b-ae83-247acf55add7	1795108998232	13	t
01a1f4d5-8c59-7029-8c5d-b1e8af95e9ca	1795108998233	13	t
01a1f4d5-8c8c-70d8-a172-acca90e1fafa	1795108998284	13	t
01a1f4d5-8c8d-7048-a86b-60e371d1ccbc	1795108998285	13	t
01a1f4d5-8c90-7009-88b3-4b552801dfcd	1795108998288	13	t
01a1f4d5-8c91-70a4-b624-b5cad6559848	1795108998289	13	t
01a1f4d5-8c92-703c-b881-5f8c0138005c	1795108998290	13	t
01a1f4d5-8c93-703e-ad48-301fe77f6abe	1795108998291	13	t
01a1f4d5-8c94-70d2-a152-7a9084de2336	1795108998292	13	t
01a1f4d5-8c95-7010-b319-0197c2aa7517	1795108998293	13	t
01a1f4d5-8c96-7040-9471-864c9ede2fb9	1795108998294	13	t
01a1f4d5-8c97-7098-a898-37392faad36c	1795108998295	13	t
01a1f4d5-8c98-70b0-8ed2-5362874b97e8	1795108998296	13	t
01a1f4d5-8c9d-702a-ab2d-c8b74b594fb0	1795108998301	13	t
01a1f4d5-8c9e-7080-83a0-8a3010d4503f	1795108998302	13	t
01a1f4d5-8c9f-70cc-9d40-8d1d79fe0759	1795108998303	13	t
01a1f4d5-8ca0-70b4-abc1-2e1345f5885c	1795108998304	13	t
01a1f4d5-8d05-70f0-8d2e-ca6f767df9c3	1795108998405	13	t
01a1f4d5-8d07-701c-aa05-767a2bdcee7f	1795108998407	13	t
01a1f4d5-8d08-70ca-97ef-a4bf69f4ed18	1795108998408	13	t
01a1f4d5-8d0a-70af-9421-c58344745852	1795108998410	13	t
01a1f4d5-8d0b-70b7-b573-c8881cc6aa11	1795108998411	13	t
01a1f4d5-8d10-707f-8328-bae85069348c	1795108998416	13	t
01a1f4d5-8fb1-7065-948c-e1b9a0132a21	1795108999089	13	t
01a1f4d5-8fb2-70c9-abec-e988cb495fcc	1795108999090	13	t
01a1f4d5-93be-7096-84d1-1548b80fd188	1795109000126	13	t
01a1f4d5-9777-703f-b2e5-80422ba8222b	1795109001079	13	t
01a1f4d5-97dc-700b-aa49-0f34358200cd	1795109001180	13	t
01a1f4d5-9a69-7005-81bb-fd2a387661c4	1795109001833	13	t
01a1f4d5-9a6a-70f2-a307-3e43a3e9a8ef	1795109001834	13	t
01a1f4d5-9a6b-70c9-8865-9bcb839a29f7	1795109001835	13	t
01a1f4d5-9a6d-70a7-aa54-ccc5267cdc6b	1795109001836	13	t
01a1f4d5-9a6e-70b4-a6ff-755662aef384	1795109001838	13	t
01a1f4d5-9a6f-7071-b121-0fd3d1693012	1795109001839	13	t
01a1f4d5-9a6f-7072-98eb-cc0d066a7de3	1795109001839	13	t
01a1f4d5-9a71-706d-a736-cdf2a153380e	1795109001841	13	t
01a1f4d5-9a72-7096-a2b5-5849c59dff46	1795109001842	13	t
01a1f4d5-9a73-7031-9274-284d741a1c24	1795109001843	13	t
01a1f4d5-9a74-7011-90aa-5ac159f5d7b8	1795109001844	13	t
01a1f4d5-9a75-706f-afd0-2bff87b54134	1795109001845	13	t
01a1f4d5-9a76-70e0-aff3-26fe4334ce35	1795109001846	13	t
01a1f4d5-9a77-70f8-858c-01b6154aef9b	1795109001847	13	t
01a1f4d5-9a77-70f9-99c1-8d57ddf81c9a	1795109001847	13	t
01a1f4d5-9a78-709c-9d19-37b3abfde4a3	1795109001848	13	t
01a1f4d5-9a79-7027-a6df-a407242862ab	1795109001849	13	t
01a1f4d5-9a7a-703a-be05-42385d780cf4	1795109001850	13	t
01a1f4d5-9a7b-7073-9012-7af6e73f5233	1795109001851	13	t
01a1f4d5-9a7c-70dd-9cb2-69fb51d029d5	1795109001852	13	t
01a1f4d5-9a7d-7019-99c1-3adac29289c4	1795109001853	13	t
01a1f4d5-9a7d-701a-9248-ef6d978b43e8	1795109001853	13	t
01a1f4d5-9a80-70b6-9010-9bc6a31305c4	1795109001856	13	t
01a1f4d5-9a89-70c3-9513-fa96ec40e4bf	1795109001865	13	t
01a1f4d5-9a8a-7062-bbe3-592ba441e4a7	1795109001866	13	t
01a1f4d5-9a8e-70bc-9bc5-fcc7a95a5bb0	1795109001870	13	t
01a1f4d5-9a8f-7099-81ad-a62679063ee0	1795109001871	13	t
01a1f4d5-9a97-7063-bb5b-0cf8bdf343a6	1795109001879	13	t
01a1f4d5-9a9a-701a-a825-dc9eeba89ee7	1795109001882	13	t
01a1f4d5-9a9b-706d-92a7-1130694dc925	1795109001883	13	t
01a1f4d5-9a9c-7039-9efc-ee983d88418b	1795109001884	13	t
01a1f4d5-9a9f-7070-967c-c5e8dd891f81	1795109001887	13	t
01a1f4d5-9aa0-70ae-9e78-c11f44e4f802	1795109001888	13	t
01a1f4d5-9aa2-70cd-a76f-58ed5b135876	1795109001890	13	t
01a1f4d5-9aa3-708a-a3da-96405a0c0c98	1795109001891	13	t
01a1f4d5-9aa4-70d3-999a-32c3e38d5cb1	1795109001892	13	t
01a1f4d5-9aa5-703f-b808-93ec27a5ad94	1795109001893	13	t
01a1f4d5-9e79-70dc-a6ee-07f1a573f039	1795109002873	13	t
01a1f4d5-90a0-70b0-8073-2413d0f7da5b	1795108999328	13	t
01a1f4d5-9a68-70fb-8244-028628cc5e5a	1795109001832	13	t
01a1f4d5-9a7f-7070-bbdc-a896c2136b63	1795109001855	13	t
01a1f4d5-9a81-70a9-b70d-d46821259223	1795109001857	13	t
01a1f4d5-9a83-702b-9bc3-dc6361f93a75	1795109001859	13	t
01a1f4d5-9a84-7000-8cef-bf0fb6a4bd2b	1795109001860	13	t
01a1f4d5-9a86-708a-a469-ccace13193ba	1795109001862	13	t
01a1f4d5-9a88-70eb-9a46-c09adc9b786a	1795109001864	13	t
01a1f4d5-9a8b-70df-a62f-45a5225078fd	1795109001867	13	t
01a1f4d5-9a8d-7075-ab1b-2f8791cc7397	1795109001869	13	t
01a1f4d5-9a95-705f-9cc2-caae148eaba4	1795109001877	13	t
01a1f4d5-9a96-7006-9689-04289af74be6	1795109001878	13	t
01a1f4d5-9a98-70df-9be3-94c048585858	1795109001880	13	t
01a1f4d5-9a9e-70a5-b9b0-2e0cae3c4e10	1795109001886	13	t
01a1f4d5-9aa1-701a-8829-fe7057f18773	1795109001889	13	t
01a1f4d5-9fc5-70b9-aab9-82867209eee5	1795109003205	13	t
01a1f4d5-9fc7-7065-8d8c-cfc38e3b763f	1795109003207	13	t
\.


--
-- Data for Name: decision_20776; Type: TABLE DATA; Schema: semel; Owner: -
--

COPY semel.decision_20776 (day, tenant, sequence, data) FROM stdin;
20776	default	2	\\x0100e2acaccdbe680e616374696f6e731e656e7175657565645f6265666f726500000c6e6f5f6b657901a1f4d5895274d9bdef22fdf2f10c9400020000
20776	default	3	\\x0100f6acaccdbe680e616374696f6e7312636f6d706c6574656400000c6e6f5f6b657901a1f4d58b3b709b97c51ad3aaa3e0f600020000
20776	default	4	\\x010080adaccdbe680e616374696f6e730c6661696c656400000c6e6f5f6b657901a1f4d58b4070e687f4794677b2a80400020000
20776	default	5	\\x010086adaccdbe680e616374696f6e731c6661696c65645f61745f6c61737400000c6e6f5f6b657901a1f4d58b43708c914ac42c4fd3794000020000
20776	default	6	\\x0100d8aeaccdbe680e616374696f6e731e6661696c65645f666f725f676f6f6400000c6e6f5f6b657901a1f4d58bac703d8cd703940034674900020000
20776	default	7	\\x0100e0aeaccdbe680e616374696f6e731263616e63656c6c656400000c6e6f5f6b657901a1f4d58bb0701ab054c062ea6e108300020000
20776	default	8	\\x0100e2aeaccdbe680e616374696f6e732e63616e63656c6c65645f7768696c655f72756e6e696e6700000c6e6f5f6b657901a1f4d58bb17014b48ca4f58149b4d500020000
20776	default	9	\\x0100e8aeaccdbe680e616374696f6e7326726574726965645f62795f6f70657261746f7200000c6e6f5f6b657901a1f4d58bb47036b3de1ecd67b4929900020000
20776	default	10	\\x0100f0aeaccdbe680e616374696f6e731072656c656173656400000c6e6f5f6b657901a1f4d58bb870d1a8b997a2af9248c400020000
20776	default	11	\\x0100f6aeaccdbe680e616374696f6e73126c6f73745f6f6e636500000c6e6f5f6b657901a1f4d58bbb70b5836c6a1217b8eae100020000
20776	default	12	\\x0100faaeaccdbe680e616374696f6e731c74696d65645f6f75745f6f6e636500000c6e6f5f6b657901a1f4d58bbd702c841fa2641852a74b00020000
20776	default	13	\\x0100feaeaccdbe680e616374696f6e731a6c6f73745f666f725f676f6f6400000c6e6f5f6b657901a1f4d58bbf70e9ae662b08efca8ef200020000
20776	default	14	\\x010082afaccdbe680e616374696f6e730a6c6172676500000c6e6f5f6b657901a1f4d58bc170e1a8a6183c260be53700020000
20776	acme	15	\\x010088afaccdbe680e616374696f6e730e6f665f61636d6500000c6e6f5f6b657901a1f4d58bc4709d8bb1540dcffdafd500020a6f7264657204c3a9
20776	acme	16	\\x01008aafaccdbe680e616374696f6e7318646f6e655f6f665f61636d6500000c6e6f5f6b657901a1f4d58bc570939eed1c6eee77729300020000
20776	default	17	\\x010290afaccdbe680e616374696f6e731a6b65795f636f6d706c657465643c5b226b65795f636f6d706c65746564222c226b6579222c226f6e6365225d000a666972737401a1f4d58bc8703c8ade62b224d1a047000200000acc365472eb66d4c19d5f4367d80ec94fc1c865aba3fd0af92621ffb655b8f7
20776	default	18	\\x010298afaccdbe680e616374696f6e73166b65795f70656e64696e67385b226b65795f70656e64696e67222c226b6579222c2268656c64225d000a666972737401a1f4d58bcc708da1c07d137580e7f00002000001893c05fd8699a0de3514339d65977792bf2ac63e8d5c33fdc6c86d574a7d7f
20776	default	19	\\x01029cafaccdbe680e616374696f6e731a6b65795f6f665f656e74697479745b226b65795f6f665f656e74697479222c22656e74697479222c226f72646572222c223137222c222f6b696e64222c225c226d61696c5c22225d000a666972737401a1f4d58bce70ee909de9d2b2a2c5de00020a6f72646572043137f58a81f419e0e6031a2afd1b03d52a7be220fe18c45ac7168dceca94d31934be
20776	default	20	\\x01029eafaccdbe680e616374696f6e731a6b65795f6f665f656e74697479745b226b65795f6f665f656e74697479222c22656e74697479222c226f72646572222c223137222c222f6b696e64222c225c226d61696c5c22225d060c72656a65637401a1f4d58bce70ee909de9d2b2a2c5de00020a6f72646572043137f58a81f419e0e6031a2afd1b03d52a7be220fe18c45ac7168dceca94d31934be
20776	default	21	\\x0102a0afaccdbe680e616374696f6e73126465626f756e636564345b226465626f756e636564222c226b6579222c2263616c6d225d000a666972737401a1f4d58bd070798c3a17dd643c235200020000d2a4a6e8e4b23d17c38fae3866aff971ec51a211be4680906e52c15ae0af9f2a
20776	default	22	\\x0100a4afaccdbe680e616374696f6e731e7365616c735f615f7265717565737400000c6e6f5f6b657901a1f4d58bd270fc8c0c7b79e6bd684a00020000
20776	default	23	\\x0100a6afaccdbe680e616374696f6e73146964656d706f74656e7400000c6e6f5f6b657901a1f4d58bd370e78be40636b8f0529400020000
20776	default	24	\\x0102a8afaccdbe680e616374696f6e7314737570657273656465643a5b2273757065727365646564222c226b6579222c226e6577657374225d000a666972737401a1f4d58bd4706ab2246f86388de5fe0002000041d25326a93f08e5a79c07871258e0d78d7b9c2695c68ca20af113791bb724cb
20776	default	25	\\x0102aeafaccdbe680e616374696f6e7314737570657273656465643a5b2273757065727365646564222c226b6579222c226e6577657374225d0012737563636573736f7201a1f4d58bd770cfa72497b7b03ca7200002000041d25326a93f08e5a79c07871258e0d78d7b9c2695c68ca20af113791bb724cb
20776	default	26	\\x0102b4afaccdbe680c636861696e731e636861696e5f636f6d706c65746564365b22636861696e5f636f6d706c65746564222c2277686f6c65225d00066b657901a1f4d58bda7000833cfe164a21b93a00020000fd293d19745efda23599ff7cf691464b3870d79cf9214f7f376ef4553412b5dc
20776	default	27	\\x0100c4afaccdbe680c636861696e7318636861696e5f6661696c656400000c6e6f5f6b657901a1f4d58be270b8b8da78509970d1a800020000
20776	default	28	\\x0100c6afaccdbe680c636861696e732c636861696e5f77616974735f666f725f6661696c656400000c6e6f5f6b657901a1f4d58be3702d80f33a573ddce73000020000
20776	default	29	\\x0100caafaccdbe680c636861696e732e636861696e5f6661696c65645f62795f626c6f636b657200000c6e6f5f6b657901a1f4d58be57090bb03f3a0ad0ae11400020000
20776	default	30	\\x0100d0afaccdbe680c636861696e731e636861696e5f63616e63656c6c656400000c6e6f5f6b657901a1f4d58be870baae09b62c93264e1500020000
20776	default	31	\\x0102d4afaccdbe680c636861696e731a636861696e5f64656c65746564365b22636861696e5f64656c65746564222c2264656c65746564225d00066b657901a1f4d58bea7019ba96f234ab827c1600020000793baedeba7386ccb4b65ca1bab1ab4533076ab3a5991c0181e299958f1aab87
20776	default	32	\\x0102deafaccdbe680c636861696e7312636861696e5f666172265b22636861696e5f666172222c22666172225d00066b657901a1f4d58bef703a96c907a633a8819800020000dd386588c55bac7aee8f8f63770f6549c75b626561cfaf4c7ddd65e919c785e3
20776	default	33	\\x0100e2afaccdbe680c636861696e731a636861696e5f626c6f636b656400000c6e6f5f6b657901a1f4d58bf17076b859ab465711731900020000
20776	default	34	\\x0100e4afaccdbe680c636861696e7320636861696e5f6f6e5f6974735f77617900000c6e6f5f6b657901a1f4d58bf270918af95427ca71bb7300020000
20776	default	35	\\x0100eeafaccdbe680c636861696e7318636861696e5f696e6c696e6500000c6e6f5f6b657901a1f4d58bf7709b96baa13d7b7aacc200020000
20776	default	36	\\x0100eeafaccdbe680c636861696e7316636861696e5f6a6f696e7300000c6e6f5f6b657901a1f4d58bf7709ab84b4e71e81c43a700020000
20776	default	37	\\x0100f2afaccdbe680c636861696e731a636861696e5f676f65735f6f6e00000c6e6f5f6b657901a1f4d58bf97064858623e494485cf000020000
20776	default	38	\\x0100f4afaccdbe680c636861696e731c636861696e5f63686f73656e5f3100000c6e6f5f6b65790198000000007000800000000000000100020000
20776	default	39	\\x0100f6afaccdbe680c636861696e731c636861696e5f63686f73656e5f3200000c6e6f5f6b65790198000000007000800000000000000200020000
20776	acme	40	\\x0100f8afaccdbe680c636861696e731a636861696e5f6f665f61636d6500000c6e6f5f6b657901a1f4d58bfc70b29ed4c450df13096800020000
20776	default	41	\\x0100c0b0accdbe680e616374696f6e730862756c6b00000c6e6f5f6b657901a1f4d58c20704ba0d2c6c2c10bce1600020000
20776	default	42	\\x0100c0b0accdbe680e616374696f6e730862756c6b00000c6e6f5f6b657901a1f4d58c20704cbebc5433647dd88600020000
20776	default	43	\\x0100c2b0accdbe680e616374696f6e73126c6f73745f6f6e6365000a086c6f737401a1f4d58bbb70b5836c6a1217b8eae1c2b0accdbe68020000
20776	default	44	\\x0100c4b0accdbe680e616374696f6e730862756c6b00000c6e6f5f6b657901a1f4d58c22703ba52e62bffa9ab6ab00020000
20776	default	45	\\x0100cab0accdbe680e616374696f6e731a6c6f73745f666f725f676f6f64000a086c6f737401a1f4d58bbf70e9ae662b08efca8ef2cab0accdbe68020000
20776	default	46	\\x010298b2accdbe680c66656e63657306617069145b227365616c6564225d000a66697273740000000000000000000000000000000098b2accdbe68020000cebfc68d2d1ac3cd0fe0f8c6a177eb5a2df2a2b6efb8dec5799de652da7c1930
20776	default	47	\\x0212a0b2accdbe680c66656e63657306617069145b227365616c6564225d060e636f6e74656e740000000000000000000000000000000098b2accdbe68020000cebfc68d2d1ac3cd0fe0f8c6a177eb5a2df2a2b6efb8dec5799de652da7c193020656666656374206f66207365616c6564
20776	default	48	\\x0102a2b2accdbe680c66656e6365730e776562686f6f6b265b227365616c65642f627920636c617373225d000a666972737400000000000000000000000000000000a2b2accdbe680200007bfdafa1a8066551a1153a5051321caa67f150a0147520b3f05a822beb752aba
20776	default	49	\\x0102a6b2accdbe680c66656e63657306617069185b2272656c6561736564225d000a666972737400000000000000000000000000000000a6b2accdbe68020000dd36a0e6a8958d18f0e13e5796646cc710a66c3952b325f5f1a0a9a9557249fa
20776	default	50	\\x0102aab2accdbe680c66656e636573066170691a5b22756e6365727461696e225d000a666972737400000000000000000000000000000000aab2accdbe680200009d8b5d7940dfb12ccc4520ddd86778b7359dc7a55cd60308cef99ac23a0e7a0e
20776	default	51	\\x010aacb2accdbe680c66656e636573001a5b22756e6365727461696e225d0e0a6f776e657200000000000000000000000000000000aab2accdbe680200009d8b5d7940dfb12ccc4520ddd86778b7359dc7a55cd60308cef99ac23a0e7a0e023f
20776	default	52	\\x0102aeb2accdbe680c66656e63657306617069185b227265736f6c766564225d000a666972737400000000000000000000000000000000aeb2accdbe680200007a255ce80e55c2c167f9bce5c7d9e1d4f19da593ce8e8d441cb11a3a4c2e951b
20776	default	53	\\x0102b0b2accdbe680c66656e63657300185b227265736f6c766564225d0e0a6f776e657200000000000000000000000000000000aeb2accdbe680200007a255ce80e55c2c167f9bce5c7d9e1d4f19da593ce8e8d441cb11a3a4c2e951b
20776	default	54	\\x021abab2accdbe680c66656e63657300185b227265736f6c766564225d0c0c7365616c656400000000000000000000000000000000bab2accdbe680200007a255ce80e55c2c167f9bce5c7d9e1d4f19da593ce8e8d441cb11a3a4c2e951b1c61736b6564207468652062616e6b0e62792068616e64
20776	default	55	\\x0102bcb2accdbe680c66656e63657306617069165b2265787069726564225d000a666972737400000000000000000000000000000000bcb2accdbe68020000cb57377f999398392a6b012bd0c109d3af3c0b6031111daed1c74741d534012b
20776	default	56	\\x0102c0b2accdbe680c66656e636573066170691c5b2274616b656e5f6f766572225d000a666972737400000000000000000000000000000000c0b2accdbe68020000b491ba7ec6c170ada29802822571612ca0b666209ef0969dbca6fa9fa7036c6e
20776	default	57	\\x01028ab4accdbe680c66656e636573001c5b2274616b656e5f6f766572225d0a146c656173655f6f766572000000000000000000000000000000008ab4accdbe68020000b491ba7ec6c170ada29802822571612ca0b666209ef0969dbca6fa9fa7036c6e
20776	default	58	\\x01028ab4accdbe680c66656e636573066170691c5b2274616b656e5f6f766572225d00146c656173655f6f766572000000000000000000000000000000008ab4accdbe68020000b491ba7ec6c170ada29802822571612ca0b666209ef0969dbca6fa9fa7036c6e
20776	default	59	\\x010290b4accdbe680c66656e6365730661706988015b2232393061643738376436356430653135343739376130396161376232326566396530653962653231376334613865353633623036303237353361643737343937225d000a66697273740000000000000000000000000000000090b4accdbe68020a6f7264657204313726d99176f838bd2562789de37bb0cff512d42d2eed9c4a5361fe8d1280ae898d
20776	default	60	\\x010296b4accdbe680c66656e6365730661706988015b2237356665306530336436313337323664656138633862303533373934653137623562616166333765393931356534646538376665653831626565646461393132225d000a66697273740000000000000000000000000000000096b4accdbe68020a6f7264657204313758b21dbed5595e521d70be6911471c69ce78ccff5fb1131a17274a66c3fb5a55
20776	default	61	\\x0212a2b4accdbe680c66656e63657306617069165b2265787069726564225d020c7365616c656400000000000000000000000000000000bcb2accdbe680e0000cb57377f999398392a6b012bd0c109d3af3c0b6031111daed1c74741d534012b22656666656374206f662065787069726564
20776	default	62	\\x010692afaccdbe680e616374696f6e731a6b65795f636f6d706c657465643c5b226b65795f636f6d706c65746564222c226b6579222c226f6e6365225d020e7265706c61636501a1f4d58bc8703c8ade62b224d1a047000400000acc365472eb66d4c19d5f4367d80ec94fc1c865aba3fd0af92621ffb655b8f7
20776	default	63	\\x01069aafaccdbe680e616374696f6e73166b65795f70656e64696e67385b226b65795f70656e64696e67222c226b6579222c2268656c64225d020e7265706c61636501a1f4d58bcc708da1c07d137580e7f00002000001893c05fd8699a0de3514339d65977792bf2ac63e8d5c33fdc6c86d574a7d7f
20776	default	64	\\x02129cb2accdbe680c66656e63657306617069145b227365616c6564225d020c7365616c65640000000000000000000000000000000098b2accdbe68020000cebfc68d2d1ac3cd0fe0f8c6a177eb5a2df2a2b6efb8dec5799de652da7c193020656666656374206f66207365616c6564
20776	default	66	\\x0212aabfaccdbe680c66656e63657306617069165b2265787069726564225d020c7365616c656400000000000000000000000000000000bcb2accdbe68040000cb57377f999398392a6b012bd0c109d3af3c0b6031111daed1c74741d534012b22656666656374206f662065787069726564
20776	default	67	\\x0100eeddaccdbe680e616374696f6e731c74696d65645f6f75745f6f6e6365000a0e74696d656f757401a1f4d58bbd702c841fa2641852a74beeddaccdbe68020000
20776	default	69	\\x0100d2e9accdbe680e616374696f6e730a6c6174657200000c6e6f5f6b657901a1f4d59a69702b84dba4eb599dbcc400020000
20776	default	70	\\x0100d4e9accdbe680e616374696f6e73126261636b6f66665f3100000c6e6f5f6b657901a1f4d59a6a709cabf37c4033f336e600020000
20776	default	71	\\x0100dce9accdbe680e616374696f6e73126261636b6f66665f3200000c6e6f5f6b657901a1f4d59a6e7003ab5b072efe2777a700020000
20776	default	72	\\x0100e2e9accdbe680e616374696f6e73126261636b6f66665f3300000c6e6f5f6b657901a1f4d59a717012abfcf1af2c6cf99a00020000
20776	default	73	\\x0100e8e9accdbe680e616374696f6e730868656c6400000c6e6f5f6b657901a1f4d59a7470a8982733685cb75a3b00020000
20776	default	74	\\x0100eae9accdbe680e616374696f6e732268656c645f776974685f74696d656f757400000c6e6f5f6b657901a1f4d59a75707ebb67db34f1b9b0cb00020000
20776	default	75	\\x0100ece9accdbe680c636861696e7314636861696e5f68656c6400000c6e6f5f6b657901a1f4d59a7670518ee7ff8b6e97cfb100020000
20776	default	76	\\x0100f2e9accdbe680e616374696f6e7320636f6d706c657465645f696e5f73716c00000c6e6f5f6b657901a1f4d59a79703792406fbd9b34703500020000
20776	default	77	\\x0100f6e9accdbe680e616374696f6e731a6661696c65645f696e5f73716c00000c6e6f5f6b657901a1f4d59a7b70b483249bc62b05a5bc00020000
20776	default	78	\\x0100fae9accdbe680e616374696f6e7320636f6e74696e7565645f696e5f73716c00000c6e6f5f6b657901a1f4d59a7d70649fe9e63b44fb037a00020000
20776	default	85	\\x010094eaaccdbe680e616374696f6e731267726f75705f66617200000c6e6f5f6b657901a1f4d59a8a70889e66ab2096566ce100020000
20776	default	88	\\x01029eeaaccdbe680c66656e636573066170691a5b22696e5f666c69676874225d000a6669727374000000000000000000000000000000009eeaaccdbe68020000fc8e4607443abbd41da372fc3b6fed562500ff13ceb1592314af633ca8ca982f
20776	default	91	\\x0100aeeaaccdbe680c636861696e730c646f6f6d656400000c6e6f5f6b657901a1f4d59a977089b81d236ceee0e07300020000
20776	default	93	\\x0100b4eaaccdbe680c636861696e730a776169747300000c6e6f5f6b657901a1f4d59a9a70119f5a223af5bc82db00020000
20776	default	94	\\x0100b6eaaccdbe680c636861696e730c646f6f6d656400000c6e6f5f6b657901a1f4d59a9b70318fc2bf3aff2a229c00020000
20776	default	95	\\x0100b8eaaccdbe680c636861696e730a776169747300000c6e6f5f6b657901a1f4d59a9c7096ba2d730dc4e5ad2300020000
20776	default	97	\\x0100beeaaccdbe680c636861696e730c646f6f6d656400000c6e6f5f6b657901a1f4d59a9f7023afb793a4336ea35300020000
20776	default	98	\\x0100c0eaaccdbe680c636861696e730a776169747300000c6e6f5f6b657901a1f4d59aa070bd84de0a9e69a4d74300020000
20776	default	100	\\x0100c4eaaccdbe680c636861696e730c646f6f6d656400000c6e6f5f6b657901a1f4d59aa2704a9f44a8651f8275f200020000
20776	default	101	\\x0100c6eaaccdbe680c636861696e730a776169747300000c6e6f5f6b657901a1f4d59aa370c4a34145339c87e23c00020000
20776	default	102	\\x0100c8eaaccdbe680c636861696e730a776169747300000c6e6f5f6b657901a1f4d59aa47044808ab634d585089c00020000
20776	default	103	\\x0102a0eaaccdbe680c66656e636573066170691a5b22696e5f666c69676874225d040c6c6561736564000000000000000000000000000000009eeaaccdbe68020000fc8e4607443abbd41da372fc3b6fed562500ff13ceb1592314af633ca8ca982f
20776	default	65	\\x0102c0c2accdbe680c66656e63657306617069165b2265787069726564225d00086672656500000000000000000000000000000000c0c2accdbe68020000cb57377f999398392a6b012bd0c109d3af3c0b6031111daed1c74741d534012b
20776	default	68	\\x0102d0e9accdbe680e616374696f6e73066e6f77385b226e6f77222c22656e74697479222c226f72646572222c2237225d000a666972737401a1f4d59a687097bae1ead8acfe260f00020a6f726465720237cdd4ddc403eda8dbd32d26ceee3f978a8e4d06fb2b18a8ba2b70db498bd72fb1
20776	default	79	\\x0102fee9accdbe680e616374696f6e73126f76657274616b656e3a5b226f76657274616b656e222c226b6579222c22666f6c6c6f7773225d000a666972737401a1f4d59a7f70ce8f8e979f780aa7d900020000a937c8372e20d6c8191467b15700fe1f6b95b7982c328bbf5cf4466d8de1a584
20776	default	80	\\x010282eaaccdbe680e616374696f6e73126f76657274616b656e3a5b226f76657274616b656e222c226b6579222c22666f6c6c6f7773225d0012737563636573736f7201a1f4d59a8170f18b97c3aa3955226e00020000a937c8372e20d6c8191467b15700fe1f6b95b7982c328bbf5cf4466d8de1a584
20776	default	81	\\x010086eaaccdbe680e616374696f6e730e67726f75705f3000000c6e6f5f6b657901a1f4d59a83705cad1028bf6510bfe200020000
20776	default	82	\\x010088eaaccdbe680e616374696f6e730e67726f75705f3100000c6e6f5f6b657901a1f4d59a84708a8a869084d52feb2900020000
20776	default	83	\\x01008ceaaccdbe680e616374696f6e730e67726f75705f3200000c6e6f5f6b657901a1f4d59a8670ce9ff14acc2e8659e000020000
20776	default	84	\\x010090eaaccdbe680e616374696f6e730e67726f75705f3300000c6e6f5f6b657901a1f4d59a8870288d874c930dcb5f0e00020000
20776	default	86	\\x010096eaaccdbe680e616374696f6e731667726f75705f726561647900000c6e6f5f6b657901a1f4d59a8b70138a38debb49a1d99600020000
20776	default	87	\\x01009aeaaccdbe680e616374696f6e731867726f75705f626568696e6400000c6e6f5f6b657901a1f4d59a8d709f95f10a53498b85a400020000
20776	default	89	\\x0102aaeaaccdbe680c66656e63657306617069225b227365616c65645f696e5f73716c225d000a666972737400000000000000000000000000000000aaeaaccdbe6802000077f6c1c947170b32894f94c44de0d335e3250a26b406220ee9161a9d881c3554
20776	default	90	\\x0102aceaaccdbe680c66656e6365730661706988015b2264363635353237316362336331666165373331386161656466613936343861363966613664386333613363373035636539356238656133313961363966306435225d000a666972737400000000000000000000000000000000aceaaccdbe68020e696e766f696365043137e9b4203fc39554f220f5b2595ba5791e231a70c221d0d379384f491c52f32fab
20776	default	92	\\x0100b0eaaccdbe680c636861696e730a776169747300000c6e6f5f6b657901a1f4d59a987058afa8f84dcc91b09400020000
20776	default	96	\\x0100bceaaccdbe680c636861696e730a776169747300000c6e6f5f6b657901a1f4d59a9e7052a879a7f4fdb2ba9d00020000
20776	default	99	\\x0100c2eaaccdbe680c636861696e730a776169747300000c6e6f5f6b657901a1f4d59aa17092b2e31bcaa143946800020000
\.


--
-- Data for Name: decision_20777; Type: TABLE DATA; Schema: semel; Owner: -
--

COPY semel.decision_20777 (day, tenant, sequence, data) FROM stdin;
\.


--
-- Data for Name: decision_20778; Type: TABLE DATA; Schema: semel; Owner: -
--

COPY semel.decision_20778 (day, tenant, sequence, data) FROM stdin;
\.


--
-- Data for Name: decision_20779; Type: TABLE DATA; Schema: semel; Owner: -
--

COPY semel.decision_20779 (day, tenant, sequence, data) FROM stdin;
\.


--
-- Data for Name: decision_rest; Type: TABLE DATA; Schema: semel; Owner: -
--

COPY semel.decision_rest (day, tenant, sequence, data) FROM stdin;
\.


--
-- Data for Name: drain; Type: TABLE DATA; Schema: semel; Owner: -
--

COPY semel.drain (id) FROM stdin;
1
\.


--
-- Data for Name: edge; Type: TABLE DATA; Schema: semel; Owner: -
--

COPY semel.edge (blocked, "position", blocker, done) FROM stdin;
01a1f4d5-8be3-702d-80f3-3a573ddce730	0	01a1f4d5-8be2-70b8-b8da-78509970d1a8	f
01a1f4d5-8be5-7090-bb03-f3a0ad0ae114	0	01a1f4d5-8be2-70b8-b8da-78509970d1a8	f
01a1f4d5-8bf1-7076-b859-ab4657117319	0	01a1f4d5-8bef-703a-96c9-07a633a88198	f
01a1f4d5-8bf7-709a-b84b-4e71e81c43a7	0	01a1f4d5-8bda-7000-833c-fe164a21b93a	t
01a1f4d5-8bf7-709a-b84b-4e71e81c43a7	1	01a1f4d5-8bf2-7091-8af9-5427ca71bb73	f
01a1f4d5-8bf7-709a-b84b-4e71e81c43a7	2	01a1f4d5-8bf7-709b-96ba-a13d7b7aacc2	f
01a1f4d5-8bf9-7064-8586-23e494485cf0	0	01a1f4d5-8bf7-709a-b84b-4e71e81c43a7	f
01a1f4d5-9a98-7058-afa8-f84dcc91b094	0	01a1f4d5-9a97-7089-b81d-236ceee0e073	f
01a1f4d5-9a9a-7011-9f5a-223af5bc82db	0	01a1f4d5-9a98-7058-afa8-f84dcc91b094	f
01a1f4d5-9a9c-7096-ba2d-730dc4e5ad23	0	01a1f4d5-9a9b-7031-8fc2-bf3aff2a229c	f
01a1f4d5-9a9e-7052-a879-a7f4fdb2ba9d	0	01a1f4d5-9a9c-7096-ba2d-730dc4e5ad23	f
01a1f4d5-9aa0-70bd-84de-0a9e69a4d743	0	01a1f4d5-9a9f-7023-afb7-93a4336ea353	f
01a1f4d5-9aa1-7092-b2e3-1bcaa1439468	0	01a1f4d5-9aa0-70bd-84de-0a9e69a4d743	f
01a1f4d5-9aa3-70c4-a341-45339c87e23c	0	01a1f4d5-9aa2-704a-9f44-a8651f8275f2	f
01a1f4d5-9aa4-7044-808a-b634d585089c	0	01a1f4d5-9aa3-70c4-a341-45339c87e23c	f
\.


--
-- Data for Name: job; Type: TABLE DATA; Schema: semel; Owner: -
--

COPY semel.job (id, tenant, type, status, place, shelf, urgency, scheduled_at, created_at, completed_at, lock_group, chain, token, schedule, schedule_name, slot, data, payload, chain_index, in_chain, chain_shelf, kept, chosen, completed_by) FROM stdin;
01a1f4d5-8952-74d9-bdef-22fdf2f10c94	default	enqueued_before	1	1	0	0	1795108997937	1795108997937	\N	\N	01a1f4d5-8952-74d9-bdef-22fdf2f10c94	0	\N	\N	\N	\\x0100e2acaccdbe6806000000	\\x5b315d	0	f	\N	\N	t	\N
01a1f4d5-8b3b-709b-97c5-1ad3aaa3e0f6	default	completed	3	6	3	-7	1795108997947	1795108997947	1795108997951	\N	01a1f4d5-8b3b-709b-97c5-1ad3aaa3e0f6	1795108997949	\N	\N	\N	\\x01a842feacaccdbe68060200faacaccdbe68faacaccdbe68c0a9070006a31943cc3cd182dc1e8259aa1c288d5cc0e35dd98140b0456a5be102d68a2e90	\\x7b226e223a20312e352c202274657874223a20225c75303065395c75303030305c22222c20226c697374223a205b312c206e756c6c2c20747275655d7d	0	f	\N	\N	\N	\\x776f726b6572206f6620636f6d706c65746564
01a1f4d5-8b40-70e6-87f4-794677b2a804	default	failed	4	6	4	0	1795108997952	1795108997952	1795108997954	\N	01a1f4d5-8b40-70e6-87f4-794677b2a804	1795108997953	\N	\N	\N	\\x01984284adaccdbe6802020082adaccdbe6882adaccdbe680414808080808080808080012802089c510a75542fbda3e73327f076975600308dcba7d6d4edc383eed6b858a1b56e	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4d5-8b43-708c-914a-c42c4fd37940	default	failed_at_last	4	6	4	0	1795108998057	1795108997955	1795108998059	\N	01a1f4d5-8b43-708c-914a-c42c4fd37940	1795108998058	\N	\N	\N	\\x019842d6aeaccdbe68040400d4aeaccdbe68d4aeaccdbe6806c80180808080808080808001000208535c02784639672ef2e7c5466dd1447ecf84a4963a3c9335e34fa97a2da3c134	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4d5-8bac-703d-8cd7-039400346749	default	failed_for_good	4	6	4	0	1795108998060	1795108998060	1795108998062	\N	01a1f4d5-8bac-703d-8cd7-039400346749	1795108998061	\N	\N	\N	\\x018842dcaeaccdbe68d00f0200daaeaccdbe68daaeaccdbe680208b1918000f179b0ab861dbf3c9f24c6470943da336a6dbee104cdf97f9bf9de35	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4d5-8bb0-701a-b054-c062ea6e1083	default	cancelled	5	6	5	0	1795112598064	1795108998064	1795108998064	\N	01a1f4d5-8bb0-701a-b054-c062ea6e1083	0	\N	\N	\N	\\x0100e0aeaccdbe6806000000	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4d5-8bb1-7014-b48c-a4f58149b4d5	default	cancelled_while_running	5	6	5	0	1795108998065	1795108998065	1795108998067	\N	01a1f4d5-8bb1-7014-b48c-a4f58149b4d5	1795108998067	\N	\N	\N	\\x0108e6aeaccdbe68060200e6aeaccdbe68e4aeaccdbe68	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4d5-8bb4-7036-b3de-1ecd67b49299	default	retried_by_operator	1	1	0	0	1795108998071	1795108998068	\N	\N	01a1f4d5-8bb4-7036-b3de-1ecd67b49299	1795108998071	\N	\N	\N	\\x0100eeaeaccdbe68020000eeaeaccdbe68	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4d5-8bb8-70d1-a8b9-97a2af9248c4	default	released	1	1	0	0	1795108998072	1795108998072	\N	\N	01a1f4d5-8bb8-70d1-a8b9-97a2af9248c4	1795108998074	\N	\N	\N	\\x018802f6aeaccdbe68060000f4aeaccdbe68f4aeaccdbe6806023906241ff0319af27e727e71fdeb214c531cf78cfc7eb3b079e113fca293a798	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4d5-8bc1-70e1-a8a6-183c260be537	default	large	3	6	3	0	1795108998081	1795108998081	1795108998083	\N	01a1f4d5-8bc1-70e1-a8a6-183c260be537	1795108998082	\N	\N	\N	\\x01884286afaccdbe6806020084afaccdbe6884afaccdbe680006c54c678dd60545f321d2eae839f7336ce609aeebda5c98271280a61f05b131fc	\\x7b2274657874223a20226c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c6172676520227d	0	f	\N	\N	\N	\\x776f726b6572206f66206c61726765
01a1f4d5-8bc4-709d-8bb1-540dcffdafd5	acme	of_acme	1	1	0	0	1795108998084	1795108998084	\N	\N	01a1f4d5-8bc4-709d-8bb1-540dcffdafd5	0	\N	\N	\N	\\x010088afaccdbe6806000000	\\x7b22656e7469747954797065223a20226f72646572222c2022656e746974794964223a20225c7530306539227d	0	f	\N	\N	\N	\N
01a1f4d5-8bc5-7093-9eed-1c6eee777293	acme	done_of_acme	3	6	3	0	1795108998085	1795108998085	1795108998086	\N	01a1f4d5-8bc5-7093-9eed-1c6eee777293	1795108998086	\N	\N	\N	\\x0188428cafaccdbe680602008cafaccdbe688cafaccdbe68000634327e28e92df68402c979a180793a01e751b4c14f4f3cc0c73475feb4472ab6	\\x7b7d	0	f	\N	\N	\N	\\x776f726b6572206f6620646f6e655f6f665f61636d65
01a1f4d5-8bc8-703c-8ade-62b224d1a047	default	key_completed	3	6	3	0	1795108998088	1795108998088	1795108998091	\N	01a1f4d5-8bc8-703c-8ade-62b224d1a047	1795108998090	\N	\N	\N	\\x01cc4296afaccdbe6806020094afaccdbe680acc365472eb66d4c19d5f4367d80ec94fc1c865aba3fd0af92621ffb655b8f794afaccdbe6890efa5ac8e9702000619dac50067ef989050bb5e0373b65e56188419da61c3b4095358af9f83048630	\\x5b315d	0	f	\N	\N	\N	\\x776f726b6572206f66206b65795f636f6d706c65746564
01a1f4d5-8bd0-7079-8c3a-17dd643c2352	default	debounced	1	1	0	0	1795108998097	1795108998096	\N	\N	01a1f4d5-8bd0-7079-8c3a-17dd643c2352	0	\N	\N	\N	\\x0144a2afaccdbe6806000000d2a4a6e8e4b23d17c38fae3866aff971ec51a211be4680906e52c15ae0af9f2aa0e9e3d0be68	\\x7b2276223a20317d	0	f	\N	\N	\N	\N
01a1f4d5-8bd2-70fc-8c0c-7b79e6bd684a	default	seals_a_request	1	1	0	0	1795108998098	1795108998098	\N	\N	01a1f4d5-8bd2-70fc-8c0c-7b79e6bd684a	0	\N	\N	\N	\\x0100a4afaccdbe6806000000	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4d5-8bd3-70e7-8be4-0636b8f05294	default	idempotent	1	1	0	0	1795108998099	1795108998099	\N	\N	01a1f4d5-8bd3-70e7-8be4-0636b8f05294	0	\N	\N	\N	\\x0100a6afaccdbe6806000000	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4d5-8bdb-70bd-9a4a-7fe48a82412d	default	step	3	8	3	0	1795108998107	1795108998107	1795108998110	\N	01a1f4d5-8bda-7000-833c-fe164a21b93a	1795108998109	\N	\N	\N	\\x019a820cbcafaccdbe68feffffff0f0200baafaccdbe6802baafaccdbe6802a09c0180808080808080808001c0cf240006a79c06533c87c0af1e9f74ec929e99023e98dd969c1285dcf32d37ce709a950c01a1f4d58bde704c8eb0134adf603579	\\x7b227468656e223a20317d	1	t	\N	8	\N	\\x776f726b6572206f662073746570
01a1f4d5-8bbb-70b5-836c-6a1217b8eae1	default	lost_once	1	1	0	0	1795108998177	1795108998075	\N	\N	01a1f4d5-8bbb-70b5-836c-6a1217b8eae1	1795108998177	\N	\N	\N	\\x019840c2b0accdbe68060202c2b0accdbe68f8aeaccdbe6806c8018080808080808080800100	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4d5-8bbf-70e9-ae66-2b08efca8ef2	default	lost_for_good	4	6	4	0	1795108998079	1795108998079	1795108998181	\N	01a1f4d5-8bbf-70e9-ae66-2b08efca8ef2	1795108998181	\N	\N	\N	\\x018840cab0accdbe68020202cab0accdbe6880afaccdbe68	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4d5-8be2-70b8-b8da-78509970d1a8	default	chain_failed	4	8	4	0	1795108998114	1795108998114	1795108998119	\N	01a1f4d5-8be2-70b8-b8da-78509970d1a8	1795108998118	\N	\N	\N	\\x0198c224ceafaccdbe68020200ccafaccdbe68ccafaccdbe6802a09c0180808080808080808001c0cf240208f8744639e41cf47c2558820873752338b84ac7eb1f10a27f5b9e0d419b0ccb6c04	\\x7b7d	0	t	4	8	\N	\N
01a1f4d5-8bf1-7076-b859-ab4657117319	default	chain_blocked	0	4	0	0	1795108998129	1795108998129	\N	blocked	01a1f4d5-8bf1-7076-b859-ab4657117319	0	\N	\N	\N	\\x01908044e2afaccdbe68feffffff0f00000002a09c0180808080808080808001c0cf24020200	\\x7b7d	0	t	0	\N	\N	\N
01a1f4d5-8bf2-7091-8af9-5427ca71bb73	default	chain_on_its_way	3	8	3	0	1795108998130	1795108998130	1795108998133	\N	01a1f4d5-8bf2-7091-8af9-5427ca71bb73	1795108998131	\N	\N	\N	\\x0198823ceaafaccdbe68feffffff0f0200e6afaccdbe68e6afaccdbe6802a09c0180808080808080808001c0cf240006d5fcacf3185cc2fd4c1d2882a4e9ac890fa79371e09e201a10c7b62eef2c769f01a1f4d58bf570859695e31c3ac2269101a1f4d58bf570859695e31c3ac2269102	\\x7b227468656e223a20327d	0	t	\N	8	\N	\\x776f726b6572206f6620636861696e5f6f6e5f6974735f776179
01a1f4d5-8bf7-709a-b84b-4e71e81c43a7	default	chain_joins	0	4	0	0	1795108998135	1795108998135	\N	\N	01a1f4d5-8bf7-709a-b84b-4e71e81c43a7	0	\N	\N	\N	\\x01908064eeafaccdbe68feffffff0f00000002a09c0180808080808080808001c0cf2402060400	\\x7b7d	0	t	0	\N	\N	\N
01a1f4d5-8bbd-702c-841f-a2641852a74b	default	timed_out_once	1	1	0	0	1795109001179	1795108998077	\N	\N	01a1f4d5-8bbd-702c-841f-a2641852a74b	1795109001079	\N	\N	\N	\\x01b840eeddaccdbe68060200eeddaccdbe68fcaeaccdbe6806c8018080808080808080800100f02e	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4d5-8bcc-708d-a1c0-7d137580e7f0	default	key_pending	1	0	0	0	4070908800000	1795108998092	\N	\N	01a1f4d5-8bcc-708d-a1c0-7d137580e7f0	0	\N	\N	\N	\\x01449aafaccdbe680600000001893c05fd8699a0de3514339d65977792bf2ac63e8d5c33fdc6c86d574a7d7f98efa5ac8e9702	\\x7b2276223a20327d	0	f	\N	\N	\N	\N
01a1f4d5-8bce-70ee-909d-e9d2b2a2c5de	default	key_of_entity	1	0	0	0	4070908800000	1795108998094	\N	\N	01a1f4d5-8bce-70ee-909d-e9d2b2a2c5de	0	\N	\N	\N	\\x01449cafaccdbe6806000000f58a81f419e0e6031a2afd1b03d52a7be220fe18c45ac7168dceca94d31934be9cefa5ac8e9702	\\x7b22656e7469747954797065223a20226f72646572222c2022656e746974794964223a2031372c20226b696e64223a20226d61696c222c202276223a20317d	0	f	\N	\N	\N	\N
01a1f4d5-8bd7-70cf-a724-97b7b03ca720	default	superseded	1	1	0	0	1795108998103	1795108998103	\N	\N	01a1f4d5-8bd7-70cf-a724-97b7b03ca720	0	\N	\N	\N	\\x0144aeafaccdbe680600000041d25326a93f08e5a79c07871258e0d78d7b9c2695c68ca20af113791bb724cbaeefa5ac8e9702	\\x32	0	f	\N	\N	\N	\N
01a1f4d5-8bd4-706a-b224-6f86388de5fe	default	superseded	6	6	6	0	1795108998100	1795108998100	1795108998104	\N	01a1f4d5-8bd4-706a-b224-6f86388de5fe	1795108998102	\N	\N	\N	\\x01cc52b0afaccdbe68060200acafaccdbe6841d25326a93f08e5a79c07871258e0d78d7b9c2695c68ca20af113791bb724cbacafaccdbe68a8efa5ac8e9702020c1b05370ed0d7952d2184ae9ba72b0d1b5a5fce5ebd6fffd852908ae6558bd79501a1f4d58bd770cfa72497b7b03ca720	\\x31	0	f	\N	\N	\N	\N
01a1f4d5-8be3-702d-80f3-3a573ddce730	default	chain_waits_for_failed	0	4	0	0	1795108998115	1795108998115	\N	\N	01a1f4d5-8be3-702d-80f3-3a573ddce730	0	\N	\N	\N	\\x01908044c6afaccdbe68feffffff0f00000002a09c0180808080808080808001c0cf24020202	\\x7b7d	0	t	0	\N	\N	\N
01a1f4d5-8be8-70ba-ae09-b62c93264e15	default	chain_cancelled	5	6	5	0	1795108998120	1795108998120	1795108998121	\N	01a1f4d5-8be8-70ba-ae09-b62c93264e15	0	\N	\N	\N	\\x01908004d2afaccdbe68feffffff0f00000002a09c0180808080808080808001c0cf24	\\x7b7d	0	t	5	\N	\N	\N
01a1f4d5-8be5-7090-bb03-f3a0ad0ae114	default	chain_failed_by_blocker	4	6	4	0	1795108998117	1795108998117	1795108998122	\N	01a1f4d5-8be5-7090-bb03-f3a0ad0ae114	0	\N	\N	\N	\\x0190c044d4afaccdbe68feffffff0f00000002a09c0180808080808080808001c0cf24020200	\\x7b7d	0	t	4	\N	\N	\N
01a1f4d5-8bef-703a-96c9-07a633a88198	default	chain_far	1	0	0	0	4070908800000	1795108998127	\N	\N	01a1f4d5-8bef-703a-96c9-07a633a88198	0	\N	\N	\N	\\x01948024deafaccdbe68feffffff0f000000dd386588c55bac7aee8f8f63770f6549c75b626561cfaf4c7ddd65e919c785e302a09c0180808080808080808001c0cf2402	\\x7b7d	0	t	0	\N	\N	\N
01a1f4d5-8bf5-7085-9695-e31c3ac22691	default	way	1	1	0	-3	1795108998133	1795108998133	\N	\N	01a1f4d5-8bf2-7091-8af9-5427ca71bb73	0	\N	\N	\N	\\x01928004eaafaccdbe68feffffff0f0000000202a09c0180808080808080808001c0cf24	\\x7b227468656e223a20317d	1	t	0	\N	\N	\N
01a1f4d5-8bda-7000-833c-fe164a21b93a	default	chain_completed	3	8	3	0	1795108998106	1795108998106	1795108998107	\N	01a1f4d5-8bda-7000-833c-fe164a21b93a	1795108998107	\N	\N	\N	\\x019c823cb6afaccdbe68feffffff0f0200b6afaccdbe68fd293d19745efda23599ff7cf691464b3870d79cf9214f7f376ef4553412b5dcb6afaccdbe6802a09c0180808080808080808001c0cf24000639a7ab859eb3f2b3a777542a10c09b3b80f28229dfd3b4e13d31f6100a1e001101a1f4d58bdb70bd9a4a7fe48a82412d01a1f4d58bde704c8eb0134adf60357902	\\x7b227468656e223a20327d	0	t	\N	8	\N	\\x776f726b6572206f6620636861696e5f636f6d706c65746564
01a1f4d5-8bde-704c-8eb0-134adf603579	default	step	3	8	3	0	1795108998111	1795108998110	1795108998113	\N	01a1f4d5-8bda-7000-833c-fe164a21b93a	1795108998112	\N	\N	\N	\\x019ac204c2afaccdbe68feffffff0f0200c0afaccdbe6804c0afaccdbe6802a09c0180808080808080808001c0cf240006aac1ad295d0dee02131b1f9042dabd908e14c93c28dfdca31ca1c871352778ee	\\x7b227468656e223a20307d	2	t	3	8	\N	\\x776f726b6572206f662073746570
01a1f4d5-8bf7-709b-96ba-a13d7b7aacc2	default	chain_inline	1	1	0	0	1795108998135	1795108998135	\N	\N	01a1f4d5-8bf7-709b-96ba-a13d7b7aacc2	0	\N	\N	\N	\\x01908024eeafaccdbe68feffffff0f00000002a09c0180808080808080808001c0cf2402	\\x7b227468656e223a20317d	0	t	0	\N	\N	\N
01a1f4d5-8bfe-7088-b5a1-3547869c7da1	default	quarterly	3	6	3	-2	1795108998142	1795108998142	1795108998148	reports	01a1f4d5-8bfe-7088-b5a1-3547869c7da1	1795108998147	01a1f4d5-8bfe-7087-84ce-2ec3c8eda5aa	quarterly	1795108998142	\\x01b8c20388b0accdbe680a020086b0accdbe6886b0accdbe6806c8018080808080808080800100c0a9070006e1eda01ea265cce677aad5b33444d77d684c4a22b0bb55208072f35a74e5ac5f01a1f4d58bfe708784ce2ec3c8eda5aa12717561727465726c790a505431354d00fcafaccdbe68	\\x7b2261223a20317d	0	f	\N	\N	\N	\\x776f726b6572206f6620717561727465726c79
01a1f4d5-8c04-70d4-be39-4f39c032bcff	default	quarterly	1	0	0	-2	1795109898142	1795108998148	\N	reports	01a1f4d5-8c04-70d4-be39-4f39c032bcff	0	01a1f4d5-8bfe-7087-84ce-2ec3c8eda5aa	quarterly	1795109898142	\\x01b0800388b0accdbe680a00000006c8018080808080808080800100c0a90701a1f4d58bfe708784ce2ec3c8eda5aa12717561727465726c790a505431354d00bc9e9acebe68	\\x7b2261223a20317d	0	f	\N	\N	\N	\N
01a1f4d5-8c07-7031-9ad9-3c993129acaf	default	paused	1	7	0	0	1795108998151	1795108998151	\N	\N	01a1f4d5-8c07-7031-9ad9-3c993129acaf	0	01a1f4d5-8c07-7030-9030-78d0b55f16b0	paused	1795108998151	\\x018080038eb0accdbe680600000001a1f4d58c077030903078d0b55f16b00c7061757365640c686f75726c79008eb0accdbe68	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4d5-8c0c-70be-a56e-fc9c2666823e	default	paused	1	1	0	0	1795108998156	1795108998156	\N	\N	01a1f4d5-8c0c-70be-a56e-fc9c2666823e	0	01a1f4d5-8c07-7030-9030-78d0b55f16b0	paused	\N	\\x0180800198b0accdbe680600000001a1f4d58c077030903078d0b55f16b00c7061757365640c686f75726c7900	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4d5-8c1a-7047-a1b5-4bc4ae30dfcc	default	deleted	5	6	5	0	1795713798168	1795108998170	1795108998172	\N	01a1f4d5-8c1a-7047-a1b5-4bc4ae30dfcc	0	01a1f4d5-8c18-7020-a725-21234d58baa8	deleted	1795713798168	\\x01808003b8b0accdbe680600000001a1f4d58c187020a72521234d58baa80e64656c657465640c7765656b6c7900b0c0908ec368	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4d5-8c20-704b-a0d2-c6c2c10bce16	default	bulk	5	6	5	0	1795112598176	1795108998176	1795108998233	\N	01a1f4d5-8c20-704b-a0d2-c6c2c10bce16	0	\N	\N	\N	\\x0100b2b1accdbe6806000000	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4d5-8c20-704c-bebc-5433647dd886	default	bulk	5	6	5	0	1795112598176	1795108998176	1795108998233	\N	01a1f4d5-8c20-704c-bebc-5433647dd886	0	\N	\N	\N	\\x0100b2b1accdbe6806000000	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4d5-8c22-703b-a52e-62bffa9ab6ab	default	bulk	5	6	5	0	1795112598178	1795108998178	1795108998233	\N	01a1f4d5-8c22-703b-a52e-62bffa9ab6ab	0	\N	\N	\N	\\x0100b2b1accdbe6806000000	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4d5-9a69-702b-84db-a4eb599dbcc4	default	later	1	0	0	0	1795109011833	1795109001833	\N	\N	01a1f4d5-9a69-702b-84db-a4eb599dbcc4	0	\N	\N	\N	\\x0100d2e9accdbe6806000000	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4d5-9a6a-709c-abf3-7c4033f336e6	default	backoff_1	1	0	0	0	1795109011836	1795109001834	\N	\N	01a1f4d5-9a6a-709c-abf3-7c4033f336e6	1795109001835	\N	\N	\N	\\x019842d8e9accdbe68120200d6e9accdbe68d6e9accdbe68000a8080808080808080800100020201de009f415379ade6682f3696e31d1d7bbce2cfe789b28a727256bcab53cc7d	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4d5-9a6e-7003-ab5b-072efe2777a7	default	backoff_2	1	0	0	0	1795109011839	1795109001838	\N	\N	01a1f4d5-9a6e-7003-ab5b-072efe2777a7	1795109001839	\N	\N	\N	\\x019842dee9accdbe68120200dee9accdbe68dee9accdbe68040280808080808080808001040202eb997e4f6be0e2c5ebb253c07854f22b233e3034abeee52f010f4eaa777c1704	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4d5-9a71-7012-abfc-f1af2c6cf99a	default	backoff_3	1	0	0	0	1795109011843	1795109001841	\N	\N	01a1f4d5-9a71-7012-abfc-f1af2c6cf99a	1795109001842	\N	\N	\N	\\x019842e6e9accdbe68120200e4e9accdbe68e4e9accdbe68020a80808080808080848001c8010202ac84d4292b10631fb4ce1ecd1696663333ecb4c78f41ab050ff444f03093e956	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4d5-9a74-70a8-9827-33685cb75a3b	default	held	1	1	0	0	1795109001844	1795109001844	\N	\N	01a1f4d5-9a74-70a8-9827-33685cb75a3b	0	\N	\N	\N	\\x0100e8e9accdbe6806000000	\\x7b2268656c64223a20317d	0	f	\N	\N	\N	\N
01a1f4d5-9a75-707e-bb67-db34f1b9b0cb	default	held_with_timeout	1	1	0	0	1795109001845	1795109001845	\N	\N	01a1f4d5-9a75-707e-bb67-db34f1b9b0cb	0	\N	\N	\N	\\x0130eae9accdbe680600000006c8018080808080808080800100a09c01	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4d5-9a76-7051-8ee7-ff8b6e97cfb1	default	chain_held	1	1	0	0	1795109001846	1795109001846	\N	\N	01a1f4d5-9a76-7051-8ee7-ff8b6e97cfb1	0	\N	\N	\N	\\x01908004ece9accdbe68feffffff0f00000002a09c0180808080808080808001c0cf24	\\x7b227468656e223a20317d	0	t	0	\N	\N	\N
01a1f4d5-9a79-7037-9240-6fbd9b347035	default	completed_in_sql	1	1	0	0	1795109001849	1795109001849	\N	\N	01a1f4d5-9a79-7037-9240-6fbd9b347035	0	\N	\N	\N	\\x0100f2e9accdbe6806000000	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4d5-9a7b-70b4-8324-9bc62b05a5bc	default	failed_in_sql	1	1	0	0	1795109001851	1795109001851	\N	\N	01a1f4d5-9a7b-70b4-8324-9bc62b05a5bc	0	\N	\N	\N	\\x0100f6e9accdbe6802000000	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4d5-9a7d-7064-9fe9-e63b44fb037a	default	continued_in_sql	1	1	0	0	1795109001853	1795109001853	\N	\N	01a1f4d5-9a7d-7064-9fe9-e63b44fb037a	0	\N	\N	\N	\\x0100fae9accdbe6806000000	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4d5-9a8a-7088-9e66-ab2096566ce1	default	group_far	1	0	0	0	4070908800000	1795109001866	\N	far	01a1f4d5-9a8a-7088-9e66-ab2096566ce1	0	\N	\N	\N	\\x010094eaaccdbe6806000000	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4d5-9a97-7089-b81d-236ceee0e073	default	doomed	4	9	4	0	1795109001879	1795109001879	1795109003207	\N	01a1f4d5-9a97-7089-b81d-236ceee0e073	1795109001893	\N	\N	\N	\\x0198c2248effaccdbe68020200caeaaccdbe68caeaaccdbe6802a09c0180808080808080808001c0cf240208e6d8218eef772e4ef9acbe97924d729b82dd82c2ab905ef556e802457973fe7b02	\\x7b7d	0	t	4	9	\N	\N
01a1f4d5-8bf9-7064-8586-23e494485cf0	default	chain_goes_on	0	4	0	0	1795108998137	1795108998137	\N	\N	01a1f4d5-8bf9-7064-8586-23e494485cf0	0	\N	\N	\N	\\x01b08044f2afaccdbe68feffffff0f00000002a09c0180808080808080808001c0cf24c0a907020200	\\x7b227468656e223a20317d	0	t	0	\N	\N	\N
01980000-0000-7000-8000-000000000001	default	chain_chosen_1	1	1	0	0	1795108998138	1795108998138	\N	\N	01980000-0000-7000-8000-000000000001	0	\N	\N	\N	\\x01908004f4afaccdbe68feffffff0f00000002a09c0180808080808080808001c0cf24	\\x7b227468656e223a20317d	0	t	0	\N	t	\N
01980000-0000-7000-8000-000000000002	default	chain_chosen_2	1	1	0	0	1795108998139	1795108998139	\N	\N	01980000-0000-7000-8000-000000000002	0	\N	\N	\N	\\x01908004f6afaccdbe68feffffff0f00000002a09c0180808080808080808001c0cf24	\\x7b227468656e223a20327d	0	t	0	\N	t	\N
01a1f4d5-8bfc-70b2-9ed4-c450df130968	acme	chain_of_acme	1	1	0	0	1795108998140	1795108998140	\N	shared	01a1f4d5-8bfc-70b2-9ed4-c450df130968	0	\N	\N	\N	\\x01908004f8afaccdbe68feffffff0f00000002a09c0180808080808080808001c0cf24	\\x7b227468656e223a20317d	0	t	0	\N	\N	\N
01a1f4d5-8c06-7054-822a-e4a7c41ff405	default	rolling	1	1	0	0	1795108998150	1795108998150	\N	\N	01a1f4d5-8c06-7054-822a-e4a7c41ff405	0	01a1f4d5-8c06-7053-84cf-22779e61f00f	rolling	1795108998150	\\x018080038cb0accdbe680600000001a1f4d58c06705384cf22779e61f00f0e726f6c6c696e670a6461696c79028cb0accdbe68	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4d5-8c0e-7090-868d-09d9593abbd1	default	cron	1	0	0	0	4070908800000	1795108998158	\N	\N	01a1f4d5-8c0e-7090-868d-09d9593abbd1	0	01a1f4d5-8c0e-708f-8242-bef5fbe2d91a	cron	4070908800000	\\x018080039cb0accdbe680600000001a1f4d58c0e708f8242bef5fbe2d91a0863726f6e16333020322032392032202a0080b095d1faec01	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4d5-8c0f-7018-904e-2ede21d49939	default	spent	3	6	3	0	1795108998163	1795108998159	1795108998166	\N	01a1f4d5-8c0f-7018-904e-2ede21d49939	1795108998165	01a1f4d5-8c0f-7017-a63f-64f1727376f0	spent	4070908800000	\\x01888203acb0accdbe68060200aab0accdbe68aab0accdbe6800063906241ff0319af27e727e71fdeb214c531cf78cfc7eb3b079e113fca293a79801a1f4d58c0f7017a63f64f1727376f00a7370656e741230203320312031202a0080b095d1faec01	\\x7b7d	0	f	\N	\N	\N	\\x776f726b6572206f66207370656e74
01a1f4d5-8c16-70b5-9ee2-96b3ddb4ca6d	default	spent	1	0	0	0	4070919600000	1795108998166	\N	\N	01a1f4d5-8c16-70b5-9ee2-96b3ddb4ca6d	0	01a1f4d5-8c0f-7017-a63f-64f1727376f0	spent	4070919600000	\\x01808003acb0accdbe680600000001a1f4d58c0f7017a63f64f1727376f00a7370656e741230203320312031202a0080debbdbfaec01	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4d5-8c18-7021-9b71-cb6ed51e216b	default	deleted	3	6	3	0	1795108998168	1795108998168	1795108998170	\N	01a1f4d5-8c18-7021-9b71-cb6ed51e216b	1795108998169	01a1f4d5-8c18-7020-a725-21234d58baa8	deleted	1795108998168	\\x01888203b4b0accdbe68060200b2b0accdbe68b2b0accdbe6800063906241ff0319af27e727e71fdeb214c531cf78cfc7eb3b079e113fca293a79801a1f4d58c187020a72521234d58baa80e64656c657465640c7765656b6c7900b0b0accdbe68	\\x7b7d	0	f	\N	\N	\N	\\x776f726b6572206f662064656c65746564
01a1f4d5-9a68-7097-bae1-ead8acfe260f	default	now	1	1	0	0	1795109001832	1795109001832	\N	\N	01a1f4d5-9a68-7097-bae1-ead8acfe260f	0	\N	\N	\N	\\x0144d0e9accdbe6806000000cdd4ddc403eda8dbd32d26ceee3f978a8e4d06fb2b18a8ba2b70db498bd72fb1e0b7adcdbe68	\\x7b22656e7469747954797065223a20226f72646572222c2022656e746974794964223a20377d	0	f	\N	\N	\N	\N
01a1f4d5-9a7f-70ce-8f8e-979f780aa7d9	default	overtaken	1	1	0	0	1795109001855	1795109001855	\N	\N	01a1f4d5-9a7f-70ce-8f8e-979f780aa7d9	0	\N	\N	\N	\\x0144fee9accdbe6806000000a937c8372e20d6c8191467b15700fe1f6b95b7982c328bbf5cf4466d8de1a584fea9a6ac8e9702	\\x31	0	f	\N	\N	\N	\N
01a1f4d5-9a81-70f1-8b97-c3aa3955226e	default	overtaken	1	5	0	0	1795109001857	1795109001857	\N	\N	01a1f4d5-9a81-70f1-8b97-c3aa3955226e	0	\N	\N	\N	\\x01c40482eaaccdbe6806000000a937c8372e20d6c8191467b15700fe1f6b95b7982c328bbf5cf4466d8de1a58482aaa6ac8e970201a1f4d59a7f70ce8f8e979f780aa7d9	\\x32	0	f	\N	\N	\N	\N
01a1f4d5-9a83-705c-ad10-28bf6510bfe2	default	group_0	1	1	0	0	1795109001859	1795109001859	\N	queue	01a1f4d5-9a83-705c-ad10-28bf6510bfe2	0	\N	\N	\N	\\x010086eaaccdbe6806000000	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4d5-9a84-708a-8a86-9084d52feb29	default	group_1	1	3	0	0	1795109001860	1795109001860	\N	queue	01a1f4d5-9a84-708a-8a86-9084d52feb29	0	\N	\N	\N	\\x010088eaaccdbe6806000000	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4d5-9a86-70ce-9ff1-4acc2e8659e0	default	group_2	1	3	0	0	1795109001862	1795109001862	\N	queue	01a1f4d5-9a86-70ce-9ff1-4acc2e8659e0	0	\N	\N	\N	\\x01008ceaaccdbe6806000000	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4d5-9a88-7028-8d87-4c930dcb5f0e	default	group_3	1	3	0	0	1795109001864	1795109001864	\N	queue	01a1f4d5-9a88-7028-8d87-4c930dcb5f0e	0	\N	\N	\N	\\x010090eaaccdbe6806000000	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4d5-9a8b-7013-8a38-debb49a1d996	default	group_ready	1	1	0	0	1795109001867	1795109001867	\N	ready	01a1f4d5-9a8b-7013-8a38-debb49a1d996	0	\N	\N	\N	\\x010096eaaccdbe6806000000	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4d5-9a8d-709f-95f1-0a53498b85a4	default	group_behind	1	3	0	0	1795109001870	1795109001869	\N	ready	01a1f4d5-9a8d-709f-95f1-0a53498b85a4	0	\N	\N	\N	\\x01009aeaaccdbe6806000000	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4d5-9a98-7058-afa8-f84dcc91b094	default	waits	0	4	0	0	1795109001880	1795109001880	\N	\N	01a1f4d5-9a98-7058-afa8-f84dcc91b094	0	\N	\N	\N	\\x01908064b0eaaccdbe68feffffff0f00000002a09c0180808080808080808001c0cf2402020200	\\x7b7d	0	t	0	\N	\N	\N
01a1f4d5-9a9e-7052-a879-a7f4fdb2ba9d	default	waits	0	4	0	0	1795109001886	1795109001886	\N	\N	01a1f4d5-9a9e-7052-a879-a7f4fdb2ba9d	0	\N	\N	\N	\\x01908044bceaaccdbe68feffffff0f00000002a09c0180808080808080808001c0cf24020200	\\x7b7d	0	t	0	\N	\N	\N
01a1f4d5-9aa1-7092-b2e3-1bcaa1439468	default	waits	0	4	0	0	1795109001889	1795109001889	\N	\N	01a1f4d5-9aa1-7092-b2e3-1bcaa1439468	0	\N	\N	\N	\\x01908044c2eaaccdbe68feffffff0f00000002a09c0180808080808080808001c0cf24020200	\\x7b7d	0	t	0	\N	\N	\N
01a1f4d5-9a9a-7011-9f5a-223af5bc82db	default	waits	0	4	0	0	1795109001882	1795109001882	\N	\N	01a1f4d5-9a9a-7011-9f5a-223af5bc82db	0	\N	\N	\N	\\x01908044b4eaaccdbe68feffffff0f00000002a09c0180808080808080808001c0cf24020200	\\x7b7d	0	t	0	\N	\N	\N
01a1f4d5-9a9c-7096-ba2d-730dc4e5ad23	default	waits	0	4	0	0	1795109001884	1795109001884	\N	\N	01a1f4d5-9a9c-7096-ba2d-730dc4e5ad23	0	\N	\N	\N	\\x01908064b8eaaccdbe68feffffff0f00000002a09c0180808080808080808001c0cf2402020200	\\x7b7d	0	t	0	\N	\N	\N
01a1f4d5-9aa0-70bd-84de-0a9e69a4d743	default	waits	0	4	0	0	1795109001888	1795109001888	\N	\N	01a1f4d5-9aa0-70bd-84de-0a9e69a4d743	0	\N	\N	\N	\\x01908064c0eaaccdbe68feffffff0f00000002a09c0180808080808080808001c0cf2402020200	\\x7b7d	0	t	0	\N	\N	\N
01a1f4d5-9aa3-70c4-a341-45339c87e23c	default	waits	0	4	0	0	1795109001891	1795109001891	\N	\N	01a1f4d5-9aa3-70c4-a341-45339c87e23c	0	\N	\N	\N	\\x01908064c6eaaccdbe68feffffff0f00000002a09c0180808080808080808001c0cf2402020200	\\x7b7d	0	t	0	\N	\N	\N
01a1f4d5-9aa4-7044-808a-b634d585089c	default	waits	0	4	0	0	1795109001892	1795109001892	\N	\N	01a1f4d5-9aa4-7044-808a-b634d585089c	0	\N	\N	\N	\\x01908044c8eaaccdbe68feffffff0f00000002a09c0180808080808080808001c0cf24020200	\\x7b7d	0	t	0	\N	\N	\N
01a1f4d5-9a9b-7031-8fc2-bf3aff2a229c	default	doomed	4	9	4	0	1795109001883	1795109001883	1795109003207	\N	01a1f4d5-9a9b-7031-8fc2-bf3aff2a229c	1795109001893	\N	\N	\N	\\x0198c2248effaccdbe68020200caeaaccdbe68caeaaccdbe6802a09c0180808080808080808001c0cf240208e6d8218eef772e4ef9acbe97924d729b82dd82c2ab905ef556e802457973fe7b02	\\x7b7d	0	t	4	9	\N	\N
01a1f4d5-9a9f-7023-afb7-93a4336ea353	default	doomed	4	9	4	0	1795109001887	1795109001887	1795109003207	\N	01a1f4d5-9a9f-7023-afb7-93a4336ea353	1795109001893	\N	\N	\N	\\x0198c2248effaccdbe68020200caeaaccdbe68caeaaccdbe6802a09c0180808080808080808001c0cf240208e6d8218eef772e4ef9acbe97924d729b82dd82c2ab905ef556e802457973fe7b02	\\x7b7d	0	t	4	9	\N	\N
01a1f4d5-9aa2-704a-9f44-a8651f8275f2	default	doomed	4	9	4	0	1795109001890	1795109001890	1795109003207	\N	01a1f4d5-9aa2-704a-9f44-a8651f8275f2	1795109001893	\N	\N	\N	\\x0198c2248effaccdbe68020200caeaaccdbe68caeaaccdbe6802a09c0180808080808080808001c0cf240208e6d8218eef772e4ef9acbe97924d729b82dd82c2ab905ef556e802457973fe7b02	\\x7b7d	0	t	4	9	\N	\N
\.


--
-- Data for Name: job_count; Type: TABLE DATA; Schema: semel; Owner: -
--

COPY semel.job_count (type, status, count) FROM stdin;
enqueued_before	1	1
completed	1	1
completed	1	-1
completed	2	1
completed	2	-1
completed	3	1
failed	1	1
failed	1	-1
failed	2	1
failed	2	-1
failed	4	1
failed_at_last	1	1
failed_at_last	1	-1
failed_at_last	2	1
failed_at_last	1	1
failed_at_last	2	-1
failed_at_last	1	-1
failed_at_last	2	1
failed_at_last	2	-1
failed_at_last	4	1
failed_for_good	1	1
failed_for_good	1	-1
failed_for_good	2	1
failed_for_good	2	-1
failed_for_good	4	1
cancelled	1	1
cancelled	1	-1
cancelled	5	1
cancelled_while_running	1	1
cancelled_while_running	1	-1
cancelled_while_running	2	1
cancelled_while_running	2	-1
cancelled_while_running	5	1
retried_by_operator	1	1
retried_by_operator	1	-1
retried_by_operator	2	1
retried_by_operator	2	-1
retried_by_operator	4	1
retried_by_operator	1	1
retried_by_operator	4	-1
released	1	1
released	1	-1
released	2	1
released	1	1
released	2	-1
lost_once	1	1
lost_once	1	-1
lost_once	2	1
timed_out_once	1	1
timed_out_once	1	-1
timed_out_once	2	1
lost_for_good	1	1
lost_for_good	1	-1
lost_for_good	2	1
large	1	1
large	1	-1
large	2	1
large	2	-1
large	3	1
of_acme	1	1
done_of_acme	1	1
done_of_acme	1	-1
done_of_acme	2	1
done_of_acme	2	-1
done_of_acme	3	1
key_completed	1	1
key_completed	1	-1
key_completed	2	1
key_completed	2	-1
key_completed	3	1
key_pending	1	1
key_of_entity	1	1
debounced	1	1
seals_a_request	1	1
idempotent	1	1
superseded	1	1
superseded	1	-1
superseded	2	1
superseded	1	1
superseded	2	-1
superseded	6	1
chain_completed	1	1
chain_completed	1	-1
chain_completed	2	1
chain_completed	2	-1
chain_completed	3	1
step	1	1
step	1	-1
step	2	1
step	1	1
step	2	-1
step	3	1
step	1	-1
step	2	1
step	2	-1
step	3	1
chain_failed	1	1
chain_waits_for_failed	0	1
chain_failed_by_blocker	0	1
chain_failed	1	-1
chain_failed	2	1
chain_failed	2	-1
chain_failed	4	1
chain_cancelled	1	1
chain_cancelled	1	-1
chain_cancelled	5	1
chain_failed_by_blocker	0	-1
chain_failed_by_blocker	4	1
chain_deleted	1	1
chain_deleted	1	-1
chain_deleted	2	1
chain_deleted	2	-1
chain_deleted	3	1
chain_deleted	3	-1
chain_far	1	1
chain_blocked	0	1
chain_on_its_way	1	1
chain_on_its_way	1	-1
chain_on_its_way	2	1
chain_on_its_way	2	-1
chain_on_its_way	3	1
way	1	1
chain_inline	1	1
chain_joins	0	1
chain_goes_on	0	1
chain_chosen_1	1	1
chain_chosen_2	1	1
chain_of_acme	1	1
quarterly	1	1
quarterly	1	-1
quarterly	2	1
quarterly	1	1
quarterly	2	-1
quarterly	3	1
rolling	1	1
paused	1	1
paused	1	1
cron	1	1
spent	1	1
spent	1	-1
spent	2	1
deleted	1	-1
deleted	2	1
deleted	1	1
deleted	2	-1
deleted	3	1
bulk	1	1
bulk	1	1
bulk	1	1
lost_for_good	2	-1
lost_for_good	4	1
timed_out_once	1	1
timed_out_once	2	-1
later	1	1
backoff_1	1	1
backoff_1	1	-1
backoff_1	2	1
backoff_1	1	1
backoff_1	2	-1
backoff_2	1	1
backoff_2	1	-1
backoff_2	2	1
backoff_2	1	1
backoff_2	2	-1
backoff_3	1	1
backoff_3	1	-1
backoff_3	2	1
backoff_3	1	1
backoff_3	2	-1
held	1	1
held_with_timeout	1	1
chain_held	1	1
held	1	-1
held	2	1
held_with_timeout	1	-1
held_with_timeout	2	1
chain_held	1	-1
chain_held	2	1
completed_in_sql	1	1
completed_in_sql	1	-1
completed_in_sql	2	1
failed_in_sql	1	1
failed_in_sql	1	-1
failed_in_sql	2	1
continued_in_sql	1	1
continued_in_sql	1	-1
continued_in_sql	2	1
overtaken	1	-1
overtaken	2	1
group_0	1	-1
group_0	2	1
group_far	1	1
rolling	1	-1
rolling	2	1
doomed	1	1
waits	0	1
doomed	1	1
waits	0	1
doomed	1	1
waits	0	1
doomed	1	1
waits	0	1
waits	0	1
doomed	1	-4
doomed	2	4
spent	1	1
spent	2	-1
spent	3	1
deleted	1	1
deleted	1	-1
deleted	5	1
lost_once	1	1
lost_once	2	-1
bulk	1	-3
bulk	5	3
now	1	1
overtaken	1	1
overtaken	1	1
group_0	1	1
group_1	1	1
group_2	1	1
group_3	1	1
group_ready	1	1
group_behind	1	1
waits	0	1
waits	0	1
waits	0	1
doomed	2	-4
doomed	4	4
\.


--
-- Data for Name: job_result; Type: TABLE DATA; Schema: semel; Owner: -
--

COPY semel.job_result (job, output, error_message, error_code) FROM stdin;
01a1f4d5-8b3b-709b-97c5-1ad3aaa3e0f6	\\x7b2273756d223a203130302e307d	\N	\N
01a1f4d5-8b40-70e6-87f4-794677b2a804	\N	\\x6e6f206c75636b3a20c3a9	\\x6661696c6564
01a1f4d5-8b43-708c-914a-c42c4fd37940	\N	\\x7365636f6e64	\\x6661696c6564
01a1f4d5-8bac-703d-8cd7-039400346749	\N	\\x6e65766572	\\x6661696c6564
01a1f4d5-8bc1-70e1-a8a6-183c260be537	\\x7b2274657874223a202277696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520227d	\N	\N
01a1f4d5-8bc5-7093-9eed-1c6eee777293	\\x5b5d	\N	\N
01a1f4d5-8bc8-703c-8ade-62b224d1a047	\\x7b22646f6e65223a20226f6e6365227d	\N	\N
01a1f4d5-8bd4-706a-b224-6f86388de5fe	\N	\\x6f76657274616b656e	\\x6661696c6564
01a1f4d5-8bde-704c-8eb0-134adf603579	\\x7b2277686f6c65223a20747275657d	\N	\N
01a1f4d5-8be2-70b8-b8da-78509970d1a8	\N	\\x74686520656e64	\\x6661696c6564
01a1f4d5-8be5-7090-bb03-f3a0ad0ae114	\N	\\x636861696e2030316131663464352d386265322d373062382d623864612d3738353039393730643161382c2077686963682069742077616974656420666f722c20646964206e6f7420636f6d706c657465	\\x626c6f636b65725f6661696c6564
01a1f4d5-8bfe-7088-b5a1-3547869c7da1	\\x22666972737422	\N	\N
01a1f4d5-8bbb-70b5-836c-6a1217b8eae1	\N	\\x74686520776f726b65722773206c656173652072616e206f7574	\\x6c6f7374
01a1f4d5-8bbf-70e9-ae66-2b08efca8ef2	\N	\\x74686520776f726b65722773206c656173652072616e206f7574	\\x6c6f7374
01a1f4d5-8bbd-702c-841f-a2641852a74b	\N	\\x74696d6564206f75742061667465722033303030206d73	\\x74696d656f7574
01a1f4d5-9a6a-709c-abf3-7c4033f336e6	\N	\\x7472792031	\\x6661696c6564
01a1f4d5-9a6e-7003-ab5b-072efe2777a7	\N	\\x7472792032	\\x6661696c6564
01a1f4d5-9a71-7012-abfc-f1af2c6cf99a	\N	\\x7472792033	\\x6661696c6564
01a1f4d5-9a97-7089-b81d-236ceee0e073	\N	\\x646f6f6d6564	\\x6661696c6564
01a1f4d5-9a9b-7031-8fc2-bf3aff2a229c	\N	\\x646f6f6d6564	\\x6661696c6564
01a1f4d5-9a9f-7023-afb7-93a4336ea353	\N	\\x646f6f6d6564	\\x6661696c6564
01a1f4d5-9aa2-704a-9f44-a8651f8275f2	\N	\\x646f6f6d6564	\\x6661696c6564
\.


--
-- Data for Name: later; Type: TABLE DATA; Schema: semel; Owner: -
--

COPY semel.later (scheduled_at, id) FROM stdin;
4070908800000	01a1f4d5-8bcc-708d-a1c0-7d137580e7f0
4070908800000	01a1f4d5-8bce-70ee-909d-e9d2b2a2c5de
4070908800000	01a1f4d5-8bef-703a-96c9-07a633a88198
1795109898142	01a1f4d5-8c04-70d4-be39-4f39c032bcff
4070908800000	01a1f4d5-8c0e-7090-868d-09d9593abbd1
4070919600000	01a1f4d5-8c16-70b5-9ee2-96b3ddb4ca6d
1795109011833	01a1f4d5-9a69-702b-84db-a4eb599dbcc4
1795109011836	01a1f4d5-9a6a-709c-abf3-7c4033f336e6
1795109011839	01a1f4d5-9a6e-7003-ab5b-072efe2777a7
1795109011843	01a1f4d5-9a71-7012-abfc-f1af2c6cf99a
4070908800000	01a1f4d5-9a8a-7088-9e66-ab2096566ce1
\.


--
-- Data for Name: lock_group; Type: TABLE DATA; Schema: semel; Owner: -
--

COPY semel.lock_group (tenant, name, head) FROM stdin;
acme	shared	01a1f4d5-8bfc-70b2-9ed4-c450df130968
default	reports	01a1f4d5-8c04-70d4-be39-4f39c032bcff
default	queue	01a1f4d5-9a83-705c-ad10-28bf6510bfe2
default	far	01a1f4d5-9a8a-7088-9e66-ab2096566ce1
default	ready	01a1f4d5-9a8b-7013-8a38-debb49a1d996
\.


--
-- Data for Name: meta; Type: TABLE DATA; Schema: semel; Owner: -
--

COPY semel.meta (id, time_mark, works_from, clock_ahead, clock_since, decisions_from, made_at) FROM stdin;
1	1795109002444	13	0	0	0	c0145ad8564babaa51551317cf4d21cb
\.


--
-- Data for Name: migration; Type: TABLE DATA; Schema: semel; Owner: -
--

COPY semel.migration (number, applied_at) FROM stdin;
1	2026-11-19 17:23:17.393292+00
2	2026-11-19 17:23:17.393852+00
3	2026-11-19 17:23:17.396429+00
4	2026-11-19 17:23:17.397072+00
5	2026-11-19 17:23:17.39732+00
6	2026-11-19 17:23:17.399695+00
7	2026-11-19 17:23:17.404386+00
8	2026-11-19 17:23:17.404906+00
9	2026-11-19 17:23:17.405208+00
10	2026-11-19 17:23:17.406752+00
11	2026-11-19 17:23:17.406834+00
12	2026-11-19 17:23:17.40778+00
13	2026-11-19 17:23:17.409134+00
\.


--
-- Data for Name: moved_from; Type: TABLE DATA; Schema: semel; Owner: -
--

COPY semel.moved_from (id, path, mark, kind, after, rows, started_at, finished_at) FROM stdin;
\.


--
-- Data for Name: outbox; Type: TABLE DATA; Schema: semel; Owner: -
--

COPY semel.outbox (id, verb, tenant, subject, token, content, fence, effect_id) FROM stdin;
2	0	default	01a1f4d5-9fe3-7f91-a39c-34cb85f326aa	0	{"type":"enqueued","payload":{"n": 1},"lockGroup": "queue"}	\N	\N
3	0	default	01a1f4d5-9fed-720c-9343-367c80c3f906	0	{"type":"key_completed","payload":[2],"deduplication": {"key": "once", "scope": "any", "windowSeconds": 3000000000}}	\N	\N
4	3	default	01a1f4d5-9ff8-78f9-a125-09ff606f78b3	0	{"type":"enqueued_chain","input":{"then": 1}}	\N	\N
5	1	default	01a1f4d5-9a79-7037-9240-6fbd9b347035	1795109001850	{"in": "sql"}	\N	\N
6	2	default	01a1f4d5-9a7b-70b4-8324-9bc62b05a5bc	1795109001852	in sql	\N	\N
7	4	default	01a1f4d5-9a7d-7064-9fe9-e63b44fb037a	1795109001853	{"type": "from_sql", "input": {"then": 0}}	\N	\N
8	5	default	01a1f4d5-a02e-7bf3-9777-95eae494a713	1795109001877	{"in": "sql"}	sealed_in_sql	effect of sealed_in_sql
\.


--
-- Data for Name: outbox_answer; Type: TABLE DATA; Schema: semel; Owner: -
--

COPY semel.outbox_answer (id, at, result) FROM stdin;
01a1f4d5-8952-74d9-bdef-22fdf2f10c94	1795108997937	{"decision":"new","id":"01a1f4d5-8952-74d9-bdef-22fdf2f10c94","error":null}
\.


--
-- Data for Name: ready; Type: TABLE DATA; Schema: semel; Owner: -
--

COPY semel.ready (tenant, type, urgency, scheduled_at, id) FROM stdin;
default	enqueued_before	0	1795108997937	01a1f4d5-8952-74d9-bdef-22fdf2f10c94
default	retried_by_operator	0	1795108998071	01a1f4d5-8bb4-7036-b3de-1ecd67b49299
default	released	0	1795108998072	01a1f4d5-8bb8-70d1-a8b9-97a2af9248c4
acme	of_acme	0	1795108998084	01a1f4d5-8bc4-709d-8bb1-540dcffdafd5
default	debounced	0	1795108998097	01a1f4d5-8bd0-7079-8c3a-17dd643c2352
default	seals_a_request	0	1795108998098	01a1f4d5-8bd2-70fc-8c0c-7b79e6bd684a
default	idempotent	0	1795108998099	01a1f4d5-8bd3-70e7-8be4-0636b8f05294
default	superseded	0	1795108998103	01a1f4d5-8bd7-70cf-a724-97b7b03ca720
default	way	-3	1795108998133	01a1f4d5-8bf5-7085-9695-e31c3ac22691
default	chain_inline	0	1795108998135	01a1f4d5-8bf7-709b-96ba-a13d7b7aacc2
default	chain_chosen_1	0	1795108998138	01980000-0000-7000-8000-000000000001
default	chain_chosen_2	0	1795108998139	01980000-0000-7000-8000-000000000002
acme	chain_of_acme	0	1795108998140	01a1f4d5-8bfc-70b2-9ed4-c450df130968
default	paused	0	1795108998156	01a1f4d5-8c0c-70be-a56e-fc9c2666823e
default	lost_once	0	1795108998177	01a1f4d5-8bbb-70b5-836c-6a1217b8eae1
default	timed_out_once	0	1795109001179	01a1f4d5-8bbd-702c-841f-a2641852a74b
default	now	0	1795109001832	01a1f4d5-9a68-7097-bae1-ead8acfe260f
default	group_ready	0	1795109001867	01a1f4d5-9a8b-7013-8a38-debb49a1d996
\.


--
-- Data for Name: run; Type: TABLE DATA; Schema: semel; Owner: -
--

COPY semel.run (id, token, settling, data) FROM stdin;
01a1f4d5-9a7b-70b4-8324-9bc62b05a5bc	1795109001852	t	\\x018801f8e9accdbe68020200f8e9accdbe68f8e9accdbe682e776f726b6572206f66206661696c65645f696e5f73716cf8e9accdbe689886aecdbe68
01a1f4d5-9a7d-7064-9fe9-e63b44fb037a	1795109001853	t	\\x018801fae9accdbe68060200fae9accdbe68fae9accdbe6834776f726b6572206f6620636f6e74696e7565645f696e5f73716cfae9accdbe689a86aecdbe68
01a1f4d5-9a74-70a8-9827-33685cb75a3b	1795109001847	f	\\x018801eee9accdbe68060200eee9accdbe68eee9accdbe681c776f726b6572206f662068656c64eee9accdbe688e86aecdbe68
01a1f4d5-9a75-707e-bb67-db34f1b9b0cb	1795109001847	f	\\x01b821eee9accdbe68060200eee9accdbe68eee9accdbe6806c8018080808080808080800100a09c0136776f726b6572206f662068656c645f776974685f74696d656f7574eee9accdbe688e86aecdbe688e86aecdbe68
01a1f4d5-9a76-7051-8ee7-ff8b6e97cfb1	1795109001848	f	\\x01988104f0e9accdbe68feffffff0f0200f0e9accdbe68f0e9accdbe6802a09c0180808080808080808001c0cf2428776f726b6572206f6620636861696e5f68656c64f0e9accdbe689086aecdbe68
01a1f4d5-9a7f-70ce-8f8e-979f780aa7d9	1795109001856	f	\\x01cc0980eaaccdbe6806020080eaaccdbe68a937c8372e20d6c8191467b15700fe1f6b95b7982c328bbf5cf4466d8de1a58480eaaccdbe68fea9a6ac8e970226776f726b6572206f66206f76657274616b656e80eaaccdbe68a086aecdbe6801a1f4d59a8170f18b97c3aa3955226e
01a1f4d5-9a83-705c-ad10-28bf6510bfe2	1795109001865	f	\\x01880192eaaccdbe6806020092eaaccdbe6892eaaccdbe6822776f726b6572206f662067726f75705f3092eaaccdbe68b286aecdbe68
01a1f4d5-8c06-7054-822a-e4a7c41ff405	1795109001870	f	\\x018881039ceaaccdbe680602009ceaaccdbe689ceaaccdbe6822776f726b6572206f6620726f6c6c696e679ceaaccdbe68bc86aecdbe6801a1f4d58c06705384cf22779e61f00f0e726f6c6c696e670a6461696c79028cb0accdbe68
01a1f4d5-9a79-7037-9240-6fbd9b347035	1795109001850	t	\\x018801f4e9accdbe68060200f4e9accdbe68f4e9accdbe6834776f726b6572206f6620636f6d706c657465645f696e5f73716cf4e9accdbe689486aecdbe68
\.


--
-- Data for Name: running; Type: TABLE DATA; Schema: semel; Owner: -
--

COPY semel.running (id, deadline) FROM stdin;
01a1f4d5-9a74-70a8-9827-33685cb75a3b	1795109011847
01a1f4d5-9a75-707e-bb67-db34f1b9b0cb	1795109011847
01a1f4d5-9a76-7051-8ee7-ff8b6e97cfb1	1795109011848
01a1f4d5-9a79-7037-9240-6fbd9b347035	1795109011850
01a1f4d5-9a7b-70b4-8324-9bc62b05a5bc	1795109011852
01a1f4d5-9a7d-7064-9fe9-e63b44fb037a	1795109011853
01a1f4d5-9a7f-70ce-8f8e-979f780aa7d9	1795109011856
01a1f4d5-9a83-705c-ad10-28bf6510bfe2	1795109011865
01a1f4d5-8c06-7054-822a-e4a7c41ff405	1795109011870
\.


--
-- Data for Name: schedule; Type: TABLE DATA; Schema: semel; Owner: -
--

COPY semel.schedule (tenant, name, id, data) FROM stdin;
default	quarterly	01a1f4d5-8bfe-7087-84ce-2ec3c8eda5aa	\\x010efcafaccdbe68fcafaccdbe680001a1f4d58c0470d4be394f39c032bcfffcafaccdbe6812717561727465726c79107b2261223a20317d0a505431354d000000000e7265706f7274730a06c801808080808080808080010004c0a907
default	rolling	01a1f4d5-8c06-7053-84cf-22779e61f00f	\\x01028cb0accdbe688cb0accdbe680001a1f4d58c067054822ae4a7c41ff4050e726f6c6c696e67047b7d0a6461696c7900000202000600c0cf24808080808080808080010000
default	paused	01a1f4d5-8c07-7030-9030-78d0b55f16b0	\\x01228eb0accdbe6896b0accdbe680001a1f4d58c0770319ad93c993129acaf0c706175736564047b7d0c686f75726c7900000000000600c0cf24808080808080808080010000
default	cron	01a1f4d5-8c0e-708f-8242-bef5fbe2d91a	\\x01129cb0accdbe689cb0accdbe680001a1f4d58c0e7090868d09d9593abbd10863726f6e047b7d0016333020322032392032202a1a4575726f70652f4265726c696e0004000600c0cf2480808080808080808001000080b095d1faec01
default	spent	01a1f4d5-8c0f-7017-a63f-64f1727376f0	\\x01529eb0accdbe689eb0accdbe680001a1f4d58c1670b59ee296b3ddb4ca6d0a7370656e74047b7d001230203320312031202a065554430000000600c0cf2480808080808080808001000080b095d1faec0180b095d1faec0180b095d1faec01
\.


--
-- Data for Name: source; Type: TABLE DATA; Schema: semel; Owner: -
--

COPY semel.source (tenant, type, id, highest, holder, holder_token, held_until, expires_at, settling) FROM stdin;
default	order	17	5	\N	\N	\N	4829668998416	f
default	invoice	17	\N	\\xe9b4203fc39554f220f5b2595ba5791e231a70c221d0d379384f491c52f32fab	1795109001878	1795109011878	1829669001878	f
\.


--
-- Data for Name: waiting; Type: TABLE DATA; Schema: semel; Owner: -
--

COPY semel.waiting (tenant, lock_group, scheduled_at, id) FROM stdin;
default	queue	1795109001860	01a1f4d5-9a84-708a-8a86-9084d52feb29
default	queue	1795109001862	01a1f4d5-9a86-70ce-9ff1-4acc2e8659e0
default	queue	1795109001864	01a1f4d5-9a88-7028-8d87-4c930dcb5f0e
default	ready	1795109001870	01a1f4d5-9a8d-709f-95f1-0a53498b85a4
\.


--
-- Data for Name: worker; Type: TABLE DATA; Schema: semel; Owner: -
--

COPY semel.worker (node, tenant, type, until) FROM stdin;
01a1f4d5-893b-7046-85a0-36195087bd58	acme	done_of_acme	1795109108085
01a1f4d5-893b-7046-85a0-36195087bd58	default	cancelled_while_running	1795109108066
01a1f4d5-893b-7046-85a0-36195087bd58	default	chain_completed	1795109108106
01a1f4d5-893b-7046-85a0-36195087bd58	default	chain_deleted	1795109108123
01a1f4d5-893b-7046-85a0-36195087bd58	default	chain_failed	1795109108118
01a1f4d5-893b-7046-85a0-36195087bd58	default	chain_on_its_way	1795109108131
01a1f4d5-893b-7046-85a0-36195087bd58	default	completed	1795109107948
01a1f4d5-893b-7046-85a0-36195087bd58	default	deleted	1795109108168
01a1f4d5-893b-7046-85a0-36195087bd58	default	failed	1795109107953
01a1f4d5-893b-7046-85a0-36195087bd58	default	failed_at_last	1795109107958
01a1f4d5-893b-7046-85a0-36195087bd58	default	failed_for_good	1795109108061
01a1f4d5-893b-7046-85a0-36195087bd58	default	key_completed	1795109108090
01a1f4d5-893b-7046-85a0-36195087bd58	default	large	1795109108081
01a1f4d5-893b-7046-85a0-36195087bd58	default	lost_for_good	1795109108079
01a1f4d5-893b-7046-85a0-36195087bd58	default	lost_once	1795109108076
01a1f4d5-893b-7046-85a0-36195087bd58	default	quarterly	1795109108146
01a1f4d5-893b-7046-85a0-36195087bd58	default	released	1795109108073
01a1f4d5-893b-7046-85a0-36195087bd58	default	retried_by_operator	1795109108069
01a1f4d5-893b-7046-85a0-36195087bd58	default	spent	1795109108164
01a1f4d5-893b-7046-85a0-36195087bd58	default	step	1795109108111
01a1f4d5-893b-7046-85a0-36195087bd58	default	superseded	1795109108101
01a1f4d5-893b-7046-85a0-36195087bd58	default	timed_out_once	1795109108078
01a1f4d5-893b-7046-85a0-36195087bd58	default	backoff_1	1795109111835
01a1f4d5-893b-7046-85a0-36195087bd58	default	backoff_2	1795109111838
01a1f4d5-893b-7046-85a0-36195087bd58	default	backoff_3	1795109111841
01a1f4d5-893b-7046-85a0-36195087bd58	default	chain_held	1795109111848
01a1f4d5-893b-7046-85a0-36195087bd58	default	completed_in_sql	1795109111850
01a1f4d5-893b-7046-85a0-36195087bd58	default	continued_in_sql	1795109111853
01a1f4d5-893b-7046-85a0-36195087bd58	default	doomed	1795109111893
01a1f4d5-893b-7046-85a0-36195087bd58	default	failed_in_sql	1795109111851
01a1f4d5-893b-7046-85a0-36195087bd58	default	group_0	1795109111865
01a1f4d5-893b-7046-85a0-36195087bd58	default	held	1795109111846
01a1f4d5-893b-7046-85a0-36195087bd58	default	held_with_timeout	1795109111847
01a1f4d5-893b-7046-85a0-36195087bd58	default	overtaken	1795109111855
01a1f4d5-893b-7046-85a0-36195087bd58	default	rolling	1795109111870
\.


--
-- Name: decision_number; Type: SEQUENCE SET; Schema: semel; Owner: -
--

SELECT pg_catalog.setval('semel.decision_number', 103, true);


--
-- Name: outbox_id_seq; Type: SEQUENCE SET; Schema: semel; Owner: -
--

SELECT pg_catalog.setval('semel.outbox_id_seq', 8, true);


--
-- Name: api_token api_token_pkey; Type: CONSTRAINT; Schema: semel; Owner: -
--

ALTER TABLE ONLY semel.api_token
    ADD CONSTRAINT api_token_pkey PRIMARY KEY (id);


--
-- Name: attempt attempt_pkey; Type: CONSTRAINT; Schema: semel; Owner: -
--

ALTER TABLE ONLY semel.attempt
    ADD CONSTRAINT attempt_pkey PRIMARY KEY (job, token);


--
-- Name: bulk_run bulk_run_pkey; Type: CONSTRAINT; Schema: semel; Owner: -
--

ALTER TABLE ONLY semel.bulk_run
    ADD CONSTRAINT bulk_run_pkey PRIMARY KEY (id);


--
-- Name: claim claim_pkey; Type: CONSTRAINT; Schema: semel; Owner: -
--

ALTER TABLE ONLY semel.claim
    ADD CONSTRAINT claim_pkey PRIMARY KEY (id);


--
-- Name: claim claim_settling; Type: CHECK CONSTRAINT; Schema: semel; Owner: -
--

ALTER TABLE semel.claim
    ADD CONSTRAINT claim_settling CHECK (((NOT settling) OR (owner_token IS NOT NULL))) NOT VALID;


--
-- Name: commit_mark commit_mark_known; Type: CHECK CONSTRAINT; Schema: semel; Owner: -
--

ALTER TABLE semel.commit_mark
    ADD CONSTRAINT commit_mark_known CHECK ((known >= 13)) NOT VALID;


--
-- Name: commit_mark commit_mark_pkey; Type: CONSTRAINT; Schema: semel; Owner: -
--

ALTER TABLE ONLY semel.commit_mark
    ADD CONSTRAINT commit_mark_pkey PRIMARY KEY (id);


--
-- Name: decision decision_pkey; Type: CONSTRAINT; Schema: semel; Owner: -
--

ALTER TABLE ONLY semel.decision
    ADD CONSTRAINT decision_pkey PRIMARY KEY (tenant, sequence, day);


--
-- Name: decision_20776 decision_20776_pkey; Type: CONSTRAINT; Schema: semel; Owner: -
--

ALTER TABLE ONLY semel.decision_20776
    ADD CONSTRAINT decision_20776_pkey PRIMARY KEY (tenant, sequence, day);


--
-- Name: decision_20777 decision_20777_pkey; Type: CONSTRAINT; Schema: semel; Owner: -
--

ALTER TABLE ONLY semel.decision_20777
    ADD CONSTRAINT decision_20777_pkey PRIMARY KEY (tenant, sequence, day);


--
-- Name: decision_20778 decision_20778_pkey; Type: CONSTRAINT; Schema: semel; Owner: -
--

ALTER TABLE ONLY semel.decision_20778
    ADD CONSTRAINT decision_20778_pkey PRIMARY KEY (tenant, sequence, day);


--
-- Name: decision_20779 decision_20779_pkey; Type: CONSTRAINT; Schema: semel; Owner: -
--

ALTER TABLE ONLY semel.decision_20779
    ADD CONSTRAINT decision_20779_pkey PRIMARY KEY (tenant, sequence, day);


--
-- Name: decision_rest decision_rest_pkey; Type: CONSTRAINT; Schema: semel; Owner: -
--

ALTER TABLE ONLY semel.decision_rest
    ADD CONSTRAINT decision_rest_pkey PRIMARY KEY (tenant, sequence, day);


--
-- Name: drain drain_pkey; Type: CONSTRAINT; Schema: semel; Owner: -
--

ALTER TABLE ONLY semel.drain
    ADD CONSTRAINT drain_pkey PRIMARY KEY (id);


--
-- Name: edge edge_pkey; Type: CONSTRAINT; Schema: semel; Owner: -
--

ALTER TABLE ONLY semel.edge
    ADD CONSTRAINT edge_pkey PRIMARY KEY (blocked, "position");


--
-- Name: job job_kept; Type: CHECK CONSTRAINT; Schema: semel; Owner: -
--

ALTER TABLE semel.job
    ADD CONSTRAINT job_kept CHECK (
CASE
    WHEN (place = ANY (ARRAY[8, 9])) THEN ((NOT (kept IS DISTINCT FROM place)) AND (completed_at IS NOT NULL))
    ELSE (kept IS NULL)
END) NOT VALID;


--
-- Name: job job_pkey; Type: CONSTRAINT; Schema: semel; Owner: -
--

ALTER TABLE ONLY semel.job
    ADD CONSTRAINT job_pkey PRIMARY KEY (id);


--
-- Name: job_result job_result_pkey; Type: CONSTRAINT; Schema: semel; Owner: -
--

ALTER TABLE ONLY semel.job_result
    ADD CONSTRAINT job_result_pkey PRIMARY KEY (job);


--
-- Name: job job_runs_elsewhere; Type: CHECK CONSTRAINT; Schema: semel; Owner: -
--

ALTER TABLE semel.job
    ADD CONSTRAINT job_runs_elsewhere CHECK (((status <> 2) AND (place <> 2))) NOT VALID;


--
-- Name: later later_pkey; Type: CONSTRAINT; Schema: semel; Owner: -
--

ALTER TABLE ONLY semel.later
    ADD CONSTRAINT later_pkey PRIMARY KEY (scheduled_at, id);


--
-- Name: lock_group lock_group_pkey; Type: CONSTRAINT; Schema: semel; Owner: -
--

ALTER TABLE ONLY semel.lock_group
    ADD CONSTRAINT lock_group_pkey PRIMARY KEY (tenant, name);


--
-- Name: meta meta_pkey; Type: CONSTRAINT; Schema: semel; Owner: -
--

ALTER TABLE ONLY semel.meta
    ADD CONSTRAINT meta_pkey PRIMARY KEY (id);


--
-- Name: migration migration_pkey; Type: CONSTRAINT; Schema: semel; Owner: -
--

ALTER TABLE ONLY semel.migration
    ADD CONSTRAINT migration_pkey PRIMARY KEY (number);


--
-- Name: moved_from moved_from_pkey; Type: CONSTRAINT; Schema: semel; Owner: -
--

ALTER TABLE ONLY semel.moved_from
    ADD CONSTRAINT moved_from_pkey PRIMARY KEY (id);


--
-- Name: outbox_answer outbox_answer_pkey; Type: CONSTRAINT; Schema: semel; Owner: -
--

ALTER TABLE ONLY semel.outbox_answer
    ADD CONSTRAINT outbox_answer_pkey PRIMARY KEY (id);


--
-- Name: outbox outbox_pkey; Type: CONSTRAINT; Schema: semel; Owner: -
--

ALTER TABLE ONLY semel.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (id);


--
-- Name: ready ready_pkey; Type: CONSTRAINT; Schema: semel; Owner: -
--

ALTER TABLE ONLY semel.ready
    ADD CONSTRAINT ready_pkey PRIMARY KEY (tenant, type, urgency, scheduled_at, id);


--
-- Name: run run_pkey; Type: CONSTRAINT; Schema: semel; Owner: -
--

ALTER TABLE ONLY semel.run
    ADD CONSTRAINT run_pkey PRIMARY KEY (id);


--
-- Name: running running_pkey; Type: CONSTRAINT; Schema: semel; Owner: -
--

ALTER TABLE ONLY semel.running
    ADD CONSTRAINT running_pkey PRIMARY KEY (id);


--
-- Name: schedule schedule_id_key; Type: CONSTRAINT; Schema: semel; Owner: -
--

ALTER TABLE ONLY semel.schedule
    ADD CONSTRAINT schedule_id_key UNIQUE (id);


--
-- Name: schedule schedule_pkey; Type: CONSTRAINT; Schema: semel; Owner: -
--

ALTER TABLE ONLY semel.schedule
    ADD CONSTRAINT schedule_pkey PRIMARY KEY (tenant, name);


--
-- Name: source source_pkey; Type: CONSTRAINT; Schema: semel; Owner: -
--

ALTER TABLE ONLY semel.source
    ADD CONSTRAINT source_pkey PRIMARY KEY (tenant, type, id);


--
-- Name: waiting waiting_pkey; Type: CONSTRAINT; Schema: semel; Owner: -
--

ALTER TABLE ONLY semel.waiting
    ADD CONSTRAINT waiting_pkey PRIMARY KEY (tenant, lock_group, scheduled_at, id);


--
-- Name: worker worker_pkey; Type: CONSTRAINT; Schema: semel; Owner: -
--

ALTER TABLE ONLY semel.worker
    ADD CONSTRAINT worker_pkey PRIMARY KEY (node, tenant, type);


--
-- Name: bulk_run_finished; Type: INDEX; Schema: semel; Owner: -
--

CREATE INDEX bulk_run_finished ON semel.bulk_run USING btree (finished_at, id) WHERE (finished_at IS NOT NULL);


--
-- Name: bulk_run_open; Type: INDEX; Schema: semel; Owner: -
--

CREATE INDEX bulk_run_open ON semel.bulk_run USING btree (id) WHERE (finished_at IS NULL);


--
-- Name: claim_expiring; Type: INDEX; Schema: semel; Owner: -
--

CREATE INDEX claim_expiring ON semel.claim USING btree (expires_at, id) WHERE (expires_at IS NOT NULL);


--
-- Name: edge_blocker; Type: INDEX; Schema: semel; Owner: -
--

CREATE INDEX edge_blocker ON semel.edge USING btree (blocker, blocked, "position");


--
-- Name: job_chain; Type: INDEX; Schema: semel; Owner: -
--

CREATE INDEX job_chain ON semel.job USING btree (tenant, chain_shelf, chain) WHERE (chain_shelf IS NOT NULL);


--
-- Name: job_chosen; Type: INDEX; Schema: semel; Owner: -
--

CREATE INDEX job_chosen ON semel.job USING btree (tenant, id) WHERE chosen;


--
-- Name: job_finished; Type: INDEX; Schema: semel; Owner: -
--

CREATE INDEX job_finished ON semel.job USING btree (completed_at, id) WHERE ((completed_at IS NOT NULL) AND (kept IS NULL));


--
-- Name: job_listed; Type: INDEX; Schema: semel; Owner: -
--

CREATE INDEX job_listed ON semel.job USING btree (tenant, shelf, id);


--
-- Name: job_slot; Type: INDEX; Schema: semel; Owner: -
--

CREATE UNIQUE INDEX job_slot ON semel.job USING btree (schedule, slot) WHERE (slot IS NOT NULL);


--
-- Name: job_step; Type: INDEX; Schema: semel; Owner: -
--

CREATE UNIQUE INDEX job_step ON semel.job USING btree (chain, chain_index) WHERE (chain_index > 0);


--
-- Name: job_telling; Type: INDEX; Schema: semel; Owner: -
--

CREATE INDEX job_telling ON semel.job USING btree (id) WHERE (kept = 9);


--
-- Name: outbox_answer_old; Type: INDEX; Schema: semel; Owner: -
--

CREATE INDEX outbox_answer_old ON semel.outbox_answer USING btree (at, id);


--
-- Name: schedule_listed; Type: INDEX; Schema: semel; Owner: -
--

CREATE INDEX schedule_listed ON semel.schedule USING btree (tenant, id);


--
-- Name: source_expiring; Type: INDEX; Schema: semel; Owner: -
--

CREATE INDEX source_expiring ON semel.source USING btree (expires_at, tenant, type, id);


--
-- Name: decision_20776_pkey; Type: INDEX ATTACH; Schema: semel; Owner: -
--

ALTER INDEX semel.decision_pkey ATTACH PARTITION semel.decision_20776_pkey;


--
-- Name: decision_20777_pkey; Type: INDEX ATTACH; Schema: semel; Owner: -
--

ALTER INDEX semel.decision_pkey ATTACH PARTITION semel.decision_20777_pkey;


--
-- Name: decision_20778_pkey; Type: INDEX ATTACH; Schema: semel; Owner: -
--

ALTER INDEX semel.decision_pkey ATTACH PARTITION semel.decision_20778_pkey;


--
-- Name: decision_20779_pkey; Type: INDEX ATTACH; Schema: semel; Owner: -
--

ALTER INDEX semel.decision_pkey ATTACH PARTITION semel.decision_20779_pkey;


--
-- Name: decision_rest_pkey; Type: INDEX ATTACH; Schema: semel; Owner: -
--

ALTER INDEX semel.decision_pkey ATTACH PARTITION semel.decision_rest_pkey;


--
-- Name: FUNCTION check_members(what text, object json, known text[]); Type: ACL; Schema: semel; Owner: -
--

REVOKE ALL ON FUNCTION semel.check_members(what text, object json, known text[]) FROM PUBLIC;


--
-- Name: FUNCTION check_name(what text, name text); Type: ACL; Schema: semel; Owner: -
--

REVOKE ALL ON FUNCTION semel.check_name(what text, name text) FROM PUBLIC;


--
-- Name: FUNCTION check_options(options json); Type: ACL; Schema: semel; Owner: -
--

REVOKE ALL ON FUNCTION semel.check_options(options json) FROM PUBLIC;


--
-- Name: FUNCTION check_size(what text, content text, most integer); Type: ACL; Schema: semel; Owner: -
--

REVOKE ALL ON FUNCTION semel.check_size(what text, content text, most integer) FROM PUBLIC;


--
-- Name: FUNCTION check_step(what text, step json, known text[]); Type: ACL; Schema: semel; Owner: -
--

REVOKE ALL ON FUNCTION semel.check_step(what text, step json, known text[]) FROM PUBLIC;


--
-- Name: FUNCTION complete_job(id uuid, token bigint, output json, continue_with json); Type: ACL; Schema: semel; Owner: -
--

REVOKE ALL ON FUNCTION semel.complete_job(id uuid, token bigint, output json, continue_with json) FROM PUBLIC;


--
-- Name: FUNCTION enqueue_action(type text, payload json, options json, tenant text); Type: ACL; Schema: semel; Owner: -
--

REVOKE ALL ON FUNCTION semel.enqueue_action(type text, payload json, options json, tenant text) FROM PUBLIC;


--
-- Name: FUNCTION enqueue_chain(type text, input json, options json, tenant text); Type: ACL; Schema: semel; Owner: -
--

REVOKE ALL ON FUNCTION semel.enqueue_chain(type text, input json, options json, tenant text) FROM PUBLIC;


--
-- Name: FUNCTION fail_job(id uuid, token bigint, error text); Type: ACL; Schema: semel; Owner: -
--

REVOKE ALL ON FUNCTION semel.fail_job(id uuid, token bigint, error text) FROM PUBLIC;


--
-- Name: FUNCTION fence_claim(tenant text, key text); Type: ACL; Schema: semel; Owner: -
--

REVOKE ALL ON FUNCTION semel.fence_claim(tenant text, key text) FROM PUBLIC;


--
-- Name: FUNCTION key_field(value text); Type: ACL; Schema: semel; Owner: -
--

REVOKE ALL ON FUNCTION semel.key_field(value text) FROM PUBLIC;


--
-- Name: FUNCTION new_id(); Type: ACL; Schema: semel; Owner: -
--

REVOKE ALL ON FUNCTION semel.new_id() FROM PUBLIC;


--
-- Name: FUNCTION outbox_result(id uuid); Type: ACL; Schema: semel; Owner: -
--

REVOKE ALL ON FUNCTION semel.outbox_result(id uuid) FROM PUBLIC;


--
-- Name: FUNCTION refuse_while_moving(); Type: ACL; Schema: semel; Owner: -
--

REVOKE ALL ON FUNCTION semel.refuse_while_moving() FROM PUBLIC;


--
-- Name: FUNCTION seal_fence(key text, token bigint, effect_id text, receipt json, tenant text); Type: ACL; Schema: semel; Owner: -
--

REVOKE ALL ON FUNCTION semel.seal_fence(key text, token bigint, effect_id text, receipt json, tenant text) FROM PUBLIC;


--
-- Name: FUNCTION settle_job(job_id uuid, owner bigint, verb smallint, content text); Type: ACL; Schema: semel; Owner: -
--

REVOKE ALL ON FUNCTION semel.settle_job(job_id uuid, owner bigint, verb smallint, content text) FROM PUBLIC;


--
-- Name: FUNCTION settle_source(claim bytea, owner bigint, of_tenant text, of_type text, of_id text, of_version bigint); Type: ACL; Schema: semel; Owner: -
--

REVOKE ALL ON FUNCTION semel.settle_source(claim bytea, owner bigint, of_tenant text, of_type text, of_id text, of_version bigint) FROM PUBLIC;


--
-- Name: FUNCTION without_zeros(given json); Type: ACL; Schema: semel; Owner: -
--

REVOKE ALL ON FUNCTION semel.without_zeros(given json) FROM PUBLIC;


--
-- PostgreSQL database dump complete
--
