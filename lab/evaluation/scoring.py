"""A finished turn and its example → the line of ``eval --out``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lab.evaluation import metrics, official
from lab.evaluation.citations import SupportCheck, citation_scores
from lab.evaluation.examples import Example
from searchain.annotation.measures import skc
from searchain.annotation.protocol import Item, ItemMark, ItemSource, Origin
from searchain.events import Turn
from searchain.turn_json import as_json
from searchain.types import Span


def line_of(example: Example, turn: Turn, check: SupportCheck | None = None) -> dict[str, Any]:
    """The turn's JSON with the example, the scores of the answer, and what every search found; the scores of the
    citations are ``None`` without a ``check``."""
    values = as_json(turn, conversation="", turn_id=example.id)
    reply = metrics.without_marks(turn.answer, (mark for s in values["sentences"] for mark in s["marks"]))
    precision, recall = citation_scores(values, check) if check else (None, None)
    searches = list(turn.hits.values())
    is_searched = turn.settings.get("use_ir", True) and not example.is_left_out
    titles = example.supporting_titles if is_searched else ()
    return {
        "id": example.id,
        "type": example.type,
        "license": example.license,
        "answers": list(example.answers),
        "supporting_titles": list(example.supporting_titles),
        "steps": [{"query": step.query, "answer": step.answer, "title": step.title} for step in example.steps],
        **_answerable(example),
        "cover_em": metrics.cover_em(turn.final_answer, example.answers),
        "cover_em_reply": metrics.cover_em_reply(reply, example.answers),
        "f1": round(metrics.f1(turn.final_answer, example.answers), 4),
        "cover_em_paper": official.cover_em_paper(reply, example.answers),
        "em_official": official.em_official(turn.final_answer, example.answers),
        "f1_official": round(official.f1_official(turn.final_answer, example.answers), 4),
        "reply_words": len(reply.split()),
        "rouge_l": round(metrics.rouge_l(reply, example.answers), 4),
        "skc": _skc(
            turn.answer,
            (Span(sentence.start, sentence.end) for sentence in turn.sentences),
            {(mark.number, mark.start, mark.end) for sentence in turn.sentences for mark in sentence.marks},
        ),
        "recall_1": metrics.recall(searches, titles, 1),
        "recall_5": metrics.recall(searches, titles, 5),
        "citation_precision": precision,
        "citation_recall": recall,
        **values,
        "searches": [
            {
                "node": node,
                "query": turn.node(node).query,
                "hits": [
                    {
                        "id": hit.passage.id,
                        "title": hit.passage.title,
                        "has_answer": any(metrics.covers(hit.passage.text, answer) for answer in example.answers),
                    }
                    for hit in hits
                ],
            }
            for node, hits in turn.hits.items()
        ],
    }


def _answerable(example: Example) -> dict[str, bool]:
    """What is known about the answer standing in the corpus; nothing where nobody checked."""
    if example.answerable is None:
        return {}
    return {"answerable": example.answerable, "left_out": example.is_left_out}


def _skc(answer: str, sentences: Iterable[Span], marks: Iterable[tuple[int, int, int]]) -> int:
    """The SKC of an answer whose ``marks`` (number, start, end) all name a document."""
    found = tuple(ItemMark(index, *mark) for index, mark in enumerate(sorted(marks, key=lambda mark: mark[1])))
    sources = tuple(ItemSource(number, "", "", None) for number in {mark.number for mark in found})
    return skc(Item("", Origin.TURN, "", "", "", None, answer, tuple(sentences), found, sources))
