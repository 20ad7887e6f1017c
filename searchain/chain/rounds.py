"""The rounds of one run (Algorithm 1, Main): chain, evidence, feedback, new branch, until no step needs feedback."""

from collections.abc import Generator, Iterator

from searchain.chain.context import RunContext
from searchain.chain.joined import answered, asks_parts, likeliest_query, queries_of
from searchain.chain.judging import Stop
from searchain.chain.prompts import family
from searchain.chain.round import Round
from searchain.chain.tree import decide
from searchain.chain.two_things import comparing_steps, for_each
from searchain.events import BranchOpened, Event, FeedbackSent, ModelFault, RoundStarted
from searchain.language import text
from searchain.language.comparing import compared, left_to_ask
from searchain.language.same_answer import label_of
from searchain.language.same_query import asks_all
from searchain.types import SETTLED, Evidence, Exchange, Judgement, Node, Step, TaskKind, Verdict
from searchain.verification.judge import STANCE_RULE, judge

PASSAGE_CHARACTERS = 1_500
"""Characters of a passage that go into feedback: the part around the span."""
SEVERAL = 0.15
"""The least probability of needing several look-ups with which a chain is planned (``lab.training.steps`` counts both
sides)."""
ENOUGH = 0.2
"""The least probability of the question's own reading with which a question for one look-up needs no plan."""
_UNREADABLE = "the model wrote no step that can be read"


