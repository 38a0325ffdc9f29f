-- The transaction that last wrote a cell. Readers that keep the standings read the cells that their
-- snapshot did not see, as those of `changes` do. Null: not written since this migration.
alter table event_scores add changed_xid xid8;

create function note_changed_cell() returns trigger
language plpgsql as $$
begin
  new.changed_xid := pg_current_xact_id();
  return new;
end
$$;

create trigger event_scores_note_change
before insert or update on event_scores
for each row execute function note_changed_cell();
-- Replicated changes and loaded rows run the trigger too.
alter table event_scores enable always trigger event_scores_note_change;

create index event_scores_changed on event_scores (event_id, changed_xid) where changed_xid is not null;

-- The service deletes no cell and changes no key. After somebody does so by hand, everything is read
-- again: no cell is left that tells of the change.
drop trigger event_scores_list_version on event_scores;
create trigger event_scores_list_version
after insert or update on event_scores
for each row execute function change_standings_version();

create trigger event_scores_list_version_moved
after update of event_id, user_id, problem_id on event_scores
for each row execute function change_list_versions('all');

create trigger event_scores_list_version_removed
after delete on event_scores
for each row execute function change_list_versions('all');
