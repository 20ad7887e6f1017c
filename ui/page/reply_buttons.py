"""The buttons of a reply, and all details of how it was found.

``ui/page/static/actions.js`` handles the buttons; it finds the turn by the ids of ``ui.page.ids``.
"""

from markupsafe import Markup

from searchain.events import SamplesWeighed, Turn
from searchain.language.text import plural
from searchain.types import Outcome
from storage.annotation.import_items import ENDED
from ui.html import render
from ui.page import ids
from ui.show.labels import likely, searched, weighed
from ui.show.methods import METHODS
from ui.show.side_by_side import rows
from ui.show.signs import ANOTHER
from ui.translation import N_, _, n_

_KINDS = {
    "multihop": N_("several steps"),
    "slots": N_("slot filling"),
    "yesno": N_("yes or no"),
    "factcheck": N_("check of a claim"),
    "longform": N_("explanation"),
    "list": N_("list"),
    "compare": N_("comparison of two things"),
    "define": N_("definition"),
}
_DRAWN = {"answers": "answer", "recitations": "recitation", "thoughts": "thought", "queries": "query"}
_THOUGHTS = 4_000
"""Most characters of the model's thoughts that are shown."""


REASONS = (N_("the evidence is not sure enough"), N_("no passage is likely to answer it"))
"""Messages of a turn that have no names inside, and so a translation."""


def on_reply(turn_id: str, turn: Turn) -> Markup:
    """Render the buttons of a finished reply."""
    return render(
        "page/acts.html",
        another=ANOTHER,
        id=ids.actions(turn_id),
        has_answer=bool(turn.answer),
        is_first=turn.beside is None,
        is_comparable=turn.beside is None and turn.system in METHODS and turn.outcome is not Outcome.NO_SEARCH,
        sources=len(turn.sources),
        is_judged=turn.status in ENDED and bool(turn.answer.strip()),
        is_told=bool(rows(turn)),
    )


def run(turn: Turn) -> Markup:
    """Render the folded details of a run in the paper's words: model, index, probability, time, tokens, settings."""
    use, settings = turn.usage, turn.settings
    rows = [
        (_("Model"), turn.model),
        (_("Passages from"), searched(turn)),
        (_("Method"), turn.system),
        (_("Kind of question"), _(_KINDS.get(turn.task or "", ""))),
        (_("How sure"), likely(turn.probability)),
        (_("Rounds"), f"{turn.round}"),
        (_("Searches"), f"{len(turn.hits)}"),
        (_("Calls of the model"), f"{use.llm_calls}"),
        (_("Tokens read"), f"{use.prompt_tokens:,}"),
        (_("Tokens written"), f"{use.completion_tokens:,}"),
        (_("Model time"), f"{use.llm_seconds:.1f} s"),
        (_("Search time"), f"{use.retrieval_seconds:.1f} s"),
        (_("Reading time"), f"{use.reader_seconds:.1f} s"),
        (_("In all"), f"{use.seconds:.1f} s"),
        (_("Rounds at most"), _said(settings.get("max_rounds"))),
        (_("Passages per search"), _said(settings.get("passages"))),
        (_("Threshold θ"), _said(settings.get("theta"))),
    ]
    return render(
        "page/details.html",
        message=_(turn.message),
        weighed=[weighed(turn)] if turn.candidates else [],
        drawn=[_drawn(event) for event in turn.weighed],
        thoughts=_last(turn.thoughts),
        rows=[(name, value) for name, value in rows if value],
    )


def _drawn(event: SamplesWeighed) -> dict[str, object]:
    """Return the sampled answers, each with its votes."""
    votes = [n_("{n} vote", "{n} votes", one.votes) if one.votes else "" for one in event.samples]
    entries = [
        (one.answer or one.text, f" · {said}" if said else "", place == event.chosen)
        for place, (one, said) in enumerate(zip(event.samples, votes, strict=True))
    ]
    title = f"{plural(len(event.samples), _DRAWN[event.kind], event.kind)} drawn in round {event.round}"
    return {"title": title, "entries": entries}


def _last(thoughts: str) -> str:
    """Return the model's thoughts; of long ones, only the end."""
    return thoughts if len(thoughts) <= _THOUGHTS else f"… {thoughts[-_THOUGHTS:]}"


def _said(value: object) -> str:
    return "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
