"""Handle short descriptions of encyclopedia articles, which precede the lead as a sentence of their own.

Wikipedia keeps a short description of most articles, such as “English novelist (1775–1817)”. It often gives years that
the lead lacks. The label stands in the stored passage; people see the description as a caption instead.
"""

import re

from searchain.types import Passage

LABEL = "Short description: "
_IN_BRACKETS = re.compile(r" \([^()]*\)$")


def described(description: str, lead: str) -> str:
    r"""Put ``description`` on a line of its own before ``lead``.

    >>> described("English novelist (1775–1817)", "Jane Austen was an English novelist.")
    'Short description: English novelist (1775–1817).\nJane Austen was an English novelist.'
    """
    if not description:
        return lead
    return f"{LABEL}{description}{'' if description.endswith('.') else '.'}\n{lead}"


def labelled(text: str) -> int:
    r"""Return the length of the label at the beginning of ``text``: 0 without a description.

    >>> labelled("Short description: Capital of Colorado, U.S.\nDenver is a city."), labelled("Denver is a city.")
    (19, 0)
    """
    return len(LABEL) if after_description(text) else 0


def after_description(text: str) -> int:
    r"""Return the offset at which the lead begins in ``text``: 0 without a description.

    >>> after_description("Short description: Capital of Colorado, U.S.\nDenver is a city.")
    45
    """
    return text.find("\n") + 1 if text.startswith(LABEL) else 0


def bare_title(title: str) -> str:
    """Return a title without the words in brackets after it.

    >>> bare_title("Mercury (planet)")
    'Mercury'
    """
    return _IN_BRACKETS.sub("", title)


def about(passage: Passage) -> str:
    """Return a question that the article of ``passage`` answers, with the article's name as its lead begins.

    >>> about(Passage("1", "Mercury (planet)", "")), about(Passage("2", "Big Bang", "The Big Bang is a theory."))
    ('Tell me about Mercury.', 'Tell me about the Big Bang.')
    """
    title, lead = bare_title(passage.title), passage.text[after_description(passage.text) :]
    named = lead[4:][: len(title)]
    is_led = (
        lead.startswith("The ") and not lead[4 + len(title) :][:1].isalnum() and named.casefold() == title.casefold()
    )
    return f"Tell me about {f'the {named}' if is_led else title}."
