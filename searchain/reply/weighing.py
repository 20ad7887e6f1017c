"""Choose between the chain's answer and the reading found by looking up the question itself."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from searchain.chain.context import RunContext
from searchain.chain.rounds import Rounds
from searchain.chain.two_things import for_each, is_open, pair_of
from searchain.events import Candidate, CandidatesWeighed, Event
from searchain.language import comparing, text
from searchain.language.answer_kinds import fits
from searchain.language.questions import nesting
from searchain.language.same_answer import agreement, label_of
from searchain.language.same_query import same_query
from searchain.reading.lookup import Lookups
from searchain.reply.writer import Replier
from searchain.types import SETTLED, Evidence, Judgement, Node, Passage, Reading, Step, TaskKind, Verdict
from searchain.verification.judge import judge

SURE = 0.7
"""Least probability with which the question's own reading replaces the chain even if it is an earlier step's answer."""
_NOWHERE = Passage("", "", "")


class Weighing:
    """The comparison of a finished chain with the reading of the question itself."""

    def __init__(self, run: RunContext, rounds: Rounds, replier: Replier) -> None:
        self.run, self.rounds, self.replier = run, rounds, replier
        self.question, self.task, self.settings, self.tree = run.question, run.task, run.settings, run.tree

    def events(self) -> Iterator[Event]:
        """Take the more likely of the chain's answer and the question's own reading.

        Rules decide where the reading has no probability.
        """
        path = self.tree.path()
        if self._keeps_end(path):
            return
        reading = self._own_reading()
        if reading is None:
            yield from self._decide()
            return
        if not any(node.query == self.question for node in path):  # other words have their own look-up
            yield from self._weigh(reading, path)

    def _own_reading(self) -> Reading | None:
        """Return the reading found by looking up the question itself, if it has an answer and a probability."""
        if self.run.direct is None or self._wants_label:
            return None
        reading = self.run.wait(self.run.direct).reading
        return reading if reading and reading.answer and reading.probability is not None else None

    def _weigh(self, reading: Reading, path: Sequence[Node]) -> Iterator[Event]:
        """Take the more likely of the chain's answer and ``reading``, if ``reading`` may answer the question."""
        final, own = self.replier.final_answer(), Candidate("question", None, reading.answer, reading.probability)
        is_stop = self._is_on_the_way(reading.answer, path) and not (final and text.contains(final, self.question))
        is_end = nesting(self.question)[0] == 0 or bool(path) and path[-1].verdict is Verdict.UNCONFIRMED
        if not self._may_answer(reading, path) or (is_stop and not (is_end and (reading.probability or 0.0) >= SURE)):
            return
        candidates = [own]
        if final:
            known = self.run.probability.of_reply(self.question, path, final, reading) if self.run.probability else None
            candidates.append(Candidate("chain", path[-1].id, final, known))
        chosen = max(range(len(candidates)), key=lambda number: candidates[number].probability or 0.0)
        if chosen == 0:
            yield from self.rounds.take_direct()
            candidates[0] = replace(own, node=self.tree.path()[-1].id)
        yield CandidatesWeighed(candidates=tuple(candidates), chosen=chosen)

    def _may_answer(self, reading: Reading, path: Sequence[Node]) -> bool:
        """Return whether ``reading`` is a possible answer to the question, which no two values decide."""
        can = comparing.can_answer(self.question, reading.answer) and not self.replier.is_compared
        return can and not (self.run.strategy.helps and is_open(self.question, path, reading.answer))

    def _keeps_end(self, path: Sequence[Node]) -> bool:
        """Return whether the chain ends with the model's own answer, which the question's reading never replaces.

        The last step asks more exactly than the whole question, and its passage did not change the model's answer.
        """
        last = path[-1] if path else None
        if last is None or not self.run.strategy.keeps_word or self._wants_label or last.model_answer is None:
            return False
        return last.verdict not in (Verdict.COMPLETED, Verdict.CORRECTED)

    def _decide(self) -> Iterator[Event]:
        """Add the question itself as the last step, where the chain did not settle it.

        A claim is always added, so that the passages nearest to it are shown. A yes/no question is added when a passage
        decides it. Any other question is added when the chain has no answer of the right kind.
        """
        lookups = self.run.lookups
        if lookups is None or not self._is_undecided(lookups):
            return
        evidence = self.run.wait(lookups.start(self.question))
        if self._decides(evidence, judge(Step(self.question, None), evidence, self.task, self.settings)):
            yield from self.rounds.ask_question()

    @property
    def _wants_label(self) -> bool:
        """Whether the answer to the question is yes, no, SUPPORTS or REFUTES, not a name or another text."""
        asks = self.task is TaskKind.YESNO and not text.is_comparison(self.question)
        is_yes_no = asks or (self.task is not TaskKind.LONGFORM and text.is_yes_no_question(self.question))
        return is_yes_no or self.task is TaskKind.FACTCHECK or bool(for_each(self.question, self.tree.path()))

    def _is_undecided(self, lookups: Lookups) -> bool:
        """Return whether the chain settled no answer, and looking up the question itself may settle one."""
        path = self.tree.path()
        if not self.settings.strategy.decides_by_question or not self.settings.use_completion or self._is_asked(path):
            return False
        if for_each(self.question, path):
            return lookups.has_stance and label_of(path[-1].answer or "") is None
        if self._wants_label:
            is_claim = self.task is TaskKind.FACTCHECK
            is_compared = is_claim and self.run.strategy.helps and comparing.decide(self.question, path) is not None
            return lookups.has_stance and not is_compared
        if self.task is TaskKind.LONGFORM:
            return self.run.strategy.writes  # the explanation is built from the sentences nearest to the question
        has_answer = bool(path) and fits(self.question, path[-1].answer or "")
        return not has_answer and not text.is_comparison(self.question)

    def _is_asked(self, path: Sequence[Node]) -> bool:
        """Return whether steps ask the question; a claim is not a query, so only its exact words ask it."""
        if self.run.parts:
            return True
        if self.task is TaskKind.FACTCHECK:
            return any(text.tokens(node.query) == text.tokens(self.question) for node in path)
        return any(same_query(node.query, self.question, self.run.similarity) for node in path)

    def _decides(self, evidence: Evidence, judgement: Judgement) -> bool:
        """Return whether to add the question itself to the chain, given the judgement of its evidence."""
        if self.task is TaskKind.FACTCHECK:
            return True
        if self._wants_label or self.task is TaskKind.LONGFORM:
            return judgement.verdict in SETTLED
        is_new = judgement.answer is not None and not self._is_on_the_way(judgement.answer, self.tree.path())
        return is_new and fits(self.question, judgement.answer or "")

    def _is_on_the_way(self, answer: str, path: Sequence[Node]) -> bool:
        """Return whether a step before the last gave ``answer``, which is then only an intermediate answer."""
        pair = pair_of(self.question, path)
        if pair is not None and not pair.is_choice:
            return False  # the steps ask about both, and none leads to the next
        return any(
            node.answer and agreement(answer, node.answer, node.passage or _NOWHERE)[0] == "agree" for node in path[:-1]
        )
