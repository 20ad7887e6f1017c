"""Words → a condition over the search index of questions and replies.

    tower "built in" eiff*     all of these: a word, a phrase, the beginning of a word

Languages that write without spaces are not words to the index; what holds such letters is looked up as a part of the
text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from searchain.errors import UsageError

_TERM = re.compile(r'"([^"]*)"?|(\S+)')
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
"""Thai, Lao, Burmese, Khmer, kana, Han."""


def condition(text: str) -> tuple[str, dict[str, str]]:
    """SQL over ``turns t`` that holds where all of the text's terms occur, and its parameters.

    Raises:
        UsageError: there is nothing to look for.
    """
    match, parts = split(text)
    sql, values = as_they_stand(parts)
    if match:
        sql = f"t.number IN (SELECT rowid FROM turns_fts WHERE turns_fts MATCH :match) AND {sql}"
        values["match"] = match
    return sql, values


def as_they_stand(parts: Sequence[str]) -> tuple[str, dict[str, str]]:
    """Return SQL that selects ``turns t`` which contain every one of ``parts`` literally, and its parameters."""
    sql = [f"(instr(t.question, :part{number}) OR instr(t.answer, :part{number}))" for number in range(len(parts))]
    return " AND ".join(sql) or "1", {f"part{number}": part for number, part in enumerate(parts)}


def split(text: str) -> tuple[str, list[str]]:
    """The query for the index (``""`` when there is none), and what must occur as it stands.

    Raises:
        UsageError: there is nothing to look for.
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
