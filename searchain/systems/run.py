"""One run of a compared system: what its course may do, each told as events.

A course is a generator ``def self_ask(run: Run) -> Iterator[Event]``. It knows its own prompts and their order; all
that it knows of events, tree, dialogue and budget are the methods of ``Run``.
"""

from __future__ import annotations

import queue
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from typing import Any, Literal

from searchain.cancel import CancelToken
from searchain.chain import prompts
from searchain.chain.dialogue import BudgetSpent, Dialogue, Ended, Generation
from searchain.chain.settling import settle
from searchain.chain.tree import Tree
from searchain.errors import CannotSample
from searchain.events import (
    ChainDelta,
    Event,
    ModelFault,
    NodeParsed,
    ReplyDelta,
    RoundStarted,
    RunFinished,
    Sample,
    SamplesWeighed,
    Searched,
    SentenceBound,
    TracingStarted,
)
from searchain.language import text
from searchain.language.questions import wants_label
from searchain.language.same_query import same_query
from searchain.language.sentences import split
from searchain.llm.base import GREEDY, Form, Sampling
from searchain.llm.embedded import EmbeddedModel
from searchain.pipeline import SearChain
from searchain.reading.lookup import Lookups
from searchain.reply.citations import Binder, keys_of
from searchain.reply.outcome import outcome_of
from searchain.reply.sentence_support import bind_sentences
from searchain.reply.template import quote_of
from searchain.reply.writer import WANTED
from searchain.systems import answers
from searchain.systems.demonstrations import Demonstration, demonstrations, how_many
from searchain.types import Evidence, Hit, Judgement, Message, Node, Passage, Step, TaskKind, Usage, Verdict
from searchain.verification.judge import judge, with_stance, with_witness

TEMPERATURE = 0.7
"""Of every sample (Wang et al. 2023, Yao et al. 2023, Khattab et al. 2023)."""
PASSAGE_SENTENCES = 5
"""How much of a passage a model that reads for itself gets (Yao et al. 2023: the first five sentences)."""
NOT_MEASURED = "how often this method is right was never measured"

Turns = Callable[[Demonstration], Sequence[str]]
"""A demonstration in a system's form: what the user and the model say in turn after the question, the model first."""


@dataclass(frozen=True, slots=True)
class Words:
    """How a run is asked: the first words of its dialogue, ready for a model."""

    messages: tuple[Message, ...]

    def then(self, *said: str) -> tuple[Message, ...]:
        """These messages, and then what the model and the user said in turn, the model first."""
        roles = ("assistant", "user")
        return (*self.messages, *(Message(roles[place % 2], one) for place, one in enumerate(said)))


