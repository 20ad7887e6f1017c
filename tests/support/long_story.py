"""A long story: twelve nodes in three rounds, two corrections, long names and passages, a second script, weak steps."""

from __future__ import annotations

from searchain.events import (
    BranchOpened,
    Event,
    FeedbackSent,
    NodeJudged,
    NodeParsed,
    NodeRead,
    ReplyDelta,
    RoundStarted,
    RunFinished,
    Searched,
    TracingStarted,
)
from searchain.types import Hit, Passage, Reading, Source, Status, Support, Usage, Verdict
from tests.support.stories import reply, span, started

WORD = "Donaudampfschiffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"
PEAK, HEIGHT = (
    "What is the highest mountain on Earth?",
    "How high is Mount Everest by the newest measurement that both sides agree on?",
)
CAPITAL, FOUNDED = "ما هي عاصمة مصر؟", f"When was the {WORD} founded?"
EVEREST = Passage(
    "everest",
    "Mount Everest",
    "Mount Everest is Earth's highest mountain above sea level, in the Mahalangur Himal. "
    + "Its slopes lie in two countries and are climbed from both. " * 8
    + "Its height of 8,848.86 m was established in 2020. "
    + " ".join(["Hundreds of people try to climb it every year."] * 12),
    "https://example.org/everest",
)
CAIRO = Passage("cairo", "القاهرة", "القاهرة هي عاصمة جمهورية مصر العربية وأكبر مدنها.")
COMPANY = Passage(
    "company",
    f"{WORD} and its many successors in the administration of river navigation",
    f"The {WORD} was founded in 1829 in Vienna.",
)
OTHERS = tuple(
    Passage(f"other{number}", f"Another page {number}", f"What page {number} says. " * (4 if number else 60))
    for number in range(8)
)


def everest(question: str = "How high is the highest mountain?") -> tuple[Event, ...]:
    """The first correction mends n2 (n3 is set aside with it), the second n6; n8 to n12 stay unconfirmed."""
    sources = (
        Source(1, EVEREST, span(EVEREST, "Mount Everest"), 7.1, PEAK, Verdict.AGREED, "n1"),
        Source(2, EVEREST, span(EVEREST, "8,848.86 m"), 5.2, HEIGHT, Verdict.CORRECTED, "n4"),
        Source(3, CAIRO, span(CAIRO, "القاهرة"), 6.0, CAPITAL, Verdict.COMPLETED, "n5"),
        Source(4, COMPANY, span(COMPANY, "1829"), 4.4, FOUNDED, Verdict.CORRECTED, "n7"),
        Source(5, OTHERS[0], None, -1.0, "What is step 8?", Verdict.UNCONFIRMED, "n8"),
    )
    said = (
        ("The highest mountain is Mount Everest [1].", Support.VERIFIED),
        ("It is 8,848.86 m high [1][2].", Support.CORRECTED),
        ("عاصمة مصر هي القاهرة [3].", Support.COMPLETED),
        ("The company was founded in 1829 [4].", Support.CORRECTED),
        ("Step eight may hold [5].", Support.WEAK),
        ("All of this is well known.", Support.NONE),
    )
    return (
        *started(question),
        RoundStarted(round=1),
        *_node("n1", None, PEAK, "Mount Everest", EVEREST, "Mount Everest", 7.1, Verdict.AGREED, "same text", 1),
        *_node("n2", "n1", HEIGHT, "8,844 m", EVEREST, "8,848.86 m", 5.2, Verdict.CORRECTED, "number", 1),
        NodeParsed(node="n3", parent="n2", round=1, query="What else is 8,844 m high?", answer="nothing"),
        *_mend("n2", "n4", "n1", HEIGHT, "8,848.86 m", 2),
        *_node("n5", "n4", CAPITAL, None, CAIRO, "القاهرة", 6.0, Verdict.COMPLETED, "read", 2),
        *_node("n6", "n5", FOUNDED, "1830", COMPANY, "1829", 4.4, Verdict.CORRECTED, "number", 2),
        *_mend("n6", "n7", "n5", FOUNDED, "1829", 3),
        *(
            event
            for at in range(8, 13)
            for event in _node(
                f"n{at}",
                f"n{at - 1}",
                f"What is step {at}?",
                "an answer",
                OTHERS[at - 8],
                "",
                -1.0,
                Verdict.UNCONFIRMED,
                "no answer found",
                3,
            )
        ),
        TracingStarted(path=("n1", "n4", "n5", *(f"n{at}" for at in range(7, 13))), writer="model"),
        ReplyDelta(text=" ".join(text for text, _ in said), sources=sources),
        *reply(*said),
        RunFinished(
            status=Status.PARTIAL,
            final_answer="8,848.86 m",
            invented_markers=0,
            usage=Usage(llm_calls=5, seconds=12.3),
            message="open: What is step 8?",
        ),
    )


def _node(
    id: str,
    parent: str | None,
    query: str,
    said: str | None,
    passage: Passage,
    read: str,
    confidence: float,
    verdict: Verdict,
    rule: str,
    round: int,
) -> tuple[Event, ...]:
    hits = tuple(Hit(each, 20.0 - rank, rank) for rank, each in enumerate((passage, *OTHERS[4:]), 1))
    return (
        NodeParsed(node=id, parent=parent, round=round, query=query, answer=said),
        Searched(node=id, query=query, hits=hits, seconds=0.1),
        NodeRead(
            node=id,
            passage=passage.id,
            rank=1,
            seconds=0.1,
            reading=Reading(read, span(passage, read) if read else None, confidence),
        ),
        NodeJudged(node=id, verdict=verdict, rule=rule, before=said, after=read or said),
    )


def _mend(old: str, new: str, parent: str, query: str, answer: str, round: int) -> tuple[Event, ...]:
    return (
        FeedbackSent(node=old, kind="verification", text=f"According to the Reference, the answer should be {answer}."),
        BranchOpened(node=new, mends=old, parent=parent, round=round, query=query, answer=answer),
        RoundStarted(round=round),
        NodeJudged(node=new, verdict=Verdict.CORRECTED, rule="number", before=answer, after=answer, same_as=old),
    )
