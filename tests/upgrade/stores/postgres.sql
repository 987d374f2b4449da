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
01a1f4b4-aa0a-702f-b92a-6ba2e1389a22	default	admin	8	\\xb5b4d4d0a7c8dbbb47aed448a8df86fb533c2ff319b5960753c91aa473967540	1795106843146	\N
01a1f4b4-aa0c-70c4-a10a-34cf47c00742	acme	until 2099	5	\\x9c4798cf57d13c158b945790eecc63100ba93f4bc0e1a8b81db0e76b85ee42ff	1795106843148	4070908800000
\.


--
-- Data for Name: attempt; Type: TABLE DATA; Schema: semel; Owner: -
--

COPY semel.attempt (job, token, number, worker, started_at, ended_at, ending, error) FROM stdin;
01a1f4b4-aa14-7054-9da9-2c413e9a6e65	1795106843157	1	\\x776f726b6572206f66206661696c6564	1795106843157	1795106843158	1	\\x6e6f206c75636b3a20c3a9
01a1f4b4-aa18-7045-aea4-a81d4911d2f2	1795106843161	1	\\x776f726b6572206f66206661696c65645f61745f6c617374	1795106843161	1795106843162	1	\\x6669727374
01a1f4b4-aa18-7045-aea4-a81d4911d2f2	1795106843265	2	\\x776f726b6572206f66206661696c65645f61745f6c617374	1795106843265	1795106843266	1	\\x7365636f6e64
01a1f4b4-aa84-70d8-9340-6193223a990f	1795106843269	1	\\x776f726b6572206f66206661696c65645f666f725f676f6f64	1795106843269	1795106843272	1	\\x6e65766572
01a1f4b4-aa8b-7052-9542-cf3cb2501cd0	1795106843276	1	\\x776f726b6572206f662063616e63656c6c65645f7768696c655f72756e6e696e67	1795106843276	1795106843281	5	\\x63616e63656c6c656420627920616e206f70657261746f72
01a1f4b4-aa92-701e-82ff-e0461b14f710	1795106843283	1	\\x776f726b6572206f6620726574726965645f62795f6f70657261746f72	1795106843283	1795106843284	1	\\x6f6e6365
01a1f4b4-aa97-7044-83dc-03c7a97c0dcc	1795106843288	1	\\x776f726b6572206f662072656c6561736564	1795106843288	1795106843289	4	\\x
01a1f4b4-aab9-7005-aafc-0f24f95321f7	1795106843322	1	\\x776f726b6572206f662073757065727365646564	1795106843322	1795106843324	1	\\x6f76657274616b656e
01a1f4b4-aacf-700a-9880-018ee6d4337a	1795106843347	1	\\x776f726b6572206f6620636861696e5f6661696c6564	1795106843347	1795106843348	1	\\x74686520656e64
01a1f4b4-aa9a-70ec-bc0c-0785c0705720	1795106843291	1	\\x776f726b6572206f66206c6f73745f6f6e6365	1795106843291	1795106843392	3	\\x74686520776f726b65722773206c656173652072616e206f7574
01a1f4b4-aa9c-700f-b8e4-58a98f0082bc	1795106843293	1	\\x776f726b6572206f662074696d65645f6f75745f6f6e6365	1795106843293	1795106843394	2	\\x74696d6564206f757420616674657220313030206d73
01a1f4b4-aa9e-7011-b0b2-b101160e76f6	1795106843295	1	\\x776f726b6572206f66206c6f73745f666f725f676f6f64	1795106843295	1795106843396	3	\\x74686520776f726b65722773206c656173652072616e206f7574
01a1f4b4-b96e-707c-bd8c-6f8a21900cb9	1795106847087	1	\\x776f726b6572206f66206261636b6f66665f31	1795106847087	1795106847088	1	\\x7472792031
01a1f4b4-b972-70a3-ba37-e39ad63bf157	1795106847091	1	\\x776f726b6572206f66206261636b6f66665f32	1795106847091	1795106847093	1	\\x7472792032
01a1f4b4-b979-70c5-8291-7e9f71e8c031	1795106847098	1	\\x776f726b6572206f66206261636b6f66665f33	1795106847098	1795106847098	1	\\x7472792033
01a1f4b4-b99e-7055-8d21-8aea03835980	1795106847155	1	\\x776f726b6572206f6620646f6f6d6564	1795106847155	1795106848475	1	\\x646f6f6d6564
01a1f4b4-b9a3-70bc-8e96-73c20010b8f4	1795106847155	1	\\x776f726b6572206f6620646f6f6d6564	1795106847155	1795106848475	1	\\x646f6f6d6564
01a1f4b4-b9a9-700d-be4f-185b0776d63a	1795106847155	1	\\x776f726b6572206f6620646f6f6d6564	1795106847155	1795106848475	1	\\x646f6f6d6564
01a1f4b4-b9ac-70d4-9362-e1741cc23487	1795106847155	1	\\x776f726b6572206f6620646f6f6d6564	1795106847155	1795106848475	1	\\x646f6f6d6564
\.


--
-- Data for Name: bulk_run; Type: TABLE DATA; Schema: semel; Owner: -
--

COPY semel.bulk_run (id, tenant, finished_at, data) FROM stdin;
01a1f4b4-ab1b-70d9-a4bf-00aa02794d37	default	1795106843420	\\x01060406020862756c6bb6aca5cbbe68060601a1f4b4ab1970d0a8335163fb57a6fc00
01a1f4b4-ab50-7031-962e-e58f11cf4fd3	default	1795106843474	\\x01020406020862756c6ba0ada5cbbe68060601a1f4b4ab1970d0a8335163fb57a6fc00
\.


--
-- Data for Name: claim; Type: TABLE DATA; Schema: semel; Owner: -
--

COPY semel.claim (id, expires_at, data, receipt, content, owner_token, source_type, source_id, version, settling, owner) FROM stdin;
\\xcb57377f999398392a6b012bd0c109d3af3c0b6031111daed1c74741d534012b	1795798044681	\\x03100e64656661756c740c66656e636573165b2265787069726564225d00cabea5cbbe68cabea5cbbe68002000086672656592c0a5cbbe68c80180e0e5a40122656666656374206f662065787069726564b2aea5cbbe6882bea38ac06a	\N	\N	1795106844581	\N	\N	\N	f	\N
\\xcdd4ddc403eda8dbd32d26ceee3f978a8e4d06fb2b18a8ba2b70db498bd72fb1	\N	\\x02000e64656661756c740e616374696f6e73385b226e6f77222c22656e74697479222c226f72646572222c2237225d00d6e5a5cbbe68d6e5a5cbbe680201a1f4b4b96b70a5bbd1fbc9a1a191f5d6e5a5cbbe6800	\N	\N	\N	\N	\N	\N	f	01a1f4b4-b96b-70a5-bbd1-fbc9a1a191f5
\\x0acc365472eb66d4c19d5f4367d80ec94fc1c865aba3fd0af92621ffb655b8f7	\N	\\x02000e64656661756c740e616374696f6e733c5b226b65795f636f6d706c65746564222c226b6579222c226f6e6365225d00d2aaa5cbbe68d2aaa5cbbe680201a1f4b4aaa970ffa202852ba9e98dd8d2aaa5cbbe6800	\N	\N	\N	\N	\N	\N	f	01a1f4b4-aaa9-70ff-a202-852ba9e98dd8
\\x01893c05fd8699a0de3514339d65977792bf2ac63e8d5c33fdc6c86d574a7d7f	\N	\\x02000e64656661756c740e616374696f6e73385b226b65795f70656e64696e67222c226b6579222c2268656c64225d00deaaa5cbbe68deaaa5cbbe680201a1f4b4aaaf702f98d39b4a8a9a06a9deaaa5cbbe6800	\N	\N	\N	\N	\N	\N	f	01a1f4b4-aaaf-702f-98d3-9b4a8a9a06a9
\\xf58a81f419e0e6031a2afd1b03d52a7be220fe18c45ac7168dceca94d31934be	\N	\\x02000e64656661756c740e616374696f6e73745b226b65795f6f665f656e74697479222c22656e74697479222c226f72646572222c223137222c222f6b696e64222c225c226d61696c5c22225d00e2aaa5cbbe68e2aaa5cbbe680201a1f4b4aab17041ae9dc41042d2c4ade2aaa5cbbe6800	\N	\N	\N	\N	\N	\N	f	01a1f4b4-aab1-7041-ae9d-c41042d2c4ad
\\xd2a4a6e8e4b23d17c38fae3866aff971ec51a211be4680906e52c15ae0af9f2a	\N	\\x02000e64656661756c740e616374696f6e73345b226465626f756e636564222c226b6579222c2263616c6d225d00e4aaa5cbbe68e4aaa5cbbe680201a1f4b4aab27032a8710194f4b8efe9e4aaa5cbbe6800	\N	\N	\N	\N	\N	\N	f	01a1f4b4-aab2-7032-a871-0194f4b8efe9
\\x7832030105b046b4d14cb5f645b3ce20f5f73617a0d094cb60223cdc86f8d729	1795193243320	\\x020c0e64656661756c740661706992015b2230316131663462342d616130612d373032662d623932612d366261326531333839613232222c22504f5354222c222f76312f616374696f6e73222c22726571756573742d31225d02f0aaa5cbbe68f0aaa5cbbe6800042d27c6a1a6bb76ca581eaafd1fb021ff4af168752b490e8fdab7aeeb20e01c9203	\\x7b226964223a2230316131663462342d616162382d373032642d386362392d326435643933346164613164222c226465636973696f6e223a226e6577222c227265706c61636564223a66616c73652c22616374696f6e223a7b226964223a2230316131663462342d616162382d373032642d386362392d326435643933346164613164222c2274656e616e74223a2264656661756c74222c2274797065223a226964656d706f74656e74222c22737461747573223a2270656e64696e67222c227061796c6f6164223a7b7d2c226f7574707574223a6e756c6c2c226572726f724d657373616765223a6e756c6c2c226572726f72436f6465223a6e756c6c2c22617474656d707473223a302c226d617852657472696573223a332c226c6f636b47726f7570223a6e756c6c2c227072696f72697479223a302c227363686564756c65644174223a22323032362d31312d31395431363a34373a32332e3332305a222c22737461727465644174223a6e756c6c2c22636f6d706c657465644174223a6e756c6c2c22637265617465644174223a22323032362d31312d31395431363a34373a32332e3332305a222c22757064617465644174223a22323032362d31312d31395431363a34373a32332e3332305a222c227363686564756c654e616d65223a6e756c6c2c22736c6f74223a6e756c6c2c22726563757272696e67496e74657276616c223a6e756c6c2c22726563757272656e636554797065223a6e756c6c2c22737570657273656465644279223a6e756c6c2c22756e69717565556e74696c223a6e756c6c2c22636861696e4964223a2230316131663462342d616162382d373032642d386362392d326435643933346164613164222c22636861696e496e646578223a302c226261636b6f6666223a7b226b696e64223a226c696e656172222c22737465704d73223a3330303030307d2c2274696d656f75744d73223a6e756c6c7d7d	\N	\N	\N	\N	\N	f	\N
\\x41d25326a93f08e5a79c07871258e0d78d7b9c2695c68ca20af113791bb724cb	\N	\\x02000e64656661756c740e616374696f6e733a5b2273757065727365646564222c226b6579222c226e6577657374225d00f6aaa5cbbe68f2aaa5cbbe680401a1f4b4aab97005aafc0f24f95321f7f2aaa5cbbe680001a1f4b4aabb704b976751aede39d707f6aaa5cbbe6802	\N	\N	\N	\N	\N	\N	f	01a1f4b4-aabb-704b-9767-51aede39d707
\\xfd293d19745efda23599ff7cf691464b3870d79cf9214f7f376ef4553412b5dc	\N	\\x02000e64656661756c740c636861696e73365b22636861696e5f636f6d706c65746564222c2277686f6c65225d00fcaaa5cbbe68fcaaa5cbbe680201a1f4b4aabe7076b18b2c3a00b5d87cfcaaa5cbbe6800	\N	\N	\N	\N	\N	\N	f	01a1f4b4-aabe-7076-b18b-2c3a00b5d87c
\\x793baedeba7386ccb4b65ca1bab1ab4533076ab3a5991c0181e299958f1aab87	\N	\\x02020e64656661756c740c636861696e73365b22636861696e5f64656c65746564222c2264656c65746564225d00b2aba5cbbe68b2aba5cbbe680201a1f4b4aad970b4ad6315467caaf2c2b2aba5cbbe680006	\N	\N	\N	\N	\N	\N	f	01a1f4b4-aad9-70b4-ad63-15467caaf2c2
\\xdd386588c55bac7aee8f8f63770f6549c75b626561cfaf4c7ddd65e919c785e3	\N	\\x02000e64656661756c740c636861696e73265b22636861696e5f666172222c22666172225d00bcaba5cbbe68bcaba5cbbe680201a1f4b4aade703ab886c184ade3d3f1bcaba5cbbe6800	\N	\N	\N	\N	\N	\N	f	01a1f4b4-aade-703a-b886-c184ade3d3f1
\\x7bfdafa1a8066551a1153a5051321caa67f150a0147520b3f05a822beb752aba	1796316443536	\\x03140e64656661756c740c66656e636573265b227365616c65642f627920636c617373225d029caea5cbbe689caea5cbbe6800c39b4da89616f13f44b246db0b123f86bd3159d73b1ec872a3b76d528ffa67aa1232656666656374206f66207365616c65642f627920636c6173730a6669727374dcd7accbbe68c0a90780a0c88109a0aea5cbbe68005f3efda1e5ccd76e3d8b417fd61b522bbad03b5bad6ea1e827f0fddbd45e15c0	\N	\N	\N	\N	\N	\N	f	\N
\\xdd36a0e6a8958d18f0e13e5796646cc710a66c3952b325f5f1a0a9a9557249fa	1795711643538	\\x03100e64656661756c740c66656e636573185b2272656c6561736564225d06a2aea5cbbe68a2aea5cbbe680010000000000002a4bb9aaf45a1da6529c9c915487571aab246a30bd3f7608f24000ccf81311e7f	\N	\N	\N	\N	\N	\N	f	\N
\\x9d8b5d7940dfb12ccc4520ddd86778b7359dc7a55cd60308cef99ac23a0e7a0e	\N	\\x03140e64656661756c740c66656e6365731a5b22756e6365727461696e225d04a6aea5cbbe68a6aea5cbbe6800080a9ed428559ef602668b4c00f114f1a11c3f6b02a435f0bdc154578e4d7f2250000a6669727374e6d7accbbe68c0a90780e0e5a40106fde17d1b21e6db1c12da32ebbf1c26a9f3375d78644aa6ce4a9e9ade01b72a58	\N	\\x5b315d	\N	\N	\N	\N	f	\N
\\x7a255ce80e55c2c167f9bce5c7d9e1d4f19da593ce8e8d441cb11a3a4c2e951b	1795279643543	\\x03180e64656661756c740c66656e636573185b227265736f6c766564225d02aeaea5cbbe68a8aea5cbbe68009003120e62792068616e640a6669727374e8d7accbbe68c0a90780e0e5a401aeaea5cbbe680809612476eaf5807844b30ce979de2e64f1658dd1c1b664c0ea9f419f97cb091d	\\x5b325d	\N	\N	\N	\N	\N	f	\N
\\xb491ba7ec6c170ada29802822571612ca0b666209ef0969dbca6fa9fa7036c6e	4795106843649	\\x03180e64656661756c740c66656e6365731c5b2274616b656e5f6f766572225d02feafa5cbbe68feafa5cbbe680090031228656666656374206f662074616b656e5f6f766572146c656173655f6f766572bed9accbbe68c0a90780c0f9decfae0182b0a5cbbe68001f6c3364dc7c86e952cfa664e4fcf88ccecb712396198a19f2fc2abeb50c6d0f	\\x33	\N	\N	\N	\N	\N	f	\N
\\xcebfc68d2d1ac3cd0fe0f8c6a177eb5a2df2a2b6efb8dec5799de652da7c1930	4795106843528	\\x033c0e64656661756c740c66656e636573145b227365616c6564225d028caea5cbbe688caea5cbbe6800247be862ba50ab8f303b120bda5cde1f4006ea51dac1e257d62d0f58026445eb90035220656666656374206f66207365616c65640a6669727374ccd7accbbe68c0a90780c0f9decfae0190aea5cbbe6800199eb9e7ffd3a0d0edd4611086e590733b552fb526f79ff9d257aad82533018802	\\x7b22636861726765223a202263685f31222c202274657874223a20225c7530306539227d	\\x7b22746f74616c223a2031322c202270617373776f7264223a202268757368227d	\N	\N	\N	\N	f	\N
\\xa937c8372e20d6c8191467b15700fe1f6b95b7982c328bbf5cf4466d8de1a584	\N	\\x02000e64656661756c740e616374696f6e733a5b226f76657274616b656e222c226b6579222c22666f6c6c6f7773225d009ce6a5cbbe6898e6a5cbbe680401a1f4b4b98c70ef8c18271cc907532c98e6a5cbbe680001a1f4b4b98e7070a29c1c60498e773a9ce6a5cbbe6802	\N	\N	\N	\N	\N	\N	f	01a1f4b4-b98e-7070-a29c-1c60498e773a
\\xe9b4203fc39554f220f5b2595ba5791e231a70c221d0d379384f491c52f32fab	1795798057134	\\x03100e64656661756c740c66656e63657388015b2264363635353237316362336331666165373331386161656466613936343861363966613664386333613363373035636539356238656133313961363966306435225d00bce6a5cbbe68bce6a5cbbe68000c000a6669727374dc82a7cbbe68a09c0180c0f9decfae010e696e766f69636504313710	\N	\N	1795106847134	invoice	17	8	f	\N
\\xcb4646f104c5be040d14cbb754e152d31e6e98fcb85d6b180dce1746583719ae	\N	\\x0208000e7369676e696e67185b227265636569707473225d02b2fba5cbbe68b2fba5cbbe68009003	\\x36373936653063326437633635643335356332343537343931346132326161303336383562643934353666653234326637316462333039623366623433633830	\N	\N	\N	\N	\N	f	\N
\\x77f6c1c947170b32894f94c44de0d335e3250a26b406220ee9161a9d881c3554	1795798057132	\\x03100e64656661756c740c66656e636573225b227365616c65645f696e5f73716c225d00b8e6a5cbbe68b8e6a5cbbe680000000a6669727374d882a7cbbe68a09c0180c0f9decfae01	\N	\N	1795106847132	\N	\N	\N	t	\N
\\x26d99176f838bd2562789de37bb0cff512d42d2eed9c4a5361fe8d1280ae898d	4795106843653	\\x03180e64656661756c740c66656e63657388015b2232393061643738376436356430653135343739376130396161376232326566396530653962653231376334613865353633623036303237353361643737343937225d0286b0a5cbbe6886b0a5cbbe680090031e22656666656374206f66206f726465723a340a6669727374a6cca6cbbe68a09c0180c0f9decfae018ab0a5cbbe680a6f726465720431370800816d603c2c7e6a96f87798fb8a1c06497c7aadf83297195cc2723c4ff630df80	\\x7b2276657273696f6e223a20347d	\N	\N	\N	\N	\N	f	\N
\\x58b21dbed5595e521d70be6911471c69ce78ccff5fb1131a17274a66c3fb5a55	4795106843657	\\x03180e64656661756c740c66656e63657388015b2237356665306530336436313337323664656138633862303533373934653137623562616166333765393931356534646538376665653831626565646461393132225d028cb0a5cbbe688cb0a5cbbe680090031e22656666656374206f66206f726465723a350a6669727374accca6cbbe68a09c0180c0f9decfae0192b0a5cbbe680a6f726465720431370a004b879230a3d5817954a8821dd5d7f7bdb2c0ca2cf09f61fcbc5fce9966150bf9	\\x7b2276657273696f6e223a20357d	\N	\N	\N	\N	\N	f	\N
\\xfc8e4607443abbd41da372fc3b6fed562500ff13ceb1592314af633ca8ca982f	1795798057130	\\x03140e64656661756c740c66656e6365731a5b22696e5f666c69676874225d00b4e6a5cbbe68b4e6a5cbbe6800015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f86240000a6669727374d482a7cbbe68a09c0180e0e5a401	\N	\\x7b2261223a20317d	1795106847130	\N	\N	\N	f	\N
\.


