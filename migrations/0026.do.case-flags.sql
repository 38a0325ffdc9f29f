-- Adds case-flags/1: workers without it would give the flags of the problem to all test cases.
create or replace function needed_capabilities(judging_options jsonb) returns text[]
language sql immutable
return array_remove(array[
  case when judging_options ? 'validation' then 'validation/1' end,
  case when (judging_options -> 'validation') ? 'case_flags' then 'case-flags/1' end,
  case when judging_options ? 'test_groups' then 'test-groups/1' end,
  case when judging_options ? 'limits' then 'limits/1' end], null);
