"""ALCE's format, which its ``eval.py`` reads: ``{"data": [{"question", "output", "docs": [{"title", "text"}]}]}``.

In it, ``[n]`` means the n-th of ``docs``, and every ``[`` before a digit counts as a citation. So marks are renumbered,
and other brackets before digits become round. ``outcome`` and ``probability`` are additions, which ALCE ignores.
"""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from searchain.events import Turn
from storage.history.finished_turns import Record

_LOOKS_CITED = re.compile(r"\[(?=\d)")


def write(records: Iterable[Record]) -> Iterator[str]:
    """Write one item per turn that has a reply."""
    told = ((record, record.state()) for record in records)
    yield '{"args": {}, "data": ['
    separator = "\n"
    for record, turn in told:
        if turn.answer:
            yield separator + json.dumps(_item(record, turn), ensure_ascii=False)
            separator = ",\n"
    yield "\n]}\n"


def _item(record: Record, turn: Turn) -> dict[str, Any]:
    places = {source.number: place for place, source in enumerate(turn.sources, 1)}
    about = {"id": record.turn, "question": turn.question, "output": _output(turn, places)}
    docs = [{name: getattr(source.passage, name) for name in ("title", "text", "url")} for source in turn.sources]
    return {**about, "docs": docs, "outcome": turn.outcome, "probability": turn.probability}


def _output(turn: Turn, places: dict[int, int]) -> str:
    return "".join(
        _LOOKS_CITED.sub("(", piece) if isinstance(piece, str) else f"[{places[piece[0].number]}]"
        for piece in turn.pieces()
    )
