"""The rounds of a run whose model sees passages before it writes.

The question itself is looked up first. The model gets its passages and writes a reply, or the steps that it
still needs. Each step is looked up and judged by the words of the passages. What is open or differs is shown to the
model in one message, until it writes a reply whose steps hold.
"""

import queue
from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from typing import Any

from searchain.chain.context import RunContext
from searchain.chain.dialogue import Ended, aside, grown, retried_events
from searchain.chain.forms import Unfolding
from searchain.chain.parser import ChainParser, QueryRead
from searchain.chain.prompts import told
from searchain.chain.shown import Shown, ShownPassages, render
from searchain.chain.tree import add, settle
from searchain.chain.written import Written, WrittenStep, read, without_keys
from searchain.events import BranchOpened, ChainDelta, Event, FeedbackSent, ModelFault, NodeParsed, RoundStarted
from searchain.language import text
from searchain.language.same_answer import agreement, label_of
from searchain.language.same_query import same_query
from searchain.llm.base import Form
from searchain.types import SETTLED, Evidence, Exchange, Judgement, Node, Step, TaskKind, Verdict
from searchain.verification.held import LONGEST, hold
from searchain.verification.judge import judge, with_stance

TOKENS = 1_024
PASSAGES, OF_A_STEP, AT_ONCE = 5, 3, 8
"""Most passages that are shown for the question, for a step, and in one message: a model may have a small context."""
MOST_STEPS = 8
WANTED = {
    TaskKind.YESNO: "yes or no",
    TaskKind.FACTCHECK: "SUPPORTS or REFUTES: what the passages do with the claim",
    TaskKind.LONGFORM: "one sentence; [Final Content] may have three to eight",
}
OF_EACH = "the answer to each thing that is asked, joined by semicolons"


