"""What people type about their own files: the committed data, and the records that are made from it."""

import pytest

from lab.training.natural import ALONE, BESIDE, For, natural, pairs, span_in
from lab.training.own_collections import of_natural
from searchain.types import Passage, Span

LEASE = Passage("1", "Lease", "The net rent is 840 crowns. A reminder costs 6 crowns. The deposit is 840 crowns, too.")
RULES = Passage("2", "Rules", "Grills are forbidden. The caretaker is Emil Kostrov.")
ASKED = {"question": "what do they keep if we leave", "answers": ["840 crowns"], "file": "lease.md", "kind": "fact"}


@pytest.fixture(scope="module")
def collections():
    return natural()


def test_every_answer_stands_in_its_sentence_and_every_sentence_in_its_file(collections):
    for one in collections:
        for asked in one.asked:
            if asked["kind"] == "none":
                assert (asked["answers"], asked["file"], asked["sentence"]) == ([], "", ""), asked
            else:
                assert asked["sentence"] in one.files[asked["file"]], asked
                assert asked["answers"][0] in (("yes", "no") if asked["kind"] == "yesno" else asked["sentence"]), asked


def test_every_collection_has_a_name_for_one_thing_and_the_one_to_look_up_asks_what_it_is_for(collections):
    assert len({one.name for one in collections}) == len(collections)
    assert {one.part for one in collections} == {*For}
    made = of_natural(collections[0])
    kinds = [asked["kind"] for asked in collections[0].asked]
    assert len(made.asked) == kinds.count("fact") + kinds.count("none")
    assert all((asked.file in made.files) == bool(asked.example.answerable) for asked in made.asked)


def test_a_question_stands_with_the_span_of_its_sentence_beside_what_else_was_found():
    asked = ASKED | {"sentence": "The deposit is 840 crowns, too."}
    assert span_in(LEASE, asked) == Span(LEASE.text.rindex("840 crowns"), LEASE.text.rindex("840 crowns") + 10)
    assert span_in(RULES, asked) is None
    asked = ASKED | {"sentence": "The deposit is 840 crowns, too."}
    same = Passage("3", "Copy", "Once more: 840 crowns.")
    made = list(pairs(asked, [LEASE], lambda query: [same, LEASE, RULES]))
    assert [(passage.id, span is None) for _, passage, span in made] == [("1", False), ("2", True)]
    assert len(made) == 1 + BESIDE
    asked = {"question": "how many parking spaces are there", "answers": [], "file": "", "sentence": "", "kind": "none"}
    made = list(pairs(asked, [], lambda query: [LEASE, RULES]))
    assert [(passage.id, span) for _, passage, span in made] == [("1", None), ("2", None)]
    assert len(made) == ALONE
