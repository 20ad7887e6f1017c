"""The schema, as steps that are never edited once released: a change is a new step.

``events`` is the truth. ``conversations``, ``runs`` and the first columns of ``turns`` (up to the question as asked)
are written beside it, and so are ``tombstones``, users, annotation, ``feedback`` and shares; every other column and
table is rebuilt from the events (``storage.log.derived_tables``).
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator

import sqlite_utils
from sqlite_utils import Migrations

from storage.digest import digest

migrations = Migrations("searchain")


class Script(sqlite_utils.Database):
    """A connection for migrations: ``sqlite_utils`` looks for the end of a statement after every single character."""

    def executescript(self, sql: str) -> sqlite3.Cursor:
        """Run ``sql`` in the open transaction, which ``sqlite3``'s own ``executescript`` would end."""
        cursor = self.conn.cursor()
        for statement in statements(sql):
            cursor.execute(statement)
        return cursor


def statements(sql: str) -> Iterator[str]:
    """Each statement of ``sql``, with its semicolon; a trigger with those in its body is one."""
    statement = ""
    for piece in sql.split(";"):
        statement += f"{piece};"
        if sqlite3.complete_statement(statement):
            if piece.strip():  # else nothing but space follows the last statement
                yield statement.strip()
            statement = ""


@migrations()
def m001_conversations_and_traces(db: sqlite_utils.Database) -> None:
    # turns.number is spelled out because VACUUM may renumber an implicit rowid, which the search index refers to
    db.executescript("""
        CREATE TABLE conversations (
            id TEXT PRIMARY KEY,
            owner TEXT NOT NULL,
            title TEXT NOT NULL,
            created TEXT NOT NULL,
            updated TEXT NOT NULL
        );
        CREATE INDEX conversations_by_owner ON conversations (owner, updated);

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
    """)
    db.table("turns").enable_fts(["question", "answer"], fts_version="FTS5", create_triggers=True)


@migrations()
def m002_views_digests_and_tombstones(db: sqlite_utils.Database) -> None:
    db.executescript("""
        ALTER TABLE events ADD COLUMN digest TEXT;

        CREATE TABLE tombstones (
            number INTEGER PRIMARY KEY,
            time TEXT NOT NULL,
            what TEXT NOT NULL CHECK (what IN ('deleted', 'redacted')),
            turn TEXT NOT NULL,
            conversation TEXT NOT NULL,
            position INTEGER NOT NULL
        );
        CREATE INDEX tombstones_by_turn ON tombstones (turn);

        -- lists with any condition read this index alone, and only as far as their limit
        CREATE INDEX turns_by_time ON turns (created, number, status, model, conversation);
        -- to find the passages that nobody refers to any more
        CREATE INDEX nodes_by_passage ON nodes (passage);
        CREATE INDEX retrievals_by_passage ON retrievals (passage);
        CREATE INDEX sources_by_passage ON sources (passage);

        CREATE VIEW turn_view AS
        SELECT t.created, t.id AS turn, t.conversation, c.title, t.position, t.question, t.final_answer, t.answer,
            t.status, t.message, t.task, t.profile, t.model, t.index_name, t.rounds,
            (SELECT count(*) FROM nodes n WHERE n.turn = t.id) AS nodes,
            (SELECT count(*) FROM nodes n WHERE n.turn = t.id AND n.on_path) AS nodes_on_path,
            (SELECT count(*) FROM sources s WHERE s.turn = t.id) AS sources,
            (SELECT count(*) FROM sentences s WHERE s.turn = t.id) AS sentences,
            (SELECT count(DISTINCT m.sentence) FROM marks m WHERE m.turn = t.id) AS sentences_cited,
            (SELECT count(*) FROM marks m WHERE m.turn = t.id) AS citations,
            t.llm_calls, t.prompt_tokens, t.completion_tokens, t.seconds
        FROM turns t JOIN conversations c ON c.id = t.conversation;

        -- a node's place is the positions of all nodes from the root to it, so that its order is the tree's
        CREATE VIEW tree_view AS
        SELECT turn, place, depth,
            replace(hex(zeroblob(depth - 1)), '00', '   ')
                || CASE verdict WHEN 'agreed' THEN '✓ ' WHEN 'corrected' THEN '↻ ' WHEN 'completed' THEN '+ '
                    WHEN 'unconfirmed' THEN '? ' ELSE '– ' END
                || query || ' → ' || coalesce(answer, 'open') || CASE WHEN on_path THEN '' ELSE ' (off the path)' END
                AS outline,
            node, parent, mends, round, query, model_answer, reader_answer, answer, verdict, rule, confidence, on_path,
            passage_title, passage_url, quote, question, created
        FROM (
            SELECT p.*, (length(p.place) + 1) / 6 AS depth FROM (
                SELECT n.turn, n.id AS node, n.parent, n.mends, n.round, n.query, n.model_answer, n.reader_answer,
                    n.answer, n.verdict, n.rule, n.confidence, n.on_path, p.title AS passage_title,
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
        );

        CREATE VIEW citation_view AS
        SELECT s.turn, s.position AS sentence_number, s.text AS sentence, s.support, m.number AS citation,
            p.title AS source_title, p.url AS source_url,
            substr(p.text, o.span_start + 1, o.span_end - o.span_start) AS quote, p.text AS passage,
            o.query, o.verdict, o.confidence, o.node, t.conversation, t.question, t.model, t.created
        FROM sentences s JOIN turns t ON t.id = s.turn
            LEFT JOIN marks m ON m.turn = s.turn AND m.sentence = s.position
            LEFT JOIN sources o ON o.turn = m.turn AND o.number = m.number
            LEFT JOIN passages p ON p.hash = o.passage;
    """)
    db.conn.create_function("event_digest", 4, digest, deterministic=True)
    db.execute("UPDATE events SET digest = event_digest(turn, seq, time, payload)")


