"""Stories: the events of runs written by hand, for tests that need no model and no index.

``nintendo`` is short and supported, ``everest`` is long and not sure; ``unrated`` is a story as it was stored before
there were outcomes. ``path_node`` is one step of a checked path.
"""

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import Any

from searchain import events as run
from searchain import types
from searchain.events import Event, NodeJudged, NodeParsed, ReplyDelta, RunFinished, RunStarted, SentenceBound
from searchain.types import Hit, Outcome, Passage, Reading, Sentence, Source, Span, Status, Support, Usage, Verdict
from tests.support.json_lines import kept


def span(passage: Passage, text: str) -> Span:
    """Find the place of ``text`` in the passage."""
    start = passage.text.index(text)
    return Span(start, start + len(text))


def started(question: str) -> tuple[Event, ...]:
    """Return the events with which every story begins."""
    return (
        RunStarted(question=question, model="a scripted model", index="default", profile="default", settings={}),
        run.TaskChosen(task=types.TaskKind.MULTIHOP, by="rule"),
    )


def found(node: str, query: str, passage: Passage, answer: str, confidence: float) -> tuple[Event, ...]:
    """Return the search for a step and what the Reader reads in the passage it finds."""
    reading = Reading(answer, span(passage, answer), confidence)
    return (
        run.Searched(node=node, query=query, hits=(Hit(passage, 21.5, 1),), seconds=0.02),
        run.NodeRead(node=node, passage=passage.id, rank=1, reading=reading, seconds=0.05),
    )


def ending(status: Status, outcome: Outcome | None = None, **more: Any) -> RunFinished:
    """Return the last event of a run; nothing was counted, and no answer is given, unless ``more`` says so."""
    given = {"final_answer": "", "invented_markers": 0, "usage": Usage()} | more
    return RunFinished(status=status, outcome=outcome, **given)


def reply(
    *sentences: tuple[str, Support], probabilities: Iterable[float | None] | None = None
) -> tuple[SentenceBound, ...]:
    """Bind the sentences one after the other, with a space between; each ``[n]`` in a text is a mark."""
    bound, at = [], 0
    rated = [None] * len(sentences) if probabilities is None else probabilities
    for (text, support), probability in zip(sentences, rated, strict=True):
        marks = tuple(
            types.Mark(n, at + text.index(f"[{n}]"), at + text.index(f"[{n}]") + 3)
            for n in range(1, 10)
            if f"[{n}]" in text
        )
        bound.append(SentenceBound(sentence=Sentence(text, at, at + len(text), marks, support, probability)))
        at += len(text) + 1
    return tuple(bound)


def citing(*cited: tuple[Passage, str], index: str = "default", question: str = "What is said?") -> tuple[Event, ...]:
    """Return a run whose reply is one sentence for each passage, which cites these words of it."""
    nodes, sure = [f"n{number}" for number in range(1, len(cited) + 1)], {"probability": 0.91, "threshold": 0.9}
    sources = tuple(
        Source(number, passage, span(passage, words), 6.0, question, Verdict.COMPLETED, f"n{number}", 0.91)
        for number, (passage, words) in enumerate(cited, 1)
    )
    said = reply(
        *((f"It is {words} [{number}].", Support.SUPPORTED) for number, (_, words) in enumerate(cited, 1)),
        probabilities=[0.91] * len(cited),
    )
    return (
        *(replace(one, index=index) if isinstance(one, RunStarted) else one for one in started(question)),
        run.RoundStarted(round=1),
        *(NodeParsed(node=node, parent=None, round=1, query=question, answer=None) for node in nodes),
        *(event for node, one in zip(nodes, cited, strict=True) for event in found(node, question, *one, 6.0)),
        *(
            NodeJudged(node=node, verdict=Verdict.COMPLETED, rule="read", before=None, after=words)
            for node, (_, words) in zip(nodes, cited, strict=True)
        ),
        run.TracingStarted(path=tuple(nodes), writer="template"),
        ReplyDelta(text=" ".join(one.sentence.text for one in said), sources=sources),
        *said,
        ending(Status.ANSWERED, Outcome.SUPPORTED, final_answer=cited[0][1], usage=Usage(seconds=1.0), **sure),
    )


@cache
def _stored(name: str) -> tuple[Event, ...]:
    """Read a story that is kept as its events are stored."""
    return tuple(map(run.from_payload, kept("stories.json")[name]))


