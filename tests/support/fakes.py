"""Toy parts that implement the protocols, a SearChain made of them, and the lines it leaves in an out file."""

import re
import threading
import time
from inspect import signature

from lab.evaluation.examples import Example, GoldStep
from lab.evaluation.scoring import line_of
from lab.scripted.model import ScriptedModel
from searchain.events import fold
from searchain.pipeline import SearChain
from searchain.reply.no_search import Collection
from searchain.settings import Settings
from searchain.types import SETTLED, Abilities, Hit, Passage, Reading, Span

WIKI = "https://en.wikipedia.org/wiki/"
ABOUT_NINTENDO = "Nintendo Co., Ltd. is a Japanese multinational video game company headquartered in Kyoto."
ABOUT_KYOTO = "Kyoto is a city in the Kansai region of Japan's largest and most populous island of Honshu."
ABOUT_RAINBOWS = (
    "A rainbow is caused by refraction, reflection and dispersion of light in water droplets. "
    "It appears in the section of sky directly opposite the sun."
)
NINTENDO = Passage("nintendo", "Nintendo", ABOUT_NINTENDO, f"{WIKI}Nintendo")
KYOTO = Passage("kyoto", "Kyoto", ABOUT_KYOTO, f"{WIKI}Kyoto")
SEGA = Passage("sega", "Sega", "Sega Corporation is a Japanese video game company based in Shinagawa, Tokyo.")
RAINBOW = Passage("rainbow", "Rainbow", ABOUT_RAINBOWS)


def article(title, description, lead):
    """Return an article of the encyclopedia."""
    return Passage(title, title, f"Short description: {description}.\n{lead}")


CORPUS = (NINTENDO, KYOTO, SEGA, RAINBOW)

TOY_COLLECTION = Collection("toy", 4, "introductions", ("Where is Kyoto?",))

QUESTION = "On which Japanese island is the city where Nintendo has its headquarters?"
CITY = "In which city does Nintendo have its headquarters?"
ISLAND = "On which Japanese island is Kyoto?"


class WordRetriever:
    """Ranks passages by shared words. ``delay`` seconds a search."""

    def __init__(self, passages=CORPUS, delay: float = 0.0) -> None:
        self.passages, self.delay, self.queries = passages, delay, []
        self._lock = threading.Lock()

    def search(self, query: str, k: int) -> list[Hit]:
        time.sleep(self.delay)
        with self._lock:
            self.queries.append(query)
        words = set(re.findall(r"\w+", query.lower()))

        def score(passage):  # a word of the title counts for more
            said = re.findall(r"\w+", passage.text.lower())
            return 5 * len(words & set(passage.title.lower().split())) + len(words & set(said))

        ranked = sorted(self.passages, key=score, reverse=True)
        return [Hit(passage, float(score(passage)), rank) for rank, passage in enumerate(ranked[:k], 1)]


def read_in(passage, answer, confidence, **more):
    """Return the reading of ``answer`` where ``passage`` says it first; of nothing, where it is empty."""
    start = passage.text.index(answer)
    return Reading(answer, Span(start, start + len(answer)) if answer else None, confidence, **more)


KNOWN = {
    "nintendo": {"headquarter": ("Kyoto", 5.0)},
    "kyoto": {"island": ("Honshu", 6.0)},
    "sega": {"Sega": ("Tokyo", 4.0)},
    "rainbow": {"rainbow": ("refraction, reflection and dispersion of light", 3.0)},
}


class KnowingReader:
    """Finds the given answers: ``{passage id: {words of the query: (answer, confidence)}}``; nothing else anywhere."""

    def __init__(self, known=None) -> None:
        self.known = KNOWN if known is None else known

    def read(self, query, passages):
        return [self._read(query, passage) for passage in passages]

    def _read(self, query, passage):
        for words, (answer, confidence) in self.known.get(passage.id, {}).items():
            if words.lower() in query.lower():
                return read_in(passage, answer, confidence)
        return Reading("", None, -5.0)


