CREATE TABLE users_with_roles (
    name TEXT PRIMARY KEY COLLATE NOCASE,
    role TEXT NOT NULL CHECK (role IN ('chat', 'annotator', 'adjudicator', 'admin')),
    hash TEXT NOT NULL,
    salt TEXT NOT NULL,
    n INTEGER NOT NULL,
    r INTEGER NOT NULL,
    p INTEGER NOT NULL,
    created TEXT NOT NULL,
    disabled TEXT,
    may_chat INTEGER NOT NULL DEFAULT 1
);
INSERT INTO users_with_roles (name, role, hash, salt, n, r, p, created, disabled)
    SELECT name, role, hash, salt, n, r, p, created, disabled FROM users;
DROP TABLE users;
ALTER TABLE users_with_roles RENAME TO users;

CREATE TABLE annotation_studies (
    number INTEGER PRIMARY KEY,
    action TEXT NOT NULL CHECK (action IN ('set', 'frozen', 'changed')),
    content TEXT NOT NULL,
    hash TEXT NOT NULL,
    reason TEXT NOT NULL,
    changed_by TEXT NOT NULL COLLATE NOCASE,
    created TEXT NOT NULL
);

CREATE TABLE annotation_practice (
    number INTEGER PRIMARY KEY,
    annotator TEXT NOT NULL COLLATE NOCASE,
    action TEXT NOT NULL CHECK (action IN ('read', 'tried', 'left out')),
    example INTEGER,
    labels TEXT,
    correct INTEGER,
    points INTEGER,
    seconds REAL NOT NULL,
    guidelines TEXT NOT NULL,
    created TEXT NOT NULL
);
CREATE INDEX annotation_practice_by_annotator ON annotation_practice (annotator, number);

CREATE TABLE annotation_guesses (
    annotator TEXT NOT NULL COLLATE NOCASE,
    item TEXT NOT NULL REFERENCES annotation_items (id),
    guess TEXT,
    created TEXT NOT NULL,
    PRIMARY KEY (annotator, item)
);
