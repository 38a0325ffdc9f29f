-- As before, but a new cell that counts nothing, such as that of a tester, changes only the version
-- that staff and judges compare.
create or replace function change_standings_version() returns trigger
language plpgsql as $$
begin
  if tg_op = 'INSERT' and new.total_attempts = 0
     or tg_op = 'UPDATE'
     and (new.total_attempts, coalesce(new.shown_standing, new.standing), coalesce(new.shown_item, new.item)::text)
         is not distinct from
         (old.total_attempts, coalesce(old.shown_standing, old.standing), coalesce(old.shown_item, old.item)::text)
     and shown_outcomes(new.outcomes, new.counted_until, new.frozen_from)
         = shown_outcomes(old.outcomes, old.counted_until, old.frozen_from) then
    perform change_list_version('frozen standings ' || new.event_id);
  else
    perform change_list_version('standings ' || coalesce(new.event_id, old.event_id));
  end if;
  return null;
end
$$;
