-- Bulk runs; and the decision log by days, so that its oldest part can be deleted.

create table bulk_run (
    id blob primary key,
    tenant text not null,
    finished_at integer,                -- null: unfinished
    data blob not null                  -- the rest: row_codec.cpp
) strict, without rowid;
create index bulk_run_open on bulk_run (id) where finished_at is null;
create index bulk_run_finished on bulk_run (finished_at) where finished_at is not null;

-- `day` is the one on which a line was written, in days since 1970: it grows with the sequence. What
-- was there gets the day of the last commit, so that it is kept its full time.
create table decision_by_day (
    day integer not null,
    tenant integer not null,
    sequence integer not null,          -- over all tenants
    data blob not null,                 -- the rest: row_codec.cpp
    primary key (day, tenant, sequence)
) strict, without rowid;
insert into decision_by_day
    select time_mark / 86400000, tenant, sequence, data from decision, meta;
drop table decision;
alter table decision_by_day rename to decision;
