"""The study that the desk follows, and what its report leaves out by the study: annotators, replies and systems.

Every version is kept; a change after the freeze needs a reason.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from math import ceil

from searchain.annotation.study import Exclusions, Study, differences, from_json
from searchain.errors import UsageError
from searchain.language.text import plural
from storage.annotation.history import Judgement
from storage.annotation.progress import checks
from storage.annotation.pseudonyms import Names
from storage.database import Database, insert_row, now

FEWEST_CHECKS = 5
"""Nobody is excluded by fewer hidden checks."""
BY_CHANCE = 0.05
"""Nobody is excluded whose share of right checks is by chance as small in more cases."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of the study's history."""

    number: int
    action: str
    """set; frozen; or changed, which means set after the freeze."""
    study: Study
    hash: str
    reason: str
    by: str
    created: str


def history(store: Database) -> list[Entry]:
    """Return every version of the study, in order."""
    columns = "number, action, content, hash, reason, changed_by, created"
    return [
        Entry(number, action, from_json(json.loads(content)), *others)
        for number, action, content, *others in store.rows(f"SELECT {columns} FROM annotation_studies ORDER BY number")
    ]


def current(store: Database) -> Study:
    """Return the newest study; if the desk has none, one with default values."""
    row = store.row("SELECT content FROM annotation_studies ORDER BY number DESC LIMIT 1")
    return from_json(json.loads(row[0])) if row else Study()


def is_frozen(store: Database) -> bool:
    return store.row("SELECT 1 FROM annotation_studies WHERE action = 'frozen'") is not None


def change(store: Database, study: Study, by: str, reason: str = "") -> list[str]:
    """Let the desk follow ``study`` from now on; return the names of the entries that changed.

    Raises ``UsageError`` if the study is frozen, and no reason is given.
    """
    changed = differences(current(store), study)
    if not changed:
        return []
    frozen = is_frozen(store)
    if frozen and not reason.strip():
        raise UsageError(
            f"the study is frozen; a change of {', '.join(changed)} is logged and printed in the report: say why "
            "(--because TEXT)"
        )
    _append(store, "changed" if frozen else "set", study, by, reason.strip())
    return changed


def freeze(store: Database, by: str) -> str:
    """Freeze the study and return its hash. Raises ``UsageError`` if the study is frozen already."""
    if is_frozen(store):
        raise UsageError("the study is frozen already; later changes are made with: annotate study FILE --because TEXT")
    study = current(store)
    _append(store, "frozen", study, by, "")
    return study.hash


def _append(store: Database, action: str, study: Study, by: str, reason: str) -> None:
    row = {"action": action, "content": json.dumps(asdict(study), ensure_ascii=False), "hash": study.hash}
    with store.writing() as db:
        insert_row(db, "annotation_studies", row | {"reason": reason, "changed_by": by, "created": now()})


@dataclass(frozen=True, slots=True)
class Excluded:
    """The excluded annotators, replies and systems."""

    annotators: Mapping[str, str]
    """Casefolded name → reason."""
    kept: Mapping[str, str]
    """Casefolded names below the least share of right checks who stay, because it may be chance → what is known."""
    items: frozenset[str]
    systems: frozenset[str]
    counts: Mapping[str, int]
    """Judgements per casefolded annotator."""

    def leaves_out(self, one: Judgement) -> bool:
        """Return whether the judgement is excluded."""
        return one.annotator.casefold() in self.annotators or self.leaves_out_item(one.item.id, one.item.system)

    def leaves_out_item(self, item: str, system: str) -> bool:
        """Return whether every judgement of the reply is excluded."""
        return item in self.items or system in self.systems

    def kept_lines(self, names: Names) -> tuple[str, ...]:
        """Describe in one line each who stays although few checks are right."""
        return tuple(f"annotator {names(name)}: {reason}" for name, reason in sorted(self.kept.items()))

    def lines(self, names: Names) -> Iterator[str]:
        """Describe each exclusion in one line."""
        for name, reason in sorted(self.annotators.items()):
            yield f"annotator {names(name)}: {reason}; {self.counts.get(name, 0)} judgements"
        yield from (f"reply {item}" for item in sorted(self.items))
        yield from (f"system {system}" for system in sorted(self.systems))


def excluded(judgements: Sequence[Judgement], rules: Exclusions, pseudonyms: Mapping[str, str]) -> Excluded:
    """Apply the ``rules``; ``pseudonyms`` maps casefolded names to pseudonyms."""
    by_pseudonym = {pseudonym: name for name, pseudonym in pseudonyms.items()}
    counts = Counter(one.annotator.casefold() for one in judgements)
    named = [by_pseudonym.get(one, one.casefold()) for one in rules.annotators]
    out = {name: "named by the study" for name in named if name in counts}
    kept: dict[str, str] = {}
    if (least := rules.annotators_below_checks) is not None:
        for name in counts:
            right, points, number = checks(one for one in judgements if one.annotator.casefold() == name)
            if number and right / points < least:
                from scipy.special import bdtr  # here: most desks have no such rule, and need not pay for it

                by_chance = float(bdtr(ceil(right / points * number), number, least))
                cases = f"{100 * by_chance:.1f}" if by_chance >= 0.001 else "fewer than 0.1"
                (out if number >= FEWEST_CHECKS and by_chance <= BY_CHANCE else kept)[name] = (
                    f"{right} of {points} points right in {plural(number, 'hidden check')}, fewer than {least:.0%}; "
                    f"whoever gets {least:.0%} right has so few in {cases} of 100 cases"
                )
    return Excluded(out, kept, frozenset(rules.items), frozenset(rules.systems), counts)
