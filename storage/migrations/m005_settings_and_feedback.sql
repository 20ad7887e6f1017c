ALTER TABLE conversations ADD COLUMN settings TEXT;

CREATE TABLE feedback (
    number INTEGER PRIMARY KEY,
    turn TEXT NOT NULL REFERENCES turns (id),
    source INTEGER,
    owner TEXT NOT NULL,
    value TEXT CHECK (value IN ('up', 'down')),
    comment TEXT NOT NULL,
    settings TEXT NOT NULL,
    time TEXT NOT NULL
);
CREATE INDEX feedback_by_turn ON feedback (turn, source, owner, number);