--
-- Data for Name: commit_mark; Type: TABLE DATA; Schema: semel; Owner: -
--

COPY semel.commit_mark (id, at, known, of_batch) FROM stdin;
01a1f4b4-a9c6-7020-9507-0f35a734f1d9	1795106843078	13	t
01a1f4b4-aa0a-70cc-94d1-23809ec6d73e	1795106843146	13	t
01a1f4b4-aa0c-70e0-8b07-5b9754019eae	1795106843148	13	t
01a1f4b4-aa0c-70e1-9c79-422c8de3558a	1795106843148	13	t
01a1f4b4-aa0d-70fd-afd2-700cdac1294a	1795106843149	13	t
01a1f4b4-aa0f-7040-b695-5304c4dd5cbc	1795106843151	13	t
01a1f4b4-aa11-70e9-a83c-ccf3d30265e0	1795106843153	13	t
01a1f4b4-aa12-7095-b0b1-3e2e136c031f	1795106843154	13	t
01a1f4b4-aa14-7003-87fe-a3f6369ffa3c	1795106843156	13	t
01a1f4b4-aa15-702c-86ca-e7de60a23d78	1795106843157	13	t
01a1f4b4-aa16-70ab-8ee1-56ca60f3bdc0	1795106843158	13	t
01a1f4b4-aa18-70db-8ffd-954104d9438c	1795106843160	13	t
01a1f4b4-aa19-7025-b390-b54116ccbb60	1795106843161	13	t
01a1f4b4-aa1a-70b1-97ab-2e5a42eae876	1795106843162	13	t
01a1f4b4-aa80-7005-a497-9d7afd0dfef1	1795106843263	13	t
01a1f4b4-aa81-708d-8ba8-a946bb315664	1795106843265	13	t
01a1f4b4-aa82-7028-bfc1-ffb12d910d67	1795106843266	13	t
01a1f4b4-aa84-705a-91c5-dcf98ce22506	1795106843268	13	t
01a1f4b4-aa85-70e3-9a66-9d752a2279a7	1795106843269	13	t
01a1f4b4-aa88-7031-8b40-c75b1835f1d6	1795106843272	13	t
01a1f4b4-aa89-709b-b275-fa47172b86e5	1795106843273	13	t
01a1f4b4-aa8a-70f8-8f63-f0bc510a6c0f	1795106843274	13	t
01a1f4b4-aa8b-7074-b7ed-fa3153c72d99	1795106843275	13	t
01a1f4b4-aa8c-70f4-8171-82f0f106a25b	1795106843276	13	t
01a1f4b4-aa91-70f8-83ef-1089a184c876	1795106843281	13	t
01a1f4b4-aa92-7083-932c-615fad719a60	1795106843282	13	t
01a1f4b4-aa93-705f-beb8-44c1a07f1a9c	1795106843283	13	t
01a1f4b4-aa94-70c8-b38f-0bf824cd233e	1795106843284	13	t
01a1f4b4-aa96-7030-a89d-1c2febac8d25	1795106843286	13	t
01a1f4b4-aa97-707e-b8ea-d78eaf7aabe7	1795106843287	13	t
01a1f4b4-aa98-7028-874c-0a84a6ae975e	1795106843288	13	t
01a1f4b4-aa99-70c9-a110-d0a9f71d18ca	1795106843289	13	t
01a1f4b4-aa9a-70fa-b4ba-e144b71ffa69	1795106843290	13	t
01a1f4b4-aa9b-7059-b133-c883fea8b93c	1795106843291	13	t
01a1f4b4-aa9c-7005-a189-dfeff319e5f2	1795106843292	13	t
01a1f4b4-aa9d-7095-ad02-5b20351e49a6	1795106843293	13	t
01a1f4b4-aa9e-70a0-806c-a7484324331f	1795106843294	13	t
01a1f4b4-aa9f-701c-b6b7-78dd9dc44d6e	1795106843295	13	t
01a1f4b4-aaa0-700d-96a8-1752feec4aba	1795106843296	13	t
01a1f4b4-aaa1-704b-812a-9dd7673d8160	1795106843297	13	t
01a1f4b4-aaa2-7007-8fa5-f65f8a85c5ee	1795106843298	13	t
01a1f4b4-aaa3-7020-a053-719cd4fa820c	1795106843299	13	t
01a1f4b4-aaa5-70cf-af12-2f094996fb92	1795106843300	13	t
01a1f4b4-aaa6-70ff-8698-35d3260a52fb	1795106843301	13	t
01a1f4b4-aaa6-7100-9551-12952a39c9fc	1795106843302	13	t
01a1f4b4-aaa9-704c-abb3-bf833abd9a5c	1795106843305	13	t
01a1f4b4-aaac-7073-82e1-24a7016c6040	1795106843308	13	t
01a1f4b4-aaad-7012-b63a-ce52932e0321	1795106843309	13	t
01a1f4b4-aaaf-70bc-a8c8-79f139f0a2a8	1795106843311	13	t
01a1f4b4-aab0-7006-a172-5b04b55e225b	1795106843312	13	t
01a1f4b4-aab1-7031-80df-f88561200ea1	1795106843313	13	t
01a1f4b4-aab1-7032-9994-137d9ae2574a	1795106843313	13	t
01a1f4b4-aab2-7095-902b-81db0e8a52df	1795106843314	13	t
01a1f4b4-aab5-703d-8681-7fc8b2f3307e	1795106843317	13	t
01a1f4b4-aab7-70e2-be36-cd9571b85e73	1795106843318	13	t
01a1f4b4-aab8-70a2-8af5-58f03848981c	1795106843320	13	t
01a1f4b4-aab9-707b-b236-2e9b08b92a96	1795106843321	13	t
01a1f4b4-aaba-70af-ba1b-e4e9c1f218c6	1795106843322	13	t
01a1f4b4-aabb-70d1-83f7-feba43b19454	1795106843323	13	t
01a1f4b4-aabc-70cc-9c24-8adc052b5261	1795106843324	13	t
01a1f4b4-aabe-709a-ac55-4805a34ac3ae	1795106843326	13	t
01a1f4b4-aabf-704d-85b7-9d77586d5e10	1795106843327	13	t
01a1f4b4-aac0-700e-8bf2-3214f009edd1	1795106843328	13	t
01a1f4b4-aac5-707d-9c78-3234ab5bcf30	1795106843333	13	t
01a1f4b4-aac9-7054-9326-61fa4e7970a9	1795106843337	13	t
01a1f4b4-aaca-70a3-9b51-210c7ef2a76b	1795106843338	13	t
01a1f4b4-aacd-7090-82be-5d4ca359d0a5	1795106843341	13	t
01a1f4b4-aace-70e0-82d5-347f223489ce	1795106843342	13	t
01a1f4b4-aacf-7059-88ad-db9dbc9a0180	1795106843343	13	t
01a1f4b4-aad1-7018-b4a6-ee10bee12b09	1795106843345	13	t
01a1f4b4-aad2-7046-9514-6be31f5e6a99	1795106843346	13	t
01a1f4b4-aad3-70be-8680-b29e4e3c16fe	1795106843347	13	t
01a1f4b4-aad4-7093-9322-99f95add7f0a	1795106843348	13	t
01a1f4b4-aad6-70a4-9eea-4307392e607a	1795106843350	13	t
01a1f4b4-aad7-7043-9aab-73e402e4bc93	1795106843351	13	t
01a1f4b4-aad8-70ca-8555-233978951f83	1795106843352	13	t
01a1f4b4-aad9-700d-b005-c8e15da64f2f	1795106843353	13	t
01a1f4b4-aada-7002-b159-df5c9a1b1030	1795106843354	13	t
01a1f4b4-aadb-70ce-a09e-317545141e70	1795106843355	13	t
01a1f4b4-aadd-7062-8000-c5f1a7dc6b05	1795106843357	13	t
01a1f4b4-aade-70a7-8fd8-d4a5de58e2ae	1795106843358	13	t
01a1f4b4-aae1-7060-b043-a0cba116cd87	1795106843361	13	t
01a1f4b4-aae2-7048-9731-8c19622b0869	1795106843362	13	t
01a1f4b4-aae8-706e-89fe-d244caee2b46	1795106843368	13	t
01a1f4b4-aae9-70cc-8ed4-a88d8bb6cb44	1795106843369	13	t
01a1f4b4-aaec-70ad-b8a4-a5e57f859f5c	1795106843372	13	t
01a1f4b4-aaee-7062-b0ba-b35c9b0bae2a	1795106843374	13	t
01a1f4b4-aaef-706e-8fa6-a53975c61ff9	1795106843375	13	t
01a1f4b4-aaf1-7070-bb17-d3098aba4882	1795106843377	13	t
01a1f4b4-aaf2-7086-a7f6-a07d46ad4569	1795106843378	13	t
01a1f4b4-aaf3-7007-87d6-30033e2871ce	1795106843379	13	t
01a1f4b4-aaf5-70ce-895b-acd0c487fe10	1795106843381	13	t
01a1f4b4-aaf7-70ef-ad95-305b9bad741c	1795106843383	13	t
01a1f4b4-aaf8-7028-a8ba-6875ca3ac94d	1795106843384	13	t
01a1f4b4-aafa-700a-b2dd-e1f96865190a	1795106843386	13	t
01a1f4b4-aafb-706f-9b37-a26da4f1404f	1795106843387	13	t
01a1f4b4-ab00-7005-9349-6320bc94b9be	1795106843392	13	t
01a1f4b4-ab01-70c9-829d-4b2853aaad8c	1795106843393	13	t
01a1f4b4-ab02-70df-9a00-51c50b665c81	1795106843394	13	t
01a1f4b4-ab04-7020-8a06-0e12774b7088	1795106843396	13	t
01a1f4b4-ab04-7088-98e3-7eda4d395d9a	1795106843396	13	t
01a1f4b4-ab08-704d-8717-ddc27abeaf98	1795106843400	13	t
01a1f4b4-ab0d-7042-b473-27e6ac1a64fe	1795106843405	13	t
01a1f4b4-ab0f-7024-ae0c-e31a739b1e56	1795106843407	13	t
01a1f4b4-ab10-7018-a7f2-4122dd406b99	1795106843408	13	t
01a1f4b4-ab12-704c-b3d6-9407acf0220e	1795106843410	13	t
01a1f4b4-ab13-7045-bd4a-e3f9e877e71c	1795106843411	13	t
01a1f4b4-ab14-70b9-a528-419ce7fa1af8	1795106843412	13	t
01a1f4b4-ab16-70a0-b33d-578741247ce2	1795106843414	13	t
01a1f4b4-ab17-7028-9b6e-909555f2f000	1795106843415	13	t
01a1f4b4-ab18-7005-9ca3-54245c434d71	1795106843416	13	t
01a1f4b4-ab19-7011-9a47-a5ee230a86a7	1795106843417	13	t
01a1f4b4-ab1b-7059-abf3-73e1d2a21f89	1795106843419	13	t
01a1f4b4-ab1c-707c-9101-f10cd5d3db87	1795106843420	13	t
01a1f4b4-ab50-7060-81fe-d383837d30c7	1795106843472	13	t
01a1f4b4-ab52-705f-b049-04bf0513407a	1795106843474	13	t
01a1f4b4-ab69-70d1-b7ed-bcc8d2d05114	1795106843497	13	t
01a1f4b4-ab86-708b-b803-99e6c29cb2b4	1795106843526	13	t
01a1f4b4-ab88-7086-a01c-762ceff57461	1795106843528	13	t
01a1f4b4-ab8d-7085-9f28-a9a6dff39d99	1795106843533	13	t
01a1f4b4-ab8e-709f-920e-22eff6d22757	1795106843534	13	t
01a1f4b4-ab90-705b-b93a-2e05c2fcfb58	1795106843536	13	t
01a1f4b4-ab91-7058-ad0a-c300e37c6649	1795106843537	13	t
01a1f4b4-ab92-70c9-928e-00701adc8700	1795106843538	13	t
01a1f4b4-ab93-7054-9560-c5f1f82e6a28	1795106843539	13	t
01a1f4b4-ab93-7055-a526-0f69261b3310	1795106843539	13	t
01a1f4b4-ab94-7060-8b8f-9a945d0ce900	1795106843540	13	t
01a1f4b4-ab96-708e-b73c-7273f94bc08b	1795106843541	13	t
01a1f4b4-ab97-70b0-92da-b56fc6ffef07	1795106843543	13	t
01a1f4b4-ab98-7035-aaf6-a66e9bc3b98c	1795106843544	13	t
01a1f4b4-ab99-704b-b0dc-7ad231296c4c	1795106843545	13	t
01a1f4b4-ab9a-7054-9207-cb89828a974e	1795106843546	13	t
01a1f4b4-abff-70c6-8209-5eb8df972332	1795106843647	13	t
01a1f4b4-ac01-7018-9196-ab89666c4776	1795106843649	13	t
01a1f4b4-ac03-7004-b695-a764d01aee71	1795106843651	13	t
01a1f4b4-ac05-70ba-9707-f51d83ca6155	1795106843653	13	t
01a1f4b4-ac06-7030-82f5-48c986e5fe6b	1795106843654	13	t
01a1f4b4-ac09-7061-b819-1a726d6a65d1	1795106843657	13	t
01a1f4b4-ae93-7025-8a3d-b5bcbddbded7	1795106844307	13	t
01a1f4b4-ae94-7033-a143-c9f3935b3841	1795106844308	13	t
01a1f4b4-b2c0-702d-b5ef-e0c5919b68b6	1795106845376	13	t
01a1f4b4-b96d-7084-80cf-87a1108fbf25	1795106847085	13	t
01a1f4b4-b96e-70fb-a3f3-e3cab1c28290	1795106847086	13	t
01a1f4b4-b96f-7056-a1b8-c27c3ccbfb01	1795106847087	13	t
01a1f4b4-b970-7014-8c78-931eac003ef2	1795106847088	13	t
01a1f4b4-b972-70a5-933c-b5954a583f98	1795106847090	13	t
01a1f4b4-b973-702e-8050-1b1543dcd0a6	1795106847091	13	t
01a1f4b4-b979-7084-9ae7-f69bf6a1a13e	1795106847097	13	t
01a1f4b4-b97a-704e-8724-b814b3a3de5a	1795106847098	13	t
01a1f4b4-b97c-70d3-9654-222f82f70fcb	1795106847100	13	t
01a1f4b4-b97d-70e4-9139-be2f8092e50f	1795106847101	13	t
01a1f4b4-b97e-7056-9a5f-23f41e531f9a	1795106847102	13	t
01a1f4b4-b97f-7006-8e92-e160f3a4dcf7	1795106847103	13	t
01a1f4b4-b980-7070-95d7-bd5394148611	1795106847103	13	t
01a1f4b4-b980-7071-9d1f-b9b07b09fc89	1795106847104	13	t
01a1f4b4-b981-7000-b852-76663b9d0ae8	1795106847105	13	t
01a1f4b4-b982-701f-a77c-95386e587f45	1795106847106	13	t
01a1f4b4-b983-70a7-9816-6a8195b67e68	1795106847107	13	t
01a1f4b4-b989-7033-8d65-1391ee1af9a3	1795106847113	13	t
01a1f4b4-b98a-70b2-b325-d735ffb24a52	1795106847114	13	t
01a1f4b4-b98b-7002-8327-f71f23264b96	1795106847115	13	t
01a1f4b4-b98d-7038-9b33-b05e7ff41492	1795106847117	13	t
01a1f4b4-b995-70f7-8802-ec1decd7a868	1795106847125	13	t
01a1f4b4-b996-70d7-880a-e5f9ba7f8fd5	1795106847126	13	t
01a1f4b4-b999-709c-83c2-e7f2ce5999e7	1795106847129	13	t
01a1f4b4-b99a-70bc-a076-739538b991b9	1795106847130	13	t
01a1f4b4-b99e-70b0-a36e-a0576ec08b12	1795106847134	13	t
01a1f4b4-b9a1-70aa-a215-562d659b9ad7	1795106847137	13	t
01a1f4b4-b9a3-70b7-ad79-3b917f987c3a	1795106847139	13	t
01a1f4b4-b9a9-70f2-be59-52b2f175a09a	1795106847145	13	t
01a1f4b4-b9ab-702e-8249-d4aeecda78e2	1795106847147	13	t
01a1f4b4-b9ac-7028-a4a8-7ca3a6349c2f	1795106847148	13	t
01a1f4b4-b9b1-7086-8425-013ea9d68fc3	1795106847153	13	t
01a1f4b4-b9b2-7068-923d-490b1736a66a	1795106847154	13	t
01a1f4b4-b9b3-7074-906d-9f0d147ec451	1795106847155	13	t
01a1f4b4-bd84-7043-9eb5-f3551e7138ef	1795106848132	13	t
01a1f4b4-bedb-70ce-a5b2-549a5b78c295	1795106848475	13	t
01a1f4b4-afa5-7049-93ec-3a16ba0a7304	1795106844581	13	t
01a1f4b4-b96c-70d4-90a6-e761815d3bfd	1795106847083	13	t
01a1f4b4-b975-702c-9454-6c170ca81e97	1795106847093	13	t
01a1f4b4-b97a-70f1-8b18-d718c62c3c6f	1795106847098	13	t
01a1f4b4-b98c-709d-93ef-953e3c2d0e80	1795106847116	13	t
01a1f4b4-b98e-700e-9f5d-22b478968675	1795106847118	13	t
01a1f4b4-b98f-70e9-a1de-567188e0608c	1795106847119	13	t
01a1f4b4-b990-70e5-8e2e-621408c084ba	1795106847120	13	t
01a1f4b4-b992-70af-99b6-e7e6c668e28c	1795106847122	13	t
01a1f4b4-b993-7005-b460-0bde2d096a7b	1795106847123	13	t
01a1f4b4-b997-708e-aeb2-390445ab3fc7	1795106847127	13	t
01a1f4b4-b998-706d-9f8e-aace29e19da3	1795106847128	13	t
01a1f4b4-b99c-70fb-a4bd-d6ef515ca97d	1795106847132	13	t
01a1f4b4-b99e-708b-ba93-8fc2d32e39e6	1795106847134	13	t
01a1f4b4-b9a2-70fa-923b-b0d07314c40b	1795106847138	13	t
01a1f4b4-b9a4-702b-8fed-cb73b401f4b2	1795106847140	13	t
01a1f4b4-b9a5-70c2-bcc6-4d83db275d75	1795106847141	13	t
01a1f4b4-b9aa-7028-862b-1c577ad2df8f	1795106847146	13	t
01a1f4b4-bed9-7033-8d88-b3041c4d2c60	1795106848473	13	t
\.


