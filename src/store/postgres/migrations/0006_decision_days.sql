-- The decision log in one table for each day, so that days which are over are dropped whole. decision_N
-- holds the day N; decision_rest what none of them holds. Nodes make them ahead (decision_days.cpp).
--
-- The log as it was becomes the table of all days up to today, and goes when the last of them does.

-- Lines of days before this one are gone; their tables follow.
alter table semel.meta add column decisions_from bigint not null default 0;

create sequence semel.decision_number;
do $$
declare
    last_day bigint := (select greatest(max(day), floor(extract(epoch from clock_timestamp()) / 86400))
                        from semel.decision);
    before text := 'decision_' || last_day;
begin
    perform setval('semel.decision_number', (select max(sequence) from semel.decision));
    alter table semel.decision alter column sequence drop identity;
    alter table semel.decision alter column sequence set default nextval('semel.decision_number');
    alter table semel.decision drop constraint decision_pkey;
    -- A table that holds one day needs no index by days.
    drop index semel.decision_by_day;
    execute format('alter table semel.decision rename to %I', before);

    create table semel.decision (
        day bigint not null,
        tenant text collate "C" not null,
        sequence bigint not null default nextval('semel.decision_number'),
        data bytea not null,
        primary key (tenant, sequence, day)
    ) partition by range (day);
    execute format('alter table semel.decision attach partition semel.%I '
                   'for values from (minvalue) to (%s)', before, last_day + 1);
end
$$;
create table semel.decision_rest partition of semel.decision default;

-- Room on the page for the update that takes a job, so that it moves no index (docs/internals/postgres_layout.md).
alter table semel.job set (fillfactor = 50);
