"""Converts search words to a condition over the search index of questions and replies.

    tower "built in" eiff*     all of these: a word, a phrase, the beginning of a word

The index cannot separate words in scripts without spaces. Terms in such scripts are searched as parts of the text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from searchain.errors import UsageError

_TERM = re.compile(r'"([^"]*)"?|(\S+)')
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
"""Letters of scripts without spaces: Thai, Lao, Burmese, Khmer, kana, Han."""


def condition(text: str) -> tuple[str, dict[str, str]]:
    """Return SQL that selects ``turns t`` with all terms of the text, and its parameters.

    Raises:
        UsageError: the text has no word to search for.
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
    """Split the text into a query for the index (``""`` if it has no words) and parts that must occur literally.

    Raises:
        UsageError: the text has no word to search for.
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
