"""Which stage explains a wrong answer."""

import pytest

from lab.evaluation.analysis import STAGES, analyse, analysis_table, stage_of
from lab.evaluation.examples import Example, GoldStep
from searchain.errors import RateLimited
from searchain.types import Abilities
from tests.support.fakes import (
    CITY,
    EXAMPLE,
    ISLAND,
    NINTENDO,
    QUESTION,
    SEGA,
    KnowingReader,
    NoReader,
    WordRetriever,
    chain_text,
    outfile_line,
)

PLAIN = Example("plain", QUESTION, ("Honshu",), "bridge", supporting_titles=("Nintendo", "Kyoto"))
"""Without gold steps."""


def reads(**known):
    return KnowingReader({name: {"": (answer, 5.0)} for name, answer in known.items()})


def wrong(example=PLAIN, *replies, **parts):
    made = outfile_line(example, *replies, **parts)
    assert not made["cover_em"]
    return made


@pytest.mark.parametrize(
    ("stage", "made"),
    [
        ("failed", lambda: wrong(PLAIN, RateLimited("busy"))),
        (
            "verification",
            lambda: wrong(
                PLAIN,
                chain_text((CITY, "Kyoto"), (ISLAND, "Honshu")),
                chain_text((ISLAND, "Kansai"), first=2),
                reader=reads(nintendo="Kyoto", kyoto="Kansai"),
                abilities=Abilities.SMALL,
            ),
        ),
        (
            "planning",  # a step after the answer
            lambda: wrong(
                PLAIN, chain_text((CITY, "Kyoto"), (ISLAND, "Honshu"), ("What is Kyoto?", "a city")), reader=NoReader()
            ),
        ),
        ("model", lambda: wrong(PLAIN, chain_text((CITY, "Kyoto"), (ISLAND, "Kyushu")), use_ir=False)),
        (
            "search",
            lambda: wrong(
                PLAIN,
                chain_text((CITY, "Osaka"), (ISLAND, "Kyushu")),
                retriever=WordRetriever([SEGA]),
                reader=NoReader(),
            ),
        ),
        (
            "search",
            lambda: wrong(
                Example("q", QUESTION, ("Honshu",)),
                chain_text((CITY, "Kyoto"), (ISLAND, "Kyushu")),
                retriever=WordRetriever([SEGA]),
                reader=NoReader(),
            ),
        ),
        ("planning", lambda: wrong(PLAIN, chain_text((CITY, "Kyoto")))),
        (
            "planning",
            lambda: wrong(
                PLAIN,
                chain_text((CITY, "Kyoto"), ("What is Sega?", "Tokyo")),
                retriever=WordRetriever([SEGA, NINTENDO]),
                reader=NoReader(),
            ),
        ),
        ("choice of span", lambda: wrong(PLAIN, chain_text((CITY, "Kyoto"), (ISLAND, "Kyushu")), reader=NoReader())),
        (
            "search",
            lambda: wrong(
                EXAMPLE,
                chain_text((CITY, "Kyoto"), (ISLAND, "Kyushu")),
                retriever=WordRetriever([NINTENDO, SEGA]),
                reader=NoReader(),
            ),
        ),
        ("conclusion", lambda: wrong(Example("q", QUESTION, ("no",), supporting_titles=("Nintendo", "Kyoto")))),
        (
            "conclusion",
            lambda: wrong(
                Example(
                    "q",
                    QUESTION,
                    ("Japan's main island",),
                    supporting_titles=("Nintendo", "Kyoto"),
                    steps=(GoldStep(CITY, "Kyoto", "Nintendo"), GoldStep(ISLAND, "Honshu", "Kyoto")),
                )
            ),
        ),
    ],
)
def test_the_first_stage_that_explains_a_run(stage, made):
    assert stage_of(made()) == stage


def node(query, answer, passage, **more):
    return {
        "query": query,
        "model_answer": None,
        "reader_answer": answer,
        "answer": answer,
        "passage": passage,
        "on_path": True,
    } | more


def hand_made(question, answers, titles, hits, *nodes, steps=(), **more):
    """A line as far as the analysis reads it; ``hits``: title → whether its passage has the answer."""
    found = [{"id": title, "title": title, "has_answer": has} for title, has in hits.items()]
    return {
        "status": "answered",
        "task": "multihop",
        "cover_em": 0.0,
        "question": question,
        "final_answer": "",
        "answers": answers,
        "supporting_titles": titles,
        "steps": [{"query": query, "answer": answer, "title": title} for query, answer, title in steps],
        "tree": {"nodes": nodes},
        "searches": [{"hits": found}],
    } | more


CAPITAL, BIGGER = "what is the capital of Australia", "Which is larger, Baffin Island or Jeju Island?"
ISLANDS = {"Baffin Island": True, "Jeju Island": False}
AREAS = (
    ("How large is Baffin Island?", "507,204.95 square kilometres", "Baffin Island"),
    ("How large is Jeju Island?", "1,833.2 km2", "Jeju Island"),
)


def areas(first, second, *last, **more):
    return hand_made(
        BIGGER,
        ["Baffin Island"],
        ["Baffin Island", "Jeju Island"],
        ISLANDS,
        node("How large is Baffin Island?", first, "Baffin Island"),
        node("How large is Jeju Island?", second, "Jeju Island"),
        *last,
        **more,
    )