@migrations()
def m003_users_and_tokens(db: sqlite_utils.Database) -> None:
    # tokens name no user by a foreign key: the person at a machine without users has some too
    db.executescript("""
        CREATE TABLE users (
            name TEXT PRIMARY KEY COLLATE NOCASE,
            role TEXT NOT NULL CHECK (role IN ('chat', 'annotator', 'admin')),
            hash TEXT NOT NULL,
            salt TEXT NOT NULL,
            n INTEGER NOT NULL,
            r INTEGER NOT NULL,
            p INTEGER NOT NULL,
            created TEXT NOT NULL,
            disabled TEXT
        );

        CREATE TABLE tokens (
            hash TEXT PRIMARY KEY,
            user TEXT NOT NULL COLLATE NOCASE,
            kind TEXT NOT NULL CHECK (kind IN ('api', 'session')),
            created TEXT NOT NULL,
            expires REAL
        );
        CREATE INDEX tokens_by_user ON tokens (user);
    """)


@migrations()
def m004_annotation(db: sqlite_utils.Database) -> None:
    # primary data, never rebuilt; items name their turn by no foreign key, because labels outlive a deleted turn
    db.executescript("""
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
    """)


@migrations()
def m005_settings_and_feedback(db: sqlite_utils.Database) -> None:
    db.executescript("""
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
    """)


@migrations()
def m006_shares(db: sqlite_utils.Database) -> None:
    db.executescript("""
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
    """)


@migrations()
def m007_outcomes_and_probabilities(db: sqlite_utils.Database) -> None:
    # a turn stored before stays without an outcome: nobody rated it
    db.executescript("""
        ALTER TABLE turns ADD COLUMN outcome TEXT;
        ALTER TABLE turns ADD COLUMN probability REAL;
        ALTER TABLE nodes ADD COLUMN probability REAL;
        ALTER TABLE sources ADD COLUMN probability REAL;
        ALTER TABLE sentences ADD COLUMN probability REAL;

        DROP INDEX turns_by_time;
        -- as before: lists with any condition read this index alone
        CREATE INDEX turns_by_time ON turns (created, number, status, outcome, model, conversation);

        DROP VIEW turn_view;
        DROP VIEW tree_view;
        DROP VIEW citation_view;

        CREATE VIEW turn_view AS
        SELECT t.created, t.id AS turn, t.conversation, c.title, t.position, t.question, t.final_answer, t.answer,
            t.status, t.outcome, t.probability, t.message, t.task, t.profile, t.model, t.index_name, t.rounds,
            (SELECT count(*) FROM nodes n WHERE n.turn = t.id) AS nodes,
            (SELECT count(*) FROM nodes n WHERE n.turn = t.id AND n.on_path) AS nodes_on_path,
            (SELECT count(*) FROM sources s WHERE s.turn = t.id) AS sources,
            (SELECT count(*) FROM sentences s WHERE s.turn = t.id) AS sentences,
            (SELECT count(DISTINCT m.sentence) FROM marks m WHERE m.turn = t.id) AS sentences_cited,
            (SELECT count(*) FROM marks m WHERE m.turn = t.id) AS citations,
            t.llm_calls, t.prompt_tokens, t.completion_tokens, t.seconds
        FROM turns t JOIN conversations c ON c.id = t.conversation;

        -- a node's place is the positions of all nodes from the root to it, so that its order is the tree's
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
        );

        CREATE VIEW citation_view AS
        SELECT s.turn, s.position AS sentence_number, s.text AS sentence, s.support, s.probability,
            m.number AS citation, p.title AS source_title, p.url AS source_url,
            substr(p.text, o.span_start + 1, o.span_end - o.span_start) AS quote, p.text AS passage,
            o.query, o.verdict, o.confidence, o.probability AS source_probability, o.node, t.conversation,
            t.question, t.outcome, t.model, t.created
        FROM sentences s JOIN turns t ON t.id = s.turn
            LEFT JOIN marks m ON m.turn = s.turn AND m.sentence = s.position
            LEFT JOIN sources o ON o.turn = m.turn AND o.number = m.number
            LEFT JOIN passages p ON p.hash = o.passage;
    """)