--
-- Data for Name: decision_20776; Type: TABLE DATA; Schema: semel; Owner: -
--

COPY semel.decision_20776 (day, tenant, sequence, data) FROM stdin;
20776	default	2	\\x01008ca7a5cbbe680e616374696f6e731e656e7175657565645f6265666f726500000c6e6f5f6b657901a1f4b4a7e8773784072b9b7778514700020000
20776	default	3	\\x01009ea8a5cbbe680e616374696f6e7312636f6d706c6574656400000c6e6f5f6b657901a1f4b4aa0f7090b6deb0498cc8593b00020000
20776	default	4	\\x0100a8a8a5cbbe680e616374696f6e730c6661696c656400000c6e6f5f6b657901a1f4b4aa1470549da92c413e9a6e6500020000
20776	default	5	\\x0100b0a8a5cbbe680e616374696f6e731c6661696c65645f61745f6c61737400000c6e6f5f6b657901a1f4b4aa187045aea4a81d4911d2f200020000
20776	default	6	\\x010088aaa5cbbe680e616374696f6e731e6661696c65645f666f725f676f6f6400000c6e6f5f6b657901a1f4b4aa8470d893406193223a990f00020000
20776	default	7	\\x010092aaa5cbbe680e616374696f6e731263616e63656c6c656400000c6e6f5f6b657901a1f4b4aa8970f1871f88d6140cb04b00020000
20776	default	8	\\x010096aaa5cbbe680e616374696f6e732e63616e63656c6c65645f7768696c655f72756e6e696e6700000c6e6f5f6b657901a1f4b4aa8b70529542cf3cb2501cd000020000
20776	default	9	\\x0100a4aaa5cbbe680e616374696f6e7326726574726965645f62795f6f70657261746f7200000c6e6f5f6b657901a1f4b4aa92701e82ffe0461b14f71000020000
20776	default	10	\\x0100aeaaa5cbbe680e616374696f6e731072656c656173656400000c6e6f5f6b657901a1f4b4aa97704483dc03c7a97c0dcc00020000
20776	default	11	\\x0100b4aaa5cbbe680e616374696f6e73126c6f73745f6f6e636500000c6e6f5f6b657901a1f4b4aa9a70ecbc0c0785c070572000020000
20776	default	12	\\x0100b8aaa5cbbe680e616374696f6e731c74696d65645f6f75745f6f6e636500000c6e6f5f6b657901a1f4b4aa9c700fb8e458a98f0082bc00020000
20776	default	13	\\x0100bcaaa5cbbe680e616374696f6e731a6c6f73745f666f725f676f6f6400000c6e6f5f6b657901a1f4b4aa9e7011b0b2b101160e76f600020000
20776	default	14	\\x0100c0aaa5cbbe680e616374696f6e730a6c6172676500000c6e6f5f6b657901a1f4b4aaa07061b2733178985d653700020000
20776	acme	15	\\x0100c6aaa5cbbe680e616374696f6e730e6f665f61636d6500000c6e6f5f6b657901a1f4b4aaa3700dac18a982295864a000020a6f7264657204c3a9
20776	acme	16	\\x0100c8aaa5cbbe680e616374696f6e7318646f6e655f6f665f61636d6500000c6e6f5f6b657901a1f4b4aaa4708d877fbdb8f0ba91c100020000
20776	default	17	\\x0102d2aaa5cbbe680e616374696f6e731a6b65795f636f6d706c657465643c5b226b65795f636f6d706c65746564222c226b6579222c226f6e6365225d000a666972737401a1f4b4aaa970ffa202852ba9e98dd8000200000acc365472eb66d4c19d5f4367d80ec94fc1c865aba3fd0af92621ffb655b8f7
20776	default	18	\\x0102deaaa5cbbe680e616374696f6e73166b65795f70656e64696e67385b226b65795f70656e64696e67222c226b6579222c2268656c64225d000a666972737401a1f4b4aaaf702f98d39b4a8a9a06a90002000001893c05fd8699a0de3514339d65977792bf2ac63e8d5c33fdc6c86d574a7d7f
20776	default	19	\\x0102e2aaa5cbbe680e616374696f6e731a6b65795f6f665f656e74697479745b226b65795f6f665f656e74697479222c22656e74697479222c226f72646572222c223137222c222f6b696e64222c225c226d61696c5c22225d000a666972737401a1f4b4aab17041ae9dc41042d2c4ad00020a6f72646572043137f58a81f419e0e6031a2afd1b03d52a7be220fe18c45ac7168dceca94d31934be
20776	default	20	\\x0102e2aaa5cbbe680e616374696f6e731a6b65795f6f665f656e74697479745b226b65795f6f665f656e74697479222c22656e74697479222c226f72646572222c223137222c222f6b696e64222c225c226d61696c5c22225d060c72656a65637401a1f4b4aab17041ae9dc41042d2c4ad00020a6f72646572043137f58a81f419e0e6031a2afd1b03d52a7be220fe18c45ac7168dceca94d31934be
20776	default	21	\\x0102e4aaa5cbbe680e616374696f6e73126465626f756e636564345b226465626f756e636564222c226b6579222c2263616c6d225d000a666972737401a1f4b4aab27032a8710194f4b8efe900020000d2a4a6e8e4b23d17c38fae3866aff971ec51a211be4680906e52c15ae0af9f2a
20776	default	22	\\x0100ecaaa5cbbe680e616374696f6e731e7365616c735f615f7265717565737400000c6e6f5f6b657901a1f4b4aab6702caa830dfdaa87e7d300020000
20776	default	23	\\x0100f0aaa5cbbe680e616374696f6e73146964656d706f74656e7400000c6e6f5f6b657901a1f4b4aab8702d8cb92d5d934ada1d00020000
20776	default	24	\\x0102f2aaa5cbbe680e616374696f6e7314737570657273656465643a5b2273757065727365646564222c226b6579222c226e6577657374225d000a666972737401a1f4b4aab97005aafc0f24f95321f70002000041d25326a93f08e5a79c07871258e0d78d7b9c2695c68ca20af113791bb724cb
20776	default	25	\\x0102f6aaa5cbbe680e616374696f6e7314737570657273656465643a5b2273757065727365646564222c226b6579222c226e6577657374225d0012737563636573736f7201a1f4b4aabb704b976751aede39d7070002000041d25326a93f08e5a79c07871258e0d78d7b9c2695c68ca20af113791bb724cb
20776	default	26	\\x0102fcaaa5cbbe680c636861696e731e636861696e5f636f6d706c65746564365b22636861696e5f636f6d706c65746564222c2277686f6c65225d00066b657901a1f4b4aabe7076b18b2c3a00b5d87c00020000fd293d19745efda23599ff7cf691464b3870d79cf9214f7f376ef4553412b5dc
20776	default	27	\\x01009eaba5cbbe680c636861696e7318636861696e5f6661696c656400000c6e6f5f6b657901a1f4b4aacf700a9880018ee6d4337a00020000
20776	default	28	\\x0100a2aba5cbbe680c636861696e732c636861696e5f77616974735f666f725f6661696c656400000c6e6f5f6b657901a1f4b4aad170509150eccfb6abb57000020000
20776	default	29	\\x0100a4aba5cbbe680c636861696e732e636861696e5f6661696c65645f62795f626c6f636b657200000c6e6f5f6b657901a1f4b4aad2706a83d944a4cec1f2ba00020000
20776	default	30	\\x0100acaba5cbbe680c636861696e731e636861696e5f63616e63656c6c656400000c6e6f5f6b657901a1f4b4aad670f49f773b59e56fe53b00020000
20776	default	31	\\x0102b2aba5cbbe680c636861696e731a636861696e5f64656c65746564365b22636861696e5f64656c65746564222c2264656c65746564225d00066b657901a1f4b4aad970b4ad6315467caaf2c200020000793baedeba7386ccb4b65ca1bab1ab4533076ab3a5991c0181e299958f1aab87
20776	default	32	\\x0102bcaba5cbbe680c636861696e7312636861696e5f666172265b22636861696e5f666172222c22666172225d00066b657901a1f4b4aade703ab886c184ade3d3f100020000dd386588c55bac7aee8f8f63770f6549c75b626561cfaf4c7ddd65e919c785e3
20776	default	33	\\x0100c2aba5cbbe680c636861696e731a636861696e5f626c6f636b656400000c6e6f5f6b657901a1f4b4aae1706ab0ef3b121267a74000020000
20776	default	34	\\x0100c4aba5cbbe680c636861696e7320636861696e5f6f6e5f6974735f77617900000c6e6f5f6b657901a1f4b4aae270d6bd2f2b971063eddf00020000
20776	default	35	\\x0100d8aba5cbbe680c636861696e7318636861696e5f696e6c696e6500000c6e6f5f6b657901a1f4b4aaec7055986b4457b448ac8200020000
20776	default	36	\\x0100d8aba5cbbe680c636861696e7316636861696e5f6a6f696e7300000c6e6f5f6b657901a1f4b4aaec7054b7a2a9a93d57075e00020000
20776	default	37	\\x0100dcaba5cbbe680c636861696e731a636861696e5f676f65735f6f6e00000c6e6f5f6b657901a1f4b4aaee70e1a49c91bce0c0b7c300020000
20776	default	38	\\x0100deaba5cbbe680c636861696e731c636861696e5f63686f73656e5f3100000c6e6f5f6b65790198000000007000800000000000000100020000
20776	default	39	\\x0100e2aba5cbbe680c636861696e731c636861696e5f63686f73656e5f3200000c6e6f5f6b65790198000000007000800000000000000200020000
20776	acme	40	\\x0100e4aba5cbbe680c636861696e731a636861696e5f6f665f61636d6500000c6e6f5f6b657901a1f4b4aaf2708989539a503231c59100020000
20776	default	41	\\x010080aca5cbbe680e616374696f6e73126c6f73745f6f6e6365000a086c6f737401a1f4b4aa9a70ecbc0c0785c070572080aca5cbbe68020000
20776	default	42	\\x010084aca5cbbe680e616374696f6e731c74696d65645f6f75745f6f6e6365000a0e74696d656f757401a1f4b4aa9c700fb8e458a98f0082bc84aca5cbbe68020000
20776	default	43	\\x010088aca5cbbe680e616374696f6e731a6c6f73745f666f725f676f6f64000a086c6f737401a1f4b4aa9e7011b0b2b101160e76f688aca5cbbe68020000
20776	default	44	\\x0100aeaca5cbbe680e616374696f6e730862756c6b00000c6e6f5f6b657901a1f4b4ab1770dd8cd8c881255bbec500020000
20776	default	45	\\x0100b0aca5cbbe680e616374696f6e730862756c6b00000c6e6f5f6b657901a1f4b4ab187009914d30b8d37576da00020000
20776	default	46	\\x0100b2aca5cbbe680e616374696f6e730862756c6b00000c6e6f5f6b657901a1f4b4ab1970d0a8335163fb57a6fc00020000
20776	default	47	\\x01028caea5cbbe680c66656e63657306617069145b227365616c6564225d000a6669727374000000000000000000000000000000008caea5cbbe68020000cebfc68d2d1ac3cd0fe0f8c6a177eb5a2df2a2b6efb8dec5799de652da7c1930
20776	default	48	\\x02129aaea5cbbe680c66656e63657306617069145b227365616c6564225d060e636f6e74656e74000000000000000000000000000000008caea5cbbe68020000cebfc68d2d1ac3cd0fe0f8c6a177eb5a2df2a2b6efb8dec5799de652da7c193020656666656374206f66207365616c6564
20776	default	49	\\x01029caea5cbbe680c66656e6365730e776562686f6f6b265b227365616c65642f627920636c617373225d000a6669727374000000000000000000000000000000009caea5cbbe680200007bfdafa1a8066551a1153a5051321caa67f150a0147520b3f05a822beb752aba
20776	default	50	\\x0102a2aea5cbbe680c66656e63657306617069185b2272656c6561736564225d000a666972737400000000000000000000000000000000a2aea5cbbe68020000dd36a0e6a8958d18f0e13e5796646cc710a66c3952b325f5f1a0a9a9557249fa
20776	default	51	\\x0102a6aea5cbbe680c66656e636573066170691a5b22756e6365727461696e225d000a666972737400000000000000000000000000000000a6aea5cbbe680200009d8b5d7940dfb12ccc4520ddd86778b7359dc7a55cd60308cef99ac23a0e7a0e
20776	default	52	\\x010aa6aea5cbbe680c66656e636573001a5b22756e6365727461696e225d0e0a6f776e657200000000000000000000000000000000a6aea5cbbe680200009d8b5d7940dfb12ccc4520ddd86778b7359dc7a55cd60308cef99ac23a0e7a0e023f
20776	default	53	\\x0102a8aea5cbbe680c66656e63657306617069185b227265736f6c766564225d000a666972737400000000000000000000000000000000a8aea5cbbe680200007a255ce80e55c2c167f9bce5c7d9e1d4f19da593ce8e8d441cb11a3a4c2e951b
20776	default	54	\\x0102aaaea5cbbe680c66656e63657300185b227265736f6c766564225d0e0a6f776e657200000000000000000000000000000000a8aea5cbbe680200007a255ce80e55c2c167f9bce5c7d9e1d4f19da593ce8e8d441cb11a3a4c2e951b
20776	default	55	\\x021aaeaea5cbbe680c66656e63657300185b227265736f6c766564225d0c0c7365616c656400000000000000000000000000000000aeaea5cbbe680200007a255ce80e55c2c167f9bce5c7d9e1d4f19da593ce8e8d441cb11a3a4c2e951b1c61736b6564207468652062616e6b0e62792068616e64
20776	default	56	\\x0102b0aea5cbbe680c66656e63657306617069165b2265787069726564225d000a666972737400000000000000000000000000000000b0aea5cbbe68020000cb57377f999398392a6b012bd0c109d3af3c0b6031111daed1c74741d534012b
20776	default	57	\\x0102b4aea5cbbe680c66656e636573066170691c5b2274616b656e5f6f766572225d000a666972737400000000000000000000000000000000b4aea5cbbe68020000b491ba7ec6c170ada29802822571612ca0b666209ef0969dbca6fa9fa7036c6e
20776	default	58	\\x0102feafa5cbbe680c66656e636573001c5b2274616b656e5f6f766572225d0a146c656173655f6f76657200000000000000000000000000000000feafa5cbbe68020000b491ba7ec6c170ada29802822571612ca0b666209ef0969dbca6fa9fa7036c6e
20776	default	59	\\x0102feafa5cbbe680c66656e636573066170691c5b2274616b656e5f6f766572225d00146c656173655f6f76657200000000000000000000000000000000feafa5cbbe68020000b491ba7ec6c170ada29802822571612ca0b666209ef0969dbca6fa9fa7036c6e
20776	default	66	\\x0102cabea5cbbe680c66656e63657306617069165b2265787069726564225d00086672656500000000000000000000000000000000cabea5cbbe68020000cb57377f999398392a6b012bd0c109d3af3c0b6031111daed1c74741d534012b
20776	default	60	\\x010286b0a5cbbe680c66656e6365730661706988015b2232393061643738376436356430653135343739376130396161376232326566396530653962653231376334613865353633623036303237353361643737343937225d000a66697273740000000000000000000000000000000086b0a5cbbe68020a6f7264657204313726d99176f838bd2562789de37bb0cff512d42d2eed9c4a5361fe8d1280ae898d
20776	default	61	\\x01028cb0a5cbbe680c66656e6365730661706988015b2237356665306530336436313337323664656138633862303533373934653137623562616166333765393931356534646538376665653831626565646461393132225d000a6669727374000000000000000000000000000000008cb0a5cbbe68020a6f7264657204313758b21dbed5595e521d70be6911471c69ce78ccff5fb1131a17274a66c3fb5a55
20776	default	62	\\x021296b0a5cbbe680c66656e63657306617069165b2265787069726564225d020c7365616c656400000000000000000000000000000000b0aea5cbbe680e0000cb57377f999398392a6b012bd0c109d3af3c0b6031111daed1c74741d534012b22656666656374206f662065787069726564
20776	default	63	\\x0106d4aaa5cbbe680e616374696f6e731a6b65795f636f6d706c657465643c5b226b65795f636f6d706c65746564222c226b6579222c226f6e6365225d020e7265706c61636501a1f4b4aaa970ffa202852ba9e98dd8000400000acc365472eb66d4c19d5f4367d80ec94fc1c865aba3fd0af92621ffb655b8f7
20776	default	64	\\x0106e0aaa5cbbe680e616374696f6e73166b65795f70656e64696e67385b226b65795f70656e64696e67222c226b6579222c2268656c64225d020e7265706c61636501a1f4b4aaaf702f98d39b4a8a9a06a90002000001893c05fd8699a0de3514339d65977792bf2ac63e8d5c33fdc6c86d574a7d7f
20776	default	65	\\x021292aea5cbbe680c66656e63657306617069145b227365616c6564225d020c7365616c6564000000000000000000000000000000008caea5cbbe68020000cebfc68d2d1ac3cd0fe0f8c6a177eb5a2df2a2b6efb8dec5799de652da7c193020656666656374206f66207365616c6564
20776	default	67	\\x0212b2bba5cbbe680c66656e63657306617069165b2265787069726564225d020c7365616c656400000000000000000000000000000000b0aea5cbbe68040000cb57377f999398392a6b012bd0c109d3af3c0b6031111daed1c74741d534012b22656666656374206f662065787069726564
20776	default	69	\\x0100dae5a5cbbe680e616374696f6e730a6c6174657200000c6e6f5f6b657901a1f4b4b96d70bcad042dd0c1ab101000020000
20776	default	70	\\x0100dce5a5cbbe680e616374696f6e73126261636b6f66665f3100000c6e6f5f6b657901a1f4b4b96e707cbd8c6f8a21900cb900020000
20776	default	71	\\x0100e4e5a5cbbe680e616374696f6e73126261636b6f66665f3200000c6e6f5f6b657901a1f4b4b97270a3ba37e39ad63bf15700020000
20776	default	72	\\x0100f2e5a5cbbe680e616374696f6e73126261636b6f66665f3300000c6e6f5f6b657901a1f4b4b97970c582917e9f71e8c03100020000
20776	default	73	\\x0100f8e5a5cbbe680e616374696f6e730868656c6400000c6e6f5f6b657901a1f4b4b97c703fa4966f97513a233900020000
20776	default	74	\\x0100fae5a5cbbe680e616374696f6e732268656c645f776974685f74696d656f757400000c6e6f5f6b657901a1f4b4b97d70bd80f2b4640eabda8800020000
20776	default	75	\\x0100fce5a5cbbe680c636861696e7314636861696e5f68656c6400000c6e6f5f6b657901a1f4b4b97e70288b9635019130d77200020000
20776	default	76	\\x010082e6a5cbbe680e616374696f6e7320636f6d706c657465645f696e5f73716c00000c6e6f5f6b657901a1f4b4b98170a0b55931e22ffc63ed00020000
20776	default	77	\\x010086e6a5cbbe680e616374696f6e731a6661696c65645f696e5f73716c00000c6e6f5f6b657901a1f4b4b9837028bec6e834ae3d44ee00020000
20776	default	78	\\x010094e6a5cbbe680e616374696f6e7320636f6e74696e7565645f696e5f73716c00000c6e6f5f6b657901a1f4b4b98a70bb9079bcf18409430700020000
20776	default	85	\\x0100ace6a5cbbe680e616374696f6e731267726f75705f66617200000c6e6f5f6b657901a1f4b4b996705ba32317f7e89c8ba500020000
20776	default	88	\\x0102b4e6a5cbbe680c66656e636573066170691a5b22696e5f666c69676874225d000a666972737400000000000000000000000000000000b4e6a5cbbe68020000fc8e4607443abbd41da372fc3b6fed562500ff13ceb1592314af633ca8ca982f
20776	default	91	\\x0100bce6a5cbbe680c636861696e730c646f6f6d656400000c6e6f5f6b657901a1f4b4b99e70558d218aea0383598000020000
20776	default	92	\\x0100c2e6a5cbbe680c636861696e730a776169747300000c6e6f5f6b657901a1f4b4b9a170709e4c230d47ec1f1e00020000
20776	default	94	\\x0100c6e6a5cbbe680c636861696e730c646f6f6d656400000c6e6f5f6b657901a1f4b4b9a370bc8e9673c20010b8f400020000
20776	default	97	\\x0100d2e6a5cbbe680c636861696e730c646f6f6d656400000c6e6f5f6b657901a1f4b4b9a9700dbe4f185b0776d63a00020000
20776	default	99	\\x0100d6e6a5cbbe680c636861696e730a776169747300000c6e6f5f6b657901a1f4b4b9ab70579e20f48001e3721600020000
20776	default	100	\\x0100d8e6a5cbbe680c636861696e730c646f6f6d656400000c6e6f5f6b657901a1f4b4b9ac70d49362e1741cc2348700020000
20776	default	101	\\x0100e2e6a5cbbe680c636861696e730a776169747300000c6e6f5f6b657901a1f4b4b9b1700c97b0f1ef0e53605500020000
20776	default	102	\\x0100e4e6a5cbbe680c636861696e730a776169747300000c6e6f5f6b657901a1f4b4b9b270f8bdd2ccb841f1346100020000
20776	default	103	\\x0102b6e6a5cbbe680c66656e636573066170691a5b22696e5f666c69676874225d040c6c656173656400000000000000000000000000000000b4e6a5cbbe68020000fc8e4607443abbd41da372fc3b6fed562500ff13ceb1592314af633ca8ca982f
20776	default	68	\\x0102d6e5a5cbbe680e616374696f6e73066e6f77385b226e6f77222c22656e74697479222c226f72646572222c2237225d000a666972737401a1f4b4b96b70a5bbd1fbc9a1a191f500020a6f726465720237cdd4ddc403eda8dbd32d26ceee3f978a8e4d06fb2b18a8ba2b70db498bd72fb1
20776	default	79	\\x010298e6a5cbbe680e616374696f6e73126f76657274616b656e3a5b226f76657274616b656e222c226b6579222c22666f6c6c6f7773225d000a666972737401a1f4b4b98c70ef8c18271cc907532c00020000a937c8372e20d6c8191467b15700fe1f6b95b7982c328bbf5cf4466d8de1a584
20776	default	80	\\x01029ce6a5cbbe680e616374696f6e73126f76657274616b656e3a5b226f76657274616b656e222c226b6579222c22666f6c6c6f7773225d0012737563636573736f7201a1f4b4b98e7070a29c1c60498e773a00020000a937c8372e20d6c8191467b15700fe1f6b95b7982c328bbf5cf4466d8de1a584
20776	default	81	\\x01009ee6a5cbbe680e616374696f6e730e67726f75705f3000000c6e6f5f6b657901a1f4b4b98f70849eb59b78212bd93f00020000
20776	default	82	\\x0100a0e6a5cbbe680e616374696f6e730e67726f75705f3100000c6e6f5f6b657901a1f4b4b990700ca4786ae7736c296400020000
20776	default	83	\\x0100a4e6a5cbbe680e616374696f6e730e67726f75705f3200000c6e6f5f6b657901a1f4b4b992706fab150354f5c7e3b100020000
20776	default	84	\\x0100a6e6a5cbbe680e616374696f6e730e67726f75705f3300000c6e6f5f6b657901a1f4b4b99370e4af082d7969d7075000020000
20776	default	86	\\x0100aee6a5cbbe680e616374696f6e731667726f75705f726561647900000c6e6f5f6b657901a1f4b4b997701fb1ef41db4562cac300020000
20776	default	87	\\x0100b0e6a5cbbe680e616374696f6e731867726f75705f626568696e6400000c6e6f5f6b657901a1f4b4b998703faffdd974a7915aa900020000
20776	default	89	\\x0102b8e6a5cbbe680c66656e63657306617069225b227365616c65645f696e5f73716c225d000a666972737400000000000000000000000000000000b8e6a5cbbe6802000077f6c1c947170b32894f94c44de0d335e3250a26b406220ee9161a9d881c3554
20776	default	90	\\x0102bce6a5cbbe680c66656e6365730661706988015b2264363635353237316362336331666165373331386161656466613936343861363966613664386333613363373035636539356238656133313961363966306435225d000a666972737400000000000000000000000000000000bce6a5cbbe68020e696e766f696365043137e9b4203fc39554f220f5b2595ba5791e231a70c221d0d379384f491c52f32fab
20776	default	93	\\x0100c4e6a5cbbe680c636861696e730a776169747300000c6e6f5f6b657901a1f4b4b9a2709a93666cefff2084e800020000
20776	default	95	\\x0100c8e6a5cbbe680c636861696e730a776169747300000c6e6f5f6b657901a1f4b4b9a470b6ba9120f207c99bed00020000
20776	default	96	\\x0100cae6a5cbbe680c636861696e730a776169747300000c6e6f5f6b657901a1f4b4b9a57008a6117aecd038aa5600020000
20776	default	98	\\x0100d4e6a5cbbe680c636861696e730a776169747300000c6e6f5f6b657901a1f4b4b9aa70c4a5ec01e95a2c6da700020000
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
01a1f4b4-aad1-7050-9150-eccfb6abb570	0	01a1f4b4-aacf-700a-9880-018ee6d4337a	f
01a1f4b4-aad2-706a-83d9-44a4cec1f2ba	0	01a1f4b4-aacf-700a-9880-018ee6d4337a	f
01a1f4b4-aae1-706a-b0ef-3b121267a740	0	01a1f4b4-aade-703a-b886-c184ade3d3f1	f
01a1f4b4-aaec-7054-b7a2-a9a93d57075e	0	01a1f4b4-aabe-7076-b18b-2c3a00b5d87c	t
01a1f4b4-aaec-7054-b7a2-a9a93d57075e	1	01a1f4b4-aae2-70d6-bd2f-2b971063eddf	f
01a1f4b4-aaec-7054-b7a2-a9a93d57075e	2	01a1f4b4-aaec-7055-986b-4457b448ac82	f
01a1f4b4-aaee-70e1-a49c-91bce0c0b7c3	0	01a1f4b4-aaec-7054-b7a2-a9a93d57075e	f
01a1f4b4-b9a1-7070-9e4c-230d47ec1f1e	0	01a1f4b4-b99e-7055-8d21-8aea03835980	f
01a1f4b4-b9a2-709a-9366-6cefff2084e8	0	01a1f4b4-b9a1-7070-9e4c-230d47ec1f1e	f
01a1f4b4-b9a4-70b6-ba91-20f207c99bed	0	01a1f4b4-b9a3-70bc-8e96-73c20010b8f4	f
01a1f4b4-b9a5-7008-a611-7aecd038aa56	0	01a1f4b4-b9a4-70b6-ba91-20f207c99bed	f
01a1f4b4-b9aa-70c4-a5ec-01e95a2c6da7	0	01a1f4b4-b9a9-700d-be4f-185b0776d63a	f
01a1f4b4-b9ab-7057-9e20-f48001e37216	0	01a1f4b4-b9aa-70c4-a5ec-01e95a2c6da7	f
01a1f4b4-b9b1-700c-97b0-f1ef0e536055	0	01a1f4b4-b9ac-70d4-9362-e1741cc23487	f
01a1f4b4-b9b2-70f8-bdd2-ccb841f13461	0	01a1f4b4-b9b1-700c-97b0-f1ef0e536055	f
\.


