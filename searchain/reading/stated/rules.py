"""Ask every rule whether the words of an article answer a query."""

from __future__ import annotations

import re
from collections.abc import Sequence

from searchain.reading.stated.capitals import capital
from searchain.reading.stated.counted import counted
from searchain.reading.stated.definitions import defined
from searchain.reading.stated.described import described
from searchain.reading.stated.elements import element
from searchain.reading.stated.expansions import expanded
from searchain.reading.stated.firsts import first
from searchain.reading.stated.languages import language
from searchain.reading.stated.made import made
from searchain.reading.stated.makers import maker
from searchain.reading.stated.measures import measured
from searchain.reading.stated.placed import placed
from searchain.reading.stated.ranked import ranked
from searchain.types import Hit, Reading

_RULES = (
    expanded,
    defined,
    ranked,
    first,
    described,
    capital,
    language,
    element,
    made,
    maker,
    measured,
    counted,
    placed,
)
_NAME_OF = re.compile(r"^(what|which)(?:['’]?s| is| was| are| were) the names? of (?=the )", re.IGNORECASE)


def stated(query: str, hits: Sequence[Hit], readings: Sequence[Reading]) -> tuple[Hit, Reading] | None:
    """Return the hit whose own words answer ``query`` by their form, read so; ``None`` where no rule knows one.

    ``readings`` are those of the Reader, one for each hit.
    """
    asked = _NAME_OF.sub(r"\1 is ", query)  # the name of the largest ocean is that ocean
    return next(filter(None, (rule(asked, hits, readings) for rule in _RULES)), None)
