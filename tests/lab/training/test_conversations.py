"""The edits that training reads from conversations."""

import pytest

from lab.training.conversations import Row, bare, edits, written
from lab.training.question_model import example
from searchain.embedded.minilm import minilm_tokenizer
from searchain.question.edits import Place
from searchain.question.question_model import PLACES
from searchain.types import Exchange

MALI = (Exchange("What is the capital of Mali?", "Bamako", "Bamako"),)


@pytest.mark.parametrize(
    ("question", "standalone", "expected"),
    [
        ("How old is it?", "How old is Bamako?", [(Place.QUESTION, "Bamako", ""), None]),
        ("and its mayor?", "and Bamako's mayor?", [(Place.QUESTION, "Bamako", "'s"), None]),
        ("population", "population of Bamako", [(Place.INTO_QUESTION, "Bamako", "of"), None]),
        ("And Chad?", "What is the capital of Chad?", [(Place.LAST, "Chad", ""), None]),
        (
            "is it the largest city there",
            "is Bamako the largest city in Mali",
            [(Place.QUESTION, "Bamako", ""), (Place.QUESTION, "Mali", "in"), None],
        ),
        ("What is osmosis?", "What is osmosis?", [None]),
        ("How old is it?", "How old is Timbuktu?", []),
    ],
)
def test_a_row_becomes_edits(question, standalone, expected):
    found = [edit for _, edit in edits(Row(MALI, question, standalone))]
    assert [edit and (edit.place, edit.words, edit.joint) for edit in found] == expected


def test_a_question_word_goes_before_the_whole_yes_no_question():
    said = (Exchange("Did the dodo die out?", "yes", "yes"),)
    first, _ = edits(Row(said, "why", "why did the dodo die out"))
    assert first[1].applied("why", said) == "why Did the dodo die out"
    assert first[1].place is Place.INTO_QUESTION


def test_nearly_every_written_row_can_be_learnt():
    rows = written()
    taught = [edits(row) for row in rows]
    wrong = [
        row
        for row, some in zip(rows, taught, strict=True)
        if not some or (len(some) == 2 and bare(some[0][1].applied(row.question, row.history)) != bare(row.standalone))
    ]
    assert len(rows) > 3_000
    assert len(wrong) < len(rows) / 80


def test_the_pointers_of_an_example_point_at_the_words():
    tokens = minilm_tokenizer()
    row = Row(MALI, "How old is it?", "How old is Bamako?")
    edit = edits(row)[0][1]
    made = example(tokens, row, edit)
    assert PLACES[made.place] is edit.place
    begin, end, begin_other, end_other = (pointer.right for pointer in made.pointers)
    assert begin == end
    assert tokens.decode([made.ids[begin[0]]]) == "it"
    assert tokens.decode(made.ids[begin_other[0] : end_other[0] + 1]) == "bamako"
