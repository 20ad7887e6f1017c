"""Lines of an out file, made by the real pipeline from a script, toy passages and a reader that is told what to see."""

from searchain.evaluation.examples import Example, GoldStep
from searchain.evaluation.scoring import line_of
from searchain.events import fold
from searchain.llm.scripted import ScriptedModel
from searchain.pipeline import SearChain
from searchain.settings import Settings
from tests.support.fakes import CITY, ISLAND, QUESTION, KnowingReader, WordRetriever

NINTENDO = Example(
    "nintendo",
    QUESTION,
    ("Honshu",),
    "bridge",
    supporting_titles=("Nintendo", "Kyoto"),
    license="CC0",
    steps=(GoldStep(CITY, "Kyoto", "Nintendo"), GoldStep("On which Japanese island is #1?", "Honshu", "Kyoto")),
)
RUN = {
    "system": "searchain",
    "data": "toy/dev 0123456789ab",
    "index": "toy",
    "model": "scripted",
    "task": "by type",
    "settings": {},
    "content": "none",
}


def chain(*steps, first=1):
    """Strict chain text of (query, answer) pairs."""
    return "".join(
        f"[Query {number}]: {query}\n" + (f"[Answer {number}]: {answer}\n" if answer else "[Unsolved Query]\n")
        for number, (query, answer) in enumerate(steps, first)
    )


RIGHT = (chain((CITY, "Kyoto"), (ISLAND, "Honshu")),)


def searchain(*replies, reader=None, retriever=None, delay=0.0, **settings):
    """SearChain over toy parts, whose reply is the template's."""
    return SearChain(
        model=ScriptedModel(*replies, delay=delay),
        retriever=retriever or WordRetriever(),
        reader=reader or KnowingReader(),
        index="toy",
        settings=Settings.of(reply="template", **settings),
    )


def line(example=NINTENDO, *replies, check=None, **parts):
    """The example's line; by default the chain is right at once."""
    turn = fold(searchain(*(replies or RIGHT), **parts).stream(example.question))
    return {**line_of(example, turn, check), "run": RUN}
