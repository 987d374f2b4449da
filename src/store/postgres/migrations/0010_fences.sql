-- Fences: claims that are held for an effect outside, and the sources whose versions they hold.
--
-- Not side by side with the version before: claims are packed in a form that it cannot read, and it would
-- delete those whose time is over without leaving what was sealed.
update semel.meta set works_from = 10;
-- Nor with a node that has run since before this migration: it cannot commit any more.
alter table semel.commit_mark add constraint commit_mark_known check (known >= 10) not valid;

-- What a claim was first asked for with: JSON, as it came. Read where another request differs.
alter table semel.claim add column content bytea;
-- For semel.seal_fence: the token of whoever holds the claim for an effect; null: nobody does.
alter table semel.claim add column owner_token bigint;
-- And the source that it holds for a version, and that version; null: none.
alter table semel.claim add column source_type text collate "C";
alter table semel.claim add column source_id text collate "C";
alter table semel.claim add column version bigint;
-- Its owner's seal is committed and in the outbox: nobody takes the claim over any more.
alter table semel.claim add column settling boolean not null default false;
alter table semel.claim add constraint claim_settling
    check (not settling or owner_token is not null) not valid;      -- no row is settling yet

create table semel.source (
    tenant text collate "C" not null,
    type text collate "C" not null,
    id text collate "C" not null,
    highest bigint,                     -- version that was sealed; null: none
    holder bytea,                       -- the last claim to hold it; null: nobody does
    holder_token bigint,
    held_until bigint,
    expires_at bigint not null,
    settling boolean not null default false,    -- with its holder
    primary key (tenant, type, id),
    check ((holder is null) = (holder_token is null) and (holder is null) = (held_until is null)),
    check (not settling or holder is not null)
) with (fillfactor = 85);
create index source_expiring on semel.source (expires_at, tenant, type, id);

-- 5: seals a fence.
alter table semel.outbox drop constraint outbox_verb_check;
alter table semel.outbox add constraint outbox_verb_check check (verb between 0 and 5);
alter table semel.outbox add column fence text;         -- its key
alter table semel.outbox add column effect_id text;

-- ---- helpers ----------------------------------------------------------------------------------

create function semel.key_field(value text) returns bytea
language sql immutable set search_path = semel, pg_temp
as $$
    select int8send(octet_length(bytes)) || bytes from (select convert_to(value, 'UTF8') as bytes) field
$$;

-- The claim of a fence's key, as core/keys/dedup_key.cpp makes it.
create function semel.fence_claim(tenant text, key text) returns bytea
language sql immutable set search_path = semel, pg_temp
as $$
    select sha256(semel.key_field('semel.claim.v1') || semel.key_field(tenant)
        || semel.key_field('fences') || semel.key_field(key))
$$;

-- Locks the claim's source and says why it cannot be sealed; null: it can, and is being.
create function semel.settle_source(claim bytea, owner bigint, of_tenant text, of_type text, of_id text,
                                    of_version bigint)
returns text
language plpgsql volatile set search_path = semel, pg_temp
as $$
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

-- ---- for users --------------------------------------------------------------------------------

create function semel.seal_fence(key text, token bigint, effect_id text, receipt json default null,
                                 tenant text default 'default')
returns void
language plpgsql volatile security definer set search_path = semel, pg_temp
as $$
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

-- As in 0003: none may until it is granted.
revoke execute on function semel.key_field(text) from public;
revoke execute on function semel.fence_claim(text, text) from public;
revoke execute on function semel.settle_source(bytea, bigint, text, text, text, bigint) from public;
revoke execute on function semel.seal_fence(text, bigint, text, json, text) from public;