class InformedRounds:
    """The rounds of one run. Iterate ``events()`` to the end, then look at ``written`` and ``shown``."""

    def __init__(self, run: RunContext, history: Sequence[Exchange] = ()) -> None:
        self._run, self._history = run, history
        self.shown = ShownPassages(run.question)
        self.written = Written()
        """The last text of the model."""

    def events(self) -> Iterator[Event]:
        """Run rounds until the model has written a reply whose steps hold, or none are left.

        Raises:
            ModelError, RetrievalError, ReaderError: a service failed.
            BudgetSpent: the budget of the run is used up.
            Cancelled: the run was stopped.
        """
        run = self._run
        assert run.direct is not None
        example, other = self.shown.key("example"), self.shown.key("other")
        run.dialogue.say("system", run.dialogue.prompts.render("informed", example=example, other=other))
        run.dialogue.say("user", self._opening(run.wait(run.direct)))
        for number in range(1, run.settings.max_rounds + 1):
            yield RoundStarted(round=number)
            said = yield from self._generate(number)
            run.dialogue.say("assistant", said)
            written = read(said)
            if written.talk or not (written.steps or written.has_reply or written.finds_nothing):
                self.written = written if number == 1 else self.written
                return
            self.written = written
            yield from self._take(number)
            findings = self._findings() if number < run.settings.max_rounds else None
            if findings is None:
                return
            run.dialogue.say("user", findings)
            yield FeedbackSent(node=run.tree.path()[-1].id, kind="passage", text=findings)

    def _opening(self, evidence: Evidence) -> str:
        run = self._run
        parts = [render(self._first_shown(evidence))]
        if self._history:
            parts.append(f"The conversation so far:\n{told(self._history)}")
        wanted = OF_EACH if run.parts else WANTED.get(run.task)
        asked = f"[Question]: {run.question}"
        return "\n\n".join([*parts, f"{asked} (the short answer: {wanted})" if wanted else asked])

    def _first_shown(self, evidence: Evidence) -> list[Shown]:
        """Return the passages found for the question; where it asks for several things, those found for each."""
        run, lookups = self._run, self._run.lookups
        assert lookups is not None
        if not run.parts:
            return self.shown.add(run.question, evidence, PASSAGES)
        futures = [(part, lookups.start(part, run.question)) for part in run.parts]
        return [one for part, each in futures for one in self.shown.add(part, run.wait(each), OF_A_STEP)]

    def _generate(self, number: int) -> Generator[Event, None, str]:
        """Let the model write; look up each query as soon as its line is complete."""
        run, inbox, said = self._run, queue.SimpleQueue[Any](), ""
        parser, unfolding = ChainParser(), Unfolding()
        generation = run.dialogue.generate(Form.INFORMED, max_tokens=TOKENS, inbox=inbox)
        try:
            with run.cancel.on_set(lambda: inbox.put(None)):
                yield from retried_events(run.dialogue)
                while not isinstance(item := run.dialogue.take(inbox), Ended):
                    said = grown(said, item)
                    if not isinstance(item, str):
                        yield from aside(item)
                        continue
                    if shown := unfolding.feed(item):
                        yield ChainDelta(round=number, text=shown)
                    for one in parser.feed(shown):
                        if isinstance(one, QueryRead) and "#" not in one.query and "[" not in one.query:
                            self._look_up(one.query)
            if rest := unfolding.finish():
                yield ChainDelta(round=number, text=rest)
            if item.error is not None:
                raise item.error
            if item.cut is not None:
                yield ModelFault(what=f"the model {item.cut}", action="kept what it had written")
            return said
        finally:
            run.dialogue.book(generation.close())

    def _look_up(self, query: str) -> None:
        assert self._run.lookups is not None
        self._run.lookups.start(query)

    def _take(self, number: int) -> Iterator[Event]:
        """Add the steps to the tree: a changed answer opens a branch, and the steps after it follow there."""
        run, steps = self._run, self._steps()
        for one in steps:
            self._look_up(one.step.query)
        old = list(run.tree.path())
        for place, one in enumerate(steps):
            earlier = next((node for node in old if same_query(node.query, one.step.query, run.similarity)), None)
            if earlier is None:
                yield from self._add(one, number)
            elif one.step.is_solved and earlier.model_answer is None:
                yield from self._fill(earlier, one, number)
            elif one.step.is_solved and not _says(one.step.answer or "", earlier):
                yield from self._branch(earlier, one, number)
                if place == len(steps) - 1:  # the steps after it stand, unless they rest on the old answer
                    for node in old[old.index(earlier) + 1 :]:
                        if not text.contains(earlier.answer or "", node.query):
                            yield from self._add(WrittenStep(Step(node.query, node.model_answer), ()), number)
                old = []

    def _steps(self) -> list[WrittenStep]:
        """Return the written steps; a reply without steps is one step, unless the last step says the same."""
        run, written, path = self._run, self.written, self._run.tree.path()
        if written.steps or (path and (not written.answer or _says(written.answer, path[-1]))):
            return list(written.steps[:MOST_STEPS])
        return [WrittenStep(Step(run.question, written.answer or None), without_keys(written.content)[1])]

    def _add(self, one: WrittenStep, number: int) -> Iterator[Event]:
        node = yield from add(self._run.tree, one.step, number)
        yield from self._judge(node, one)

    def _fill(self, node: Node, one: WrittenStep, number: int) -> Iterator[Event]:
        """Give an open step the answer that the model reads in the passages."""
        answer = one.step.answer
        yield NodeParsed(node=node.id, parent=node.parent, round=number, query=node.query, answer=answer)
        yield from self._judge(self._run.tree.update(node.id, model_answer=answer, answer=answer), one)

    def _branch(self, old: Node, one: WrittenStep, number: int) -> Iterator[Event]:
        """Open the branch that corrects ``old`` with the answer that the model gives after it has seen passages."""
        tree = self._run.tree
        root = tree.open_branch(old.id, number, one.step.answer)
        yield BranchOpened(
            node=root.id, mends=old.id, parent=root.parent, round=number, query=root.query, answer=root.answer
        )
        tree.update(root.id, model_answer=one.step.answer)
        yield from self._judge(tree[root.id], one)

    def _judge(self, node: Node, one: WrittenStep) -> Iterator[Event]:
        run = self._run
        assert run.lookups is not None
        evidence = run.wait(run.lookups.start(node.query))
        evidence, judgement = self._judged(Step(node.query, one.step.answer), evidence, one.keys)
        if node.mends is not None and judgement.verdict is Verdict.AGREED:
            judgement = replace(judgement, verdict=Verdict.CORRECTED)
        yield from settle(run.tree, node, evidence, judgement)

    def _judged(self, step: Step, evidence: Evidence, keys: Sequence[str]) -> tuple[Evidence, Judgement]:
        run = self._run
        if run.wants_label(step) and run.task is not TaskKind.LONGFORM:
            evidence = with_stance(step, evidence, run.settings)
            return evidence, judge(step, evidence, run.task, run.settings, keeps_word=True)
        answer = step.answer or ""
        are_several = bool(run.parts) and step.query == run.question
        if answer and len(text.tokens(answer)) <= LONGEST and not (label_of(answer) or are_several):
            cited = [(shown.hit, shown.reading) for shown in self.shown.cited(keys)]
            evidence, judgement = hold(step, evidence, cited, run.settings)
        else:
            judgement = judge(step, evidence, run.task, run.settings, keeps_word=True)
        if run.probability is not None and judgement.probability is None:
            judgement = replace(judgement, probability=run.probability.of_step(step, evidence, judgement))
        return evidence, judgement

    def _findings(self) -> str | None:
        """Return the message with what was found for the steps; ``None`` if the reply can stand.

        A reply can stand when its steps hold, or when nothing was found that the model has not seen.
        """
        run, path = self._run, self._run.tree.path()
        is_done = self.written.has_reply or self.written.finds_nothing
        new: list[Shown] = []
        for node in path:
            is_open = node.verdict not in SETTLED or node.model_answer is None
            if is_open or not is_done:
                most = OF_A_STEP if is_open else 1
                new += self._new_passages(node, min(most, AT_ONCE - len(new)))
        if is_done and (not new or all(node.verdict in SETTLED for node in path)):
            return None
        findings = "\n".join(_finding(number, node) for number, node in enumerate(path, 1))
        passages = render(new) or "No other passage was found."
        return run.dialogue.prompts.render("informed-more", findings=findings, passages=passages)

    def _new_passages(self, node: Node, most: int) -> list[Shown]:
        lookups = self._run.lookups
        assert lookups is not None
        return self.shown.add(node.query, self._run.wait(lookups.start(node.query)), most)


def _finding(number: int, node: Node) -> str:
    """Return what was found out about a step, in one line."""
    if node.model_answer is None:
        state = "open"
    elif node.verdict in SETTLED:
        state = f"a passage says {node.answer}"
    else:
        state = f"you wrote {node.model_answer}, and no passage that was found says so"
    return f"Step {number}: {node.query} ({state})"


def _says(answer: str, node: Node) -> bool:
    """Return whether ``answer`` is the one that the node already has."""
    known = node.answer or ""
    if not known or not node.passage:
        return False
    return answer == known or agreement(answer, known, node.passage)[0] == "agree"
