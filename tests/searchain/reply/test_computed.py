"""Answers that are computed from cited values: which values are taken, what they give, and what cannot be computed."""

from dataclasses import dataclass

import pytest

from lab.scripted.model import ScriptedModel
from searchain.events import fold
from searchain.question.sums import Sum
from searchain.reply.computed import Sums
from searchain.reply.operands import words
from searchain.types import Hit, Outcome, Passage, Place, Support
from storage.log import verify
from tests.support.fakes import around
from tests.support.json_lines import kept

TEXTS = kept("sums.json")
"""Own documents by their titles."""


@dataclass(frozen=True)
class Shelf:
    """Own documents: each line is a passage, and a search finds the passages with most words of the query."""

    def search(self, query, k):
        found = [passage for title in TEXTS for passage in self.passages_of(title)]
        found.sort(key=lambda one: -len(words(query) & words(f"{one.title} {one.text}")))
        return [Hit(passage, 1.0, rank) for rank, passage in enumerate(found[:k], 1)]

    def passages_of(self, document):
        at = 0
        for number, line in enumerate(TEXTS[document].split("\n")):
            yield Passage(f"{document}.{number}", document, line, None, Place(document, "0" * 64, at, at + len(line)))
            at += len(line) + 1


@dataclass(frozen=True)
class Says:
    kind: Sum | None

    def of(self, question):
        return self.kind


def likeness(one, other):
    return len(words(one) & words(other)) / 10


def nearness(one, other):
    return 0.45 + likeness(one, other)


def sums(kind, similarity=nearness):
    return Sums(Says(kind), Shelf(), similarity)


def said(kind, question, similarity=nearness):
    result = sums(kind, similarity).result(question)
    return result and (result.answer, result.text(lambda one: one.cell.text))


@pytest.mark.parametrize(("kind", "question", "answer", "text"), [
    (Sum.TOTAL, "What was spent in March?", "306.50 €", "2 of 3 rows of “Spending” (Date: 2024-03-02 to 2024-03-11): 96.50 € + 210.00 €"),
    (Sum.AVERAGE, "What is the average price?", "94 EUR", "97 EUR + 64 EUR + 121 EUR, divided by 3"),
    (Sum.COUNT, "How many rooms have a balcony?", "2", "2 of 3 rows of “Rooms” (Balcony: yes): A: yes, C: yes."),
    (Sum.COUNT, "How many beds are there in the rooms?", "6", "2 + 1 + 3"),
    (Sum.COUNT, "How many rivers flow into the Arvel?", "2", "(Mouth: Arvel): Brisk: Arvel, Dunn: Arvel"),
    (Sum.LARGEST, "Which river has the greatest length?", "Arvel (2 km)", "Arvel: 2 km, the greatest Length of all 3 rows"),
    (Sum.EARLIEST, "Which club was founded first?", "Celtic (1888)", "then Bohemians: 1890, Ajax: 1900"),
    (Sum.DIFFERENCE, "How much more is the price of room C than of room B?", "57 EUR", "C: 121 EUR − B: 64 EUR"),
    (Sum.SHARE, "What share of the spending went to food?", "22.2 %", "Food: 210.00 € ÷ the sum 946.50 € of"),
    (Sum.DAYS, "How many days after the signing were the keys handed over?", "16 days", "14 February 2024 to 1 March 2024"),
    (Sum.RATIO, "How many months' rent is the deposit?", "3", "3: 4,350 euros ÷ 1,450 euros."),
    (Sum.GREATER, "Which is higher, the rent or the deposit?", "deposit", "Deposit: 4,350 euros > 1,450 euros."),
    (Sum.LESS, "what is less: the deposit or the monthly rent", "monthly rent", "Monthly rent: 1,450 euros < 4,350"),
    (Sum.GREATER, "Is the rent higher than the deposit?", "no", "No: 1,450 euros < 4,350 euros."),
    (Sum.LESS, "Is the rent lower than the deposit?", "yes", "Yes: 1,450 euros < 4,350 euros."),
    (Sum.GREATER, "Is the price of room C higher than that of room B?", "yes", "Yes: C: 121 EUR > B: 64 EUR."),
    (Sum.GREATER, "the rent is higher than the deposit, right?", "no", "No: 1,450 euros < 4,350 euros."),
    (Sum.GREATER, "can you tell me which of the rent and the deposit is higher", "deposit", "4,350 euros > 1,450"),
    (Sum.LESS, "Which came earlier, the signing or the keys?", "signing", "14 February 2024 < 1 March 2024"),
    (Sum.TOTAL, "What is the cost of all licences?", "", "This cannot be computed in one currency: $1,200.00, €890.00."),
])  # fmt: skip
def test_the_values_that_a_question_means_are_computed_with(kind, question, answer, text):
    found = said(kind, question)
    assert found is not None
    assert (found[0], text in found[1]) == (answer, True), found


@pytest.mark.parametrize(("kind", "question", "similarity"), [
    (Sum.TOTAL, "What did Peter spend in March?", nearness),  # no row is about him
    (Sum.TOTAL, "How much was spent on food?", likeness),  # the one row says it
    (Sum.DIFFERENCE, "How much more is the price of room C than of room K?", nearness),
    (Sum.RATIO, "How many goats is a sheep?", nearness),
    (Sum.GREATER, "Which is higher, the rent or the fine?", nearness),
    (Sum.GREATER, "Is the rent no higher than the deposit?", nearness),
    (Sum.GREATER, "Is the rent higher than 900 euros or the deposit?", nearness),
    (Sum.LARGEST, "What is the largest flow of the pump?", likeness),  # the greatest of other things
    (None, "What is the average price?", nearness),
])  # fmt: skip
def test_without_such_values_nothing_is_computed(kind, question, similarity):
    assert said(kind, question, similarity) is None


@pytest.mark.parametrize(
    ("kind", "question"),
    [
        (Sum.TOTAL, "What will the rooms cost me if I skip the work days?"),  # the table is about other costs
        (Sum.DIFFERENCE, "How much is the deposit when one takes over the monthly rent?"),
    ],
)
def test_values_that_are_not_near_to_the_question_are_not_taken(kind, question):
    assert said(kind, question) is not None
    assert said(kind, question, lambda one, other: nearness(one, other) - 0.3) is None


def test_the_run_cites_each_value_and_bears_no_tick():
    chain = around(ScriptedModel(), probability=None, sums=sums(Sum.SHARE))
    chain.model.abilities = "small"
    turn = fold(chain.stream("What share of the spending went to food?"))
    assert list(verify.faults(turn)) == []
    assert (turn.outcome, turn.final_answer) == (Outcome.UNRATED, "22.2 %")
    assert [source.quote for source in turn.sources] == ["210.00 €", "640.00 €", "96.50 €"]
    assert turn.answer == (
        "22.2 %: Food: 210.00 € [1] ÷ the sum 946.50 € of Travel: 640.00 € [2] + Travel: 96.50 € [3] + Food: 210.00 € [1]."
    )
    (sentence,) = turn.sentences
    assert (sentence.support, sentence.citations) == (Support.QUOTED, (1, 2, 3))
    assert [node.rule for node in turn.nodes] == ["cell"] * 3 + ["computed"]
