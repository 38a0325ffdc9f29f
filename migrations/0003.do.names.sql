-- Names of teams within a contest and of categories are compared as those of users (D11): `folded`.
-- Where two are the same now, the older one keeps its name, and the newer one gets " (2)", or a
-- higher number. Each of these is a warning, which the service and `npm run migrate` log.

drop index teams_event_id_name_key;
drop index categories_name_key;

-- A name with a number, which no taken name equals. `folded` cuts a long name: it is shortened.
create function numbered_name(name text, taken text[]) returns text
language plpgsql as $$
declare
  number integer := 1;
  kept integer;
  suffix text;
begin
  loop
    number := number + 1;
    suffix := ' (' || number || ')';
    kept := length(name);
    while right(folded(left(name, kept) || suffix), length(suffix)) <> suffix loop
      kept := kept - 1;
    end loop;
    if folded(left(name, kept) || suffix) <> all (taken) then
      return left(name, kept) || suffix;
    end if;
  end loop;
end
$$;

do $$
declare
  newer record;
  renamed text;
begin
  for newer in
    select teams.id, teams.event_id, teams.name
    from (
      select teams.*,
             row_number() over (partition by teams.event_id, folded(teams.name) order by teams.id) as nth
      from teams
    ) as teams
    where teams.nth > 1
    order by teams.event_id, teams.id
  loop
    renamed := numbered_name(newer.name, array(
      select folded(teams.name) from teams where teams.event_id = newer.event_id));
    update teams set name = renamed where teams.id = newer.id;
    raise warning 'Team % of contest % is renamed from "%" to "%": an older team has this name.',
      newer.id, newer.event_id, newer.name, renamed;
  end loop;
end
$$;

-- The categories of the first migration have ids of version 4, and are the oldest.
do $$
declare
  newer record;
  renamed text;
begin
  for newer in
    select categories.id, categories.name
    from (
      select categories.*,
             row_number() over (
               partition by folded(categories.name)
               order by substring(categories.id::text from 15 for 1) = '7', categories.id) as nth
      from categories
    ) as categories
    where categories.nth > 1
    order by categories.id
  loop
    renamed := numbered_name(newer.name, array(select folded(categories.name) from categories));
    update categories set name = renamed where categories.id = newer.id;
    update problems set updated_at = clock_timestamp()
    where problems.id in (
      select problem_categories.problem_id from problem_categories
      where problem_categories.category_id = newer.id);
    raise warning 'Category % is renamed from "%" to "%": an older category has this name.',
      newer.id, newer.name, renamed;
  end loop;
end
$$;

drop function numbered_name(text, text[]);
create unique index teams_event_id_name_key on teams (event_id, folded(name));
create unique index categories_name_key on categories (folded(name));

-- Titles are compared in NFC; those of earlier releases may have another form. An index entry has
-- 2,700 bytes.
drop index events_title;
create index events_title on events (left(normalize(title, NFC), 600), id desc);
