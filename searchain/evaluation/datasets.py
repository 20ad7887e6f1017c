"""The official files of the paper's data sets as examples; each form is known by its keys.

HotpotQA, 2WikiMultihopQA (with ``id_aliases.json`` beside it), MuSiQue, StrategyQA (its own file and BIG-bench's), and
KILT's zsRE, T-REx, FEVER and ELI5. Nothing is downloaded.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from searchain.errors import UsageError
from searchain.evaluation.examples import Dataset, Example, GoldStep, name_of, read_dataset
from searchain.files.jsonl import parse_jsonl, read_text
from searchain.language.questions import slot_question
from searchain.types import Passage

Record = dict[str, Any]
LONG_WORDS = 30
"""From so many words on the answers of a KILT file are explanations."""
LABELS = {"SUPPORTS", "REFUTES"}
_WANTED = 'example; wanted: {"id", "question", "answers": [str, …]}, or the official file of a data set'


def read(path: Path, form: str | None = None) -> Dataset:
    """The examples of an official file, or of one of ours; ``form`` is one of ``FORMS``, by default found by its keys.

    Raises:
        UsageError: the file cannot be read, a record is not of the form, or there is no such form.
    """
    if form is not None and form not in FORMS:
        raise UsageError(f"no data set {form!r}; there are: {', '.join(FORMS)}")
    text = read_text(path)
    records = _records(text, path.name)
    form = form or (_form(records[0]) if records else None)
    if form is None:
        return read_dataset(path)
    aliases = _aliases(path) if form == "2wiki" else {}
    found: dict[str, Example] = {}
    for number, record in enumerate(records, 1):
        try:
            example = FORMS[form](record, aliases)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            raise UsageError(f"record {number} of {path.name!r} is none of {form} ({error!r})") from error
        if example is not None:
            found[example.id] = example
    if not found:
        raise UsageError(f"{path.name!r} holds no question with an answer")
    return Dataset(name_of(path, text), tuple(found.values()), form)


def passages(path: Path) -> Iterator[Passage]:
    """The paragraphs that a HotpotQA, 2Wiki or MuSiQue file brings with its questions, each once: a closed corpus.

    Raises:
        UsageError: the file cannot be read, or brings none.
    """
    known: set[str] = set()
    for record in _records(read_text(path), path.name):
        paragraphs = [(title, "".join(part)) for title, part in record.get("context") or ()]
        paragraphs += [(one["title"], one["paragraph_text"]) for one in record.get("paragraphs") or ()]
        for title, body in paragraphs:
            body = " ".join(body.split())
            id = "p" + hashlib.sha256(f"{title}\n{body}".encode()).hexdigest()[:12]
            if body and id not in known:
                known.add(id)
                yield Passage(id, title, body)
    if not known:
        raise UsageError(f"{path.name!r} brings no paragraphs; give a file of HotpotQA, 2WikiMultihopQA or MuSiQue")


def _records(text: str, name: str) -> list[Record]:
    if text.lstrip().startswith("["):
        try:
            return list(json.loads(text))
        except ValueError as error:
            raise UsageError(f"{name!r} is no whole JSON list ({error})") from error
    try:
        whole = json.loads(text)
    except ValueError:
        return parse_jsonl(text, name, lambda record: record, _WANTED)
    return list(whole["examples"]) if isinstance(whole, dict) and "target_scores" in str(whole)[:10_000] else [whole]


def _form(record: Any) -> str | None:
    """The form by its keys; ``None`` for ours."""
    keys = set(record) if isinstance(record, dict) else set[str]()
    if {"_id", "supporting_facts"} <= keys:
        return "2wiki" if "evidences" in keys else "hotpotqa"
    if "question_decomposition" in keys or {"paragraphs", "answer_aliases"} <= keys:
        return "musique"
    if "target_scores" in keys or {"qid", "answer"} <= keys:
        return "strategyqa"
    if {"input", "output"} <= keys:
        answers = _kilt_answers(record)
        if "[SEP]" in record["input"]:
            return "trex" if not (record.get("meta") or {}).get("template_questions") else "zsre"
        if set(answers) <= LABELS:
            return "fever"
        return "eli5" if max((len(one.split()) for one in answers), default=0) >= LONG_WORDS else "zsre"
    return None


def _hotpotqa(record: Record, _: dict[str, list[str]]) -> Example:
    titles = dict.fromkeys(title for title, *_ in record.get("supporting_facts") or ())
    return Example(
        str(record["_id"]),
        record["question"].strip(),
        (record["answer"],),
        record.get("type") or "",
        supporting_titles=tuple(titles),
    )


def _2wiki(record: Record, aliases: dict[str, list[str]]) -> Example:
    example = _hotpotqa(record, aliases)
    answers = dict.fromkeys([*example.answers, *aliases.get(record.get("answer_id") or "", ())])
    steps = tuple(GoldStep(f"{subject} >> {relation}", found) for subject, relation, found in record["evidences"])
    return Example(
        example.id, example.question, tuple(answers), example.type, steps, supporting_titles=example.supporting_titles
    )


def _musique(record: Record, _: dict[str, list[str]]) -> Example | None:
    if record.get("answerable") is False:
        return None
    paragraphs = {one["idx"]: one["title"] for one in record.get("paragraphs") or ()}
    steps = tuple(
        GoldStep(one["question"], one["answer"], paragraphs.get(one.get("paragraph_support_idx")))
        for one in record.get("question_decomposition") or ()
    )
    titles = [one["title"] for one in record.get("paragraphs") or () if one.get("is_supporting")]
    return Example(
        str(record["id"]),
        record["question"].strip(),
        tuple(dict.fromkeys([record["answer"], *(record.get("answer_aliases") or ())])),
        f"{str(record['id'])[0]}hop",
        steps,
        supporting_titles=tuple(dict.fromkeys(titles)),
    )


def _strategyqa(record: Record, _: dict[str, list[str]]) -> Example:
    if "target_scores" in record:
        best = max(record["target_scores"], key=record["target_scores"].get)
        id = hashlib.sha256(record["input"].encode()).hexdigest()[:16]
        return Example(id, record["input"].strip(), (best.strip().lower(),), "yesno")
    steps = tuple(GoldStep(one) for one in record.get("decomposition") or ())
    return Example(
        str(record["qid"]), record["question"].strip(), ("yes" if record["answer"] else "no",), "yesno", steps
    )


def _kilt(kind: str) -> Callable[[Record, dict[str, list[str]]], Example | None]:
    def example(record: Record, _: dict[str, list[str]]) -> Example | None:
        answers, asked = _kilt_answers(record), record["input"].strip()
        if kind == "factcheck":
            answers = [one for one in answers if one in LABELS]
        if kind == "slots" and "[SEP]" in asked:
            templates = (record.get("meta") or {}).get("template_questions") or ()
            asked = templates[0].strip() if templates else slot_question(asked) or asked
        titles = [
            where["title"] for one in record["output"] for where in one.get("provenance") or () if where.get("title")
        ]
        if not answers:
            return None
        return Example(str(record["id"]), asked, tuple(answers), kind, supporting_titles=tuple(dict.fromkeys(titles)))

    return example


def _kilt_answers(record: Record) -> list[str]:
    answers = [one["answer"].strip() for one in record["output"] if (one.get("answer") or "").strip()]
    return list(dict.fromkeys(answers))


def _aliases(path: Path) -> dict[str, list[str]]:
    """Entity → its other names, from ``id_aliases.json`` beside the data."""
    beside = path.parent / "id_aliases.json"
    if not beside.is_file():
        return {}
    rows = parse_jsonl(read_text(beside), beside.name, lambda one: one, 'entity; wanted: {"Q_id", "aliases"}')
    return {row["Q_id"]: [*row.get("aliases", ()), *row.get("demonyms", ())] for row in rows}


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
