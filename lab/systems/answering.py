"""Answers questions by a course: from the question to ``RunFinished``, however the run ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

from lab.systems.run import Run
from searchain.cancel import CancelToken
from searchain.chain.dialogue import BudgetSpent, Dialogue
from searchain.chain.throttle import join_deltas
from searchain.chain.understanding import Understanding
from searchain.errors import Cancelled, SearChainError
from searchain.events import Event, ModelFault, RoundStarted, RunFinished, RunStarted
from searchain.pipeline import SearChain
from searchain.types import Exchange, Outcome, Status

Course = Callable[[Run], Iterator[Event]]
"""What a system does with a question.

Raises:
    SearChainError, BudgetSpent: a service failed, or the settings allow no further call, token or second.
    Cancelled: the run was stopped.
"""


class Answering:
    """Answers questions with the parts of ``parts`` by ``course``. Thread-safe."""

    def __init__(
        self, parts: SearChain, course: Course, options: Mapping[str, int] | None = None, questions: Sequence[str] = ()
    ) -> None:
        """``options`` are the system's own numbers; ``questions`` are others of the same data set."""
        self._parts, self._course, self._options, self._questions = parts, course, options, questions
        self.settings, self.model, self.index = parts.settings, parts.model, parts.index

    def stream(
        self, question: str, *, history: Sequence[Exchange] = (), cancel: CancelToken | None = None
    ) -> Iterator[Event]:
        """All events of one run, the last one ``RunFinished``; see ``SearChain.stream``."""
        return join_deltas(self._events(question, history, cancel or CancelToken()))

    def _events(self, question: str, history: Sequence[Exchange], cancel: CancelToken) -> Iterator[Event]:
        parts, settings = self._parts, self.settings
        dialogue = Dialogue(parts.model, settings, cancel)
        yield RunStarted(
            question=question,
            model=parts.model.name,
            index=parts.index if settings.use_ir else "",
            profile=settings.profile,
            system=settings.system,
            settings=settings.as_dict(),
        )
        pool = ThreadPoolExecutor(max_workers=2, thread_name_prefix="searchain-lookup")
        try:
            strategy = settings.strategy_for(parts.model.abilities)
            understanding = Understanding(
                question, history, settings, dialogue, strategy, parts.speller, resolver=parts.resolver
            )
            if (reply := parts.at_once(question, history, understanding, dialogue.total)) is not None:
                yield from reply
                return
            standalone, task = yield from understanding.events()
            run = Run(
                parts,
                standalone,
                task,
                dialogue=dialogue,
                cancel=cancel,
                pool=pool,
                options=self._options,
                questions=self._questions,
            )
            yield RoundStarted(round=1)
            try:
                yield from self._course(run)
            except BudgetSpent as spent:
                yield from _cut(run, str(spent))
        except BudgetSpent as spent:  # before the course began
            yield _ended(Status.NOT_FOUND, str(spent), dialogue)
        except Cancelled:
            yield _ended(Status.STOPPED, "stopped; what was found so far is kept", dialogue)
        except SearChainError as error:
            yield _ended(Status.FAILED, str(error), dialogue)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _cut(run: Run, why: str) -> Iterator[Event]:
    """End a run at its budget: with the answer where the model had given one, else with what its steps found."""
    yield ModelFault(what=why, action="ended with what there is")
    final = run.answer_in(run.text)
    found = " ".join(f"{answer}." for node in run.tree.path() if (answer := (node.answer or "").rstrip(".")))
    if not (final or found):
        yield _ended(Status.NOT_FOUND, why, run.dialogue)
        return
    yield from run.finish(final, run.text if final else found)


def _ended(status: Status, message: str, dialogue: Dialogue) -> RunFinished:
    outcome = Outcome.NOT_FOUND if status is Status.NOT_FOUND else None
    return RunFinished(
        status=status, outcome=outcome, final_answer="", invented_markers=0, usage=dialogue.total, message=message
    )
