-- Schedules, and what makes a job one of theirs.

create table schedule (
    tenant text not null,
    name text not null,
    id blob not null,
    data blob not null,                 -- the rest: schedule_codec.cpp
    primary key (tenant, name)
) strict, without rowid;
create unique index schedule_listed on schedule (tenant, id);

-- Place 7 is paused. A slot is had once; a triggered job has none.
alter table job add column schedule blob;           -- its id
alter table job add column schedule_name integer;   -- for lists, also when the schedule is gone
alter table job add column slot integer;
create unique index job_slot on job (schedule, slot) where slot is not null;
