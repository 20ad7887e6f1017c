-- index annotation_gold_by_item
CREATE INDEX annotation_gold_by_item ON annotation_gold (item, number)
-- index annotation_items_open
CREATE INDEX annotation_items_open ON annotation_items (shuffle, id, quota, done)
            WHERE done < quota AND withdrawn IS NULL
-- index annotation_items_progress
CREATE INDEX annotation_items_progress ON annotation_items (done, quota) WHERE withdrawn IS NULL
-- index annotation_labels_by_annotator
CREATE INDEX annotation_labels_by_annotator ON annotation_labels (annotator, number)
-- index annotation_practice_by_annotator
CREATE INDEX annotation_practice_by_annotator ON annotation_practice (annotator, number)
-- index annotation_tasks_open
CREATE INDEX annotation_tasks_open ON annotation_tasks (item, expires, assigned, annotator)
            WHERE state = 'open'
-- index changed_citations_by_document
CREATE INDEX changed_citations_by_document ON changed_citations (document)
-- index collection_members_by_user
CREATE INDEX collection_members_by_user ON collection_members (user)
-- index conversations_by_owner
CREATE INDEX conversations_by_owner ON conversations (owner, updated)
-- index conversations_not_kept
CREATE INDEX conversations_not_kept ON conversations (id) WHERE deleted IS NOT NULL OR temporary
-- index documents_by_bytes
CREATE INDEX documents_by_bytes ON documents (sha256)
-- index documents_by_name
CREATE UNIQUE INDEX documents_by_name ON documents (collection, name) WHERE removed IS NULL
-- index feedback_by_turn
CREATE INDEX feedback_by_turn ON feedback (turn, source, owner, number)
-- index idx__sqlite_migrations_migration_set_name
CREATE UNIQUE INDEX "idx__sqlite_migrations_migration_set_name"
    ON "_sqlite_migrations" ("migration_set", "name")
-- index nodes_by_passage
CREATE INDEX nodes_by_passage ON nodes (passage)
-- index retrievals_by_passage
CREATE INDEX retrievals_by_passage ON retrievals (passage)
-- index shared_turns_by_turn
CREATE INDEX shared_turns_by_turn ON shared_turns (turn)
-- index shares_by_conversation
CREATE INDEX shares_by_conversation ON shares (conversation)
-- index sources_by_passage
CREATE INDEX sources_by_passage ON sources (passage)
-- index sources_by_passage_id
CREATE INDEX sources_by_passage_id ON sources (passage_id)
-- index tokens_by_user
CREATE INDEX tokens_by_user ON tokens (user)
-- index tombstones_by_turn
CREATE INDEX tombstones_by_turn ON tombstones (turn)
-- index turns_by_time
CREATE INDEX turns_by_time ON turns (created, number, status, outcome, model, system, conversation)
-- table _sqlite_migrations
CREATE TABLE "_sqlite_migrations" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
)
-- table annotation_gold
CREATE TABLE annotation_gold (
            number INTEGER PRIMARY KEY,
            item TEXT NOT NULL REFERENCES annotation_items (id),
            adjudicator TEXT NOT NULL COLLATE NOCASE,
            based_on TEXT NOT NULL,
            guidelines TEXT NOT NULL,
            labels TEXT NOT NULL,
            comment TEXT NOT NULL,
            created TEXT NOT NULL
        , reason TEXT NOT NULL DEFAULT '')
-- table annotation_guesses
CREATE TABLE annotation_guesses (
            annotator TEXT NOT NULL COLLATE NOCASE,
            item TEXT NOT NULL REFERENCES annotation_items (id),
            guess TEXT,
            created TEXT NOT NULL,
            PRIMARY KEY (annotator, item)
        )
-- table annotation_items
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
        )
-- table annotation_labels
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
        )
-- table annotation_machines
CREATE TABLE annotation_machines (
            number INTEGER PRIMARY KEY,
            item TEXT NOT NULL REFERENCES annotation_items (id),
            judge TEXT NOT NULL,
            labels TEXT NOT NULL,
            created TEXT NOT NULL,
            UNIQUE (item, judge)
        )
-- table annotation_practice
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
        )
