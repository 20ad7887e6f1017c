"""Convert a turn to the JSON object of ``ask --json`` (and of every line of ``eval --out``)."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from searchain.events import ReplyReviewed, Turn
from searchain.types import Node, Sentence, Source, Span

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
        "model": turn.model,
        "index": turn.index,
        **({"collections": list(turn.collections)} if turn.collections else {}),
        **({"files": turn.files, "files_unread": turn.unread} if turn.unread else {}),
        "profile": turn.profile,
        "question": turn.question,
        "standalone_question": turn.standalone_question,
        "task": turn.task.value if turn.task else None,
        "system": turn.system,
        "status": turn.status.value if turn.status else None,
        "outcome": turn.outcome.value if turn.outcome else None,
        "probability": rounded(turn.probability),
        "conflict": [asdict(one) | {"sources": list(one.sources)} for one in turn.conflict],
        "asks": turn.asks,
        "answer": turn.answer,
        "final_answer": turn.final_answer,
        "sentences": [_sentence(sentence) for sentence in turn.sentences],
        "sources": [_source(source) | {"place": place_of(source)} for source in turn.sources],
        "review": _review(turn.review) if turn.review else None,
        "candidates": [asdict(candidate) for candidate in turn.candidates],
        "tree": {"nodes": [_node(node) for node in turn.nodes]},
        "rounds": turn.round,
        "invented_markers": turn.invented_markers,
        "message": turn.message,
        "faults": [{"what": fault.what, "action": fault.action} for fault in turn.faults],
        "usage": {name: round(getattr(turn.usage, name), 4) for name in turn.usage.__dataclass_fields__},
    }


def _sentence(sentence: Sentence) -> dict[str, Any]:
    return {
        "text": sentence.text,
        "start": sentence.start,
        "end": sentence.end,
        "citations": list(sentence.citations),
        "marks": [{"number": mark.number, "start": mark.start, "end": mark.end} for mark in sentence.marks],
        "support": sentence.support.value,
        "uncarried": [{"start": span.start, "end": span.end} for span in sentence.uncarried],
        "probability": rounded(sentence.probability),
    }


def _review(review: ReplyReviewed) -> dict[str, Any]:
    return {
        "outcome": review.outcome,
        "model": review.model,
        "first": review.first,
        "second": review.second,
        "passages": list(review.passages),
        "probability": rounded(review.probability),
        "before": rounded(review.before),
        "place": review.place,
        "answers": [
            asdict(one) | {name: rounded(getattr(one, name)) for name in ("before", "says_yes", "probability")}
            for one in review.answers
        ],
        "seconds": round(review.seconds, 4),
    }


def _source(source: Source) -> dict[str, Any]:
    return {
        "number": source.number,
        "title": source.passage.title,
        "text": source.passage.text,
        "url": source.passage.url,
        "span": _span(source.span),
        "confidence": source.confidence,
        "probability": rounded(source.probability),
        "query": source.query,
        "verdict": source.verdict.value,
        "node": source.node,
    }


def _node(node: Node) -> dict[str, Any]:
    return {
        "id": node.id,
        "parent": node.parent,
        "round": node.round,
        "query": node.query,
        "model_answer": node.model_answer,
        "reader_answer": node.reader_answer,
        "answer": node.answer,
        "verdict": node.verdict.value if node.verdict else None,
        "rule": node.rule,
        "confidence": node.confidence,
        "probability": rounded(node.probability),
        "passage": node.passage.id if node.passage else None,
        "on_path": node.on_path,
    }


def rounded(probability: float | None) -> float | None:
    """Round ``probability`` to four places, as in JSON."""
    return None if probability is None else round(probability, 4)


def _span(span: Span | None) -> dict[str, int] | None:
    return {"start": span.start, "end": span.end} if span else None
