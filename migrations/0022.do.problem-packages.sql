-- Problem packages: what a package has beside the problem itself, and its files.
alter table test_cases
  add column name        text,
  add column hint        text,
  add column description text;
comment on column test_cases.name is 'its path below data/ in the package, such as secret/group1/01';

alter table problems add column timeout_is_provisional boolean not null default false;

create table problem_packages (
  problem_id integer     not null,
  -- The settings of the package that the other tables do not have.
  metadata   jsonb       not null,
  -- Changes with each import.
  version    uuid        not null default gen_random_uuid(),
  constraint problem_packages_pkey primary key (problem_id),
  constraint problem_packages_problem_id_fkey foreign key (problem_id) references problems (id)
);

create table problem_files (
  id         uuid    not null,
  problem_id integer not null,
  path       text    not null,
  -- Null: only admins see the file.
  name       text,
  bytes      integer not null,
  constraint problem_files_pkey primary key (id),
  constraint problem_files_problem_id_path_key unique (problem_id, path),
  constraint problem_files_problem_id_name_key unique (problem_id, name),
  constraint problem_files_problem_id_fkey foreign key (problem_id) references problems (id)
);

-- The content in parts, so that no statement handles much at once.
create table problem_file_parts (
  file_id uuid    not null,
  number  integer not null,
  content bytea   not null,
  constraint problem_file_parts_pkey primary key (file_id, number),
  constraint problem_file_parts_file_id_fkey foreign key (file_id) references problem_files (id) on delete cascade,
  constraint problem_file_parts_content_check check (octet_length(content) between 1 and 1048576)
);
