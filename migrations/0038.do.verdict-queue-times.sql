-- When the judging of a replaced verdict was queued; null for verdicts replaced before.
alter table verdicts add queued_at timestamptz;
