"""What kind of answer a query wants, as far as its words tell, and whether a span can be one.

A small Reader sometimes points at a name where a date is asked for. ``fits`` is a hint for choosing between spans that
the Reader likes about equally, not a judge: it rejects only what can hardly be the answer, and lets everything pass
where the query does not tell. Queries are read as people type them: in lower case, without a question mark.
"""

from __future__ import annotations

import re
from enum import StrEnum

from searchain.language import kin, text


class AnswerKind(StrEnum):
    """What a query asks for."""

    DATE = "date"
    NUMBER = "number"
    PERSON = "person"
    """Or an organisation: who makes a product is a company."""
    PLACE = "place"
    NAMED_PLACE = "named_place"
    """A country, a city, a river: the answer is a proper name."""
    OTHER = "other"


_PLACES = (
    "countr(?:y|ies)|nations?|cit(?:y|ies)|capitals?|capital city|towns?|villages?|states?|provinces?|count(?:y|ies)|"
    "regions?|islands?|rivers?|lakes?|continents?|oceans?|seas?|mountains?|deserts?|peninsulas?"
)
_PEOPLE = (
    "person|man|woman|king|queen|emperor|empress|president|prime minister|pope|saint|author|writer|novelist|poet|"
    "playwright|dramatist|artist|painter|sculptor|architect|composer|singer|musician|actor|actress|director|scientist|physicist|"
    "chemist|biologist|mathematician|astronomer|philosopher|economist|inventor|explorer|navigator|general|leader|ruler|"
    "dictator|politician|statesman|monarch|astronaut|cosmonaut|god|goddess|character|polymath|naturalist|engineer|"
    "historian|theologian|activist|entrepreneur|footballer|lawyer"
)
_WORKS = (
    "films?|movies?|books?|novels?|poems?|songs?|albums?|paintings?|pictures?|operas?|symphon(?:y|ies)|series|shows?|"
    "awards?|prizes?|medals?|compan(?:y|ies)|bands?|schools?|colleges?|universit(?:y|ies)|newspapers?|magazines?|"
    "(?:pen |stage |middle |last |first |birth )?names?|nicknames?|pseudonyms?|titles?|movements?"
)
_WHICH = r"\b(?:what|which|name (?:the|any|an?)|identify the)(?: \w+(?:['’]s)?)?(?: \w+)? (?:{nouns})\b(?!-)"
_DATE = re.compile(
    r"^(?:since |until |from )?when\b(?![^?]{0,200}, (?:what|which|who|how|where|then)\b)"
    r"|\bwhen (?:was|were|did|is|does|do|will|has|had)\b(?! \w+ing\b)"
    r"|\b(?:what|which) (?:\w+ )?(?:year|date|day|month|decade|century)\b(?!-)"
    r"(?=\W*$|\s+(?:did|was|were|is|are|do|does|has|had|have|will|would|of|in|on|the|he|she|it|they|a|that)\b|\W\s)"
    r"|^what (?:is|was) (?:the (?:date|year) of\b|the birthday\b|.*'s birthday\b)|\bwhat time period\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"\bhow (?:many|much|tall|high|deep|far|old|large|big|wide|heavy|long|fast|hot|cold)\b"
    r"|^what (?:is|was) the (?:number|(?:\w+ )?(?:population|height|length|depth|area|capacity|elevation|distance"
    r"|age|speed|diameter|radius|mass|weight|temperature|density|boiling point|melting point)) of\b",
    re.IGNORECASE,
)
_NAMED_PLACE = re.compile(
    _WHICH.format(nouns=_PLACES)
    + rf"|\bwhat (?:is|was|are) (?:the|\w+(?:['’]s)) (?:(?:\w+[- ])?(?:\w+est|most \w+) )?(?:{_PLACES})\b"
    r"|^the (?:country|city|state|place|island|continent)\b",
    re.IGNORECASE,
)
_PLACE = re.compile(r"^(?:from )?where\b|\bwhere (?:is|are|was|were|did|do|does|can)\b", re.IGNORECASE)
_PERSON = re.compile(r"\b(?:who|whom|whose)\b", re.IGNORECASE)
_NAMED_WORK = re.compile(
    _WHICH.format(nouns=_WORKS) + rf"|\bwhat (?:is|was|are) (?:the |\w+(?:['’]s) )(?:\w+ )?(?:{_WORKS})\b",
    re.IGNORECASE,
)
_PERSON_NOUN = re.compile(_WHICH.format(nouns=_PEOPLE), re.IGNORECASE)
_COUNT = re.compile(
    r"(?<!\d)\d(?!\d*(?:st|nd|rd|th)\b)|\b(?:one(?! of\b)|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|"
    r"\w+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundreds?|thousands?|millions?|billions?|"
    r"dozens?|half|several|few|many|most|all|both|pair|couple|single|double|twice|once|no|none|zero)\b"
    r"|^an? (?!(?:series|group|set|kind|type|form|part|place|system|chain|city|town|country|lake|river|"
    r"mountain|man|woman|person)\b)\w+\W*$",
    re.IGNORECASE,
)
_SCALE = re.compile(r"(?:half|hundred|thousand|million|billion|trillion)", re.IGNORECASE)
"""What says nothing without a number before it."""
_LONE_TITLE = re.compile(r"(?:sir|lord|lady|dr|saint|st|mrs?)\.?", re.IGNORECASE)
_GOES_ON = re.compile(r" and (?:is|was|has|had|are|were|(?:co-)?(?:written|directed|produced|starring))\b")
"""A clause behind a name: "Roman god of the sea and has"."""
_HOW_LONG = re.compile(r"how long (?:did|does|do|was|were)\b", re.IGNORECASE)
_WORK = re.compile(
    r"(?:[a-z]+-length )?(?:portrait )?(?:film|movie|book|novel|poem|song|album|painting|opera|portrait|play|series)"
    r"(?: (?:by|from|of) .+)?",
    re.IGNORECASE,
)
_AGE = re.compile(r"\bhow old\b", re.IGNORECASE)
_NO_AGE = re.compile(r"^half\b|light[- ]years?\b|\d ?(?:km|miles?|met(?:re|er)s|feet)\b", re.IGNORECASE)
_MEASURE = re.compile(
    r"\bhow (?:tall|high|deep|far|wide|heavy|fast|big|large)\b"
    r"|^what(?:['’]?s| is| was) the (?:\w+ )?(?:height|length|depth|area|"
    r"elevation|distance|speed|diameter|radius|mass|weight|temperature|density|boiling point|melting point) "
    r"(?:of|from|to)\b",
    re.IGNORECASE,
)
_HEAT = re.compile(r"\bhow (?:hot|cold)\b|^what(?:['’]?s| is| was) the (?:\w+ )?temperature of\b", re.IGNORECASE)
_DEGREES = re.compile(r"°|\bdegrees?\b|(?:\d|million|billion) ?(?:K|C|F|kelvins?)\b")
_CENTURY = re.compile(r"\b(?:what|which) century\b", re.IGNORECASE)
_NO_TIME = re.compile(r"\d,\d{3}(?!\d)|%|\d ?(?:km|kg|miles?|met(?:re|er)s|feet|people)\b")
_LONG_AGO = re.compile(r"\b(?:BCE?|years?)\b")
_PART_OF = re.compile(r"^(?:the )?(?:early|late|mid)[- ]", re.IGNORECASE)
_OTHER_NAME = re.compile(
    rf"\b(?:{kin.PARTNER}|mother|sister) of (?:the )?(?P<whose>[\w' -]{{2,40}}?)\W*$", re.IGNORECASE
)
"""Asks for kin who hardly ever bear the same name, as a son or a daughter may."""
_KIN = re.compile(
    rf"^who(?:['’]?s| is| was| are| were) (?:.+ (?:{kin.ONE}|parents|children)\b|(?:{kin.ONE}|parents|children) of\b)",
    re.IGNORECASE,
)
"""Asks for kin, and not about "the Wright brothers" or "Mother Teresa"."""
_OFFICE = re.compile(
    r"(?:the |an? )?(?:king|queen|emperor|empress|president|general|ruler|leader|prince|princess|duke|duchess|novelist|"
    r"writer|poet|actor|actress|singer|politician|composer|painter|philosopher)"
)
"""What somebody is, in lower case, and not who."""
_OF_LIFE = re.compile(
    r"where (?:was|were|did) (?P<whose>[\w' -]{2,40}?) (?:born|die|died|grow up|raised)\b", re.IGNORECASE
)
_LETTER = re.compile(
    r"\b(?:start|begin)(?:s|ning|ing)? with (?:the letter |letter |an? )?[\"'“‘]?(?P<letter>[a-z])[\"'”’]?\W*$",
    re.IGNORECASE,
)
"""The end of a question for what begins with a letter."""
_ASKS_ONE = re.compile(
    r"(?:which|what) is the (?:most [a-z]+|[a-z]+est)\b|"
    r"(?:which|what) (?:[a-z]+ )?(?!(?:is|was|has|does|lies|series|species)\b)[a-z]+[a-rt-z] (?:is|was|has) ",
    re.IGNORECASE,
)
_ASKS_ONE_PERSON = re.compile(
    r"who(?:['’]?s| is| was) (?:the|\w+['’]s) (?:most [a-z]+|(?!(?:gu|pri|for|harv|inter|conqu|qu)est\b)[a-z]{2,}est)\b"
    r"(?! (?:\w+ )?(?:duo|pair|couple|team|band|group|maker|company)\b)",
    re.IGNORECASE,
)
_NAME = r"[A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*){0,3}"
_TITLES = (
    "Jr|Sr|Sir|Dame|Duke|Duchess|Archduke|Earl|Count|Countess|Viscount|Baron|Baroness|Marquess|Marquis|Lord|Lady|Prince|"
    "Princess|King|Queen"
)
_NAMES = re.compile(rf"{_NAME}(?:(?:,? and |, )(?!(?:{_TITLES})\b){_NAME}){{1,6}}")
_SEVERAL = re.compile(r"[^,]{2,40}(?:, [^,]{2,40}){1,8},? and [^,]{2,40}")
_YEAR = re.compile(r"(?:in )?(?:1\d\d\d|20\d\d)", re.IGNORECASE)
_YEARS = re.compile(r"\b(?:1\d\d\d|20\d\d)\b(?! ?[a-z])")
_IN_A_YEAR = re.compile(r"\b(?:1\d\d\d|20\d\d)\b(?!\))")
_MONTH = "(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_DATES = re.compile(
    rf"\b(?:\d{{1,2}} )?{_MONTH}(?: \d{{1,2}}\b,?)?(?: \d{{4}}\b)?|\b(?:from|since|until|to) (?:1\d\d\d|20\d\d)\b"
)
_NAMED = re.compile(
    r"(?:who|what) (?:is|are|was|were) (?:the )?([\w' -]{2,60}?)(?: (?:in|of|during|on|at) |\W*$)", re.IGNORECASE
)
_PARTS = re.compile(r"(?:^|, | and | or )(?:the )?")
_MEASURED = re.compile(
    r"(?<![A-Za-z])\d|\b\w*(?:met(?:re|er)|gram|mile|foot|feet|inch|inche|cubit|yard|fathom|league|storey|story|storie|ton|tonne|"
    r"pound|ounce|stone|degree|percent|per cent|hour|minute|second|day|week|month|year|parsec|mach|mph|knot|"
    r"time|acre|hectare|dozen|hundred|thousand|million|billion)s?\b",
    re.IGNORECASE,
)
_LAST_SENTENCE = re.compile(r"^.*[.!;] (?=[A-Z][^.!;]*\??$)", re.DOTALL)
_TIME = re.compile(
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December|Spring|Summer|Autumn|Fall|"
    r"Winter|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|Easter|Christmas|Age|Ages|Era|Period|Dynasty|War|"
    r"Century|Renaissance|Ramadan|Midnight|Day|Night|Antiquity|Enlightenment|"
    r"\b\w+(?:lithic|assic|aceous|iferous|ocene|zoic)|(?:Pre)?[Cc]ambrian|Ordovician|Silurian|Devonian|Permian|"
    r"Mississippian|Pennsylvanian|Victorian|Edwardian|Elizabethan)\b"
    r"|\d|\b(?i:century|centuries|decades?|years?|months?|weeks?|days?|hours?|night|morning|evening|noon|dawn|dusk|spring|"
    r"summer|autumn|fall|winter|age|era|period|eon|epoch|dynasty|reign|war|middle|antiquity|millennium|millennia|birth|death|"
    r"childhood|adolescence|adulthood|puberty|infancy|before|after|during|since|until|following|early|late|ago|times?|"
    r"seasons?|as soon as|once|beginning)\b",
)
_ORDINAL = (
    r"(?:\d+(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|last)"
)
_FIGURE = re.compile(
    r"[\d\s.,/–-]+(?:(?:million |square )?(?:km2?|mi2?|sq mi|kilomet(?:re|er)s|met(?:re|er)s|miles|feet|people)\b"
    r"[\s(]*[\d\s.,]*(?:sq )?[a-z2]*\)?)?"
)
"""A bare number, or a size."""
_TWO_SENTENCES = re.compile(r"[a-z]{4}[.!?] [A-Z]|, (?:is|was|are|were|has|had|have) ")
"""More than a name: "Emperor of the French. He", "Napoleon I, was"."""
_SAYS_WHAT = re.compile(r"[A-Z][^,;.]{1,60} (?:is|was|are|were) (?:the|an?) ")
_WHEREABOUTS = re.compile(r"\b(?:in|at|on|near|along|between|off|of|to|from|by)\b")
_LONE_ORDINAL = re.compile(rf"(?:the )?{_ORDINAL}", re.IGNORECASE)
_LONE_RANK = re.compile(rf"(?:the )?{_ORDINAL}[ -](?:most [a-z]+|[a-z]+est)", re.IGNORECASE)
_ASKS_RANK = re.compile(r"\b(?:rank\w*|place[ds]?|position|rate[ds]?|size|how)\b", re.IGNORECASE)
_PEOPLE_WHO = re.compile(r"\bpeoples? (?:who|that)\b", re.IGNORECASE)
_DIRECTION = re.compile(
    r"(?:the )?(?:north|south|east|west|central|mid)\w*(?:[- ](?:north|south|east|west|central)\w*)*", re.IGNORECASE
)
_DEMONYM = re.compile(
    r"(?:[A-Z]\w+-)?(?:[A-Z]\w*(?:ish|ese|ian|ean|ienne|wegian|ldovan|ntine|elgian)|French|Dutch|Greek|Swiss|German|"
    r"Roman|American|Mexican|African|Asian|Arab|Arabic|Czech|Slovak|Turk|Thai|Welsh|Icelandic|Cuban|Tibetan|Moroccan|"
    r"Iraqi|Israeli|Pakistani|Bengali|Afghan|Kazakh|Uzbek|Filipino|Serb|Croat|Finn|Swede|Dane|Pole|Scot|Catalan|Frank|"
    r"Frankish|Moghul|Mughal|Ottoman|Byzantine|Norman|Korean|Saxon)"
)
_NO_DEMONYM = frozenset(
    "mediterranean caribbean aegean christian adrian brian julian vivian gillian lillian sebastian damian fabian ian "
    "marian dorian kilian florian valerian hadrian ocean sean jean dean guardian librarian bangladesh varese".split()
)


