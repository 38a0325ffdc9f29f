-- A verdict may have a finer status, its reason (D23): clients know few statuses. A status of its
-- own, such as PRESENTATION_ERROR, needs none.
alter table submissions add column reason text;
alter table verdicts add column reason text;
alter table shadow_judgings add column reason text;
-- As `status` and `new_status`.
alter table rejudging_items
  add column reason text,
  add column new_reason text;

-- A reason disappears with the status that it belongs to. Instances of 0.2.0, which serve during an
-- upgrade and after a rollback, replace a verdict without its reason.
create function drop_outdated_reason() returns trigger
language plpgsql as $$
begin
  new.reason := null;
  return new;
end
$$;
create trigger submissions_outdated_reason
before update of status on submissions
for each row
when (new.status <> old.status and new.reason = old.reason)
execute function drop_outdated_reason();
create trigger shadow_judgings_outdated_reason
before update of status on shadow_judgings
for each row
when (new.status <> old.status and new.reason = old.reason)
execute function drop_outdated_reason();
