-- The bodies of answers that requests of the gateway are replayed with. Their claims have the rest.
create table response (
    id blob not null,                   -- the effect id of the pass that made the answer
    expires_at integer not null,        -- when the last claim that refers to it is forgotten
    body blob not null                  -- a byte that says its format, then the body
) strict;
-- Ids begin with their time, so both indexes grow at their ends.
create unique index response_id on response (id);
create index response_expiring on response (expires_at);
