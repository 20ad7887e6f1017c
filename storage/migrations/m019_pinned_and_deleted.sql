-- pinned: when its owner pinned it; deleted: when its owner deleted it, some seconds before it is erased
ALTER TABLE conversations ADD COLUMN pinned TEXT;
ALTER TABLE conversations ADD COLUMN deleted TEXT;
CREATE INDEX conversations_deleted ON conversations (deleted) WHERE deleted IS NOT NULL;