@pytest.mark.parametrize(
    ("stage", "made"),
    [
        (
            "planning",  # the subject is lost
            hand_made(
                CAPITAL,
                ["Canberra"],
                ["Australia"],
                {"Assam": False},
                node("the capital of which country?", "x", "Assam"),
            ),
        ),
        ("search", hand_made(CAPITAL, ["Canberra"], ["Australia"], {"Assam": False}, node(CAPITAL, "x", "Assam"))),
        (
            "search",  # the title was found, but what is needed stands in none of its passages
            hand_made(
                CAPITAL,
                ["Canberra"],
                ["Australia"],
                {"Australia": False},
                node(CAPITAL, "x", "Australia"),
                answerable=True,
            ),
        ),
        (
            "choice of passage",
            hand_made(
                CAPITAL,
                ["Canberra"],
                ["Australia"],
                {"Sydney": False, "Australia": True},
                node(CAPITAL, "Sydney", "Sydney"),
                answerable=True,
            ),
        ),
        (
            "choice of span",
            hand_made(CAPITAL, ["Canberra"], ["Australia"], {"Australia": True}, node(CAPITAL, "Sydney", "Australia")),
        ),
        (
            "choice of span",
            hand_made(CAPITAL, ["Canberra"], ["Australia"], {"Australia": True}, node(CAPITAL, None, "Australia")),
        ),
        *(
            (
                "kind of answer",
                hand_made(CAPITAL, ["Canberra"], ["Australia"], {"Australia": True}, node(CAPITAL, read, "Australia")),
            )
            for read in ("1788", "two", "Italian", "7.7 million")
        ),
        (
            "kind of answer",  # taken for a claim
            hand_made(
                CAPITAL,
                ["Canberra"],
                ["Australia"],
                {"Australia": True},
                node(CAPITAL, "Canberra", "Australia"),
                node(CAPITAL, "SUPPORTS", "Australia"),
                final_answer="SUPPORTS",
            ),
        ),
        (
            "choice of span",  # one of two titles that state the answer is enough
            hand_made(
                CAPITAL,
                ["Canberra"],
                ["Australia", "Canberra"],
                {"Australia": True},
                node(CAPITAL, "Sydney", "Australia"),
                answerable=True,
            ),
        ),
        ("conclusion", areas("507,204.95 km2", "1,833.2 km2", steps=AREAS)),
        ("conclusion", areas("507,204.95 km2", "1,833.2 km2")),
        ("conclusion", areas("507,204.95 km2", "1,833.2 km2", node(BIGGER, "1,833.2 km2", "Jeju Island"), steps=AREAS)),
        ("choice of span", areas("507,204.95 km2", "73 km", steps=AREAS)),
        ("kind of answer", areas("507,204.95 km2", "volcanic", steps=AREAS)),
        ("wording", areas("507,204.95 km2", "1,833.2 km2", node(BIGGER, "Baffin Island", "Baffin Island"))),
        (
            "verification",
            hand_made(
                CAPITAL,
                ["Canberra"],
                ["Australia"],
                {"Australia": True},
                node(CAPITAL, "Sydney", "Australia", model_answer="Canberra"),
            ),
        ),
    ],
)
def test_the_first_stage_that_explains_a_line(stage, made):
    assert stage_of(made) == stage


def test_questions_without_an_answer_in_the_corpus_are_no_errors():
    lost = hand_made(CAPITAL, ["Canberra"], [], {"Sydney": False}, node(CAPITAL, "Sydney", "Sydney"), answerable=False)
    assert (analyse([lost]).questions, analyse([lost | {"answerable": True}]).errors) == (0, 1)


def test_right_answers_and_long_ones_are_no_errors():
    lines = [
        outfile_line(),
        wrong(PLAIN, chain_text((CITY, "Kyoto"))),
        {**wrong(PLAIN, chain_text((CITY, "Kyoto"))), "task": "longform"},
    ]
    found = analyse(lines)
    assert (found.questions, found.errors, list(found.wrong)) == (2, 1, list(STAGES))
    assert found.wrong["planning"] == (lines[1],)


def test_the_table_gives_counts_shares_and_examples():
    lines = [
        outfile_line(),
        *(wrong(PLAIN, chain_text((CITY, "Kyoto"))) for _ in range(3)),
        wrong(PLAIN, RateLimited("busy")),
    ]
    assert list(analysis_table(analyse(lines), examples=1)) == [
        "4 of 5 questions wrong, by the stage that explains it",
        "failed                 1   25.0 % of the wrong,  20.0 % of all",
        f"    plain: {QUESTION}",
        "      right: Honshu · answered: nothing",
        "planning               3   75.0 % of the wrong,  60.0 % of all",
        f"    plain: {QUESTION}",
        "      right: Honshu · answered: Kyoto",
        f"      {CITY} → Kyoto (agreed, {lines[1]['tree']['nodes'][0]['rule']})",
    ]


def test_no_errors_are_a_table_too():
    assert list(analysis_table(analyse([outfile_line()]))) == ["0 of 1 questions wrong, by the stage that explains it"]


def test_untrusted_text_takes_no_terminal_over():
    made = wrong(
        Example("q\x1b[31m", QUESTION + "\x1b]0;x\x07", ("A\nB",)), chain_text((CITY, "Kyo\x1bto")), reader=NoReader()
    )
    told = list(analysis_table(analyse([made])))
    assert len(told) > 3
    assert not any(set(text) & set("\x1b\x07\n") for text in told)
