"""Which stage explains a wrong answer."""

import pytest

from searchain.errors import RateLimited
from searchain.evaluation.analysis import STAGES, analyse, analysis_table, stage_of
from searchain.evaluation.examples import Example, GoldStep
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
            ),
        ),
        (
            "tracing",
            lambda: wrong(
                PLAIN, chain_text((CITY, "Kyoto"), (ISLAND, "Honshu"), ("What is Kyoto?", "a city")), reader=NoReader()
            ),
        ),
        ("model", lambda: wrong(PLAIN, chain_text((CITY, "Kyoto"), (ISLAND, "Kyushu")), use_ir=False)),
        (
            "retrieval",
            lambda: wrong(
                PLAIN,
                chain_text((CITY, "Osaka"), (ISLAND, "Kyushu")),
                retriever=WordRetriever([SEGA]),
                reader=NoReader(),
            ),
        ),
        (
            "retrieval",
            lambda: wrong(
                Example("q", QUESTION, ("Honshu",)),
                chain_text((CITY, "Kyoto")),
                retriever=WordRetriever([SEGA]),
                reader=NoReader(),
            ),
        ),
        ("decomposition", lambda: wrong(PLAIN, chain_text((CITY, "Kyoto")))),
        (
            "decomposition",
            lambda: wrong(
                PLAIN,
                chain_text((CITY, "Kyoto"), ("What is Sega?", "Tokyo")),
                retriever=WordRetriever([SEGA, NINTENDO]),
                reader=NoReader(),
            ),
        ),
        ("reading", lambda: wrong(PLAIN, chain_text((CITY, "Kyoto"), (ISLAND, "Kyushu")), reader=NoReader())),
        ("reading", lambda: wrong(EXAMPLE, chain_text((CITY, "Kyoto"), (ISLAND, "Kyushu")), reader=NoReader())),
        (
            "retrieval",
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
def test_the_first_stage_that_explains_it(stage, made):
    assert stage_of(made()) == stage


def test_right_answers_and_long_ones_are_no_errors():
    lines = [
        outfile_line(),
        wrong(PLAIN, chain_text((CITY, "Kyoto"))),
        {**wrong(PLAIN, chain_text((CITY, "Kyoto"))), "task": "longform"},
    ]
    found = analyse(lines)
    assert (found.questions, found.errors, list(found.wrong)) == (2, 1, list(STAGES))
    assert found.wrong["decomposition"] == (lines[1],)


def test_the_table_gives_counts_shares_and_examples():
    lines = [
        outfile_line(),
        *(wrong(PLAIN, chain_text((CITY, "Kyoto"))) for _ in range(3)),
        wrong(PLAIN, RateLimited("busy")),
    ]
    assert list(analysis_table(analyse(lines), examples=1)) == [
        "4 of 5 questions wrong, by the stage that explains it",
        "failed            1   25.0 % of the wrong,  20.0 % of all",
        f"    plain: {QUESTION}",
        "      right: Honshu · answered: nothing",
        "decomposition     3   75.0 % of the wrong,  60.0 % of all",
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