class Rating:
    """Is sure of what a confident reading settled, and of nothing else; or finds each step as likely right as ``steps``."""

    threshold = 0.9
    is_of_index = True
    second = None

    def __init__(self, steps=None):
        self.steps = steps

    def rated(self, query, hits, readings):
        return list(readings)

    def of_step(self, step, evidence, judgement):
        if judgement.answer is None or evidence.reading is None:
            return None
        is_sure = judgement.verdict in SETTLED and evidence.reading.confidence > 0
        return self.steps or (0.95 if is_sure else 0.4)

    def of_reply(self, question, path, final_answer, direct=None):
        known = [node.probability for node in path]
        return None if None in known or not known else min(known)


class JudgingModel(ScriptedModel):
    """A scripted model that finds every answer as likely right as not, but those in ``finds``.

    It answers yes/no questions with the likelihoods of ``decides``: of yes, no and unknown.
    """

    def __init__(self, *replies, finds=None, decides=(0.4, 0.3, 0.3), **options):
        super().__init__(*replies, **options)
        self.finds, self.decides = finds or {}, decides
        self.judged = []

    def likelihoods(self, messages, words):
        if "Proposed answer: " not in messages[-1].content:
            yes, no, unknown = self.decides
            return self.decides if "unknown" in words else (yes + no, unknown)
        answer = re.search(r"^Proposed answer: (.*)$", messages[-1].content, re.MULTILINE)[1]
        self.judged.append(answer)
        likely = self.finds.get(answer, 0.5)
        return tuple(likely if word == "yes" else 1 - likely for word in words)


class NoReader:
    """Never finds anything."""

    def read(self, query, passages):
        return [Reading("", None, -9.0) for _ in passages]


STEPS = (GoldStep(CITY, "Kyoto", "Nintendo"), GoldStep("On which Japanese island is #1?", "Honshu", "Kyoto"))
TITLES = ("Nintendo", "Kyoto")
EXAMPLE = Example("nintendo", QUESTION, ("Honshu",), "bridge", supporting_titles=TITLES, license="CC0", steps=STEPS)
RUN_HEADER = {"system": "searchain", "data": "toy/dev 0123456789ab", "index": "toy", "model": "scripted"}
RUN_HEADER |= {"task": "by type", "settings": {}, "content": "none"}


def chain_text(*steps, first=1):
    """Write (query, answer) pairs as strict chain text; a step without an answer is unsolved."""
    return "".join(
        f"[Query {number}]: {query}\n" + (f"[Answer {number}]: {answer}\n" if answer else "[Unsolved Query]\n")
        for number, (query, answer) in enumerate(steps, first)
    )


RIGHT_CHAIN = (chain_text((CITY, "Kyoto"), (ISLAND, "Honshu")),)


RATING = Rating()


def around(model, *, retriever=None, reader=None, probability=RATING, profile="default", **named):
    """Make a SearChain of ``model`` and toy parts; ``named`` are further parts and settings."""
    others = {name: named.pop(name) for name in signature(SearChain).parameters if name in named}
    parts = {"retriever": retriever or WordRetriever(), "reader": reader or KnowingReader(), **others}
    return SearChain(model=model, settings=Settings.of(profile, **named), probability=probability, **parts)


def toy_searchain(*replies, reader=None, retriever=None, delay=0.0, abilities=Abilities.CAPABLE, **settings):
    """Make a SearChain of toy parts over the index "toy"; its replies come from the template."""
    model = ScriptedModel(*replies, delay=delay, abilities=abilities)
    return around(model, reader=reader, retriever=retriever, index="toy", **{"reply": "template"} | settings)


def runs_of(model):
    """Return what an Assistant makes its runs of: ``model`` over the toy corpus and the toy Reader."""

    def searchain(settings, index):
        parts = {"retriever": WordRetriever(), "reader": KnowingReader(), "probability": Rating()}
        return SearChain(model=model, settings=settings, index=index, **parts)

    return searchain


def outfile_line(example=EXAMPLE, *replies, check=None, **parts):
    """Run the example and return its line; by default the model's first chain is right."""
    turn = fold(toy_searchain(*(replies or RIGHT_CHAIN), **parts).stream(example.question))
    return {**line_of(example, turn, check), "run": RUN_HEADER}
