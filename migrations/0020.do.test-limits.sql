-- The limits of a problem's tests. Texts are counted in bytes: all of them together, those of the
-- public test cases, which users read in one response, and those of one test case.
create function test_limits(
  out test_cases integer, out bytes bigint, out public_bytes bigint, out one_bytes bigint)
language sql immutable
return (10000, 256 * 1048576::bigint, 64 * 1048576::bigint, 64 * 1048576::bigint);

-- Runs after change_tests_version, which has locked the problem: it also counts the test cases of
-- other transactions.
-- octet_length reads only the size of a text that is stored out of line.
create function check_test_limits() returns trigger
language plpgsql as $$
declare
  exceeded text;
begin
  select case
           when counted.test_cases > limits.test_cases then 'test_cases_count'
           when counted.bytes > limits.bytes then 'test_cases_bytes'
           when counted.public_bytes > limits.public_bytes then 'test_cases_public_bytes'
           when counted.one_bytes > limits.one_bytes then 'test_cases_one_bytes'
         end
  into exceeded
  from (select distinct written.problem_id from written) as changed
  cross join lateral (
    select count(*) as test_cases, sum(sizes.bytes) as bytes,
           sum(sizes.bytes) filter (where not sizes.hidden) as public_bytes, max(sizes.bytes) as one_bytes
    from (
      select test_cases.hidden,
             octet_length(test_cases.input)::bigint + octet_length(test_cases.expected_output) as bytes
      from test_cases
      where test_cases.problem_id = changed.problem_id
    ) as sizes
  ) as counted
  cross join test_limits() as limits
  where counted.test_cases > limits.test_cases or counted.bytes > limits.bytes
     or counted.public_bytes > limits.public_bytes or counted.one_bytes > limits.one_bytes
  limit 1;
  if exceeded is not null then
    raise exception 'the tests of a problem are too large' using errcode = 'check_violation', constraint = exceeded;
  end if;
  return null;
end
$$;

-- Triggers run in the order of their names.
create trigger test_cases_version_limits_added
after insert on test_cases
referencing new table as written
for each statement execute function check_test_limits();
create trigger test_cases_version_limits_changed
after update on test_cases
referencing new table as written
for each statement execute function check_test_limits();
