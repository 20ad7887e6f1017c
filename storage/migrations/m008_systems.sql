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
