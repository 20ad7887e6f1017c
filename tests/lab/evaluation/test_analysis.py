"""Which stage explains a wrong answer."""

import pytest

from lab.evaluation.analysis import analyse, analysis_table, stage_of
from lab.evaluation.examples import Example
from searchain.errors import RateLimited
from searchain.types import Abilities
from tests.support import fakes

PLAIN = Example("plain", fakes.QUESTION, ("Honshu",), "bridge", supporting_titles=("Nintendo", "Kyoto"))
"""Without gold steps."""


def reads(**known):
    return fakes.KnowingReader({name: {"": (answer, 5.0)} for name, answer in known.items()})


def wrong(example=PLAIN, *replies, **parts):
    made = fakes.outfile_line(example, *replies, **parts)
    assert not made["cover_em"]
    return made


ASKED = (fakes.CITY, "Kyoto")
CHAINS = fakes.chain_text(ASKED, (fakes.ISLAND, "Honshu")), fakes.chain_text((fakes.ISLAND, "Kansai"), first=2)
NOT_FOUND = dict(retriever=fakes.WordRetriever([fakes.NINTENDO, fakes.SEGA]), reader=fakes.NoReader())
MISREAD = dict(reader=reads(nintendo="Kyoto", kyoto="Kansai"), abilities=Abilities.SMALL)


@pytest.mark.parametrize(
    ("stage", "made"),
    [
        ("failed", lambda: wrong(PLAIN, RateLimited("busy"))),
        ("verification", lambda: wrong(PLAIN, *CHAINS, **MISREAD)),
        ("planning", lambda: wrong(PLAIN, fakes.chain_text(ASKED))),
        ("model", lambda: wrong(PLAIN, fakes.chain_text(ASKED, (fakes.ISLAND, "Kyushu")), use_ir=False)),
        ("search", lambda: wrong(fakes.EXAMPLE, fakes.chain_text(ASKED, (fakes.ISLAND, "Kyushu")), **NOT_FOUND)),
        (
            "choice of span",
            lambda: wrong(PLAIN, fakes.chain_text(ASKED, (fakes.ISLAND, "Kyushu")), reader=fakes.NoReader()),
        ),
        ("conclusion", lambda: wrong(Example("q", fakes.QUESTION, ("no",), supporting_titles=("Nintendo", "Kyoto")))),
    ],
)
def test_the_first_stage_that_explains_a_run(stage, made):
    assert stage_of(made()) == stage


def node(query, answer, passage, **more):
    read = {"model_answer": None, "reader_answer": answer, "answer": answer, "passage": passage}
    return {"query": query, "on_path": True} | read | more


def hand_made(question, answers, titles, hits, *nodes, steps=(), **more):
    """A line as far as the analysis reads it; ``hits``: title → whether its passage has the answer."""
    found = [{"id": title, "title": title, "has_answer": has} for title, has in hits.items()]
    gold = [{"query": query, "answer": answer, "title": title} for query, answer, title in steps]
    asked = {"question": question, "answers": answers, "supporting_titles": titles, "steps": gold}
    ended = {"status": "answered", "task": "multihop", "cover_em": 0.0, "final_answer": ""}
    return asked | ended | {"tree": {"nodes": nodes}, "searches": [{"hits": found}]} | more


CAPITAL, BIGGER = "what is the capital of Australia", "Which is larger, Baffin Island or Jeju Island?"


def capital(answer, passage="Australia", *last, titles=("Australia",), hits=None, query=CAPITAL, said=None, **more):
    """A line of one step and perhaps a ``last`` one; by default the passage that states the answer was found."""
    step = node(query, answer, passage, model_answer=said)
    return hand_made(CAPITAL, ["Canberra"], [*titles], hits or {"Australia": True}, step, *last, **more)


ISLANDS = {"Baffin Island": True, "Jeju Island": False}
AREAS = (
    ("How large is Baffin Island?", "507,204.95 square kilometres", "Baffin Island"),
    ("How large is Jeju Island?", "1,833.2 km2", "Jeju Island"),
)


def areas(first, second, *last, **more):
    read = zip(ISLANDS, (first, second), strict=True)
    nodes = [node(f"How large is {island}?", answer, island) for island, answer in read]
    return hand_made(BIGGER, ["Baffin Island"], [*ISLANDS], ISLANDS, *nodes, *last, **more)


@pytest.mark.parametrize(
    ("stage", "made"),
    [
        ("planning", capital("x", "Assam", hits={"Assam": False}, query="the capital of which country?")),
        ("search", capital("x", "Assam", hits={"Assam": False})),
        ("choice of passage", capital("Sydney", "Sydney", hits={"Sydney": False, "Australia": True}, answerable=True)),
        ("choice of span", capital("Sydney")),
        *(("kind of answer", capital(read)) for read in ("1788", "two", "Italian", "7.7 million")),
        (
            "kind of answer",  # taken for a claim
            capital("Canberra", "Australia", node(CAPITAL, "SUPPORTS", "Australia"), final_answer="SUPPORTS"),
        ),
        # one of two titles that state the answer is enough
        ("choice of span", capital("Sydney", titles=("Australia", "Canberra"), answerable=True)),
        ("conclusion", areas("507,204.95 km2", "1,833.2 km2")),
        ("choice of span", areas("507,204.95 km2", "73 km", steps=AREAS)),
        ("wording", areas("507,204.95 km2", "1,833.2 km2", node(BIGGER, "Baffin Island", "Baffin Island"))),
        ("verification", capital("Sydney", said="Canberra")),
    ],
)
def test_the_first_stage_that_explains_a_line(stage, made):
    assert stage_of(made) == stage


def test_questions_without_an_answer_in_the_corpus_are_no_errors():
    lost = hand_made(CAPITAL, ["Canberra"], [], {"Sydney": False}, node(CAPITAL, "Sydney", "Sydney"), answerable=False)
    assert (analyse([lost]).questions, analyse([lost | {"answerable": True}]).errors) == (0, 1)


def test_the_table_gives_counts_shares_and_examples():
    lines = [
        fakes.outfile_line(),
        *(wrong(PLAIN, fakes.chain_text(ASKED)) for _ in range(3)),
        wrong(PLAIN, RateLimited("busy")),
    ]
    assert list(analysis_table(analyse(lines), examples=1)) == [
        "4 of 5 questions wrong, by the stage that explains it",
        "failed                 1   25.0 % of the wrong,  20.0 % of all",
        f"    plain: {fakes.QUESTION}",
        "      right: Honshu · answered: nothing",
        "planning               3   75.0 % of the wrong,  60.0 % of all",
        f"    plain: {fakes.QUESTION}",
        "      right: Honshu · answered: Kyoto",
        f"      {fakes.CITY} → Kyoto (agreed, {lines[1]['tree']['nodes'][0]['rule']})",
    ]


def test_untrusted_text_takes_no_terminal_over():
    made = wrong(
        Example("q\x1b[31m", fakes.QUESTION + "\x1b]0;x\x07", ("A\nB",)),
        fakes.chain_text((fakes.CITY, "Kyo\x1bto")),
        reader=fakes.NoReader(),
    )
    told = list(analysis_table(analyse([made])))
    assert len(told) > 3
    assert not any(set(text) & set("\x1b\x07\n") for text in told)