-- table annotation_studies
CREATE TABLE annotation_studies (
            number INTEGER PRIMARY KEY,
            action TEXT NOT NULL CHECK (action IN ('set', 'frozen', 'changed')),
            content TEXT NOT NULL,
            hash TEXT NOT NULL,
            reason TEXT NOT NULL,
            changed_by TEXT NOT NULL COLLATE NOCASE,
            created TEXT NOT NULL
        )
-- table annotation_tasks
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
        )
-- table annotators
CREATE TABLE annotators (
            name TEXT PRIMARY KEY COLLATE NOCASE,
            pseudonym TEXT NOT NULL UNIQUE,
            created TEXT NOT NULL
        )
-- table audit
CREATE TABLE audit (
            number INTEGER PRIMARY KEY,
            time TEXT NOT NULL,
            -- a user, a hashed visitor, or 'local'
            actor TEXT NOT NULL,
            action TEXT NOT NULL,
            -- names and ids, no text of people
            subject TEXT NOT NULL
        )
-- table changed_citations
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
        )
-- table collection_members
CREATE TABLE collection_members (
            collection TEXT NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
            user TEXT NOT NULL,
            role TEXT NOT NULL CHECK (role IN ('reader', 'editor')),
            PRIMARY KEY (collection, user)
        )
-- table collections
CREATE TABLE collections (
            id TEXT PRIMARY KEY,
            owner TEXT NOT NULL,
            name TEXT NOT NULL,
            created TEXT NOT NULL,
            is_public INTEGER NOT NULL DEFAULT 0, elsewhere TEXT NOT NULL DEFAULT 'unknown'
            CHECK (elsewhere IN ('unknown', 'allowed', 'refused')), threshold REAL,
            UNIQUE (owner, name)
        )
-- table conversations
CREATE TABLE conversations (
            id TEXT PRIMARY KEY,
            owner TEXT NOT NULL,
            title TEXT NOT NULL,
            created TEXT NOT NULL,
            updated TEXT NOT NULL
        , settings TEXT, pinned TEXT, deleted TEXT, temporary INTEGER NOT NULL DEFAULT 0)
-- table crowd_links
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
        )
-- table crowd_people
CREATE TABLE crowd_people (
            annotator TEXT PRIMARY KEY COLLATE NOCASE,
            link INTEGER REFERENCES crowd_links (number),
            identity TEXT COLLATE NOCASE,
            created TEXT NOT NULL,
            finished TEXT,
            UNIQUE (link, identity)
        )
-- table documents
CREATE TABLE documents (
            id TEXT PRIMARY KEY,
            collection TEXT NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
            name TEXT NOT NULL,
            type TEXT,
            sha256 TEXT NOT NULL,
            bytes INTEGER NOT NULL,
            pages INTEGER,
            state TEXT NOT NULL CHECK (state IN
                ('queued', 'parsing', 'encoding', 'ready', 'no_text', 'encrypted', 'too_large', 'failed')),
            reason TEXT,
            parser TEXT,
            created TEXT NOT NULL,
            updated TEXT NOT NULL,
            removed TEXT
        , replaced TEXT)
-- table events
CREATE TABLE events (
            turn TEXT NOT NULL REFERENCES turns (id),
            seq INTEGER NOT NULL,
            type TEXT NOT NULL,
            version INTEGER NOT NULL,
            time TEXT NOT NULL,
            payload TEXT NOT NULL, digest TEXT,
            PRIMARY KEY (turn, seq)
        )
-- table feedback
CREATE TABLE feedback (
            number INTEGER PRIMARY KEY,
            turn TEXT NOT NULL REFERENCES turns (id),
            source INTEGER,
            owner TEXT NOT NULL,
            value TEXT CHECK (value IN ('up', 'down')),
            comment TEXT NOT NULL,
            settings TEXT NOT NULL,
            time TEXT NOT NULL
        )
-- table marks
CREATE TABLE marks (
            turn TEXT NOT NULL REFERENCES turns (id),
            sentence INTEGER NOT NULL,
            position INTEGER NOT NULL,
            number INTEGER NOT NULL,
            start INTEGER NOT NULL,
            "end" INTEGER NOT NULL,
            PRIMARY KEY (turn, sentence, position)
        )
-- table nodes
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
            on_path INTEGER NOT NULL, probability REAL,
            PRIMARY KEY (turn, id)
        )