--
-- Data for Name: job; Type: TABLE DATA; Schema: semel; Owner: -
--

COPY semel.job (id, tenant, type, status, place, shelf, urgency, scheduled_at, created_at, completed_at, lock_group, chain, token, schedule, schedule_name, slot, data, payload, chain_index, in_chain, chain_shelf, kept, chosen, completed_by) FROM stdin;
01a1f4b4-a7e8-7737-8407-2b9b77785147	default	enqueued_before	1	1	0	0	1795106843078	1795106843078	\N	\N	01a1f4b4-a7e8-7737-8407-2b9b77785147	0	\N	\N	\N	\\x01008ca7a5cbbe6806000000	\\x5b315d	0	f	\N	\N	t	\N
01a1f4b4-aa0f-7090-b6de-b0498cc8593b	default	completed	3	6	3	-7	1795106843151	1795106843151	1795106843154	\N	01a1f4b4-aa0f-7090-b6de-b0498cc8593b	1795106843153	\N	\N	\N	\\x01a842a4a8a5cbbe68060200a2a8a5cbbe68a2a8a5cbbe68c0a9070006a31943cc3cd182dc1e8259aa1c288d5cc0e35dd98140b0456a5be102d68a2e90	\\x7b226e223a20312e352c202274657874223a20225c75303065395c75303030305c22222c20226c697374223a205b312c206e756c6c2c20747275655d7d	0	f	\N	\N	\N	\\x776f726b6572206f6620636f6d706c65746564
01a1f4b4-aa14-7054-9da9-2c413e9a6e65	default	failed	4	6	4	0	1795106843156	1795106843156	1795106843158	\N	01a1f4b4-aa14-7054-9da9-2c413e9a6e65	1795106843157	\N	\N	\N	\\x019842aca8a5cbbe68020200aaa8a5cbbe68aaa8a5cbbe680414808080808080808080012802089c510a75542fbda3e73327f076975600308dcba7d6d4edc383eed6b858a1b56e	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4b4-aa18-7045-aea4-a81d4911d2f2	default	failed_at_last	4	6	4	0	1795106843262	1795106843160	1795106843266	\N	01a1f4b4-aa18-7045-aea4-a81d4911d2f2	1795106843265	\N	\N	\N	\\x01984284aaa5cbbe6804040082aaa5cbbe6882aaa5cbbe6806c80180808080808080808001000208535c02784639672ef2e7c5466dd1447ecf84a4963a3c9335e34fa97a2da3c134	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4b4-aa84-70d8-9340-6193223a990f	default	failed_for_good	4	6	4	0	1795106843268	1795106843268	1795106843272	\N	01a1f4b4-aa84-70d8-9340-6193223a990f	1795106843269	\N	\N	\N	\\x01884290aaa5cbbe68d00f02008aaaa5cbbe688aaaa5cbbe680208b1918000f179b0ab861dbf3c9f24c6470943da336a6dbee104cdf97f9bf9de35	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4b4-aa89-70f1-871f-88d6140cb04b	default	cancelled	5	6	5	0	1795110443273	1795106843273	1795106843274	\N	01a1f4b4-aa89-70f1-871f-88d6140cb04b	0	\N	\N	\N	\\x010094aaa5cbbe6806000000	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4b4-aa8b-7052-9542-cf3cb2501cd0	default	cancelled_while_running	5	6	5	0	1795106843275	1795106843275	1795106843281	\N	01a1f4b4-aa8b-7052-9542-cf3cb2501cd0	1795106843281	\N	\N	\N	\\x0108a2aaa5cbbe68060200a2aaa5cbbe6898aaa5cbbe68	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4b4-aa92-701e-82ff-e0461b14f710	default	retried_by_operator	1	1	0	0	1795106843286	1795106843282	\N	\N	01a1f4b4-aa92-701e-82ff-e0461b14f710	1795106843286	\N	\N	\N	\\x0100acaaa5cbbe68020000acaaa5cbbe68	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4b4-aa97-7044-83dc-03c7a97c0dcc	default	released	1	1	0	0	1795106843287	1795106843287	\N	\N	01a1f4b4-aa97-7044-83dc-03c7a97c0dcc	1795106843288	\N	\N	\N	\\x018802b2aaa5cbbe68060000b0aaa5cbbe68b0aaa5cbbe6806023906241ff0319af27e727e71fdeb214c531cf78cfc7eb3b079e113fca293a798	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4b4-aaa0-7061-b273-3178985d6537	default	large	3	6	3	0	1795106843296	1795106843296	1795106843298	\N	01a1f4b4-aaa0-7061-b273-3178985d6537	1795106843297	\N	\N	\N	\\x018842c4aaa5cbbe68060200c2aaa5cbbe68c2aaa5cbbe680006c54c678dd60545f321d2eae839f7336ce609aeebda5c98271280a61f05b131fc	\\x7b2274657874223a20226c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c61726765206c6172676520227d	0	f	\N	\N	\N	\\x776f726b6572206f66206c61726765
01a1f4b4-aaa3-700d-ac18-a982295864a0	acme	of_acme	1	1	0	0	1795106843299	1795106843299	\N	\N	01a1f4b4-aaa3-700d-ac18-a982295864a0	0	\N	\N	\N	\\x0100c6aaa5cbbe6806000000	\\x7b22656e7469747954797065223a20226f72646572222c2022656e746974794964223a20225c7530306539227d	0	f	\N	\N	\N	\N
01a1f4b4-aaa4-708d-877f-bdb8f0ba91c1	acme	done_of_acme	3	6	3	0	1795106843300	1795106843300	1795106843302	\N	01a1f4b4-aaa4-708d-877f-bdb8f0ba91c1	1795106843301	\N	\N	\N	\\x018842ccaaa5cbbe68060200caaaa5cbbe68caaaa5cbbe68000634327e28e92df68402c979a180793a01e751b4c14f4f3cc0c73475feb4472ab6	\\x7b7d	0	f	\N	\N	\N	\\x776f726b6572206f6620646f6e655f6f665f61636d65
01a1f4b4-aaa9-70ff-a202-852ba9e98dd8	default	key_completed	3	6	3	0	1795106843305	1795106843305	1795106843309	\N	01a1f4b4-aaa9-70ff-a202-852ba9e98dd8	1795106843308	\N	\N	\N	\\x01cc42daaaa5cbbe68060200d8aaa5cbbe680acc365472eb66d4c19d5f4367d80ec94fc1c865aba3fd0af92621ffb655b8f7d8aaa5cbbe68d2ea9eaa8e9702000619dac50067ef989050bb5e0373b65e56188419da61c3b4095358af9f83048630	\\x5b315d	0	f	\N	\N	\N	\\x776f726b6572206f66206b65795f636f6d706c65746564
01a1f4b4-aab2-7032-a871-0194f4b8efe9	default	debounced	1	1	0	0	1795106843317	1795106843314	\N	\N	01a1f4b4-aab2-7032-a871-0194f4b8efe9	0	\N	\N	\N	\\x0144eaaaa5cbbe6806000000d2a4a6e8e4b23d17c38fae3866aff971ec51a211be4680906e52c15ae0af9f2ae4e4dccebe68	\\x7b2276223a20317d	0	f	\N	\N	\N	\N
01a1f4b4-aab6-702c-aa83-0dfdaa87e7d3	default	seals_a_request	1	1	0	0	1795106843318	1795106843318	\N	\N	01a1f4b4-aab6-702c-aa83-0dfdaa87e7d3	0	\N	\N	\N	\\x0100ecaaa5cbbe6806000000	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4b4-aab8-702d-8cb9-2d5d934ada1d	default	idempotent	1	1	0	0	1795106843320	1795106843320	\N	\N	01a1f4b4-aab8-702d-8cb9-2d5d934ada1d	0	\N	\N	\N	\\x0100f0aaa5cbbe6806000000	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4b4-aac0-703f-99c1-7ccaac03c2d9	default	step	3	8	3	0	1795106843328	1795106843328	1795106843337	\N	01a1f4b4-aabe-7076-b18b-2c3a00b5d87c	1795106843333	\N	\N	\N	\\x019a820c92aba5cbbe68feffffff0f02008aaba5cbbe68028aaba5cbbe6802a09c0180808080808080808001c0cf240006a79c06533c87c0af1e9f74ec929e99023e98dd969c1285dcf32d37ce709a950c01a1f4b4aac97084ae55a38c0fce9120	\\x7b227468656e223a20317d	1	t	\N	8	\N	\\x776f726b6572206f662073746570
01a1f4b4-aae2-70d6-bd2f-2b971063eddf	default	chain_on_its_way	3	8	3	0	1795106843362	1795106843362	1795106843369	\N	01a1f4b4-aae2-70d6-bd2f-2b971063eddf	1795106843368	\N	\N	\N	\\x0198823cd2aba5cbbe68feffffff0f0200d0aba5cbbe68d0aba5cbbe6802a09c0180808080808080808001c0cf240006d5fcacf3185cc2fd4c1d2882a4e9ac890fa79371e09e201a10c7b62eef2c769f01a1f4b4aae9700bb6370122b2308fce01a1f4b4aae9700bb6370122b2308fce02	\\x7b227468656e223a20327d	0	t	\N	8	\N	\\x776f726b6572206f6620636861696e5f6f6e5f6974735f776179
01a1f4b4-aac9-7084-ae55-a38c0fce9120	default	step	3	8	3	0	1795106843338	1795106843337	1795106843342	\N	01a1f4b4-aabe-7076-b18b-2c3a00b5d87c	1795106843341	\N	\N	\N	\\x019ac2049caba5cbbe68feffffff0f02009aaba5cbbe68049aaba5cbbe6802a09c0180808080808080808001c0cf240006aac1ad295d0dee02131b1f9042dabd908e14c93c28dfdca31ca1c871352778ee	\\x7b227468656e223a20307d	2	t	3	8	\N	\\x776f726b6572206f662073746570
01a1f4b4-aa9a-70ec-bc0c-0785c0705720	default	lost_once	1	1	0	0	1795106843392	1795106843290	\N	\N	01a1f4b4-aa9a-70ec-bc0c-0785c0705720	1795106843392	\N	\N	\N	\\x01984080aca5cbbe6806020280aca5cbbe68b6aaa5cbbe6806c8018080808080808080800100	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4b4-aacf-700a-9880-018ee6d4337a	default	chain_failed	4	8	4	0	1795106843343	1795106843343	1795106843348	\N	01a1f4b4-aacf-700a-9880-018ee6d4337a	1795106843347	\N	\N	\N	\\x0198c224a8aba5cbbe68020200a6aba5cbbe68a6aba5cbbe6802a09c0180808080808080808001c0cf240208f8744639e41cf47c2558820873752338b84ac7eb1f10a27f5b9e0d419b0ccb6c04	\\x7b7d	0	t	4	8	\N	\N
01a1f4b4-aae1-706a-b0ef-3b121267a740	default	chain_blocked	0	4	0	0	1795106843361	1795106843361	\N	blocked	01a1f4b4-aae1-706a-b0ef-3b121267a740	0	\N	\N	\N	\\x01908044c2aba5cbbe68feffffff0f00000002a09c0180808080808080808001c0cf24020200	\\x7b7d	0	t	0	\N	\N	\N
01a1f4b4-aa9e-7011-b0b2-b101160e76f6	default	lost_for_good	4	6	4	0	1795106843294	1795106843294	1795106843396	\N	01a1f4b4-aa9e-7011-b0b2-b101160e76f6	1795106843396	\N	\N	\N	\\x01884088aca5cbbe6802020288aca5cbbe68beaaa5cbbe68	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4b4-aa9c-700f-b8e4-58a98f0082bc	default	timed_out_once	1	1	0	0	1795106843494	1795106843292	\N	\N	01a1f4b4-aa9c-700f-b8e4-58a98f0082bc	1795106843394	\N	\N	\N	\\x01b84084aca5cbbe6806020084aca5cbbe68baaaa5cbbe6806c8018080808080808080800100c801	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4b4-aaaf-702f-98d3-9b4a8a9a06a9	default	key_pending	1	0	0	0	4070908800000	1795106843311	\N	\N	01a1f4b4-aaaf-702f-98d3-9b4a8a9a06a9	0	\N	\N	\N	\\x0144e0aaa5cbbe680600000001893c05fd8699a0de3514339d65977792bf2ac63e8d5c33fdc6c86d574a7d7fdeea9eaa8e9702	\\x7b2276223a20327d	0	f	\N	\N	\N	\N
01a1f4b4-aab1-7041-ae9d-c41042d2c4ad	default	key_of_entity	1	0	0	0	4070908800000	1795106843313	\N	\N	01a1f4b4-aab1-7041-ae9d-c41042d2c4ad	0	\N	\N	\N	\\x0144e2aaa5cbbe6806000000f58a81f419e0e6031a2afd1b03d52a7be220fe18c45ac7168dceca94d31934bee2ea9eaa8e9702	\\x7b22656e7469747954797065223a20226f72646572222c2022656e746974794964223a2031372c20226b696e64223a20226d61696c222c202276223a20317d	0	f	\N	\N	\N	\N
01a1f4b4-aabb-704b-9767-51aede39d707	default	superseded	1	1	0	0	1795106843323	1795106843323	\N	\N	01a1f4b4-aabb-704b-9767-51aede39d707	0	\N	\N	\N	\\x0144f6aaa5cbbe680600000041d25326a93f08e5a79c07871258e0d78d7b9c2695c68ca20af113791bb724cbf6ea9eaa8e9702	\\x32	0	f	\N	\N	\N	\N
01a1f4b4-aab9-7005-aafc-0f24f95321f7	default	superseded	6	6	6	0	1795106843321	1795106843321	1795106843324	\N	01a1f4b4-aab9-7005-aafc-0f24f95321f7	1795106843322	\N	\N	\N	\\x01cc52f8aaa5cbbe68060200f4aaa5cbbe6841d25326a93f08e5a79c07871258e0d78d7b9c2695c68ca20af113791bb724cbf4aaa5cbbe68f2ea9eaa8e9702020c1b05370ed0d7952d2184ae9ba72b0d1b5a5fce5ebd6fffd852908ae6558bd79501a1f4b4aabb704b976751aede39d707	\\x31	0	f	\N	\N	\N	\N
01a1f4b4-aad1-7050-9150-eccfb6abb570	default	chain_waits_for_failed	0	4	0	0	1795106843345	1795106843345	\N	\N	01a1f4b4-aad1-7050-9150-eccfb6abb570	0	\N	\N	\N	\\x01908044a2aba5cbbe68feffffff0f00000002a09c0180808080808080808001c0cf24020202	\\x7b7d	0	t	0	\N	\N	\N
01a1f4b4-aad2-706a-83d9-44a4cec1f2ba	default	chain_failed_by_blocker	4	6	4	0	1795106843346	1795106843346	1795106843351	\N	01a1f4b4-aad2-706a-83d9-44a4cec1f2ba	0	\N	\N	\N	\\x0190c044aeaba5cbbe68feffffff0f00000002a09c0180808080808080808001c0cf24020200	\\x7b7d	0	t	4	\N	\N	\N
01a1f4b4-aad6-70f4-9f77-3b59e56fe53b	default	chain_cancelled	5	6	5	0	1795106843350	1795106843350	1795106843352	\N	01a1f4b4-aad6-70f4-9f77-3b59e56fe53b	0	\N	\N	\N	\\x01908004b0aba5cbbe68feffffff0f00000002a09c0180808080808080808001c0cf24	\\x7b7d	0	t	5	\N	\N	\N
01a1f4b4-aade-703a-b886-c184ade3d3f1	default	chain_far	1	0	0	0	4070908800000	1795106843358	\N	\N	01a1f4b4-aade-703a-b886-c184ade3d3f1	0	\N	\N	\N	\\x01948024bcaba5cbbe68feffffff0f000000dd386588c55bac7aee8f8f63770f6549c75b626561cfaf4c7ddd65e919c785e302a09c0180808080808080808001c0cf2402	\\x7b7d	0	t	0	\N	\N	\N
01a1f4b4-aabe-7076-b18b-2c3a00b5d87c	default	chain_completed	3	8	3	0	1795106843326	1795106843326	1795106843328	\N	01a1f4b4-aabe-7076-b18b-2c3a00b5d87c	1795106843327	\N	\N	\N	\\x019c823c80aba5cbbe68feffffff0f0200feaaa5cbbe68fd293d19745efda23599ff7cf691464b3870d79cf9214f7f376ef4553412b5dcfeaaa5cbbe6802a09c0180808080808080808001c0cf24000639a7ab859eb3f2b3a777542a10c09b3b80f28229dfd3b4e13d31f6100a1e001101a1f4b4aac0703f99c17ccaac03c2d901a1f4b4aac97084ae55a38c0fce912002	\\x7b227468656e223a20327d	0	t	\N	8	\N	\\x776f726b6572206f6620636861696e5f636f6d706c65746564
01980000-0000-7000-8000-000000000001	default	chain_chosen_1	1	1	0	0	1795106843375	1795106843375	\N	\N	01980000-0000-7000-8000-000000000001	0	\N	\N	\N	\\x01908004deaba5cbbe68feffffff0f00000002a09c0180808080808080808001c0cf24	\\x7b227468656e223a20317d	0	t	0	\N	t	\N
01980000-0000-7000-8000-000000000002	default	chain_chosen_2	1	1	0	0	1795106843377	1795106843377	\N	\N	01980000-0000-7000-8000-000000000002	0	\N	\N	\N	\\x01908004e2aba5cbbe68feffffff0f00000002a09c0180808080808080808001c0cf24	\\x7b227468656e223a20327d	0	t	0	\N	t	\N
01a1f4b4-aaf2-7089-8953-9a503231c591	acme	chain_of_acme	1	1	0	0	1795106843378	1795106843378	\N	shared	01a1f4b4-aaf2-7089-8953-9a503231c591	0	\N	\N	\N	\\x01908004e4aba5cbbe68feffffff0f00000002a09c0180808080808080808001c0cf24	\\x7b227468656e223a20317d	0	t	0	\N	\N	\N
01a1f4b4-aaf7-70ec-88ff-8325d60bcf5e	default	quarterly	1	0	0	-2	1795107743379	1795106843383	\N	reports	01a1f4b4-aaf7-70ec-88ff-8325d60bcf5e	0	01a1f4b4-aaf3-7043-9485-011604d18a64	quarterly	1795107743379	\\x01b08003eeaba5cbbe680a00000006c8018080808080808080800100c0a90701a1f4b4aaf370439485011604d18a6412717561727465726c790a505431354d00a69a93ccbe68	\\x7b2261223a20317d	0	f	\N	\N	\N	\N
01a1f4b4-aaf8-70f0-8056-0f500d1a2805	default	rolling	1	1	0	0	1795106843384	1795106843384	\N	\N	01a1f4b4-aaf8-70f0-8056-0f500d1a2805	0	01a1f4b4-aaf8-70ef-abda-7b1df1b4a899	rolling	1795106843384	\\x01808003f0aba5cbbe680600000001a1f4b4aaf870efabda7b1df1b4a8990e726f6c6c696e670a6461696c7902f0aba5cbbe68	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4b4-aae9-700b-b637-0122b2308fce	default	way	1	1	0	-3	1795106843369	1795106843369	\N	\N	01a1f4b4-aae2-70d6-bd2f-2b971063eddf	0	\N	\N	\N	\\x01928004d2aba5cbbe68feffffff0f0000000202a09c0180808080808080808001c0cf24	\\x7b227468656e223a20317d	1	t	0	\N	\N	\N
01a1f4b4-aaec-7055-986b-4457b448ac82	default	chain_inline	1	1	0	0	1795106843372	1795106843372	\N	\N	01a1f4b4-aaec-7055-986b-4457b448ac82	0	\N	\N	\N	\\x01908024d8aba5cbbe68feffffff0f00000002a09c0180808080808080808001c0cf2402	\\x7b227468656e223a20317d	0	t	0	\N	\N	\N
01a1f4b4-aaec-7054-b7a2-a9a93d57075e	default	chain_joins	0	4	0	0	1795106843372	1795106843372	\N	\N	01a1f4b4-aaec-7054-b7a2-a9a93d57075e	0	\N	\N	\N	\\x01908064d8aba5cbbe68feffffff0f00000002a09c0180808080808080808001c0cf2402060400	\\x7b7d	0	t	0	\N	\N	\N
01a1f4b4-aaee-70e1-a49c-91bce0c0b7c3	default	chain_goes_on	0	4	0	0	1795106843374	1795106843374	\N	\N	01a1f4b4-aaee-70e1-a49c-91bce0c0b7c3	0	\N	\N	\N	\\x01b08044dcaba5cbbe68feffffff0f00000002a09c0180808080808080808001c0cf24c0a907020200	\\x7b227468656e223a20317d	0	t	0	\N	\N	\N
01a1f4b4-aaf3-7044-aa5e-9656dda0d67d	default	quarterly	3	6	3	-2	1795106843379	1795106843379	1795106843383	reports	01a1f4b4-aaf3-7044-aa5e-9656dda0d67d	1795106843381	01a1f4b4-aaf3-7043-9485-011604d18a64	quarterly	1795106843379	\\x01b8c203eeaba5cbbe680a0200eaaba5cbbe68eaaba5cbbe6806c8018080808080808080800100c0a9070006e1eda01ea265cce677aad5b33444d77d684c4a22b0bb55208072f35a74e5ac5f01a1f4b4aaf370439485011604d18a6412717561727465726c790a505431354d00e6aba5cbbe68	\\x7b2261223a20317d	0	f	\N	\N	\N	\\x776f726b6572206f6620717561727465726c79
01a1f4b4-aafa-704f-9a0b-38b6d1ccdbe2	default	paused	1	7	0	0	1795106843386	1795106843386	\N	\N	01a1f4b4-aafa-704f-9a0b-38b6d1ccdbe2	0	01a1f4b4-aafa-704e-ac18-24c762ce3cfd	paused	1795106843386	\\x01808003f4aba5cbbe680600000001a1f4b4aafa704eac1824c762ce3cfd0c7061757365640c686f75726c7900f4aba5cbbe68	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4b4-ab01-70bc-842f-3485c4bfa82c	default	paused	1	1	0	0	1795106843393	1795106843393	\N	\N	01a1f4b4-ab01-70bc-842f-3485c4bfa82c	0	01a1f4b4-aafa-704e-ac18-24c762ce3cfd	paused	\N	\\x0180800182aca5cbbe680600000001a1f4b4aafa704eac1824c762ce3cfd0c7061757365640c686f75726c7900	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4b4-ab10-7094-8ade-a4d1ff873358	default	spent	1	0	0	0	4070919600000	1795106843408	\N	\N	01a1f4b4-ab10-7094-8ade-a4d1ff873358	0	01a1f4b4-ab08-700c-b6aa-e23b3f9fcf70	spent	4070919600000	\\x01808003a0aca5cbbe680600000001a1f4b4ab08700cb6aae23b3f9fcf700a7370656e741230203320312031202a0080debbdbfaec01	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4b4-ab14-70b9-860d-9566ebea5a43	default	deleted	5	6	5	0	1795711643410	1795106843412	1795106843414	\N	01a1f4b4-ab14-70b9-860d-9566ebea5a43	0	01a1f4b4-ab12-707b-b06f-4aa74ab5c0d4	deleted	1795711643410	\\x01808003acaca5cbbe680600000001a1f4b4ab12707bb06f4aa74ab5c0d40e64656c657465640c7765656b6c7900a4bc898cc368	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4b4-ab17-70dd-8cd8-c881255bbec5	default	bulk	5	6	5	0	1795110443415	1795106843415	1795106843474	\N	01a1f4b4-ab17-70dd-8cd8-c881255bbec5	0	\N	\N	\N	\\x0100a4ada5cbbe6806000000	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4b4-ab18-7009-914d-30b8d37576da	default	bulk	5	6	5	0	1795110443416	1795106843416	1795106843474	\N	01a1f4b4-ab18-7009-914d-30b8d37576da	0	\N	\N	\N	\\x0100a4ada5cbbe6806000000	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4b4-ab19-70d0-a833-5163fb57a6fc	default	bulk	5	6	5	0	1795110443417	1795106843417	1795106843474	\N	01a1f4b4-ab19-70d0-a833-5163fb57a6fc	0	\N	\N	\N	\\x0100a4ada5cbbe6806000000	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4b4-b96d-70bc-ad04-2dd0c1ab1010	default	later	1	0	0	0	1795106857085	1795106847085	\N	\N	01a1f4b4-b96d-70bc-ad04-2dd0c1ab1010	0	\N	\N	\N	\\x0100dae5a5cbbe6806000000	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4b4-b96e-707c-bd8c-6f8a21900cb9	default	backoff_1	1	0	0	0	1795106857088	1795106847086	\N	\N	01a1f4b4-b96e-707c-bd8c-6f8a21900cb9	1795106847087	\N	\N	\N	\\x019842e0e5a5cbbe68120200dee5a5cbbe68dee5a5cbbe68000a8080808080808080800100020201de009f415379ade6682f3696e31d1d7bbce2cfe789b28a727256bcab53cc7d	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4b4-b972-70a3-ba37-e39ad63bf157	default	backoff_2	1	0	0	0	1795106857093	1795106847090	\N	\N	01a1f4b4-b972-70a3-ba37-e39ad63bf157	1795106847091	\N	\N	\N	\\x019842eae5a5cbbe68120200e6e5a5cbbe68e6e5a5cbbe68040280808080808080808001040202eb997e4f6be0e2c5ebb253c07854f22b233e3034abeee52f010f4eaa777c1704	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4b4-b979-70c5-8291-7e9f71e8c031	default	backoff_3	1	0	0	0	1795106857098	1795106847097	\N	\N	01a1f4b4-b979-70c5-8291-7e9f71e8c031	1795106847098	\N	\N	\N	\\x019842f4e5a5cbbe68120200f4e5a5cbbe68f4e5a5cbbe68020a80808080808080848001c8010202ac84d4292b10631fb4ce1ecd1696663333ecb4c78f41ab050ff444f03093e956	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4b4-b97c-703f-a496-6f97513a2339	default	held	1	1	0	0	1795106847100	1795106847100	\N	\N	01a1f4b4-b97c-703f-a496-6f97513a2339	0	\N	\N	\N	\\x0100f8e5a5cbbe6806000000	\\x7b2268656c64223a20317d	0	f	\N	\N	\N	\N
01a1f4b4-b97d-70bd-80f2-b4640eabda88	default	held_with_timeout	1	1	0	0	1795106847101	1795106847101	\N	\N	01a1f4b4-b97d-70bd-80f2-b4640eabda88	0	\N	\N	\N	\\x0130fae5a5cbbe680600000006c8018080808080808080800100a09c01	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4b4-b97e-7028-8b96-35019130d772	default	chain_held	1	1	0	0	1795106847102	1795106847102	\N	\N	01a1f4b4-b97e-7028-8b96-35019130d772	0	\N	\N	\N	\\x01908004fce5a5cbbe68feffffff0f00000002a09c0180808080808080808001c0cf24	\\x7b227468656e223a20317d	0	t	0	\N	\N	\N
01a1f4b4-b981-70a0-b559-31e22ffc63ed	default	completed_in_sql	1	1	0	0	1795106847105	1795106847105	\N	\N	01a1f4b4-b981-70a0-b559-31e22ffc63ed	0	\N	\N	\N	\\x010082e6a5cbbe6806000000	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4b4-ab04-7064-9424-d6bc70638acc	default	cron	1	0	0	0	4070908800000	1795106843396	\N	\N	01a1f4b4-ab04-7064-9424-d6bc70638acc	0	01a1f4b4-ab04-7063-a5ca-b356a029c8b9	cron	4070908800000	\\x0180800388aca5cbbe680600000001a1f4b4ab047063a5cab356a029c8b90863726f6e16333020322032392032202a0080b095d1faec01	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4b4-ab08-700d-b533-1d4d381f9e4d	default	spent	3	6	3	0	1795106843405	1795106843400	1795106843408	\N	01a1f4b4-ab08-700d-b533-1d4d381f9e4d	1795106843407	01a1f4b4-ab08-700c-b6aa-e23b3f9fcf70	spent	4070908800000	\\x01888203a0aca5cbbe680602009eaca5cbbe689eaca5cbbe6800063906241ff0319af27e727e71fdeb214c531cf78cfc7eb3b079e113fca293a79801a1f4b4ab08700cb6aae23b3f9fcf700a7370656e741230203320312031202a0080b095d1faec01	\\x7b7d	0	f	\N	\N	\N	\\x776f726b6572206f66207370656e74
01a1f4b4-ab12-707c-8998-576410a30116	default	deleted	3	6	3	0	1795106843410	1795106843410	1795106843412	\N	01a1f4b4-ab12-707c-8998-576410a30116	1795106843411	01a1f4b4-ab12-707b-b06f-4aa74ab5c0d4	deleted	1795106843410	\\x01888203a8aca5cbbe68060200a6aca5cbbe68a6aca5cbbe6800063906241ff0319af27e727e71fdeb214c531cf78cfc7eb3b079e113fca293a79801a1f4b4ab12707bb06f4aa74ab5c0d40e64656c657465640c7765656b6c7900a4aca5cbbe68	\\x7b7d	0	f	\N	\N	\N	\\x776f726b6572206f662064656c65746564
01a1f4b4-b96b-70a5-bbd1-fbc9a1a191f5	default	now	1	1	0	0	1795106847083	1795106847083	\N	\N	01a1f4b4-b96b-70a5-bbd1-fbc9a1a191f5	0	\N	\N	\N	\\x0144d6e5a5cbbe6806000000cdd4ddc403eda8dbd32d26ceee3f978a8e4d06fb2b18a8ba2b70db498bd72fb1e6b3a6cbbe68	\\x7b22656e7469747954797065223a20226f72646572222c2022656e746974794964223a20377d	0	f	\N	\N	\N	\N
01a1f4b4-b98c-70ef-8c18-271cc907532c	default	overtaken	1	1	0	0	1795106847116	1795106847116	\N	\N	01a1f4b4-b98c-70ef-8c18-271cc907532c	0	\N	\N	\N	\\x014498e6a5cbbe6806000000a937c8372e20d6c8191467b15700fe1f6b95b7982c328bbf5cf4466d8de1a58498a69faa8e9702	\\x31	0	f	\N	\N	\N	\N
01a1f4b4-b98e-7070-a29c-1c60498e773a	default	overtaken	1	5	0	0	1795106847118	1795106847118	\N	\N	01a1f4b4-b98e-7070-a29c-1c60498e773a	0	\N	\N	\N	\\x01c4049ce6a5cbbe6806000000a937c8372e20d6c8191467b15700fe1f6b95b7982c328bbf5cf4466d8de1a5849ca69faa8e970201a1f4b4b98c70ef8c18271cc907532c	\\x32	0	f	\N	\N	\N	\N
01a1f4b4-b98f-7084-9eb5-9b78212bd93f	default	group_0	1	1	0	0	1795106847119	1795106847119	\N	queue	01a1f4b4-b98f-7084-9eb5-9b78212bd93f	0	\N	\N	\N	\\x01009ee6a5cbbe6806000000	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4b4-b990-700c-a478-6ae7736c2964	default	group_1	1	3	0	0	1795106847120	1795106847120	\N	queue	01a1f4b4-b990-700c-a478-6ae7736c2964	0	\N	\N	\N	\\x0100a0e6a5cbbe6806000000	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4b4-b992-706f-ab15-0354f5c7e3b1	default	group_2	1	3	0	0	1795106847122	1795106847122	\N	queue	01a1f4b4-b992-706f-ab15-0354f5c7e3b1	0	\N	\N	\N	\\x0100a4e6a5cbbe6806000000	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4b4-b993-70e4-af08-2d7969d70750	default	group_3	1	3	0	0	1795106847123	1795106847123	\N	queue	01a1f4b4-b993-70e4-af08-2d7969d70750	0	\N	\N	\N	\\x0100a6e6a5cbbe6806000000	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4b4-b997-701f-b1ef-41db4562cac3	default	group_ready	1	1	0	0	1795106847127	1795106847127	\N	ready	01a1f4b4-b997-701f-b1ef-41db4562cac3	0	\N	\N	\N	\\x0100aee6a5cbbe6806000000	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4b4-b998-703f-affd-d974a7915aa9	default	group_behind	1	3	0	0	1795106847129	1795106847128	\N	ready	01a1f4b4-b998-703f-affd-d974a7915aa9	0	\N	\N	\N	\\x0100b0e6a5cbbe6806000000	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4b4-b9a2-709a-9366-6cefff2084e8	default	waits	0	4	0	0	1795106847138	1795106847138	\N	\N	01a1f4b4-b9a2-709a-9366-6cefff2084e8	0	\N	\N	\N	\\x01908044c4e6a5cbbe68feffffff0f00000002a09c0180808080808080808001c0cf24020200	\\x7b7d	0	t	0	\N	\N	\N
01a1f4b4-b9a4-70b6-ba91-20f207c99bed	default	waits	0	4	0	0	1795106847140	1795106847140	\N	\N	01a1f4b4-b9a4-70b6-ba91-20f207c99bed	0	\N	\N	\N	\\x01908064c8e6a5cbbe68feffffff0f00000002a09c0180808080808080808001c0cf2402020200	\\x7b7d	0	t	0	\N	\N	\N
01a1f4b4-b9a5-7008-a611-7aecd038aa56	default	waits	0	4	0	0	1795106847141	1795106847141	\N	\N	01a1f4b4-b9a5-7008-a611-7aecd038aa56	0	\N	\N	\N	\\x01908044cae6a5cbbe68feffffff0f00000002a09c0180808080808080808001c0cf24020200	\\x7b7d	0	t	0	\N	\N	\N
01a1f4b4-b9aa-70c4-a5ec-01e95a2c6da7	default	waits	0	4	0	0	1795106847146	1795106847146	\N	\N	01a1f4b4-b9aa-70c4-a5ec-01e95a2c6da7	0	\N	\N	\N	\\x01908064d4e6a5cbbe68feffffff0f00000002a09c0180808080808080808001c0cf2402020200	\\x7b7d	0	t	0	\N	\N	\N
01a1f4b4-b983-7028-bec6-e834ae3d44ee	default	failed_in_sql	1	1	0	0	1795106847107	1795106847107	\N	\N	01a1f4b4-b983-7028-bec6-e834ae3d44ee	0	\N	\N	\N	\\x010086e6a5cbbe6802000000	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4b4-b98a-70bb-9079-bcf184094307	default	continued_in_sql	1	1	0	0	1795106847114	1795106847114	\N	\N	01a1f4b4-b98a-70bb-9079-bcf184094307	0	\N	\N	\N	\\x010094e6a5cbbe6806000000	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4b4-b996-705b-a323-17f7e89c8ba5	default	group_far	1	0	0	0	4070908800000	1795106847126	\N	far	01a1f4b4-b996-705b-a323-17f7e89c8ba5	0	\N	\N	\N	\\x0100ace6a5cbbe6806000000	\\x7b7d	0	f	\N	\N	\N	\N
01a1f4b4-b9a1-7070-9e4c-230d47ec1f1e	default	waits	0	4	0	0	1795106847137	1795106847137	\N	\N	01a1f4b4-b9a1-7070-9e4c-230d47ec1f1e	0	\N	\N	\N	\\x01908064c2e6a5cbbe68feffffff0f00000002a09c0180808080808080808001c0cf2402020200	\\x7b7d	0	t	0	\N	\N	\N
01a1f4b4-b9ab-7057-9e20-f48001e37216	default	waits	0	4	0	0	1795106847147	1795106847147	\N	\N	01a1f4b4-b9ab-7057-9e20-f48001e37216	0	\N	\N	\N	\\x01908044d6e6a5cbbe68feffffff0f00000002a09c0180808080808080808001c0cf24020200	\\x7b7d	0	t	0	\N	\N	\N
01a1f4b4-b9b1-700c-97b0-f1ef0e536055	default	waits	0	4	0	0	1795106847153	1795106847153	\N	\N	01a1f4b4-b9b1-700c-97b0-f1ef0e536055	0	\N	\N	\N	\\x01908064e2e6a5cbbe68feffffff0f00000002a09c0180808080808080808001c0cf2402020200	\\x7b7d	0	t	0	\N	\N	\N
01a1f4b4-b9b2-70f8-bdd2-ccb841f13461	default	waits	0	4	0	0	1795106847154	1795106847154	\N	\N	01a1f4b4-b9b2-70f8-bdd2-ccb841f13461	0	\N	\N	\N	\\x01908044e4e6a5cbbe68feffffff0f00000002a09c0180808080808080808001c0cf24020200	\\x7b7d	0	t	0	\N	\N	\N
01a1f4b4-b99e-7055-8d21-8aea03835980	default	doomed	4	9	4	0	1795106847134	1795106847134	1795106848475	\N	01a1f4b4-b99e-7055-8d21-8aea03835980	1795106847155	\N	\N	\N	\\x0198c224b6fba5cbbe68020200e6e6a5cbbe68e6e6a5cbbe6802a09c0180808080808080808001c0cf240208e6d8218eef772e4ef9acbe97924d729b82dd82c2ab905ef556e802457973fe7b02	\\x7b7d	0	t	4	9	\N	\N
01a1f4b4-b9a3-70bc-8e96-73c20010b8f4	default	doomed	4	9	4	0	1795106847139	1795106847139	1795106848475	\N	01a1f4b4-b9a3-70bc-8e96-73c20010b8f4	1795106847155	\N	\N	\N	\\x0198c224b6fba5cbbe68020200e6e6a5cbbe68e6e6a5cbbe6802a09c0180808080808080808001c0cf240208e6d8218eef772e4ef9acbe97924d729b82dd82c2ab905ef556e802457973fe7b02	\\x7b7d	0	t	4	9	\N	\N
01a1f4b4-b9a9-700d-be4f-185b0776d63a	default	doomed	4	9	4	0	1795106847145	1795106847145	1795106848475	\N	01a1f4b4-b9a9-700d-be4f-185b0776d63a	1795106847155	\N	\N	\N	\\x0198c224b6fba5cbbe68020200e6e6a5cbbe68e6e6a5cbbe6802a09c0180808080808080808001c0cf240208e6d8218eef772e4ef9acbe97924d729b82dd82c2ab905ef556e802457973fe7b02	\\x7b7d	0	t	4	9	\N	\N
01a1f4b4-b9ac-70d4-9362-e1741cc23487	default	doomed	4	9	4	0	1795106847148	1795106847148	1795106848475	\N	01a1f4b4-b9ac-70d4-9362-e1741cc23487	1795106847155	\N	\N	\N	\\x0198c224b6fba5cbbe68020200e6e6a5cbbe68e6e6a5cbbe6802a09c0180808080808080808001c0cf240208e6d8218eef772e4ef9acbe97924d729b82dd82c2ab905ef556e802457973fe7b02	\\x7b7d	0	t	4	9	\N	\N
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
chain_failed_by_blocker	0	-1
chain_failed_by_blocker	4	1
chain_cancelled	1	-1
chain_cancelled	5	1
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
lost_once	1	1
lost_once	2	-1
paused	1	1
timed_out_once	1	1
timed_out_once	2	-1
cron	1	1
spent	1	1
deleted	1	1
deleted	1	-1
deleted	5	1
bulk	1	-3
bulk	5	3
now	1	1
backoff_2	1	1
backoff_2	2	-1
backoff_3	1	1
backoff_3	2	-1
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
waits	0	1
lost_for_good	2	-1
lost_for_good	4	1
spent	1	-1
spent	2	1
spent	1	1
spent	2	-1
spent	3	1
deleted	1	-1
deleted	2	1
deleted	1	1
deleted	2	-1
deleted	3	1
bulk	1	1
bulk	1	1
bulk	1	1
later	1	1
backoff_1	1	1
backoff_1	1	-1
backoff_1	2	1
backoff_1	1	1
backoff_1	2	-1
backoff_2	1	1
backoff_2	1	-1
backoff_2	2	1
backoff_3	1	1
backoff_3	1	-1
backoff_3	2	1
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
doomed	1	1
waits	0	1
doomed	1	1
waits	0	1
waits	0	1
doomed	1	-4
doomed	2	4
doomed	2	-4
doomed	4	4
\.


