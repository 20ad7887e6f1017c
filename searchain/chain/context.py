"""What the parts of one run share: its question, its settings, and the tree and the dialogue that it grows."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass

from searchain.cancel import CancelToken
from searchain.chain.dialogue import Dialogue
from searchain.chain.tree import Tree
from searchain.language.same_query import Similarity
from searchain.reading.lookup import Lookups
from searchain.settings import Settings
from searchain.types import Evidence, Message, TaskKind
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
    cancel: CancelToken
    opening: tuple[Message, ...] = ()
    """What the model is told before the question, in the place of the prompt for its kind."""
    lookups: Lookups | None = None
    """``None``: the run retrieves nothing, or has done so already."""
    direct: Future[Evidence] | None = None
    """What the question itself finds, looked up while the model plans; ``None`` where nobody weighs it."""
    similarity: Similarity | None = None
    probability: Probability | None = None
    """``None``: how likely answers are right was never measured for these parts."""

    @property
    def program_helps(self) -> bool:
        """Whether the model is too small to compare, explain or answer by itself, so that the program does."""
        return self.dialogue.program_helps

    @property
    def program_answers(self) -> bool:
        """Whether the program takes the short answer from the steps in the place of the model."""
        return self.program_helps and self.settings.method.program_may_answer

    @property
    def explains(self) -> bool:
        """Whether the reply is made of the passages' own sentences: they explain better than a small model."""
        return self.program_answers and self.task is TaskKind.LONGFORM