class Run:
    """One question to one system. ``question`` is standalone, ``task`` its kind."""

    def __init__(
        self,
        parts: SearChain,
        question: str,
        task: TaskKind,
        *,
        dialogue: Dialogue,
        cancel: CancelToken,
        pool: ThreadPoolExecutor,
        options: Mapping[str, int] | None = None,
        questions: Sequence[str] = (),
    ) -> None:
        """``questions`` are others of the same data set, for a system that makes its demonstrations from them."""
        self.parts, self.settings, self.cancel, self.dialogue = parts, parts.settings, cancel, dialogue
        self.question, self.task, self.questions = question, task, questions
        is_yes_no = task is TaskKind.MULTIHOP and text.is_yes_no_question_form(question)
        self.kind = TaskKind.YESNO if is_yes_no else task
        """What the answer must be like, whatever the task is called."""
        self._options = {**(options or {}), **self.settings.options}
        self.tree, self.round, self.text = Tree(), 1, ""
        self.hits: dict[str, Sequence[Hit]] = {}
        """What was found for the steps of ``found_by``."""
        self._has_searched = False
        self._pool = pool
        self._lookups = self._looking_up()
        is_embedded = isinstance(parts.model, EmbeddedModel)
        self._width = parts.model.at_once
        self.reading = self.settings.reading or ("reader" if is_embedded else "passage")

    def option(self, name: str) -> int:
        """The number that the system or the settings give to ``name``."""
        return self._options[name]

    # what the model is asked

    def demonstrations(self) -> tuple[Demonstration, ...]:
        """As many solved questions as the paper shows the system."""
        return demonstrations(self.kind, self._options.get("examples") or how_many(self.settings.system, self.kind))

    def prompt(
        self,
        name: str,
        turns: Turns,
        *,
        shown: Sequence[Demonstration] | None = None,
        asked: str = "",
        ask: Callable[[Demonstration], str] = lambda one: f"Question: {one.question}",
    ) -> Words:
        """The words that begin a dialogue: the prompt ``systems/NAME``, the demonstrations in the form of ``ask`` and
        ``turns``, and the question, or ``asked``."""
        said = [Message("system", prompts.render(f"systems/{name}", wanted=WANTED[self.kind]))]
        for one in self.demonstrations() if shown is None else shown:
            said += Words((Message("user", ask(one)),)).then(*turns(one))
        return Words((*said, Message("user", asked or f"Question: {self.question}")))

    def begin(self, words: Words) -> None:
        """Say ``words`` first; what is said and written later follows them."""
        for message in words.messages:
            self.dialogue.say(message.role, message.content)

    def say(self, said: str, role: str = "user") -> None:
        """Append a message to the dialogue, by default as the user."""
        self.dialogue.say(role, said)

    def write(
        self,
        stop: Sequence[str] = (),
        *,
        max_tokens: int = 256,
        alone: Sequence[Message] | None = None,
        form: Form | None = None,
    ) -> Generator[Event, None, str]:
        """The model's next words, up to a text of ``stop``, which is left out; ``alone``: to these messages.

        What is written to the dialogue is appended to it.

        Raises:
            ModelError, BudgetSpent, Cancelled.
        """
        inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
        generation = self.dialogue.generate(form, max_tokens=max_tokens, inbox=inbox, alone=alone)
        written, shown = "", 0
        held = max(map(len, stop), default=1) - 1
        try:
            with self.cancel.on_set(lambda: inbox.put(None)):
                while not isinstance(item := self.dialogue.take(inbox), Ended):
                    written += item
                    found = [at for one in stop if (at := written.find(one)) >= 0]
                    if found:
                        written = written[: min(found)]
                        break
                    if (upto := len(written) - held) > shown:
                        yield ChainDelta(round=self.round, text=written[shown:upto])
                        shown = upto
                else:
                    if item.error is not None:
                        raise item.error
        finally:
            self.dialogue.book(generation.close())
        yield ChainDelta(round=self.round, text=written[shown:] + "\n")
        self.text = written.strip()
        if alone is None:
            self.dialogue.say("assistant", self.text)
        return self.text

    def replies(
        self,
        asked: Sequence[Sequence[Message]],
        *,
        temperature: float = 0.0,
        max_tokens: int = 256,
        form: Form | None = None,
    ) -> Generator[Event, None, list[str]]:
        """One reply to each of ``asked``, several at a time; with a ``temperature`` reply i is drawn with the seed i.

        Where the model's server cannot draw samples there is one reply, the likeliest.

        Raises:
            ModelError, BudgetSpent, Cancelled.
        """
        try:
            return self._replies(asked, temperature, max_tokens, form)
        except CannotSample as fault:
            yield ModelFault(what=str(fault), action="took its one likeliest reply, without a vote")
            return self._replies(asked[:1], 0.0, max_tokens, form)

    def sample(
        self, n: int, messages: Sequence[Message], *, max_tokens: int = 256
    ) -> Generator[Event, None, list[str]]:
        """``n`` replies to the same messages, drawn at the temperature 0.7 with the seeds 0 to n − 1."""
        return (yield from self.replies([messages] * n, temperature=TEMPERATURE, max_tokens=max_tokens))

    def weigh(
        self,
        kind: Literal["answers", "recitations", "thoughts", "queries"],
        texts: Sequence[str],
        said: Sequence[str],
        votes: Sequence[int],
        chosen: int | None,
    ) -> Iterator[Event]:
        """Tell which texts were drawn, what each says and how many votes it has."""
        samples = tuple(Sample(*one) for one in zip(texts, said, votes, strict=True))
        yield SamplesWeighed(round=self.round, kind=kind, samples=samples, chosen=chosen)

    def vote(self, texts: Sequence[str], said: Sequence[str]) -> Generator[Event, None, int]:
        """The place of the sample whose answer most samples give; ties go to the first."""
        votes, chosen = answers.vote(said, self.kind)
        yield from self.weigh("answers", texts, said, votes, chosen)
        return chosen

    # steps and searches

    def step(self, query: str, answer: str) -> Generator[Event, None, Node]:
        """A step that the model solved alone."""
        return (yield from self._parsed(query, answer or None))

    def look_up(self, query: str, answer: str | None = None) -> Generator[Event, None, Node]:
        """Search and read for a step; ``answer`` is the model's own, which the passages confirm or leave open."""
        return (yield from self.look_up_all([query], answer))[0]

    def look_up_all(self, queries: Sequence[str], answer: str | None = None) -> Generator[Event, None, list[Node]]:
        """Search and read for several steps at once: one round.

        Raises:
            RetrievalError, ReaderError, BudgetSpent, Cancelled.
        """
        assert self._lookups is not None  # the system's settings ask for retrieval
        if queries:
            yield from self._searching()
        futures = [self._lookups.start(query) for query in queries]
        nodes = []
        for query, future in zip(queries, futures, strict=True):
            node = yield from self._parsed(query, answer)
            evidence = self._wait(future)
            self._book(evidence.retrieval_seconds, evidence.reader_seconds)
            nodes.append((yield from settle(self.tree, node, *self._judged(Step(query, answer), evidence))))
        return nodes

    def found(self, node: Node) -> Evidence:
        """What the search of a step found."""
        assert self._lookups is not None
        return self._lookups.start(node.query).result()

    def was_asked(self, query: str) -> bool:
        """Whether a step asked the same."""
        return any(same_query(node.query, query, self.parts.similarity) for node in self.tree)

    def told(self, node: Node) -> str:
        """What a lookup tells the model: what the Reader read, or the passage, as ``reading`` wants it."""
        if self.reading == "reader":
            return node.answer or "unknown"
        return self.quoted(node)

    def quoted(self, node: Node) -> str:
        """The passage of a step with its title: for the Reader's reading the sentence that was read, else its first
        sentences."""
        if node.passage is None:
            return "nothing was found"
        if self.reading == "reader" and (quote := quote_of(node)):
            return f"{node.passage.title}: {quote}"
        return excerpt(node.passage)

    def search(self, query: str, k: int) -> list[Hit]:
        """The ``k`` best passages, without a step and without an event.

        Raises:
            RetrievalError: the search failed.
        """
        assert self.parts.retriever is not None
        return self.parts.retriever.search(query, k)

    def found_by(self, query: str, hits: Sequence[Hit], seconds: float) -> Generator[Event, None, Node]:
        """A step without an answer, for which ``hits`` were found already."""
        yield from self._searching()
        node = yield from self._parsed(query, None)
        self._book(seconds, 0.0)
        self.hits[node.id] = hits
        yield Searched(node=node.id, query=query, hits=tuple(hits), seconds=seconds)
        return node

    def settled(self, node: Node, evidence: Evidence, judgement: Judgement) -> Iterator[Event]:
        """Give a step that was searched for its evidence and its verdict."""
        self._book(0.0, evidence.reader_seconds)
        yield from settle(self.tree, node, evidence, judgement)

    def prepare(self, asked: Sequence[Message], *, max_tokens: int) -> str:
        """The model's likeliest reply, beside this run: it serves all questions, and counts for the cost of none.

        Raises:
            ModelError, Cancelled.
        """
        pieces = self.parts.model.stream(asked, max_tokens=max_tokens, cancel=self.cancel)
        return "".join(one for one in pieces if isinstance(one, str)).strip()

    # the end

    def answer_in(self, written: str) -> str:
        """The short answer in ``written``, of the kind that the question asks for; ``""`` without one."""
        return answers.short(answers.after_marker(written), self.kind)

    def finish(self, final: str, said: str) -> Iterator[Event]:
        """End with ``said`` as the reply, which states ``final``, and with the sources of the steps whose answers it
        says."""
        final = answers.short(final, self.kind)
        path = self.tree.path()
        keys = keys_of(path)
        yield TracingStarted(path=tuple(node.id for node in path), writer="model")
        binder = Binder(keys)
        for piece in (binder.feed(cited(answers.closed(said, final), keys)), binder.finish()):
            if piece.text:
                yield ReplyDelta(text=piece.text, sources=piece.sources)
        sentences = bind_sentences(binder.text, binder.marks, self.settings, None, self._is_carried)
        for sentence in sentences:
            yield SentenceBound(sentence=sentence)
        status, outcome = outcome_of(final)
        usage, message = self.dialogue.total, NOT_MEASURED if final else "no answer was found"
        if not self.settings.use_ir and final:
            message = "nothing was searched"
        yield RunFinished(
            status=status,
            outcome=outcome,
            final_answer=final,
            invented_markers=binder.invented,
            usage=usage,
            message=message,
        )

    def _is_carried(self, sentence: str, passages: Sequence[Passage]) -> bool:
        self.cancel.check()
        check = self.parts.support if self.settings.method.checks_sentences else None
        return check is None or check.judge(sentence, passages).label != "not_supported"

    def _replies(
        self, asked: Sequence[Sequence[Message]], temperature: float, max_tokens: int, form: Form | None
    ) -> list[str]:
        """The replies, read in order; as many are generated at a time as the model can take."""
        running: list[tuple[Generation, queue.SimpleQueue[Any]]] = []
        texts: list[str] = []
        try:
            for number, messages in enumerate(asked):
                sampling = Sampling(temperature, number) if temperature else GREEDY
                inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
                spent = self.dialogue.usage.llm_calls + len(running)
                if running and spent >= self.settings.max_llm_calls:
                    texts.append(self._read_to_end(*running.pop(0)))
                generation = self.dialogue.generate(
                    form, max_tokens=max_tokens, inbox=inbox, alone=messages, sampling=sampling
                )
                running.append((generation, inbox))
                if len(running) == self._width:
                    texts.append(self._read_to_end(*running.pop(0)))
            while running:
                texts.append(self._read_to_end(*running.pop(0)))
        finally:
            for generation, _ in running:
                self.dialogue.book(generation.close())
        return texts

    def _read_to_end(self, generation: Generation, inbox: queue.SimpleQueue[Any]) -> str:
        written = ""
        try:
            with self.cancel.on_set(lambda: inbox.put(None)):
                while not isinstance(item := self.dialogue.take(inbox), Ended):
                    written += item
        finally:
            self.dialogue.book(generation.close())
        if item.error is not None:
            raise item.error
        return written.strip()

    def _parsed(self, query: str, answer: str | None) -> Generator[Event, None, Node]:
        node = self.tree.add(Step(query, answer), self.round)
        yield NodeParsed(node=node.id, parent=node.parent, round=self.round, query=query, answer=answer)
        return node

    def _searching(self) -> Iterator[Event]:
        """A round begins with each batch of searches; the first one stands in the first round."""
        if self._has_searched:
            self.round += 1
            yield RoundStarted(round=self.round)
        self._has_searched = True

    def _judged(self, step: Step, evidence: Evidence) -> tuple[Evidence, Judgement]:
        """The evidence that decides, and the verdict: without feedback, which only SearChain gives."""
        if wants_label(step, self.task) and self.settings.method.judges_labels:
            evidence = with_stance(step, evidence, self.settings)
        else:
            evidence = with_witness(step, evidence, self.task, self.settings)
        judgement = replace(judge(step, evidence, self.task, self.settings), feedback=None)
        if step.is_solved:
            if judgement.verdict is Verdict.AGREED:
                return evidence, judgement
            return evidence, Judgement(Verdict.UNCONFIRMED, judgement.rule, step.answer)
        read = evidence.reading.answer if evidence.reading else ""
        return evidence, judgement if judgement.answer else replace(judgement, answer=read or None)

    def _wait(self, future: Future[Evidence]) -> Evidence:
        while not future.done():
            self.cancel.check()
            if self.dialogue.seconds >= self.settings.max_seconds:
                raise BudgetSpent
            wait([future], timeout=0.05)
        return future.result()

    def _book(self, retrieval: float, reader: float) -> None:
        self.dialogue.book(Usage(retrieval_seconds=retrieval, reader_seconds=reader))

    def _looking_up(self) -> Lookups | None:
        parts = self.parts
        if not self.settings.use_ir or parts.retriever is None or parts.reader is None:
            return None
        rating = parts.probability if self.settings.method.rates else None
        return Lookups(
            parts.retriever,
            parts.reader,
            self._pool,
            k=self.settings.passages,
            task=self.task,
            stance=parts.stance,
            rate=rating.of_readings if rating else None,
        )


def excerpt(passage: Passage, sentences: int = PASSAGE_SENTENCES) -> str:
    """Title and first sentences of a passage."""
    limits = split(passage.text)[:sentences]
    body = passage.text[: limits[-1][1]] if limits else passage.text
    return f"{passage.title}: {' '.join(body.split())}"


def cited(said: str, keys: Mapping[str, Node]) -> str:
    """``said`` with the key of each step behind the first sentence that says the step's answer."""
    limits = split(said)
    marks: dict[int, str] = {}
    for key, node in keys.items():
        for place, (start, end) in enumerate(limits):
            if node.answer and text.contains(node.answer, said[start:end]):
                marks[place] = marks.get(place, "") + f"[{key}]"
                break
    for place in sorted(marks, reverse=True):
        start, end = limits[place]
        ending = end - 1 if said[end - 1] in ".!?" else end
        said = f"{said[:ending].rstrip()} {marks[place]}{said[ending:]}"
    return said
