"""Questions about a set of documents itself: what it is about, how many there are, which of them mention something."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

ABOUT_DOCUMENTS = "What are these documents about?"
"""A question that every set of documents answers."""


class About(StrEnum):
    """The kinds of questions about a set of documents."""

    TOPICS = "topics"
    NUMBER = "number"
    MENTIONS = "mentions"


@dataclass(frozen=True, slots=True)
class DocumentQuestion:
    """A question about documents; ``words`` are what they are to mention, else ``""``."""

    kind: About
    words: str = ""


_NOUN = r"(?:documents?|docs?|files?|pdfs?|uploads?|collections?)"
_SET = rf"(?:(?:all|any|each|the|these|those|this|that|my|our|your|of|own|uploaded|other)\s+)*{_NOUN}(?:\s+here)?"
_THEM = r"(?:(?:all|any|each|some)\s+of\s+)?(?:them|these|those)"
_POINTED = rf"(?:all\s+)?(?:the|these|those|this|that|my|our|your)\s+(?:own\s+|uploaded\s+)?{_NOUN}(?:\s+here)?"
_TREAT = (
    r"(?:mention|contain|discuss|cover|include|name|describe|treat|talk\s+about|speak\s+(?:of|about)|refer\s+to|deal\s+with"
    r"|(?:say|write)\s+(?:something|anything)\s+about)s?|mentions|discusses|(?:is|are)\s+about|talks\s+about|refers\s+to|deals\s+with"
)
_PLEASE = r"(?:please\s+|(?:can|could|would)\s+you\s+(?:please\s+)?)?"
_ORDER = (
    rf"{_PLEASE}(?:summari[sz]e|outline|describe|sum\s+up|list|show(?:\s+me)?|name"
    r"|give\s+(?:me\s+)?(?:an?\s+|the\s+)?(?:summary|overview|list)\s+of)"
)

_TOPICS = (
    rf"what(?:\s+is|\s+are|['’]s)\s+{_POINTED}\s+(?:all\s+|mainly\s+|mostly\s+)?about",
    rf"what(?:\s+is|\s+are|['’]s)\s+(?:there\s+)?in\s+{_POINTED}",
    rf"what\s+do(?:es)?\s+{_POINTED}\s+(?:cover|contain|describe|discuss|deal\s+with|talk\s+about|say|hold|include|treat)",
    rf"(?:what|which)\s+(?:topics?|subjects?|themes?|things)\s+(?:(?:do|does|are|is)\s+)?(?:covered\s+|treated\s+|discussed\s+)?"
    rf"(?:in\s+|by\s+)?{_POINTED}(?:\s+(?:cover|contain|describe|discuss|deal\s+with|treat|about))?",
    rf"{_ORDER}\s+{_POINTED}",
    rf"{_PLEASE}tell\s+me\s+(?:about|what\s+is\s+in)\s+{_POINTED}",
    rf"{_ORDER}\s+(?:all\s+)?{_NOUN}",
    rf"(?:what|which)\s+(?:kinds?\s+of\s+)?{_NOUN}\s+(?:are\s+(?:these|those|there|they|here)|do\s+(?:you|i|we)\s+have|have\s+(?:i|we)\s+uploaded)",
)
_NUMBER = (
    rf"how\s+many\s+{_NOUN}\s+(?:are\s+(?:there|these|here)|do\s+(?:you|i|we)\s+have|have\s+(?:i|we)\s+uploaded)(?:\s+in\s+{_SET})?",
    rf"how\s+many\s+{_NOUN}\s+(?:are|does)\s+(?:in\s+)?{_SET}(?:\s+(?:have|hold|contain))?",
)
_MENTIONS = (
    rf"(?:which|what|how\s+many)\s+(?:of\s+)?{_SET}\s+(?:{_TREAT})\s+(?P<words>.+)",
    rf"(?:in\s+)?(?:which|what)\s+(?:of\s+)?{_SET}\s+(?:is|are)\s+(?P<words>.+?)\s+(?:mentioned|discussed|described|named|treated)",
    rf"(?:does|do)\s+{_SET}\s+(?:{_TREAT})\s+(?P<words>.+)",
    rf"where\s+do(?:es)?\s+{_POINTED}\s+(?:{_TREAT})\s+(?P<words>.+)",
    rf"(?:is|are)\s+(?P<words>.+?)\s+(?:mentioned|discussed|described|named|treated)\s+(?:anywhere\s+)?in\s+{_SET}",
    rf"(?:find|list|show|name)\s+(?:me\s+)?(?:all\s+)?{_SET}\s+(?:that|which)\s+(?:{_TREAT})\s+(?P<words>.+)",
)
_FURTHER = (
    rf"(?:which|how\s+many)\s+(?:of\s+)?(?:{_THEM}|ones?)\s+(?:{_TREAT})\s+(?P<words>.+)",
    rf"(?:does|do)\s+(?:any|some|one)\s+of\s+(?:them|these|those)\s+(?:{_TREAT})\s+(?P<words>.+)",
    r"which\s+(?:ones\s+)?mentions?\s+(?P<words>.+)",
    r"where\s+(?:is|are)\s+(?P<words>.+?)\s+mentioned",
    r"what\s+(?:is|are)\s+(?:they|all\s+of\s+them|these|those)\s+(?:all\s+)?about",
    r"how\s+many\s+are\s+there",
)
"""Forms that ask of documents only where documents are what is searched."""
_CONNECTED = re.compile(r"^(?:(?:and|but|so|ok|okay|now)\b[\s,]*)+", re.IGNORECASE)
_BEFORE = re.compile(
    r"^(?:(?:the|an?|any|some|words?|terms?|phrases?|names?|something|anything|about)\s+)+", re.IGNORECASE
)
_PRONOUNS = {"it", "he", "she", "they", "them", "this", "that", "him", "her", "these", "those", "there", ""}


def document_question(question: str, *, has_documents: bool) -> DocumentQuestion | None:
    """Say what ``question`` asks about a set of documents; ``None`` where it asks for something in them.

    Args:
        has_documents: own documents are searched, so that "which of them" means those.

    >>> document_question("Which documents mention the “relief valve”?", has_documents=True).words
    'relief valve'
    >>> document_question("What are these documents about?", has_documents=False).kind.value
    'topics'
    >>> document_question("What is Hamlet about?", has_documents=True) is None
    True
    """
    asked = _CONNECTED.sub("", " ".join(question.split())).rstrip(" ?.!")
    for kind, patterns in ((About.TOPICS, _TOPICS), (About.NUMBER, _NUMBER)):
        if any(re.fullmatch(pattern, asked, re.IGNORECASE) for pattern in patterns):
            return DocumentQuestion(kind)
    for pattern in (*_MENTIONS, *(_FURTHER if has_documents else ())):
        if match := re.fullmatch(pattern, asked, re.IGNORECASE):
            words = _bare(match["words"]) if "words" in match.groupdict() else None
            if words is None:
                return DocumentQuestion(About.NUMBER if asked.lower().startswith("how many") else About.TOPICS)
            return None if words.lower() in _PRONOUNS else DocumentQuestion(About.MENTIONS, words)
    return None


def _bare(words: str) -> str:
    """``words`` without articles before them and quotation marks around them."""
    return _BEFORE.sub("", words.strip()).strip(" \"'“”‘’«»")
