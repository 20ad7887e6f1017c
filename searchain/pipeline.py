"""SearChain's loop: question → chain → evidence → feedback → new branch … → traced reply, as events.

``SearChain.stream`` is Algorithm 1 of the paper with two courses of a round: the ``paper`` profile lets the model write
the whole chain and then looks at its nodes in order; the default looks a query up as soon as its line is complete and
cuts the generation at the first node that needs feedback.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from searchain.cancel import CancelToken
from searchain.chain.context import RunContext
from searchain.chain.dialogue import BudgetSpent, Dialogue
from searchain.chain.help import help_for
from searchain.chain.memory import give_back
from searchain.chain.prompts import family
from searchain.chain.round import Round, Stop
from searchain.chain.settling import settle_new
from searchain.chain.throttle import join_deltas
from searchain.chain.tree import Tree
from searchain.chain.understanding import Understanding
from searchain.errors import Cancelled, SearChainError
from searchain.events import (
    BranchOpened,
    Candidate,
    CandidatesWeighed,
    Event,
    FeedbackSent,
    ModelFault,
    NodeJudged,
    RoundStarted,
    RunFinished,
    RunStarted,
)
from searchain.language import comparison, text
from searchain.language.answer_kinds import fits
from searchain.language.same_answer import agreement
from searchain.language.same_query import Similarity, asks_all, same_query
from searchain.language.small_talk import SmallTalk
from searchain.language.small_talk_rules import REPLIES, Kind
from searchain.language.spelling import Speller
from searchain.llm.base import LanguageModel
from searchain.reading.lists import ENUMERATION, enumerated
from searchain.reading.lookup import Lookups
from searchain.reading.reader import Reader
from searchain.reading.stance import Stance
from searchain.reply import explanation
from searchain.reply.about_documents import about_documents
from searchain.reply.named_reply import named_reply
from searchain.reply.no_search import Collection, no_search
from searchain.reply.review import Review
from searchain.reply.support_check import SentenceCheck
from searchain.reply.writer import Replier
from searchain.retrieval.base import Retriever
from searchain.settings import Settings
from searchain.types import (
    SETTLED,
    Evidence,
    Exchange,
    Judgement,
    Message,
    Node,
    Passage,
    Status,
    Step,
    TaskKind,
    Usage,
    Verdict,
)
from searchain.verification.features import nesting
from searchain.verification.judge import judge
from searchain.verification.probability import Probability

PASSAGE_CHARACTERS = 1_500
"""How much of a passage goes into feedback: the part around the span."""
SURE = 0.7
"""From this probability on, what the question itself found may be the answer though an earlier step gave it too."""
_UNREADABLE = "the model wrote no step that can be read"
_NOWHERE = Passage("", "", "")


Opening = Callable[[TaskKind], Sequence[Message]]
"""What the model is told before a question of a kind, in the place of the prompt for it."""


class SearChain:
    """Answers questions with ``model`` over ``retriever`` and ``reader``. One instance serves many runs, also at once.

    Args:
        retriever, reader: may be ``None`` only when ``settings.use_ir`` is off.
        index: the name of what the retriever searches, for the record.
        similarity: cosine of two queries, for telling duplicates; without it words decide.
        stance: says what a passage makes of a statement, for yes/no questions and claims; without it only a passage
            that states one nearly word by word supports it, and none refutes it.
        support: may find that a sentence of the reply is not carried by what it cites.
        probability: says how likely answers are right; without it no reply is ``supported``.
        collection: what the retriever searches, for the reply to what is no question to a library.
        speller: corrects questions; without it they are looked up as they were typed.
        review: has replies read a second time; without it the first reply is the last.
        documents: the passages of own documents, where such are searched; what is asked about them is answered here.
    """

    def __init__(
        self,
        *,
        model: LanguageModel,
        retriever: Retriever | None,
        reader: Reader | None,
        settings: Settings,
        index: str = "",
        similarity: Similarity | None = None,
        stance: Stance | None = None,
        support: SentenceCheck | None = None,
        probability: Probability | None = None,
        collection: Collection | None = None,
        speller: Speller | None = None,
        review: Review | None = None,
        documents: Iterable[Passage] | None = None,
    ) -> None:
        if settings.use_ir and (retriever is None or reader is None):
            raise ValueError("a run with retrieval needs a retriever and a reader")
        self.model, self.retriever, self.reader = model, retriever, reader
        # a logit of 0 is an even chance: all that is known without a Reader's own thresholds
        self.settings = settings.with_thresholds(0.0, 0.0)
        self.index, self.similarity, self.stance, self.support = index, similarity, stance, support
        self.probability, self.review = probability, review
        self.collection, self.speller, self.documents = collection or Collection(index), speller, documents
        self.opening: Opening | None = None

    def stream(
        self, question: str, *, history: Sequence[Exchange] = (), cancel: CancelToken | None = None
    ) -> Iterator[Event]:
        """Run, and yield all events; the last one is ``RunFinished``.

        An error that a person can act on ends the run as ``failed`` or, when steps were settled before, with the reply
        that they allow. Setting ``cancel`` ends it as ``stopped``.
        """
        return join_deltas(_Run(self, question, history, cancel or CancelToken()).events())

    def at_once(self, question: str, understanding: Understanding, usage: Usage) -> Iterator[Event] | None:
        """What is answered without the model: small talk, and questions about the documents themselves.

        ``None`` for a question to the passages. The events go from the task to ``RunFinished``.
        """
        if (asked := understanding.document_question(has_documents=self.documents is not None)) is not None:
            if self.documents is not None:
                return about_documents(question, asked, self.documents, usage)
            return no_search(SmallTalk(Kind.DOCUMENTS, REPLIES[Kind.DOCUMENTS]), self.collection, usage)
        talk = understanding.small_talk()
        return no_search(talk, self.collection, usage) if talk is not None else None


class _Run:
    """One run from its question to its end, however it ends."""

    def __init__(self, chain: SearChain, question: str, history: Sequence[Exchange], cancel: CancelToken) -> None:
        self.chain, self.settings, self.cancel = chain, chain.settings, cancel
        self.question, self.history = question, history
        self.tree, self.dialogue = Tree(), Dialogue(chain.model, self.settings, cancel)
        self.pool = ThreadPoolExecutor(max_workers=2, thread_name_prefix="searchain-lookup")
        self.help = help_for(chain.model.abilities, self.settings.method)
        self.replier: Replier | None = None

    def events(self) -> Iterator[Event]:
        yield RunStarted(
            question=self.question,
            model=self.chain.model.name,
            index=self.chain.index,
            profile=self.settings.profile,
            system=self.settings.system,
            settings=self.settings.as_dict(),
            generations=getattr(self.chain.retriever, "generations", {}),
        )
        try:
            # an ablation, and a method with words of its own, keep to their chains
            is_whole = self.settings.use_completion and self.settings.use_verification and self.chain.opening is None
            understanding = Understanding(
                self.question,
                self.history,
                self.settings,
                self.dialogue,
                self.help,
                self.chain.speller,
                self.chain.retriever if is_whole else None,
            )
            if (reply := self.chain.at_once(self.question, understanding, self.dialogue.total)) is not None:
                yield from reply
                return
            question, task = yield from understanding.events()
            if understanding.named is not None:
                context = self._run_context(question, task)
                self.replier = Replier(context, self.chain.support)
                yield from named_reply(context, self.replier, understanding.named)
                return
            context = self._context(question, task.base)
            self.replier = Replier(context, self.chain.support)
            events = _Reasoning(context, self.replier, wants_list=task is TaskKind.LIST).events()
            review = self.chain.review if self.settings.may_be_reviewed else None
            yield from review.events(context, self.replier, events) if review else events
        except Cancelled:
            yield self._finished(Status.STOPPED, "stopped; what was found so far is kept")
        except SearChainError as error:
            yield self._finished(Status.FAILED, str(error))
        finally:
            self.pool.shutdown(wait=False, cancel_futures=True)
            give_back()

    def _run_context(self, question: str, task: TaskKind) -> RunContext:
        chain, settings = self.chain, self.settings
        return RunContext(
            question=question,
            task=task,
            settings=settings,
            tree=self.tree,
            dialogue=self.dialogue,
            help=self.help,
            examples=self._examples(task),
            cancel=self.cancel,
            similarity=chain.similarity,
            probability=chain.probability if settings.method.rates else None,
            opening=tuple(chain.opening(task.base)) if chain.opening else (),
        )

    def _context(self, question: str, task: TaskKind) -> RunContext:
        """The run, with what looks its queries up."""
        chain, settings = self.chain, self.settings
        context = self._run_context(question, task)
        if not settings.use_ir or chain.retriever is None or chain.reader is None:
            return context
        k = settings.passages * explanation.DEPTH if context.explains else settings.passages
        rate = context.probability.rated if context.probability else None
        reads_kinds = settings.method.reads_kinds
        lookups = Lookups(
            chain.retriever,
            chain.reader if reads_kinds else getattr(chain.reader, "plain", chain.reader),
            self.pool,
            k=k,
            task=task,
            stance=chain.stance,
            rate=rate,
            reads_kinds=reads_kinds,
        )
        is_whole = settings.use_completion and settings.use_verification  # an ablation keeps to its chain
        is_direct = (
            settings.method.looks_up_question and rate is not None and is_whole and task is not TaskKind.LONGFORM
        )
        direct = lookups.start(question) if is_direct else None
        return replace(context, lookups=lookups, direct=direct)

    def _examples(self, task: TaskKind) -> tuple[str, ...]:
        """The queries of the prompt's examples, where their echoes are left out."""
        has_guards = self.settings.method.guards_plans
        return self.dialogue.prompts.queries(family(task.base, use_ir=self.settings.use_ir)) if has_guards else ()

    def _finished(self, status: Status, message: str) -> RunFinished:
        return RunFinished(
            status=status,
            final_answer="",
            invented_markers=self.replier.invented if self.replier else 0,
            usage=self.dialogue.total,
            message=message,
        )


