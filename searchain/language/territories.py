"""Know the names of countries, and of the states of four federations."""

from __future__ import annotations

import re

from searchain.language.fact_questions import Fact, asked_fact
from searchain.types import Span

COUNTRIES = frozenset(
    """
    Afghanistan; Albania; Algeria; Andorra; Angola; Antigua and Barbuda; Argentina; Armenia; Australia; Austria;
    Azerbaijan; Bahamas; Bahrain; Bangladesh; Barbados; Belarus; Belgium; Belize; Benin; Bhutan; Bolivia; Bosnia
    and Herzegovina; Bosnia; Botswana; Brazil; Brunei; Bulgaria; Burkina Faso; Burma; Burundi; Cambodia;
    Cameroon; Canada; Cape Verde; Central African Republic; Chad; Chile; China; People's Republic of China;
    Colombia; Comoros; Republic of the Congo; Democratic Republic of the Congo; DR Congo; Costa Rica; Croatia;
    Cuba; Cyprus; Czech Republic; Czechia; Denmark; Djibouti; Dominica; Dominican Republic; East Timor;
    Timor-Leste; Ecuador; Egypt; El Salvador; Equatorial Guinea; Eritrea; Estonia; Eswatini; Ethiopia; Fiji;
    Finland; France; Gabon; Gambia; Georgia; Germany; Ghana; Greece; Grenada; Guatemala; Guinea; Guinea-Bissau;
    Guyana; Haiti; Honduras; Hungary; Iceland; India; Indonesia; Iran; Iraq; Ireland; Republic of Ireland;
    Israel; Italy; Ivory Coast; Côte d'Ivoire; Jamaica; Japan; Jordan; Kazakhstan; Kenya; Kiribati; Kosovo;
    Kuwait; Kyrgyzstan; Laos; Latvia; Lebanon; Lesotho; Liberia; Libya; Liechtenstein; Lithuania; Luxembourg;
    Madagascar; Malawi; Malaysia; Maldives; Mali; Malta; Marshall Islands; Mauritania; Mauritius; Mexico;
    Federated States of Micronesia; Moldova; Monaco; Mongolia; Montenegro; Morocco; Mozambique; Myanmar;
    Namibia; Nauru; Nepal; Netherlands; New Zealand; Nicaragua; Niger; Nigeria; North Korea; North Macedonia;
    Norway; Oman; Pakistan; Palau; Palestine; Panama; Papua New Guinea; Paraguay; Peru; Philippines; Poland;
    Portugal; Qatar; Romania; Russia; Rwanda; Saint Kitts and Nevis; Saint Lucia; Saint Vincent and the
    Grenadines; Samoa; San Marino; São Tomé and Príncipe; Saudi Arabia; Senegal; Serbia; Seychelles; Sierra
    Leone; Singapore; Slovakia; Slovenia; Solomon Islands; Somalia; South Africa; South Korea; South Sudan;
    Spain; Sri Lanka; Sudan; Suriname; Sweden; Switzerland; Syria; Taiwan; Tajikistan; Tanzania; Thailand; Togo;
    Tonga; Trinidad and Tobago; Tunisia; Turkey; Türkiye; Turkmenistan; Tuvalu; Uganda; Ukraine; United Arab
    Emirates; UAE; United Kingdom; UK; U.K.; Great Britain; England; Scotland; Wales; Northern Ireland; United
    States of America; United States; US; U.S.; USA; Uruguay; Uzbekistan; Vanuatu; Vatican City; Venezuela;
    Vietnam; Yemen; Zambia; Zimbabwe; Soviet Union;
    Yugoslavia; Czechoslovakia
    """.replace("\n    ", " ")
    .strip()
    .split("; ")
)
"""The countries of today, the four of the United Kingdom among them, with their other names; and three of yesterday."""
STATES = frozenset(
    """
    Alabama; Alaska; Arizona; Arkansas; California; Colorado; Connecticut; Delaware; Florida; Georgia; Hawaii;
    Idaho; Illinois; Indiana; Iowa; Kansas; Kentucky; Louisiana; Maine; Maryland; Massachusetts; Michigan;
    Minnesota; Mississippi; Missouri; Montana; Nebraska; Nevada; New Hampshire; New Jersey; New Mexico; New
    York; North Carolina; North Dakota; Ohio; Oklahoma; Oregon; Pennsylvania; Rhode Island; South Carolina;
    South Dakota; Tennessee; Texas; Utah; Vermont; Virginia; Washington; West Virginia; Wisconsin; Wyoming; New
    South Wales; Queensland; South Australia; Tasmania; Victoria; Western Australia; Andhra Pradesh; Arunachal
    Pradesh; Assam; Bihar; Chhattisgarh; Goa; Gujarat; Haryana; Himachal Pradesh; Jharkhand; Karnataka; Kerala;
    Madhya Pradesh; Maharashtra; Manipur; Meghalaya; Mizoram; Nagaland; Odisha; Punjab; Rajasthan; Sikkim; Tamil
    Nadu; Telangana; Tripura; Uttar Pradesh; Uttarakhand; West Bengal; Baden-Württemberg; Bavaria; Brandenburg;
    Hesse; Lower Saxony; Mecklenburg-Vorpommern; North Rhine-Westphalia; Rhineland-Palatinate; Saarland; Saxony;
    Saxony-Anhalt; Schleswig-Holstein; Thuringia
    """.replace("\n    ", " ")
    .strip()
    .split("; ")
)
"""The states of the United States, Australia, India and Germany, city states apart."""
_NOT_BEFORE = r"(?<!\w)(?<!New )(?<!New South )(?<!East )(?<!Gulf of )(?<!Sea of )(?<!Lake )(?<!Strait of )"
_NOT_BEHIND = (
    r"(?!\w)"
    r"(?! (?:City|River|Delta|Sea|Gulf|Ocean|Channel|Islands?|Empire|Sultanate|Valley|Province|Peninsula|County)\b)"
    r"(?!, D\.?C)"
)
_US = r"(?=,? (?:US\b|U\.S|USA|United States))"
_ASKS_COUNTRY = re.compile(r"\b(?:what|which) (?:country|nation)(?! (?:was|were|did))\b")
_ASKS_CITY = re.compile(r"\b(?:what|which) (?:city|town)\b")
_CITIES = frozenset(
    {"New York", "Washington", "Singapore", "Luxembourg", "Monaco", "Djibouti", "San Marino", "Vatican City"}
)
"""Names of countries and states that are those of cities, too."""


