"""The enumerations of the method: kinds of questions, models, verdicts, support and outcomes."""

from __future__ import annotations

from enum import StrEnum


class TaskKind(StrEnum):
    """The kind of a question, which decides the prompts and how answers are compared."""

    MULTIHOP = "multihop"
    SLOTS = "slots"
    """The object of a relation and a subject: “What is the capital of Portugal?”"""
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
        """The kind as which it is answered if it gets no special reply."""
        return _BASES.get(self, self)


_BASES = {TaskKind.LIST: TaskKind.MULTIHOP, TaskKind.COMPARE: TaskKind.LONGFORM, TaskKind.DEFINE: TaskKind.LONGFORM}


class Abilities(StrEnum):
    """How much a language model does well by itself. The program does the rest (``settings.Strategy``)."""

    CAPABLE = "capable"
    """It plans, compares, summarises passages, and reads them better than the Reader."""
    SMALL = "small"
    """An instruct model of one or two billion parameters: its chains run on and echo the prompt's examples, and its
    comparisons end in a bare value."""
    TRAINED = "trained"
    """A model of 135 million parameters trained on the forms: it plans from brief prompts, but writes no free text."""


class Verdict(StrEnum):
    """The result of comparing one node of the chain with its evidence."""

    AGREED = "agreed"
    CORRECTED = "corrected"
    COMPLETED = "completed"
    DISPUTED = "disputed"
    """The model keeps its answer against a confident reading of the passage."""
    UNCONFIRMED = "unconfirmed"


STRICTER = 0.85
"""The least probability for a tick where less was measured: with an own index or language model. With the embedded
parts nearly all replies of this probability were right."""
SETTLED = frozenset({Verdict.AGREED, Verdict.CORRECTED, Verdict.COMPLETED})
"""The verdicts of nodes that the evidence decided."""


class Support(StrEnum):
    """Whether the cited source says what one sentence of a reply says. It does not tell whether that is the answer."""

    QUOTED = "quoted"
    """The sentence stands in the source word for word."""
    SUPPORTED = "supported"
    """The support check finds it carried by what it cites."""
    PARTLY = "partly"
    """The source says some of it; ``Sentence.uncarried`` are the words that it does not."""
    UNSUPPORTED = "unsupported"
    """It cites a source that does not say it."""
    CONTRADICTED = "contradicted"
    """A passage says otherwise; ``Sentence.uncarried`` are the words that it contradicts. Of checked texts alone."""
    ABSENT = "absent"
    """No passage that was found speaks of it. Of checked texts alone."""
    OWN = "own"
    """It cites nothing: the model's or the program's own words."""

    # the states of replies stored by older versions, which said how the cited step had been settled
    VERIFIED = "verified"
    CORRECTED = "corrected"
    COMPLETED = "completed"
    WEAK = "weak"
    NONE = "none"

    @property
    def is_carried(self) -> bool:
        """Whether the source says the whole sentence."""
        return self in (Support.QUOTED, Support.SUPPORTED, Support.VERIFIED, Support.CORRECTED, Support.COMPLETED)


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


ENDED = (Status.ANSWERED, Status.PARTIAL, Status.NOT_FOUND)
"""Statuses of runs that came to their end."""


class Outcome(StrEnum):
    """How reliable a finished reply is. A run that did not finish has no outcome."""

    SUPPORTED = "supported"
    """Its probability reaches the threshold: of all such answers nine in ten are right."""
    QUOTED = "quoted"
    """An explanation, comparison or definition whose sentences are all carried by their sources."""
    UNSURE = "unsure"
    """An answer that was rated below the threshold, or that something speaks against."""
    UNRATED = "unrated"
    """An answer of a kind that was never measured."""
    ASKS = "asks"
    """The question leaves open what is meant, so the reply asks back and names what was found for each meaning."""
    NOT_FOUND = "not_found"
    """No answer."""
    NO_SEARCH = "no_search"
    """The input needs no search, such as a greeting."""
