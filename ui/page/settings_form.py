"""The form for the settings of a conversation, and the route that returns what was chosen."""

from dataclasses import asdict
from typing import Any, get_args

from markupsafe import Markup
from starlette.requests import Request
from starlette.routing import Route

from assistant import Assistant
from searchain.methods.base import Group, System, systems
from searchain.settings import Settings
from ui.html import render
from ui.page import careful, choices
from ui.page.choices import Offers
from ui.server.access import Access, Person
from ui.server.json_routes import json_route
from ui.show.methods import FIRST, METHODS, cost, method
from ui.translation import N_, _, languages

_GROUPS = (N_("SearChain"), N_("With passages"), N_("Without passages"))
"""The groups of methods, marked for translation."""
Row = dict[str, object]
"""One setting, as the template needs it."""
_TASKS = (
    ("", N_("chosen automatically")),
    ("multihop", N_("several steps")),
    ("slots", N_("fill a slot")),
    ("yesno", N_("yes or no")),
    ("factcheck", N_("check a claim")),
    ("longform", N_("explain")),
    ("list", N_("list all")),
    ("compare", N_("compare two things")),
    ("define", N_("say what it is")),
)


def form(offers: Offers) -> Markup:
    """Render the button and the folded form; ``ui/page/static/settings.js`` fills and reads it.

    Settings with names of the paper are in a part of their own.
    """
    default = Settings()
    tasks = [(value, _(text)) for value, text in _TASKS]
    rows = [_select("task", _("The kind of reply; usually recognised from the question."), [("", tasks)])]
    if len(offers.indexes) > 1:
        names = [("", offers.indexes[0]), *((name, name) for name in offers.indexes[1:])]
        rows.append(_select("index", _("The collection that is searched."), [("", names)]))
    if offers.models:
        names = [("", _("the default")), *((name, name) for name in offers.models)]
        rows.append(_select("model", _("It plans what is looked up and may write the reply."), [("", names)]))
    details = [
        *_methods(offers),
        _number(
            "rounds",
            _("How often the chain may be rewritten when evidence contradicts it."),
            1,
            offers.rounds,
            f"{default.max_rounds}",
        ),
        _number(
            "passages",
            _("How many passages are read per search; more of them find more and take longer."),
            1,
            offers.passages,
            f"{default.passages}",
        ),
        _number(
            "theta",
            _("How sure the Reader must be before a passage overrules the model; lower corrects more often."),
            -choices.THETA,
            choices.THETA,
            _("as calibrated"),
            step="any",
        ),
    ]
    return render(
        "page/settings.html",
        rows=rows,
        details=details,
        languages=list(languages().items()),
        careful=careful.panel(),
        methods=_menu(offers),
    )


def _menu(offers: Offers) -> Markup | str:
    """Render the menu of “Ask another method…”, which a script moves to its place; empty if only one is offered."""
    if len(offers.systems) < 2:
        return ""
    known = systems()
    entries = {
        name: {"name": name, "does": method(name), "cost": _cost(known[name])}
        for name in METHODS
        if name in offers.systems
    }
    first = [entries.pop(name) for name in FIRST if name in entries]
    return render("page/methods.html", first=first, others=list(entries.values()))


def _cost(system: System) -> str:
    return cost(system.name, system.small_calls or system.calls)


def _methods(offers: Offers) -> list[Row]:
    """Return the field that selects a method, by group with purpose and cost; an empty list if only one is offered."""
    if len(offers.systems) < 2:
        return []
    groups: dict[str, list[tuple[str, str]]] = {group: [] for group in get_args(Group)}
    for system in systems().values():
        if system.name in offers.systems:
            value = "" if system.name == "searchain" else system.name
            groups[system.group].append((value, f"{system.name} – {method(system.name)} ({_cost(system)})"))
    help = _("How the question is answered. Every reply can be compared with another method’s.")
    return [_select("system", help, [(_(group), options) for group, options in groups.items() if options])]


class Chosen:
    """The route ``GET /conversations/ID/settings``, only for the owner; ``ui.page.chat`` stores the settings."""

    def __init__(self, assistant: Assistant, access: Access, offers: Offers) -> None:
        self._assistant, self._offers = assistant, offers
        self.routes: list[Route] = [json_route("/conversations/{id}/settings", "GET", access, self._show)]

    def _show(self, person: Person, request: Request, values: dict[str, Any]) -> dict[str, Any]:
        id = request.path_params["id"]
        stored = self._assistant.choices(id, owner=person.owner)
        last = [turn.index for _id, turn in self._assistant.turns(id, owner=person.owner)[-1:]]
        return asdict(choices.going_on(stored, last, self._offers))


def _select(name: str, help: str, groups: list[tuple[str, list[tuple[str, str]]]]) -> Row:
    return {"name": name, "label": _(choices.LABELS[name]), "help": help, "groups": groups}


def _number(name: str, help: str, low: float, high: float, default: str, step: str = "1") -> Row:
    limits = _("From {low} to {high}.", low=f"{low:g}", high=f"{high:g}")
    return {
        "name": name,
        "label": _(choices.LABELS[name]),
        "help": f"{help} {limits}",
        "groups": None,
        "low": f"{low:g}",
        "high": f"{high:g}",
        "step": step,
        "default": default,
    }