class _Reasoning:
    """The rounds of one run and what follows them, down to the reply."""

    def __init__(self, run: RunContext, replier: Replier, *, wants_list: bool = False) -> None:
        self.run, self.replier, self.wants_list = run, replier, wants_list
        self.question, self.task, self.settings = run.question, run.task, run.settings
        self.tree, self.dialogue = run.tree, run.dialogue
        self.number = 1
        """The round that runs."""
        self.is_cut = True
        """Whether the chain may miss its end: until its rounds came to theirs."""
        self.is_answered = False
        """Whether what the question itself found is the reply."""
        self.silence = ""
        """Why the model has delivered nothing so far."""

    def events(self) -> Iterator[Event]:
        """Reason and reply; what fails after a step was settled ends the reasoning, and the reply rests on the steps.

        Raises:
            SearChainError: a service failed before any step was settled.
            Cancelled: the run was stopped.
        """
        by_model = self.run.model_replies
        try:
            if self.wants_list and (yield from self._enumerate()):
                return
            yield from self._reason()
            if not self.is_answered:
                yield from self._weigh()
            yield from self._settle_open_nodes()
        except (SearChainError, BudgetSpent) as fault:
            if isinstance(fault, SearChainError) and not any(node.verdict in SETTLED for node in self.tree):
                raise
            what = "the budget of this run is spent" if isinstance(fault, BudgetSpent) else str(fault)
            yield ModelFault(what=what, action="replied from the steps checked so far")
            if not self.tree.path():
                self.silence = self.silence or "the budget of this run was spent before the model wrote a step"
                if self.run.direct is not None and self.run.direct.done():
                    yield from self._take_direct()
            yield from self._settle_open_nodes()
            by_model = False
        yield from self.replier.reply(by_model=by_model, is_cut=self.is_cut, silence=self.silence)

    def _enumerate(self) -> Generator[Event, None, bool]:
        """Reply with an enumeration that the question itself finds; tells whether there is one."""
        if self.run.direct is None:
            return False
        evidence = self.run.wait(self.run.direct)
        found = enumerated(self.question, evidence.hits, evidence.readings)
        if found is None:
            return False
        evidence = replace(evidence, chosen=found[0], reading=found[1])
        judgement = Judgement(Verdict.COMPLETED, ENUMERATION, found[1].answer, probability=found[1].probability)
        yield RoundStarted(round=1)
        yield from settle_new(self.tree, self.question, 1, evidence, judgement)
        yield from self.replier.reply(by_model=False)
        return True

    def _reason(self) -> Iterator[Event]:
        """Rounds until nothing is left to mend (Algorithm 1, Main)."""
        for message in self.run.opening:
            self.dialogue.say(message.role, message.content)
        if not self.run.opening:
            self.dialogue.say("system", self.dialogue.prompts.render(family(self.task, use_ir=self.settings.use_ir)))
        self.dialogue.say("user", f"[Question]: {self.question}")
        stop: Stop | None = None
        was_repaired = has_sampled = False
        for number in range(1, self.settings.max_rounds + 1):
            yield RoundStarted(round=number)
            root = (yield from self._open(stop, number)) if stop else None
            is_last = number == self.settings.max_rounds
            self.number = number
            round = Round(self.run, number, root, is_last=is_last, may_sample=not has_sampled)
            yield from round.events()
            has_sampled = has_sampled or round.has_sampled
            if round.is_answered:
                yield from self._take_direct()
                return
            if round.is_empty and not self.tree.path():
                self.silence = f"the model {round.cut}" if round.cut else _UNREADABLE
                if not was_repaired and not is_last:
                    was_repaired = True
                    yield from self._repair(round.text)
                    continue
                yield ModelFault(what=self.silence, action="looked up the question itself")
                yield from round.run_step(Step(self.question, None))
            elif round.has_delivered:
                self.silence = ""
            self.dialogue.say("assistant", round.written())
            stop = round.stop
            if stop is None:  # always so in the last round, which settles its nodes itself
                self.is_cut = round.is_cut and not asks_all(self.tree.path()[-1].query, self.question)
                return
            if self.run.help.stops and stop.judgement.answer and asks_all(stop.node.query, self.question):
                self.is_cut = False
                yield from self._open(stop, number)  # nothing is left to ask
                return
            yield from self._send_feedback(stop)

    def _weigh(self) -> Iterator[Event]:
        """Compare the end of the chain with what the question itself found, and take the more likely of the two.

        Where their probabilities do not tell, rules decide.
        """
        path = self.tree.path()
        if self._keeps_end(path):
            return
        is_weighed = self.run.direct is not None and not self._wants_label
        reading = self.run.wait(self.run.direct).reading if self.run.direct and is_weighed else None
        if reading is None or not reading.answer or reading.probability is None:
            yield from self._decide()
            return
        if any(node.query == self.question for node in path):
            return  # a step in other words has a look-up of its own, which is weighed
        final = self.replier.final_answer()
        is_echo = bool(final) and text.contains(final, self.question)
        is_stop = nesting(self.question)[0] > 0 or reading.probability < SURE
        if is_stop and not is_echo and self._is_on_the_way(reading.answer, path):
            return
        if not comparison.can_be_asked_for(self.question, reading.answer) or self.replier.is_compared:
            return
        known = self.run.probability.of_reply(self.question, path, final, reading) if self.run.probability else None
        candidates = [Candidate("question", "", reading.answer, reading.probability)]
        if final:
            candidates.append(Candidate("chain", path[-1].id, final, known))
        chosen = max(range(len(candidates)), key=lambda number: candidates[number].probability or 0.0)
        if chosen == 0:
            yield from self._take_direct()
        candidates[0] = replace(candidates[0], node=self.tree.path()[-1].id if chosen == 0 else None)
        yield CandidatesWeighed(candidates=tuple(candidates), chosen=chosen)

    def _keeps_end(self, path: Sequence[Node]) -> bool:
        """Whether the chain ends with the model's word, which no reading of the question displaces: its step
        asks more exactly than the whole question, and what was found there did not make the model give way."""
        last = path[-1] if path else None
        if last is None or not self.run.help.keeps_word or self._wants_label or last.model_answer is None:
            return False
        return last.verdict not in (Verdict.COMPLETED, Verdict.CORRECTED)

    def _take_direct(self) -> Iterator[Event]:
        """Make the question itself the whole chain."""
        self.is_answered, self.is_cut = True, False
        self.tree.leave()
        yield from Round(self.run, self.number, None, is_last=True).run_step(Step(self.question, None))

    def _decide(self) -> Iterator[Event]:
        """Put the question itself to the passages as the last step, where the chain did not settle it.

        A claim is kept as a step always, so that the evidence next to it is seen; a yes/no question where a passage
        decides it; any other where the chain ended without an answer, or with one that the Reader trusts less.
        """
        lookups = self.run.lookups
        if lookups is None or not self._is_undecided(lookups):
            return
        step = Step(self.question, None)
        evidence = self.run.wait(lookups.start(self.question))
        if self._decides(evidence, judge(step, evidence, self.task, self.settings)):
            self.is_cut = False
            yield from Round(self.run, self.number, None, is_last=True).run_step(step)

    @property
    def _wants_label(self) -> bool:
        """Whether the question itself is answered with a label."""
        is_yes_no = self.task is not TaskKind.LONGFORM and text.is_yes_no_question(self.question)
        return is_yes_no or self.task is TaskKind.FACTCHECK

    def _is_undecided(self, lookups: Lookups) -> bool:
        """Whether the chain left open what the question itself may settle."""
        if not self.settings.method.decides_by_question or not self.settings.use_completion:
            return False
        path = self.tree.path()
        if self.task is TaskKind.FACTCHECK:  # a claim is no query: only its own words ask it
            is_asked = any(text.tokens(node.query) == text.tokens(self.question) for node in path)
        else:
            is_asked = any(same_query(node.query, self.question, self.run.similarity) for node in path)
        if is_asked:
            return False
        if self._wants_label:
            is_claim = self.task is TaskKind.FACTCHECK
            is_compared = is_claim and self.run.help.compares and comparison.decide(self.question, path) is not None
            return lookups.has_stance and not is_compared
        if text.is_comparison(self.question):
            return False
        if self.task is TaskKind.LONGFORM:
            return self.run.help.quotes  # the explanation is made of what is nearest to the question
        last = path[-1] if path else None
        return last is None or last.answer is None or self._is_weak(last) or not fits(self.question, last.answer)

    def _decides(self, evidence: Evidence, judgement: Judgement) -> bool:
        """Whether what the question itself found belongs to the chain."""
        if self.task is TaskKind.FACTCHECK:
            return True
        if self._wants_label or self.task is TaskKind.LONGFORM:
            return judgement.verdict in SETTLED
        confidence = evidence.reading.confidence if evidence.reading else -math.inf
        return judgement.answer is not None and self._is_better(judgement.answer, confidence, self.tree.path())

    def _is_better(self, answer: str, confidence: float, path: Sequence[Node]) -> bool:
        """Whether what the question itself found is more likely what it asks for than what the chain ended with."""
        last = path[-1] if path else None
        if self._is_on_the_way(answer, path):
            return False
        if last is None or last.answer is None:
            return True
        known = last.confidence if last.confidence is not None else -math.inf
        good, old = fits(self.question, answer), fits(self.question, last.answer)
        return good > old or (good == old and confidence > known)

    def _is_on_the_way(self, answer: str, path: Sequence[Node]) -> bool:
        """Whether a step before the last gave ``answer``: it lies nearer to the question than the end of its chain."""
        return any(
            node.answer and agreement(answer, node.answer, node.passage or _NOWHERE)[0] == "agree" for node in path[:-1]
        )

    def _is_weak(self, node: Node) -> bool:
        """Whether the node's answer is a reading that f ≤ θ hardly carries."""
        return node.verdict is Verdict.COMPLETED and not self.settings.is_sure(node.confidence or 0.0)

    def _repair(self, text: str) -> Iterator[Event]:
        problem = f"It began: “{' '.join(text.split())[:80]}”." if text.strip() else "It was empty."
        self.dialogue.say("assistant", text.strip()[:2_000])
        prompt = self.dialogue.prompts.render(
            "repair" if self.settings.use_ir else "repair-no-ir", problem=problem, question=self.question
        )
        self.dialogue.say("user", prompt)
        yield ModelFault(what=self.silence, action="asked once more, saying what was wrong")
        yield FeedbackSent(node=None, kind="repair", text=prompt)

    def _send_feedback(self, stop: Stop) -> Iterator[Event]:
        node, kind = stop.node, stop.judgement.feedback
        assert kind is not None
        assert node.passage is not None
        values = dict(passage=_excerpt(node), query=node.query, number=str(self._depth(node)))
        if kind == "passage":
            text = self.dialogue.prompts.render("passage", **values)
        else:
            text = self.dialogue.prompts.render(
                "verify" if kind == "verification" else "complete", answer=stop.judgement.answer or "", **values
            )
        self.dialogue.say("user", text)
        yield FeedbackSent(node=node.id, kind=kind, text=text)

    def _open(self, stop: Stop, round: int) -> Generator[Event, None, Node]:
        """Open the branch that mends a node; its first node (returned) starts with the verdict and the evidence."""
        old, judgement = stop.node, stop.judgement
        root = self.tree.open_branch(old.id, round, judgement.answer)
        yield BranchOpened(
            node=root.id, mends=old.id, parent=root.parent, round=round, query=root.query, answer=root.answer
        )
        root = self.tree.inherit(
            root.id, old, verdict=judgement.verdict, rule=judgement.rule, probability=judgement.probability
        )
        yield NodeJudged(
            node=root.id,
            verdict=judgement.verdict,
            rule=judgement.rule,
            before=old.model_answer,
            after=root.answer,
            same_as=old.id,
            probability=judgement.probability,
        )
        return root

    def _depth(self, node: Node) -> int:
        """The node's number in its chain, from 1."""
        depth = 1
        while node.parent is not None:
            node, depth = self.tree[node.parent], depth + 1
        return depth

    def _settle_open_nodes(self) -> Iterator[Event]:
        """Nodes of the path that nobody looked at are unconfirmed."""
        rule = "not-reached"
        for node in self.tree.path():
            if node.verdict is None and self.settings.use_ir:
                self.tree.update(node.id, verdict=Verdict.UNCONFIRMED, rule=rule)
                yield NodeJudged(
                    node=node.id, verdict=Verdict.UNCONFIRMED, rule=rule, before=node.model_answer, after=node.answer
                )


def _excerpt(node: Node) -> str:
    """Title and text of the node's passage; of a long one the part around the span."""
    assert node.passage is not None
    body = node.passage.text
    if len(body) > PASSAGE_CHARACTERS:
        start, end = text.window(body, node.span, PASSAGE_CHARACTERS)
        body = ("… " if start else "") + body[start:end] + " …"
    return f"{node.passage.title}: {' '.join(body.split())}"
