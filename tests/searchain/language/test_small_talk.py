"""What is no question to a library, and what only looks like it."""

import json
from pathlib import Path

import pytest

from searchain.language.small_talk import REPLIES, Kind, bare_question, plain, small_talk
from searchain.language.small_talk_rules import HISTORY_REPLY
from searchain.language.spelling import Speller
from tests.support.fakes import CORPUS

DATA = Path(__file__).parents[2] / "data"
SAID = [json.loads(line) for line in (DATA / "small_talk.jsonl").read_text(encoding="utf-8").splitlines()]
REAL = [
    json.loads(line)["question"] for line in (DATA / "real_questions.jsonl").read_text(encoding="utf-8").splitlines()
]
MISSED = {
    "once upon a time... continue the story",
    "what does bonjour mean",
    "fgh jkl rty",
    "how many grams in a pound",
    "what's the german word for butterfly",
    "what is the best programming language?",
    "is love real?",
}
"""What is looked up though no library answers it; the rules leave it, because real questions look the same."""
NEEDS_WORDS = {"ghjk fdsa", "ajsdh aksjdh qwoieu", "hdhdhdhd jsjsjs"}
"""What only a vocabulary tells from words."""


@pytest.mark.parametrize("record", SAID, ids=lambda record: record["question"])
def test_small_talk_is_recognised(record):
    talk = small_talk(record["question"])
    expected = None if record["question"] in MISSED | NEEDS_WORDS else record["kind"]
    assert (talk and talk.kind) == expected


def test_the_utterances_are_many_and_of_every_kind():
    assert len(SAID) >= 100
    assert {record["kind"] for record in SAID} == set(Kind) - {Kind.DOCUMENTS}  # that depends on what is searched


@pytest.mark.parametrize("question", REAL)
def test_a_real_question_is_none(question):
    assert small_talk(question) is None


def test_there_are_many_real_questions_that_look_like_small_talk():
    assert len(set(REAL)) >= 60


@pytest.mark.parametrize("question", [record["question"] for record in SAID if record["question"] not in MISSED])
def test_capitals_and_signs_at_the_end_change_nothing(question):
    if question in NEEDS_WORDS or not plain(question):
        return
    assert small_talk(question.lower().rstrip("?!. ") + "!!") is not None


def test_more_is_history_and_says_so_where_there_is_one():
    assert small_talk("more").reply == REPLIES[Kind.HISTORY]
    assert small_talk("more", has_history=True).reply == HISTORY_REPLY


def test_a_bare_question_word_is_a_follow_up_where_something_was_said():
    assert small_talk("why?").kind == Kind.HISTORY
    assert small_talk("why?", has_history=True) is None


def test_thanks_are_thanks_after_an_answer():
    assert small_talk("thanks", has_history=True).kind == Kind.THANKS


def test_several_sentences_are_small_talk_when_each_is():
    assert small_talk("I'm bored. Tell me a joke!").kind == Kind.CREATIVE
    assert small_talk("Tell me a joke. Who wrote Hamlet?") is None


def test_what_a_request_works_on_belongs_to_it():
    assert small_talk("Fix this code. It stops at line three.").kind == Kind.CODE


@pytest.mark.parametrize(
    "question",
    [
        "Make It or Break It: who goes to the Olympics?",
        "Turn the Page",
        "call me maybe singer",
        "My Name Is Earl",
        "i robot",
    ],
)
def test_titles_are_looked_up(question):
    assert small_talk(question) is None


@pytest.mark.parametrize(
    "question",
    ["give me a summary of the cold war", "show me a short overview of jazz", "give me a list of the planets"],
)
def test_a_summary_or_a_list_is_looked_up(question):
    assert small_talk(question) is None


@pytest.mark.parametrize(
    "question", ["9/11", "24/7", "4x4", "1914-1918", "2 + 2 = 5", "what is the square root of 2", "50 cent"]
)
def test_names_made_of_numbers_are_not_calculated(question):
    assert small_talk(question) is None


@pytest.mark.parametrize(
    "word",
    ["Szczecin", "Tbilisi", "Llanfairpwllgwyngyll", "Knightsbridge", "HTTPS", "xkcd", "Mstislav", "Nguyễn", "rhythms"],
)
def test_rare_names_and_abbreviations_are_no_gibberish(word):
    words = Speller(CORPUS, known="rhythm crypt wright strength knight bridge church schwarz".split())
    assert small_talk(word) is None
    assert small_talk(word.title() if word.islower() else word, vocabulary=words) is None


def test_a_vocabulary_tells_slips_from_words():
    words = Speller(CORPUS, known="the question answer people between nothing wright strength".split())
    assert small_talk("ajsdh aksjdh qwoieu", vocabulary=words).kind == Kind.GIBBERISH
    assert small_talk("nintendo kyoto", vocabulary=words) is None


@pytest.mark.parametrize(
    ("question", "bare"),
    [
        ("hi, could you please tell me who wrote Hamlet?", "who wrote Hamlet?"),
        ("hello! what is the capital of australia", "what is the capital of australia"),
        ("Good morning, where is Kyoto?", "where is Kyoto?"),
        ("thanks! and who was Mary Shelley's husband?", "and who was Mary Shelley's husband?"),
        ("hey there can you tell me when rome was founded", "when rome was founded"),
        ("can you tell me where Kyoto is, please?", "where Kyoto is?"),
        ("i want to know who discovered penicillin", "who discovered penicillin"),
        ("Could you explain how vaccines work?", "explain how vaccines work?"),
    ],
)
def test_greetings_and_frames_are_left_out(question, bare):
    assert bare_question(question) == bare


@pytest.mark.parametrize(
    "question",
    ["Hello, Dolly! is set in which city?", "hello kitty creator", "Good Morning, Vietnam director", "thanks for the memory who sang it",
     "ok computer release date", "Can you hide a macaque under a desk?", "Please Please Me was recorded when?"],
)  # fmt: skip
def test_a_greeting_that_belongs_to_the_question_stays(question):
    assert bare_question(question) == question


def test_every_kind_has_a_short_reply():
    assert set(REPLIES) == set(Kind)
    assert all(20 <= len(reply) <= 220 for reply in REPLIES.values())
