"""Selects turns by conversation, user, model, status, time and words, as SQL over ``turns``.

Words become a condition over the search index of questions and replies:

    tower "built in" eiff*     all of these: a word, a phrase, the beginning of a word

The index cannot separate words in scripts without spaces. Terms in such scripts are searched as parts of the text.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from searchain.errors import UsageError
from searchain.types import Outcome, Status
from storage.log.conversations import HIDDEN

_TERM = re.compile(r'"([^"]*)"?|(\S+)')
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
"""Letters of scripts without spaces: Thai, Lao, Burmese, Khmer, kana, Han."""


def condition(text: str) -> tuple[str, dict[str, str]]:
    """Return SQL that selects ``turns t`` with all terms of the text, and its parameters.

    Raises ``UsageError`` if the text has no word to search for.
    """
    match, parts = parts_of(text)
    sql, values = as_they_stand(parts)
    if match:
        sql = f"t.number IN (SELECT rowid FROM turns_fts WHERE turns_fts MATCH :match) AND {sql}"
        values["match"] = match
    return sql, values


def as_they_stand(parts: Sequence[str]) -> tuple[str, dict[str, str]]:
    """Return SQL that selects ``turns t`` which contain every one of ``parts`` literally, and its parameters."""
    sql = [f"(instr(t.question, :part{number}) OR instr(t.answer, :part{number}))" for number in range(len(parts))]
    return " AND ".join(sql) or "1", {f"part{number}": part for number, part in enumerate(parts)}


def parts_of(text: str) -> tuple[str, list[str]]:
    """Split the text into a query for the index (``""`` if it has no words) and parts that must occur literally.

    Raises ``UsageError`` if the text has no word to search for.
    """
    words, parts = [], []
    for phrase, word in _TERM.findall(text.replace("\0", " ")):
        term = phrase or word
        if _UNSPACED.search(term):
            parts.append(term)
        elif re.search(r"\w", term):  # the index knows no words without letters or digits
            is_beginning = word.endswith("*")
            bare = term.rstrip("*").replace('"', " ")
            words.append(f'"{bare}"' + "*" * is_beginning)  # quoted, because FTS5 reads much else as syntax
    if not words and not parts:
        raise UsageError(f"{text!r} holds no word to look for; write some, such as: logs search island")
    return " ".join(words), parts


_AGO = re.compile(r"(\d{1,5})([mhd])")
_UNITS = {"m": "minutes", "h": "hours", "d": "days"}


@dataclass(frozen=True, slots=True)
class Selection:
    """Conditions that turns must meet, all together; ``None`` sets no condition. ``moment`` converts times."""

    conversation: str | None = None
    owner: str | None = None
    model: str | None = None
    """A part of the model's name."""
    system: str | None = None
    status: Status | None = None
    outcome: Outcome | None = None
    since: str | None = None
    until: str | None = None
    """The first time that is too late."""
    share: str | None = None
    """The ID of a snapshot (``storage.people.shares``) that contains the turns."""
    turn: str | None = None
    text: str | None = None
    """Words in the question or the reply, in the syntax of ``storage.history.selection``."""
    is_changed: bool | None = None
    """Whether a cited document was replaced and says otherwise, or was removed."""
    with_hidden: bool = False
    """Whether turns of temporary conversations, and of deleted ones that are not erased yet, are selected, too."""

    def where(self) -> tuple[str, dict[str, Any]]:
        """Return the SQL condition over ``turns t``, and its parameters."""
        parts, values = [] if self.with_hidden else [f"t.conversation NOT IN {HIDDEN}"], {}
        for name, sql in _CONDITIONS.items():
            if (value := getattr(self, name)) is not None:
                parts.append(sql)
                values[name] = value
        if self.text is not None:
            sql, words = condition(self.text)
            parts.append(sql)
            values |= words
        return " AND ".join(parts) or "1", values


EVERYTHING = Selection()

_CONDITIONS = {
    "conversation": "t.conversation = :conversation",
    "owner": "t.conversation IN (SELECT id FROM conversations WHERE owner = :owner)",
    "model": "instr(lower(t.model), lower(:model))",
    "system": "t.system = :system",
    "status": "t.status = :status",
    "outcome": "t.outcome = :outcome",
    "since": "t.created >= :since",
    "until": "t.created < :until",
    "is_changed": ":is_changed = (t.id IN (SELECT turn FROM changed_citations WHERE state != 'there'))",
    "turn": "t.id = :turn",
    "share": "t.id IN (SELECT turn FROM shared_turns WHERE share = :share)",
}


def chosen(
    *,
    status: str | None = None,
    outcome: str | None = None,
    since: str | None = None,
    until: str | None = None,
    **others: Any,
) -> Selection:
    """Convert the text of a person's options to a selection; the names are those of ``Selection``.

    Raises ``UsageError`` if the status or outcome is unknown, or a time cannot be read.
    """
    if status is not None and status not in list(Status):
        raise UsageError(f"there is no status {status!r}; there are: {', '.join(Status)}")
    if outcome is not None and outcome not in list(Outcome):
        raise UsageError(f"there is no outcome {outcome!r}; there are: {', '.join(Outcome)}")
    return Selection(
        status=Status(status) if status else None,
        outcome=Outcome(outcome) if outcome else None,
        since=moment(since) if since else None,
        until=moment(until, is_end=True) if until else None,
        **others,
    )


def moment(text: str, *, is_end: bool = False) -> str:
    """Convert a date, a time (UTC unless it names a zone) or an age such as ``7d`` to the stored form of times.

    With ``is_end``, a date means the end of that day. Raises ``UsageError`` if the text is none of these.
    """
    try:
        if ago := _AGO.fullmatch(text):
            found = datetime.now(UTC) - timedelta(**{_UNITS[ago[2]]: int(ago[1])})
        else:
            found = datetime.fromisoformat(text)
            found = found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
            if is_end and len(text) == len("2026-01-31"):
                found += timedelta(days=1)
    except (ValueError, OverflowError):
        raise UsageError(
            f"{text!r} is no time; write 2026-01-31, 2026-01-31T18:00 or an age such as 7d, 12h, 30m"
        ) from None
    return found.isoformat(timespec="milliseconds")
