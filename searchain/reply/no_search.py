"""Reply to small talk and other input that is not a question to a library, without a search or a model call."""

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from searchain.events import Event, ReplyDelta, RunFinished, SentenceBound, TaskChosen
from searchain.language import sentences
from searchain.question.talk import Talk, plain
from searchain.types import Exchange, Outcome, Sentence, Status, Support, TaskKind, Usage


@dataclass(frozen=True, slots=True)
class Collection:
    """A description of the searched passages that is shown to people."""

    name: str
    passages: int = 0
    """The number of passages; 0 if it is not known."""
    holds: str = "passages"
    """What the passages are, in the plural, such as "introductions of English Wikipedia articles"."""
    examples: tuple[str, ...] = ()
    """Example questions that the passages answer; a reply offers ``OFFERED`` of them."""
    languages: frozenset[str] = frozenset({"English"})
    """The English names of the languages of the passages."""

    def offers(self, said: str, history: Sequence[Exchange]) -> list[str]:
        """Return example questions that were not asked in the conversation; those not yet offered go first.

        The choice depends only on the conversation so far, so that a repeated run offers the same ones.
        """
        asked = {plain(exchange.question) for exchange in history}
        examples = [example for example in self.examples if plain(example) not in asked]
        if not examples:
            return []
        start = zlib.crc32("\n".join([*(exchange.question for exchange in history), said]).encode()) % len(examples)
        shown = "\n".join(exchange.answer for exchange in history)
        return sorted([*examples[start:], *examples[:start]], key=lambda example: example in shown)[:OFFERED]


OFFER = "You could ask me"
"""How the sentence with example questions begins."""
OFFERED = 3
"""Most example questions in a reply."""


def no_search(
    talk: Talk, collection: Collection, usage: Usage, said: str = "", history: Sequence[Exchange] = ()
) -> Iterator[Event]:
    """Yield the events of the turn, from the task to ``RunFinished``.

    Args:
        said: the user's text; together with ``history`` it determines which questions are offered.
        history: the conversation so far.
    """
    yield TaskChosen(task=TaskKind.MULTIHOP, by="rule")
    parts = [talk.reply[start:end] for start, end in sentences.split(talk.reply)]
    if not talk.is_about_program:
        parts += _about(collection, collection.offers(said, history))
    yield ReplyDelta(text=" ".join(parts))
    start = 0
    for sentence in parts:
        end = start + len(sentence)
        yield SentenceBound(sentence=Sentence(sentence, start, end, (), Support.OWN))
        start = end + 1
    yield RunFinished(
        status=Status.ANSWERED, outcome=Outcome.NO_SEARCH, final_answer="", invented_markers=0, usage=usage
    )


def _about(collection: Collection, offers: Sequence[str]) -> Iterator[str]:
    """Yield a sentence on what the collection holds, and one with example questions."""
    number = f"{collection.passages:,} " if collection.passages else ""
    yield f"I look things up in {number}{collection.holds}."
    if offers:
        *others, last = (f"“{example}”" for example in offers)
        yield f"{OFFER} {', '.join(others)} or {last}" if others else f"{OFFER} {last}"
