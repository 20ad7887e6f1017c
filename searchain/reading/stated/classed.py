"""Decide "Is X a Y?" and its like by what the article X says that its subject is, where its words decide it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from searchain.language import text
from searchain.reading.articles import Match, description, description_span, matched, sentences_of
from searchain.reading.stated.class_questions import bare, class_asked, is_namesake
from searchain.reading.stated.classes import belongs
from searchain.reading.stated.described import has_role
from searchain.types import Hit, Passage, Span

_NOT_REALLY = frozenset(
    map(text.stem, "dwarf minor former fictional mythical legendary proposed toy false artificial".split())
)
"""Words that make a thing of a class something else: a dwarf planet is not a planet."""
_ENDED = frozenset({text.stem("former")})
"""Says that a thing was of the class."""
_LACKING = {
    "fly": {"flightless"},
    "leg": {"legless", "limbless"},
    "limb": {"limbless"},
    "wing": {"wingless"},
    "tail": {"tailless"},
    "teeth": {"toothless"},
}
"""What something can do or has → words that deny it."""
_HUMAN = frozenset(map(text.stem, ("man", "woman", "person", "human")))
"""What no biography calls its subject."""
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)+")
"""A name of two words or more that does not begin a sentence."""
_THE = re.compile(r"(?:is|are|was|were) the ", re.IGNORECASE)
"""Begins a question about a trade rather than a surname: "is the cook a singer"."""
_HAS_ROLE = re.compile(
    r"(?:is|was) (?P<thing>[^,;]{2,60}?) the (?P<role>capital|capital city|currency) of (?:the )?"
    r"(?P<owner>[^,;]{2,60})",
    re.IGNORECASE,
)
_CAN = re.compile(r"(?:can|do) (?P<thing>[^,;]{2,60}?) (?:have |has )?(?P<what>[a-z]+)", re.IGNORECASE)
_LIVES = re.compile(r"(?:is|was) (?P<thing>[^,;]{2,60}?) (?:still )?(?P<state>alive|dead|living)", re.IGNORECASE)
_LIVED = re.compile(r"\((?:c\. ?)?\d{3,4} ?[–-] ?(?:c\. ?)?\d{3,4}(?: BC)?\)\W*$")
_WAS_DONE = re.compile(
    r"(?:was|were) (?P<thing>[^,;]{2,60}?) (?P<done>[a-z]+ed|shot|beheaded|overthrown|slain)"
    r"(?: (?:in|on|by|at|during|after) [^,;]{2,60})?",
    re.IGNORECASE,
)
_WITHOUT = r"excluding|except(?: for)?|other than|but not|apart from|not including"
"""Before what a class leaves out."""
_AND = re.compile(r", | and | or ")
_DEEPEST = 3
"""Sentences of an article that define a class."""
_LIKE = 6
"""Letters that the forms of a word share: "assassinated" and "assassination"."""
_ALSO = {
    "murdered": "assassinated killed",
    "killed": "assassinated murdered executed shot died",
    "assassinated": "murdered",
    "executed": "beheaded hanged guillotined",
    "destroyed": "demolished buried burned ruined",
    "shot": "assassinated",
}
"""What happened → other words that may say it."""
_BE = re.compile(r"\b(?:is|are|was|were) (?:(?:an?|the|any)\b ?(?:of |one of )?)?")
_GROUP = re.compile(
    r"^.*\b(?:order|family|genus|species|class|group|type|kind|clade|variety|member|classification|form|breed)s? of ",
    re.IGNORECASE,
)
_ADJECTIVE = re.compile(r"^\s*(?:[a-z]+ly )?[a-z-]+, (?!(?:an?|the|or|and|not|but|also|sometimes|often)\b)(?=[a-z])")
"""The first of two adjectives."""
_CUT = re.compile(
    r"[,;:.()–—]|\b(?:in|on|of|at|from|that|which|who|with|for|by|native|characterized|found|consisting|orbiting|made|"
    r"whose|belonging|located|known|used|situated|closely)\b"
)


def classed(query: str, hits: Sequence[Hit]) -> tuple[Hit, Span, bool] | None:
    """Return the hit whose article decides ``query``, the sentence that does, and whether the answer is yes.

    ``None`` where no article does.

    >>> bat = Hit(Passage("b", "Bat", "Short description: Order of flying mammals.\\nBats are winged mammals."), 1.0, 1)
    >>> [classed(query, [bat])[2] for query in ("is a bat a mammal", "are bats birds")]
    [True, False]
    """
    asked = query.strip().rstrip(" ?!.")
    if pair := class_asked(query):
        thing, kind = pair
        hits = [hit for hit in hits if not is_namesake(query, hit.passage)]
        other = _NOT_REALLY - _ENDED if asked.lower().startswith(("was ", "were ")) else _NOT_REALLY
        decide = [(hit, _is_of(kind, hit.passage, other)) for hit in _articles(thing, hits)]
        people = () if _THE.match(asked) else _surnamed(thing, hits)
        surnamed = [(hit, _is_of(kind, hit.passage, other)) for hit in people]
        decide += [(hit, said) for hit, said in surnamed if said and said[1]]  # who else has the name may be no painter
        decide += [(hit, _leaves_out(thing, hit.passage)) for hit in _articles(kind, hits)]
    elif found := _HAS_ROLE.fullmatch(asked):
        role, owner = found["role"], found["owner"]
        decide = [(hit, _has_role(role, owner, hit.passage)) for hit in _articles(found["thing"], hits)]
    elif found := _LIVES.fullmatch(asked):
        decide = [(hit, _is_dead(hit.passage)) for hit in _articles(found["thing"], hits)]
        is_dead = found["state"].lower() == "dead"
        decide = [(hit, said and (said[0], said[1] is is_dead)) for hit, said in decide]
    elif found := _CAN.fullmatch(asked):
        decide = [(hit, _lacks(found["what"], hit.passage)) for hit in _articles(found["thing"], hits)]
    else:
        return None
    decided = [(hit, *said) for hit, said in decide if said is not None and not _is_over(asked, hit.passage)]
    answers = {is_so for _, _, is_so in decided}
    return decided[0] if len(answers) == 1 else None


def _is_over(asked: str, passage: Passage) -> bool:
    """Tell whether the present is asked about, and the article begins with what its subject was, unless a person."""
    if not asked.lower().startswith(("is ", "are ")) or _LIVED.search(description(passage)):
        return False
    first = next((passage.text[one.start : one.end] for one in sentences_of(passage)[:1]), "")
    verb = re.search(r"\b(?:is|are|was|were)\b", first)
    return verb is not None and verb[0] in ("was", "were")


def cannot_confirm(query: str, passage: Passage) -> bool:
    """Tell whether a passage cannot answer a yes/no question with yes, by what it says of the thing.

    The passage must name what the question says happened. It must name the class that the question asks about. A thing
    of several islands is not an island, even where it is called an island country.

    >>> japan = Passage("j", "Japan", "Japan is an island country in East Asia. It has many islands.")
    >>> [cannot_confirm(query, japan) for query in ("is japan an island", "is japan a country", "was japan conquered")]
    [True, False, True]
    """
    asked = query.strip().rstrip(" ?!.")
    if pair := class_asked(query):
        thing, kind = pair
        is_about = bool(matched(bare(thing), passage))
        return is_about and (_is_before_class(kind, passage) or not _names(kind, passage))
    if done := _WAS_DONE.fullmatch(asked):
        verb = done["done"].lower()
        stems = {text.stem(other)[:_LIKE] for other in (verb, *_ALSO.get(verb, "").split())}
        return not any(word.startswith(tuple(stems)) for word in text.tokens(passage.text))
    return False


def _articles(thing: str, hits: Sequence[Hit]) -> Iterator[Hit]:
    """Yield the articles of that title, else those of that other name: "dolphin" is the other name of a fish, too."""
    name = bare(thing)
    matches = [matched(name, hit.passage) or 0 for hit in hits]
    if max(matches, default=0) < Match.PLURAL and name.endswith("s"):  # "ostriches" has an article by another name
        one = name[:-2] if re.search("(?:ch|sh|s|x)es$", name) else name[:-1]
        matches = [matched(one, hit.passage) or 0 for hit in hits]
    least = Match.BARE_TITLE if max(matches, default=0) >= Match.BARE_TITLE else Match.PLURAL
    return (hit for hit, match in zip(hits, matches, strict=True) if match >= least)


def _surnamed(thing: str, hits: Sequence[Hit]) -> Iterator[Hit]:
    """Yield the article of the one person with that surname, where no article matches the name better."""
    matches = [(matched(bare(thing), hit.passage), hit) for hit in hits]
    named = {hit.passage.title: hit for match, hit in matches if match is not None}
    if len(named) == 1 and all(match in (None, Match.SURNAME) for match, _ in matches):
        yield from named.values()


def _is_of(kind: str, passage: Passage, not_really: frozenset[str]) -> tuple[Span, bool] | None:
    """Tell whether a sentence says that the article's subject is of that kind, or of one that rules it out."""
    wanted = [text.singular(word) for word in text.content_tokens(kind)]
    if not wanted:
        return None
    for span, words in _definitions(passage):
        if words[-len(wanted) :] == wanted:
            before = words[: -len(wanted)]
            return span, not (before and before[-1] in not_really)
    for span, words in _definitions(passage):
        is_so = None if words[-1] in not_really else belongs(words[-1], wanted[-1])
        is_plain = len(wanted) == 1 and not_really.isdisjoint(words)  # a marsupial is a mammal, but maybe no small one
        if is_so is False or (is_so and is_plain):
            return span, is_so
    return None


