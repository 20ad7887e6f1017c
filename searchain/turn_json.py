"""Convert a turn to the JSON object of ``ask --json`` (and of every line of ``eval --out``)."""

from collections.abc import Callable, Iterable
from dataclasses import asdict
from enum import StrEnum
from typing import Any

from searchain.events import ReplyReviewed, Turn
from searchain.types import Node, Sentence, Source

PlaceOf = Callable[[Source], dict[str, Any] | None]


def as_json(turn: Turn, *, conversation: str, turn_id: str, place_of: PlaceOf = lambda source: None) -> dict[str, Any]:
    """Return the contract's object. Offsets are half-open and count code points: those of sentences and marks in
    ``answer``, those of a span in its source's ``text``.

    Args:
        place_of: returns the place of a source in an own document.
    """
    return {
        "conversation": conversation,
        "turn": turn_id,
        **_fields(turn, ("model", "index")),
        **({"collections": list(turn.collections)} if turn.collections else {}),
        **({"files": turn.files, "files_unread": turn.unread} if turn.unread else {}),
        **_fields(turn, _OF_QUESTION),
        "probability": rounded(turn.probability),
        "conflict": [asdict(one) | {"sources": list(one.sources)} for one in turn.conflict],
        **_fields(turn, ("as_of", "asks", "answer", "final_answer")),
        "sentences": [_sentence(sentence) for sentence in turn.sentences],
        "sources": [_source(source) | {"place": place_of(source)} for source in turn.sources],
        "review": _review(turn.review) if turn.review else None,
        "candidates": [asdict(candidate) for candidate in turn.candidates],
        "tree": {"nodes": [_node(node) for node in turn.nodes]},
        "rounds": turn.round,
        **_fields(turn, ("invented_markers", "message")),
        "faults": [_fields(fault, ("what", "action")) for fault in turn.faults],
        "usage": {name: round(getattr(turn.usage, name), 4) for name in turn.usage.__dataclass_fields__},
    }


_OF_QUESTION = "profile question standalone_question task system status outcome".split()
_OF_SENTENCE = "text start end citations marks support uncarried probability".split()
_OF_REVIEW = "outcome model first second passages probability before place answers seconds".split()
_OF_SOURCE = "confidence probability query verdict node".split()
_OF_NODE = (
    "id parent round query model_answer reader_answer answer verdict rule confidence probability passage on_path"
).split()


def _fields(value: Any, names: Iterable[str]) -> dict[str, Any]:
    """Return the fields ``names`` of a value as values of JSON."""
    return {name: _plain(getattr(value, name)) for name in names}


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value.value if isinstance(value, StrEnum) else value


def _sentence(sentence: Sentence) -> dict[str, Any]:
    return _fields(sentence, _OF_SENTENCE) | {
        "marks": [asdict(mark) for mark in sentence.marks],
        "uncarried": [asdict(span) for span in sentence.uncarried],
        "probability": rounded(sentence.probability),
    }


def _review(review: ReplyReviewed) -> dict[str, Any]:
    return _fields(review, _OF_REVIEW) | {
        "probability": rounded(review.probability),
        "before": rounded(review.before),
        "answers": [
            asdict(one) | {name: rounded(getattr(one, name)) for name in ("before", "says_yes", "probability")}
            for one in review.answers
        ],
        "seconds": round(review.seconds, 4),
    }


def _source(source: Source) -> dict[str, Any]:
    return {
        "number": source.number,
        **_fields(source.passage, ("title", "text", "url")),
        "span": asdict(source.span) if source.span else None,
        **_fields(source, _OF_SOURCE),
        "probability": rounded(source.probability),
    }


def _node(node: Node) -> dict[str, Any]:
    return _fields(node, _OF_NODE) | {
        "probability": rounded(node.probability),
        "passage": node.passage.id if node.passage else None,
    }


def rounded(probability: float | None) -> float | None:
    """Round ``probability`` to four places, as in JSON."""
    return None if probability is None else round(probability, 4)
