"""The settings that a person may choose for a conversation, checked against the operator's offers."""

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, get_args

from markupsafe import Markup
from starlette.requests import Request
from starlette.routing import Route

from assistant import Assistant
from searchain.errors import UsageError
from searchain.methods.base import Group, System, find, systems
from searchain.settings import Careful, Settings
from searchain.types import JOINT, TaskKind, is_own
from ui.html import render
from ui.page import careful
from ui.server.access import Access, Person
from ui.server.json_routes import json_route
from ui.show.signs import FIRST, METHODS, cost, method
from ui.translation import N_, _, languages, number

LABELS = {
    "task": N_("Kind of question"),
    "system": N_("Method"),
    "rounds": N_("Rounds at most"),
    "passages": N_("Passages per search"),
    "theta": N_("Threshold θ"),
    "index": N_("Passages from"),
    "collections": N_("Your documents"),
    "beside": N_("Search beside your documents"),
    "model": N_("Language model"),
}
"""The names of the settings on the page."""
THETA = 20.0
"""The largest θ that may be chosen, on both sides of 0; a Reader's scores never go that far."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Offers:
    """The operator's offers. The first index and the unnamed model are the defaults."""

    indexes: tuple[str, ...] = ("default",)
    models: tuple[str, ...] = ()
    """Names of further models."""
    systems: tuple[str, ...] = field(default_factory=lambda: tuple(systems()))
    """Names of the methods."""
    rounds: int = 10
    """Most chain generations."""
    passages: int = 20
    """Most passages per search."""
    careful: Careful = "check"
    """What the careful model does, if it is installed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """The choices of one conversation; ``None`` means the default."""

    task: str | None = None
    system: str | None = None
    theta: float | None = None
    rounds: int | None = None
    passages: int | None = None
    index: str | None = None
    collections: tuple[str, ...] | None = None
    """Ids of collections of own documents to search instead of ``index``."""
    beside: bool | None = None
    """Whether ``index`` is searched in addition to the collections."""
    model: str | None = None

    def settings(self) -> Settings:
        """Return the settings of a run."""
        numbers = {"theta": self.theta, "max_rounds": self.rounds, "passages": self.passages}
        return find(self.system or "searchain").settings(
            is_small=True,
            task=TaskKind(self.task) if self.task else None,
            **{name: value for name, value in numbers.items() if value is not None},
        )

    def as_json(self) -> str:
        """Return the choices that differ from the default, as JSON for the store."""
        return json.dumps({name: value for name, value in asdict(self).items() if value is not None})


def chosen(text: str, offers: Offers) -> Choices:
    """Read the choices that a page sent as a JSON object.

    Raises ``UsageError`` if it is not a JSON object, or a choice is not offered.
    """
    try:
        values = json.loads(text)
    except (ValueError, RecursionError):
        values = None
    if not isinstance(values, dict):
        raise UsageError("the settings did not arrive whole; load the page anew")
    choices = Choices()
    for name, value in values.items():
        choices = _with(choices, name, value, offers)
    return choices


def kept(text: str | None, offers: Offers) -> Choices:
    """Read the choices stored with a conversation, without those that are no longer offered."""
    choices = Choices()
    for name, value in json.loads(text or "{}").items():
        if name == "profile":  # names used by earlier versions
            name, value = "system", "searchain-paper" if value == "paper" else None
        try:
            choices = _with(choices, name, value, offers)
        except UsageError:
            continue
    return choices


def going_on(stored: str | None, last: Sequence[str], offers: Offers) -> Choices:
    """Return the choices for the next question of a conversation.

    Where none are stored, because it began elsewhere, such as in the shell, the index of its ``last`` question is kept.
    """
    choices = kept(stored, offers)
    return searching(choices, last[-1], offers) if stored is None and last else choices


def searching(choices: Choices, index: str, offers: Offers) -> Choices:
    """Return ``choices`` with the ``index`` that a run searched; unchanged where nothing of it is offered any more."""
    names = index.split(JOINT)
    own = tuple(name.removeprefix("c-").upper() for name in names if is_own(name))
    others = [name for name in names if not is_own(name)]
    if not index or len(others) > 1 or not set(others) <= set(offers.indexes):
        return choices
    first, is_beside = next(iter(others), None), bool(own and others) or None
    return replace(choices, index=first, collections=own or None, beside=is_beside)


def _with(choices: Choices, name: str, value: Any, offers: Offers) -> Choices:
    """Return ``choices`` with one more.

    Raises ``UsageError`` if there is no such setting, or it cannot have this value.
    """
    among = {"task": tuple(TaskKind), "system": offers.systems, "index": offers.indexes, "model": offers.models}
    within = {"theta": (-THETA, THETA), "rounds": (1, offers.rounds), "passages": (1, offers.passages)}
    if name not in (*among, *within, "collections", "beside"):
        raise UsageError(f"there is no setting {name!r}")
    if name == "collections" and value is not None:
        value = _collections(value)
    elif name == "beside":
        value = value is True or None
    elif name in among and value is not None:
        value = _one_of(among[name], name, value)
    elif value is not None:
        value = _number(*within[name], name, value)
    return replace(choices, **{name: value})


def _collections(value: Any) -> tuple[str, ...] | None:
    """Return ids of collections; whether they may be searched is checked when the question is asked."""
    if not isinstance(value, list) or len(value) > 20 or not all(isinstance(one, str) for one in value):
        raise UsageError("up to 20 collections can be searched at once; choose fewer")
    return tuple(value) or None


def _one_of(offered: Sequence[str], name: str, value: Any) -> str:
    if value not in offered:
        among = " or ".join(offered) or "none"
        raise UsageError(f"the setting “{LABELS[name]}” cannot be {value!r} here; choose {among}")
    return str(value)


def _number(low: float, high: float, name: str, value: Any) -> float:
    """Return a number from ``low`` to ``high``; only θ may be a fraction."""
    is_number = type(value) in (int, float) and math.isfinite(value) and low <= value <= high
    if is_number and name == "theta":
        return float(value)
    if is_number and value == int(value):
        return int(value)
    raise UsageError(f"the setting “{LABELS[name]}” cannot be {value!r}; choose a number from {low:g} to {high:g}")


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
    rewritten = _("How often the chain may be rewritten when evidence contradicts it.")
    read = _("How many passages are read per search; more of them find more and take longer.")
    sure = _("How sure the Reader must be before a passage overrules the model; lower corrects more often.")
    details = [
        *_methods(offers),
        _range("rounds", rewritten, 1, offers.rounds, f"{default.max_rounds}"),
        _range("passages", read, 1, offers.passages, f"{default.passages}"),
        _range("theta", sure, -THETA, THETA, _("as calibrated"), step="any"),
    ]
    more = {"languages": list(languages().items()), "careful": careful.panel(), "methods": _menu(offers)}
    return render("page/settings.html", rows=rows, details=details, **more)


def _menu(offers: Offers) -> Markup | str:
    """Render the menu of “Ask another method…”, which a script moves to its place; empty if only one is offered."""
    if len(offers.systems) < 2:
        return ""
    known, offered = systems(), [name for name in METHODS if name in offers.systems]
    entries = {name: {"name": name, "does": method(name), "cost": _cost(known[name])} for name in offered}
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
        stored = self._assistant.conversation(id, owner=person.owner).settings
        last = [turn.index for _id, turn in self._assistant.turns(id, owner=person.owner)[-1:]]
        return asdict(going_on(stored, last, self._offers))


def _select(name: str, help: str, groups: list[tuple[str, list[tuple[str, str]]]]) -> Row:
    return {"name": name, "label": _(LABELS[name]), "help": help, "groups": groups}


def _range(name: str, help: str, low: float, high: float, default: str, step: str = "1") -> Row:
    limits = _("From {low} to {high}.", low=number(low), high=number(high))
    ends = {"low": f"{low:g}", "high": f"{high:g}", "step": step, "default": default}
    return {"name": name, "label": _(LABELS[name]), "help": f"{help} {limits}", "groups": None, **ends}
