-- The search in PostgreSQL (D38), of release 0.2.0.

create extension if not exists pg_trgm;

-- The searched text of each problem. The triggers below update it.
create table problem_search (
  problem_id integer  constraint problem_search_pkey primary key
                      constraint problem_search_problem_id_fkey references problems (id),
  title      text     not null,
  document   tsvector not null
);
create index problem_search_document on problem_search using gin (document);
create index problem_search_title on problem_search using gin (title gin_trgm_ops);

-- A tsvector holds at most 1 MiB, so only the beginning of a long prompt is searched.
create function index_problem(id integer) returns void
language sql as $$
  insert into problem_search (problem_id, title, document)
  select problems.id,
         problems.title,
         setweight(to_tsvector('english', problems.title || ' ' || problems.identifier), 'A')
         || setweight(to_tsvector('english', coalesce((
              select string_agg(categories.name, ' ')
              from problem_categories
              join categories on categories.id = problem_categories.category_id
              where problem_categories.problem_id = problems.id), '')), 'B')
         || setweight(to_tsvector('english', left(problems.source, 10000)), 'C')
         || setweight(to_tsvector('english', left(problems.prompt, 100000)), 'D')
  from problems
  where problems.id = index_problem.id
  on conflict (problem_id) do update set title = excluded.title, document = excluded.document
$$;

create function index_changed_problem() returns trigger
language plpgsql as $$
begin
  perform index_problem(new.id);
  return null;
end
$$;
create trigger problems_search
after insert or update of title, identifier, prompt, source on problems
for each row execute function index_changed_problem();

create function index_filed_problems() returns trigger
language plpgsql as $$
begin
  perform index_problem(filed.problem_id)
  from (select distinct changed.problem_id from changed) as filed;
  return null;
end
$$;
create trigger problem_categories_search_added
after insert on problem_categories
referencing new table as changed
for each statement execute function index_filed_problems();
create trigger problem_categories_search_removed
after delete on problem_categories
referencing old table as changed
for each statement execute function index_filed_problems();

create function index_renamed_category() returns trigger
language plpgsql as $$
begin
  perform index_problem(problem_categories.problem_id)
  from problem_categories
  where problem_categories.category_id = new.id;
  return null;
end
$$;
create trigger categories_search
after update of name on categories
for each row execute function index_renamed_category();

-- Problems that contain the words, or whose title is similar to the text. Ranks are computed later,
-- for the problems that the caller may see.
create function matching_problems(wanted text) returns setof integer
language sql stable
set pg_trgm.word_similarity_threshold = 0.4 as $$
  select problem_search.problem_id
  from problem_search
  where problem_search.document @@ plainto_tsquery('english', wanted)
     or wanted <% problem_search.title
$$;

-- The search may be added to a database that has problems.
select index_problem(problems.id) from problems;
