-- The rules of a contest (P20). Null: as specified.
alter table events
  add freeze_time       timestamptz,
  -- Since when everybody sees the standings as they are, after a freeze.
  add thawed_at         timestamptz,
  add penalty_minutes   integer,
  add admission         text,
  add scoreboard        text,
  add clarifications    text,
  add enforce_languages boolean,
  add scoring           text,
  -- Users who manage the contest, besides admins and its owner.
  add staff             uuid[] not null default '{}',
  add constraint events_admission_check check (admission in ('open', 'invited')),
  add constraint events_clarifications_check check (clarifications in ('any', 'staff')),
  add constraint events_penalty_minutes_check check (penalty_minutes >= 0),
  add constraint events_scoreboard_check check (scoreboard in ('participants', 'users', 'public')),
  add constraint events_scoring_check check (scoring in ('icpc', 'points'));

alter table event_problems
  add label    text,
  add color    text,
  -- Problems are listed by their position; those without one follow, in the order of their ids.
  add position integer;

alter table event_participants
  -- The user may submit that much longer than the others.
  add extra_minutes integer,
  -- Judged, but not in the standings.
  add hidden        boolean not null default false,
  -- The user no longer takes part; the submissions are kept.
  add removed_at    timestamptz,
  add constraint event_participants_extra_minutes_check check (extra_minutes > 0);

alter table questions
  -- With clarifications by staff: everybody sees it. Else the author and the staff do.
  add is_public boolean not null default false;

-- Cells that staff has revealed since the contest was frozen, in the order of the steps.
create table event_reveals (
  event_id   integer not null,
  user_id    uuid    not null,
  problem_id integer not null,
  -- A step reveals one cell, or in standings by team the cells of the members at one problem.
  step       integer not null,
  constraint event_reveals_pkey primary key (event_id, user_id, problem_id),
  constraint event_reveals_event_id_fkey foreign key (event_id) references events (id),
  constraint event_reveals_problem_id_fkey foreign key (problem_id) references problems (id),
  constraint event_reveals_user_id_fkey foreign key (user_id) references users (id)
);

-- An outcome is [microseconds since 1970, status], and [..., score] for a verdict with points.
alter table event_scores
  add pending             integer,
  -- The best score.
  add score               numeric(12, 2),
  -- The fields of the cell in the standings, for `item_start_time`. Null: counted by an older release.
  add standing            text,
  -- The end of the contest for this user: later submissions do not count. Null: none counts.
  add counted_until       timestamptz,
  -- Set if a counted submission is shown as pending because it was sent since then. The other
  -- columns then have the cell as it is, and these the cell as it is shown.
  add frozen_from         timestamptz,
  add shown_attempts      integer,
  add shown_pending       integer,
  add shown_accepted_time timestamptz,
  add shown_score         numeric(12, 2),
  add shown_item          json,
  add shown_standing      text;

create function microseconds(moment timestamptz) returns bigint
language sql stable parallel safe
return (extract(epoch from moment) * 1000000)::bigint;

-- The standings of one cell; outcomes from `frozen_from` on are pending.
create function count_cell(
  outcomes jsonb, counted_until timestamptz, frozen_from timestamptz,
  out submissions integer, out attempts integer, out pending integer, out first_accepted_time timestamptz,
  out score numeric) returns record
language sql stable as $$
  select count(*)::integer,
         count(*) filter (
           where outcome.status not in ('PENDING', 'COMPILE_TIME_ERROR', 'INTERNAL_ERROR')
             and (outcome.first_accepted is null or outcome.submitted <= outcome.first_accepted))::integer,
         count(*) filter (where outcome.status = 'PENDING')::integer,
         timestamptz 'epoch' + min(outcome.first_accepted) * interval '1 microsecond',
         max(outcome.score)
  from (
    select entry.submitted, entry.status, entry.score,
           min(entry.submitted) filter (where entry.status = 'ACCEPTED') over () as first_accepted
    from (
      select (pair.value ->> 0)::bigint as submitted,
             case when (pair.value ->> 0)::bigint >= microseconds(frozen_from) then 'PENDING'
                  else pair.value ->> 1 end as status,
             case when (pair.value ->> 0)::bigint >= microseconds(frozen_from) then null
                  else (pair.value ->> 2)::numeric end as score
      from jsonb_each(outcomes) as pair (submission_id, value)
      where (pair.value ->> 0)::bigint < microseconds(counted_until)
    ) as entry
  ) as outcome