-- table passages
CREATE TABLE passages (
            hash TEXT PRIMARY KEY,
            title TEXT NOT NULL,
            text TEXT NOT NULL,
            url TEXT
        )
-- table retrievals
CREATE TABLE retrievals (
            turn TEXT NOT NULL REFERENCES turns (id),
            node TEXT NOT NULL,
            rank INTEGER NOT NULL,
            score REAL NOT NULL,
            passage TEXT NOT NULL REFERENCES passages (hash),
            passage_id TEXT NOT NULL,
            PRIMARY KEY (turn, node, rank)
        )
-- table runs
CREATE TABLE runs (
            turn TEXT PRIMARY KEY REFERENCES turns (id),
            conversation TEXT NOT NULL UNIQUE REFERENCES conversations (id),
            process TEXT NOT NULL,
            host TEXT NOT NULL,
            pid INTEGER NOT NULL,
            heartbeat REAL NOT NULL,
            is_stopping INTEGER NOT NULL DEFAULT 0
        )
-- table sentences
CREATE TABLE sentences (
            turn TEXT NOT NULL REFERENCES turns (id),
            position INTEGER NOT NULL,
            text TEXT NOT NULL,
            start INTEGER NOT NULL,
            "end" INTEGER NOT NULL,
            support TEXT NOT NULL, probability REAL,
            PRIMARY KEY (turn, position)
        )
-- table shared_turns
CREATE TABLE shared_turns (
            share TEXT NOT NULL REFERENCES shares (id) ON DELETE CASCADE,
            turn TEXT NOT NULL REFERENCES turns (id),
            PRIMARY KEY (share, turn)
        )
-- table shares
CREATE TABLE shares (
            id TEXT PRIMARY KEY,
            hash TEXT NOT NULL UNIQUE,
            conversation TEXT NOT NULL REFERENCES conversations (id),
            title TEXT NOT NULL,
            created TEXT NOT NULL,
            expires REAL NOT NULL
        )
-- table sources
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
            span_end INTEGER, probability REAL,
            PRIMARY KEY (turn, number)
        )
-- table spending
CREATE TABLE spending (
            user TEXT NOT NULL COLLATE NOCASE REFERENCES users (name) ON DELETE CASCADE,
            -- on which their runs ended, in UTC
            day TEXT NOT NULL,
            tokens INTEGER NOT NULL,
            PRIMARY KEY (user, day)
        )
-- table tokens
CREATE TABLE tokens (
            hash TEXT PRIMARY KEY,
            user TEXT NOT NULL COLLATE NOCASE,
            kind TEXT NOT NULL CHECK (kind IN ('api', 'session')),
            created TEXT NOT NULL,
            expires REAL
        )
-- table tombstones
CREATE TABLE tombstones (
            number INTEGER PRIMARY KEY,
            time TEXT NOT NULL,
            what TEXT NOT NULL CHECK (what IN ('deleted', 'redacted')),
            turn TEXT NOT NULL,
            conversation TEXT NOT NULL,
            position INTEGER NOT NULL
        )
-- table turns
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
            seconds REAL, outcome TEXT, probability REAL, system TEXT, beside TEXT, prompt_words INTEGER, completion_words INTEGER, collections TEXT,
            UNIQUE (conversation, position)
        )
-- table turns_fts
CREATE VIRTUAL TABLE "turns_fts" USING FTS5 (
    "question", "answer",
    content="turns"
)
-- table turns_fts_config
CREATE TABLE 'turns_fts_config'(k PRIMARY KEY, v) WITHOUT ROWID
-- table turns_fts_data
CREATE TABLE 'turns_fts_data'(id INTEGER PRIMARY KEY, block BLOB)
-- table turns_fts_docsize
CREATE TABLE 'turns_fts_docsize'(id INTEGER PRIMARY KEY, sz BLOB)
-- table turns_fts_idx
CREATE TABLE 'turns_fts_idx'(segid, term, pgno, PRIMARY KEY(segid, term)) WITHOUT ROWID
-- table users
CREATE TABLE "users" (
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
        , budget INTEGER CHECK (budget > 0))
-- trigger turns_ad
CREATE TRIGGER "turns_ad" AFTER DELETE ON "turns" BEGIN
  INSERT INTO "turns_fts" ("turns_fts", rowid, "question", "answer") VALUES('delete', old.rowid, old."question", old."answer");
