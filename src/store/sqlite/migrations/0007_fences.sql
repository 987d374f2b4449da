-- Fences: what claims were first asked for with, and the sources whose versions they hold.

create table content (
    claim integer primary key,          -- its number
    body blob not null                  -- JSON, as it came
) strict;

create table source (
    tenant text not null,
    type text not null,
    id text not null,
    highest integer,                    -- version that was sealed; null: none
    holder blob,                        -- the last claim to hold it; null: nobody does
    holder_token integer,
    held_until integer,
    expires_at integer not null,
    primary key (tenant, type, id),
    check ((holder is null) = (holder_token is null) and (holder is null) = (held_until is null))
) strict, without rowid;
create index source_expiring on source (expires_at);
