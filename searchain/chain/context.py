"""What the parts of one run share: its question, its settings, and the tree and the dialogue that it grows."""

from __future__ import annotations

from concurrent.futures import Future, wait
from dataclasses import dataclass

from searchain.cancel import CancelToken
from searchain.chain.dialogue import BudgetSpent, Dialogue
from searchain.chain.help import Help
from searchain.chain.tree import Tree
from searchain.language.same_query import Similarity, same_query
from searchain.reading.lookup import Lookups
from searchain.settings import Settings
from searchain.types import Evidence, Message, Reading, TaskKind
from searchain.verification.probability import Probability


@dataclass(frozen=True, slots=True, kw_only=True)
class RunContext:
    """One run, from the moment its question is understood. Only the tree and the dialogue change."""

    question: str
    """Standalone: of a follow-up, the question that it stands for."""
    task: TaskKind
    settings: Settings
    tree: Tree
    dialogue: Dialogue
    help: Help
    cancel: CancelToken
    opening: tuple[Message, ...] = ()
    """What the model is told before the question, in the place of the prompt for its kind."""
    lookups: Lookups | None = None
    """``None``: the run retrieves nothing, or has done so already."""
    direct: Future[Evidence] | None = None
    """What the question itself finds, looked up while the model plans; ``None`` where nobody weighs it."""
    examples: tuple[str, ...] = ()
    """The queries of the examples in the prompt."""
    similarity: Similarity | None = None
    probability: Probability | None = None
    """``None``: how likely answers are right was never measured for these parts."""

    def wait(self, future: Future[Evidence]) -> Evidence:
        """Return the evidence, as soon as it is there.

        Raises:
            RetrievalError, ReaderError, Cancelled; BudgetSpent: the run has no more seconds to wait.
        """
        while not future.done():
            self.cancel.check()
            if self.dialogue.seconds >= self.settings.max_seconds:
                raise BudgetSpent
            wait([future], timeout=0.05)
        return future.result()

    @property
    def weighed(self) -> Reading | None:
        """What the question itself found, where it stands beside a chain that does not ask it."""
        asks_it = any(same_query(node.query, self.question, self.similarity) for node in self.tree.path())
        return self.direct.result().reading if self.direct and self.direct.done() and not asks_it else None

    @property
    def model_replies(self) -> bool:
        """Whether the model writes the reply: where that is set, and else where it words replies well enough."""
        if self.settings.reply is not None:
            return self.settings.reply == "model"
        return not (self.help.quotes and self.settings.use_ir)

    @property
    def explains(self) -> bool:
        """Whether the reply is an explanation in the passages' own sentences."""
        return self.help.quotes and self.task is TaskKind.LONGFORM
