/** SQL that stores and drops foreign keys and secondary indexes of large tables. */
export const PUT_ASIDE = `
  create temporary table put_aside (place integer generated always as identity, restore text not null) on commit drop;
  do $$
  declare
    item record;
  begin
    for item in
      select constraints.conrelid::regclass as in_table, constraints.conname as name, pg_get_constraintdef(constraints.oid) as definition
      from pg_constraint as constraints
      join pg_class as tables on tables.oid = constraints.conrelid
      where constraints.contype = 'f' and tables.relnamespace = 'public'::regnamespace
        and tables.relname in ('submissions', 'event_scores', 'notifications', 'test_cases', 'event_participants')
    loop
      insert into put_aside (restore) values (format('alter table %s add constraint %I %s', item.in_table, item.name, item.definition));
      execute format('alter table %s drop constraint %I', item.in_table, item.name);
    end loop;
    for item in
      select indexes.indexname as name, indexes.indexdef as definition
      from pg_indexes as indexes
      where indexes.schemaname = 'public' and indexes.tablename = 'submissions' and indexes.indexname <> 'submissions_pkey'
    loop
      insert into put_aside (restore) values (item.definition);
      execute format('drop index %I', item.name);
    end loop;
  end $$;`

/** SQL that creates them again. */
export const RESTORE = `
  set local maintenance_work_mem = '512MB';
  do $$
  declare
    item record;
  begin
    for item in select put_aside.restore from put_aside order by put_aside.place desc loop
      execute item.restore;
    end loop;
  end $$;`
