"""Statistics per model: usage by day, outcomes, origin of the knowledge (Table 2 of the paper), and feedback."""

from dataclasses import dataclass
from typing import Any

from searchain.types import Outcome
from storage.database import Database
from storage.history.selection import EVERYTHING, Selection

Counted = dict[str, Any]
"""Column → value."""


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


COUNTS = ("turns", "answered", "rounds", "llm_calls", "prompt_tokens", "completion_tokens")
SECONDS = ("llm_seconds", "retrieval_seconds", "reader_seconds", "seconds")
"""The columns of ``usage`` besides the day and the model."""


def usage(store: Database, selection: Selection = EVERYTHING) -> list[Counted]:
    """Sum up the usage of finished turns per ``day`` (UTC) and ``model``, the latest day first."""
    sums = ", ".join(f"sum(t.{name}) AS {name}" for name in (*COUNTS[2:], *SECONDS))
    query = f"""SELECT substr(t.created, 1, 10) AS day, t.model, count(*) AS turns,
            sum(t.status = 'answered') AS answered, {sums}
        FROM turns t WHERE t.status IS NOT NULL AND {{chosen}} GROUP BY 1, 2 ORDER BY 1 DESC, 2"""
    return _counted(store, selection, query)


def outcomes(store: Database, selection: Selection = EVERYTHING) -> list[Counted]:
    """Count the outcomes per ``model``, without runs that did not end normally.

    ``not_rated`` counts replies without an outcome: stored before outcomes existed, or from another system.
    """
    counts = ", ".join(f"coalesce(sum(t.outcome = '{outcome}'), 0) AS {outcome}" for outcome in Outcome)
    query = f"""SELECT t.model, {counts}, sum(t.outcome IS NULL) AS not_rated
        FROM turns t WHERE t.status IN ('answered', 'partial', 'not_found') AND {{chosen}}
        GROUP BY t.model ORDER BY t.model"""
    return _counted(store, selection, query)


def knowledge(store: Database, selection: Selection = EVERYTHING) -> list[Knowledge]:
    """Count the steps per model by the origin of their answer; unanswered steps do not count."""
    query = """SELECT t.model, sum(n.verdict IN ('agreed', 'disputed', 'unconfirmed')) AS llm,
            sum(n.verdict = 'corrected') AS corrected, sum(n.verdict = 'completed') AS completed
        FROM turns t JOIN nodes n ON n.turn = t.id
        WHERE n.on_path AND n.verdict IS NOT NULL AND NOT (n.verdict = 'unconfirmed' AND n.model_answer IS NULL)
            AND t.status IS NOT NULL AND {chosen} GROUP BY t.model ORDER BY t.model"""
    return [Knowledge(**row) for row in _counted(store, selection, query)]


def judged(store: Database, selection: Selection = EVERYTHING) -> list[Counted]:
    """Count the newest feedback per ``model``: ``up``, ``down``, and ``unsupported``.

    The last are citations whose passage, according to somebody, does not support the sentence.
    """
    query = """SELECT t.model, sum(f.value = 'up' AND f.source IS NULL) AS up,
            sum(f.value = 'down' AND f.source IS NULL) AS down,
            sum(f.value = 'down' AND f.source IS NOT NULL) AS unsupported
        FROM feedback f JOIN turns t ON t.id = f.turn
        WHERE f.value IS NOT NULL AND {chosen} AND f.number IN (
            SELECT max(number) FROM feedback GROUP BY turn, source, owner)
        GROUP BY t.model ORDER BY t.model"""
    return _counted(store, selection, query)


def _counted(store: Database, selection: Selection, query: str) -> list[Counted]:
    """Return the rows of ``query``, in which ``{chosen}`` is the condition of ``selection``."""
    where, values = selection.where()
    return store.named_rows(query.format(chosen=where), values)
