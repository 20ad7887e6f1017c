"""Decide "Is X a Y?" and its like by what the article X says that its subject is, where its words decide it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from searchain.language import text
from searchain.reading.articles import Match, description_span, matched, sentences_of
from searchain.reading.stated.described import has_role
from searchain.types import Hit, Passage, Span

_KINDS = (
    {
        "mammal": "marsupial primate rodent cetacean carnivoran ungulate ape monkey",
        "bird": "fowl raptor waterfowl",
        "fish": "shark ray eel",
        "reptile": "snake lizard turtle tortoise crocodilian dinosaur",
        "amphibian": "frog toad salamander",
        "insect": "beetle butterfly moth ant bee fly",
        "arachnid": "spider scorpion mite tick",
        "crustacean": "crab lobster shrimp",
        "mollusc": "mollusk snail slug squid octopus cephalopod",
        "plant": "tree shrub herb grass flower vine",
        "fungus": "mushroom mould yeast",
        "bacterium": "bacteria",
        "virus": "",
    },
    {"planet": "", "star": "", "satellite": "moon", "galaxy": "", "comet": "", "asteroid": "", "constellation": ""},
    {
        "city": "metropolis",
        "country": "nation",
        "continent": "",
        "river": "",
        "ocean": "",
        "mountain": "",
        "desert": "",
    },
)
"""Classes of which a thing has one alone, each with words for narrower ones."""
_CLASS = {
    text.stem(word): (number, name)
    for number, kinds in enumerate(_KINDS)
    for name, narrower in kinds.items()
    for word in (name, *narrower.split())
}
_NOT_REALLY = frozenset(map(text.stem, "dwarf minor former fictional mythical legendary proposed toy false".split()))
"""Words that make a thing of a class something else: a dwarf planet is not a planet."""
_LACKING = {
    "fly": {"flightless"},
    "leg": {"legless", "limbless"},
    "limb": {"limbless"},
    "wing": {"wingless"},
    "tail": {"tailless"},
    "teeth": {"toothless"},
}
"""What something can do or has → words that deny it."""
_ASKS = re.compile(
    r"(?:is|are|was|were) (?:(?:the|an?) )?(?P<thing>[^,;]{2,60}?) "
    r"(?:an? )(?:(?:type|kind|sort) of )?(?P<kind>[a-z][a-z -]{1,40})"
    r"|are (?P<things>[^,;]{2,60}?) (?P<kinds>[a-z]{2,30}s|fish|fungi|bacteria)",
    re.IGNORECASE,
)
_HAS_ROLE = re.compile(
    r"(?:is|was) (?P<thing>[^,;]{2,60}?) the (?P<role>capital|capital city|currency) of (?:the )?"
    r"(?P<owner>[^,;]{2,60})",
    re.IGNORECASE,
)
_CAN = re.compile(r"(?:can|do) (?P<thing>[^,;]{2,60}?) (?:have |has )?(?P<what>[a-z]+)", re.IGNORECASE)
_LIVES = re.compile(r"(?:is|was) (?P<thing>[^,;]{2,60}?) (?:still )?(?P<state>alive|dead|living)", re.IGNORECASE)
_LIVED = re.compile(r"\((?:c\. ?)?\d{3,4} ?[–-] ?(?:c\. ?)?\d{3,4}(?: BC)?\)\W*$")
_BE = re.compile(r"\b(?:is|are|was|were) (?:(?:an?|the|any)\b ?(?:of |one of )?)?")
_GROUP = re.compile(
    r"^.*\b(?:order|family|genus|species|class|group|type|kind|clade|variety|member|classification|form|breed)s? of ",
    re.IGNORECASE,
)
_CUT = re.compile(
    r"[,;:.()–—]|\b(?:in|on|of|at|from|that|which|who|with|for|by|native|characterized|found|consisting|orbiting|made|"
    r"belonging|located|known|used|situated|closely)\b"
)


def classed(query: str, hits: Sequence[Hit]) -> tuple[Hit, Span, bool] | None:
    """Return the hit whose article decides ``query``, the sentence that does, and whether the answer is yes.

    ``None`` where no article does.

    >>> bat = Hit(Passage("b", "Bat", "Short description: Order of flying mammals.\\nBats are winged mammals."), 1.0, 1)
    >>> [classed(query, [bat])[2] for query in ("is a bat a mammal", "are bats birds")]
    [True, False]
    """
    asked = query.strip().rstrip(" ?!.")
    found = _ASKS.fullmatch(asked)
    if found:
        thing, kind = found["thing"] or found["things"], found["kind"] or found["kinds"]
        decide = [(hit, _is_of(kind, hit.passage)) for hit in _articles(thing, hits)]
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
    decided = [(hit, *said) for hit, said in decide if said is not None]
    answers = {is_so for _, _, is_so in decided}
    return decided[0] if len(answers) == 1 else None


def _articles(thing: str, hits: Sequence[Hit]) -> Iterator[Hit]:
    bare = re.sub(r"^(?:the|an?) ", "", thing, flags=re.IGNORECASE)
    return (hit for hit in hits if (matched(bare, hit.passage) or 0) >= Match.PLURAL)


def _is_of(kind: str, passage: Passage) -> tuple[Span, bool] | None:
    """Tell whether a sentence says that the article's subject is of that kind, or of one that rules it out."""
    wanted = text.content_tokens(kind)
    if not wanted:
        return None
    for span, words in _definitions(passage):
        if words[-len(wanted) :] == wanted:
            before = words[: -len(wanted)]
            return span, not (before and before[-1] in _NOT_REALLY)
    for span, words in _definitions(passage):
        asked, known = _CLASS.get(wanted[-1]), _CLASS.get(words[-1])
        if asked is None or known is None or asked[0] != known[0] or words[-1] in _NOT_REALLY:
            continue
        if asked[1] != known[1]:
            return span, False
        if len(wanted) == 1 and wanted[0] == text.stem(asked[1]):
            return span, True  # a marsupial is a mammal
    return None


def _definitions(passage: Passage) -> Iterator[tuple[Span, list[str]]]:
    """Yield the description and the first sentence, each with the words that name a class, their head last."""
    described = description_span(passage)
    if described is not None:
        said = passage.text[described.start : described.end]
        words = text.content_tokens(_named(said))
        if words:
            yield described, words
    for sentence in islice(sentences_of(passage), 1):
        said = passage.text[sentence.start : sentence.end]
        verb = _BE.search(said)
        words = text.content_tokens(_named(said[verb.end() :])) if verb else []
        if words:
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
