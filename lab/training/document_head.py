"""Train the head for questions about own documents as wholes: ``python -m lab.training.document_head --data DIR``.

``data/about.json`` beside this file has frames of such questions, what their gaps are filled with, and questions that
only look like them. DIR holds the project's data (``everyday``, ``mtrag``, ``reader``), whose questions are of the
latter kind; those of ``talk.jsonl`` that are of the former are named by ``asked``, with their kind. A third of the
frames and of all other questions, drawn by a hash, is first kept apart: its figures, by layers that have not seen it,
are printed and stored. The stored layers are then fitted to all.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click
import numpy as np

from lab.training.question_head import (
    TALK,
    as_stored,
    embedding_by,
    fitted,
    questions,
    read_questions,
    records,
    write_weights,
)
from searchain.console import one_line_errors
from searchain.files.weights import Floats, Layer
from searchain.question.document_head import NONE, WEIGHTS, About, Part
from searchain.question.talk import POLITE
from searchain.reading.similarity import QueryEncoder

TABLES: dict[str, Any] = json.loads((Path(__file__).parent / "data" / "about.json").read_text(encoding="utf-8"))
TABLES["documents"] += [f"the {noun}" for noun in TABLES["nouns"]] + [
    f"the {name} {noun}" if place % 3 else f"the {noun} {('of', 'about', 'from')[place % 9 // 3]} {name}"
    for place, (name, noun) in enumerate(itertools.product(TABLES["names"], TABLES["nouns"]))
    if place % 5 == 0
]
FILLED = {
    "d": ("documents", Part.DOCUMENT),
    "b": ("pairs", Part.DOCUMENT),
    "s": ("sets", Part.OTHER),
    "t": ("texts", Part.OTHER),
    "w": ("words", Part.WORDS),
    "q": ("points", Part.WORDS),
    "p": ("pages", Part.PLACE),
    "c": ("sections", Part.PLACE),
}
"""The letter of a gap → the list that fills it, and what that names."""
OFTEN, OF_POINTS = 8, 24
"""How often a frame with gaps is filled, and one with the gap of what documents agree about, which takes any form."""
PLAIN = 500
"""Questions taken from each large source."""
THRESHOLD = 0.7
"""The least probability with which a question counts as one about documents as wholes."""
NAMES = 400
"""Titles that documents may mention."""
SOME = 64
"""Questions whose tokens are read together."""
OWN = ("written", "like wholes", "own-documents", "mtrag")
"""Sources whose questions are asked of own documents."""
STRENGTH, STRENGTH_PARTS = 30.0, 1.0
"""C of the regressions: the larger, the less the weights are held back."""


@dataclass(frozen=True, slots=True)
class Row:
    text: str
    kind: str
    source: str
    is_apart: bool
    parts: tuple[tuple[int, int, Part], ...] = ()


def is_apart(text: str) -> bool:
    """Tell whether what this text stands for is only measured."""
    return hashlib.sha256(" ".join(text.casefold().split()).encode()).digest()[0] % 3 == 0


def filled(frame: str, kind: str) -> Iterator[Row]:
    """Yield a frame with its gaps filled, with and without capitals and the sign at its end."""
    drawn = random.Random(frame)
    for _ in range(OF_POINTS if "{q}" in frame else OFTEN if "{" in frame else 2):
        text, parts = "", []
        for place, piece in enumerate(frame.replace("}", "{").split("{")):
            if place % 2:
                name, part = FILLED[piece]
                chosen = drawn.choice(TABLES[name])
                chosen = chosen[:1].upper() + chosen[1:] if not text else chosen
                if part is not Part.OTHER:
                    parts.append((len(text), len(text) + len(chosen), part))
                piece = chosen
            text += piece
        text = text.lower() if drawn.random() < 0.3 else text
        text = text.rstrip("?.") if drawn.random() < 0.3 else text
        yield Row(text, kind, "frames", is_apart(frame), tuple(parts))


def rows_of(data: Path) -> list[Row]:
    titles = dict.fromkeys(one["title"] for one in records(data / "everyday" / "train.jsonl.gz"))
    words = TABLES["words"] = [*TABLES["words"], *TABLES["nouns"], *TABLES["names"], *list(titles)[:NAMES]]
    TABLES["sections"] += [f"the {form}" for word in words[::4] for form in (f"section on {word}", f"{word} section")]
    rows = [row for kind, some in TABLES["frames"].items() for frame in some for row in filled(frame, kind)]
    rows += [replace(row, source="like wholes") for frame in TABLES["others"] for row in filled(frame, NONE)]
    talk = [one for one in records(TALK) if not one["kind"].startswith("documents:")]
    others = {
        "written": TABLES["questions"],
        "own-documents": [one["text"] for one in talk if one["source"] == "own-documents"],
        "talk": [one["text"] for one in talk if one["kind"] in POLITE],
        "mtrag": questions(data / "mtrag" / "dev.jsonl.gz"),
        "everyday": questions(data / "everyday" / "train.jsonl.gz")[:PLAIN],
        "reader": read_questions(data)[:PLAIN],
    }
    rows += [
        Row(one, TABLES["asked"].get(one, NONE), source, is_apart(one))
        for source, some in others.items()
        for one in some
    ]
    return list({(row.text, row.kind): row for row in rows}.values())


def weight_of(row: Row) -> float:
    """What a row counts: there are few questions to own documents, and many frames that are nearly the same."""
    if row.kind == About.AGREE:
        return OFTEN / OF_POINTS  # they are filled that many times more often
    return 4.0 if row.source == "written" else 2.0 if row.source in OWN else 1.0


def about(layer: Layer, values: Floats) -> Floats:
    return np.array([1 - layer.shares(one)[NONE] for one in values])


def tokens_of(rows: Sequence[Row], encoder: QueryEncoder) -> tuple[Floats, list[str]]:
    """Return the states of all tokens of ``rows``, and what each names."""
    vectors, labels = [], []
    read = (
        one
        for first in range(0, len(rows), SOME)
        for one in encoder.token_states([row.text for row in rows[first : first + SOME]])
    )
    for row, states in zip(rows, read, strict=True):
        for vector, (start, end) in zip(states.vectors, states.offsets, strict=True):
            inside = (part for first, last, part in row.parts if first <= start and end <= last)
            vectors.append(vector)
            labels.append(str(next(inside, Part.OTHER)))
    return np.array(vectors, dtype=float), labels


def figures(
    kinds: Layer, rows: Sequence[Row], embedded: Callable[[Sequence[str]], Floats], data: Path
) -> Iterator[tuple[str, str]]:
    """Yield the name of each measured set, and what is recognised in it."""
    frames = [row for row in rows if row.source == "frames"]
    shares = [kinds.shares(one) for one in embedded([row.text for row in frames])]
    told = [1 - one.pop(NONE) >= THRESHOLD and max(one, key=one.__getitem__) for one in shares]
    right = sum(one == row.kind for one, row in zip(told, frames, strict=True))
    yield "frames apart, of the right kind", f"{right} of {len(frames)}"
    missed = {
        row.text: f"{row.kind} as {one or NONE}" for one, row in zip(told, frames, strict=True) if one != row.kind
    }
    yield "of these wrong, for example", "; ".join(f"{text} ({what})" for text, what in list(missed.items())[::4][:12])
    sets = {
        f"{name} apart": [row.text for row in rows if row.source == name and row.kind == NONE]
        for name in dict.fromkeys(r.source for r in rows)
    }
    sets.pop("frames apart")
    sets["everyday/dev"] = questions(data / "everyday" / "dev.jsonl.gz")
    for name, texts in sets.items():
        alarms = about(kinds, embedded(texts)) >= THRESHOLD
        some = "; ".join(itertools.compress(texts, alarms))
        yield f"{name}, false alarms", f"{int(alarms.sum())} of {len(texts)}{' ' if some else ''}{some}"


@click.command(help=__doc__)
@click.option(
    "--data", type=click.Path(exists=True, file_okay=False, path_type=Path), required=True, help="Folder with the data."
)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), default=WEIGHTS, help="Where the weights go.")
@one_line_errors()
def main(data: Path, out: Path) -> None:
    encoder = QueryEncoder()
    embedded = embedding_by(encoder)
    rows = rows_of(data)
    apart = [row for row in rows if row.is_apart]
    kinds, parts = taught([row for row in rows if not row.is_apart], encoder, embedded)
    found = dict(figures(kinds, apart, embedded, data))
    states, labels = tokens_of([row for row in apart if row.source == "frames"], encoder)
    right = sum(parts.best(one) == label for one, label in zip(states, labels, strict=True))
    found["tokens of frames apart, of the right part"] = f"{right} of {len(labels)}"
    kinds, parts = taught(rows, encoder, embedded)
    stored = {"threshold": THRESHOLD, "rows": len(rows), "kinds": as_stored(kinds), "parts": as_stored(parts)}
    write_weights(out, stored, found)


def taught(
    rows: Sequence[Row], encoder: QueryEncoder, embedded: Callable[[Sequence[str]], Floats]
) -> tuple[Layer, Layer]:
    """Return the layers fitted to ``rows``: for the kinds of questions, and for the parts that their tokens name."""
    values = embedded([row.text for row in rows])
    kinds = fitted(values, [row.kind for row in rows], STRENGTH, np.array([weight_of(row) for row in rows]))
    return kinds, fitted(*tokens_of([row for row in rows if row.source == "frames"], encoder), STRENGTH_PARTS)


if __name__ == "__main__":
    main()
