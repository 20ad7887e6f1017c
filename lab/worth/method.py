"""SearChain and its paper's profile, answering as one of the compared systems."""

from __future__ import annotations

from collections.abc import Iterator

from lab.worth.questions import Question
from lab.worth.replies import Reply, Said, without_marks
from searchain.events import Event, TracingStarted, fold
from searchain.methods.base import Answerer
from searchain.types import Outcome, Status


def searched(question: Question, answerer: Answerer) -> Reply:
    """Return the reply of a whole run; one that failed or was stopped says why."""
    writers: list[str] = []

    def noting() -> Iterator[Event]:
        for event in answerer.stream(question.text, history=question.history):
            if isinstance(event, TracingStarted):
                writers.append(event.writer)
            yield event

    turn = fold(noting())
    numbered = {source.number: source.passage for source in turn.sources}
    found = {hit.passage.id: hit.passage for hits in turn.hits.values() for hit in hits}
    has_ended = turn.status not in (Status.FAILED, Status.STOPPED)
    return Reply(
        text=turn.answer,
        final=turn.final_answer,
        sentences=tuple(Said(_bare(sentence.text), tuple(sentence.citations)) for sentence in turn.sentences),
        numbered=numbered,
        found=tuple({**{one.id: one for one in numbered.values()}, **found}.values()),
        is_refusal=turn.outcome in (Outcome.NOT_FOUND, Outcome.NO_SEARCH),
        usage=turn.usage,
        writers=tuple(writers),
        failure="" if has_ended else turn.message or str(turn.status),
    )


def _bare(sentence: str) -> str:
    return " ".join(without_marks(sentence).split())