$$;

-- Whole minutes from the start of a contest, at least 0.
create function contest_minutes(moment timestamptz, start_time timestamptz) returns integer
language sql stable parallel safe
return greatest(0, floor(date_part('epoch', moment - start_time) / 60))::integer;

-- The fields of a cell in the standings, without the closing brace.
create function standing_text(
  problem_id integer, attempts integer, pending integer, accepted_time timestamptz, score numeric,
  start_time timestamptz) returns text
language sql stable parallel safe
return concat(
  '{"problem_id":', problem_id, ',"tries":', attempts, ',"pending":', pending,
  case when accepted_time is not null then ',"minutes":' || contest_minutes(accepted_time, start_time) end,
  case when score is not null then ',"score":' || trim_scale(score) end);

-- Counts a cell of the standings as it is and, during a freeze, as it is shown. Cells of problems
-- that were removed from the contest, and of people who are hidden or were removed, count nothing.
create or replace function count_outcomes() returns trigger
language plpgsql as $$
declare
  its record;
  live record;
  shown record;
begin
  select events.start_time, events.scoring = 'points' as has_points,
         case when event_problems.id is not null and not coalesce(participant.hidden, false)
                and participant.removed_at is null
              then events.end_time + coalesce(participant.extra_minutes, 0) * interval '1 minute' end as counted_until,
         case when events.thawed_at is null and event_reveals.step is null then events.freeze_time end as frozen_from
  into its
  from events
  left join event_problems
    on event_problems.event_id = events.id and event_problems.problem_id = new.problem_id
  left join event_participants as participant
    on participant.event_id = events.id and participant.user_id = new.user_id
  left join event_reveals
    on event_reveals.event_id = events.id and event_reveals.user_id = new.user_id
    and event_reveals.problem_id = new.problem_id
  where events.id = new.event_id;
  live := count_cell(new.outcomes, its.counted_until, null);
  new.total_attempts := live.submissions;
  new.attempts := live.attempts;
  new.pending := live.pending;
  new.first_accepted_time := live.first_accepted_time;
  new.score := live.score;
  new.counted_until := its.counted_until;
  new.item_start_time := its.start_time;
  new.item := score_item(
    new.user_id, new.problem_id, new.attempts, new.total_attempts, new.first_accepted_time, its.start_time);
  new.standing := standing_text(
    new.problem_id, new.attempts, new.pending, new.first_accepted_time, case when its.has_points then new.score end,
    its.start_time);
  new.frozen_from := case when exists (
    select from jsonb_each(new.outcomes) as pair (submission_id, value)
    where (pair.value ->> 0)::bigint >= microseconds(its.frozen_from)
      and (pair.value ->> 0)::bigint < microseconds(its.counted_until)) then its.frozen_from end;
  if new.frozen_from is null then
    new.shown_attempts := null;
    new.shown_pending := null;
    new.shown_accepted_time := null;
    new.shown_score := null;
    new.shown_item := null;
    new.shown_standing := null;
  else
    shown := count_cell(new.outcomes, its.counted_until, new.frozen_from);
    new.shown_attempts := shown.attempts;
    new.shown_pending := shown.pending;
    new.shown_accepted_time := shown.first_accepted_time;
    new.shown_score := shown.score;
    new.shown_item := score_item(
      new.user_id, new.problem_id, shown.attempts, new.total_attempts, shown.first_accepted_time, its.start_time);
    new.shown_standing := standing_text(
      new.problem_id, shown.attempts, shown.pending, shown.first_accepted_time,
      case when its.has_points then shown.score end, its.start_time);
  end if;
  return new;
