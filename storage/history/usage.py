"""Statistics per model: usage by day, outcomes, origin of the knowledge (Table 2 of the paper), and feedback."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from searchain.types import Outcome
from storage.database import Database
from storage.history.selection import EVERYTHING, Selection

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Used:
    """The finished turns of one model on one day."""

    day: str
    """The day in UTC."""
    model: str
    turns: int
    answered: int
    rounds: int
    llm_calls: int
    prompt_tokens: int
    completion_tokens: int
    llm_seconds: float
    retrieval_seconds: float
    reader_seconds: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Outcomes of the replies of one model, without runs that did not end normally."""

    model: str
    supported: int
    quoted: int
    unsure: int
    unrated: int
    asks: int
    not_found: int
    no_search: int
    not_rated: int
    """Replies without an outcome: stored before outcomes existed, or from another system."""

    @property
    def counts(self) -> dict[Outcome, int]:
        """Outcome → how many replies have it."""
        return {outcome: getattr(self, outcome) for outcome in Outcome}


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Steps behind the replies of one model, by the origin of their answer."""

    model: str
    llm: int
    """Steps that keep the model's answer."""
    corrected: int
    """Steps with an answer corrected by a passage."""
    completed: int
    """Steps that the model left open and a passage answered."""

    @property
    def shares(self) -> tuple[float, float, float]:
        """The shares of llm, corrected and completed; they add up to 1."""
        total = self.llm + self.corrected + self.completed
        return self.llm / total, self.corrected / total, self.completed / total


@dataclass(frozen=True, slots=True)
class Judged:
    """The newest feedback on the replies of one model and on their citations."""

    model: str
    up: int
    down: int
    unsupported: int
    """Citations whose passage, according to somebody, does not support the sentence."""


_SUMS = "rounds llm_calls prompt_tokens completion_tokens llm_seconds retrieval_seconds reader_seconds seconds".split()


def usage(store: Database, selection: Selection = EVERYTHING) -> list[Used]:
    """Sum up the usage per day and model, the latest day first."""
    sums = ", ".join(f"sum(t.{name}) AS {name}" for name in _SUMS)
    return _counted(
        store,
        selection,
        Used,
        f"""
        SELECT substr(t.created, 1, 10) AS day, t.model, count(*) AS turns, sum(t.status = 'answered') AS answered,
            {sums}
        FROM turns t WHERE t.status IS NOT NULL AND {{chosen}} GROUP BY 1, 2 ORDER BY 1 DESC, 2""",
    )


def outcomes(store: Database, selection: Selection = EVERYTHING) -> list[Outcomes]:
    """Count the outcomes per model."""
    counts = ", ".join(f"coalesce(sum(t.outcome = '{outcome}'), 0) AS {outcome}" for outcome in Outcome)
    return _counted(
        store,
        selection,
        Outcomes,
        f"""
        SELECT t.model, {counts}, sum(t.outcome IS NULL) AS not_rated
        FROM turns t WHERE t.status IN ('answered', 'partial', 'not_found') AND {{chosen}}
        GROUP BY t.model ORDER BY t.model""",
    )


def knowledge(store: Database, selection: Selection = EVERYTHING) -> list[Knowledge]:
    """Count the steps per model by the origin of their answer; unanswered steps do not count."""
    return _counted(
        store,
        selection,
        Knowledge,
        """
        SELECT t.model, sum(n.verdict IN ('agreed', 'disputed', 'unconfirmed')) AS llm,
            sum(n.verdict = 'corrected') AS corrected, sum(n.verdict = 'completed') AS completed
        FROM turns t JOIN nodes n ON n.turn = t.id
        WHERE n.on_path AND n.verdict IS NOT NULL AND NOT (n.verdict = 'unconfirmed' AND n.model_answer IS NULL)
            AND t.status IS NOT NULL AND {chosen} GROUP BY t.model ORDER BY t.model""",
    )


def judged(store: Database, selection: Selection = EVERYTHING) -> list[Judged]:
    """Count the newest feedback per model."""
    return _counted(
        store,
        selection,
        Judged,
        """
        SELECT t.model, sum(f.value = 'up' AND f.source IS NULL) AS up,
            sum(f.value = 'down' AND f.source IS NULL) AS down,
            sum(f.value = 'down' AND f.source IS NOT NULL) AS unsupported
        FROM feedback f JOIN turns t ON t.id = f.turn
        WHERE f.value IS NOT NULL AND {chosen} AND f.number IN (
            SELECT max(number) FROM feedback GROUP BY turn, source, owner)
        GROUP BY t.model ORDER BY t.model""",
    )


def _counted(store: Database, selection: Selection, kind: Callable[..., Row], query: str) -> list[Row]:
    """Return a ``Row`` for each row of ``query``, in which ``{chosen}`` is the condition of ``selection``."""
    where, values = selection.where()
    return [kind(**row) for row in store.named_rows(query.format(chosen=where), values)]
