-- Lines may be written anew (line_renewal.cpp). Who copies the database with a snapshot from before
-- that, as a dump may, finds them empty. A copy is known by its place: the server, the database and
-- the tables. (Where the owner may not know its server, the others have to do: it is the same for
-- every role that asks.)
create function semel.name_of_place() returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    server text := '';
begin
    begin
        select s.system_identifier into server from pg_control_system() s;
    exception when insufficient_privilege then null;
    end;
    return md5(server || ',' || (select d.oid from pg_database d where d.datname = current_database())
        || ',' || (select string_agg(t || ('semel.' || t)::regclass::oid, ',')
                   from unnest(array['job', 'later', 'ready', 'running', 'waiting']) t));
end
$$;
alter table semel.meta add column made_at text;
update semel.meta set made_at = semel.name_of_place();

-- Whether a batch left its mark, or whoever looked for that and found none.
alter table semel.commit_mark add column of_batch boolean not null default true;
