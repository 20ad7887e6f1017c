"""A certificate over the replies on the desk: which citations are in the sample, and what people said of them."""

from collections import defaultdict

from searchain.annotation.certificate import Certificate, Citation, is_right, most_wrong, ordered
from searchain.annotation.protocol import Item, Labels, Origin
from searchain.errors import UsageError
from storage.annotation import gold, items
from storage.annotation.history import labels
from storage.database import Database, first
from storage.people import audit

_FIXED = "fixed the certificate's sample of"  # the audit trail keeps it, so that nobody draws another one unseen


def population(store: Database, system: str | None) -> list[Item]:
    """Return the replies on the desk, those of ``system`` if it is named, without practice.

    Raises ``UsageError`` if they have no citations.
    """
    replies = [item for item in items.items(store) if item.origin is not Origin.PRACTICE]
    found = [item for item in replies if system in (None, item.system)]
    if not any(item.marks for item in found):
        whose = f"replies of {system!r}" if system else "replies"
        raise UsageError(f"there are no {whose} with citations on the desk; see: python assistant.py annotate import")
    return found


def fix(store: Database, system: str | None, size: int, seed: int) -> None:
    """Keep the size and seed of the first sample of these replies; another sample would be chosen by what was seen.

    Raises ``UsageError`` if another sample was fixed before.
    """
    whose, sample = f"{_FIXED} {system!r}" if system else f"{_FIXED} all systems", f"--judged {size} --seed {seed}"
    with store.writing() as db:
        fixed = first(db, "SELECT time, subject FROM audit WHERE action = ? ORDER BY number", whose)
        if fixed is None:
            audit.note(db, whose, sample)
        elif fixed[1] != sample:
            why = "one that changes until the sentence pleases proves less"
            raise UsageError(f"the sample was fixed on {fixed[0][:10]}: use {fixed[1]}; {why}")


def certify(
    store: Database, replies: list[Item], size: int, sure: float, seed: int
) -> tuple[Certificate, dict[Citation, bool | None]]:
    """Return the certificate for a sample of ``size`` citations, and each of these with whether it is right.

    A decision between annotators goes before their labels; else a citation is right if all who judged it find so.
    It is ``None`` as long as nobody judged it; the certificate holds only once there is no such one.
    """
    said: dict[str, list[Labels]] = defaultdict(list)
    for one in labels(store):
        said[one.item.id].append(one.labels)
    said |= {decision.item.id: [decision.labels] for decision in gold.gold(store)}
    known = {item.id: item for item in replies}
    places = ordered(replies, seed)
    sample = {place: _verdict(known[place[0]], place[1], said[place[0]]) for place in places[:size]}
    wrong = sum(verdict is False for verdict in sample.values())
    most = most_wrong(len(places), len(sample), wrong, sure)
    invented = sum(mark in known[id].invented for id, mark in sample)
    return Certificate(len(replies), len(places), sure, seed, len(sample), wrong, most, invented), sample


def _verdict(item: Item, mark: int, said: list[Labels]) -> bool | None:
    verdicts = [is_right(item, mark, labels) for labels in said or [Labels()]]
    told = [verdict for verdict in verdicts if verdict is not None]
    return all(told) if told else None
