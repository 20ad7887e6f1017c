"""Reading questions made from encyclopedia passages by patterns: what the hops of a chain mostly ask.

A chain asks for directors, birth dates, nationalities, places and founding years far more often than people who write
reading tests do. ``questions`` reads such facts off a passage whose first sentence defines its title, and asks for them
in varied words; a share of the questions goes the other way (from the description to the title).
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass

from lab.training.calibration import Record
from searchain.types import Passage, Span

_MONTH = "(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_DATE = rf"(?:\d{{1,2}} {_MONTH},? \d{{4}}|{_MONTH} \d{{1,2}}, \d{{4}})"
_NAME_WORD = rf"(?:(?!{_MONTH}\b)(?:[A-Z]\.(?:[A-Z]\.)*|(?:Jr|Sr|St|Dr|Mr|Mrs|Ms|Mt)\.|[A-Z][\w'’\-]*))"
_NAME = rf"{_NAME_WORD}(?: (?:(?:de|van|von|der|den|la|le|di|da|du|del|al|bin|of|the) )*{_NAME_WORD}){{0,4}}"
_PLACE = (
    rf"{_NAME_WORD}(?: (?:(?:de|la|of|the|upon) )*{_NAME_WORD}){{0,3}}(?:, {_NAME_WORD}(?: {_NAME_WORD}){{0,2}}){{0,2}}"
)
_NATION = (
    r"(?:American|British|English|Scottish|Welsh|Irish|French|German|Italian|Spanish|Portuguese|Dutch|Belgian|Swiss|Austrian"
    r"|Swedish|Norwegian|Danish|Finnish|Icelandic|Polish|Czech|Hungarian|Romanian|Bulgarian|Greek|Turkish|Russian|Soviet|Ukrainian"
    r"|Israeli|Iranian|Indian|Pakistani|Chinese|Japanese|South Korean|Korean|Thai|Filipino|Indonesian|Malaysian|Vietnamese"
    r"|Australian|New Zealand|Canadian|Mexican|Brazilian|Argentine|Chilean|Colombian|Cuban|Egyptian|Nigerian|South African|Kenyan"
    r"|Serbian|Croatian|Slovenian|Slovak|Estonian|Latvian|Lithuanian|Armenian|Georgian|Albanian|Hong Kong|Taiwanese)"
)


@dataclass(frozen=True, slots=True)
class Relation:
    """A pattern whose group ``x`` is the answer, and the questions it answers ({t} is the title)."""

    name: str
    pattern: re.Pattern[str]
    asks: tuple[str, ...]
    kind: str = ""
    """What the first sentence must call the title, as a pattern; empty for anything."""


def _relation(name: str, pattern: str, *asks: str, kind: str = "") -> Relation:
    return Relation(name, re.compile(pattern), asks, kind)


_FILM = r"\b(?:film|movie|series|sitcom|drama|documentary|musical|play|opera|show|soap)\b"
_SONG = r"\b(?:song|single|album|EP|recording|composition)\b"
_BOOK = r"\b(?:novel|book|story|poem|memoir|comic|manga|trilogy|magazine|newspaper|journal)\b"
_SPOT = r"\b(?:city|town|village|river|lake|mountain|county|municipality|district|island|township|commune|suburb|province|building|castle|church|stadium|airport|park|bridge|museum|station|university|hotel|school|region|creek|peak|community)\b"

RELATIONS = (
    _relation("born", rf"\((?:[^()]{{0,60}}?\b)?(?:born|b\.) (?:on )?(?P<x>{_DATE})", "When was {t} born?", "What is the date of birth of {t}?", "What is {t}'s date of birth?", "On what date was {t} born?", "What day was {t} born?"),
    _relation("born", rf"\((?:[^()]{{0,60}}?)(?P<x>{_DATE}) ?[–—-] ?{_DATE}\)", "When was {t} born?", "What is the date of birth of {t}?", "What is {t}'s birthday?", "On what date was {t} born?"),
    _relation("born-year", rf"\((?:[^()]{{0,60}}?\b)?(?:born )(?:on )?(?:\d{{1,2}} {_MONTH},? |{_MONTH} \d{{1,2}}, )?(?P<x>\d{{4}})\)", "In what year was {t} born?", "What year was {t} born?", "What is the birth year of {t}?"),
    _relation("died", rf"\((?:[^()]{{0,60}}?){_DATE} ?[–—-] ?(?P<x>{_DATE})\)", "When did {t} die?", "What is the date of death of {t}?", "On what date did {t} die?", "When did {t} pass away?"),
    _relation("died-year", rf"\((?:[^()]{{0,60}}?)\d{{4}} ?[–—-] ?(?:\d{{1,2}} {_MONTH},? |{_MONTH} \d{{1,2}}, )?(?P<x>\d{{4}})\)", "In what year did {t} die?", "What year did {t} die?"),
    _relation("birthplace", rf"\b[Bb]orn (?:on {_DATE},? )?(?:in|at) (?P<x>{_PLACE})", "Where was {t} born?", "What is the birthplace of {t}?", "What is the place of birth of {t}?", "In which city was {t} born?", "Where does {t} come from?"),
    _relation("birthplace", rf"\((?:[^()]{{0,40}}?)born (?:on )?{_DATE},? in (?P<x>{_PLACE})\)", "Where was {t} born?", "What is the place of birth of {t}?"),
    _relation("deathplace", rf"\bdied (?:on {_DATE},? )?(?:in|at) (?P<x>{_PLACE})", "Where did {t} die?", "What is the place of death of {t}?", "In what city did {t} die?"),
    _relation("nation", rf"\b(?:is|was) (?:an?|the) (?:retired |former |late |noted |prominent |professional )?(?P<x>{_NATION})\b(?= [a-z])", "What nationality is {t}?", "What is the nationality of {t}?", "What is {t}'s nationality?", kind=r"\b(?:actor|actress|singer|director|politician|player|footballer|writer|author|artist|painter|musician|poet|producer|scientist|engineer|journalist|composer|businessman|lawyer|officer|swimmer|athlete|wrestler|boxer|model|screenwriter|architect|historian|songwriter|comedian|cricketer|rapper|filmmaker)"),
    _relation("country-work", rf"\b(?:is|was) an? (?:(?:19|20)\d\d )?(?P<x>{_NATION})\b", "What country is the film {t} from?", "Which country does {t} come from?", "In which country was {t} made?", "What nationality is {t}?", kind=_FILM),
    _relation("occupation", rf"\b(?:is|was) an? (?:retired |former )?(?:{_NATION}(?:-born)? )(?P<x>[a-z][a-z \-]{{3,40}}?(?:,? (?:and|,) [a-z][a-z \-]{{3,30}}?)*)(?= (?:who|known|from|of|best|born|for|at|whose|with|in|and a)\b|[.,;(])", "What is the occupation of {t}?", "What is {t}'s profession?", "What does {t} do for a living?", "What is {t} known as?", "What was the job of {t}?", kind=r"\b(?:actor|actress|singer|director|politician|player|footballer|writer|author|artist|painter|musician|poet|producer|scientist|engineer|journalist|composer|businessman|lawyer|officer|architect|historian|comedian)"),
    _relation("director", rf"\bdirected(?:, [\w ]+,?)?(?: and [\w\-]+)? by (?P<x>{_NAME})", "Who directed {t}?", "Who is the director of {t}?", "Who was the director of the film {t}?", "Who directed the film {t}?", "{t} was directed by whom?", kind=_FILM),
    _relation("directed-year", r"\b(?:is|was) an? (?P<x>(?:19|20)\d\d)\b", "When was {t} released?", "In what year was {t} released?", "What year did {t} come out?", "When did the film {t} come out?", "When was the film {t} made?", kind=_FILM),
    _relation("released", rf"\breleased (?:worldwide |theatrically |by [A-Z][\w ]+ )?(?:on|in) (?P<x>{_DATE}|(?:{_MONTH} )?\d{{4}})", "When was {t} released?", "What is the release date of {t}?", "When did {t} come out?"),
    _relation("stars", rf"\b(?:starring|stars) (?P<x>{_NAME})", "Who stars in {t}?", "Who starred in {t}?", "Which actor starred in {t}?", "Who plays the lead in {t}?", kind=_FILM),
    _relation("writer", rf"\b(?:written|authored)(?: and [\w\-]+)? by (?:[A-Z]?[a-z]+ (?:author|writer|novelist|poet|playwright|journalist) )?(?P<x>{_NAME})", "Who wrote {t}?", "Who is the author of {t}?", "Who was {t} written by?", "{t} was written by which person?"),
    _relation("writer", rf"\b(?:novel|book|story|poem|play|memoir|collection) by (?:(?:the )?{_NATION} )?(?:(?:author|writer|novelist|poet|playwright|journalist) )?(?P<x>{_NAME})", "Who wrote {t}?", "Who is the author of {t}?", "By whom was {t} written?", kind=_BOOK),
    _relation("performer", rf"\b(?:song|single|album|EP|ballad|track)\b[^.]{{0,40}}? by (?:(?:the )?{_NATION} )?(?:(?:rock|pop|punk|metal|country|hip hop|indie|singer|rapper|band|group|musician|singer-songwriter|recording|artist|duo|alternative|heavy|R&B)[ -])*(?P<x>{_NAME})", "Who is the performer of {t}?", "Who sang {t}?", "Who performed the song {t}?", "Which artist recorded {t}?", "Which band released {t}?", kind=_SONG),
    _relation("producer", rf"\bproduced(?: and [\w\-]+)? by (?P<x>{_NAME})", "Who produced {t}?", "Who is the producer of {t}?", "Who was {t} produced by?"),
    _relation("composer", rf"\bcomposed(?: and [\w\-]+)? by (?P<x>{_NAME})", "Who composed {t}?", "Who is the composer of {t}?", "Who composed the music of {t}?"),
    _relation("from-album", rf"\bfrom (?:his|her|their|the)[^.\"“]{{0,50}}?album,? [\"“]?(?P<x>{_NAME})", "What album is {t} from?", "Which album features the song {t}?", "On what album does {t} appear?", kind=_SONG),
    _relation("label", rf"\b(?:released|published|distributed) (?:on|by|through|via) (?P<x>{_NAME} (?:Records|Music|Press|Books|Entertainment|Pictures|Publishing))", "Which company released {t}?", "Who published {t}?", "What label released {t}?", "Who distributed {t}?"),
    _relation("network", rf"\b(?:aired|broadcast|premiered|airs) (?:\w+ )?(?:on|by) (?P<x>{_NAME})", "On what network did {t} air?", "Which channel broadcast {t}?", "What network is {t} on?", kind=_FILM),
    _relation("developer", rf"\bdeveloped(?: and published)? by (?P<x>{_NAME})", "Who developed {t}?", "Which company developed {t}?", "Who is the developer of {t}?"),
    _relation("publisher", rf"\bpublished by (?P<x>{_NAME})", "Who published {t}?", "Which company is the publisher of {t}?"),
    _relation("founder", rf"\b(?:founded|established|created|formed|started)(?: in (?:{_MONTH} )?\d{{4}})? by (?P<x>{_NAME})", "Who founded {t}?", "Who is the founder of {t}?", "Who created {t}?", "{t} was founded by whom?"),
    _relation("founded", rf"\b(?:founded|established|formed|incorporated|created|launched|opened)(?: [a-z]+ {_NAME})? (?:on|in) (?P<x>{_DATE}|(?:{_MONTH} )?\d{{4}})", "When was {t} founded?", "In what year was {t} formed?", "What year was {t} established?", "When did {t} start?", "When was {t} opened?", "When was {t} formed?"),
    _relation("headquarters", rf"\b(?:headquartered|based|headquarters(?: is| are)?) (?:in|at) (?P<x>{_PLACE})", "Where is {t} headquartered?", "In which city is {t} based?", "What city is {t}'s headquarters in?", "Where is {t} based?", "Where is the head office of {t}?"),
    _relation("located", rf"\b(?:located|situated|lies|found) (?:in|on|at|near) (?:the )?(?:[a-z]+ (?:of|part of) )?(?P<x>{_PLACE})", "Where is {t} located?", "Where is {t}?", "In which place is {t} located?", "What is the location of {t}?", "In what country is {t}?", kind=_SPOT),
    _relation("located", rf"\b(?:is|was) an? [a-z \-]{{3,50}}? in (?:the )?(?:[a-z]+ of )?(?P<x>{_PLACE})", "Where is {t} located?", "Where is {t}?", "In which country is {t} located?", "In which state is {t}?", "What county is {t} in?", kind=_SPOT),
    _relation("population", r"\bpopulation (?:of|was|is|stood at)(?: (?:about|approximately|around|over|nearly|almost))? (?P<x>\d[\d,.]*(?: (?:million|billion))?)", "What is the population of {t}?", "How many people live in {t}?", "What was the population of {t}?", "How many inhabitants does {t} have?"),
    _relation("length", r"\b(?P<x>\d[\d,.]* ?(?:km|kilomet(?:re|er)s?|mi|miles?|-mile|-kilometre)) (?:long|in length)", "How long is {t}?", "What is the length of {t}?"),
    _relation("height", r"\b(?P<x>\d[\d,.]* ?(?:m|met(?:re|er)s?|ft|feet)) (?:tall|high|above sea level|in height)", "How high is {t}?", "How tall is {t}?", "What is the height of {t}?", "What is the elevation of {t}?"),
    _relation("flows", rf"\bflows (?:\w+ )?(?:through|into|to) (?:the )?(?P<x>{_PLACE})", "Where does {t} flow?", "What does {t} flow into?", "Through which place does {t} flow?"),
    _relation("parent", rf"\b(?:son|daughter) of (?:the )?(?:[a-z]+ )*(?P<x>{_NAME})", "Who is the father of {t}?", "Who are the parents of {t}?", "Who is {t}'s father?", "Whose child is {t}?"),
    _relation("mother", rf"\b(?:son|daughter|child) of [^.]{{3,60}}? and (?:his wife )?(?P<x>{_NAME})", "Who is the mother of {t}?", "Who is {t}'s mother?"),
    _relation("spouse", rf"\b(?:married(?: to)?|wife of|husband of|spouse of|widow of) (?:the )?(?:[a-z]+ )*(?P<x>{_NAME})", "Who is the spouse of {t}?", "Who is {t} married to?", "Who was {t}'s husband?", "Who was {t}'s wife?", "Whom did {t} marry?"),
    _relation("sibling", rf"\b(?:brother|sister) of (?:the )?(?:[a-z]+ )*(?P<x>{_NAME})", "Who is the brother of {t}?", "Who is {t}'s sibling?", "Who is the sister of {t}?"),
    _relation("educated", rf"\b(?:graduated from|educated at|studied at|attended|graduate of|alumnus of) (?:the )?(?P<x>{_NAME})", "Where did {t} study?", "Which university did {t} attend?", "Where was {t} educated?", "What is {t}'s alma mater?", "Where did {t} graduate from?"),
    _relation("plays-for", rf"\bplays? (?:[a-z]+ )*?(?:for|with|as [a-z \-]+ for) (?:the )?(?:[A-Z][\w ]+ (?:side|club|team) )?(?P<x>{_NAME})", "Which team does {t} play for?", "What club does {t} play for?", "For whom does {t} play?"),
    _relation("position", r"\bplays? (?:[a-z]+ )*?as an? (?P<x>[a-z][a-z \-]{3,30}?)(?= (?:for|in|with|and)\b|[.,])", "What position does {t} play?", "In which position does {t} play?"),
    _relation("award", rf"\b(?:won|received|awarded) the (?P<x>(?:\d{{4}} )?{_NAME}(?: for [A-Z][\w ]+)?)", "What award did {t} win?", "Which prize did {t} receive?", "What did {t} win?"),
    _relation("office", rf"\b(?:served as|serving as|was elected|was appointed|became) (?:an?|the)? ?(?P<x>(?:\d+\w\w )?[A-Z][\w\-]+(?: (?:of|for|the|and|to) (?:the )?{_NAME_WORD}| {_NAME_WORD}){{1,6}})", "What position did {t} hold?", "Which office did {t} hold?", "What government position did {t} have?", "What did {t} serve as?"),
    _relation("known-for", r"\b(?:best |well |mostly |also )?known for (?P<x>[^.;]{8,60}?)(?=[.;]|, (?:and|which|who)\b)", "What is {t} known for?", "What is {t} best known for?", "Why is {t} famous?"),
    _relation("named-after", rf"\bnamed (?:after|for|in honou?r of) (?:the )?(?:[a-z]+ )*(?P<x>{_NAME})", "Who is {t} named after?", "What is {t} named after?", "Whom was {t} named for?"),
    _relation("capital", rf"\bcapital(?: and (?:largest|most populous) city)? of (?:the )?(?P<x>{_PLACE})", "{t} is the capital of what?", "Which country has {t} as its capital?", "What place is {t} the capital of?", kind=_SPOT),
    _relation("also-known", rf"\b(?:also|better|commonly) (?:known|called)(?: simply)? (?:as |by )?(?:the )?(?:[a-z]+ name )?[\"“]?(?P<x>{_NAME})", "What is {t} also known as?", "What is another name for {t}?", "By what name is {t} better known?"),
    _relation("real-name", rf"\bborn (?P<x>{_NAME_WORD}(?: {_NAME_WORD}){{1,3}})[,;)]", "What is the real name of {t}?", "What is {t}'s birth name?", "What was {t}'s full name at birth?"),
    _relation("based-on", rf"\bbased on (?:the )?(?:[\w'’ ]{{0,40}}? )??[\"“]?(?P<x>{_NAME})", "What is {t} based on?", "On what is {t} based?", kind=_FILM),
    _relation("genre", rf"\b(?:is|was) an? (?:(?:19|20)\d\d )?(?:{_NATION} )?(?P<x>[a-z][a-z \-]{{3,30}}?) (?:film|band|album|series|novel|song|group)\b", "What genre is {t}?", "What is the genre of {t}?", "What kind of work is {t}?", "What type of music or film is {t}?"),
    _relation("member-of", rf"\b(?:member|guitarist|vocalist|singer|drummer|bassist|frontman) (?:of|for|with) (?:the )?(?:[a-z]+ )*(?P<x>{_NAME})", "Which band is {t} a member of?", "What group was {t} in?", "What is {t} a member of?", "In which band did {t} play?"),
    _relation("capacity", r"\b(?:capacity of|seats|seating)(?: (?:about|approximately|around|over|up to))? (?P<x>\d[\d,]+)", "What is the seating capacity of {t}?", "How many people does {t} hold?", "How many seats does {t} have?"),
    _relation("area", r"\barea of(?: (?:about|approximately|around|over))? (?P<x>\d[\d,.]* ?(?:km²|square kilomet(?:re|er)s|km2|square miles|acres|hectares|sq mi))", "What is the area of {t}?", "How large is {t}?", "How big is {t}?"),
    _relation("part-of", rf"\b(?:is|was) (?:a )?part of (?:the )?(?P<x>{_PLACE})", "What is {t} part of?", "To what does {t} belong?"),
    _relation("family", r"\b(?:in the|of the|belonging to the) (?:[a-z ]+ )?family,? (?P<x>[A-Z][a-z]+(?:aceae|idae))", "What family does {t} belong to?", "To which family does {t} belong?"),
)  # fmt: skip
_DEFINES = re.compile(
    r"\A[^.]{0,160}?\b(?P<be>is|was|are|were) (?P<what>(?:an?|the|one of the) [^.]{12,160}?)(?:\.|; )"
)


def questions(passage: Passage, rng: random.Random) -> Iterator[Record]:
    """Up to three questions that ``passage`` answers, one per relation, with the place of the answer."""
    title = re.sub(r"(?<!\s)\s*\([^()]*\)$", "", passage.title).strip()
    first = passage.text[:240]
    if len(title) < 3 or not _is_about(title, first):
        return
    found: dict[str, tuple[Relation, Span]] = {}
    for relation in RELATIONS:
        if relation.kind and not re.search(relation.kind, first):
            continue
        match = relation.pattern.search(passage.text[:900])
        if match and relation.name not in found and title not in match["x"]:
            found[relation.name] = relation, Span(*match.span("x"))
    chosen = rng.sample(sorted(found), min(3, len(found)))
    for name in chosen:
        relation, span = found[name]
        yield _record(passage, rng.choice(relation.asks).format(t=title), _trimmed(passage.text, span))
    if rng.random() < 0.35 and (reverse := _reverse(passage, title, rng)):
        yield reverse


def _reverse(passage: Passage, title: str, rng: random.Random) -> Record | None:
    """From the description to the title: what the first hop of a bridge asks."""
    at = passage.text.find(title, 0, 80)
    defined = _DEFINES.match(passage.text)
    if at < 0 or not defined or title in defined["what"]:
        return None
    what = re.sub(r"^(?:an?|the|one of the) ", "", defined["what"])
    is_person = re.search(
        r"\b(?:who|actor|actress|singer|politician|player|footballer|writer|director|artist|musician)\b", what
    )
    asks = (
        [f"Who {defined['be']} the {what}?", f"Which {what}?", f"Who {defined['be']} {defined['what']}?"]
        if is_person
        else [
            f"What {defined['be']} the {what}?",
            f"Which {what}?",
            f"What {defined['be']} {defined['what']}?",
            f"What is the name of the {what}?",
        ]
    )
    return _record(passage, rng.choice(asks), Span(at, at + len(title)))


def _is_about(title: str, first: str) -> bool:
    words = title.split()
    return words[-1].strip("!?.,") in first and words[0].strip("!?.,") in first


def _trimmed(text: str, span: Span) -> Span:
    end = span.end
    while end > span.start and text[end - 1] in " ,.'’":
        end -= 1
    return Span(span.start, end)


def _record(passage: Passage, question: str, span: Span) -> Record:
    return Record(question, passage, (span,), license="CC BY-SA (passage)")