def _names(kind: str, passage: Passage) -> bool:
    """Tell whether the article names a class, or one that belongs to it, otherwise than in a name: "Atlantic Ocean"."""
    head = text.singular(text.content_tokens(kind)[-1]) if text.content_tokens(kind) else ""
    if head in _HUMAN:
        return True
    words = {text.singular(word) for word in text.content_tokens(_NAME.sub(" ", passage.text))}
    said = " ".join(map(text.singular, text.content_tokens(passage.text)))
    if " " in kind and " ".join(map(text.singular, text.content_tokens(kind))) in said:
        return True  # "Prime Minister of the United Kingdom" is no name
    return head in words or any(belongs(word, head) for word in words)


def _is_before_class(kind: str, passage: Passage) -> bool:
    """Tell whether the article names its subject with ``kind`` before another noun, and several of that kind in it."""
    wanted = [text.singular(word) for word in text.content_tokens(kind)]
    parts = [[text.singular(word) for word in text.content_tokens(part)] for part in _parts(passage)]
    is_head = any(words[-len(wanted) :] == wanted for words in parts)
    if is_head or not any(len(wanted) == 1 and wanted[0] in words[:-1] for words in parts):
        return False
    return re.search(rf"\b{re.escape(kind)}e?s\b", passage.text, re.IGNORECASE) is not None


