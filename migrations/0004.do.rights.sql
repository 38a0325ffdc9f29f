-- An answer remembers whether staff gave it: the roles of users and the staff of a contest change
-- later. The trigger notes it for the previous release too, which may run meanwhile.
alter table questions add column answered_by_staff boolean not null default false;

create function note_answer_of_staff() returns trigger
language plpgsql as $$
begin
  new.answered_by_staff := exists (
    select from events
    join users on users.id = new.answered_by
    where events.id = new.event_id
      and (users.is_admin or users.id = events.user_id or users.id = any (events.staff)));
  return new;
end
$$;
create trigger questions_answer_of_staff
before insert or update of answer, answered_by, answered_at on questions
for each row execute function note_answer_of_staff();

-- Answers from before: the roles of now decide. Answers of staff stay as everybody sees them.
alter table questions disable trigger questions_changes;
update questions
set answered_by = questions.answered_by
where questions.answered_by is not null;
alter table questions enable trigger questions_changes;

-- Over the Contest API, answers of others are those of their teams now, or disappear.
insert into changes (kind, event_id, is_reset)
select distinct 'question', questions.event_id, true
from questions
where questions.answered_by is not null and not questions.answered_by_staff;

-- A request for a rejudging looks for the open ones of its contest.
create index rejudging_decisions_open on rejudging_decisions (event_id) where state = 'OPEN';
