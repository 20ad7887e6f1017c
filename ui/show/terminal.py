"""A run as lines of text for a terminal: its progress, tree, sources and timings.

Questions, passages and model output are untrusted: every text passes ``one_line`` or ``clean`` before it is shown.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Any

import searchain.events as events
from searchain.language.text import plural
from searchain.safe_text import clean, one_line
from searchain.types import Node, Outcome, Source, Status, Verdict
from ui.show.labels import ending, other_system, searched, state, sureness, understood, waiting, weighed
from ui.show.passages import around, by_passage, unlabelled
from ui.show.second_reading import changes, reviewed
from ui.show.tree_order import depth_first

LOADING = "loading the models …"
_AROUND = 80  # characters of the passage quoted on each side of the span


def progress(event: events.Event, turn: events.Turn) -> str | None:
    """Describe ``event`` in one line, or return ``None``; ``turn`` is the state after it."""
    match event:
        case events.RunStarted():
            system = other_system(event.system, event.model)
            return _line(model=event.model, index=searched(turn), profile=event.profile, system=system)
        case events.Waiting():
            return LOADING if event.is_loading else waiting(event.ahead)
        case events.QuestionRewritten() if event.standalone != turn.question:
            return one_line(f"understood as: {event.standalone}")
        case events.RoundStarted():
            return "thinking about what to look up" if event.round == 1 else None
        case events.NodeParsed() if sum(node.query == event.query for node in turn.nodes) == 1:
            return _begun(event, turn)
        case events.NodeJudged() if event.same_as is None:  # else it was told before
            return f"  {_node(turn, turn.node(event.node))}"
        case events.SamplesWeighed():
            return _drawn(event)
        case events.CandidatesWeighed():
            return f"  {one_line(weighed(turn))}"
        case events.ReviewStarted():
            return one_line(f"checking with {event.model} …")
        case events.ReplyReviewed():
            return f"  {one_line(reviewed(event))}"
        case events.ModelFault():
            return _notice(event.what, event.action)
    return None


def warn(what: str, action: str) -> None:
    """Write to standard error what happened, and what is done about it."""
    print(_notice(what, action), file=sys.stderr)


def _notice(what: str, action: str) -> str:
    return f"  ! {one_line(what)}; {one_line(action)}"


def _begun(event: events.NodeParsed, turn: events.Turn) -> str:
    # a run that searches nothing never judges its steps
    answer = f" → {one_line(event.answer)}" if event.answer and turn.settings.get("use_ir") is False else ""
    return f"  · {one_line(event.query)}{answer}"


def _drawn(event: events.SamplesWeighed) -> str:
    chosen = "" if event.chosen is None else f"; most votes: {event.samples[event.chosen].answer or 'none'}"
    return f"  {one_line(f'{len(event.samples)} {event.kind} drawn{chosen}')}"


def tree(turn: events.Turn) -> Iterator[str]:
    """Yield the Tree-of-Reasoning, one line per node."""
    rails: list[str] = []
    for node, level, place, siblings in depth_first(turn):
        del rails[level - 1 :]
        is_last = place == siblings
        off = "" if node.on_path else " (off the path)"
        yield f"{''.join(rails)}{'└─' if is_last else '├─'} {_node(turn, node, is_full=True)}{off}"
        rails.append("   " if is_last else "│  ")


def sources(turn: events.Turn, places: Sequence[dict[str, Any] | None] = ()) -> Iterator[str]:
    """Yield the numbered sources: title, address or place, and the cited span within its surroundings.

    Args:
        places: the ``place`` in each source's JSON.
    """
    place_of = dict(zip((source.number for source in turn.sources), places, strict=False))
    for same in by_passage(turn.sources):
        numbers = "".join(f"[{source.number}]" for source in same)
        passage, place = same[0].passage, place_of.get(same[0].number)
        where = passage.url or (where_in_document(place) if place else "")
        yield one_line(f"{numbers} {passage.title} {where}")
        for source in same:
            yield f"    {f'[{source.number}] ' if len(same) > 1 else ''}{_quote(source)}"


def where_in_document(place: dict[str, Any]) -> str:
    """Describe the ``place`` in a source's JSON: ``(report.pdf, page 12)``, ``(rates.xlsx, Costs!B4)``."""
    name, label = place["name"] or "a document that was removed", place["page_label"]
    pages = [str(region["page"]) for region in place["regions"]]
    if pages:
        number = f"page {'–'.join(dict.fromkeys((pages[0], pages[-1])))}"
        label = f"{number} ({label})" if label and label != pages[0] else number
    return f"({', '.join(filter(None, (name, label)))})"


