-- primary data, never rebuilt; items name their turn by no foreign key, because labels outlive a deleted turn
CREATE TABLE annotation_items (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    digest TEXT NOT NULL UNIQUE,
    origin TEXT NOT NULL CHECK (origin IN ('turn', 'foreign', 'practice')),
    system TEXT NOT NULL,
    model TEXT NOT NULL,
    task TEXT,
    turn TEXT UNIQUE,
    content TEXT NOT NULL,
    quota INTEGER NOT NULL CHECK (quota > 0),
    done INTEGER NOT NULL DEFAULT 0,
    shuffle INTEGER NOT NULL,
    created TEXT NOT NULL,
    withdrawn TEXT
);
-- the queue reads this index alone
CREATE INDEX annotation_items_open ON annotation_items (shuffle, id, quota, done)
    WHERE done < quota AND withdrawn IS NULL;
-- and progress this one
CREATE INDEX annotation_items_progress ON annotation_items (done, quota) WHERE withdrawn IS NULL;

CREATE TABLE annotation_tasks (
    annotator TEXT NOT NULL COLLATE NOCASE,
    item TEXT NOT NULL REFERENCES annotation_items (id),
    state TEXT NOT NULL CHECK (state IN ('open', 'submitted', 'skipped')),
    assigned TEXT,
    expires REAL,
    draft TEXT,
    saved TEXT,
    seconds REAL NOT NULL DEFAULT 0,
    PRIMARY KEY (annotator, item)
);
CREATE INDEX annotation_tasks_open ON annotation_tasks (item, expires, assigned, annotator)
    WHERE state = 'open';

CREATE TABLE annotation_labels (
    number INTEGER PRIMARY KEY,
    item TEXT NOT NULL REFERENCES annotation_items (id),
    annotator TEXT NOT NULL COLLATE NOCASE,
    version INTEGER NOT NULL,
    action TEXT NOT NULL CHECK (action IN ('submitted', 'skipped', 'undone')),
    guidelines TEXT NOT NULL,
    labels TEXT,
    seconds REAL NOT NULL,
    comment TEXT NOT NULL,
    created TEXT NOT NULL,
    UNIQUE (item, annotator, version)
);
CREATE INDEX annotation_labels_by_annotator ON annotation_labels (annotator, number);

CREATE TABLE annotation_gold (
    number INTEGER PRIMARY KEY,
    item TEXT NOT NULL REFERENCES annotation_items (id),
    adjudicator TEXT NOT NULL COLLATE NOCASE,
    based_on TEXT NOT NULL,
    guidelines TEXT NOT NULL,
    labels TEXT NOT NULL,
    comment TEXT NOT NULL,
    created TEXT NOT NULL
);
CREATE INDEX annotation_gold_by_item ON annotation_gold (item, number);

CREATE TABLE annotators (
    name TEXT PRIMARY KEY COLLATE NOCASE,
    pseudonym TEXT NOT NULL UNIQUE,
    created TEXT NOT NULL
);