def kind_asked(query: str) -> AnswerKind:
    """Tell what kind of answer a query wants, by its words; ``OTHER`` where they do not tell.

    >>> kind_asked("when did the war end").value, kind_asked("Name the French artist who painted it").value
    ('date', 'person')
    >>> kind_asked("Kyoto lies on Honshu.").value, kind_asked("What is a monsoon?").value
    ('other', 'other')
    """
    query = _LAST_SENTENCE.sub("", query.strip())  # "The emperor was deposed. When?"
    if text.is_yes_no_question(query) or text.is_statement(query) and not _WH.search(query):
        return AnswerKind.OTHER
    found = [
        (match.start(), number, kind)
        for number, (kind, pattern) in enumerate(_ASKED)
        if (match := pattern.search(query)) and not _is_relative(query, match)
    ]
    return min(found)[2] if found else AnswerKind.OTHER


_NOUN_ASKED = (
    r"^(?:in |on |at |from |of |to )?(?:which|what)"
    r"(?: (?:is|was|are|were)(?: (?:second |third )?(?:\w+est|most \w+))?)?"
)
"""What stands before it, in the tokens of a query."""
_WH = re.compile(r"\b(?:who|whom|whose|which|what|when|where|how)\b|^(?:name|identify|the)\b", re.IGNORECASE)
_ASKED = (
    (AnswerKind.NUMBER, _NUMBER),
    (AnswerKind.DATE, _DATE),
    (AnswerKind.NAMED_PLACE, _NAMED_PLACE),
    (AnswerKind.PERSON, _PERSON_NOUN),
    (AnswerKind.PLACE, _PLACE),
    (AnswerKind.PERSON, _PERSON),
)