def label(status: Status | None, outcome: Outcome | None, probability: float | None) -> str:
    """Return an outcome as sign and word: ``✓ Supported``; ``running`` before the end, ``""`` without a search."""
    if status is None:
        return "running"
    sign = ending(status, outcome, probability)
    return f"{sign.icon} {sign.word}" if sign else ""


def rating(turn: events.Turn) -> str:
    """Return the label of ``turn`` and its odds: ``✓ Supported · about 9 in 10 such answers are right``."""
    told = label(turn.status, turn.outcome, turn.probability)
    return " · ".join(filter(None, (told, sureness(turn))))


def timings(turn: events.Turn) -> str:
    """Describe the cost of the run in one line."""
    usage = turn.usage
    return (
        f"{plural(turn.round, 'round')} · {plural(usage.llm_calls, 'model call')} · "
        f"{usage.prompt_tokens} + {usage.completion_tokens} tokens · model {usage.llm_seconds:.1f} s · "
        f"retrieval {usage.retrieval_seconds:.1f} s · reader {usage.reader_seconds:.1f} s · "
        f"in all {usage.seconds:.1f} s"
    )


def transcript(turn: events.Turn) -> Iterator[str]:
    """Yield the lines of a whole turn."""
    yield one_line(turn.question)
    if completed := understood(turn):
        yield one_line(f"understood as: {completed}")
    rated, system = filter(None, [rating(turn)]), other_system(turn.system, turn.model)
    yield _line(*rated, model=turn.model, index=searched(turn), profile=turn.profile, system=system, task=turn.task)
    if turn.message:
        yield one_line(turn.message)
    if turn.candidates:
        yield one_line(weighed(turn))
    if turn.review:
        yield one_line(reviewed(turn.review))
    for title, lines in (
        ("Tree", list(tree(turn))),
        ("Reply", clean(turn.answer).splitlines()),
        ("Sources", list(sources(turn))),
        ("Changed since", [one_line(f"[{number}] {text}") for text, number in changes(turn)]),
        ("Faults", [one_line(f"{fault.what}; {fault.action}") for fault in turn.faults]),
    ):
        if lines:
            yield from ("", title, *lines)
    yield from ("", timings(turn))


def _line(*values: str, **named: str | None) -> str:
    return one_line(" · ".join([*values, *(f"{name} {value}" for name, value in named.items() if value)]))


def _node(turn: events.Turn, node: Node, *, is_full: bool = False) -> str:
    label = state(turn, node)
    answer = _answer(node.answer)
    if node.verdict is Verdict.CORRECTED and node.model_answer:
        answer = f"{_answer(node.model_answer)} ⇒ {answer}"
    elif node.verdict is Verdict.DISPUTED and node.reader_answer:
        answer = f"{answer} ≠ {_answer(node.reader_answer)}"
    sure = f", f = {node.confidence:.1f}" if is_full and node.confidence is not None else ""
    evidence = f" [{one_line(node.passage.title)}{sure}]" if node.passage else ""
    return f"{label.icon} {label.word}: {one_line(node.query)} → {answer}{evidence}"


def _answer(answer: str | None) -> str:
    return one_line(answer) if answer is not None else "no answer"


def _quote(source: Source) -> str:
    text, span = unlabelled(source.passage.text, source.span)
    begin, until = around(text, span, _AROUND)
    found = f"{text[begin : span.start]}«{source.quote}»{text[span.end : until]}" if span else text[:until]
    return one_line(f"“{'…' if begin else ''}{found}{'…' if until < len(text) else ''}”")
