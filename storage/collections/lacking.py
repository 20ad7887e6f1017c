"""What was asked of a collection and not found in its documents: questions, similar ones together.

A question counts while its newest reply over the collection is *not found*; asked again with success, it is gone.
Everybody sees their own questions; of others' only how many there are, where they may change the collection. Whoever
has the database file can list all, as with ``logs list``.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from searchain.types import JOINT, Outcome
from storage.database import Database
from storage.log.conversations import KEPT

ALIKE = 0.6
"""The cosine from which two questions stand together: "What does a parking space cost?" beside "How much is the parking
fee?" has 0.82, "When is the rent due?" beside "When does the lease end?" 0.68, "Who painted Guernica?" beside "Who
painted the Mona Lisa?" 0.51. They belong to one subject, and perhaps one file answers them; they may ask different
things of it."""
_NEAREST = """SELECT r.passage FROM retrievals r JOIN nodes n ON n.turn = r.turn AND n.id = r.node
    WHERE r.turn = t.id ORDER BY r.rank, n.position LIMIT 1"""
_QUESTION = "coalesce(t.standalone_question, t.question) AS question"
_OVER = f"""instr('{JOINT}' || t.index_name || '{JOINT}', '{JOINT}' || ? || '{JOINT}')
    AND t.outcome IS NOT NULL AND t.beside IS NULL"""
_ASKED = f"""SELECT t.id AS turn, t.conversation, c.owner, {_QUESTION},
    t.created, coalesce(p.title, '') AS title, coalesce(p.text, '') AS text, t.outcome
    FROM turns t JOIN conversations c ON c.id = t.conversation LEFT JOIN passages p ON p.hash = ({_NEAREST})
    WHERE {_OVER} AND {KEPT} ORDER BY t.created, t.id"""
_OUTCOMES = f"""SELECT c.owner, {_QUESTION}, t.outcome FROM turns t JOIN conversations c ON c.id = t.conversation
    WHERE {_OVER} AND {KEPT} AND c.owner = coalesce(?, c.owner) ORDER BY t.created, t.id"""


@dataclass(frozen=True, slots=True)
class Unanswered:
    """A question whose newest reply over the collection is *not found*."""

    turn: str
    conversation: str
    owner: str
    question: str
    created: str
    title: str
    """The title of the nearest passage; ``""`` if none was found, or its document was erased."""
    text: str
    """The nearest passage."""


def unanswered(store: Database, index: str) -> list[Unanswered]:
    """Return everybody's unanswered questions over the collection with this index, the newest first."""
    newest: dict[tuple[str, str], Unanswered] = {}
    for row in store.named_rows(_ASKED, (index,)):
        outcome, asked = row.pop("outcome"), (row["owner"], row["question"].casefold())
        newest.pop(asked, None)
        if outcome == Outcome.NOT_FOUND:
            newest[asked] = Unanswered(**row)
    return list(reversed(newest.values()))


def count(store: Database, index: str, owner: str | None = None) -> int:
    """Count the unanswered questions over the collection with this index, of everybody or of ``owner``."""
    newest = {(who, question.casefold()): outcome for who, question, outcome in store.rows(_OUTCOMES, (index, owner))}
    return sum(outcome == Outcome.NOT_FOUND for outcome in newest.values())


def grouped(questions: Iterable[Unanswered], alike: Callable[[str, str], float]) -> list[list[Unanswered]]:
    """Put each question to the first group whose first question it is like; return the largest groups first."""
    groups: list[list[Unanswered]] = []
    for one in questions:
        for group in groups:
            if alike(group[0].question, one.question) >= ALIKE:
                group.append(one)
                break
        else:
            groups.append([one])
    return sorted(groups, key=len, reverse=True)
