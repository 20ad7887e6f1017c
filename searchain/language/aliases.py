"""Names of the same thing: countries and their people, two world wars, titles before a name, British spellings."""

from __future__ import annotations

import re
from collections.abc import Iterable

_SAME = (
    "united states|united states of america|usa|us of a|the states",
    "united kingdom|uk|united kingdom of great britain and northern ireland",
    "soviet union|ussr|union of soviet socialist republics",
    "netherlands|holland",
    "czech republic|czechia",
    "beijing|peking",
    "myanmar|burma",
    "sri lanka|ceylon",
    "iran|persia",
    "thailand|siam",
    "istanbul|constantinople",
    "world war i|world war 1|world war one|first world war|great war|ww1|wwi",
    "world war ii|world war 2|world war two|second world war|ww2|wwii",
)
_NAMES = {name: names.split("|")[0] for names in _SAME for name in names.split("|")}
_PEOPLES = (
    "poland polish|france french|germany german|spain spanish|italy italian|portugal portuguese|"
    "greece greek|turkey turkish|russia russian|ukraine ukrainian|sweden swedish|norway norwegian|"
    "denmark danish|finland finnish|iceland icelandic|ireland irish|scotland scottish|wales welsh|"
    "england english|britain british|belgium belgian|switzerland swiss|austria austrian|hungary hungarian|"
    "romania romanian|bulgaria bulgarian|serbia serbian|croatia croatian|slovenia slovene|slovakia slovak|"
    "albania albanian|china chinese|japan japanese|korea korean|india indian|pakistan pakistani|"
    "bangladesh bangladeshi|nepal nepalese|thailand thai|vietnam vietnamese|indonesia indonesian|"
    "malaysia malaysian|philippines filipino|mongolia mongolian|iran iranian|persia persian|iraq iraqi|"
    "israel israeli|egypt egyptian|morocco moroccan|algeria algerian|tunisia tunisian|libya libyan|"
    "ethiopia ethiopian|kenya kenyan|nigeria nigerian|ghana ghanaian|senegal senegalese|mexico mexican|"
    "brazil brazilian|argentina argentine|chile chilean|peru peruvian|colombia colombian|"
    "venezuela venezuelan|cuba cuban|canada canadian|australia australian|netherlands dutch|"
    "america american|rome roman|venice venetian|florence florentine|europe european|africa african|"
    "asia asian|armenia armenian|georgia georgian|kazakhstan kazakh|uzbekistan uzbek|afghanistan afghan|"
    "syria syrian|lebanon lebanese|jordan jordanian|estonia estonian|latvia latvian|lithuania lithuanian"
)
_COUNTRY_OF = {people: country for country, people in (pair.split() for pair in _PEOPLES.split("|"))}
_SPELT = tuple(
    (re.compile(british), american)
    for british, american in (
        (r"\baluminium\b", "aluminum"),
        (r"\bcaesium\b", "cesium"),
        (r"\bgrey", "gray"),
        (r"sulph", "sulf"),
        (r"\b(col|harb|flav|hon|lab|neighb|arm|hum|rum|vap|behavi|fav|sav|od|parl|vig|tum)our", r"\1or"),
        (r"(met|cent|theat|lit|fib|calib|spect|sab)re(?=s?\b)", r"\1er"),
        (r"([a-z]{4})is(e|ed|es|ing|ation|ations)\b", r"\1iz\2"),
        (r"\b(h|p|arch|encyclop|pal|an)ae", r"\1e"),
        (r"\bfoet", "fet"),
        (r"\boestro", "estro"),
        (r"\bprogramme", "program"),
        (r"\bcatalogue", "catalog"),
        (r"\baeroplane", "airplane"),
    )
)
"""British spellings, as tokens have them, and the American ones."""
_TITLES = re.compile(
    r"^(?:the |mount |mt |sir |king |queen |emperor |empress |pope |president |prince |princess |dr |lord |lady )+"
)


def canonical(words: tuple[str, ...]) -> str:
    """Return one form for the names of one thing.

    >>> canonical(("mount", "everest")), canonical(("second", "world", "war")), canonical(("polish",))
    ('everest', 'world war ii', 'poland')
    >>> canonical(("sulphuric", "acid")), canonical(("theatre", "of", "colour"))
    ('sulfuric acid', 'theater of color')
    """
    name = " ".join(words)
    name = _TITLES.sub("", name) or name
    for british, american in _SPELT:
        name = british.sub(american, name)
    name = _NAMES.get(name, name)
    if name == "american":
        return "united states"
    return _COUNTRY_OF.get(name, name)


_SHORT = (
    (r"(?:ww|world war|worldwar)[ -]?(?:2|ii|two)", "World War II"),
    (r"(?:ww|world war|worldwar)[ -]?(?:1|i|one)", "World War I"),
    (r"jfk", "John F. Kennedy"),
    (r"fdr", "Franklin D. Roosevelt"),
    (r"mlk(?: jr)?", "Martin Luther King Jr."),
    (r"nyc", "New York City"),
)
SHORT_NAMES = tuple((re.compile(rf"\b{short}\b", re.IGNORECASE), title) for short, title in _SHORT)
"""Short forms in which people type the titles of articles."""


def written_out(question: str, names: Iterable[tuple[re.Pattern[str], str]] = SHORT_NAMES) -> str:
    """Return the question with the short forms of ``names`` written out.

    >>> written_out("when did ww2 end"), written_out("who shot JFK?")
    ('when did World War II end', 'who shot John F. Kennedy?')
    """
    for short, title in names:
        question = short.sub(title, question)
    return question
