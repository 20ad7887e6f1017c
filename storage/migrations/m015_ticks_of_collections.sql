-- the least probability of a tick, by the judgements on its replies; NULL: too few
ALTER TABLE collections ADD COLUMN threshold REAL;
