"""The settings that a person may choose for a conversation, checked against the operator's offers."""

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from searchain.errors import UsageError
from searchain.methods.base import find, systems
from searchain.settings import Careful, Settings
from searchain.types import JOINT, TaskKind, is_own
from ui.translation import N_

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

    Raises:
        UsageError: it is not a JSON object, or a choice is not offered.
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
    return replace(
        choices, index=next(iter(others), None), collections=own or None, beside=bool(own and others) or None
    )


def _with(choices: Choices, name: str, value: Any, offers: Offers) -> Choices:
    """Return ``choices`` with one more.

    Raises:
        UsageError: there is no such setting, or it cannot have this value.
    """
    among = {"task": tuple(TaskKind), "system": offers.systems, "index": offers.indexes, "model": offers.models}
    within = {"theta": (-THETA, THETA), "rounds": (1, offers.rounds), "passages": (1, offers.passages)}
    if name not in (*among, *within, "collections", "beside"):
        raise UsageError(f"there is no setting {name!r}")
    if value is None:
        return _changed(choices, name, None)
    if name == "collections":
        return _changed(choices, name, _collections(value))
    if name == "beside":
        return _changed(choices, name, value is True or None)
    if name in among:
        return _changed(choices, name, _one_of(among[name], name, value))
    return _changed(choices, name, _number(*within[name], name, value))


def _collections(value: Any) -> tuple[str, ...] | None:
    """Return ids of collections; whether they may be searched is checked when the question is asked."""
    if not isinstance(value, list) or len(value) > 20 or not all(isinstance(one, str) for one in value):
        raise UsageError("up to 20 collections can be searched at once; choose fewer")
    return tuple(value) or None


def _one_of(offered: Sequence[str], name: str, value: Any) -> str:
    if value not in offered:
        raise UsageError(
            f"the setting “{LABELS[name]}” cannot be {value!r} here; choose {' or '.join(offered) or 'none'}"
        )
    return str(value)


def _number(low: float, high: float, name: str, value: Any) -> float:
    """Return a number from ``low`` to ``high``; only θ may be a fraction."""
    is_number = type(value) in (int, float) and math.isfinite(value) and low <= value <= high
    if is_number and name == "theta":
        return float(value)
    if is_number and value == int(value):
        return int(value)
    raise UsageError(f"the setting “{LABELS[name]}” cannot be {value!r}; choose a number from {low:g} to {high:g}")


def _changed(choices: Choices, name: str, value: Any) -> Choices:
    return replace(choices, **{name: value})
