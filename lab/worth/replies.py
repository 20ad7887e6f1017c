"""What a system answered, in one form for all of them; and how the reply of a plain system is read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from searchain.language.sentences import split
from searchain.types import Passage, Usage

MOST_WORDS = 12
"""A reply without a last line is its own short answer if it has at most so many words."""
_MARK = re.compile(
    r"(?<!\s)\s*\[\s*(?:passages?\s*|p)?(\d+(?:\s*(?:,|;|and)\s*(?:passages?\s*|p)?\d+)*)\s*\]", re.IGNORECASE
)
_ANSWER = re.compile(r"(?<![*_#>\s])[*_#>\s]*\b(?:short |final )?answer\b[*_]*\s*:[*_]*", re.IGNORECASE)
_ECHO = re.compile(r"^(?:and )?the short answer\b[\s.:]*(?:is\b)?[\s:]*", re.IGNORECASE)
"""Words that small models copy from the instruction."""
_REFUSAL = re.compile(
    r"""
    \b(?:do|does|did)(?:\ not|n['’]t)\ (?:\w+\ ){0,2}?(?:say|state|mention|answer|contain|provide|specify|give|include
        |know|have|indicate|tell|address|name|list)
    | \b(?:not|never)\ (?:\w+\ ){0,2}?(?:mentioned|stated|provided|specified|given|found|available|answered|known|listed
        |named|included|clear|enough|sufficient|possible|applicable|answerable|able)
    | \bno\ (?:\w+\ )?(?:answer|information|mention|details?|passages?|data)\b
    | \b(?:cannot|can['’]t|could\ not|couldn['’]t|unable\ to)\ (?:be\ )?(?:\w+\ )?(?:answer|determine|find|say|identif
        |know|provide)
    | ^\W*(?:none|unknown|n/?a|nothing|not\ found|unanswerable|no\ one\ knows)\W*$
    """,
    re.IGNORECASE | re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Said:
    """One sentence without its marks, and the numbers of the passages that it cites."""

    text: str
    cited: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a system answered and what that cost."""

    text: str
    """As it was written, with its marks."""
    final: str
    """The short answer."""
    sentences: tuple[Said, ...]
    numbered: dict[int, Passage]
    """The passages that a mark can cite."""
    found: tuple[Passage, ...] = ()
    """All passages that the system's searches found, as far as the model or a Reader was shown them."""
    is_refusal: bool
    usage: Usage
    writers: tuple[str, ...] = ()
    """Who began to write the reply, in order: ``model``, and ``template`` where what it wrote was discarded."""
    failure: str = ""
    """Why there is no reply."""


def read(text: str) -> tuple[str, tuple[Said, ...]]:
    """Return the short answer and the sentences of what a plain system wrote.

    The short answer stands behind the last ``Answer:``; the sentences are what stands before it. A reply that is the
    answer alone is one sentence.

    >>> read("Kyoto is on Honshu [2].\\nAnswer: Honshu")
    ('Honshu', (Said(text='Kyoto is on Honshu.', cited=(2,)),))
    """
    labels = list(_ANSWER.finditer(text))
    if labels:
        body, final = text[: labels[0].start()], text[labels[-1].end() :]
    else:
        body, final = text, text if len(_MARK.sub("", text).split()) <= MOST_WORDS else ""
    answer = _bare(final)
    sentences = _sentences(body)
    if not sentences and answer:
        sentences = (Said(answer, _cited(text)),)
    return answer, sentences


def refuses(answer: str, sentences: Sequence[Said]) -> bool:
    """Tell whether a plain system says that it has no answer: in its short answer, or without one in its sentences.

    >>> refuses("The passages do not say it", ()), refuses("No", ()), refuses("1832", ())
    (True, False, False)
    """
    said = answer or " ".join(sentence.text for sentence in sentences)
    return not said or bool(_REFUSAL.search(said))


def without_marks(text: str) -> str:
    return _MARK.sub("", text)


def _bare(final: str) -> str:
    line = next((line for line in final.splitlines() if _MARK.sub("", line).strip(" *_")), "")
    said = _MARK.sub("", line).strip().strip('*_"“”` ')
    return _ECHO.sub("", said).removesuffix(".").strip()


def _cited(text: str) -> tuple[int, ...]:
    found = (int(number) for mark in _MARK.finditer(text) for number in re.findall(r"\d+", mark[1]))
    return tuple(dict.fromkeys(found))


def _sentences(body: str) -> tuple[Said, ...]:
    """Return the sentences; a mark belongs to the sentence before it, and at the beginning to the first one."""
    bare, at = "", 0
    marks: list[tuple[int, tuple[int, ...]]] = []
    for mark in _MARK.finditer(body):
        bare += body[at : mark.start()]
        marks.append((len(bare), _cited(mark[0])))
        at = mark.end()
    bare += body[at:]
    limits = [(start, end) for start, end in split(bare) if re.search(r"\w", bare[start:end])]
    cited: list[list[int]] = [[] for _ in limits]
    for place, numbers in marks if limits else ():
        owner = max((number for number, (start, _) in enumerate(limits) if start < place), default=0)
        cited[owner] += numbers
    return tuple(
        Said(" ".join(bare[start:end].split()), tuple(dict.fromkeys(of_sentence)))
        for (start, end), of_sentence in zip(limits, cited, strict=True)
    )