END
-- trigger turns_ai
CREATE TRIGGER "turns_ai" AFTER INSERT ON "turns" BEGIN
  INSERT INTO "turns_fts" (rowid, "question", "answer") VALUES (new.rowid, new."question", new."answer");
END
-- trigger turns_au
CREATE TRIGGER "turns_au" AFTER UPDATE ON "turns" BEGIN
  INSERT INTO "turns_fts" ("turns_fts", rowid, "question", "answer") VALUES('delete', old.rowid, old."question", old."answer");
  INSERT INTO "turns_fts" (rowid, "question", "answer") VALUES (new.rowid, new."question", new."answer");
END
-- view citation_view
CREATE VIEW citation_view AS
        SELECT s.turn, s.position AS sentence_number, s.text AS sentence, s.support, s.probability,
            m.number AS citation, p.title AS source_title, p.url AS source_url,
            substr(p.text, o.span_start + 1, o.span_end - o.span_start) AS quote, p.text AS passage,
            o.query, o.verdict, o.confidence, o.probability AS source_probability, o.node, t.conversation,
            t.question, t.outcome, t.model, t.created
        FROM sentences s JOIN turns t ON t.id = s.turn
            LEFT JOIN marks m ON m.turn = s.turn AND m.sentence = s.position
            LEFT JOIN sources o ON o.turn = m.turn AND o.number = m.number
            LEFT JOIN passages p ON p.hash = o.passage
-- view tree_view
CREATE VIEW tree_view AS
        SELECT turn, place, depth,
            replace(hex(zeroblob(depth - 1)), '00', '   ')
                || CASE verdict WHEN 'agreed' THEN '= ' WHEN 'corrected' THEN '↻ ' WHEN 'completed' THEN '+ '
                    WHEN 'unconfirmed' THEN '? ' ELSE '– ' END
                || query || ' → ' || coalesce(answer, 'open') || CASE WHEN on_path THEN '' ELSE ' (off the path)' END
                AS outline,
            node, parent, mends, round, query, model_answer, reader_answer, answer, verdict, rule, confidence,
            probability, on_path, passage_title, passage_url, quote, question, created
        FROM (
            SELECT p.*, (length(p.place) + 1) / 6 AS depth FROM (
                SELECT n.turn, n.id AS node, n.parent, n.mends, n.round, n.query, n.model_answer, n.reader_answer,
                    n.answer, n.verdict, n.rule, n.confidence, n.probability, n.on_path, p.title AS passage_title,
                    p.url AS passage_url, substr(p.text, n.span_start + 1, n.span_end - n.span_start) AS quote,
                    t.question, t.created,
                    (WITH RECURSIVE above (parent, place) AS (
                        SELECT n.parent, printf('%05d', n.position)
                        UNION ALL
                        SELECT m.parent, printf('%05d', m.position) || '/' || above.place
                        FROM above CROSS JOIN nodes m ON m.turn = n.turn AND m.id = above.parent
                        LIMIT 1000)
                    SELECT place FROM above ORDER BY length(place) DESC LIMIT 1) AS place
                FROM nodes n JOIN turns t ON t.id = n.turn LEFT JOIN passages p ON p.hash = n.passage
            ) p
        )
-- view turn_view
CREATE VIEW turn_view AS
        SELECT t.created, t.id AS turn, t.conversation, c.title, t.position, t.question, t.final_answer, t.answer,
            t.status, t.outcome, t.probability, t.message, t.task, t.system, t.beside, t.profile, t.model,
            t.index_name, t.rounds,
            (SELECT count(*) FROM nodes n WHERE n.turn = t.id) AS nodes,
            (SELECT count(*) FROM nodes n WHERE n.turn = t.id AND n.on_path) AS nodes_on_path,
            (SELECT count(*) FROM sources s WHERE s.turn = t.id) AS sources,
            (SELECT count(*) FROM sentences s WHERE s.turn = t.id) AS sentences,
            (SELECT count(DISTINCT m.sentence) FROM marks m WHERE m.turn = t.id) AS sentences_cited,
            (SELECT count(*) FROM marks m WHERE m.turn = t.id) AS citations,
            t.llm_calls, t.prompt_tokens, t.completion_tokens, t.seconds
        FROM turns t JOIN conversations c ON c.id = t.conversation