--
-- Data for Name: job_result; Type: TABLE DATA; Schema: semel; Owner: -
--

COPY semel.job_result (job, output, error_message, error_code) FROM stdin;
01a1f4b4-aa0f-7090-b6de-b0498cc8593b	\\x7b2273756d223a203130302e307d	\N	\N
01a1f4b4-aa14-7054-9da9-2c413e9a6e65	\N	\\x6e6f206c75636b3a20c3a9	\\x6661696c6564
01a1f4b4-aa18-7045-aea4-a81d4911d2f2	\N	\\x7365636f6e64	\\x6661696c6564
01a1f4b4-aa84-70d8-9340-6193223a990f	\N	\\x6e65766572	\\x6661696c6564
01a1f4b4-aaa0-7061-b273-3178985d6537	\\x7b2274657874223a202277696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520776964652077696465207769646520227d	\N	\N
01a1f4b4-aaa4-708d-877f-bdb8f0ba91c1	\\x5b5d	\N	\N
01a1f4b4-aaa9-70ff-a202-852ba9e98dd8	\\x7b22646f6e65223a20226f6e6365227d	\N	\N
01a1f4b4-aab9-7005-aafc-0f24f95321f7	\N	\\x6f76657274616b656e	\\x6661696c6564
01a1f4b4-aac9-7084-ae55-a38c0fce9120	\\x7b2277686f6c65223a20747275657d	\N	\N
01a1f4b4-aacf-700a-9880-018ee6d4337a	\N	\\x74686520656e64	\\x6661696c6564
01a1f4b4-aad2-706a-83d9-44a4cec1f2ba	\N	\\x636861696e2030316131663462342d616163662d373030612d393838302d3031386565366434333337612c2077686963682069742077616974656420666f722c20646964206e6f7420636f6d706c657465	\\x626c6f636b65725f6661696c6564
01a1f4b4-aaf3-7044-aa5e-9656dda0d67d	\\x22666972737422	\N	\N
01a1f4b4-aa9a-70ec-bc0c-0785c0705720	\N	\\x74686520776f726b65722773206c656173652072616e206f7574	\\x6c6f7374
01a1f4b4-aa9c-700f-b8e4-58a98f0082bc	\N	\\x74696d6564206f757420616674657220313030206d73	\\x74696d656f7574
01a1f4b4-aa9e-7011-b0b2-b101160e76f6	\N	\\x74686520776f726b65722773206c656173652072616e206f7574	\\x6c6f7374
01a1f4b4-b96e-707c-bd8c-6f8a21900cb9	\N	\\x7472792031	\\x6661696c6564
01a1f4b4-b972-70a3-ba37-e39ad63bf157	\N	\\x7472792032	\\x6661696c6564
01a1f4b4-b979-70c5-8291-7e9f71e8c031	\N	\\x7472792033	\\x6661696c6564
01a1f4b4-b99e-7055-8d21-8aea03835980	\N	\\x646f6f6d6564	\\x6661696c6564
01a1f4b4-b9a3-70bc-8e96-73c20010b8f4	\N	\\x646f6f6d6564	\\x6661696c6564
01a1f4b4-b9a9-700d-be4f-185b0776d63a	\N	\\x646f6f6d6564	\\x6661696c6564
01a1f4b4-b9ac-70d4-9362-e1741cc23487	\N	\\x646f6f6d6564	\\x6661696c6564
\.