def _is_relative(query: str, match: re.Match[str]) -> bool:
    """Whether "who", "when" or "where" opens a clause about what stands before it, as in "the man who wrote it"."""
    if match.start() == 0 or match[0].split()[0].lower() not in ("who", "whom", "whose", "when", "where"):
        return False
    before = query[: match.start()]
    return bool(_WH.search(before)) or not re.search(r"(?:[,.:;]|\b(?:by|for|from|of|to|with|and))\s*$", before)


def fits(query: str, answer: str) -> bool:
    """Whether ``answer`` can answer ``query``: of the kind that is asked for, and not the thing that is asked about.

    >>> fits("When was Isaac Newton born?", "English"), fits("when was isaac newton born", "1643")
    (False, True)
    >>> fits("Who is the husband of Mary Shelley?", "Mary Shelley"), fits("Which pen name did she use?", "Russian")
    (False, False)
    """
    query = _LAST_SENTENCE.sub("", query.strip())
    if (begins := _LETTER.search(query)) and not _begin_with(begins["letter"], answer):
        return False
    if text.is_yes_no_question(query) or text.is_statement(query) and not _WH.search(query):
        return True
    asked, said = text.tokens(query), text.tokens(answer)
    is_choice = re.search(r"\bor\b", query) is not None
    if said and asked[-len(said) :] == said and not is_choice:
        return False
    if said and not is_choice and re.search(rf"{_NOUN_ASKED} {re.escape(' '.join(said))}\b", " ".join(asked)):
        return False  # "Room" to "In which room …?", "Desert" to "what is the largest desert"
    if (named := _NAMED.match(query)) and any(
        text.tokens(part) == text.tokens(named[1]) for part in _PARTS.split(answer)[1:]
    ):
        return False  # "Allies and the Central Powers" to "Who were the Central Powers?"
    answer = answer.strip()
    if (kin_of := _OTHER_NAME.search(query)) and set(text.tokens(kin_of["whose"])) <= set(said):
        return False  # "Napoleon I" to "Who was the wife of Napoleon?"
    is_office = bool(_OFFICE.fullmatch(answer)) or (answer[1:].islower() and _is_somebody(answer.lower()))
    if _KIN.search(query) and (_says_what(answer) or is_office):
        return False  # "French general", "emperor", "Novelist, poet" to "Who was Napoleon's wife?"
    is_place = "," in answer or _WHEREABOUTS.search(answer)
    if (of_life := _OF_LIFE.match(query)) and set(text.tokens(of_life["whose"])) <= set(said) and not is_place:
        return False  # "Wolfgang Amadeus Mozart" to "Where was Mozart born?"
    if _ASKS_ONE.match(query) and _SEVERAL.fullmatch(answer) and not is_choice:
        return False  # "Mercury, Venus, Earth and Mars" to "which planet is closest to the sun"
    if _ASKS_ONE_PERSON.match(query) and _NAMES.fullmatch(answer) and not is_choice:
        return False  # "Brian, Dennis" to "Who was the youngest brother?"
    if _LONE_RANK.fullmatch(answer) and not _ASKS_RANK.search(query):
        return False  # "third-largest" to "which is the third state"
    kind = kind_asked(query)
    if kind is not AnswerKind.OTHER and _TWO_SENTENCES.search(answer):
        return False
    match kind:
        case AnswerKind.DATE:
            is_century = _CENTURY.search(query) is not None
            if _NO_TIME.search(answer) and not _LONG_AGO.search(answer) or not _TIME.search(answer):
                return False
            return is_century or not _LONE_ORDINAL.fullmatch(_PART_OF.sub("", answer))
        case AnswerKind.NUMBER:
            if _AGE.search(query) and _NO_AGE.search(answer):
                return False
            if _HEAT.search(query):
                return bool(_DEGREES.search(answer))
            if _HOW_LONG.match(query):
                return bool(_TIME.search(answer) or _MEASURED.search(answer)) and not _YEAR.fullmatch(answer)
            if _MEASURE.search(query):
                return bool(_MEASURED.search(_YEARS.sub("", answer)))
            return bool(_COUNT.search(_DATES.sub("", answer))) and not _SCALE.fullmatch(answer)
        case AnswerKind.NAMED_PLACE:
            is_name = any(letter.isupper() for letter in answer)
            is_dated = _IN_A_YEAR.search(answer) is not None
            return is_name and not (is_dated or _says_what(answer) or _is_somebody(answer))
        case AnswerKind.PLACE:
            is_people = is_adjective(answer.removeprefix("the ")) or _is_somebody(answer)
            is_people = is_people or _PEOPLE_WHO.search(answer) is not None
            is_clause = _SAYS_WHAT.match(answer) is not None and not _WHEREABOUTS.search(answer)
            return not (_FIGURE.fullmatch(answer) or is_people or _WORK.fullmatch(answer) or is_clause)
        case AnswerKind.PERSON:
            is_clause = _SAYS_WHAT.match(answer) is not None  # "Joyce was an Irish novelist"
            is_rank = _LONE_ORDINAL.fullmatch(answer) is not None
            is_no_name = _LONE_TITLE.fullmatch(answer) is not None or _GOES_ON.search(answer) is not None
            return not (is_adjective(answer) or is_rank or _YEAR.fullmatch(answer) or is_clause or is_no_name)
        case _:
            return not (_says_what(answer) and _NAMED_WORK.search(query))


