-- SHADOW JUDGINGS

create index outbox_shadow on outbox (subject_id) where kind = 'shadow';

-- The unfinished shadow judgings that are published. No other transaction publishes one until this
-- one ends. As for runs, the function must be volatile.
create function lock_published_shadow_judgings() returns uuid[]
language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock(7231905648);
  return array(
    select shadow_judgings.id
    from shadow_judgings
    where shadow_judgings.published and shadow_judgings.status = 'PENDING');
end
$$;
