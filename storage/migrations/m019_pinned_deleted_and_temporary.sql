-- pinned: when its owner pinned it; deleted: when its owner deleted it, some seconds before it is erased;
-- temporary: it is erased when it is left
ALTER TABLE conversations ADD COLUMN pinned TEXT;
ALTER TABLE conversations ADD COLUMN deleted TEXT;
ALTER TABLE conversations ADD COLUMN temporary INTEGER NOT NULL DEFAULT 0;
CREATE INDEX conversations_not_kept ON conversations (id) WHERE deleted IS NOT NULL OR temporary;