--
-- Data for Name: later; Type: TABLE DATA; Schema: semel; Owner: -
--

COPY semel.later (scheduled_at, id) FROM stdin;
4070908800000	01a1f4b4-aaaf-702f-98d3-9b4a8a9a06a9
4070908800000	01a1f4b4-aab1-7041-ae9d-c41042d2c4ad
4070908800000	01a1f4b4-aade-703a-b886-c184ade3d3f1
1795107743379	01a1f4b4-aaf7-70ec-88ff-8325d60bcf5e
4070908800000	01a1f4b4-ab04-7064-9424-d6bc70638acc
4070919600000	01a1f4b4-ab10-7094-8ade-a4d1ff873358
1795106857085	01a1f4b4-b96d-70bc-ad04-2dd0c1ab1010
1795106857088	01a1f4b4-b96e-707c-bd8c-6f8a21900cb9
1795106857093	01a1f4b4-b972-70a3-ba37-e39ad63bf157
1795106857098	01a1f4b4-b979-70c5-8291-7e9f71e8c031
4070908800000	01a1f4b4-b996-705b-a323-17f7e89c8ba5
\.


--
-- Data for Name: lock_group; Type: TABLE DATA; Schema: semel; Owner: -
--

COPY semel.lock_group (tenant, name, head) FROM stdin;
acme	shared	01a1f4b4-aaf2-7089-8953-9a503231c591
default	reports	01a1f4b4-aaf7-70ec-88ff-8325d60bcf5e
default	queue	01a1f4b4-b98f-7084-9eb5-9b78212bd93f
default	far	01a1f4b4-b996-705b-a323-17f7e89c8ba5
default	ready	01a1f4b4-b997-701f-b1ef-41db4562cac3
\.


