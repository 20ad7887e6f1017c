"""Reply from passages that the model has read: bind each sentence to its passages, and check it there.

A sentence is bound by the keys that the model wrote, or else by its content. What no passage carries is shown so, and
not discarded.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from searchain.chain.context import RunContext
from searchain.chain.dialogue import BudgetSpent
from searchain.chain.informed import InformedRounds
from searchain.chain.joined import JOINED, NOT_ALL
from searchain.chain.shown import Shown
from searchain.chain.tree import settle_new
from searchain.chain.written import Written
from searchain.errors import SearChainError
from searchain.events import Event, ModelFault, ReplyDelta, RunFinished, SentenceBound, TracingStarted
from searchain.language import text
from searchain.language.same_answer import agreement, label_of
from searchain.language.same_query import asks_all
from searchain.language.sentences import split
from searchain.reading.lookup import as_read
from searchain.reply import outcome
from searchain.reply.citations import Binder, deltas
from searchain.reply.conflicts import Value, conflict, joined
from searchain.reply.final_text import PlainProse
from searchain.reply.sentence_support import bind_sentences
from searchain.reply.template import differing
from searchain.reply.writer import Replier
from searchain.types import (
    SETTLED,
    Exchange,
    Node,
    Outcome,
    Passage,
    RivalAnswer,
    Sentence,
    Status,
    Step,
    Support,
    TaskKind,
)
from searchain.verification import held
from searchain.verification.held import BEYOND, missing
from searchain.verification.judge import judge

LEFT_OUT = 0.34
"""The share of the question's words that steps may leave out."""
UNCARRIED = "the answer does not stand in a passage that the reply cites"


def informed_reply(run: RunContext, replier: Replier, history: Sequence[Exchange] = ()) -> Iterator[Event]:
    """Yield the events from the first round to ``RunFinished``.

    If the model fails, the reply rests on the steps settled so far, or on what the question's own look-up found. Raises
    ``SearChainError`` if a service failed, and nothing was found before, and ``Cancelled`` if the run was stopped.
    """
    rounds, silence = InformedRounds(run, history), ""
    try:
        yield from rounds.events()
    except (SearChainError, BudgetSpent) as fault:
        silence = str(fault)
        is_known = any(node.verdict in SETTLED for node in run.tree) or _has_read(run)
        if not is_known and isinstance(fault, SearChainError):
            raise
    written = rounds.written
    if written.talk and not run.tree.path():
        yield from _talk(run, written.talk)
    elif silence or not (written.has_reply or written.finds_nothing):
        yield from _from_the_search(run, replier, silence or "the model wrote no reply that can be read")
    else:
        yield from _Reply(run, replier, written, list(rounds.shown)).events()


def _has_read(run: RunContext) -> bool:
    if run.direct is None or not run.direct.done() or run.direct.exception() is not None:
        return False
    reading = run.direct.result().reading
    return reading is not None and bool(reading.answer)


def _from_the_search(run: RunContext, replier: Replier, silence: str) -> Iterator[Event]:
    """Reply without the model, from the steps that were settled, else from the look-up of the question."""
    yield ModelFault(what=silence, action="replied from what the search found")
    if not any(node.verdict in SETTLED for node in run.tree.path()) and _has_read(run):
        assert run.direct is not None
        run.tree.leave()
        evidence, step = run.direct.result(), Step(run.question, None)
        judgement = judge(step, evidence, run.task, run.settings)
        if run.probability is not None:
            judgement = replace(judgement, probability=run.probability.of_step(step, evidence, judgement))
        yield from settle_new(run.tree, run.question, 1, evidence, judgement)
    path = run.tree.path()
    is_cut = bool(path) and not asks_all(path[-1].query, run.question)  # it may be the answer of a step on the way
    doubt = NOT_ALL if run.parts else ""
    yield from replier.reply(by_model=False, silence=silence, is_cut=is_cut, doubt=doubt)


def _talk(run: RunContext, said: str) -> Iterator[Event]:
    """Reply in the model's words to what needs no search."""
    yield ReplyDelta(text=said)
    for start, end in split(said):
        yield SentenceBound(sentence=Sentence(said[start:end], start, end, (), Support.OWN))
    yield RunFinished(
        status=Status.ANSWERED, outcome=Outcome.NO_SEARCH, final_answer="", invented_markers=0, usage=run.dialogue.total
    )


