CREATE TABLE shares (
    id TEXT PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    conversation TEXT NOT NULL REFERENCES conversations (id),
    title TEXT NOT NULL,
    created TEXT NOT NULL,
    expires REAL NOT NULL
);
CREATE INDEX shares_by_conversation ON shares (conversation);

CREATE TABLE shared_turns (
    share TEXT NOT NULL REFERENCES shares (id) ON DELETE CASCADE,
    turn TEXT NOT NULL REFERENCES turns (id),
    PRIMARY KEY (share, turn)
);
CREATE INDEX shared_turns_by_turn ON shared_turns (turn);
