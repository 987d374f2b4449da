-- Called by a statement of a save that touched another number of rows than it had to: the commit
-- that is on its way behind it must not happen. Anybody may call it: it does nothing but refuse.
--   SM002  somebody's fault
--   SM003  what was read before is not so any more: to be decided again
create function semel.refuse_count(touched bigint, expected bigint, state text) returns integer
language plpgsql as $$
begin
    raise exception 'a change is not saved: % rows touched instead of %', touched, expected
        using errcode = state;
end
$$;
