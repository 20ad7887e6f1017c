"""Read what a model writes after it has seen passages: steps, a reply with keys, or a reply without a search."""

import re
from dataclasses import dataclass

from searchain.chain.forms import strict
from searchain.chain.parser import parse_chain, resolve_references
from searchain.language.text import contains
from searchain.types import Step

KEYS = re.compile(r"(?i)(?<!\s)\s*[\[［【(]\s*(?:keys?[\s:]*)?(k\d{2,5}(?:\s*[,;、]\s*k\d{2,5})*)\s*[\]］】)]")
_OPEN, _CLOSE = r"^[*_# \t]*(?:[\[［【][ \t]*)?", r"[*_ \t]*(?:[\]］】][*_ \t]*)?"
_REPLY = re.compile(rf"(?im){_OPEN}(?:final[ _-]?answer|answer|final[ _-]?content){_CLOSE}[:：]")
_ANSWER = re.compile(rf"(?im){_OPEN}(?:final[ _-]?)?answer{_CLOSE}[:：][*_ \t]*(?P<answer>.*)$")
_CONTENT = re.compile(rf"(?im){_OPEN}final[ _-]?content{_CLOSE}[:：]?[*_]*")
_TALK = re.compile(r"^\W*[\[［【]\s*reply\s*[\]］】]\s*[:：]?", re.IGNORECASE)
_NOTHING = re.compile(r"\W*(?:not found|none|no answer|unknown|n/?a)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class WrittenStep:
    """A step with the keys that its answer cites."""

    step: Step
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Written:
    """One text of the model, taken apart."""

    steps: tuple[WrittenStep, ...] = ()
    answer: str = ""
    """The short answer; ``""`` if there is none, or if it says that none was found."""
    content: str = ""
    """The reply with its keys."""
    talk: str = ""
    """A reply to what needs no search."""
    finds_nothing: bool = False
    """Whether the model says that no passage answers."""

    @property
    def has_reply(self) -> bool:
        return bool(self.answer or self.content)


def read(text: str) -> Written:
    """Take a complete text apart. A text without any label is a reply.

    >>> read("[Answer]: Paris\\n[Final Content]: The Louvre stands in Paris [k448].").answer
    'Paris'
    >>> read("[Reply]: Hello!").talk
    'Hello!'
    """
    if not (talk := _TALK.match(text)):
        text = strict(text)
        talk = _TALK.match(text)
    if talk:
        return Written(talk=text[talk.end() :].strip())
    begin = _REPLY.search(text)
    chain, reply = (text[: begin.start()], text[begin.start() :]) if begin else (text, "")
    steps = _steps(chain)
    if not steps:  # what stands before the label is the reply itself, or chatter
        reply = text
    answer, content = _reply(reply)
    finds_nothing = bool(_NOTHING.match(answer))
    return Written(tuple(steps), "" if finds_nothing else answer, content, finds_nothing=finds_nothing)


def without_keys(text: str) -> tuple[str, tuple[str, ...]]:
    """Return ``text`` without its keys, and the keys, each once.

    >>> without_keys("Paris [k448, k12]")
    ('Paris', ('k448', 'k12'))
    """
    keys = [key.lower() for match in KEYS.finditer(text) for key in re.findall(r"k\d{2,5}", match[1], re.IGNORECASE)]
    return KEYS.sub("", text).strip(), tuple(dict.fromkeys(keys))


def _steps(chain: str) -> list[WrittenStep]:
    steps: list[WrittenStep] = []
    for step in parse_chain(chain):
        answer, keys = without_keys(step.answer or "")
        query = resolve_references(without_keys(step.query)[0], [one.step.answer for one in steps])
        steps.append(WrittenStep(Step(query, answer.rstrip(".") or None), keys))
    return steps


def _reply(text: str) -> tuple[str, str]:
    """Return the short answer and the content of a reply; either may stand first."""
    label = _ANSWER.search(text)
    answer = without_keys(label["answer"])[0].strip(" *_.") if label else ""
    rest = text[: label.start()] + text[label.end() :] if label else text
    before, *contents = _CONTENT.split(rest)
    said = before + "".join(contents[:1])
    for again in contents[1:]:  # a small model may write it twice
        said += "" if contains(without_keys(again)[0], without_keys(said)[0]) else again
    return answer, said.strip(" \n*_")
