"""The context of one run: its question, settings and parts, and the tree and dialogue that grow during it."""

from concurrent.futures import Future, wait
from dataclasses import dataclass

from searchain.cancel import CancelToken
from searchain.chain.dialogue import BudgetSpent, Dialogue
from searchain.chain.tree import Tree
from searchain.language.questions import wants_label
from searchain.language.same_query import Similarity, same_query
from searchain.question.follow_ups import BY_WORDS, Resolver
from searchain.reading.lookup import Lookups
from searchain.settings import Settings, Strategy
from searchain.types import Evidence, Message, Reading, Step, TaskKind
from searchain.verification.large_reading import LargeRead
from searchain.verification.probability import Probability


@dataclass(frozen=True, slots=True, kw_only=True)
class RunContext:
    """The context of one run, made when its question is understood. Only the tree and the dialogue change."""

    question: str
    """The standalone question: a follow-up is already rewritten."""
    before: str = ""
    """The questions that ``question`` refers to, where it could not be made standalone; else ``""``."""
    parts: tuple[str, ...] = ()
    """The things that ``question`` asks for, where they are several."""
    task: TaskKind
    settings: Settings
    tree: Tree
    dialogue: Dialogue
    strategy: Strategy
    cancel: CancelToken
    opening: tuple[Message, ...] = ()
    """Messages that open the dialogue instead of the prompt for the task."""
    lookups: Lookups | None = None
    """The look-ups of queries; ``None``: the run retrieves nothing, or has already done so."""
    direct: Future[Evidence] | None = None
    """The look-up of the question itself, which runs while the model plans; ``None`` where it is not used."""
    expected: float = 1.0
    """How likely the question needs more than one look-up, 0–1; 1 if it was not estimated."""
    similarity: Similarity | None = None
    resolver: Resolver = BY_WORDS
    """Makes a part of the question standalone."""
    probability: Probability | None = None
    """The estimate of how likely an answer is right; ``None``: it was not measured for this model and Reader."""

    @property
    def asked(self) -> str:
        """The question, behind those that it refers to."""
        return f"{self.before} {self.question}".lstrip()

    def wants_label(self, step: Step) -> bool:
        """Tell whether ``step`` is answered with a label (yes, no, SUPPORTS, REFUTES)."""
        return wants_label(step, self.task, self.question)

    def wait(self, future: Future[Evidence]) -> Evidence:
        """Wait for the evidence of a look-up and return it.

        Raises ``RetrievalError``, ``ReaderError`` or ``Cancelled``, and ``BudgetSpent`` if the run's seconds are used
        up.
        """
        while not future.done():
            self.cancel.check()
            if self.dialogue.seconds >= self.settings.max_seconds:
                raise BudgetSpent("max_seconds")
            wait([future], timeout=0.05)
        return future.result()

    @property
    def weighed(self) -> Reading | None:
        """The reading found by looking up the question itself, if it has arrived and no step asks the question."""
        asks_it = any(same_query(node.query, self.question, self.similarity) for node in self.tree.path())
        return self.direct.result().reading if self.direct and self.direct.done() and not asks_it else None

    @property
    def large_read(self) -> LargeRead | None:
        """The large Reader that the probability uses; ``None`` if it uses none."""
        return self.probability.second if self.probability else None

    @property
    def model_replies(self) -> bool:
        """Whether the model writes the reply: by the setting ``reply``, else by the run's strategy."""
        if self.settings.reply is not None:
            return self.settings.reply == "model"
        return not (self.strategy.writes and self.settings.use_ir)

    @property
    def explains(self) -> bool:
        """Whether the reply is an explanation built from the passages' own sentences."""
        return self.strategy.writes and self.task is TaskKind.LONGFORM
