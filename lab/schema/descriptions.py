"""What every table, view and column means: the words of docs/schema.md and of the Datasette metadata."""

from __future__ import annotations

_TURN, _NODE = "The turn it belongs to.", "The node it belongs to, by its id in the turn."
_PASSAGE, _PASSAGE_ID = "The passage, by its content.", "The passage's id in the index it came from."
_SPAN = {
    "span_start": "Where the Reader's answer begins in the passage's text, in code points.",
    "span_end": "Where it ends, not included.",
}
_QUERY = "The query of the step."
_VERDICT = "agreed, corrected, completed, disputed or unconfirmed."
_CONFIDENCE = "f: the Reader's logit that the passage answers the query."
_PROBABILITY = "How likely {} is right, 0 to 1; NULL where that was never measured."
_OFFSETS = {"start": "Where it begins in the reply, in code points.", "end": "Where it ends, not included."}
_TIME = "UTC, ISO 8601."
_ITEM = "The item."
_ANNOTATOR = "A user, or local; case does not matter."
_GUIDELINES = "The version of ui/desk/annotation-guidelines.md that was followed."

TABLES: dict[str, tuple[str, dict[str, str]]] = {
    "conversations": (
        "One row per conversation.",
        {
            "id": "A ULID: ids sort by time.",
            "owner": "Who may see it: a user, local, or the digest of a visitor's cookie.",
            "title": "The beginning of its first question, until its owner gives it another.",
            "created": _TIME,
            "updated": "When its last question was asked.",
            "settings": "What its owner chose for the next questions, JSON; NULL: nothing.",
            "pinned": "When its owner pinned it; NULL: it is not pinned.",
            "deleted": "When its owner deleted it, at most some seconds before it is erased; NULL: it is there.",
            "temporary": "1: in no list, search or export; it is erased when it is left.",
        },
    ),
    "collections": (
        "Own documents that are searched together; the index of one is `c-` and its id in lower case.",
        {
            "id": "A ULID.",
            "owner": "Whose it is: a user, local, or a visitor's secret cookie.",
            "name": "As its owner calls it.",
            "created": _TIME,
            "is_public": "1: everybody who may chat may search it.",
            "elsewhere": "Whether its passages may be sent to a model on another machine: unknown (they are not), "
            "allowed or refused.",
            "threshold": "The least probability of a tick, by judgements on its replies; NULL: that of all own "
            "documents; 2: no reply bears a tick.",
        },
    ),
    "collection_members": (
        "Whom the owner of a collection lets in.",
        {
            "collection": "The collection.",
            "user": "The user.",
            "role": "reader (searches it) or editor (adds and removes documents as well).",
        },
    ),
    "documents": (
        "One row per document; its bytes and its text are files beside the database.",
        {
            "id": "A ULID; passages name it.",
            "collection": "The collection it belongs to.",
            "name": "The file's name, with its folders where a folder was added.",
            "type": "The kind of file, such as pdf or xlsx; NULL before it was read.",
            "sha256": "Of its bytes: which version it is.",
            "bytes": "How many.",
            "pages": "Of a PDF; NULL where there are none.",
            "state": "queued, parsing, encoding, ready, no_text, encrypted, too_large or failed.",
            "reason": "Why it cannot be searched, a sentence; NULL where it can.",
            "parser": "Library and version that read it.",
            "created": "When its first version was added.",
            "updated": "When its state last changed.",
            "removed": "When it was removed; NULL: it is there.",
            "replaced": "The version that was read before, until the present one is read; NULL: none.",
        },
    ),
    "changed_citations": (
        "What became of cited words when their document was replaced or removed; made again at every replacement.",
        {
            "turn": _TURN,
            "number": "The number of the citation.",
            "document": "The document, which may be erased.",
            "version": "The version in which the words were looked for; NULL: it was removed.",
            "state": "there (the same words, perhaps at another place), differs or removed.",
            "start": "Where they, or the sentence instead, begin in the text of that version.",
            "end": "Where they end.",
            "now": "The sentence that stands instead; empty: none; NULL: the words are there, or it was redacted.",
            "time": _TIME,
        },
    ),
    "feedback": (
        "What owners think of their replies: every word they said, the newest of an owner counts.",
        {
            "number": "In order.",
            "turn": _TURN,
            "source": "The number of a citation; NULL: the reply as a whole.",
            "owner": "Who said it: a user, local, or the digest of a visitor's cookie.",
            "value": "up or down; NULL: an earlier word is taken back.",
            "comment": "In their words.",
            "settings": "How the reply came about: model, index and settings of its run, JSON.",
            "time": _TIME,
        },
    ),
    "turns": (
        "One row per question with its reply. The columns after `question` are made from the events.",
        {
            "number": "In order of arrival; the row of the search index.",
            "id": "A ULID.",
            "conversation": "The conversation.",
            "position": "In its conversation, from 0.",
            "created": "When it was asked.",
            "question": "As it was asked.",
            "standalone_question": "The question without reference to earlier ones.",
            "task": "multihop, slots, yesno, factcheck, longform, list, compare or define.",
            "profile": "default or paper.",
            "system": "The method, as `--system` names it; of another program's answer its name.",
            "beside": "The turn whose question it answers for comparison, NULL for most.",
            "model": "The language model.",
            "index_name": "The index that was searched; several are joined by `+`.",
            "collections": "The names of the collections that were searched, JSON; NULL where there were none.",
            "settings": "The run's settings, JSON.",
            "status": "answered, partial, not_found, stopped, failed or interrupted; NULL while the run goes on.",
            "outcome": "supported (the only one with a tick), quoted, unsure, unrated, asks, not_found or no_search; "
            "NULL where the run did not finish, for replies stored before there were outcomes, and of another system.",
            "probability": _PROBABILITY.format("the reply"),
            "answer": "The reply with its [n] marks.",
            "final_answer": "The short answer alone.",
            "message": "Why it failed, or which step is open.",
            "rounds": "Chain generations.",
            "invented_markers": "Keys in the model's reply that were never given; all were dropped.",
            "llm_calls": "Calls of the language model.",
            "prompt_tokens": "Tokens read by it.",
            "completion_tokens": "Tokens written by it.",
            "prompt_words": "Words read by it, over all calls; 0 in turns of earlier versions.",
            "completion_words": "Words written by it.",
            "llm_seconds": "Time in which it was generating.",
            "retrieval_seconds": "Time spent searching.",
            "reader_seconds": "Time spent reading.",
            "seconds": "Wall time of the run.",
        },
    ),
    "runs": (
        "Who works on which turn: a row exists exactly while a run goes on.",
        {
            "turn": "The turn.",
            "conversation": "Its conversation, which takes one question at a time.",
            "process": "Which process works on it.",
            "host": "Where that process is.",
            "pid": "Its number there.",
            "heartbeat": "When it last showed that it lives, in Unix seconds.",
            "is_stopping": "Whether somebody asked it to stop.",
        },
    ),
    "events": (
        "Everything that happened in a run, in order and never changed: the truth that all else is made from.",
        {
            "turn": _TURN,
            "seq": "From 0, without gaps.",
            "type": "Which event.",
            "version": "Of its payload.",
            "time": "When it was stored, which is before it was shown.",
            "payload": "The event, JSON (searchain/events).",
            "digest": "Of the row, so that `logs verify` sees whether it was altered.",
        },
    ),
    "passages": (
        "The evidence, once for each content and frozen: a change of the index changes nothing here.",
        {
            "hash": "Of title, text and address.",
            "title": "The title.",
            "text": "The text, without the title.",
            "url": "Where it is from, if that is known.",
        },
    ),
    "nodes": (
        "The Tree-of-Reasoning: one row a step, those that were set aside included.",
        {
            "turn": _TURN,
            "id": "In its turn.",
            "position": "In order of creation, from 0.",
            "parent": "Its parent node; NULL for a root.",
            "round": "The round that made it, from 1.",
            "query": _QUERY,
            "model_answer": "What the model answered; NULL when it left the query open.",
            "reader_answer": "What the Reader found.",
            "answer": "The answer in force.",
            "verdict": f"{_VERDICT} NULL: not checked.",
            "rule": "Which rule of verification decided.",
            "confidence": _CONFIDENCE,
            "probability": _PROBABILITY.format("the answer"),
            "passage": _PASSAGE,
            "passage_id": _PASSAGE_ID,
            "rank": "The passage's rank in its search, from 1.",
            **_SPAN,
            "mends": "The node that this one replaces.",
            "on_path": "Whether the reply rests on it.",
        },
    ),
    "retrievals": (
        "What each search found.",
        {
            "turn": _TURN,
            "node": _NODE,
            "rank": "From 1.",
            "score": "The retriever's.",
            "passage": _PASSAGE,
            "passage_id": _PASSAGE_ID,
        },
    ),
    "sources": (
        "What the numbers in a reply point to.",
        {
            "turn": _TURN,
            "number": "The n of [n], from 1 in every reply.",
            "node": "The node that found it.",
            "query": _QUERY,
            "verdict": _VERDICT,
            "confidence": _CONFIDENCE,
            "probability": _PROBABILITY.format("the node's answer"),
            "passage": _PASSAGE,
            "passage_id": _PASSAGE_ID,
            **_SPAN,
        },
    ),
    "sentences": (
        "The reply sentence by sentence.",
        {
            "turn": _TURN,
            "position": "From 0.",
            "text": "The sentence, marks included.",
            **_OFFSETS,
            "support": "Whether its sources say it: quoted, supported, partly, unsupported, or own (no source), and of "
            "checked texts contradicted or absent; replies of older versions have verified, corrected, completed, "
            "weak or none.",
            "probability": _PROBABILITY.format("the least likely step that it cites"),
        },
    ),
    "marks": (
        "Every [n] in a reply.",
        {
            "turn": _TURN,
            "sentence": "The position of its sentence.",
            "position": "In its sentence, from 0.",
            "number": "The source it points to.",
            **_OFFSETS,
        },
    ),
    "tombstones": (
        "What was deleted or redacted, without any of the text.",
        {
            "number": "In order.",
            "time": _TIME,
            "what": "deleted or redacted.",
            "turn": "The turn.",
            "conversation": "Its conversation.",
            "position": "Its position there.",
        },
    ),
    "audit": (
        "Who signed in, shared, exported, deleted and revoked what, for admins.",
        {
            "number": "In order.",
            "time": _TIME,
            "actor": "The user, a visitor by the hash of the cookie, or local.",
            "action": "What was done.",
            "subject": "To what: names and ids.",
        },
    ),
    "users": (
        "Who may sign in to a shared page.",
        {
            "name": "The owner of their conversations; case does not matter.",
            "role": "chat, annotator, adjudicator or admin.",
            "hash": "Of the password: scrypt, 32 bytes.",
            "salt": "Its salt.",
            "n": "scrypt's cost.",
            "r": "scrypt's block size.",
            "p": "scrypt's parallelism.",
            "created": _TIME,
            "disabled": "When the user was removed; NULL for those who may sign in.",
            "may_chat": "0 for annotators who see the desk alone.",
            "budget": "Model tokens a day; NULL: as many as the server allows everybody.",
        },
    ),
    "spending": (
        "Model tokens of users by day; a row stays for a month, also when the turns are erased.",
        {
            "user": "Who spent them.",
            "day": "On which their runs ended, UTC.",
            "tokens": "Read and written by the language model.",
        },
    ),
    "tokens": (
        "API tokens and the sessions of signed-in browsers.",
        {
            "hash": "SHA-256 of the secret, which is stored nowhere.",
            "user": "Whose it is; local: the person at the machine.",
            "kind": "api or session.",
            "created": _TIME,
            "expires": "In Unix seconds; NULL: when it is revoked.",
        },
    ),
    "shares": (
        "Snapshots of conversations that may be read by whoever has the link.",
        {
            "id": "A ULID.",
            "hash": "SHA-256 of the link's secret, which is stored nowhere.",
            "conversation": "The conversation.",
            "title": "Its title when the snapshot was made.",
            "created": _TIME,
            "expires": "In Unix seconds.",
        },
    ),
    "shared_turns": (
        "What a snapshot holds: the turns that were over when it was made.",
        {"share": "The snapshot.", "turn": "The turn."},
    ),
    "annotation_items": (
        "Replies that people judge, frozen with their documents.",
        {
            "number": "In order of import.",
            "id": "Drawn by lot: says nothing of who wrote the reply.",
            "digest": "Of the reply as it was imported, its system and its turn, so that it is stored once.",
            "origin": "turn, foreign (another system's) or practice.",
            "system": "Who wrote the reply; annotators do not see it.",
            "model": "The language model behind it.",
            "task": "As in turns.",
            "turn": "The turn it was made from; it may be deleted since.",
            "content": "The reply with its documents and what the machine thinks of it, JSON "
            "(searchain/annotation/protocol.py); all words are █ once the text was removed.",
            "quota": "How many annotators are to judge it.",
            "done": "How many did.",
            "shuffle": "Its place in the shuffled queue.",
            "created": "When it was imported.",
            "withdrawn": "When its text was removed; NULL while it can be judged.",
        },
    ),
    "annotation_tasks": (
        "Who has which item, with the draft.",
        {
            "annotator": _ANNOTATOR,
            "item": _ITEM,
            "state": "open, submitted or skipped.",
            "assigned": "When it was given to this annotator by name; NULL: taken from the queue.",
            "expires": "When the lease ends, in Unix seconds.",
            "draft": "Labels that are not submitted, JSON.",
            "saved": "When the draft was.",
            "seconds": "Time spent on it so far.",
        },
    ),
    "annotation_labels": (
        "What annotators said: only added to; the newest version of an annotator's counts.",
        {
            "number": "In order.",
            "item": _ITEM,
            "annotator": _ANNOTATOR,
            "version": "Of this annotator's history of the item, from 1.",
            "action": "submitted, skipped, or undone (which takes back the version before).",
            "guidelines": _GUIDELINES,
            "labels": "The labels, JSON; NULL unless submitted.",
            "seconds": "Time spent on the item until then.",
            "comment": "The annotator's comment, or the reason of a skip; empty once the item's text was removed.",
            "created": _TIME,
        },
    ),
    "annotation_gold": (
        "What was decided about items on which annotators differ; the newest of an item counts.",
        {
            "number": "In order.",
            "item": _ITEM,
            "adjudicator": "Who decided.",
            "based_on": "Annotator and version of each of the labels that were compared, JSON.",
            "guidelines": _GUIDELINES,
            "labels": "The labels, JSON.",
            "comment": "The adjudicator's; empty once the item's text was removed.",
            "created": _TIME,
            "reason": "Why annotators differed, such as guideline gap; empty: not said.",
        },
    ),
    "annotation_studies": (
        "How the desk is run: only added to; the newest row counts.",
        {
            "number": "In order.",
            "action": "set; frozen; or changed, which is after it was frozen.",
            "content": "The study, JSON (searchain/annotation/study.py).",
            "hash": "SHA-256 of the content.",
            "reason": "Why it was changed; empty before it was frozen.",
            "changed_by": "Who did it.",
            "created": _TIME,
        },
    ),
    "annotation_practice": (
        "What annotators did before their first reply: only added to.",
        {
            "number": "In order.",
            "annotator": _ANNOTATOR,
            "action": "read (the guidelines), tried (an example), or left out (all of it, by an admin).",
            "example": "The number of the example, from 1.",
            "labels": "What the annotator said of it, JSON.",
            "correct": "How many of its points were right.",
            "points": "How many it has.",
            "seconds": "Time spent on it.",
            "guidelines": _GUIDELINES,
            "created": _TIME,
        },
    ),
    "annotation_guesses": (
        "Who annotators believe to have written replies, asked when all is judged.",
        {"annotator": _ANNOTATOR, "item": _ITEM, "guess": "The system; NULL: does not know.", "created": _TIME},
    ),
    "annotation_machines": (
        "What machines say of replies: never shown to annotators, never a label.",
        {
            "number": "In order.",
            "item": _ITEM,
            "judge": "The check or the model.",
            "labels": "As in annotation_labels, over the default knowledge items, JSON.",
            "created": _TIME,
        },
    ),
    "crowd_links": (
        "Links by which people of a crowd platform come to the desk.",
        {
            "number": "In order.",
            "hash": "SHA-256 of the link's secret.",
            "parameter": "The parameter of the link that says who it is, such as PROLIFIC_PID.",
            "people": "How many may come.",
            "replies": "How many replies each of them judges.",
            "code": "The completion code; empty: none.",
            "back": "Where they go back to; empty: nowhere.",
            "created": _TIME,
            "expires": "When it ends and identities are erased, in Unix seconds.",
            "closed": "When it was closed; NULL: it is open.",
        },
    ),
    "crowd_people": (
        "Who came by these links.",
        {
            "annotator": _ANNOTATOR,
            "link": "The link; NULL in an imported row.",
            "identity": "As the platform calls the person; NULL once erased.",
            "created": _TIME,
            "finished": "When the person could get no other reply; NULL before.",
        },
    ),
    "annotators": (
        "Whoever had an item, with a pseudonym under which labels are handed on.",
        {"name": "A user, or local.", "pseudonym": "Says nothing of the name.", "created": _TIME},
    ),
    "turns_fts": (
        "The search index over questions and replies (FTS5).",
        {"question": "As in turns.", "answer": "As in turns."},
    ),
    "turn_view": (
        "Every turn with its counts, for reading.",
        {
            "turn": "The turn's id.",
            "title": "Of its conversation.",
            "nodes": "Steps of the tree.",
            "nodes_on_path": "Steps that the reply rests on.",
            "sources": "Numbered sources.",
            "sentences": "Of the reply.",
            "sentences_cited": "Sentences with at least one citation.",
            "citations": "Marks in the reply.",
            "probability": _PROBABILITY.format("the reply"),
        },
    ),
    "tree_view": (
        "The Tree-of-Reasoning for reading: choose a turn and sort by place.",
        {
            "turn": _TURN,
            "place": "The positions from the root to the node: the order of the tree.",
            "depth": "From 1.",
            "probability": _PROBABILITY.format("the answer"),
            "outline": "The node as an indented line.",
            "node": "The node's id.",
            "parent": "Its parent node.",
            "passage_title": "Of the passage that was read.",
            "passage_url": "Its address.",
            "quote": "What the Reader found in it.",
        },
    ),
    "citation_view": (
        "One row for each sentence and citation; a sentence without one has a row of its own.",
        {
            "turn": _TURN,
            "sentence_number": "From 0.",
            "sentence": "The sentence.",
            "probability": _PROBABILITY.format("the least likely step that it cites"),
            "source_probability": _PROBABILITY.format("the cited node's answer"),
            "citation": "The number.",
            "source_title": "Of the cited passage.",
            "source_url": "Its address.",
            "quote": "The words that decided.",
            "passage": "The passage's text.",
            "node": "The node that found it.",
        },
    ),
}


def about(table: str, column: str) -> str:
    """What the column means; a view's column means what that of the same name means in its tables."""
    columns = TABLES[table][1]
    if column not in columns and table.endswith("_view"):
        return next(
            others[column]
            for name in ("nodes", "sentences", "sources", "turns")
            if column in (others := TABLES[name][1])
        )
    return columns[column]
