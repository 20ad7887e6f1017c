"""Tell whether two queries ask the same (DuplicateQuery in Algorithm 1), and whether one asks all of the other.

Cheap rules decide first: queries that name different things, numbers, ranks or directions are never duplicates ("When
was A started?" and "When was B started?"). Only undecided pairs are compared by the encoder, if one is given.
"""

from collections.abc import Callable

from searchain.language import text

Similarity = Callable[[str, str], float]
"""Cosine of two queries' embeddings, −1 to 1."""

SIMILAR = 0.93
"""Cosine from which two queries about the same names count as one. MiniLM gives 0.95 to "Who wrote Hamlet?" beside
"Who is the author of Hamlet?", and 0.90 to "When was the tower built?" beside "… sold?": a duplicate missed costs one
lookup, a false one leaves a query unchecked."""

_KINDS = {
    word: kind
    for kind, words in (
        ("person", "who whom whose person man woman"),
        ("time", "when year date day month century"),
        ("place", "where city country place town state location"),
        ("reason", "why"),
    )
    for word in words.split()
}
_KIND_WORDS = {text.stem(word) for word in _KINDS}
_QUALIFIERS = text.WORDS["qualifiers"]
"""Words that make two queries different however similar an encoder rates them."""


def same_query(one: str, other: str, similarity: Similarity | None = None) -> bool:
    """Tell whether two queries ask for the same answer.

    >>> same_query("In which city is Nintendo based?", "In what city is Nintendo based?")
    True
    >>> same_query("When was Nintendo started?", "When was Sega started?")
    False
    """
    if text.tokens(one) == text.tokens(other):
        return True
    if text.names(one) != text.names(other) or _kind(one) != _kind(other):
        return False
    if text.has_negation(one) != text.has_negation(other):
        return False
    if _qualifiers(one) != _qualifiers(other):
        return False
    mine, theirs = text.content_words(one) - _KIND_WORDS, text.content_words(other) - _KIND_WORDS
    if mine == theirs:
        # the same words in another order may turn a relation round: "Who did A beat?", "Who beat A?"
        return _content_order(one) == _content_order(other)
    if similarity is not None:
        return similarity(one, other) >= SIMILAR
    return len(mine & theirs) / len(mine | theirs) >= 0.8


def _qualifiers(query: str) -> frozenset[str]:
    return _QUALIFIERS.intersection(text.tokens(query))


def _kind(query: str) -> str:
    """Return the kind of answer that the question word asks for."""
    for word in text.tokens(query):
        if word in _KINDS:
            return _KINDS[word]
    return "yes/no" if text.is_yes_no_question(query) else "other"


def _content_order(query: str) -> list[str]:
    return [word for word in text.content_tokens(query) if word not in _KIND_WORDS]


_ASKING = frozenset("who whom whose which what when where how".split())
"""Question words at any place: "titan is the natural satellite of which planet"."""


def asks_all(query: str, question: str) -> bool:
    """Tell whether a query has all content words of the question (of seven or more, all but one) and so answers it.
    For a comparison this is never so, because it needs a step for each thing.

    >>> asks_all("In which country is the birthplace of Ada?", "The birthplace of Ada is in which country?")
    True
    >>> asks_all("Who directed Titanic?", "When was the director of Titanic born?")
    False
    """
    is_claim = text.is_statement(question) and not _ASKING.intersection(text.tokens(question))
    if text.is_comparison(question) or text.is_yes_no_question_form(question) or is_claim:
        return False
    if text.has_negation(question) != text.has_negation(query):
        return False
    asked = text.content_words(question)
    missing = asked - text.content_words(query)
    return bool(asked) and len(missing) <= (len(asked) >= 7)
