"""Which language an utterance is written in, where that is not English, by scripts and function words.

The words of each language stand in ``languages.json`` beside this file, and the request to ask in English in the
languages that are met most often.
"""

from __future__ import annotations

import json
import re
import unicodedata
from pathlib import Path

_TABLES = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
IN_LANGUAGE: dict[str, str] = _TABLES["replies"]
ENGLISH_ONLY = IN_LANGUAGE["English"]
_SCRIPTS: dict[str, str] = _TABLES["scripts"]
_ASKING, _OTHERS = (
    {name: set(words.split()) for name, words in _TABLES[key].items()} for key in ("asking", "function")
)
"""Words that questions begin with, and function words."""
_STRONG = set(_TABLES["strong"].split())
"""Words that questions begin with, one of which is enough to tell the language."""
_OPENINGS: dict[str, str] = _TABLES["openings"]
_PHRASES: dict[str, str] = _TABLES["phrases"]
"""Greetings and thanks."""
_ENGLISH, _SHARED = set(_TABLES["english"].split()), set(_TABLES["shared"].split())


def foreign_language(question: str) -> str | None:
    """Return the English name of the language of a question that is not in English; ``None`` for English.

    A foreign name, or the title of a work, inside or instead of a question is not a sign of another language.

    >>> foreign_language("¿Quién escribió Don Quijote?"), foreign_language("Кто написал «Войну и мир»?")
    ('Spanish', 'Russian')
    >>> foreign_language("Who wrote La vie en rose?"), foreign_language("La Vie en rose"), foreign_language("what is π")
    (None, None, None)
    """
    if language := _by_script(question):
        return language
    folded = unicodedata.normalize("NFKC", question).casefold().replace("’", "'")
    said = re.sub(r"[^\w\s'-]", " ", folded).split()
    phrase = " ".join(said)
    for name, phrases in _PHRASES.items():
        if phrase in phrases.split("|"):
            return name
    if opened := next((name for name, opening in _OPENINGS.items() if re.match(opening, phrase)), None):
        return opened
    found = max(_scores(question, said), default=None)
    return found[1] if found else None


def reply_in(language: str) -> str:
    """Return the request to ask in English, in English and, where it is known, in ``language``."""
    own = IN_LANGUAGE.get(language)
    return f"{ENGLISH_ONLY} {own}" if own else ENGLISH_ONLY


def _by_script(question: str) -> str | None:
    """The language of the script that half of the letters and more belong to."""
    letters = [character for character in question if character.isalpha()]
    scripts = [unicodedata.name(character, "LATIN").split()[0].split("-")[0] for character in letters]
    foreign = [script for script in scripts if script in _SCRIPTS]
    has_english = not _ENGLISH.isdisjoint(question.casefold().split())
    if len(foreign) < 2 or len(foreign) * 2 <= len(letters) or has_english:
        return None
    if {"HIRAGANA", "KATAKANA"} & set(foreign):
        return "Japanese"
    return _SCRIPTS[max(set(foreign), key=foreign.count)]


def _scores(question: str, said: list[str]) -> list[tuple[int, str]]:
    """How many words of each language there are, where they are enough to tell it."""
    words = list(dict.fromkeys(part for word in said for part in (word, *re.split(r"['-]", word)) if part))
    english = sum(word in _ENGLISH and word not in _SHARED for word in said)
    scores = []
    for name, asks in _ASKING.items():
        function = _OTHERS[name] - _SHARED
        number = len({word for word in words if word in function or word in asks})
        opens = any(word in asks for word in words[:3]) or (
            name == "Turkish" and any(word in asks for word in words[-2:])
        )
        is_marked = name == "Spanish" and "¿" in question
        is_marked |= english == 0 and any(word in _STRONG and word in asks for word in (*words[:2], *words[-2:]))
        has_verbs = number >= 4 and number * 2 >= len(said)
        if english * 2 < number and (
            (opens and number >= 2 and number * 3 >= len(said)) or is_marked or (has_verbs and english == 0)
        ):
            scores.append((number + is_marked, name))
    return scores
