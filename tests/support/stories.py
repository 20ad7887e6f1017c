"""Stories told in events: what a run could have said, for tests that need no model and no index."""

from __future__ import annotations

from searchain.events import (
    BranchOpened,
    ChainDelta,
    Event,
    FeedbackSent,
    NodeJudged,
    NodeParsed,
    NodeRead,
    ReplyDelta,
    RoundStarted,
    RunFinished,
    RunStarted,
    Searched,
    SentenceBound,
    TaskChosen,
    TracingStarted,
)
from searchain.types import (
    Hit,
    Mark,
    Passage,
    Reading,
    Sentence,
    Source,
    Span,
    Status,
    Support,
    TaskKind,
    Usage,
    Verdict,
)

QUESTION = "On which Japanese island is the city where Nintendo has its headquarters?"
NINTENDO = Passage(
    "p1",
    "Nintendo",
    "Nintendo Co., Ltd. is a Japanese multinational video game company headquartered in "
    "Kyoto. It develops, publishes, and manufactures both video games and video game consoles.",
    "https://en.wikipedia.org/wiki/Nintendo",
)
KYOTO = Passage(
    "p2",
    "Kyoto",
    "Kyoto, officially Kyoto City, is the capital city of Kyoto Prefecture in the Kansai region of "
    "Japan's largest and most populous island of Honshu. As of 2020, the city had a population of 1.46 million.",
)


def span(passage: Passage, text: str) -> Span:
    start = passage.text.index(text)
    return Span(start, start + len(text))


def started(question: str) -> tuple[Event, ...]:
    return (
        RunStarted(question=question, model="a scripted model", index="default", profile="default", settings={}),
        TaskChosen(task=TaskKind.MULTIHOP, by="rule"),
    )


def found(node: str, query: str, passage: Passage, answer: str, confidence: float) -> tuple[Event, ...]:
    return (
        Searched(node=node, query=query, hits=(Hit(passage, 21.5, 1),), seconds=0.02),
        NodeRead(
            node=node,
            passage=passage.id,
            rank=1,
            reading=Reading(answer, span(passage, answer), confidence),
            seconds=0.05,
        ),
    )


def reply(*sentences: tuple[str, Support]) -> tuple[SentenceBound, ...]:
    """The sentences bound one after the other, with a space between; their marks are the ``[n]`` in their texts."""
    bound, at = [], 0
    for text, support in sentences:
        marks = tuple(
            Mark(n, at + text.index(f"[{n}]"), at + text.index(f"[{n}]") + 3) for n in range(1, 10) if f"[{n}]" in text
        )
        bound.append(SentenceBound(sentence=Sentence(text, at, at + len(text), marks, support)))
        at += len(text) + 1
    return tuple(bound)


def nintendo(question: str = QUESTION) -> tuple[Event, ...]:
    """Two rounds: Tokyo is corrected to Kyoto, then the open island is completed; one sentence is the model's own."""
    first, second = "Where is the headquarters of Nintendo?", "On which island is Kyoto?"
    sources = (
        Source(1, NINTENDO, span(NINTENDO, "Kyoto"), 6.21, first, Verdict.CORRECTED, "n3"),
        Source(2, KYOTO, span(KYOTO, "Honshu"), 5.87, second, Verdict.COMPLETED, "n4"),
    )
    one, two, three = reply(
        ("Nintendo has its headquarters in Kyoto [1].", Support.CORRECTED),
        ("Kyoto lies on Honshu [2].", Support.COMPLETED),
        ("Honshu is the largest island of Japan.", Support.NONE),
    )
    return (
        *started(question),
        RoundStarted(round=1),
        ChainDelta(round=1, text="[Query 1]: Where is the head"),
        ChainDelta(round=1, text="quarters of Nintendo?\n"),
        ChainDelta(round=1, text="[Answer 1]: Tokyo\n"),
        NodeParsed(node="n1", parent=None, round=1, query=first, answer="Tokyo"),
        ChainDelta(round=1, text="[Query 2]: On which island is To"),
        ChainDelta(round=1, text="kyo?\n[Answer 2]: Honshu\n"),
        NodeParsed(node="n2", parent="n1", round=1, query="On which island is Tokyo?", answer="Honshu"),
        *found("n1", first, NINTENDO, "Kyoto", 6.21),
        NodeJudged(node="n1", verdict=Verdict.CORRECTED, rule="different", before="Tokyo", after="Kyoto"),
        FeedbackSent(node="n1", kind="verification", text="According to the Reference, the answer should be Kyoto."),
        BranchOpened(node="n3", mends="n1", parent=None, round=2, query=first, answer="Kyoto"),
        RoundStarted(round=2),
        NodeJudged(node="n3", verdict=Verdict.CORRECTED, rule="different", before="Kyoto", after="Kyoto", same_as="n1"),
        ChainDelta(round=2, text="[Query 1]: Where is the headquarters of Nintendo?\n[Answer 1]: Kyoto\n"),
        ChainDelta(round=2, text="[Query 2]: On which island "),
        ChainDelta(round=2, text="is Kyoto?\n[Unsolved Query]\n"),
        NodeParsed(node="n4", parent="n3", round=2, query=second, answer=None),
        *found("n4", second, KYOTO, "Honshu", 5.87),
        NodeJudged(node="n4", verdict=Verdict.COMPLETED, rule="read", before=None, after="Honshu"),
        TracingStarted(path=("n3", "n4"), writer="model"),
        ReplyDelta(text="Nintendo has its headquarters "),
        ReplyDelta(text="in Kyoto [1].", sources=sources[:1]),
        one,
        ReplyDelta(text=" Kyoto lies on "),
        ReplyDelta(text="Honshu [2].", sources=sources[1:]),
        two,
        ReplyDelta(text=" Honshu is the largest island of Japan."),
        three,
        RunFinished(
            status=Status.ANSWERED, final_answer="Honshu", invented_markers=0, usage=Usage(llm_calls=3, seconds=3.2)
        ),
    )