def _begin_with(letter: str, answer: str) -> bool:
    """Whether all things that an answer names begin with ``letter``."""
    return all(
        item.removeprefix("the ").lstrip("\"'“‘(")[:1].casefold() == letter.casefold() for item in text.items(answer)
    )


def is_adjective(answer: str) -> bool:
    """Whether an answer only says of which people, direction or rank something is, and names nothing.

    >>> [is_adjective(answer) for answer in ("Polish", "fifth Mughal", "eastern", "Poland", "Caspian Sea")]
    [True, True, True, False, False]
    """
    words = answer.strip().split()
    if not words:
        return False
    rest = words[1:] if _LONE_ORDINAL.fullmatch(words[0]) else words
    if _DIRECTION.fullmatch(answer.strip()):
        return True
    return bool(rest) and all(_DEMONYM.fullmatch(word) and word.casefold() not in _NO_DEMONYM for word in rest)


def _says_what(answer: str) -> bool:
    """Whether an answer says what something is instead of naming it: "Polish", "American actress"."""
    first, *rest = answer.strip().split() or [""]
    return is_adjective(answer) or (bool(rest) and is_adjective(first) and all(word.islower() for word in rest))


def _is_somebody(answer: str) -> bool:
    """Whether an answer says what somebody is: "French general and emperor", "Composer and musician"."""
    first, *rest = answer.split() or [""]
    said = f"{first.lower()} {' '.join(rest)}" if rest and rest[0].islower() else answer
    return re.search(rf"\b(?:{_PEOPLE})\b(?!['’])", said) is not None


def asks_for_person(query: str) -> bool:
    """Whether the query asks who somebody is.

    >>> asks_for_person("Who founded Nintendo?"), asks_for_person("Which company makes Mario?")
    (True, False)
    """
    return kind_asked(query) is AnswerKind.PERSON


def asks_for_place(query: str) -> bool:
    """Whether the query asks where something is.

    >>> asks_for_place("In which country was Rudyard Kipling born?"), asks_for_place("Who was born in India?")
    (True, False)
    """
    return kind_asked(query) in (AnswerKind.PLACE, AnswerKind.NAMED_PLACE)