@migrations()
def m008_systems(db: sqlite_utils.Database) -> None:
    db.executescript("""
        ALTER TABLE turns ADD COLUMN system TEXT;
        ALTER TABLE turns ADD COLUMN beside TEXT;
        ALTER TABLE turns ADD COLUMN prompt_words INTEGER;
        ALTER TABLE turns ADD COLUMN completion_words INTEGER;
        UPDATE turns SET prompt_words = 0, completion_words = 0 WHERE llm_calls IS NOT NULL;
        -- as the fold reads runs that do not say it: the profile tells, and of other systems' answers the model
        UPDATE turns SET system = CASE profile WHEN 'default' THEN 'searchain' WHEN 'paper' THEN 'searchain-paper'
            ELSE model END WHERE profile IS NOT NULL;

        DROP INDEX turns_by_time;
        -- as before: lists with any condition read this index alone
        CREATE INDEX turns_by_time ON turns (created, number, status, outcome, model, system, conversation);

        DROP VIEW turn_view;

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
        FROM turns t JOIN conversations c ON c.id = t.conversation;
    """)


@migrations()
def m009_documents(db: sqlite_utils.Database) -> None:
    db.executescript("""
        CREATE TABLE collections (
            id TEXT PRIMARY KEY,
            owner TEXT NOT NULL,
            name TEXT NOT NULL,
            created TEXT NOT NULL,
            is_public INTEGER NOT NULL DEFAULT 0,
            UNIQUE (owner, name)
        );

        CREATE TABLE collection_members (
            collection TEXT NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
            user TEXT NOT NULL,
            role TEXT NOT NULL CHECK (role IN ('reader', 'editor')),
            PRIMARY KEY (collection, user)
        );
        CREATE INDEX collection_members_by_user ON collection_members (user);

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
        );
        -- a name that was removed is free again
        CREATE UNIQUE INDEX documents_by_name ON documents (collection, name) WHERE removed IS NULL;
        CREATE INDEX documents_by_bytes ON documents (sha256);

        ALTER TABLE turns ADD COLUMN collections TEXT;
    """)


@migrations()
def m010_visitors(db: sqlite_utils.Database) -> None:
    # whoever reads the file is not the visitor any more: an owner is the digest of the cookie
    owners = {
        owner: f"visitor:{hashlib.sha256(owner.removeprefix('visitor:').encode()).hexdigest()}"
        for table in ("conversations", "feedback")
        for (owner,) in db.execute(f"SELECT DISTINCT owner FROM {table} WHERE owner GLOB 'visitor:*'").fetchall()
    }
    for old, new in owners.items():
        for table in ("conversations", "feedback"):
            db.execute(f"UPDATE {table} SET owner = ? WHERE owner = ?", (new, old))
    if owners:  # the cookies leave the file like deleted text: when it is rewritten
        removals = db.execute("PRAGMA user_version").fetchone()[0]
        db.execute(f"PRAGMA user_version = {(removals + 1) % 2**31}")


@migrations()
def m011_studies_practice_and_adjudicators(db: sqlite_utils.Database) -> None:
    # drafts made before said "needs none" where nobody had been asked
    db.executescript("""
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
    """)
    for annotator, item, text in db.execute(
        "SELECT annotator, item, draft FROM annotation_tasks WHERE draft IS NOT NULL"
    ).fetchall():
        draft = json.loads(text)
        for one in draft["knowledge_items"]:
            one["missing"] = one["missing"] or None
        db.execute(
            "UPDATE annotation_tasks SET draft = ? WHERE annotator = ? AND item = ?",
            (json.dumps(draft, ensure_ascii=False), annotator, item),
        )


@migrations()
def m012_pairs_of_replies(db: sqlite_utils.Database) -> None:
    db.executescript("""
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
    """)


@migrations()
def m013_machine_judges(db: sqlite_utils.Database) -> None:
    db.executescript("""
        CREATE TABLE annotation_machines (
            number INTEGER PRIMARY KEY,
            item TEXT NOT NULL REFERENCES annotation_items (id),
            judge TEXT NOT NULL,
            labels TEXT NOT NULL,
            created TEXT NOT NULL,
            UNIQUE (item, judge)
        );
    """)


KNOWN = frozenset(migration.name for migration in migrations.pending(sqlite_utils.Database(memory=True)))
"""Every step of this version; a database that has seen others was written by a newer one."""
