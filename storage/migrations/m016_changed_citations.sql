-- what became of cited words when their document was replaced or removed; made again at every replacement
CREATE TABLE changed_citations (
    turn TEXT NOT NULL,
    number INTEGER NOT NULL,
    document TEXT NOT NULL,
    -- the version in which they were looked for; NULL: the document was removed
    version TEXT,
    state TEXT NOT NULL CHECK (state IN ('there', 'differs', 'removed')),
    -- where they stand now, in code points of the document text
    "start" INTEGER,
    "end" INTEGER,
    -- the sentence that stands instead; '': none; NULL: the words are there, or it was redacted
    now TEXT,
    time TEXT NOT NULL,
    PRIMARY KEY (turn, number)
);
CREATE INDEX changed_citations_by_document ON changed_citations (document);
CREATE INDEX sources_by_passage_id ON sources (passage_id);
-- the version that was read before, until the present one is; its text tells what is new
ALTER TABLE documents ADD COLUMN replaced TEXT;
