"""Tell questions that hide a step: what is asked about is itself only described."""

from __future__ import annotations

import re

_NOUN = r"(?:the|an?) (?:[\w'’&-]{1,30} ){1,5}"
_CLAUSE = r"(?:that|who|whose|where|(?:at|in|for|by|of|with|on) (?:which|whom))"
_RELATION = (
    r"(?:father|mother|wife|husband|son|daughter|brother|sister|founder|co-founder|author|writer|director|creator|inventor|"
    r"composer|architect|painter|designer|owner|successor|predecessor|star|host|producer|singer|band|maker|publisher)"
)
_PARTICIPLE = (
    r"(?:held|formed|based|located|born|founded|made|headquartered|attending|belonging|spoken|written|directed|produced|"
    r"created|published|released|named|owned|situated|played|from)"
)
_WH = r"(?:what|which|whose|when|where)\b"
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        # "a grocery company based in what city", but not "the port is based in what city"
        rf"\b{_NOUN}(?<!\bis )(?<!\bwas )(?<!\bare )(?<!\bwere ){_PARTICIPLE}"
        rf"(?: (?:in|at|by|of|to|on|from|between|after))? {_WH}",
        # "he voices a character of a series created by who", but not "Emma is a novel written by who"
        rf"\b(?:on|in|of|for|from|with|at|by) {_NOUN}{_PARTICIPLE} by (?:who|whom)\b",
        # "the team that won the cup is based in what city", "a song by the actress who is of what nationality"
        rf"(?<!which )\b{_NOUN}{_CLAUSE}\b"
        r".{0,120}?\b(?:what|which)\b (?!is that)",
        # "what is the area of the university at which he coached", "in what year did the pope who painted it die"
        rf"\b(?:what|which|who|when|where|how)\b.{{0,80}}?\b(?:of|did|does|by|is|was|has) {_NOUN}"
        rf"{_CLAUSE}\b",
        # "what year did the father of Ada die", "where was the author of Emma born"
        rf"^(?:(?:in|on|at|from) )?(?:what|which|when|where|how)\b.{{0,80}}?\b"
        rf"(?:did|does|was|is|has|had) the {_RELATION} of\b",
        # "the founder of the label went to school in what city", but not "the author of Emma was which woman"
        rf"^the {_RELATION} of\b.{{1,100}}?(?<!\bis )(?<!\bwas )(?<!\bare )(?<!\bwere ){_WH}",
        # "Babylon stood on a river. In what waterway does that river join the Tigris?"
        r"\b(?:an?|one) (?P<what>[a-z]{3,})\b[^.?!]{0,80}[.;!] (?:[^.?!]{0,80} )?(?:that|this|its?) (?P=what)\b",
        # "which other driver stood on the podium besides the one born in 1990"
        r"^(?:who|what|which|name) (?:else|other|another)\b"
        r".{1,160}?\b(?:besides|other than|apart from|except(?: for)?) (?:the|an?)\b",
    )
)
_DIRECT = re.compile(
    r"^(?:who|what|which)(?:['’]?s| is| was| are| were) (?:the|an?) (?:[\w'’&-]{1,30} ){1,5}"
    r"(?:who|whose|that|which|where|of)\b",
    re.IGNORECASE,
)
_OF_CLAUSE = re.compile(rf"\bof {_NOUN}{_CLAUSE}\b", re.IGNORECASE)


def hides_step(query: str) -> bool:
    """Tell whether ``query`` asks about something that it only describes, so that two things must be found.

    >>> hides_step("Tom Thumb is part of a grocery company based in what city?")
    True
    >>> hides_step("What year did the father of Ada Lovelace die?"), hides_step("Who was the father of Ada Lovelace?")
    (True, False)
    >>> hides_step("who was the man who invented dynamite")
    False
    """
    bare = query.strip()
    if _DIRECT.match(bare) and not _OF_CLAUSE.search(bare):
        return False
    return any(form.search(bare) for form in _FORMS)
