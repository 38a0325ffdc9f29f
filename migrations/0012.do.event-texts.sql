-- The record of an event has the prompts and public test cases of all its problems. A client of the
-- database cannot read a text of 512 MiB, and JSON may double the length of a text.
-- octet_length reads only the size of a text that is stored out of line.
create function event_text_bytes(measured_event_id integer, out prompts bigint, out public_tests bigint)
language sql stable as $$
  select coalesce(sum(octet_length(problems.prompt)), 0)::bigint,
         coalesce(sum((
           select sum(octet_length(test_cases.input)::bigint + octet_length(test_cases.expected_output))
           from test_cases
           where test_cases.problem_id = problems.id and not test_cases.hidden)), 0)::bigint
  from event_problems
  join problems on problems.id = event_problems.problem_id and problems.deleted_at is null
  where event_problems.event_id = measured_event_id
$$;

-- One write of an event's texts after the other: each sees those before it. The limit that the write
-- cannot exceed is not checked, so that an older event with longer texts can be corrected.
create function check_event_texts(changed_event_id integer, checks_prompts boolean, checks_tests boolean)
returns void
language plpgsql as $$
declare
  mebibyte constant bigint := 1048576;
  bytes    record;
begin
  perform pg_advisory_xact_lock(7231903, changed_event_id);
  select texts.prompts, texts.public_tests into bytes from event_text_bytes(changed_event_id) as texts;
  if checks_prompts and bytes.prompts > 64 * mebibyte then
    raise exception 'the prompts of event % are too long', changed_event_id
      using errcode = 'check_violation', constraint = 'event_problems_prompts_bytes';
  elsif checks_tests and bytes.public_tests > 128 * mebibyte then
    raise exception 'the public test cases of event % are too long', changed_event_id
      using errcode = 'check_violation', constraint = 'event_problems_public_tests_bytes';
  end if;
end
$$;

create function check_texts_of_event_problems() returns trigger
language plpgsql as $$
begin
  perform check_event_texts(changed.event_id, true, true)
  from (select distinct added.event_id from added order by added.event_id) as changed;
  return null;
end
$$;
create trigger event_problems_texts
after insert on event_problems
referencing new table as added
for each statement execute function check_texts_of_event_problems();

create function check_prompt_of_problem() returns trigger
language plpgsql as $$
begin
  perform check_event_texts(changed.event_id, true, false)
  from (
    select event_problems.event_id
    from event_problems
    where event_problems.problem_id = new.id
    order by event_problems.event_id
  ) as changed;
  return null;
end
$$;
create trigger problems_texts
after update of prompt on problems
for each row
when (octet_length(new.prompt) > octet_length(old.prompt))
execute function check_prompt_of_problem();

create function check_public_test_cases() returns trigger
language plpgsql as $$
begin
  perform check_event_texts(changed.event_id, false, true)
  from (
    select distinct event_problems.event_id
    from event_problems
    where event_problems.problem_id in (select written.problem_id from written where not written.hidden)
    order by event_problems.event_id
  ) as changed;
  return null;
end
$$;
create trigger test_cases_texts_added
after insert on test_cases
referencing new table as written
for each statement execute function check_public_test_cases();
create trigger test_cases_texts_changed
after update on test_cases
referencing new table as written
for each statement execute function check_public_test_cases();
