CREATE TABLE annotation_machines (
    number INTEGER PRIMARY KEY,
    item TEXT NOT NULL REFERENCES annotation_items (id),
    judge TEXT NOT NULL,
    labels TEXT NOT NULL,
    created TEXT NOT NULL,
    UNIQUE (item, judge)
);
