-- How many medals of each kind a contest gives (P20); null: none.
alter table events add medals json;
