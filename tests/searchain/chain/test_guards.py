"""Which steps do not belong to the chain of a question."""

import pytest

from searchain.chain.guards import objection
from searchain.types import Node, Passage

FOUND = Node(
    "n1",
    None,
    1,
    "Which pope commissioned The School of Athens?",
    answer="Julius II",
    passage=Passage("p", "The School of Athens", "Raphael painted it in the Apostolic Palace in the Vatican."),
)


@pytest.mark.parametrize(
    ("query", "question", "path", "word"),
    [
        ("In which city is Nintendo based?", "On which island is the city where Nintendo is based?", [], ""),
        ("Who wrote Frankenstein?", "who is the husband of the author of frankenstein", [], ""),
        ("When did Julius II die?", "When did the pope who commissioned The School of Athens die?", [FOUND], ""),
        ("Where is the Vatican?", "Where is The School of Athens?", [FOUND], ""),
        ("Which Polish king built it?", "Which king of Poland built it?", [], ""),
        ("Where was Raphael born?", "When did the pope who commissioned The School of Athens die?", [], "raphael"),
        ("On which river does Delhi lie?", "On which river does the city with the Red Fort lie?", [], "delhi"),
        ("Who became maharaja in 1891?", "Who became maharaja of Punjab?", [], "1891"),
        ("Who wrote “Where have all the flowers gone”?", "who wrote “where have all the flowers gone”", [], ""),
    ],
)
def test_a_step_names_only_what_was_named_before(query, question, path, word):
    found = objection(query, question, path)
    assert word in found
    assert bool(found) == bool(word)