--
-- Data for Name: meta; Type: TABLE DATA; Schema: semel; Owner: -
--

COPY semel.meta (id, time_mark, works_from, clock_ahead, clock_since, decisions_from, made_at) FROM stdin;
1	1795106847585	13	0	0	0	b85defcaf896c2e5b9e99c3a508b3e60
\.


--
-- Data for Name: migration; Type: TABLE DATA; Schema: semel; Owner: -
--

COPY semel.migration (number, applied_at) FROM stdin;
1	2026-11-19 16:47:22.526324+00
2	2026-11-19 16:47:22.526793+00
3	2026-11-19 16:47:22.533537+00
4	2026-11-19 16:47:22.534333+00
5	2026-11-19 16:47:22.534563+00
6	2026-11-19 16:47:22.537019+00
7	2026-11-19 16:47:22.538806+00
8	2026-11-19 16:47:22.539274+00
9	2026-11-19 16:47:22.53957+00
10	2026-11-19 16:47:22.545317+00
11	2026-11-19 16:47:22.545471+00
12	2026-11-19 16:47:22.546637+00
13	2026-11-19 16:47:22.548155+00
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
2	0	default	01a1f4b4-beef-7f0a-bafe-facc1c46a894	0	{"type":"enqueued","payload":{"n": 1},"lockGroup": "queue"}	\N	\N
3	0	default	01a1f4b4-befd-77d2-b31b-8471b217a0cc	0	{"type":"key_completed","payload":[2],"deduplication": {"key": "once", "scope": "any", "windowSeconds": 3000000000}}	\N	\N
4	3	default	01a1f4b4-bf10-73ef-aa27-a299209daa6b	0	{"type":"enqueued_chain","input":{"then": 1}}	\N	\N
5	1	default	01a1f4b4-b981-70a0-b559-31e22ffc63ed	1795106847106	{"in": "sql"}	\N	\N
6	2	default	01a1f4b4-b983-7028-bec6-e834ae3d44ee	1795106847113	in sql	\N	\N
7	4	default	01a1f4b4-b98a-70bb-9079-bcf184094307	1795106847115	{"type": "from_sql", "input": {"then": 0}}	\N	\N
8	5	default	01a1f4b4-bf59-79ce-8fc0-1902162cecfb	1795106847132	{"in": "sql"}	sealed_in_sql	effect of sealed_in_sql
\.


