-- Why a worker that the service's parent has started ended by itself; null once it registers.
alter table judges add column failure text;
