-- Rows of jobs by a number of their own, so that ids may begin alike.
--
-- A job's number is the first half of its id: appended, and found without an index. The ids that one
-- generator makes differ there; those that callers choose need not. Where another job has the number,
-- the later one gets the next that is free from 1 on (no id that begins with a time before the year
-- 6429 has such a number), and stands in `twin`. A store without twins looks nothing up there.

create table twin (
    high integer not null,
    low integer not null,
    number integer not null,
    primary key (high, low)
) strict, without rowid;
create unique index twin_number on twin (number);

drop index job_later;
drop index job_ready;
drop index job_waiting;
drop index job_listed;
alter table job rename column high to number;
alter table job add column high integer not null default 0;
update job set high = number;
create index job_later on job (scheduled_at, high, low, place) where place = 0;
create index job_ready on job (tenant, type, urgency, scheduled_at, high, low, place)
    where place = 1;
create index job_waiting on job (tenant, lock_group, scheduled_at, high, low) where place = 3;
create index job_listed on job (tenant, shelf, high, low);

-- What goes with a job goes by its number. `attempt.job` is one.
alter table large_payload rename column high to number;
alter table job_result rename column high to number;
alter table chosen rename column high to number;
alter table telling rename column high to number;
alter table telling add column high integer not null default 0;
update telling set high = number;
create unique index telling_order on telling (high, low);

drop index chain_listed;
alter table chain rename column high to number;
alter table chain add column high integer not null default 0;
update chain set high = number;
create index chain_listed on chain (tenant, shelf, high, low);
