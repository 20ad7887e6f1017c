"""The evidence column: one escaped card for every source that a reply cites, and below them what else was found."""

from __future__ import annotations

from collections.abc import Sequence

from searchain.events import Turn
from searchain.safe_text import escape, web_address
from searchain.types import Node, Source, Verdict
from ui.page import ids
from ui.page.also_found import also_found
from ui.page.passage import passage as folded
from ui.show.labels import VERDICTS, likely, old_answer, rule


def panel(turns: Sequence[tuple[str, Turn]]) -> str:
    """The cards of all ``turns`` (pairs of id and state), newest first, each group under its question."""
    groups = "".join(_group(id, turn, with_question=len(turns) > 1) for id, turn in reversed(turns))
    return (
        groups
        or '<p class="hint">Passages that a reply cites appear here. Choose a number like '
        '<span class="cite">&#91;1&#93;</span> in a reply to open its passage.</p>'
    )


def card(turn_id: str, turn: Turn, source: Source) -> str:
    """One source: its passage with the deciding span marked, and why it is cited. ``data-nodes`` names the elements of
    the tree that rest on it."""
    label = VERDICTS[source.verdict]
    node = turn.node(source.node)
    passage, address = source.passage, web_address(source.passage.url)
    link = (
        f'<a class="origin" href="{address}" target="_blank" rel="noopener noreferrer nofollow">Open the page</a>'
        if address
        else ""
    )
    rank = f"<div><dt>Rank</dt><dd>{node.rank} in its search</dd></div>" if node.rank is not None else ""
    sure = (
        f"<div><dt>How sure</dt><dd>{likely(source.probability)}</dd></div>" if source.probability is not None else ""
    )
    return (
        f'<details class="card" id="{ids.card(turn_id, source.number)}" '
        f'data-nodes="{" ".join(ids.node(turn_id, node.id) for node in turn.nodes if rests_on(node, source))}">'
        f"<summary>"
        f'<span class="number">&#91;{source.number}&#93;</span> <span class="title">{escape(passage.title)}</span> '
        f'<span class="verdict is-{label.name}" title="{escape(label.help)}">'
        f'<span aria-hidden="true">{label.icon}</span> {label.word}</span></summary>'
        f"{folded(passage.text, source.span)}{_original(turn_id, source)}"
        f'<p class="why"><b>Why this citation.</b> {_why(turn, source)}</p>'
        f"<dl><div><dt>Query</dt><dd>{escape(source.query)}</dd></div>"
        f'<div><dt>Confidence</dt><dd class="confidence">{source.confidence:.2f}</dd></div>{sure}{rank}</dl>'
        f'<p class="card-foot">{link}<button type="button" class="back">Back to the reply</button>'
        '<button type="button" class="doubt"><span class="give">This does not support it</span>'
        '<span class="given">You said: does not support it</span></button></p></details>'
    )


def _original(turn_id: str, source: Source) -> str:
    """What opens the own document that a source comes from, at the cited words."""
    if source.passage.place is None:
        return ""
    return (
        f'<p><button type="button" class="act original" data-turn="{escape(turn_id)}" data-number="{source.number}">'
        "Show in the document</button></p>"
    )


def rests_on(node: Node, source: Source) -> bool:
    """Whether ``node`` found ``source``, or is a step of the reply's path that another step's finding settled."""
    return node.id == source.node or node.on_path and (node.passage, node.span) == (source.passage, source.span)


def _group(id: str, turn: Turn, *, with_question: bool) -> str:
    # what else was found is known, and of interest, once nothing more is searched
    also = also_found(id, turn) if turn.writer is not None or turn.status is not None else ""
    if not turn.sources and not also:
        return ""
    heading = f'<h3 class="of-question">{escape(turn.question)}</h3>' if with_question else ""
    documents: dict[str, list[Source]] = {}
    for source in turn.sources:
        documents.setdefault(source.passage.url or source.passage.title, []).append(source)
    cards = "".join(_document(id, turn, sources) for sources in documents.values())
    return f'<section class="sources">{heading}{cards}{also}</section>'


def _document(id: str, turn: Turn, sources: Sequence[Source]) -> str:
    """The cards of one page; under its title when there are several."""
    cards = "".join(card(id, turn, source) for source in sources)
    if len(sources) == 1:
        return cards
    return (
        f'<section class="document"><h4>{escape(sources[0].passage.title)} '
        f'<span class="count">{len(sources)} citations</span></h4>{cards}</section>'
    )


def _why(turn: Turn, source: Source) -> str:
    node = turn.node(source.node)
    read = f"“{escape(source.quote)}”" if source.span else "nothing certain"
    why = f" Rule: {escape(rule(node))}." if node.rule else ""
    match source.verdict:
        case Verdict.AGREED:
            answer = escape(node.model_answer or node.answer or "")
            return f"The model answered “{answer}”; this passage says {read}, which agrees.{why}"
        case Verdict.CORRECTED:
            old = old_answer(turn, node)
            before = f"The model answered “{escape(old)}”; " if old else ""
            return f"{before}this passage says {read}, and the reply follows the passage.{why}"
        case Verdict.COMPLETED:
            return f"The model left this query open; the passage answers it: {read}.{why}"
        case Verdict.DISPUTED:
            answer = escape(node.answer or node.model_answer or "")
            return f"The model answers “{answer}”; this passage says {read}, and the model keeps to its answer.{why}"
        case Verdict.UNCONFIRMED:
            return f"The nearest passage found; the Reader sees {read} in it, which does not settle the query.{why}"
