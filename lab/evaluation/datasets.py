"""The official files of the paper's data sets as examples; each form is known by its keys.

HotpotQA, 2WikiMultihopQA (with ``id_aliases.json`` beside it), MuSiQue, StrategyQA (its own file and BIG-bench's), and
KILT's zsRE, T-REx, FEVER and ELI5. Nothing is downloaded.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from lab.evaluation.examples import Dataset, Example, GoldStep, check_characters, name_of, read_dataset
from searchain.errors import UsageError
from searchain.files.jsonl import parse_jsonl, read_text
from searchain.types import Passage

Record = dict[str, Any]
LONG_WORDS = 30
"""From so many words on the answers of a KILT file are explanations."""
LABELS = {"SUPPORTS", "REFUTES"}
_WANTED = 'example; wanted: {"id", "question", "answers": [str, …]}, or the official file of a data set'
_NO_ANSWER = "{!r} holds no question with an answer; give a part of the data set that has answers, such as dev"


def read(path: Path, form: str | None = None) -> Dataset:
    """The examples of an official file, or of one of ours; ``form`` is one of ``FORMS``, by default found by its keys.

    Raises:
        UsageError: the file cannot be read, a record is not of the form, two have one id, or there is no such form.
    """
    if form is not None and form not in FORMS:
        raise UsageError(f"no data set {form!r}; there are: {', '.join(FORMS)}")
    text, name = read_text(path), path.name
    records = _records(text, name)
    form = form or _form(records, name)
    if form is None:
        if text.lstrip().startswith("["):
            raise UsageError(f"{name!r} is a JSON list of no data set known here; give one of: {', '.join(FORMS)}")
        return read_dataset(path)
    aliases = _aliases(path) if form == "2wiki" else {}
    found: dict[str, Example] = {}
    for number, record in enumerate(records, 1):
        with _reading(number, name, form):
            example = FORMS[form](_object(record), aliases)
        if example is None:
            continue
        if example.id in found:
            if "target_scores" not in record:
                raise UsageError(
                    f"record {number} of {name!r} has the id {example.id!r} of an earlier one; give each its own"
                )
            example = replace(example, id=f"{example.id}-{number}")  # BIG-bench has no ids: it is the question's hash
        found[example.id] = example
    if not found:
        raise UsageError(_NO_ANSWER.format(name))
    return Dataset(name_of(path, text), tuple(found.values()), form)


def passages(path: Path) -> Iterator[Passage]:
    """The paragraphs that a HotpotQA, 2Wiki or MuSiQue file brings with its questions, each once: a closed corpus.

    Raises:
        UsageError: the file cannot be read, a record is not of the form, or none brings a paragraph.
    """
    known: set[str] = set()
    for number, record in enumerate(_records(read_text(path), path.name), 1):
        with _reading(number, path.name, "HotpotQA, 2WikiMultihopQA or MuSiQue"):
            paragraphs = _paragraphs(_object(record))
            check_characters(*(text for paragraph in paragraphs for text in paragraph))
        for title, body in paragraphs:
            body = " ".join(body.split())
            id = "p" + hashlib.sha256(f"{title}\n{body}".encode()).hexdigest()[:12]
            if body and id not in known:
                known.add(id)
                yield Passage(id, title, body)
    if not known:
        raise UsageError(f"{path.name!r} brings no paragraphs; give a file of HotpotQA, 2WikiMultihopQA or MuSiQue")


@contextmanager
def _reading(number: int, name: str, form: str) -> Iterator[None]:
    """Raise what fails at the record ``number`` of the file ``name`` as an error of one line."""
    try:
        yield
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        reason = str(error) if type(error) is ValueError else f"{type(error).__name__}: {error}"
        raise UsageError(
            f"record {number} of {name!r} has not the form of {form} ({reason}); give the file as it was published"
        ) from error


def _records(text: str, name: str) -> list[Any]:
    if text.lstrip().startswith("["):
        try:
            return list(json.loads(text))
        except (ValueError, RecursionError) as error:
            raise UsageError(f"{name!r} is no whole JSON list ({error}); write or download it anew") from error
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        return parse_jsonl(text, name, lambda record: record, _WANTED)
    is_big_bench = isinstance(whole, dict) and isinstance(whole.get("examples"), list) and "question" not in whole
    return whole["examples"] if is_big_bench else [whole]


def _form(records: Sequence[Any], name: str) -> str | None:
    """The form by the keys of the first record; ``None`` for ours."""
    keys = set(records[0]) if records and isinstance(records[0], dict) else set[str]()
    if {"_id", "supporting_facts"} <= keys:
        return "2wiki" if "evidences" in keys else "hotpotqa"
    if "question_decomposition" in keys or {"paragraphs", "answer_aliases"} <= keys:
        return "musique"
    if "target_scores" in keys or {"qid", "answer"} <= keys:
        return "strategyqa"
    return _kilt_form(records, name) if {"input", "output"} <= keys else None


def _kilt_form(records: Sequence[Any], name: str) -> str:
    """The task of KILT that most of the records with an answer are of."""
    kinds: Counter[str] = Counter()
    for number, record in enumerate(records, 1):
        with _reading(number, name, "KILT"):
            kind = _kilt_kind(_object(record))
        if kind is not None:
            kinds[kind] += 1
    if not kinds:
        raise UsageError(_NO_ANSWER.format(name))
    (form, _), *_ = kinds.most_common(1)
    if not form:
        raise UsageError(
            f"{name!r} is of a task of KILT that is not known here: its answers are short, and no input has a [SEP]; "
            "give zsRE, T-REx, FEVER or ELI5"
        )
    return form


def _kilt_kind(record: Record) -> str | None:
    """The form of one record; ``""``: none that is known, ``None``: it has no answer, so that nothing tells."""
    asked, answers = _text(record, "input"), _kilt_answers(record)
    if not answers:
        return None
    if "[SEP]" in asked:
        return "zsre" if _templates(record) else "trex"
    if set(answers) <= LABELS:
        return "fever"
    return "eli5" if max(len(one.split()) for one in answers) >= LONG_WORDS else ""


def _object(record: Any) -> Record:
    if not isinstance(record, dict):
        raise ValueError("not a JSON object")
    return record


def _text(record: Record, key: str) -> str:
    """The text under ``key``, which must not be blank."""
    value = record.get(key)
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"no {key}")
    return value


def _part(record: Record, key: str) -> str:
    """The text under ``key``, which may be blank."""
    if not isinstance(record.get(key), str):
        raise ValueError(f"{key} must be a text")
    return str(record[key])


def _texts(record: Record, key: str) -> list[str]:
    """The list of texts under ``key``; none where it is left out."""
    values = record.get(key) or []
    if not isinstance(values, list) or not all(isinstance(one, str) for one in values):
        raise ValueError(f"{key} must be a list of texts")
    return values


def _objects(record: Record, key: str) -> list[Record]:
    """The list of JSON objects under ``key``; none where it is left out."""
    values = record.get(key) or []
    if not isinstance(values, list) or not all(isinstance(one, dict) for one in values):
        raise ValueError(f"{key} must be a list of JSON objects")
    return values


def _id(record: Record, key: str = "id") -> str:
    value = record.get(key)
    if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
        raise ValueError(f"no {key}")
    return str(value)


def _paragraphs(record: Record) -> list[tuple[str, str]]:
    """Title and text of each."""
    context = record.get("context") or []
    if not isinstance(context, list) or not all(_is_paragraph(one) for one in context):
        raise ValueError("context must be a list of [title, [sentence, …]]")
    paragraphs = [(title, "".join(sentences)) for title, sentences in context]
    return paragraphs + [(_part(one, "title"), _part(one, "paragraph_text")) for one in _objects(record, "paragraphs")]


def _is_paragraph(value: Any) -> bool:
    match value:
        case [str(), [*sentences]]:
            return all(isinstance(one, str) for one in sentences)
    return False


def _hotpotqa(record: Record, _: dict[str, list[str]]) -> Example:
    facts = record.get("supporting_facts") or []
    if not isinstance(facts, list) or not all(isinstance(one, list) and isinstance(one[0], str) for one in facts):
        raise ValueError("supporting_facts must be a list of [title, number]")
    return Example(
        _id(record, "_id"),
        _text(record, "question").strip(),
        (_text(record, "answer"),),
        str(record.get("type") or ""),
        supporting_titles=tuple(dict.fromkeys(title for title, *_ in facts)),
    )


def _2wiki(record: Record, aliases: dict[str, list[str]]) -> Example:
    example = _hotpotqa(record, aliases)
    answers = dict.fromkeys([*example.answers, *aliases.get(record.get("answer_id") or "", ())])
    evidences = record.get("evidences")
    if not isinstance(evidences, list) or not all(_is_evidence(one) for one in evidences):
        raise ValueError("evidences must be a list of [subject, relation, object]")
    steps = tuple(GoldStep(f"{subject} >> {relation}", found) for subject, relation, found in evidences)
    return Example(
        example.id, example.question, tuple(answers), example.type, steps, supporting_titles=example.supporting_titles
    )


def _is_evidence(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 3 and all(isinstance(one, str) for one in value)


def _musique(record: Record, _: dict[str, list[str]]) -> Example | None:
    if record.get("answerable") is False:
        return None
    paragraphs = _objects(record, "paragraphs")
    titles = {one["idx"]: _part(one, "title") for one in paragraphs}
    steps = tuple(
        GoldStep(_part(one, "question"), _part(one, "answer"), titles.get(one.get("paragraph_support_idx")))
        for one in _objects(record, "question_decomposition")
    )
    id = _id(record)
    return Example(
        id,
        _text(record, "question").strip(),
        tuple(dict.fromkeys([_text(record, "answer"), *_texts(record, "answer_aliases")])),
        f"{id[0]}hop",
        steps,
        supporting_titles=tuple(dict.fromkeys(_part(one, "title") for one in paragraphs if one.get("is_supporting"))),
    )


def _strategyqa(record: Record, _: dict[str, list[str]]) -> Example:
    if "target_scores" in record:
        asked, scores = _text(record, "input"), record["target_scores"]
        if not isinstance(scores, dict) or {one.strip().lower() for one in scores} != {"yes", "no"}:
            raise ValueError("target_scores must be those of yes and no")
        best = max(scores, key=scores.__getitem__)
        id = hashlib.sha256(asked.encode()).hexdigest()[:16]
        return Example(id, asked.strip(), (best.strip().lower(),), "yesno")
    if not isinstance(record.get("answer"), bool):
        raise ValueError("answer must be true or false")
    steps = tuple(GoldStep(one) for one in _texts(record, "decomposition"))
    answer = "yes" if record["answer"] else "no"
    return Example(_id(record, "qid"), _text(record, "question").strip(), (answer,), "yesno", steps)


def slot_question(slot: str) -> str | None:
    """Rewrite a slot of KILT ("subject [SEP] relation") as a question; ``None`` for other texts.

    >>> slot_question("Kyoto [SEP] country"), slot_question("Where is Kyoto?")
    ('What is the country of Kyoto?', None)
    """
    subject, found, relation = (part.strip() for part in slot.partition("[SEP]"))
    return f"What is the {relation} of {subject}?" if subject and found and relation else None


def _kilt(kind: str) -> Callable[[Record, dict[str, list[str]]], Example | None]:
    def example(record: Record, _: dict[str, list[str]]) -> Example | None:
        answers, asked = _kilt_answers(record), _text(record, "input").strip()
        if kind == "factcheck":
            answers = [one for one in answers if one in LABELS]
        if kind == "slots":
            if "[SEP]" not in asked:
                raise ValueError("no [SEP] in its input")
            templates = _templates(record)
            asked = templates[0].strip() if templates else slot_question(asked) or asked
        if not answers:
            return None
        where = [place for one in _objects(record, "output") for place in _objects(one, "provenance")]
        titles = dict.fromkeys(_part(place, "title") for place in where if place.get("title"))
        return Example(_id(record), asked, tuple(answers), kind, supporting_titles=tuple(titles))

    return example


def _kilt_answers(record: Record) -> list[str]:
    if record.get("output") is None:
        raise ValueError("no output")
    answers = [_part(one, "answer").strip() for one in _objects(record, "output") if one.get("answer") is not None]
    return list(dict.fromkeys(filter(None, answers)))


def _templates(record: Record) -> list[str]:
    """The questions that zsRE writes for a slot."""
    meta = record.get("meta") or {}
    return _texts(_object(meta), "template_questions")


def _aliases(path: Path) -> dict[str, list[str]]:
    """Entity → its other names, from ``id_aliases.json`` beside the data."""
    beside = path.parent / "id_aliases.json"
    if not beside.is_file():
        return {}

    def names(row: Any) -> tuple[str, list[str]]:
        return _text(_object(row), "Q_id"), [*_texts(row, "aliases"), *_texts(row, "demonyms")]

    return dict(parse_jsonl(read_text(beside), beside.name, names, 'entity; wanted: {"Q_id", "aliases"}'))


FORMS: dict[str, Callable[[Record, dict[str, list[str]]], Example | None]] = {
    "hotpotqa": _hotpotqa,
    "2wiki": _2wiki,
    "musique": _musique,
    "strategyqa": _strategyqa,
    "zsre": _kilt("slots"),
    "trex": _kilt("slots"),
    "fever": _kilt("factcheck"),
    "eli5": _kilt("longform"),
}
"""The data sets by the names of the tables."""
