-- Side by side with the version before, and filled from another store.

-- A program that knows migrations up to this number works with the schema as it is. A migration that takes
-- away what an older program uses raises it.
alter table semel.meta add column works_from integer not null default 4;

-- The store that this one was filled from (`semel migrate --from`). While it is unfinished, nobody else may
-- use the database.
create table semel.moved_from (
    id smallint primary key check (id = 1),
    path text not null,
    mark text not null,                 -- of the source's last commit: whether it is the same
    kind smallint not null,             -- of the rows that are next; past the last kind: all are here
    after bytea not null,               -- the key behind which they begin
    rows bigint not null,               -- that are here
    started_at bigint not null,
    finished_at bigint                  -- null: unfinished
);

-- For triggers that are there meanwhile: a node that runs already does not look at the table above.
create function semel.refuse_while_moving() returns trigger
language plpgsql set search_path = semel, pg_temp
as $$
begin
    if coalesce(current_setting('semel.moving', true), '') <> 'on' then
        raise exception 'this database is being filled from another store'
            using errcode = 'cannot_connect_now', hint = 'Wait until `semel migrate` has finished.';
    end if;
    return null;
end
$$;
revoke execute on function semel.refuse_while_moving() from public;
