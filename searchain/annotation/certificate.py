"""How many citations of many answers are wrong at most, when people judged a random sample of them.

Citations are put into an order by the hash of seed and place, which anybody can compute again; the first ones are the
sample. It is drawn without replacement, so the number of wrong ones in it is hypergeometric, and the bound is exact: a
larger share of wrong citations would show so few in the sample with a probability of at most ``1 - sure``. This holds
for a sample whose size was fixed before anybody looked.
"""

from bisect import bisect
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256

from searchain.annotation.protocol import Backing, Item, Labels, Place, carriers

Citation = tuple[str, int]
"""The id of a reply, and ``ItemMark.index``."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """What can be said of all citations, and the numbers to compute it again."""

    answers: int
    citations: int
    sure: float
    seed: int
    judged: int
    """The size of the sample."""
    wrong: int
    most: int
    """How many of all citations are wrong at most, with this certainty."""
    invented: int = 0
    """How many of the sample cite what is not there; these are wrong, and nobody needs to judge them."""

    @property
    def sentence(self) -> str:
        """The certificate in words."""
        unjudged = f"; {self.invented:,} more cited what is not there" if self.invented else ""
        return (
            f"Of the {self.citations:,} citations in these {self.answers:,} answers at most "
            f"{100 * self.most / self.citations:.1f} % are wrong, {100 * self.sure:g} % sure; "
            f"{self.judged - self.invented:,} were judged by people, {self.wrong - self.invented:,} of them wrong"
            f"{unjudged}."
        )


def ordered(items: Iterable[Item], seed: int) -> list[Citation]:
    """Return the citations of all items in the order in which a sample takes them."""
    places = [(item.id, mark.index) for item in items for mark in item.marks]
    return sorted(places, key=lambda place: sha256(f"{seed} {place[0]} {place[1]}".encode()).digest())


def is_right(item: Item, mark: int, labels: Labels) -> bool | None:
    """Return whether a citation stands where it belongs, and its statement is supported completely.

    ``None`` until it was judged. What an annotator cannot tell is not right. An invented citation needs no judgement.
    """
    if mark in item.invented:
        return False
    place = next((one.place for one in labels.marks if one.mark == mark), None)
    if place is None:
        return None
    bearer = carriers(item, labels).get(mark)
    return place is Place.RIGHT and bearer is not None and bearer.support is Backing.COMPLETE


def most_wrong(population: int, judged: int, wrong: int, sure: float) -> int:
    """Return how many of ``population`` are wrong at most, when ``wrong`` of ``judged`` are.

    >>> most_wrong(1_500, 60, 0, 0.9)
    55
    """
    from scipy.stats import hypergeom  # here, because of the time that it takes

    possible = range(wrong, population - judged + wrong + 1)

    def is_too_many(bad: int) -> bool:
        # 1 - 0.8 is a little less than 0.2
        return bool(hypergeom.cdf(wrong, population, bad, judged) <= 1 - sure + 1e-12)

    return possible[bisect(possible, False, key=is_too_many) - 1]


def needed(population: int, share: float, wrong: int, sure: float) -> int | None:
    """Return how many must be judged so that at most ``share`` of all are wrong, if ``wrong`` of the judged ones are.

    ``None`` if not even all of them suffice.
    """
    sizes = range(wrong, population + 1)
    at = bisect(sizes, False, key=lambda judged: most_wrong(population, judged, wrong, sure) <= share * population)
    return sizes[at] if at < len(sizes) else None
