"""Unify names of the same thing: countries and their people, world wars, titles before a name, British spellings.

The names stand in ``aliases.json`` beside this file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from itertools import dropwhile
from pathlib import Path

_TABLES = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
_NAMES = {name: names.split("|")[0] for names in _TABLES["same"] for name in names.split("|")}
_NAMES |= {people: country for country, _, people in (pair.rpartition(" ") for pair in _TABLES["peoples"])}
_TITLES = frozenset(_TABLES["titles"].split())
_AMERICAN: dict[str, str] = _TABLES["american"]
_ENDINGS = (
    (re.compile(r"\b(col|harb|flav|hon|lab|neighb|arm|hum|rum|vap|behavi|fav|sav|od|parl|vig|tum)our"), r"\1or"),
    (re.compile(r"(met|cent|theat|lit|fib|calib|spect|sab)re(?=s?\b)"), r"\1er"),
    (re.compile(r"([a-z]{4})is(e|ed|es|ing|ation|ations)\b"), r"\1iz\2"),
    (re.compile(r"\b(h|p|c|arch|encyclop|pal|an)ae"), r"\1e"),
)
"""Patterns of British spellings in tokens → the American spelling."""
SHORT_NAMES = tuple((re.compile(rf"\b{short}\b", re.IGNORECASE), title) for title, short in _TABLES["short"].items())
"""(pattern of a short form that people type, title of the article)."""


def canonical(words: tuple[str, ...]) -> str:
    """Return the canonical name: the same for all known names of one thing.

    >>> canonical(("mount", "everest")), canonical(("second", "world", "war")), canonical(("polish",))
    ('everest', 'world war ii', 'poland')
    >>> canonical(("sulphuric", "acid")), canonical(("theatre", "of", "colour"))
    ('sulfuric acid', 'theater of color')
    """
    name = " ".join(tuple(dropwhile(_TITLES.__contains__, words)) or words)
    for british, american in _AMERICAN.items():
        name = name.replace(british, american)
    for ending, american in _ENDINGS:
        name = ending.sub(american, name)
    return _NAMES.get(name, name)


def written_out(question: str, names: Iterable[tuple[re.Pattern[str], str]] = SHORT_NAMES) -> str:
    """Replace the short forms of ``names`` in the question by the full titles.

    >>> written_out("when did ww2 end"), written_out("who shot JFK?")
    ('when did World War II end', 'who shot John F. Kennedy?')
    """
    for short, title in names:
        question = short.sub(title, question)
    return question
