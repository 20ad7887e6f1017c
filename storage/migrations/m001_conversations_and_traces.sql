CREATE TABLE conversations (
    id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    title TEXT NOT NULL,
    created TEXT NOT NULL,
    updated TEXT NOT NULL
);
CREATE INDEX conversations_by_owner ON conversations (owner, updated);

-- number is spelled out because VACUUM may renumber an implicit rowid, which the search index refers to
CREATE TABLE turns (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    conversation TEXT NOT NULL REFERENCES conversations (id),
    position INTEGER NOT NULL,
    created TEXT NOT NULL,
    question TEXT NOT NULL,
    standalone_question TEXT,
    task TEXT,
    profile TEXT,
    model TEXT,
    index_name TEXT,
    settings TEXT,
    status TEXT,
    answer TEXT,
    final_answer TEXT,
    message TEXT,
    rounds INTEGER,
    invented_markers INTEGER,
    llm_calls INTEGER,
    prompt_tokens INTEGER,
    completion_tokens INTEGER,
    llm_seconds REAL,
    retrieval_seconds REAL,
    reader_seconds REAL,
    seconds REAL,
    UNIQUE (conversation, position)
);

CREATE TABLE runs (
    turn TEXT PRIMARY KEY REFERENCES turns (id),
    conversation TEXT NOT NULL UNIQUE REFERENCES conversations (id),
    process TEXT NOT NULL,
    host TEXT NOT NULL,
    pid INTEGER NOT NULL,
    heartbeat REAL NOT NULL,
    is_stopping INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE events (
    turn TEXT NOT NULL REFERENCES turns (id),
    seq INTEGER NOT NULL,
    type TEXT NOT NULL,
    version INTEGER NOT NULL,
    time TEXT NOT NULL,
    payload TEXT NOT NULL,
    PRIMARY KEY (turn, seq)
);

CREATE TABLE passages (
    hash TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    text TEXT NOT NULL,
    url TEXT
);

CREATE TABLE nodes (
    turn TEXT NOT NULL REFERENCES turns (id),
    id TEXT NOT NULL,
    position INTEGER NOT NULL,
    parent TEXT,
    round INTEGER NOT NULL,
    query TEXT NOT NULL,
    model_answer TEXT,
    reader_answer TEXT,
    answer TEXT,
    verdict TEXT,
    rule TEXT,
    confidence REAL,
    passage TEXT REFERENCES passages (hash),
    passage_id TEXT,
    rank INTEGER,
    span_start INTEGER,
    span_end INTEGER,
    mends TEXT,
    on_path INTEGER NOT NULL,
    PRIMARY KEY (turn, id)
);

CREATE TABLE retrievals (
    turn TEXT NOT NULL REFERENCES turns (id),
    node TEXT NOT NULL,
    rank INTEGER NOT NULL,
    score REAL NOT NULL,
    passage TEXT NOT NULL REFERENCES passages (hash),
    passage_id TEXT NOT NULL,
    PRIMARY KEY (turn, node, rank)
);

CREATE TABLE sources (
    turn TEXT NOT NULL REFERENCES turns (id),
    number INTEGER NOT NULL,
    node TEXT NOT NULL,
    query TEXT NOT NULL,
    verdict TEXT NOT NULL,
    confidence REAL NOT NULL,
    passage TEXT NOT NULL REFERENCES passages (hash),
    passage_id TEXT NOT NULL,
    span_start INTEGER,
    span_end INTEGER,
    PRIMARY KEY (turn, number)
);

CREATE TABLE sentences (
    turn TEXT NOT NULL REFERENCES turns (id),
    position INTEGER NOT NULL,
    text TEXT NOT NULL,
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    support TEXT NOT NULL,
    PRIMARY KEY (turn, position)
);

CREATE TABLE marks (
    turn TEXT NOT NULL REFERENCES turns (id),
    sentence INTEGER NOT NULL,
    position INTEGER NOT NULL,
    number INTEGER NOT NULL,
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    PRIMARY KEY (turn, sentence, position)
);
