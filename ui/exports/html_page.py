"""HTML: one self-contained page, without scripts and without a single request, for reading, sending and printing.

A citation leads to its source, where the span that decided is marked; a source leads back to where it is cited. The
page's policy forbids everything but its own style sheet, so that even markup that slipped through could load nothing.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator
from itertools import chain, groupby
from pathlib import Path

from searchain.events import Turn
from searchain.safe_text import escape, web_address
from searchain.types import Sentence, Source
from storage.history.finished_turns import Record
from storage.log.conversations import title as title_of
from ui.show.labels import (
    VERDICTS,
    backing,
    ending,
    likely,
    old_answer,
    outcome,
    provenance,
    rated,
    ratings,
    state,
    weighed,
)
from ui.show.terminal import timings
from ui.show.tree_order import depth_first, set_aside

_STYLE = Path(__file__).with_suffix(".css").read_text(encoding="utf-8")
_SUM = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
POLICY = f"default-src 'none'; style-src 'sha256-{_SUM}'"
"""The page's Content-Security-Policy."""


def write(records: Iterable[Record], *, title: str = "Conversations", note: str = "") -> Iterator[str]:
    """The page's head with the line ``note``, each conversation turn by turn, its end."""
    yield f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">
<title>{escape(title)}</title><style>{_STYLE}</style></head><body><main>
"""
    if note:
        yield f'<p class="quiet small">{escape(note)}</p>\n'
    for _, turns in groupby(records, key=lambda record: record.conversation):
        yield from _conversation(turns)
    yield "</main></body></html>\n"


def _conversation(turns: Iterator[Record]) -> Iterator[str]:
    first, second = next(turns), next(turns, None)
    turn = first.state()
    is_alone = second is None and first.title == title_of(turn.question)  # else the page would say it twice
    yield (
        f'<section class="conversation" id="{escape(first.conversation)}"><h1 dir="auto">'
        f"{escape(turn.question if is_alone else first.title)}</h1>\n"
    )
    yield _turn(first, turn, is_headed=is_alone)
    for record in chain([second] if second else [], turns):
        yield _turn(record, record.state())
    yield "</section>\n"


def _turn(record: Record, turn: Turn, *, is_headed: bool = False) -> str:
    heading = "" if is_headed else f'<h2 dir="auto">{escape(turn.question)}</h2>'
    understood = (
        f'<p class="quiet" dir="auto">Understood as: {escape(turn.standalone_question)}</p>'
        if turn.standalone_question != turn.question
        else ""
    )
    about = " · ".join(map(escape, filter(None, (*provenance(turn, record.created), likely(turn.probability)))))
    return (
        f'<article id="{escape(record.turn)}">{heading}{understood}'
        f'<div class="reply" dir="auto">{_reply(record.turn, turn)}</div>{_legend(turn)}'
        f"{_outcome(turn)}{_sources(record.turn, turn)}{_tree(turn)}"
        f'<p class="quiet small">{about}<br>{escape(timings(turn))}</p></article>\n'
    )


def _outcome(turn: Turn) -> str:
    """How the run ended, and why; nothing where nothing was searched."""
    label, message = ending(turn.status, turn.outcome), turn.message
    told = f'{label.icon} <b dir="auto">{escape(outcome(turn))}</b>' if label else ""
    quiet = f'<span class="quiet">{escape(message)}</span>' if message else ""
    said = " ".join(filter(None, (told, quiet)))
    return f'<p class="outcome is-{label.name if label else "plain"}">{said}</p>' if said else ""


def _reply(id: str, turn: Turn) -> str:
    parts: list[str] = []
    cited: set[int] = set()
    at = 0
    for sentence in turn.sentences:
        parts += _lines(turn.answer[at : sentence.start]), _sentence(id, turn, sentence, cited)
        at = sentence.end
    return "".join((*parts, _lines(turn.answer[at:])))


def _sentence(id: str, turn: Turn, sentence: Sentence, cited: set[int]) -> str:
    label = rated(turn, sentence)
    parts: list[str] = []
    for piece in turn.pieces(sentence.start, sentence.end):
        if isinstance(piece, str):
            parts.append(_lines(piece))
        else:
            number = piece[0].number
            # where its source leads back to
            anchor = "" if number in cited else f' id="c-{escape(id)}-{number}"'
            cited.add(number)
            parts.append(f'<a class="cite"{anchor} href="#s-{escape(id)}-{number}">[{number}]</a>')
    if label is None:
        return f"<span>{''.join(parts)}</span>"
    return (
        f'<span class="is-{label.name}">{"".join(parts)}'
        f'<span class="icon" title="{backing(sentence, label)}">{label.icon}</span></span>'
    )


def _legend(turn: Turn) -> str:
    entries = [
        f'<span class="is-{label.name}"><span class="icon">{label.icon}</span> {label.word}: {label.help}</span>'
        for label in ratings(turn)
    ]
    return f'<p class="legend">{"".join(entries)}</p>' if entries else ""


def _sources(id: str, turn: Turn) -> str:
    cards = "".join(_source(id, source) for source in turn.sources)
    return f'<h3>Sources</h3><ol class="sources">{cards}</ol>' if cards else ""


def _source(id: str, source: Source) -> str:
    label, passage, number = VERDICTS[source.verdict], source.passage, source.number
    before, quote, after = map(_lines, source.parts)
    text = f"{before}<mark>{quote}</mark>{after}" if source.span else before
    address = web_address(passage.url)
    sure = f" · {likely(source.probability)}" if source.probability is not None else ""
    link = f' · <a href="{address}" rel="noopener noreferrer nofollow">{address}</a>' if address else ""
    return (
        f'<li id="s-{escape(id)}-{number}" value="{number}"><p class="title" dir="auto">'
        f'<a class="cite" href="#c-{escape(id)}-{number}" title="Back to the reply">[{number}] ↩</a> '
        f'{escape(passage.title)} <span class="verdict is-{label.name}">{label.icon} {label.word}</span></p>'
        f'<blockquote dir="auto">{text}</blockquote><p class="quiet small" dir="auto">{escape(source.query)} · '
        f"f = {source.confidence:.2f}{sure}{link}</p></li>"
    )


def _tree(turn: Turn) -> str:
    reasons = set_aside(turn)
    items = []
    for node, level, *_ in depth_first(turn):
        label, old, reason = state(turn, node), old_answer(turn, node), reasons.get(node.id)
        before = f"<s>{escape(old)}</s> → " if old else ""
        answer = f"{before}<b>{escape(node.answer)}</b>" if node.answer else '<i class="quiet">open</i>'
        # no style attribute passes the policy, so levels are classes, the deepest for all below it
        items.append(
            f'<li class="level-{min(level, 8)}{" aside" if reason else ""}" dir="auto">'
            f'<span class="quiet">R{node.round}</span> <span class="verdict is-{label.name}">{label.icon} '
            f"{label.word}</span> {escape(node.query)} {answer}"
            + (f'<br><span class="quiet small">{escape(reason)}</span>' if reason else "")
            + "</li>"
        )
    also = f'<p class="quiet small">{escape(weighed(turn))}</p>' if turn.candidates else ""
    return f'<h3>Tree of reasoning</h3><ul class="tree">{"".join(items)}</ul>{also}' if items else ""


def _lines(text: str) -> str:
    """``text`` escaped, its line breaks kept."""
    return "<br>".join(escape(line) for line in text.split("\n"))