end
$$;

-- Counts the cells again of a participant or a problem whose place in the contest has changed.
create function recount_cells() returns trigger
language plpgsql as $$
declare
  changed record := coalesce(new, old);
begin
  if tg_table_name = 'event_participants' then
    perform from event_scores
    where event_scores.event_id = changed.event_id and event_scores.user_id = changed.user_id
    order by event_scores.user_id, event_scores.problem_id
    for update;
    update event_scores set outcomes = event_scores.outcomes
    where event_scores.event_id = changed.event_id and event_scores.user_id = changed.user_id;
  else
    perform from event_scores
    where event_scores.event_id = changed.event_id and event_scores.problem_id = changed.problem_id
    order by event_scores.user_id, event_scores.problem_id
    for update;
    update event_scores set outcomes = event_scores.outcomes
    where event_scores.event_id = changed.event_id and event_scores.problem_id = changed.problem_id;
  end if;
  return null;
end
$$;

create trigger event_participants_recount
after update on event_participants
for each row
when ((old.extra_minutes, old.hidden, old.removed_at) is distinct from (new.extra_minutes, new.hidden, new.removed_at))
execute function recount_cells();

create trigger event_problems_recount
after insert or delete on event_problems
for each row execute function recount_cells();

-- When a list changed: the standings tell their readers.
alter table list_versions add changed_at timestamptz not null default now();

create or replace function change_list_version(changed text) returns void
language plpgsql as $$
declare
  free record;
begin
  select list_versions.slot, list_versions.xmin = pg_current_xact_id()::xid as is_changed into free
  from list_versions
  where list_versions.name = changed
  limit 1
  for no key update skip locked;
  if not found then
    insert into list_versions (name) values (changed);
  elsif not free.is_changed then
    update list_versions set version = gen_random_uuid(), changed_at = now()
    where list_versions.name = changed and list_versions.slot = free.slot;
  end if;
end
$$;

-- The counted outcomes of a cell as they are shown: those since `frozen_from` tell only when they
-- were sent.
create function shown_outcomes(outcomes jsonb, counted_until timestamptz, frozen_from timestamptz) returns jsonb
language sql stable as $$
  select coalesce(jsonb_object_agg(pair.submission_id,
    case when (pair.value ->> 0)::bigint >= microseconds(frozen_from) then pair.value -> 0 else pair.value end), '{}')
  from jsonb_each(outcomes) as pair (submission_id, value)
  where (pair.value ->> 0)::bigint < microseconds(counted_until)
$$;

-- A write to cells changes the version of the standings. If it changes nothing that is shown, such
-- as a frozen verdict or that of a tester, it changes only the version that staff and judges compare.
create function change_standings_version() returns trigger
language plpgsql as $$
begin
  if tg_op = 'UPDATE'
     and (new.total_attempts, coalesce(new.shown_standing, new.standing), coalesce(new.shown_item, new.item)::text)
         is not distinct from
         (old.total_attempts, coalesce(old.shown_standing, old.standing), coalesce(old.shown_item, old.item)::text)
     and shown_outcomes(new.outcomes, new.counted_until, new.frozen_from)
         = shown_outcomes(old.outcomes, old.counted_until, old.frozen_from) then
    perform change_list_version('frozen standings ' || new.event_id);
  else
    perform change_list_version('standings ' || coalesce(new.event_id, old.event_id));
  end if;
  return null;
end
$$;

drop trigger event_scores_list_version on event_scores;
create trigger event_scores_list_version
after insert or update or delete on event_scores
for each row execute function change_standings_version();

-- The standings have the names of users.
create trigger users_list_version
after update on users
for each row
when (old.name is distinct from new.name)
execute function change_list_versions('users');
