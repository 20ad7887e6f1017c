"""Words that ask for something of a thing, without naming the thing: "population", "how many people died"."""

from __future__ import annotations

from searchain.language import text

OF_SOMETHING = frozenset(
    text.stem(word)
    for word in (
        "people persons passengers victims soldiers years time place part reason cause causes result outcome "
        "effect winner loser author director composer founder inventor name size height length width depth weight "
        "age area population capital currency language leader president king queen members purpose meaning "
        "symptoms treatment cost year date died die dead killed survived survive happened happen won win lost lose "
        "started start began begin ended end lasted last fought fight built build designed made make wrote written "
        "painted composed directed invented discovered founded opened closed caused born married buried lived live "
        "called long old big large tall high deep far heavy fast many much first main captain emperor empress pope "
        "chancellor governor mayor ceo owner commander prime minister champion rules ruled governs spoken speaks "
        "next later afterwards"
    ).split()
)
"""Stems of words of questions that lean on the conversation where there is no other."""
_ASPECTS = frozenset(
    text.stem(word)
    for word in (
        "history culture religion climate flag economy geography food cuisine weather government politics anthem "
        "neighbours borders location education wildlife religions languages cities rivers mountains islands tourism "
        "military army demographics etymology diet habitat lifespan speed colour color temperature diameter mass "
        "gravity moons children wife husband parents mother father family death birthplace nationality works books "
        "examples kinds types sorts villain hero"
    ).split()
)
"""Stems of words that name an article of their own, and after another question mean something of its thing."""


def is_of_something(words: str) -> bool:
    """Tell whether words name nothing that has what they ask for.

    >>> [is_of_something(one) for one in ("population", "how old", "the flag", "osmosis", "")]
    [True, True, True, False, True]
    """
    return not text.names(words) and text.content_words(words) <= OF_SOMETHING | _ASPECTS
