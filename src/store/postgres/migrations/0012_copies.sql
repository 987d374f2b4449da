-- Lines may be written anew (line_renewal.cpp). Who copies the database with a snapshot from before
-- that, as a dump may, finds them empty, and without this row of nobody that each of them has.
insert into semel.ready values ('', '', 0, 0, '00000000-0000-0000-0000-000000000000');
insert into semel.later values (7258118400000, '00000000-0000-0000-0000-000000000000');
insert into semel.waiting values ('', '', 0, '00000000-0000-0000-0000-000000000000');
insert into semel.running values ('00000000-0000-0000-0000-000000000000', 7258118400000);

-- Whether a batch left its mark, or whoever looked for that and found none.
alter table semel.commit_mark add column of_batch boolean not null default true;
