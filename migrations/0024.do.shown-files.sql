-- Files that show a sample in another form belong to its texts: they go with them.
create function delete_shown_files() returns trigger
language plpgsql as $$
begin
  delete from problem_files
  where problem_files.problem_id = old.problem_id
    and problem_files.name is not null
    and problem_files.path = any (array(
      select concat('data/', old.name, extensions.extension)
      from unnest(array['.in', '.ans', '.in.statement', '.ans.statement', '.in.download',
                        '.ans.download', '.interaction', '.out']) as extensions (extension)));
  return null;
end
$$;

create trigger test_cases_shown_files_changed
after update of input, expected_output on test_cases
for each row
when (old.name like 'sample/%'
      and (old.input is distinct from new.input or old.expected_output is distinct from new.expected_output))
execute function delete_shown_files();

create trigger test_cases_shown_files_removed
after delete on test_cases
for each row
when (old.name like 'sample/%')
execute function delete_shown_files();