def _parts(passage: Passage) -> Iterator[str]:
    """Yield what the description and the first sentence say that the subject is, each of "composer and pianist"."""
    described, first = description_span(passage), next(iter(sentences_of(passage)), None)
    if described is not None:
        yield from _AND.split(_named(passage.text[described.start : described.end]))
    said = passage.text[first.start : first.end] if first else ""
    if verb := _BE.search(said):
        yield from _AND.split(_named(said[verb.end() :]))


def _leaves_out(thing: str, passage: Passage) -> tuple[Span, bool] | None:
    """Return what the article of a class says that it leaves out, if that is ``thing``: "primates, excluding apes"."""
    names = [re.escape(bare(thing)), *(re.escape(form) for form in _plurals(bare(thing)))]
    left_out = re.compile(rf"\b(?:{_WITHOUT}) (?:the |all )?(?:{'|'.join(names)})\b", re.IGNORECASE)
    described = description_span(passage)
    for span in (*filter(None, [described]), *islice(sentences_of(passage), _DEEPEST)):
        if left_out.search(passage.text[span.start : span.end]):
            return span, False
    return None


def _plurals(name: str) -> tuple[str, ...]:
    return name.removesuffix("s"), f"{name}s", f"{name}es"


def _definitions(passage: Passage) -> Iterator[tuple[Span, list[str]]]:
    """Yield the description and the first sentence, each with the words that name a class, their head last."""
    described = description_span(passage)
    if described is not None:
        said = passage.text[described.start : described.end]
        words = [text.singular(word) for word in text.content_tokens(_named(said))]
        if words:
            yield described, words
    for sentence in islice(sentences_of(passage), 1):
        said = passage.text[sentence.start : sentence.end]
        verb = _BE.search(said)
        rest = said[verb.end() :] if verb else ""
        for part in (rest, _ADJECTIVE.sub("", rest)):  # "herbivorous, ground-dwelling great apes"
            if words := [text.singular(word) for word in text.content_tokens(_named(part))]:
                yield sentence, words


def _named(said: str) -> str:
    """Return the words before the first that says where or of what: of "Order of flying mammals" the mammals."""
    return _CUT.split(_GROUP.sub("", said.split(",")[0]), maxsplit=1)[0]


def _has_role(role: str, owner: str, passage: Passage) -> tuple[Span, bool] | None:
    at, is_so = description_span(passage), has_role(role, owner, passage)
    return (at, is_so) if at is not None and is_so is not None else None


def _is_dead(passage: Passage) -> tuple[Span, bool] | None:
    at = description_span(passage)
    said = passage.text[at.start : at.end] if at else ""
    if at is None or " of " in said and not re.search(r"\b(?:born|died)\b", said):
        return None  # the years may be those of an office
    if _LIVED.search(said) or re.search(r"\(died \d{3,4}\)", said):
        return at, True
    return (at, False) if re.search(r"\(born \d{4}\)", said) else None


def _lacks(what: str, passage: Passage) -> tuple[Span, bool] | None:
    """Return a sentence that denies it in one word: "flightless birds", "limbless reptiles"."""
    words = _LACKING.get(what.lower().removesuffix("s"), set())
    for span, _ in _definitions(passage):
        if words & set(text.tokens(passage.text[span.start : span.end])):
            return span, False
    return None
