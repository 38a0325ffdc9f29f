-- judging_options may have 4 MiB. Tests and lists of submissions read these columns instead.
-- judging_options_bytes: the length of judging_options as text. needed_capabilities: the
-- capabilities that a judge worker needs for them (D41). max_score: the full score; null without
-- test groups. No generated columns: they would rewrite the table, and a dump could not be restored
-- because the condition of problems_updated_at names the whole row.
alter table problems
  add column judging_options_bytes integer not null default 0,
  add column needed_capabilities   text[]  not null default '{}',
  add column max_score             numeric;

create function describe_judging_options() returns trigger
language plpgsql as $$
begin
  new.judging_options_bytes := coalesce(octet_length(new.judging_options::text), 0);
  new.needed_capabilities := needed_capabilities(new.judging_options);
  new.max_score := round((new.judging_options ->> 'max_score')::numeric, 2);
  return new;
end
$$;
create trigger problems_judging_options_added
before insert on problems
for each row
when (new.judging_options is not null)
execute function describe_judging_options();
create trigger problems_judging_options_changed
before update of judging_options on problems
for each row
when (old.judging_options is distinct from new.judging_options)
execute function describe_judging_options();
