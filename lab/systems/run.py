"""One run of a compared system: what its course may do, each as events.

A course is a generator ``def self_ask(run: Run) -> Iterator[Event]``. It knows its own prompts and their order; all
that it knows of events, tree, dialogue and budget are the methods of ``Run``, with those of ``Writing`` and ``Steps``.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from lab.systems import answers
from lab.systems.demonstrations import PROMPTS, Demonstration, demonstrations, how_many
from lab.systems.steps import Steps
from searchain.cancel import CancelToken
from searchain.chain.dialogue import Dialogue
from searchain.events import Event, ReplyDelta, RunFinished, SentenceBound, TracingStarted
from searchain.language import text
from searchain.language.sentences import split
from searchain.pipeline import SearChain
from searchain.reply.citations import Binder, keys_of
from searchain.reply.outcome import outcome_of
from searchain.reply.sentence_support import Carrying, bind_sentences
from searchain.reply.writer import WANTED
from searchain.types import Message, Node, TaskKind

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


class Run(Steps):
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
        super().__init__(parts, task, dialogue, cancel, pool)
        self.question, self.questions = question, questions
        is_yes_no = task is TaskKind.MULTIHOP and text.is_yes_no_question_form(question)
        self.kind = TaskKind.YESNO if is_yes_no else task
        """What the answer must be like, whatever the task is called."""
        self._options = {**(options or {}), **self.settings.options}

    def option(self, name: str) -> int:
        """The number that the system or the settings give to ``name``."""
        return self._options[name]

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
        """The words that begin a dialogue: the prompt ``NAME``, the demonstrations in the form of ``ask`` and
        ``turns``, and the question, or ``asked``."""
        said = [Message("system", PROMPTS.render(name, wanted=WANTED[self.kind]))]
        for one in self.demonstrations() if shown is None else shown:
            said += Words((Message("user", ask(one)),)).then(*turns(one))
        return Words((*said, Message("user", asked or f"Question: {self.question}")))

    def begin(self, words: Words) -> None:
        """Say ``words`` first; what is said and written later follows them."""
        for message in words.messages:
            self.dialogue.say(message.role, message.content)

    def vote(self, texts: Sequence[str], said: Sequence[str]) -> Generator[Event, None, int]:
        """The place of the sample whose answer most samples give; ties go to the first."""
        votes, chosen = answers.vote(said, self.kind)
        yield from self.weigh("answers", texts, said, votes, chosen)
        return chosen

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
        check = None if self.settings.follows_paper else self.parts.support
        sentences = bind_sentences(binder.text, binder.marks, Carrying(self.question, check, self.cancel))
        for sentence in sentences:
            yield SentenceBound(sentence=sentence)
        status, outcome = outcome_of(final)
        usage, message = self.dialogue.total, NOT_MEASURED if final else "no answer was found"
        if not final and self.cut is not None:
            message = f"the model {self.cut}"
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
