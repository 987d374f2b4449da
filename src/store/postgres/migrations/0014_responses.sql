-- The bodies of answers that requests of the gateway are replayed with. Their claims have the rest.
--
-- Not side by side with the version before: its upkeep would delete the claim of a request that was sent and
-- whose node is silent, and the next request would be sent again.
update semel.meta set works_from = 14;
alter table semel.commit_mark drop constraint commit_mark_known;
alter table semel.commit_mark add constraint commit_mark_known check (known >= 14) not valid;

create table semel.response (
    id uuid primary key,                -- the effect id of the pass that made the answer
    expires_at bigint not null,         -- when the last claim that refers to it is forgotten
    body bytea not null                 -- a byte that says its format, then the body
);
-- Bodies are read whole, and many are compressed already.
alter table semel.response alter column body set storage external;
create index response_expiring on semel.response (expires_at);
