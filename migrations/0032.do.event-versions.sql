-- For each row: a refused change, which changes no row, keeps the entity tags of all contests.
-- A truncation of events truncates event_scores too, whose trigger changes every list.
drop trigger events_list_version on events;
create trigger events_list_version
after insert or update or delete on events
for each row execute function change_list_versions('events');

drop trigger event_problems_list_version on event_problems;
create trigger event_problems_list_version
after insert or update or delete on event_problems
for each row execute function change_list_versions('events');

create trigger event_problems_list_version_emptied
after truncate on event_problems
for each statement execute function change_list_versions('events');
