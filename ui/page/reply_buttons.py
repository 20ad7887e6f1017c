"""What can be done with a question or a reply, as buttons of its message, and how the reply came about.

``ui/page/static/actions.js`` brings them to life; it knows the turn by the ids of ``ui.page.ids``.
"""

from __future__ import annotations

from searchain.events import Turn
from searchain.safe_text import escape
from searchain.systems.base import SYSTEMS
from ui.page import ids
from ui.show.labels import likely, searched

_ANEW = {
    "multihop": "several steps",
    "slots": "slot filling",
    "yesno": "yes or no",
    "factcheck": "check of a claim",
    "longform": "explanation",
}


def on_question(turn_id: str) -> str:
    return (
        f'<span class="acts" id="{ids.question(turn_id)}"><button class="act edit" '
        'title="Ask this again with other words">Edit</button></span>'
    )


def on_reply(turn_id: str, turn: Turn) -> str:
    """The buttons of a reply, which is over, and below them the folded account of its run."""
    judge, copy, compare = "", "", ""
    if turn.beside is None and turn.system in SYSTEMS:
        compare = (
            '<details class="menu compare-with"><summary class="act">Compare with…</summary>'
            '<span class="sheet"></span></details>'
        )
    if turn.answer:
        copy = (
            '<details class="menu"><summary class="act">Copy</summary><span class="sheet">'
            '<button class="act copy-text">Reply alone</button><button class="act copy-sources">With sources'
            '</button><button class="act copy-markdown">As Markdown</button></span></details>'
        )
        judge = (
            '<button class="act rate-up" title="This reply is good">Good</button>'
            '<button class="act rate-down" title="This reply is not good">Bad</button>'
        )
    return (
        f'<div class="acts" id="{ids.actions(turn_id)}">{copy}<button class="act retry" title="Ask the same '
        f'question again">Retry</button>{compare}{judge}<span class="said"></span></div>{run(turn)}'
    )


def run(turn: Turn) -> str:
    """Model, index, probability, time, tokens and settings of the run, folded."""
    use, settings = turn.usage, turn.settings
    rows = [
        ("Model", turn.model),
        ("Passages from", searched(turn)),
        ("Method", turn.system),
        ("Kind of question", _ANEW.get(turn.task or "", "")),
        ("How sure", likely(turn.probability)),
        ("Rounds", f"{turn.round}"),
        ("Queries", f"{len(turn.hits)}"),
        ("Calls of the model", f"{use.llm_calls}"),
        ("Tokens read", f"{use.prompt_tokens:,}"),
        ("Tokens written", f"{use.completion_tokens:,}"),
        ("Model time", f"{use.llm_seconds:.1f} s"),
        ("Search time", f"{use.retrieval_seconds:.1f} s"),
        ("Reading time", f"{use.reader_seconds:.1f} s"),
        ("In all", f"{use.seconds:.1f} s"),
        ("Rounds at most", _said(settings.get("max_rounds"))),
        ("Passages a query", _said(settings.get("passages"))),
        ("Threshold θ", _said(settings.get("theta"))),
    ]
    entries = "".join(
        f"<span class='entry'><b>{name}</b> <span class='value'>{escape(value)}</span></span>"
        for name, value in rows
        if value
    )
    return f'<details class="run"><summary>Run</summary><div class="entries">{entries}</div></details>'


def _said(value: object) -> str:
    return "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
