"""Relate two queries: whether they ask the same (DuplicateQuery in Algorithm 1), and what remains after one of them.

Cheap rules decide first: queries that name different things, numbers, ranks or directions are never duplicates ("When
was A started?" and "When was B started?"). Only undecided pairs are compared by the encoder, if one is given.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from searchain.language import text

LONGEST_QUESTION = 500
"""Most characters of a question; nobody types a longer one to ask for one thing."""
MOST_ANSWER_WORDS = 6
"""Most words of an answer that can stand in a question; longer answers are clauses."""

_WORD = re.compile(r"\w[\w'’.&/-]*")
_ASKING_OR_NAMING = frozenset("what which who whose when where how name".split())
_JOINING = frozenset("of in on at by for to from with and or is was are were has had that who which whose whom".split())
"""Words that join a description to its noun, or one clause to another."""
_CLAUSE = re.compile(r"\W*(?:that|who|which|whose|where|when|and|of|by|the|an?)\b", re.IGNORECASE)
_BARE = re.compile(r"(?:who|what|which|name)(?:['’]?s| is| was| are| were)?", re.IGNORECASE)
_VERB = re.compile(r"\b(?:is|was|are|were|has|had|will|which|who)\b|\?$")


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    start: int
    end: int
    is_shared: bool | None
    """Whether the step has the word too; ``None`` for words without content."""


def remaining_question(question: str, query: str, answer: str) -> str | None:
    """Return the question that remains after the step ``query``; ``None`` if nothing remains or it is unclear what.

    The step must ask about one description in the question, which begins with an article and has all words that step
    and question share. The answer replaces this description.

    >>> remaining_question("Who founded the band that released Messe?", "Which band released Messe?", "Ulver")
    'Who founded Ulver?'
    >>> remaining_question("When was the host of Arena born?", "Who is the host of Arena?", "Dennis Prager")
    'When was Dennis Prager born?'
    >>> remaining_question("What is the oldest city that never moved?", "What is the oldest city?", "Jericho") is None
    True
    """
    is_name = 0 < len(answer.split()) <= MOST_ANSWER_WORDS and not _VERB.search(answer)
    words = _words(question, query) if is_name and len(question) <= LONGEST_QUESTION else []
    found = _description(words)
    if found is None:
        return None
    first, last = found
    outside = [*words[:first], *words[last + 1 :]]
    if any(word.is_shared for word in outside) or all(word.is_shared is None for word in outside):
        return None
    head, tail = question[: words[first].start], question[words[last].end :].lstrip('"”’)]')
    asks = any(word.text.replace("’", "'").partition("'")[0] in _ASKING_OR_NAMING for word in outside)
    return None if _BARE.fullmatch(head.strip()) or not asks or _CLAUSE.match(tail) else f"{head}{answer}{tail}"


def _words(question: str, query: str) -> list[_Word]:
    step, words = text.content_words(query), []
    for match in _WORD.finditer(question):
        word = match[0].rstrip(".'’")
        content, small = text.content_words(word), word.lower()
        is_shared = None if not content or small in _ASKING_OR_NAMING | _JOINING else bool(content & step)
        words.append(_Word(small, match.start(), match.start() + len(word), is_shared))
    return words


def _description(words: Sequence[_Word]) -> tuple[int, int] | None:
    """Return the first and the last word of the longest description that the step asks about."""
    found: list[tuple[int, list[int]]] = []
    for first, article in enumerate(words):
        if article.text in ("the", "a", "an"):
            stop = next((at for at in range(first + 1, len(words)) if _ends(words, at)), len(words))
            found.append((first, [at for at in range(first + 1, stop) if words[at].is_shared]))
    first, shared = max(found, key=lambda one: len(one[1]), default=(0, []))
    return (first, shared[-1]) if len(shared) > 1 else None


def _ends(words: Sequence[_Word], at: int) -> bool:
    """Return whether a description ends before a word, which the step lacks or which asks: "based in what city"."""
    word, before = words[at].text, words[at - 1]
    is_joined = before.is_shared is None and before.text in _JOINING
    asks = word in ("what", "how", "when") or (word in _ASKING_OR_NAMING and is_joined)  # but not "the band which"
    return asks or words[at].is_shared is False


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
_QUALIFIERS = frozenset(
    "first second third fourth fifth last next maximum minimum average mean total median longest shortest "
    "largest smallest biggest highest lowest tallest deepest oldest youngest newest earliest latest most "
    "least more less mother father grandmother grandfather son daughter brother sister husband wife uncle "
    "aunt begin began start started finish finished end ended born die died birth death north south east west "
    "before after".split()
)
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
    if not asked or len(missing) > (len(asked) >= 7):
        return False
    return not missing or remaining_question(question, query, "it") is None
