"""Write an explanation anew: a larger model writes it from the same passages, and what they carry is kept."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from searchain.chain.context import RunContext
from searchain.events import Event, RunFinished, SentenceBound, TracingStarted
from searchain.language.sentences import split
from searchain.reply import outcome
from searchain.reply.citations import Binder, deltas, keys_of
from searchain.reply.second_reader import Excerpt, SecondReader
from searchain.reply.sentence_support import bind_sentences
from searchain.reply.template import plain, quoted
from searchain.reply.writer import Replier
from searchain.types import Node, Passage
from searchain.verification.judge import best_window

PASSAGES, EXCERPT = 4, 900
"""Most passages that the model gets, and most characters of each."""
LEAST_KEPT = 0.6
"""Least share of the written sentences that must be carried; else the quotations stay."""
SHORT, QUOTED = 2, 2
"""A text of fewer sentences is followed by so many quotations at most, from the passages that carry it."""
MOST_WORDS = 70
"""A longer sentence is a list or runs on, and is left out."""


class Rewriting:
    """The rewriting of one explanation. ``first`` is the end of the run with the quotations."""

    def __init__(self, reader: SecondReader, run: RunContext, replier: Replier, first: RunFinished) -> None:
        self._reader, self._run, self._replier, self._first = reader, run, replier, first
        self._nodes = self._sources()
        self._carrying = replier.carrying

    def events(self) -> Iterator[Event]:
        """Yield the events of the new reply and ``RunFinished``; only the latter if the quotations stay.

        Raises ``ModelError`` or ``SetupError`` if the model failed, and ``Cancelled`` if the run was stopped.
        """
        excerpts = [Excerpt(one.title, one.text[:EXCERPT]) for one in (node.passage for node in self._nodes) if one]
        written = self._reader.write(self._run.question, excerpts, self._run.cancel, self._run.dialogue.book)
        kept = self._kept(written)
        ended = replace(self._first, usage=self._run.dialogue.total)
        if not kept:
            yield ended
            return
        keys = keys_of(node for node, _ in kept)
        binder, content = Binder(keys), quoted([node for node, _ in kept], keys)
        yield TracingStarted(path=tuple(node.id for node in self._run.tree.path()), writer="model")
        yield from deltas(binder.feed(content), binder.finish())
        sentences = bind_sentences(binder.text, binder.marks, self._carrying)
        for sentence in sentences:
            yield SentenceBound(sentence=sentence)
        status, ending = outcome.outcome_of(kept[0][1], sentences=sentences)
        message = f"written by {self._reader.name} from these passages; each sentence was checked"
        yield replace(ended, status=status, outcome=ending, final_answer=kept[0][1], message=message)

    def _sources(self) -> list[Node]:
        """Return a node for each passage that the quotations come from."""
        nodes = self._replier.explanation() or self._run.tree.path()
        by_passage = {node.passage: node for node in nodes if node.passage is not None}
        return list(by_passage.values())[:PASSAGES]

    def _kept(self, written: str) -> list[tuple[Node, str]]:
        """Return the sentences that a passage carries, each with a node for its place; empty if too few are."""
        passages = {str(place): node.passage for place, node in enumerate(self._nodes) if node.passage}
        sentences = [" ".join(written[start:end].split()) for start, end in split(written)]
        kept = [
            (self._at(self._nodes[int(key)], said), said)
            for said in dict.fromkeys(sentences)
            if len(said.split()) <= MOST_WORDS
            and said.endswith((".", "!", "?"))
            and (key := self._carrying.carrier(said, passages))
        ]
        if not kept or len(kept) < LEAST_KEPT * len(sentences):
            return []
        return kept if len(kept) >= SHORT else [*kept, *self._quotations([node for node, _ in kept])]

    def _quotations(self, carrying: Sequence[Node]) -> list[tuple[Node, str]]:
        """Return sentences of the passages that carry the text, other than those that it rests on."""
        passages = [node.passage for node in carrying]
        quotes = [(node, plain(node.answer or "")) for node in self._replier.explanation() if node.passage in passages]
        spans = [node.span for node in carrying]
        return [(node, said) for node, said in quotes if node.span not in spans and said.endswith(".")][:QUOTED]

    @staticmethod
    def _at(node: Node, said: str) -> Node:
        """Return ``node`` with the sentences of its passage that come nearest to what is said."""
        passage = node.passage or Passage("", "", "")
        span, _ = best_window(said, passage.text, sentences=2)
        return replace(node, span=span, answer=said)
