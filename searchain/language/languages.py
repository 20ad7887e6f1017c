"""Recognise the language of a text that is not English, by its script and its function words.

``languages.json`` beside this file holds the words of each language, and for the commonest languages a request to ask
in English.
"""

import json
import re
import unicodedata
from collections.abc import Collection, Sequence
from pathlib import Path

_TABLES = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
IN_LANGUAGE: dict[str, str] = _TABLES["replies"]
ENGLISH = "English"
ENGLISH_ONLY = IN_LANGUAGE[ENGLISH]
_SCRIPTS: dict[str, str] = _TABLES["scripts"]
_ASKING, _OTHERS = (
    {name: set(words.split()) for name, words in _TABLES[key].items()} for key in ("asking", "function")
)
"""Language → words that begin questions, and language → function words."""
_STRONG = set(_TABLES["strong"].split())
"""Words that begin questions and alone identify the language."""
_OPENINGS: dict[str, str] = _TABLES["openings"]
_PHRASES: dict[str, str] = _TABLES["phrases"]
"""Language → greetings and thanks."""
_SHARED = set(_TABLES["shared"].split())
_ENGLISH = set(_TABLES["english"].split()) - _SHARED
_OTHERS = {name: words - _SHARED for name, words in _OTHERS.items()}
LEAST_WORDS = 3
"""Fewest function words by which the language of a text is known; a tenth of its words in a longer text."""
_SIGNS, _JOINTS = re.compile(r"[^\w\s'-]"), re.compile(r"['-]")


def foreign_language(question: str) -> str | None:
    """Return the English name of the language of a question that is not in English; ``None`` for English.

    A foreign name or title within a question, or alone, does not count as another language.

    >>> foreign_language("¿Quién escribió Don Quijote?"), foreign_language("Кто написал «Войну и мир»?")
    ('Spanish', 'Russian')
    >>> foreign_language("Who wrote La vie en rose?"), foreign_language("La Vie en rose"), foreign_language("what is π")
    (None, None, None)
    """
    if language := _by_script(question):
        return language
    folded = unicodedata.normalize("NFKC", question).casefold().replace("’", "'")
    said = _SIGNS.sub(" ", folded).split()
    phrase = " ".join(said)
    known = (name for name, phrases in _PHRASES.items() if phrase in phrases.split("|"))
    opened = (name for name, opening in _OPENINGS.items() if re.match(opening, phrase))
    return next(known, None) or next(opened, None) or _by_words(said)


def language_of(text: str, among: Collection[str] | None = None) -> str:
    """Return the English name of the language in which most of a text is written; "English" if that is not clear.

    Args:
        among: the languages besides English that a short text may be in; one function word is enough to know it.

    >>> language_of("Die Miete ist bis zum dritten Werktag auf das Konto der Vermieterin zu zahlen.")
    'German'
    >>> language_of("Invoice 4471, Müller & Söhne, 12 EUR"), language_of("家賃は月末までに払ってください。")
    ('English', 'Japanese')
    >>> language_of("Welche Frist gilt?", {"German"}), language_of("Wer da?", {"French"})
    ('German', 'English')
    """
    if language := _main_script(text):
        return language
    said = [word for word in _SIGNS.sub(" ", text.casefold()).split() if len(word) > 1]  # not the letters of names
    numbers = {
        name: sum(word in words or word in _ASKING[name] for word in said)
        for name, words in _OTHERS.items()
        if among is None or name in among
    }
    least = max(LEAST_WORDS, len(said) / 10) if among is None else 1
    name = max(numbers, key=numbers.__getitem__, default="")
    return (
        name if name and numbers[name] >= least and numbers[name] > sum(map(_ENGLISH.__contains__, said)) else ENGLISH
    )


def function_words(language: str) -> set[str]:
    """Return the words of ``language`` that occur in every text, and those that begin its questions."""
    return _OTHERS.get(language, set()) | _ASKING.get(language, set()) | _SHARED


def reply_in(language: str) -> str:
    """Return the request to ask in English, written in English and, if available, in ``language``."""
    own = IN_LANGUAGE.get(language)
    return f"{ENGLISH_ONLY} {own}" if own else ENGLISH_ONLY


def _by_script(question: str) -> str | None:
    """Return the language of the script of a question without English words; ``None`` for the Latin script."""
    return _main_script(question) if _ENGLISH.isdisjoint(question.casefold().split()) else None


def _main_script(text: str) -> str | None:
    """Return the language of the script to which most letters belong; ``None`` for the Latin script."""
    letters = [character for character in text if character.isalpha()]
    scripts = [unicodedata.name(character, "LATIN").split()[0].split("-")[0] for character in letters]
    foreign = [script for script in scripts if script in _SCRIPTS]
    if len(foreign) < 2 or len(foreign) * 2 <= len(letters):
        return None
    if {"HIRAGANA", "KATAKANA"} & set(foreign):
        return "Japanese"
    return _SCRIPTS[max(set(foreign), key=foreign.count)]


def _by_words(said: Sequence[str]) -> str | None:
    """Return the language with most words in the text, if these suffice and few words are English."""
    words = list(dict.fromkeys(part for word in said for part in (word, *_JOINTS.split(word)) if part))
    english = sum(word in _ENGLISH for word in said)
    numbers = {name: sum(word in _OTHERS[name] or word in asks for word in words) for name, asks in _ASKING.items()}
    name = max(numbers, key=numbers.__getitem__)
    number, ends = numbers[name], {*words[:3], *words[-2:]} & _ASKING[name]
    is_question = bool(ends) and number >= 2 and number * 3 >= len(said)
    is_sentence = number >= 4 and number * 2 >= len(said)
    is_sure = is_question or (english == 0 and (is_sentence or bool(ends & _STRONG)))
    return name if is_sure and english * 2 < number else None
