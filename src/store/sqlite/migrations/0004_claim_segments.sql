-- Claims in the order of their making. A key's hash is random: in a table that is sorted by it, each
-- new claim dirties a page of its own, the more claims there are. Here it is appended.
--
-- Which claims are there is known in memory (claim_table.hpp). The newest are held one by one; of the
-- rest, each run of some thousands is a segment, which has a filter in memory and a sorted list of
-- its claims here, written once.

alter table claim rename to claim_by_key;
create table claim (
    number integer primary key,
    id blob not null check (length(id) = 32),
    expires_at integer,                 -- null: as long as its owner lives
    data blob not null                  -- the rest: row_codec.cpp
) strict;
insert into claim (id, expires_at, data) select id, expires_at, data from claim_by_key;
drop table claim_by_key;
create index claim_expiring on claim (expires_at) where expires_at is not null;

alter table receipt rename to receipt_by_key;
create table receipt (
    claim integer primary key,
    body blob not null
) strict;
create index claim_by_id on claim (id);
insert into receipt select number, body from receipt_by_key join claim on id = receipt_by_key.claim;
drop index claim_by_id;
drop table receipt_by_key;

create table claim_segment (
    first integer primary key,          -- the claims from this number
    last integer not null,              -- to this one, as far as they are still there
    filter blob not null                -- claim_filters.hpp
) strict;

create table claim_place (
    segment integer not null,           -- its first number
    prefix integer not null,            -- the first eight bytes of the claim's id
    number integer not null,
    primary key (segment, prefix, number)
) strict, without rowid;