class _Reply:
    """The reply of one run: the model's text, bound and checked."""

    def __init__(self, run: RunContext, replier: Replier, written: Written, shown: Sequence[Shown]) -> None:
        self._run, self._replier, self._written, self._shown = run, replier, written, shown
        self._path = run.tree.path()
        self._carrying = replier.carrying
        self._values = self._differing()
        self._nodes = {one.key: self._node_of(one) for one in shown} | self._rivals()

    def events(self) -> Iterator[Event]:
        run, final = self._run, self._final()
        yield TracingStarted(path=tuple(node.id for node in self._path), writer="model")
        binder = Binder(self._nodes)
        for part in self._content(final):  # each is shown before the passage of the next one is looked for
            yield from deltas(binder.feed(part))
        yield from deltas(binder.finish())
        self._replier.invented += binder.invented
        sentences = bind_sentences(binder.text, binder.marks, self._carrying)
        for sentence in sentences:
            yield SentenceBound(sentence=sentence)
        if self._values:
            yield self._differs(binder)
            return
        doubt = outcome.doubt(self._path, final, run.question) or self._beyond()
        if final and not doubt and not self._is_carried(final, [one.passage for one in binder.sources]):
            doubt = UNCARRIED
        self._replier.doubt = doubt
        threshold = held.threshold(run.probability) if run.probability else None
        yield self._replier.ended(final, self._probability(final), sentences, threshold)

    def _differing(self) -> dict[str, Value]:
        """Return key → value for passages that contradict each other on the last step; empty if none do."""
        keys = {one.passage.id: one.key for one in self._shown}
        values = conflict(self._run, self._path[-1].query)
        are_shown = all(value.hit.passage.id in keys for value in values)
        return {keys[value.hit.passage.id]: value for value in values if are_shown}

    def _rivals(self) -> dict[str, Node]:
        """Return key → the last step as it would be with each of the values that do not agree."""
        return {key: value.node(self._path[-1]) for key, value in self._values.items()}

    def _differs(self, binder: Binder) -> RunFinished:
        """Return the end of a run whose sources do not agree; no answer is rated."""
        values = self._values.values()
        cited = {
            value: tuple(one.number for one in binder.sources if one.passage == value.hit.passage) for value in values
        }
        conflict = tuple(RivalAnswer(value.reading.answer, cited[value], value.date) for value in values)
        return outcome.differing(self._replier.ended(joined(values), None, (), None), conflict)

    def _node_of(self, one: Shown) -> Node:
        """Return the step that rests on a passage; else the step that found it, with that passage as its evidence."""
        for node in reversed(self._path):
            if node.passage is not None and node.passage.id == one.passage.id and node.verdict is not None:
                return node
        finder = next((node for node in self._path if node.query == one.query), self._path[-1])
        return replace(as_read(finder, one.hit, one.reading), probability=None)

    def _final(self) -> str:
        """Return the short answer, without what goes beyond the words of the passages."""
        written, last = self._written.answer, self._path[-1]
        if self._written.finds_nothing:
            return ""
        if written and self._run.parts:
            return written
        if not written:
            return last.answer or "" if self._run.task is not TaskKind.LONGFORM else self._written.content
        if self._replier.task in outcome.LABELLED:
            return outcome.final_answer_of(self._path, self._replier.task, written)
        is_same = bool(last.answer) and agreement(written, last.answer or "", last.passage or _NOWHERE)[0] == "agree"
        if is_same and missing(written, last.passage or _NOWHERE, last.query):
            return last.answer or ""
        return written

    def _content(self, final: str) -> Iterable[str]:
        """Return the sentences of the reply, with a key behind each that a passage carries."""
        prose = PlainProse()
        content = prose.feed(self._written.content) + prose.finish() or (f"{final}." if final else "")
        if not all(text.contains(value.reading.answer, content) for value in self._values.values()):
            content = f"{differing(self._rivals())} {content}"
        passages = {one.key: one.passage for one in self._shown}
        return self._carrying.keyed(content, passages) if content else ["I found no passage that answers this."]

    def _beyond(self) -> str:
        """Return which answer of a step says more than its passage, as a reason for doubt; ``""`` if none does."""
        for node in self._path:
            if node.rule == BEYOND and node.passage:
                return f"the passage {node.passage.title!r} does not say all of “{node.model_answer}”"
        return ""

    def _is_carried(self, final: str, cited: Iterable[Passage]) -> bool:
        """Return whether a cited passage holds the answer; a label follows from the steps."""
        passages = list(cited)
        answers = final.split(JOINED.strip()) if self._run.parts else [final]
        return all(label_of(one) or any(not missing(one, passage) for passage in passages) for one in answers)

    def _probability(self, final: str) -> float | None:
        """Return how likely the answer is right: as likely as the least likely step that leads to it.

        Where the steps leave much of the question out, they may end on the way: then the measured chains decide too.
        Answers to several things were never measured.
        """
        run, last = self._run, self._path[-1]
        if not final or not last.answer or run.parts:
            return None
        is_last = agreement(final, last.answer, last.passage or _NOWHERE)[0] == "agree"
        known = [node.probability for node in self._path if node.probability is not None]
        if len(known) < len(self._path) or not (is_last or label_of(final)):
            return None
        asked = text.content_words(run.question)
        taken = text.content_words(" ".join(f"{node.query} {node.answer or ''}" for node in self._path))
        leaves_out = len(asked - taken) > LEFT_OUT * len(asked)
        if run.probability is not None and leaves_out and not label_of(final):
            known.append(run.probability.of_reply(run.question, self._path, final, run.weighed) or 0.0)
        return min(known)


_NOWHERE = Passage("", "", "")
