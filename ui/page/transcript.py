"""A turn's state as chat messages: the question, the evolving chain, and the reply with its citations.

Every message is one line of escaped HTML (see ``escape``), so that Gradio's Markdown leaves it as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from searchain.events import SamplesWeighed, Turn
from searchain.language.text import plural
from searchain.safe_text import escape
from searchain.systems.base import SYSTEMS
from searchain.types import Mark, Node, Sentence, Source, Status, Support
from ui.page import ids, reply_buttons
from ui.show.labels import (
    backing,
    ending,
    is_of_the_web,
    old_answer,
    outcome,
    rated,
    ratings,
    reviewed,
    state,
    summary,
    waiting,
    weighed,
)
from ui.show.tree_order import set_aside

ChatMessage = dict[str, Any]
"""A message as ``gr.Chatbot`` takes it."""

_TAG = re.compile(r"^\W*(query|answer|unsolved query|final content)?\s*\d*\W*", re.IGNORECASE)
_MARK = re.compile(r"\[(\d+)\]")
_THOUGHTS = 4_000
"""Characters of the thoughts that are shown."""
_CLOSING = ".,;:!?)”»"
"""What must not begin a line of its own after a citation."""


Turns = Sequence[tuple[str, Turn]]


def conversation(turns: Turns) -> list[ChatMessage]:
    """All messages; a turn that is compared with an earlier one stands in a column beside its reply."""
    known = {id for id, _ in turns}
    compared: dict[str, list[tuple[str, Turn]]] = {}
    for id, turn in turns:
        if turn.beside in known:
            compared.setdefault(turn.beside or "", []).append((id, turn))
    firsts = ((id, turn) for id, turn in turns if turn.beside not in known)
    return [message for id, turn in firsts for message in messages(id, turn, compared.get(id, ()))]


def messages(turn_id: str, turn: Turn, compared: Turns = ()) -> list[ChatMessage]:
    """The question, the chain (open while it grows, one line when the run is over), and the reply once it begins, with
    the replies of the ``compared`` turns beside it."""
    is_over = turn.status is not None
    chain = {
        "role": "assistant",
        "content": _chain(turn),
        "metadata": {"title": summary(turn) if is_over else _doing(turn), "status": "done" if is_over else "pending"},
    }
    shown = [_asked(turn_id, turn.question), chain]
    if turn.answer or is_over:
        reply = _reply(turn_id, turn, is_compared=bool(compared))
        if compared:
            others = "".join(_column(id, other) for id, other in compared)
            reply = f'<div class="compared"><div class="column">{reply}</div>{others}</div>'
        shown.append({"role": "assistant", "content": reply})
    return shown


def _column(turn_id: str, turn: Turn) -> str:
    """A compared turn: its chain, folded when its run is over, and its reply."""
    is_over = turn.status is not None
    title = summary(turn) if is_over else _doing(turn)
    chain = (
        f'<details class="compared-chain"{"" if is_over else " open"}><summary>{escape(title)}</summary>'
        f"{_chain(turn)}</details>"
    )
    return f'<div class="column">{chain}{_reply(turn_id, turn, is_compared=True)}</div>'


def _asked(turn_id: str, question: str) -> ChatMessage:
    return {
        "role": "user",
        "content": f'<div class="asked"><div class="question">{escape(question)}</div>'
        f"{reply_buttons.on_question(turn_id)}</div>",
    }


def notice(text: str) -> ChatMessage:
    """One line to the user that belongs to no turn: what went wrong and what to do."""
    return {"role": "assistant", "content": f'<div class="notice"><b aria-hidden="true">!</b> {escape(text)}</div>'}


def _doing(turn: Turn) -> str:
    if turn.is_being_checked:
        return "Checking the reply"
    if turn.waiting is not None:
        return waiting(turn.waiting).capitalize()
    if turn.writer is not None:
        return "Writing the reply"
    return "Searching the web for evidence" if is_of_the_web(turn) else "Searching for evidence"


def _chain(turn: Turn) -> str:
    lines, aside = [], set_aside(turn)
    if turn.standalone_question != turn.question:
        lines.append(f'<li class="line">Understood as: {escape(turn.standalone_question)}</li>')
    for round in range(1, turn.round + 1):
        lines.append(f'<li class="round-head">Round {round}</li>')
        lines.extend(_step(turn, node, is_aside=node.id in aside) for node in turn.nodes if node.round == round)
    if turn.status is None and turn.writer is None:
        lines.append(f'<li class="line writing">{escape(_unfinished(turn))}<span class="caret"></span></li>')
    lines.extend(_drawn(event) for event in turn.weighed)
    if turn.candidates:
        lines.append(f'<li class="line">{escape(weighed(turn))}</li>')
    if turn.review:
        lines.append(f'<li class="line">{escape(reviewed(turn.review))}</li>')
    if turn.thoughts:
        lines.append(_thoughts(turn.thoughts))
    lines.extend(f'<li class="line fault">{escape(fault.what)} {escape(fault.action)}</li>' for fault in turn.faults)
    return f'<ol class="chain">{"".join(lines)}</ol>'


def _drawn(event: SamplesWeighed) -> str:
    """What was drawn and how many votes each has, folded."""
    entries = []
    for place, one in enumerate(event.samples):
        said = escape(one.answer or one.text)
        votes = f" · {plural(one.votes, 'vote')}" if one.votes else ""
        entries.append(f"<li>{f'<b>{said}</b>' if place == event.chosen else said}{votes}</li>")
    title = f"{plural(len(event.samples), _DRAWN[event.kind], event.kind)} drawn in round {event.round}"
    return (
        f'<li class="line"><details class="drawn"><summary>{title}</summary><ul>{"".join(entries)}</ul></details></li>'
    )


_DRAWN = {"answers": "answer", "recitations": "recitation", "thoughts": "thought", "queries": "query"}


def _thoughts(text: str) -> str:
    """What the model thought, folded; of much only the last part, which is what it thinks now."""
    shown = text if len(text) <= _THOUGHTS else f"… {text[-_THOUGHTS:]}"
    folded = f"<summary>Thoughts</summary><div>{escape(shown)}</div>"
    return f'<li class="line"><details class="thoughts">{folded}</details></li>'


def _step(turn: Turn, node: Node, *, is_aside: bool) -> str:
    label, old = state(turn, node), old_answer(turn, node)
    before = f"<s>{escape(old)}</s> → " if old else ""
    answer = f' <span class="found">{before}<b>{escape(node.answer)}</b></span>' if node.answer else ""
    return (
        f'<li class="step is-{label.name}{" is-aside" if is_aside else ""}">'
        f'<span class="icon" aria-hidden="true">{label.icon}</span><span class="step-text">'
        f'<span class="query">{escape(node.query)}</span>{answer} <span class="verdict">{label.word}</span></span>'
        "</li>"
    )


def _unfinished(turn: Turn) -> str:
    """What the model is writing just now and no node shows yet."""
    if not turn.chains:
        return ""
    line = _TAG.sub("", turn.chains[-1].rstrip().rpartition("\n")[2])
    is_shown = any(line.strip() in (node.query, node.model_answer, node.answer) for node in turn.nodes)
    return "" if is_shown else line


def _reply(turn_id: str, turn: Turn, *, is_compared: bool = False) -> str:
    parts: list[str] = []
    at = 0
    for position, sentence in enumerate(turn.sentences):
        parts += escape(turn.answer[at : sentence.start]), _sentence(turn_id, turn, position, sentence)
        at = sentence.end
    marks = tuple(Mark(int(m[1]), m.start(), m.end()) for m in _MARK.finditer(turn.answer, at))
    unbound = Sentence(turn.answer[at:], at, len(turn.answer), marks, Support.NONE)
    parts.append(_with_chips(turn_id, replace(turn, sentences=(unbound,)).pieces(at)))
    text = f'<div class="reply">{"".join(parts)}</div>' if turn.answer else ""
    acts = reply_buttons.on_reply(turn_id, turn) if turn.status is not None else ""
    named = f'<div class="system">{escape(turn.system)}</div>' if is_compared or _is_other(turn) else ""
    return f'<div class="answer-block">{named}{text}{_legend(turn)}{_outcome(turn)}{acts}</div>'


def _is_other(turn: Turn) -> bool:
    """Whether another method than SearChain answered."""
    return turn.system in SYSTEMS and turn.system != "searchain"


def _sentence(turn_id: str, turn: Turn, position: int, sentence: Sentence) -> str:
    label, id = rated(turn, sentence), ids.sentence(turn_id, position)
    text = _with_chips(turn_id, turn.pieces(sentence.start, sentence.end))
    if label is None:
        return f'<span id="{id}" class="sentence">{text}</span>'
    word = f" {label.word}"
    if label.name != "unsure":
        word = f'<span class="unseen">{word}</span>'  # the icon and the legend say it to those who see
    return (
        f'<span id="{id}" class="sentence is-{label.name}">{text}'
        f'<span class="support" title="{escape(backing(sentence, label))}">{label.icon}{word}</span></span>'
    )


def _with_chips(turn_id: str, pieces: Iterable[str | tuple[Mark, Source]]) -> str:
    """Escape the texts of ``pieces``; each citation becomes a link to its card."""
    parts: list[str] = []
    chip = ""
    for piece in pieces:
        if not isinstance(piece, str):
            chip = _chip(turn_id, *piece)
        elif chip:
            after = piece[: len(piece) - len(piece.lstrip(_CLOSING))]
            parts += f'<span class="cited">{chip}{escape(after)}</span>', escape(piece[len(after) :])
            chip = ""
        else:
            parts.append(escape(piece))
    return "".join(parts)


def _chip(turn_id: str, mark: Mark, source: Source) -> str:
    number = source.number
    return (
        f'<a id="{ids.citation(turn_id, mark.start)}" href="#{ids.card(turn_id, number)}" class="cite" '
        f'role="button" title="Source {number}: {escape(source.passage.title)}">&#91;{number}&#93;</a>'
    )


def _legend(turn: Turn) -> str:
    """How far the sentences of this reply can be believed, in words."""
    entries = [
        f'<span class="is-{label.name}" title="{escape(label.help)}">'
        f'<span class="support">{label.icon}</span> {label.word}</span>'
        for label in ratings(turn)
    ]
    return f'<div class="legend">{"".join(entries)}</div>' if entries else ""


_CHECKING = (
    '<div class="outcome is-busy"><span aria-hidden="true">…</span> <b>Checking with the careful model</b> '
    '<span class="outcome-note">This is the first reply; it may still change. Stop keeps it as it is.</span></div>'
)


def _outcome(turn: Turn) -> str:
    """How the run ended, or that its reply is being checked; empty while it goes on, and where nothing was searched."""
    if turn.is_being_checked:
        return _CHECKING
    label = ending(turn.status, turn.outcome)
    if label is None:
        return ""
    rest = "What was found so far is kept." if turn.status is Status.STOPPED else turn.message
    after = f' <span class="outcome-note">{escape(rest)}</span>' if rest else ""
    return (
        f'<div class="outcome is-{label.name}"><span aria-hidden="true">{label.icon}</span> '
        f"<b>{escape(outcome(turn))}</b>{after}</div>"
    )
