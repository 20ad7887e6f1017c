"""A question about two things is answered by what two steps, one for each, say alike."""

import pytest

from searchain.chain.two_things import is_open, pair_of
from searchain.events import fold
from searchain.types import Abilities, Node, Opinion, Outcome, Passage
from tests.support.fakes import KnowingReader, WordRetriever, chain_text, toy_searchain

HOUND = Passage("hound", "Transylvanian Hound", "The Transylvanian Hound was bred for hunting. It is a breed.")
TERRIER = Passage("terrier", "Russell Terrier", "The Russell Terrier was bred for hunting. It comes from Devon.")


class Breeds:
    """Finds a breed where the passage says so, and none in Devon."""

    def judge(self, statement, passages):
        opinions = {"It is a breed": Opinion(0.9, 0.05, 0.05), "Devon": Opinion(0.05, 0.9, 0.05)}
        found = (next((one for words, one in opinions.items() if words in passage.text), None) for passage in passages)
        return [one or Opinion(0.2, 0.1, 0.7) for one in found]


def ask(question, terrier="hunting", asked="For what was the {} bred?", passages=(HOUND, TERRIER)):
    reader = KnowingReader({"hound": {"Hound bred": ("hunting", 5.0)}, "terrier": {"Terrier bred": (terrier, 5.0)}})
    plan = chain_text(*((asked.format(name), None) for name in ("Transylvanian Hound", "Russell Terrier")))
    chain = toy_searchain(
        *[plan] * 5, reader=reader, retriever=WordRetriever(passages), abilities=Abilities.TRAINED, passages=1
    )
    chain.stance = Breeds()
    return fold(chain.stream(question))


@pytest.mark.parametrize(
    ("question", "terrier", "answer"),
    [
        ("For what were the Transylvanian Hound and Russell Terrier bred?", "hunting", "hunting"),
        ("For what were the Transylvanian Hound and Russell Terrier bred?", "Devon", ""),
        ("Were the Transylvanian Hound and Russell Terrier bred for the same?", "hunting", "yes"),
        ("Were the Transylvanian Hound and Russell Terrier bred for the same?", "Devon", "no"),
        ("Which of them likes water, Transylvanian Hound or Russell Terrier?", "Devon", ""),
        (
            "Which was bred in Devon, Transylvanian Hound or Russell Terrier?",
            "Russell Terrier",
            "Russell Terrier",
        ),
    ],
)
def test_what_both_steps_say_is_the_answer_and_what_one_says_is_not(question, terrier, answer):
    turn = ask(question, terrier)
    assert turn.final_answer == answer
    if answer:
        assert {source.passage.id for source in turn.sources} == {"hound", "terrier"}


def test_yes_or_no_about_both_is_put_to_the_passages_once_for_each():
    turn = ask("Are both Transylvanian Hound and Russell Terrier a breed?", asked="Who bred the {}?")
    path = [(node.query, node.answer) for node in turn.nodes if node.on_path]
    assert path[-2:] == [("Are Transylvanian Hound a breed?", "yes"), ("Are Russell Terrier a breed?", "no")]
    assert (turn.final_answer, turn.outcome) == ("no", Outcome.UNSURE)


def test_one_that_no_passage_decides_leaves_the_question_open():
    silent = Passage("hound", "Transylvanian Hound", "The Transylvanian Hound has black hair.")
    turn = ask("Are both Transylvanian Hound and Russell Terrier a breed?", asked="Who bred the {}?",
               passages=(silent, TERRIER))  # fmt: skip
    assert turn.final_answer == ""


@pytest.mark.parametrize(("question", "queries", "each"), [
    (
        "On which continent are the Ross Sea and the Weddell Sea located?",
        ("On which continent is the Ross Sea located?", "On which continent is the Weddell Sea located?"),
        ("On which continent are the Ross Sea located?", "On which continent are the Weddell Sea located?"),
    ),
    ("Who wrote Emma and Persuasion?", ("Who wrote Emma?", "When was Persuasion written?"), None),
    ("Is Emma older than Persuasion?", ("When was Emma written?", "When was Persuasion written?"), None),
])  # fmt: skip
def test_a_pair_asks_the_same_of_two_things_that_the_question_joins(question, queries, each):
    path = [Node(str(number), None, 1, query) for number, query in enumerate(queries)]
    pair = pair_of(question, path)
    assert (pair and pair.each) == each


DIED = "Who passed away first in September 1917, Monet or Degas?"
WHEN = ("When did Monet die?", "5 December 1926"), ("When did Degas die?", "27 September 1917")


@pytest.mark.parametrize(("question", "steps", "answer", "stays_open"), [
    (DIED, WHEN, "27 September 1917", True),
    (DIED, WHEN, "Edgar Degas", False),
    ("What is the nationality of whoever passed away first, Monet or Degas?", WHEN, "French", False),
    ("Are Monet or Degas buried in Paris?", (("Is Monet buried in Paris?", "no"), ("Is Degas buried in Paris?", "yes")),
     "yes", False),
    ("What language is spoken in Peru or Chile?",
     (("What language is spoken in Peru?", "Spanish"), ("What language is spoken in Chile?", "Spanish")), "Spanish", False),
])  # fmt: skip
def test_a_value_of_a_thing_is_no_answer_where_one_of_the_things_is_asked_for(question, steps, answer, stays_open):
    path = [Node(str(number), None, 1, query, answer=found) for number, (query, found) in enumerate(steps)]
    assert is_open(question, path, answer) is stays_open
