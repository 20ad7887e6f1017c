-- tokens name no user by a foreign key: the person at a machine without users has some too
CREATE TABLE users (
    name TEXT PRIMARY KEY COLLATE NOCASE,
    role TEXT NOT NULL CHECK (role IN ('chat', 'annotator', 'admin')),
    hash TEXT NOT NULL,
    salt TEXT NOT NULL,
    n INTEGER NOT NULL,
    r INTEGER NOT NULL,
    p INTEGER NOT NULL,
    created TEXT NOT NULL,
    disabled TEXT
);

CREATE TABLE tokens (
    hash TEXT PRIMARY KEY,
    user TEXT NOT NULL COLLATE NOCASE,
    kind TEXT NOT NULL CHECK (kind IN ('api', 'session')),
    created TEXT NOT NULL,
    expires REAL
);
CREATE INDEX tokens_by_user ON tokens (user);