--
-- Data for Name: outbox_answer; Type: TABLE DATA; Schema: semel; Owner: -
--

COPY semel.outbox_answer (id, at, result) FROM stdin;
01a1f4b4-a7e8-7737-8407-2b9b77785147	1795106843078	{"decision":"new","id":"01a1f4b4-a7e8-7737-8407-2b9b77785147","error":null}
\.


--
-- Data for Name: ready; Type: TABLE DATA; Schema: semel; Owner: -
--

COPY semel.ready (tenant, type, urgency, scheduled_at, id) FROM stdin;
default	enqueued_before	0	1795106843078	01a1f4b4-a7e8-7737-8407-2b9b77785147
default	retried_by_operator	0	1795106843286	01a1f4b4-aa92-701e-82ff-e0461b14f710
default	released	0	1795106843287	01a1f4b4-aa97-7044-83dc-03c7a97c0dcc
acme	of_acme	0	1795106843299	01a1f4b4-aaa3-700d-ac18-a982295864a0
default	debounced	0	1795106843317	01a1f4b4-aab2-7032-a871-0194f4b8efe9
default	seals_a_request	0	1795106843318	01a1f4b4-aab6-702c-aa83-0dfdaa87e7d3
default	idempotent	0	1795106843320	01a1f4b4-aab8-702d-8cb9-2d5d934ada1d
default	superseded	0	1795106843323	01a1f4b4-aabb-704b-9767-51aede39d707
default	way	-3	1795106843369	01a1f4b4-aae9-700b-b637-0122b2308fce
default	chain_inline	0	1795106843372	01a1f4b4-aaec-7055-986b-4457b448ac82
default	chain_chosen_1	0	1795106843375	01980000-0000-7000-8000-000000000001
default	chain_chosen_2	0	1795106843377	01980000-0000-7000-8000-000000000002
acme	chain_of_acme	0	1795106843378	01a1f4b4-aaf2-7089-8953-9a503231c591
default	lost_once	0	1795106843392	01a1f4b4-aa9a-70ec-bc0c-0785c0705720
default	paused	0	1795106843393	01a1f4b4-ab01-70bc-842f-3485c4bfa82c
default	timed_out_once	0	1795106843494	01a1f4b4-aa9c-700f-b8e4-58a98f0082bc
default	now	0	1795106847083	01a1f4b4-b96b-70a5-bbd1-fbc9a1a191f5
default	group_ready	0	1795106847127	01a1f4b4-b997-701f-b1ef-41db4562cac3
\.


--
-- Data for Name: run; Type: TABLE DATA; Schema: semel; Owner: -
--

COPY semel.run (id, token, settling, data) FROM stdin;
01a1f4b4-b983-7028-bec6-e834ae3d44ee	1795106847113	t	\\x01880192e6a5cbbe6802020092e6a5cbbe6892e6a5cbbe682e776f726b6572206f66206661696c65645f696e5f73716c92e6a5cbbe68b282a7cbbe68
01a1f4b4-b98a-70bb-9079-bcf184094307	1795106847115	t	\\x01880196e6a5cbbe6806020096e6a5cbbe6896e6a5cbbe6834776f726b6572206f6620636f6e74696e7565645f696e5f73716c96e6a5cbbe68b682a7cbbe68
01a1f4b4-b97c-703f-a496-6f97513a2339	1795106847103	f	\\x018801fee5a5cbbe68060200fee5a5cbbe68fee5a5cbbe681c776f726b6572206f662068656c64fee5a5cbbe689e82a7cbbe68
01a1f4b4-b97d-70bd-80f2-b4640eabda88	1795106847103	f	\\x01b821fee5a5cbbe68060200fee5a5cbbe68fee5a5cbbe6806c8018080808080808080800100a09c0136776f726b6572206f662068656c645f776974685f74696d656f7574fee5a5cbbe689e82a7cbbe689e82a7cbbe68
01a1f4b4-b97e-7028-8b96-35019130d772	1795106847104	f	\\x0198810480e6a5cbbe68feffffff0f020080e6a5cbbe6880e6a5cbbe6802a09c0180808080808080808001c0cf2428776f726b6572206f6620636861696e5f68656c6480e6a5cbbe68a082a7cbbe68
01a1f4b4-b98c-70ef-8c18-271cc907532c	1795106847117	f	\\x01cc099ae6a5cbbe680602009ae6a5cbbe68a937c8372e20d6c8191467b15700fe1f6b95b7982c328bbf5cf4466d8de1a5849ae6a5cbbe6898a69faa8e970226776f726b6572206f66206f76657274616b656e9ae6a5cbbe68ba82a7cbbe6801a1f4b4b98e7070a29c1c60498e773a
01a1f4b4-b98f-7084-9eb5-9b78212bd93f	1795106847125	f	\\x018801aae6a5cbbe68060200aae6a5cbbe68aae6a5cbbe6822776f726b6572206f662067726f75705f30aae6a5cbbe68ca82a7cbbe68
01a1f4b4-aaf8-70f0-8056-0f500d1a2805	1795106847129	f	\\x01888103b2e6a5cbbe68060200b2e6a5cbbe68b2e6a5cbbe6822776f726b6572206f6620726f6c6c696e67b2e6a5cbbe68d282a7cbbe6801a1f4b4aaf870efabda7b1df1b4a8990e726f6c6c696e670a6461696c7902f0aba5cbbe68
01a1f4b4-b981-70a0-b559-31e22ffc63ed	1795106847106	t	\\x01880184e6a5cbbe6806020084e6a5cbbe6884e6a5cbbe6834776f726b6572206f6620636f6d706c657465645f696e5f73716c84e6a5cbbe68a482a7cbbe68
\.


--
-- Data for Name: running; Type: TABLE DATA; Schema: semel; Owner: -
--

COPY semel.running (id, deadline) FROM stdin;
01a1f4b4-b97c-703f-a496-6f97513a2339	1795106857103
01a1f4b4-b97d-70bd-80f2-b4640eabda88	1795106857103
01a1f4b4-b97e-7028-8b96-35019130d772	1795106857104
01a1f4b4-b981-70a0-b559-31e22ffc63ed	1795106857106
01a1f4b4-b983-7028-bec6-e834ae3d44ee	1795106857113
01a1f4b4-b98a-70bb-9079-bcf184094307	1795106857115
01a1f4b4-b98c-70ef-8c18-271cc907532c	1795106857117
01a1f4b4-b98f-7084-9eb5-9b78212bd93f	1795106857125
01a1f4b4-aaf8-70f0-8056-0f500d1a2805	1795106857129
\.


--
-- Data for Name: schedule; Type: TABLE DATA; Schema: semel; Owner: -
--

COPY semel.schedule (tenant, name, id, data) FROM stdin;
default	quarterly	01a1f4b4-aaf3-7043-9485-011604d18a64	\\x010ee6aba5cbbe68e6aba5cbbe680001a1f4b4aaf770ec88ff8325d60bcf5ee6aba5cbbe6812717561727465726c79107b2261223a20317d0a505431354d000000000e7265706f7274730a06c801808080808080808080010004c0a907
default	rolling	01a1f4b4-aaf8-70ef-abda-7b1df1b4a899	\\x0102f0aba5cbbe68f0aba5cbbe680001a1f4b4aaf870f080560f500d1a28050e726f6c6c696e67047b7d0a6461696c7900000202000600c0cf24808080808080808080010000
default	paused	01a1f4b4-aafa-704e-ac18-24c762ce3cfd	\\x0122f4aba5cbbe68f6aba5cbbe680001a1f4b4aafa704f9a0b38b6d1ccdbe20c706175736564047b7d0c686f75726c7900000000000600c0cf24808080808080808080010000
default	cron	01a1f4b4-ab04-7063-a5ca-b356a029c8b9	\\x011288aca5cbbe6888aca5cbbe680001a1f4b4ab0470649424d6bc70638acc0863726f6e047b7d0016333020322032392032202a1a4575726f70652f4265726c696e0004000600c0cf2480808080808080808001000080b095d1faec01
default	spent	01a1f4b4-ab08-700c-b6aa-e23b3f9fcf70	\\x015290aca5cbbe6890aca5cbbe680001a1f4b4ab1070948adea4d1ff8733580a7370656e74047b7d001230203320312031202a065554430000000600c0cf2480808080808080808001000080b095d1faec0180b095d1faec0180b095d1faec01
\.


--
-- Data for Name: source; Type: TABLE DATA; Schema: semel; Owner: -
--

COPY semel.source (tenant, type, id, highest, holder, holder_token, held_until, expires_at, settling) FROM stdin;
default	order	17	5	\N	\N	\N	4829666843657	f
default	invoice	17	\N	\\xe9b4203fc39554f220f5b2595ba5791e231a70c221d0d379384f491c52f32fab	1795106847134	1795106857134	1829666847134	f
\.


--
-- Data for Name: waiting; Type: TABLE DATA; Schema: semel; Owner: -
--

COPY semel.waiting (tenant, lock_group, scheduled_at, id) FROM stdin;
default	queue	1795106847120	01a1f4b4-b990-700c-a478-6ae7736c2964
default	queue	1795106847122	01a1f4b4-b992-706f-ab15-0354f5c7e3b1
default	queue	1795106847123	01a1f4b4-b993-70e4-af08-2d7969d70750
default	ready	1795106847129	01a1f4b4-b998-703f-affd-d974a7915aa9
\.


--
-- Data for Name: worker; Type: TABLE DATA; Schema: semel; Owner: -
--

COPY semel.worker (node, tenant, type, until) FROM stdin;
01a1f4b4-a7d0-7018-b767-442dc8af95a6	acme	done_of_acme	1795106953301
01a1f4b4-a7d0-7018-b767-442dc8af95a6	default	cancelled_while_running	1795106953275
01a1f4b4-a7d0-7018-b767-442dc8af95a6	default	chain_completed	1795106953327
01a1f4b4-a7d0-7018-b767-442dc8af95a6	default	chain_deleted	1795106953354
01a1f4b4-a7d0-7018-b767-442dc8af95a6	default	chain_failed	1795106953347
01a1f4b4-a7d0-7018-b767-442dc8af95a6	default	chain_on_its_way	1795106953363
01a1f4b4-a7d0-7018-b767-442dc8af95a6	default	completed	1795106953152
01a1f4b4-a7d0-7018-b767-442dc8af95a6	default	deleted	1795106953410
01a1f4b4-a7d0-7018-b767-442dc8af95a6	default	failed	1795106953157
01a1f4b4-a7d0-7018-b767-442dc8af95a6	default	failed_at_last	1795106953163
01a1f4b4-a7d0-7018-b767-442dc8af95a6	default	failed_for_good	1795106953268
01a1f4b4-a7d0-7018-b767-442dc8af95a6	default	key_completed	1795106953307
01a1f4b4-a7d0-7018-b767-442dc8af95a6	default	large	1795106953297
01a1f4b4-a7d0-7018-b767-442dc8af95a6	default	lost_for_good	1795106953294
01a1f4b4-a7d0-7018-b767-442dc8af95a6	default	lost_once	1795106953291
01a1f4b4-a7d0-7018-b767-442dc8af95a6	default	quarterly	1795106953380
01a1f4b4-a7d0-7018-b767-442dc8af95a6	default	released	1795106953288
01a1f4b4-a7d0-7018-b767-442dc8af95a6	default	retried_by_operator	1795106953282
01a1f4b4-a7d0-7018-b767-442dc8af95a6	default	spent	1795106953406
01a1f4b4-a7d0-7018-b767-442dc8af95a6	default	step	1795106953341
01a1f4b4-a7d0-7018-b767-442dc8af95a6	default	superseded	1795106953322
01a1f4b4-a7d0-7018-b767-442dc8af95a6	default	timed_out_once	1795106953293
01a1f4b4-a7d0-7018-b767-442dc8af95a6	default	backoff_1	1795106957087
01a1f4b4-a7d0-7018-b767-442dc8af95a6	default	backoff_2	1795106957090
01a1f4b4-a7d0-7018-b767-442dc8af95a6	default	backoff_3	1795106957097
01a1f4b4-a7d0-7018-b767-442dc8af95a6	default	chain_held	1795106957104
01a1f4b4-a7d0-7018-b767-442dc8af95a6	default	completed_in_sql	1795106957106
01a1f4b4-a7d0-7018-b767-442dc8af95a6	default	continued_in_sql	1795106957114
01a1f4b4-a7d0-7018-b767-442dc8af95a6	default	doomed	1795106957155
01a1f4b4-a7d0-7018-b767-442dc8af95a6	default	failed_in_sql	1795106957108
01a1f4b4-a7d0-7018-b767-442dc8af95a6	default	group_0	1795106957124
01a1f4b4-a7d0-7018-b767-442dc8af95a6	default	held	1795106957102
01a1f4b4-a7d0-7018-b767-442dc8af95a6	default	held_with_timeout	1795106957103
01a1f4b4-a7d0-7018-b767-442dc8af95a6	default	overtaken	1795106957116
01a1f4b4-a7d0-7018-b767-442dc8af95a6	default	rolling	1795106957129
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
