"""Reply to small talk and other input that is not a question to a library, without a search or a model call."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from searchain.events import Event, ReplyDelta, RunFinished, SentenceBound, TaskChosen
from searchain.language import sentences
from searchain.language.small_talk import SmallTalk
from searchain.types import Outcome, Sentence, Status, Support, TaskKind, Usage


@dataclass(frozen=True, slots=True)
class Collection:
    """A description, for people, of what is searched."""

    name: str
    passages: int = 0
    """The number of passages; 0 if it is not known."""
    holds: str = "passages"
    """What the passages are, in the plural, such as "introductions of English Wikipedia articles"."""
    examples: tuple[str, ...] = ()
    """Example questions that it can answer."""


def no_search(talk: SmallTalk, collection: Collection, usage: Usage) -> Iterator[Event]:
    """Yield the events of the turn, from the task to ``RunFinished``."""
    yield TaskChosen(task=TaskKind.MULTIHOP, by="rule")
    said = [*_split(talk.reply), *_about(collection)]
    yield ReplyDelta(text=" ".join(said))
    start = 0
    for sentence in said:
        end = start + len(sentence)
        yield SentenceBound(sentence=Sentence(sentence, start, end, (), Support.NONE))
        start = end + 1
    yield RunFinished(
        status=Status.ANSWERED, outcome=Outcome.NO_SEARCH, final_answer="", invented_markers=0, usage=usage
    )


def _split(reply: str) -> list[str]:
    return [reply[start:end] for start, end in sentences.split(reply)]


def _about(collection: Collection) -> Iterator[str]:
    """Yield a sentence on what the collection holds, and one with example questions."""
    number = f"{collection.passages:,} " if collection.passages else ""
    yield f"I look things up in {number}{collection.holds}."
    if collection.examples:
        *others, last = (f"“{example}”" for example in collection.examples)
        yield f"You could ask me {', '.join(others)} or {last}" if others else f"You could ask me {last}"
