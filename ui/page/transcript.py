"""A turn's state as chat messages: the question, the evolving chain, and the reply with its citations.

Every message is one line of escaped HTML (see ``escape``), so that Gradio's Markdown leaves it as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from searchain.events import Turn
from searchain.safe_text import escape
from searchain.types import Mark, Node, Sentence, Source, Status, Support
from ui.page import ids, reply_buttons
from ui.show.labels import backing, ending, old_answer, outcome, rated, ratings, state, summary, waiting, weighed
from ui.show.tree_order import set_aside

ChatMessage = dict[str, Any]
"""A message as ``gr.Chatbot`` takes it."""

_TAG = re.compile(r"^\W*(query|answer|unsolved query|final content)?\s*\d*\W*", re.IGNORECASE)
_MARK = re.compile(r"\[(\d+)\]")
_THOUGHTS = 4_000
"""Characters of the thoughts that are shown."""
_CLOSING = ".,;:!?)”»"
"""What must not begin a line of its own after a citation."""


def messages(turn_id: str, turn: Turn) -> list[ChatMessage]:
    """The question, the chain (open while it grows, one line when the run is over), and the reply once it begins."""
    is_over = turn.status is not None
    chain = {
        "role": "assistant",
        "content": _chain(turn),
        "metadata": {"title": summary(turn) if is_over else _doing(turn), "status": "done" if is_over else "pending"},
    }
    shown = [_asked(turn_id, turn.question), chain]
    if turn.answer or is_over:
        shown.append({"role": "assistant", "content": _reply(turn_id, turn)})
    return shown


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
    if turn.waiting is not None:
        return waiting(turn.waiting).capitalize()
    return "Writing the reply" if turn.writer is not None else "Searching for evidence"


def _chain(turn: Turn) -> str:
    lines, aside = [], set_aside(turn)
    if turn.standalone_question != turn.question:
        lines.append(f'<li class="line">Understood as: {escape(turn.standalone_question)}</li>')
    for round in range(1, turn.round + 1):
        lines.append(f'<li class="round-head">Round {round}</li>')
        lines.extend(_step(turn, node, is_aside=node.id in aside) for node in turn.nodes if node.round == round)
    if turn.status is None and turn.writer is None:
        lines.append(f'<li class="line writing">{escape(_unfinished(turn))}<span class="caret"></span></li>')
    if turn.candidates:
        lines.append(f'<li class="line">{escape(weighed(turn))}</li>')
    if turn.thoughts:
        lines.append(_thoughts(turn.thoughts))
    lines.extend(f'<li class="line fault">{escape(fault.what)} {escape(fault.action)}</li>' for fault in turn.faults)
    return f'<ol class="chain">{"".join(lines)}</ol>'


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


def _reply(turn_id: str, turn: Turn) -> str:
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
    return f'<div class="answer-block">{text}{_legend(turn)}{_outcome(turn)}{acts}</div>'


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


def _outcome(turn: Turn) -> str:
    """How the run ended; empty while it goes on, and where nothing was searched."""
    label = ending(turn.status, turn.outcome)
    if label is None:
        return ""
    rest = "What was found so far is kept." if turn.status is Status.STOPPED else turn.message
    after = f' <span class="outcome-note">{escape(rest)}</span>' if rest else ""
    return (
        f'<div class="outcome is-{label.name}"><span aria-hidden="true">{label.icon}</span> '
        f"<b>{escape(outcome(turn))}</b>{after}</div>"
    )