def _any_of(names: frozenset[str]) -> re.Pattern[str]:
    longest_first = sorted(names, key=len, reverse=True)
    return re.compile(f"{_NOT_BEFORE}(?:{'|'.join(map(re.escape, longest_first))}){_NOT_BEHIND}")


_COUNTRY, _STATE = _any_of(COUNTRIES), _any_of(STATES)
_GEORGIA = re.compile(rf"Georgia{_US}")
_JOINED = re.compile(r"(?:, |,? (?:and|or) |, and )(?:the )?")
_ELSEWHERE = {"Victoria": "Australia", "Punjab": "India", "Georgia": "U", "Washington": "U"}
"""States that have the name of something else → how what stands behind them begins."""


def countries_in(words: str) -> Span | None:
    """Return the one country that ``words`` name, or the list of several; ``None`` where they name none.

    >>> one, two = "City in Western Australia", "Waterfalls between the United States and Canada"
    >>> [words[found.start : found.end] for words in (one, two) if (found := countries_in(words))]
    ['Australia', 'United States and Canada']
    >>> countries_in("City in the Southern Levant"), countries_in("City in New Mexico")
    (None, None)
    """
    found = [one for one in _COUNTRY.finditer(words) if not _GEORGIA.match(words, one.start())]
    gaps = [words[one.end() : other.start()] for one, other in zip(found, found[1:], strict=False)]
    if not found or not all(_JOINED.fullmatch(gap) for gap in gaps):
        return None
    return Span(found[0].start(), found[-1].end())


def state_in(words: str) -> Span | None:
    """Return the one state that ``words`` name; ``None`` where they name none, or several.

    >>> where = "City in Cambridge, Massachusetts, US"
    >>> found = state_in(where)
    >>> where[found.start : found.end], state_in("Park in Manhattan, New York City")
    ('Massachusetts', None)
    """
    found = [one for one in _STATE.finditer(words) if _is_state(one, words)]
    return Span(*found[0].span()) if len(found) == 1 else None


def _is_state(found: re.Match[str], words: str) -> bool:
    land = _ELSEWHERE.get(found[0])
    return land is None or words[found.end() :].startswith(f", {land}")


def is_other_place(query: str, answer: str) -> bool:
    """Tell whether ``answer`` is a place of another sort than ``query`` asks for.

    Where a country is asked for, that is an answer that names none; where a city is, a country or a state.

    >>> [is_other_place("what country is mecca in", answer) for answer in ("Islam", "Saudi Arabia")]
    [True, False]
    >>> [is_other_place("what city is stanford in", answer) for answer in ("California", "Palo Alto")]
    [True, False]
    """
    asked = asked_fact(query)
    if asked is None or asked.fact not in (Fact.LIES_IN, Fact.CAPITAL_OF):
        return False
    if _ASKS_CITY.search(query.casefold()):
        return answer.removeprefix("the ") in (COUNTRIES | STATES) - _CITIES
    return _ASKS_COUNTRY.search(query.casefold()) is not None and _COUNTRY.search(answer) is None
