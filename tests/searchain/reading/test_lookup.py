"""What is read in the passages of a query."""

from dataclasses import replace

import pytest

from searchain.reading.lookup import SIBLING, look_up
from searchain.types import Passage, Reading, Span
from tests.support.fakes import WordRetriever


@pytest.mark.parametrize(
    ("query", "probability"), [("who were the central powers in the war", SIBLING), ("who fought the war", 0.9)]
)
def test_what_is_named_beside_the_thing_asked_about_is_hardly_the_answer(query, probability):
    war = Passage("w", "The war", "The war was fought between the Allies and the Central Powers.")
    span = Span(war.text.index("Allies"), war.text.index("Allies") + len("Allies"))

    class Pointing:
        def read(self, query, passages):
            return [Reading("Allies", span, 1.0) for _ in passages]

    def rate(query, hits, readings):
        return [replace(reading, probability=0.9) for reading in readings]

    found = look_up(query, WordRetriever((war,)), Pointing(), 5, rate=rate)
    assert found.reading.probability == probability
