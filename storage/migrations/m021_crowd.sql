-- links by which people of a crowd platform come to the annotation desk; rows stay when a link is closed
CREATE TABLE crowd_links (
    number INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    parameter TEXT NOT NULL,
    people INTEGER NOT NULL CHECK (people > 0),
    replies INTEGER NOT NULL CHECK (replies > 0),
    code TEXT NOT NULL,
    back TEXT NOT NULL,
    created TEXT NOT NULL,
    expires REAL NOT NULL,
    closed TEXT
);
-- who came; link is NULL in an imported row, identity once it was erased
CREATE TABLE crowd_people (
    annotator TEXT PRIMARY KEY COLLATE NOCASE,
    link INTEGER REFERENCES crowd_links (number),
    identity TEXT COLLATE NOCASE,
    created TEXT NOT NULL,
    finished TEXT,
    UNIQUE (link, identity)
);
