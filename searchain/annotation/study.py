"""The definition of a study: what is judged, by how many, under which rules. Its hash shows later changes."""

import hashlib
import json
import tomllib
from dataclasses import asdict, dataclass, replace
from typing import Any

from searchain.annotation.labels import read_values
from searchain.annotation.protocol import Backing, Item, Place
from searchain.errors import UsageError

LABELS = tuple(f"support: {one.value}" for one in Backing) + tuple(f"place: {one.value}" for one in Place)
"""The label set, which is the same for every study."""
SHARES = ("coverage", "amp", "amp_strict", "citation_recall", "citation_precision")
"""Measures between 0 and 1."""
PRIMARY = ("skc_marked", "skc_strict", "skc_lenient", *SHARES, "missing", "invented")
"""The measures in which systems are compared."""
_LATER = ("primary", "show_uncited")
"""Entries that earlier versions did not have: without a value they leave the hash as it was."""


@dataclass(frozen=True, slots=True)
class Exclusions:
    """The annotators, items and systems that do not count, by rules fixed beforehand."""

    annotators_below_checks: float | None = None
    """Exclude annotators whose share of right hidden checks is surely smaller; ``None``: exclude nobody."""
    annotators: tuple[str, ...] = ()
    """Names or pseudonyms."""
    items: tuple[str, ...] = ()
    """Ids."""
    systems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Annotator:
    """The facts about one annotator for a datasheet; unknown ones are empty."""

    name: str
    degree: str = ""
    native_language: str = ""
    pay: str = ""


@dataclass(frozen=True, slots=True)
class Study:
    """The rules of a study on the annotation desk."""

    title: str = ""
    questions: tuple[str, ...] = ()
    """The questions that are asked; empty: those of the replies on the desk."""
    systems: tuple[str, ...] = ()
    """The systems that are compared; empty: those of the replies on the desk."""
    quota: int = 2
    """Annotators for each reply."""
    labels: tuple[str, ...] = LABELS
    seed: int = 0
    """The seed of all random draws."""
    hypotheses: tuple[str, ...] = ()
    primary: str = ""
    """The measure that counts, out of ``PRIMARY``; empty: none is named beforehand."""
    exclusions: Exclusions = Exclusions()
    guidelines: str = ""
    """The text that annotators read, in Markdown; empty: the desk's own."""
    guided_practice: bool = True
    """Whether annotators read the guidelines and judge examples before the first reply."""
    pass_mark: float = 0.8
    """The share of the examples' points that must be right."""
    hide_addresses: bool = False
    normalise_marks: bool = False
    """Whether marks are put before the full stop in all replies that are imported later."""
    show_uncited: bool = False
    """Whether annotators see the documents that a reply does not cite, and say whether one supports what lacks support.

    Few systems have such documents, which tells systems apart.
    """
    ask_for_systems: bool = False
    """Whether annotators, after judging everything, are asked to guess the systems of some replies."""
    annotators: tuple[Annotator, ...] = ()

    @property
    def hash(self) -> str:
        """SHA-256 of the study's values in hex, independent of the form of their file.

        Facts about the annotators are left out, because they are not rules, and so are later rules that are not used.
        """
        values, unused = asdict(self), {name for name in _LATER if not getattr(self, name)}
        rules = {name: value for name, value in values.items() if name not in {"annotators", *unused}}
        return hashlib.sha256(json.dumps(rules, sort_keys=True, ensure_ascii=False).encode()).hexdigest()

    def blind(self, item: Item) -> dict[str, Any]:
        """Return the values of the reply that an annotator of this study sees."""
        values = item.blind()
        values["uncited"] = values["uncited"] if self.show_uncited else []
        if self.hide_addresses:
            for source in (*values["sources"], *values["uncited"]):
                if source["url"] and source["title"].startswith(("http://", "https://", source["url"])):
                    source["title"] = f"Document {source['number']}"
                source["url"] = None
        return values


def from_toml(text: str | bytes) -> Study:
    """Read a study from the text of a ``study.toml``.

    Raises ``UsageError`` if it is not TOML, or a value is unknown, of another type or out of range.
    """
    try:
        values = tomllib.loads(text if isinstance(text, str) else text.decode())
    except ValueError as error:  # of TOML, or of UTF-8
        raise UsageError(f"the study is no TOML: {error}; choose a study.toml") from None
    known = set(Study.__dataclass_fields__)
    if unknown := sorted(set(values) - known):
        raise UsageError(f"the study has an unknown entry {unknown[0]!r}; there are: {', '.join(sorted(known))}")
    return from_json(values)


def from_json(values: Any) -> Study:
    """Read a study from the values of its ``asdict``. Raises ``UsageError`` as ``from_toml`` does."""
    study = read_values(Study, values, "study")
    if not 1 <= study.quota <= 1000:
        raise UsageError("the study's quota is a number of annotators from 1 to 1,000")
    for name, value in (
        ("pass_mark", study.pass_mark),
        ("exclusions.annotators_below_checks", study.exclusions.annotators_below_checks),
    ):
        if value is not None and not 0 <= value <= 1:
            raise UsageError(f"the study's {name} is a share from 0 to 1")
    if study.primary not in {"", *PRIMARY}:
        raise UsageError(f"the study's primary measure is none: {study.primary!r}; there are: {', '.join(PRIMARY)}")
    if study.labels != LABELS:
        raise UsageError(f"the label set of a study is fixed: {', '.join(LABELS)}")
    return study


def differences(before: Study, after: Study) -> list[str]:
    """Return the names of the entries in which two studies differ."""
    one, other = asdict(before), asdict(after)
    return [name for name in one if one[name] != other[name]]


def without_names(study: Study, names: dict[str, str]) -> Study:
    """Return the study with annotators renamed by ``names``; annotators not in ``names`` are left out."""
    return replace(
        study,
        annotators=tuple(
            replace(one, name=names[one.name.casefold()]) for one in study.annotators if one.name.casefold() in names
        ),
        exclusions=replace(
            study.exclusions, annotators=tuple(names.get(one.casefold(), one) for one in study.exclusions.annotators)
        ),
    )
