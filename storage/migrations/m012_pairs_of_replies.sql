CREATE TABLE annotation_pairs (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    left_item TEXT NOT NULL REFERENCES annotation_items (id),
    right_item TEXT NOT NULL REFERENCES annotation_items (id),
    quota INTEGER NOT NULL,
    created TEXT NOT NULL,
    UNIQUE (left_item, right_item)
);

CREATE TABLE annotation_preferences (
    number INTEGER PRIMARY KEY,
    pair TEXT NOT NULL REFERENCES annotation_pairs (id),
    annotator TEXT NOT NULL COLLATE NOCASE,
    choice TEXT NOT NULL CHECK (choice IN ('left', 'right', 'both', 'neither')),
    seconds REAL NOT NULL,
    comment TEXT NOT NULL,
    created TEXT NOT NULL
);
CREATE INDEX annotation_preferences_by_pair ON annotation_preferences (pair, annotator, number);

CREATE TABLE annotation_pair_leases (
    pair TEXT NOT NULL REFERENCES annotation_pairs (id),
    annotator TEXT NOT NULL COLLATE NOCASE,
    expires REAL NOT NULL,
    PRIMARY KEY (pair, annotator)
);
