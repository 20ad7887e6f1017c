"""The form for the settings of a conversation, and the route that says what was chosen."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, get_args

from starlette.requests import Request
from starlette.routing import Route

from assistant import Assistant
from searchain.safe_text import escape
from searchain.settings import Settings
from searchain.systems.base import SYSTEMS, Group
from ui.page import careful, choices
from ui.page.choices import Offers
from ui.server.access import Access, Person
from ui.server.json_routes import json_route

_TASKS = (
    ("", "found by itself"),
    ("multihop", "several steps"),
    ("slots", "fill a slot"),
    ("yesno", "yes or no"),
    ("factcheck", "check a claim"),
    ("longform", "explain"),
)


def form(offers: Offers) -> str:
    """The button and the folded form; ``ui/page/static/settings.js`` fills and reads it."""
    default = Settings()
    rows = [
        _select("task", "What the reply should be; usually found from the question.", _TASKS),
        *_methods(offers),
        _number(
            "rounds",
            "How often the chain may be written anew when evidence contradicts it.",
            1,
            offers.rounds,
            f"{default.max_rounds}",
        ),
        _number(
            "passages",
            "How many are read for each query; more find more and take longer.",
            1,
            offers.passages,
            f"{default.passages}",
        ),
        _number(
            "theta",
            "How sure the Reader must be before a passage overrules the model; lower corrects more often.",
            -choices.THETA,
            choices.THETA,
            "as calibrated",
            step="any",
        ),
    ]
    if len(offers.indexes) > 1:
        names = [("", offers.indexes[0]), *((name, name) for name in offers.indexes[1:])]
        rows.append(_select("index", "The collection that is searched.", names))
    if offers.models:
        names = [("", "the default"), *((name, name) for name in offers.models)]
        rows.append(_select("model", "It plans the queries and may write the reply.", names))
    return (
        '<button type="button" id="settings-toggle" aria-expanded="false" aria-controls="settings" '
        'title="Settings of this conversation"><span aria-hidden="true">⚙</span>'
        '<span class="unseen">Settings of this conversation</span><span class="changed" hidden></span></button>'
        '<form id="settings" popover="auto" aria-label="Settings of this conversation">'
        '<h2>Settings of this conversation</h2><p class="hint">They hold from the next question on, and are kept '
        f'with every reply.</p>{"".join(rows)}{careful.panel()}<input type="hidden" name="collections">'
        '<input type="hidden" name="beside"><p class="foot"><button type="button" class="reset">Use the defaults'
        '</button><button type="button" class="close">Done</button></p></form>'
    )


def _methods(offers: Offers) -> list[str]:
    """The row with the methods in groups, each with what it does and costs; none where there is no choice."""
    if len(offers.systems) < 2:
        return []
    groups = {group: "" for group in get_args(Group)}
    for system in SYSTEMS.values():
        if system.name in offers.systems:
            value = "" if system.name == "searchain" else system.name
            calls = system.small_calls or system.calls
            cost = "1 call" if calls == 1 else f"about {calls} calls"
            entry = f'<option value="{value}">{system.name} – {escape(system.about)} ({cost})</option>'
            groups[system.group] += entry
    entries = "".join(f'<optgroup label="{group}">{options}</optgroup>' for group, options in groups.items() if options)
    help = "How the question is answered. Every reply can be compared with another method’s."
    control = f'<select id="set-system" name="system" aria-describedby="help-system">{entries}</select>'
    return [_row("system", help, control)]


class Chosen:
    """``GET /conversations/ID/settings``: the owner's alone. They are set with a question (``ui.page.chat``)."""

    def __init__(self, assistant: Assistant, access: Access, offers: Offers) -> None:
        self._assistant, self._offers = assistant, offers
        self.routes: list[Route] = [json_route("/conversations/{id}/settings", "GET", access, self._show)]

    def _show(self, person: Person, request: Request, values: dict[str, Any]) -> dict[str, Any]:
        stored = self._assistant.choices(request.path_params["id"], owner=person.owner)
        return asdict(choices.kept(stored, self._offers))


def _select(name: str, help: str, options: list[tuple[str, str]] | tuple[tuple[str, str], ...]) -> str:
    entries = "".join(f'<option value="{escape(value)}">{escape(text)}</option>' for value, text in options)
    return _row(name, help, f'<select id="set-{name}" name="{name}" aria-describedby="help-{name}">{entries}</select>')


def _number(name: str, help: str, low: float, high: float, default: str, step: str = "1") -> str:
    return _row(
        name,
        f"{help} From {low:g} to {high:g}.",
        f'<input id="set-{name}" name="{name}" type="number" min="{low:g}" max="{high:g}" '
        f'step="{step}" placeholder="{default}" aria-describedby="help-{name}">',
    )


def _row(name: str, help: str, control: str) -> str:
    return (
        f'<div class="row"><label for="set-{name}">{choices.LABELS[name]}</label>{control}'
        f'<p class="help" id="help-{name}">{help}</p></div>'
    )
