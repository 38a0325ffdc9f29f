-- The time of the last change of a problem, its test cases or its categories (D18).
alter table problems add column updated_at timestamptz;
update problems set updated_at = upload_date;
alter table problems
  alter column updated_at set default now(),
  alter column updated_at set not null;

-- clock_timestamp: a transaction that waited for another one must not set an earlier time.
-- The creation of a problem is no change of it: its test cases are inserted after its row.
create function change_problem_updated_at() returns trigger
language plpgsql as $$
begin
  new.updated_at := case when old.upload_date = now() then old.updated_at else clock_timestamp() end;
  return new;
end
$$;

-- A write of test cases changes tests_version.
create trigger problems_updated_at
before update on problems
for each row
when (old.* is distinct from new.*)
execute function change_problem_updated_at();

create function change_updated_at_with_categories() returns trigger
language plpgsql as $$
begin
  if tg_op = 'TRUNCATE' then
    update problems set updated_at = clock_timestamp();
  else
    update problems set updated_at = clock_timestamp()
    where problems.id in (select changed.problem_id from changed);
  end if;
  return null;
end
$$;

create trigger problem_categories_updated_at_added
after insert on problem_categories
referencing new table as changed
for each statement execute function change_updated_at_with_categories();

create trigger problem_categories_updated_at_changed
after update on problem_categories
referencing new table as changed
for each statement execute function change_updated_at_with_categories();

create trigger problem_categories_updated_at_removed
after delete on problem_categories
referencing old table as changed
for each statement execute function change_updated_at_with_categories();

create trigger problem_categories_updated_at_emptied
after truncate on problem_categories
for each statement execute function change_updated_at_with_categories();

-- The update of the problem changes the versions of the same lists.
drop trigger problem_categories_list_version on problem_categories;
