-- The ranks that a rejudging has changed, as its response shows them. Null: it was not applied, or
-- by a release that did not keep them.
alter table rejudging_decisions add rank_changes json;
