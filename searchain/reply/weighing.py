"""Choose between the chain's answer and what the look-up of the question itself found."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from searchain.chain.context import RunContext
from searchain.chain.parallel import for_each, pair_of
from searchain.chain.rounds import Rounds
from searchain.events import Candidate, CandidatesWeighed, Event
from searchain.language import comparing, text
from searchain.language.answer_kinds import asks_for_person, fits
from searchain.language.nesting import nesting
from searchain.language.same_answer import agreement, label_of
from searchain.language.same_query import same_query
from searchain.reading.lookup import Lookups
from searchain.reply.writer import Replier
from searchain.types import SETTLED, Evidence, Judgement, Node, Passage, Reading, Step, TaskKind, Verdict
from searchain.verification.judge import judge

SURE = 0.7
"""From this probability on, the question's own reading may replace the chain though an earlier step has its answer."""
UNLIKELY = 0.5
"""Below this probability, the chain's answer may be replaced though the question seems to take several steps."""
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
        if any(node.query == self.question for node in path):
            return  # a step with other words has its own look-up, which is compared
        final = self.replier.final_answer()
        known = self.run.probability.of_reply(self.question, path, final, reading) if self.run.probability else None
        is_stop = self._is_on_the_way(reading.answer, path) and not self._is_end(reading, path, known)
        repeats_question = bool(final) and text.contains(final, self.question)
        can_answer = comparing.can_answer(self.question, reading.answer) and not self.replier.is_compared
        if can_answer and (repeats_question or not is_stop):
            yield from self._weigh(reading, Candidate("chain", path[-1].id, final, known) if final else None)

    def _own_reading(self) -> Reading | None:
        """Return what the question itself found, if it is an answer with a probability."""
        if self.run.direct is None or self._wants_label:
            return None
        reading = self.run.wait(self.run.direct).reading
        return reading if reading and reading.answer and reading.probability is not None else None

    def _weigh(self, reading: Reading, chain: Candidate | None) -> Iterator[Event]:
        """Take the question's own reading, unless the chain's answer is more likely."""
        own = Candidate("question", None, reading.answer, reading.probability)
        keeps_chain = chain is not None and (chain.probability or 0.0) > (own.probability or 0.0)
        if not keeps_chain:
            yield from self.rounds.take_direct()
            own = replace(own, node=self.tree.path()[-1].id)
        yield CandidatesWeighed(candidates=(own, chain) if chain else (own,), chosen=int(keeps_chain))

    def _is_end(self, reading: Reading, path: Sequence[Node], known: float | None) -> bool:
        """Return whether the question's own ``reading`` is the answer although an earlier step gave it too.

        It must have 0.7 or more. A question without clauses needs nothing else. Any other needs a last step that found
        nothing, or asks for a person while the chain's answer is right with ``known`` below 0.5. For other things than
        persons the reading is too often that of a step: of 5 such HotpotQA questions 4 were lost.
        """
        if (reading.probability or 0.0) < SURE:
            return False
        if nesting(self.question)[0] == 0:
            return True
        found_nothing = bool(path) and path[-1].verdict is Verdict.UNCONFIRMED
        went_too_far = asks_for_person(self.question) and known is not None and known < UNLIKELY
        return found_nothing or went_too_far

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
        decides it. Any other question is added when the chain has no answer, or one with a lower reading score.
        """
        lookups = self.run.lookups
        if lookups is None or not self._is_undecided(lookups):
            return
        evidence = self.run.wait(lookups.start(self.question))
        if self._decides(evidence, judge(Step(self.question, None), evidence, self.task, self.settings)):
            yield from self.rounds.ask_question()

    @property
    def _wants_label(self) -> bool:
        """Whether the question itself is answered with yes, no, SUPPORTS or REFUTES."""
        is_yes_no = self.task is not TaskKind.LONGFORM and text.is_yes_no_question(self.question)
        return is_yes_no or self.task is TaskKind.FACTCHECK or bool(for_each(self.question, self.tree.path()))

    def _is_undecided(self, lookups: Lookups) -> bool:
        """Return whether the chain left open what the question itself may settle."""
        if not self.settings.strategy.decides_by_question or not self.settings.use_completion:
            return False
        path = self.tree.path()
        if any(self._asks_question(node) for node in path):
            return False
        if for_each(self.question, path):
            return lookups.has_stance and label_of(path[-1].answer or "") is None
        if self._wants_label:
            is_claim = self.task is TaskKind.FACTCHECK
            is_compared = is_claim and self.run.strategy.helps and comparing.decide(self.question, path) is not None
            return lookups.has_stance and not is_compared
        if text.is_comparison(self.question):
            return False
        if self.task is TaskKind.LONGFORM:
            return self.run.strategy.writes  # the explanation is built from the sentences nearest to the question
        last = path[-1] if path else None
        return last is None or last.answer is None or self._is_weak(last) or not fits(self.question, last.answer)

    def _asks_question(self, node: Node) -> bool:
        if self.task is TaskKind.FACTCHECK:  # a claim is not a query: only a step with its exact words asks it
            return text.tokens(node.query) == text.tokens(self.question)
        return same_query(node.query, self.question, self.run.similarity)

    def _decides(self, evidence: Evidence, judgement: Judgement) -> bool:
        """Return whether the question itself is added to the chain, given what it found."""
        if self.task is TaskKind.FACTCHECK:
            return True
        if self._wants_label or self.task is TaskKind.LONGFORM:
            return judgement.verdict in SETTLED
        confidence = evidence.reading.confidence if evidence.reading else -math.inf
        return judgement.answer is not None and self._is_better(judgement.answer, confidence, self.tree.path())

    def _is_better(self, answer: str, confidence: float, path: Sequence[Node]) -> bool:
        """Return whether the question's own answer fits the question better than the chain's last answer."""
        last = path[-1] if path else None
        if self._is_on_the_way(answer, path):
            return False
        if last is None or last.answer is None:
            return True
        known = last.confidence if last.confidence is not None else -math.inf
        good, old = fits(self.question, answer), fits(self.question, last.answer)
        return good > old or (good == old and confidence > known)

    def _is_on_the_way(self, answer: str, path: Sequence[Node]) -> bool:
        """Return whether a step before the last gave ``answer``, which is then only a stop on the way."""
        if pair_of(self.question, path) is not None:
            return False  # the steps ask about both, and none leads to the next
        return any(
            node.answer and agreement(answer, node.answer, node.passage or _NOWHERE)[0] == "agree" for node in path[:-1]
        )

    def _is_weak(self, node: Node) -> bool:
        """Return whether the node's answer is a reading with a score f of at most θ."""
        return node.verdict is Verdict.COMPLETED and not self.settings.is_sure(node.confidence or 0.0)
