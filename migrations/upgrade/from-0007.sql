-- Adds the versions of tests, which the eighth migration brought.
-- Locks first, also those of the next script, in the order in which a submission locks: no deadlock.
lock table problems, event_participants, event_scores in access exclusive mode;

alter table problems
  add column tests_version uuid   not null default gen_random_uuid(),
  add column tests_bytes   bigint not null default 0;

create function count_tests_bytes(counted_problem_id integer) returns bigint
language sql stable
return (
  select coalesce(sum(octet_length(test_cases.input)::bigint + octet_length(test_cases.expected_output)), 0)::bigint
  from test_cases
  where test_cases.problem_id = counted_problem_id);

update problems set tests_bytes = count_tests_bytes(problems.id);

create function change_tests_version() returns trigger
language plpgsql as $$
begin
  if tg_op = 'TRUNCATE' then
    update problems set tests_version = gen_random_uuid(), tests_bytes = 0;
  else
    update problems
    set tests_version = gen_random_uuid(),
        tests_bytes   = count_tests_bytes(problems.id)
    where problems.id in (select changed.problem_id from changed);
  end if;
  return null;
end
$$;

create trigger test_cases_tests_version_added
after insert on test_cases
referencing new table as changed
for each statement execute function change_tests_version();
create trigger test_cases_tests_version_changed
after update on test_cases
referencing new table as changed
for each statement execute function change_tests_version();
create trigger test_cases_tests_version_removed
after delete on test_cases
referencing old table as changed
for each statement execute function change_tests_version();
create trigger test_cases_tests_version_emptied
after truncate on test_cases
for each statement execute function change_tests_version();

create function change_tests_version_with_limits() returns trigger
language plpgsql as $$
begin
  new.tests_version := gen_random_uuid();
  return new;
end
$$;

create trigger problems_tests_version
before update on problems
for each row
when (old.accept_timeout is distinct from new.accept_timeout
      or old.execution_timeout is distinct from new.execution_timeout
      or old.memory_limit is distinct from new.memory_limit)
execute function change_tests_version_with_limits();