def _told(name: str, question: str | None) -> tuple[Event, ...]:
    """Tell a stored story, of another ``question`` if one is given."""
    first, *events = _stored(name)
    return (first if question is None else replace(first, question=question), *events)


def nintendo(question: str | None = None) -> tuple[Event, ...]:
    """Return a run of two rounds: Tokyo is corrected to Kyoto, then the open island is completed.

    The reply is supported; one sentence of it is the model's own.
    """
    return _told("nintendo", question)


def everest(question: str | None = None) -> tuple[Event, ...]:
    """Return a run of twelve nodes in three rounds, with long names and passages, a second script and weak steps.

    The first correction mends n2 and sets n3 aside, the second mends n6; n8 to n12 stay unconfirmed, so that the reply
    is not sure.
    """
    return _told("everest", question)


def compared(question: str | None = None) -> tuple[Event, ...]:
    """Return a run that puts two articles side by side, one paragraph each."""
    return _told("compared", question)


QUESTION = nintendo()[0].question
NINTENDO, KYOTO = (event.hits[0].passage for event in nintendo() if isinstance(event, run.Searched))
_FOUND = next(event for event in everest() if isinstance(event, run.Searched)).hits
EVEREST = _FOUND[0].passage


def not_found(question: str = "Who is the mayor of Atlantis?") -> tuple[Event, ...]:
    """Return a run that finds no answer: the nearest passage is cited, and others were found."""
    first = "I found no answer."
    second = "No passage answers this; the nearest is “Mount Everest” [1]."
    why = f"no answer to the step {question!r} was found"
    source = Source(1, EVEREST, None, -1.0, question, Verdict.UNCONFIRMED, "n1", 0.1)
    return (
        *started(question),
        run.RoundStarted(round=1),
        NodeParsed(node="n1", parent=None, round=1, query=question, answer=None),
        run.Searched(node="n1", query=question, hits=_FOUND, seconds=0.1),
        run.NodeRead(node="n1", passage=EVEREST.id, rank=1, reading=Reading("", None, -1.0), seconds=0.1),
        NodeJudged(node="n1", verdict=Verdict.UNCONFIRMED, rule="no-span", before=None, after=None, probability=0.2),
        run.TracingStarted(path=("n1",), writer="template"),
        ReplyDelta(text=f"{first} {second}", sources=(source,)),
        *reply((first, Support.OWN), (second, Support.OWN)),
        ending(Status.NOT_FOUND, Outcome.NOT_FOUND, threshold=0.9, usage=Usage(llm_calls=1, seconds=3.1), message=why),
    )


def unrated(events: Iterable[Event]) -> tuple[Event, ...]:
    """Return ``events`` as they were stored before there were outcomes: in version 1, without any probability."""
    return tuple(_unrated(event) for event in events)


_BEFORE = {Support.QUOTED: Support.VERIFIED, Support.SUPPORTED: Support.COMPLETED, Support.OWN: Support.NONE}


def _unrated(event: Event) -> Event:
    match event:
        case RunStarted():
            return replace(event, version=1)
        case run.NodeRead():
            reading = replace(event.reading, likelihood=None, lead=None, probability=None)
            return replace(event, reading=reading, version=1)
        case NodeJudged():
            return replace(event, probability=None, version=1)
        case ReplyDelta():
            return replace(event, sources=tuple(replace(one, probability=None) for one in event.sources), version=1)
        case SentenceBound():
            is_first = "headquarters" in event.sentence.text
            support = Support.CORRECTED if is_first else _BEFORE[event.sentence.support]
            return replace(event, sentence=replace(event.sentence, support=support, probability=None), version=1)
        case RunFinished():
            return replace(event, outcome=None, probability=None, threshold=None, version=1)
    return event


PATH_TEXT = "Nintendo Co., Ltd. is a Japanese company headquartered in Kyoto. It makes games."
PATH_PASSAGE = Passage("p", "Nintendo", PATH_TEXT)


def path_node(verdict=Verdict.AGREED, answer="Kyoto", confidence=5.0, id="n1", passage=PATH_PASSAGE, **more):
    """Return a step that names the city of Nintendo."""
    read = {"verdict": verdict, "confidence": confidence, "passage": passage, "span": span(PATH_PASSAGE, "Kyoto")}
    return types.Node(id=id, parent=None, round=1, query="In which city is Nintendo?", answer=answer, **read, **more)
