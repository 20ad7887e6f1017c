"""The fixed words for what is asked, who answers, and how it went: of a question, a model, a step, a reply, a run."""

from __future__ import annotations

from enum import StrEnum


class TaskKind(StrEnum):
    """What a question asks for; decides the prompt family and how answers are compared."""

    MULTIHOP = "multihop"
    SLOTS = "slots"
    """What a relation gives to a subject: “What is the capital of Portugal?”"""
    YESNO = "yesno"
    FACTCHECK = "factcheck"
    LONGFORM = "longform"
    LIST = "list"
    """Several things: the answer is the whole enumeration."""
    COMPARE = "compare"
    """Two things beside one another, in the sentences of their articles."""
    DEFINE = "define"
    """What one thing is, in the sentences of its article."""

    @property
    def base(self) -> TaskKind:
        """The kind in whose way it is answered where it gets no reply of its own."""
        return _BASES.get(self, self)


_BASES = {TaskKind.LIST: TaskKind.MULTIHOP, TaskKind.COMPARE: TaskKind.LONGFORM, TaskKind.DEFINE: TaskKind.LONGFORM}


class Abilities(StrEnum):
    """How much a language model does well by itself. What it does not, the program does (``settings.Strategy``)."""

    CAPABLE = "capable"
    """It plans, compares, words what passages say, and reads them more surely than the Reader."""
    SMALL = "small"
    """An instruct model of one or two billion parameters: its chains run on and echo the prompt's examples, and its
    comparisons end in a bare value."""
    TRAINED = "trained"
    """A model of 135 million parameters that learnt the forms: it plans from brief prompts, and words nothing."""


class Verdict(StrEnum):
    """What became of one node of the chain when it met the evidence."""

    AGREED = "agreed"
    CORRECTED = "corrected"
    COMPLETED = "completed"
    DISPUTED = "disputed"
    """The model keeps to its answer, and a confident reading of the passage says otherwise."""
    UNCONFIRMED = "unconfirmed"


STRICTER = 0.85
"""The probability that ticks what was measured less: an index or a language model of one's own, and sentences that were
not read a second time. Nearly all replies of this probability were right with the embedded parts."""
SETTLED = frozenset({Verdict.AGREED, Verdict.CORRECTED, Verdict.COMPLETED})
"""What evidence has decided."""


class Support(StrEnum):
    """How far the evidence carries one reply sentence, from nothing to verified."""

    NONE = "none"
    """The model's own knowledge: no citation."""
    WEAK = "weak"
    COMPLETED = "completed"
    CORRECTED = "corrected"
    VERIFIED = "verified"


class Status(StrEnum):
    """How a run ended."""

    ANSWERED = "answered"
    """A final answer, and every step of the path settled."""
    PARTIAL = "partial"
    NOT_FOUND = "not_found"
    STOPPED = "stopped"
    """Somebody pressed stop; what was found so far is kept."""
    FAILED = "failed"
    """The program or a service it needs could not go on; ``RunFinished.message`` says why."""
    INTERRUPTED = "interrupted"
    """The process that owned the run died."""


class Outcome(StrEnum):
    """How far a finished reply can be believed. A run that did not finish has none."""

    SUPPORTED = "supported"
    """Its probability reaches the threshold: of all such answers nine in ten are right."""
    UNSURE = "unsure"
    """An answer that is not supported."""
    NOT_FOUND = "not_found"
    """No answer."""
    NO_SEARCH = "no_search"
    """Nothing that a library can be asked, such as a greeting."""
