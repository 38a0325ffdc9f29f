-- Who lists the problems sees those that are public, and what they wrote themselves: whether there is anything of the latter is asked each time.
create index problems_private_user_id on problems (user_id) where not public and deleted_at is null;