class Rounds:
    """The rounds of one run. Iterate ``events()`` to the end, then look at its attributes."""

    def __init__(self, run: RunContext) -> None:
        self._run = run
        self.question, self.task, self.settings = run.question, run.task, run.settings
        self.tree, self.dialogue = run.tree, run.dialogue
        self.number = 1
        """The number of the round that runs, from 1."""
        self.is_cut = True
        """Whether the chain may miss its last steps; true until the rounds have ended."""
        self.is_answered = False
        """Whether the reading of the question itself replaced the chain."""
        self.silence = ""
        """Why the model has delivered no step so far; empty if it has delivered one."""

    def events(self) -> Iterator[Event]:
        """Run rounds until no step needs feedback, or none are left."""
        self._open_dialogue()
        if (yield from self._answer_without_plan()):
            return
        stop: Stop | None = None
        for number in range(1, self.settings.max_rounds + 1):
            yield RoundStarted(round=number)
            root = (yield from self._open(stop, number)) if stop else None
            self.number = number
            round = Round(self._run, number, root, is_last=number == self.settings.max_rounds)
            yield from round.events()
            if round.is_answered:
                yield from self.take_direct()
                return
            if round.intake.is_empty and not self.tree.path():
                if (yield from self._repair(round)):
                    continue
            elif round.has_delivered:
                self.silence = ""
            self.dialogue.say("assistant", round.written())
            stop = round.nodes.stop
            if stop is None:  # always so in the last round, which settles its nodes itself
                self.is_cut = round.is_cut and not asks_all(self.tree.path()[-1].query, self.question)
                yield from self._finish()
                return
            if self._run.strategy.helps and stop.judgement.answer and asks_all(stop.node.query, self.question):
                self.is_cut = False
                yield from self._open(stop, number)  # nothing is left to ask
                return
            yield from self._send_feedback(stop)

    def _answer_without_plan(self) -> Generator[Event, None, bool]:
        """Take the steps that the question itself names, or the look-up; return whether either was possible."""
        if steps := comparing_steps(self._run):
            yield RoundStarted(round=1)
            for step in steps:
                yield from self._ask(step.query)
            return True
        if asks_parts(self._run):
            yield from self._ask_parts()
            return True
        if self._needs_no_plan():
            yield RoundStarted(round=1)
            yield from self.take_direct()
            return True
        return False

    def _needs_no_plan(self) -> bool:
        """Return whether one look-up likely suffices and the look-up of the question has found a likely answer.

        A question that refers to the last one is never planned: a small model invents what it is about. Nor is a yes/no
        question to own documents: where no passage decides it, the steps of such a model do not either.
        """
        run = self._run
        if run.before and run.strategy.helps:
            return True
        if run.direct is None or not run.strategy.helps:
            return False
        is_several, is_yes_no = run.expected >= SEVERAL, self.task is TaskKind.YESNO
        if is_several and not is_yes_no:
            return False
        evidence = run.wait(run.direct)
        are_own = bool(evidence.hits) and all(hit.passage.place for hit in evidence.hits)
        if is_yes_no and are_own and not compared(self.question):
            return True
        return not is_several and self._is_enough(evidence)

    def _is_enough(self, evidence: Evidence) -> bool:
        """Return whether the look-up of the question itself has found a likely answer."""
        asked = Step(self.question, None)
        if self._run.wants_label(asked):
            judgement = judge(asked, evidence, self.task, self.settings)
            return judgement.verdict in SETTLED and judgement.rule == STANCE_RULE
        return evidence.reading is not None and (evidence.reading.probability or 0.0) >= ENOUGH

    def _open_dialogue(self) -> None:
        for message in self._run.opening:
            self.dialogue.say(message.role, message.content)
        if not self._run.opening:
            self.dialogue.say("system", self.dialogue.prompts.render(family(self.task, use_ir=self.settings.use_ir)))
        self.dialogue.say("user", f"[Question]: {self.question}")

    def _finish(self) -> Iterator[Event]:
        """Ask what a comparison of two things leaves open."""
        path = self.tree.path()
        if not self._run.strategy.helps or self._run.lookups is None:
            return
        for left in left_to_ask(self.question, path):
            yield from self._ask(left)
        for left in for_each(self.question, path):
            yield from self._ask(left)
            if label_of(self.tree.path()[-1].answer or "") != "yes":
                return  # one of the two is enough to say no

    def _ask_parts(self) -> Iterator[Event]:
        """Ask each part of the question, completed from those before it and from their answers."""
        yield RoundStarted(round=1)
        said: list[Exchange] = []
        for part in self._run.parts:
            query = likeliest_query(self._run, queries_of(part, said, self._run.resolver), said)
            yield from self._ask(query)
            said.append(answered(query, self.tree.path()[-1]))

    def take_direct(self) -> Iterator[Event]:
        """Replace the chain with one step that asks the question itself."""
        self.is_answered = True
        self.tree.leave()
        yield from self.ask_question()

    def ask_question(self) -> Iterator[Event]:
        """Add the question itself, word for word, as the last step."""
        yield from self._ask(self.question)

    def _ask(self, query: str) -> Iterator[Event]:
        """Add and judge a step that no model wrote; the chain then counts as complete."""
        self.is_cut = False
        yield from Round(self._run, self.number, None, is_last=True).run_step(Step(query, None))

    def settle_open_nodes(self) -> Iterator[Event]:
        """Mark the nodes of the path that no round judged as unconfirmed."""
        for node in self.tree.path():
            if node.verdict is None and self.settings.use_ir:
                judgement = Judgement(Verdict.UNCONFIRMED, "not-reached", node.answer)
                yield from decide(self.tree, node, judgement, before=node.model_answer)

    def _repair(self, round: Round) -> Generator[Event, None, bool]:
        """Ask the model once more for a chain, and say what was wrong with its text.

        After a second round without a step, look up the question itself. Return whether the model is asked.
        """
        was_asked, text = bool(self.silence), round.draft.text
        self.silence = f"the model {round.draft.cut}" if round.draft.cut else _UNREADABLE
        if was_asked or self.number == self.settings.max_rounds:
            yield ModelFault(what=self.silence, action="looked up the question itself")
            yield from round.run_step(Step(self.question, None))
            return False
        problem = f"It began: “{' '.join(text.split())[:80]}”." if text.strip() else "It was empty."
        self.dialogue.say("assistant", text.strip()[:2_000])
        name = "repair" if self.settings.use_ir else "repair-no-ir"
        prompt = self.dialogue.prompts.render(name, problem=problem, question=self.question)
        self.dialogue.say("user", prompt)
        yield ModelFault(what=self.silence, action="asked once more, saying what was wrong")
        yield FeedbackSent(node=None, kind="repair", text=prompt)
        return True

    def _send_feedback(self, stop: Stop) -> Iterator[Event]:
        node, kind = stop.node, stop.judgement.feedback
        assert kind is not None
        assert node.passage is not None
        number = 1 + [one.id for one in self.tree.path()].index(node.id)
        values = dict(passage=_excerpt(node), query=node.query, number=str(number))
        if kind == "passage":
            text = self.dialogue.prompts.render("passage", **values)
        else:
            name = "verify" if kind == "verification" else "complete"
            text = self.dialogue.prompts.render(name, answer=stop.judgement.answer or "", **values)
        self.dialogue.say("user", text)
        yield FeedbackSent(node=node.id, kind=kind, text=text)

    def _open(self, stop: Stop, round: int) -> Generator[Event, None, Node]:
        """Open the branch that corrects a node; return its first node, which has that node's evidence and verdict."""
        old, judgement = stop.node, stop.judgement
        root = self.tree.open_branch(old.id, round, judgement.answer)
        yield BranchOpened(
            node=root.id, mends=old.id, parent=root.parent, round=round, query=root.query, answer=root.answer
        )
        root = self.tree.inherit(root.id, old)
        return (yield from decide(self.tree, root, judgement, before=old.model_answer, same_as=old.id))


def _excerpt(node: Node) -> str:
    """Return title and text of the node's passage; of a long text only the part around the span."""
    assert node.passage is not None
    body = node.passage.text
    if len(body) > PASSAGE_CHARACTERS:
        start, end = text.window(body, node.span, PASSAGE_CHARACTERS)
        body = ("… " if start else "") + body[start:end] + " …"
    return f"{node.passage.title}: {' '.join(body.split())}"
