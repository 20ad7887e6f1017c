"""Tell whether what belongs to one class belongs to another: a marsupial is a mammal, and no bear."""

from __future__ import annotations

from collections.abc import Iterator

from searchain.language import text

_APART = {
    "organism": "animal plant fungus bacterium virus",
    "animal": "mammal bird fish reptile amphibian insect arachnid crustacean mollusc echinoderm sponge",
    "mammal": "marsupial primate rodent cetacean carnivoran bat ungulate",
    "primate": "ape monkey lemur",
    "carnivoran": "bear cat canid seal",
    "reptile": "snake lizard turtle crocodilian dinosaur",
    "insect": "beetle butterfly moth ant bee wasp fly",
    "arachnid": "spider scorpion mite",
    "body in space": "planet star satellite galaxy comet asteroid constellation",
    "place": "city country continent body-of-water mountain desert",
    "body-of-water": "ocean sea river",
    "material": "metal rock plastic wood",
}
"""Classes → narrower ones, of which a thing has one alone. Some classes only group others: "body-of-water"."""
_MAY_BE_BOTH = ({"country", "city"}, {"country", "continent"}, {"continent", "desert"})
"""Exceptions: Singapore is a country and a city, Australia a country and a continent, Antarctica also a desert."""
_OVERLAPPING = {
    "bird": "fowl raptor waterfowl",
    "fish": "shark ray eel",
    "amphibian": "frog salamander",
    "crustacean": "crab lobster shrimp",
    "mollusc": "snail slug squid octopus cephalopod",
    "plant": "tree shrub herb grass flower vine",
    "fungus": "mushroom mould yeast",
    "cetacean": "whale dolphin porpoise",
    "mite": "tick",
    "turtle": "tortoise",
    "canid": "dog wolf fox jackal coyote",
    "frog": "toad",
    "body-of-water": "lake",
    "person": "scientist writer artist monarch",
    "scientist": "physicist chemist biologist astronomer mathematician geologist botanist zoologist naturalist",
    "writer": "novelist poet playwright essayist dramatist",
    "artist": "painter sculptor musician",
    "musician": "composer pianist violinist guitarist singer drummer",
    "monarch": "king queen emperor empress pharaoh sultan tsar",
}
"""Classes → narrower ones, of which a thing may have several."""
_OTHER_WORDS = {
    "bacterium": "bacteria",
    "fungus": "fungi",
    "mollusc": "mollusk",
    "cat": "felid feline",
    "canid": "canine",
    "seal": "pinniped",
    "satellite": "moon",
    "city": "metropolis",
    "country": "nation",
    "writer": "author",
    "monarch": "ruler",
}
"""Classes → words that mean the same."""
_ABOVE = {
    text.stem(word): text.stem(broader)
    for narrower in (_APART, _OVERLAPPING)
    for broader, words in narrower.items()
    for word in words.split()
}
_SAME = {text.stem(other): text.stem(word) for word, others in _OTHER_WORDS.items() for other in others.split()}
_BOTH = [set(map(text.stem, pair)) for pair in _MAY_BE_BOTH]
_EXCLUSIVE = {text.stem(broader): frozenset(map(text.stem, words.split())) for broader, words in _APART.items()}


def belongs(known: str, asked: str) -> bool | None:
    """Tell whether what is ``known`` is ``asked``, both stemmed words; ``None`` where they do not decide it.

    >>> belongs("marsupial", "mammal"), belongs("marsupial", "bear"), belongs("mammal", "bear"), belongs("tre", "herb")
    (True, False, None, None)
    """
    lines = [list(_line(_SAME.get(text.singular(word), text.singular(word)))) for word in (known, asked)]
    if any(len(line) == 1 for line in lines):  # a word that is no class of the table, or the broadest
        return None
    if lines[1][0] in lines[0]:
        return True
    if {lines[0][0], lines[1][0]} in _BOTH:
        return None
    if lines[0][0] in lines[1]:
        return None
    shared = next((word for word in lines[0] if word in lines[1]), "")
    ways = {line[line.index(shared) - 1] for line in lines if shared}
    return False if ways and ways <= _EXCLUSIVE.get(shared, frozenset()) else None


def _line(word: str) -> Iterator[str]:
    """Yield the class and all that are broader."""
    yield word
    while word in _ABOVE:
        word = _ABOVE[word]
        yield word
