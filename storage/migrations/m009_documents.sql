CREATE TABLE collections (
    id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    name TEXT NOT NULL,
    created TEXT NOT NULL,
    is_public INTEGER NOT NULL DEFAULT 0,
    UNIQUE (owner, name)
);

CREATE TABLE collection_members (
    collection TEXT NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    user TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('reader', 'editor')),
    PRIMARY KEY (collection, user)
);
CREATE INDEX collection_members_by_user ON collection_members (user);

CREATE TABLE documents (
    id TEXT PRIMARY KEY,
    collection TEXT NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    type TEXT,
    sha256 TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    pages INTEGER,
    state TEXT NOT NULL CHECK (state IN
        ('queued', 'parsing', 'encoding', 'ready', 'no_text', 'encrypted', 'too_large', 'failed')),
    reason TEXT,
    parser TEXT,
    created TEXT NOT NULL,
    updated TEXT NOT NULL,
    removed TEXT
);
-- a name that was removed is free again
CREATE UNIQUE INDEX documents_by_name ON documents (collection, name) WHERE removed IS NULL;
CREATE INDEX documents_by_bytes ON documents (sha256);

ALTER TABLE turns ADD COLUMN collections TEXT;
