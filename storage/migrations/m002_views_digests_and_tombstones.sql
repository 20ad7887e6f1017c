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
