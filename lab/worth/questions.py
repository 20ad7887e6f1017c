"""The questions of the comparison: samples of several kinds, in one fixed order whose every beginning is stratified."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any
from zlib import crc32

from searchain.errors import UsageError
from searchain.files.jsonl import parse_jsonl, read_text
from searchain.types import Exchange

OWN_QUESTIONS = Path(__file__).parents[1] / "benchmarks" / "own-questions.jsonl"
OWN, ENCYCLOPEDIA = "own files", "default"
CONVERSATIONS = "mtrag"
"""The kind without short answers: turns of conversations."""
SEED = 45
_APART = 3
"""A third of the questions of several steps is kept apart from all fits: those whose CRC-32 is divisible by 3."""
_IS_ANSWERABLE = {"answerable": True, "partial": True, "unanswerable": False}
"""What MTRAG says of a turn; a turn that is left open, ``underspecified``, is neither."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question as every system gets it, with everything that is known to be right about it."""

    id: str
    kind: str
    text: str
    answers: tuple[str, ...]
    """Short answers, any of which is right; of a conversation, whole replies that people wrote."""
    corpus: str
    """What is searched: a file of passages, ``ENCYCLOPEDIA`` or ``OWN``."""
    answerable: bool | None = True
    """Whether the corpus answers it; ``None`` where the question leaves open what is meant."""
    history: tuple[Exchange, ...] = ()
    supporting: tuple[str, ...] = field(default=())
    """The ids of the passages that the reply of a conversation rests on."""


@dataclass(frozen=True, slots=True)
class Stratum:
    """So many questions of one file, drawn by the seed."""

    kind: str
    file: str
    """Below the folder of the data; ``""``: the questions about own files."""
    corpus: str
    size: int
    is_apart: bool = False
    """Whether only the third is drawn that is kept apart from all fits."""
    answerable: bool | None = None
    """Draw only questions that are answerable, or only those that are not."""


STRATA = (
    Stratum("vital", "vital/dev.jsonl.gz", ENCYCLOPEDIA, 66),
    Stratum("everyday", "everyday/dev.jsonl.gz", ENCYCLOPEDIA, 42, answerable=True),
    Stratum("everyday", "everyday/dev.jsonl.gz", ENCYCLOPEDIA, 28, answerable=False),
    Stratum("multihop", "multihop/hops.jsonl.gz", "multihop/tune_corpus.jsonl.gz", 36, is_apart=True),
    Stratum("multihop", "multihop/tune.jsonl.gz", "multihop/tune_corpus.jsonl.gz", 24, is_apart=True),
    Stratum("own", "", OWN, 29, answerable=True),
    Stratum("own", "", OWN, 11, answerable=False),
    Stratum(CONVERSATIONS, "mtrag/dev.jsonl.gz", "mtrag/dev_corpus.jsonl.gz", 78),
)
KINDS = tuple(dict.fromkeys(stratum.kind for stratum in STRATA))


def questions(data: Path, only: Sequence[str] = (), limit: int | None = None) -> list[Question]:
    """Return the questions in their fixed order: those of the kinds ``only``, if any are named, up to ``limit``.

    Raises:
        UsageError: a file of the data cannot be read.
    """
    chosen = interleaved(
        [_drawn(stratum, data, seed) for seed, stratum in enumerate(STRATA) if not only or stratum.kind in only]
    )
    return chosen[:limit]


def conversations(data: Path) -> list[Question]:
    """Return all turns of conversations, in an order in which every beginning is a random sample.

    Raises:
        UsageError: the file of the turns cannot be read.
    """
    stratum = replace(STRATA[-1], size=1_000_000)
    return _drawn(stratum, data, SEED)


def interleaved(groups: Sequence[Sequence[Question]]) -> list[Question]:
    """Return all questions so that every beginning holds about the same share of each group."""
    placed = [((place + 0.5) / len(group), one.id, one) for group in groups for place, one in enumerate(group)]
    return [one for _, _, one in sorted(placed, key=lambda entry: entry[:2])]


def _drawn(stratum: Stratum, data: Path, number: int) -> list[Question]:
    found = [replace(one, corpus=_corpus(stratum, data)) for one in _read(stratum, data)]
    Random(SEED + number).shuffle(found)
    return found[: stratum.size]


def _corpus(stratum: Stratum, data: Path) -> str:
    return stratum.corpus if stratum.corpus in (OWN, ENCYCLOPEDIA) else str(data / stratum.corpus)


def _read(stratum: Stratum, data: Path) -> list[Question]:
    path = data / stratum.file if stratum.file else OWN_QUESTIONS
    if not path.is_file():
        raise UsageError(f"no file {str(path)!r}; name the folder of the data with --data")
    records: list[dict[str, Any]] = []
    parse_jsonl(read_text(path), path.name, records.append, "question")
    wanted = [
        record
        for record in records
        if record.get("type") != "longform"
        if not stratum.is_apart or crc32(record["id"].encode()) % _APART == 0
    ]
    asked = [_conversation(one) if stratum.kind == CONVERSATIONS else _short(stratum.kind, one) for one in wanted]
    return [one for one in asked if stratum.answerable is None or one.answerable is stratum.answerable]


def _short(kind: str, record: dict[str, Any]) -> Question:
    answers = tuple(record["answers"])
    answerable = bool(record.get("answerable", bool(answers)))
    return Question(f"{kind}:{record['id']}", kind, record["question"].strip(), answers, "", answerable)


def _conversation(record: dict[str, Any]) -> Question:
    return Question(
        f"{CONVERSATIONS}:{record['id']}",
        CONVERSATIONS,
        record["question"].strip(),
        tuple(record["answers"]),
        "",
        _IS_ANSWERABLE.get(record["answerability"]),
        tuple(Exchange(said["question"], said["reply"]) for said in record["history"]),
        tuple(record["supporting_ids"]),
    )
