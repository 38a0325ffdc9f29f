-- Large tests are compressed by lz4: a text of 60 MiB takes about a second instead of 5 to 10 with
-- pglz. Texts that are stored already stay as they are. Servers without lz4 keep pglz.
do $$
begin
  alter table test_cases
    alter column input           set compression lz4,
    alter column expected_output set compression lz4;
exception when feature_not_supported then
  raise notice 'this server has no lz4: tests are compressed by pglz';
end
$$;
