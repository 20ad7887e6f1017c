"""Data sets: what is read and refused, which questions are chosen, and how many are asked at once."""

import threading

import pytest

from lab.evaluation import corpora
from lab.evaluation.examples import Example, GoldStep, choose, read_dataset
from lab.evaluation.harness import ask_all
from searchain.errors import UsageError
from tests.support.fakes import QUESTION, RIGHT_CHAIN, toy_searchain
from tests.support.json_lines import write_lines
from tests.support.retrieval_home import write_corpus

STEPS = [{"query": "Who?", "answer": None, "title": "Ada", "search": True}]
ABOUT = {"type": "bridge", "supporting_titles": ["Ada"], "license": "CC0", "more": 1}
RECORD = {"id": "q1", "question": " Who? ", "answers": ["Ada"], "steps": STEPS} | ABOUT
FIRST = Example("q1", "Who?", ("Ada",), "bridge", (GoldStep("Who?", None, "Ada"),), ("Ada",), "CC0")


def test_examples_are_read_in_order_packed_or_not(tmp_path):
    lines = (RECORD, "", {"id": 2, "question": "When?", "answers": ["1815", "in 1815"], "steps": None})
    plain, packed = (read_dataset(write_lines(tmp_path / name, lines)) for name in ("toy.jsonl", "toy.jsonl.gz"))
    assert plain.examples == packed.examples == (FIRST, Example("2", "When?", ("1815", "in 1815")))
    assert plain.name == packed.name
    assert plain.name.startswith(f"{tmp_path.name}/toy ")
    assert read_dataset(write_lines(tmp_path / "toy.jsonl", [*lines, RECORD | {"id": "q3"}])).name != plain.name


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "Expecting property name"),
        ("[1]", "not a JSON object"),
        ("[" * 5_000, "line 2"),
        (RECORD | {"id": None}, "no id"),
        (RECORD | {"id": True}, "no id"),
        (RECORD | {"question": "  "}, "no question"),
        (RECORD | {"answers": "Ada"}, "answers must be a list"),
        (RECORD | {"answers": [" "]}, "answers must be a list"),
        (RECORD | {"supporting_titles": "Ada"}, "supporting_titles must be"),
        (RECORD | {"steps": ["Who?"]}, "steps must be"),
        (RECORD | {"steps": [{"query": "Who?", "answer": 5}]}, "answer and title of a step must be texts"),
        (RECORD | {"question": "Who is \ud800?"}, "half a character in 'Who is "),
        (RECORD | {"answerable": "yes"}, "answerable must be true or false"),
        ({"id": "r", "question": "Who?", "title": "Ada", "answers": []}, "answers must be a list"),
        (RECORD, "the id 'q1' was there before"),
    ],
)
def test_a_bad_line_is_told_with_its_number(tmp_path, line, reason):
    with pytest.raises(UsageError) as told:
        read_dataset(write_lines(tmp_path / "toy.jsonl", [RECORD, line]))
    assert str(told.value).startswith("line 2 of 'toy.jsonl' is no example (")
    assert reason in str(told.value)
    assert "\n" not in str(told.value)


def test_the_first_or_a_sample_in_their_order():
    examples = [Example(str(number), "Who?", ("Ada",)) for number in range(50)]
    assert choose(examples, None, None) == choose(examples, 99, 1) == tuple(examples)
    assert choose(examples, 3, None) == tuple(examples[:3])
    drawn = choose(examples, 10, 1)
    assert drawn == choose(examples, 10, 1) != choose(examples, 10, 2)
    assert len(drawn) == 10
    assert [int(one.id) for one in drawn] == sorted({int(one.id) for one in drawn})


def test_a_corpus_is_indexed_once_as_long_as_its_content_is_the_same(index_home, tmp_path):
    from searchain.retrieval import indexes

    told = []
    first = corpora.index_of(str(write_corpus(tmp_path / "one.jsonl")), lambda *done: told.append(done))
    encoded = len(told)
    assert first.startswith("eval-")
    assert encoded > 0
    assert corpora.index_of(str(write_corpus(tmp_path / "two.jsonl")), lambda *done: told.append(done)) == first
    assert corpora.index_of(first) == first
    assert len(told) == encoded
    other = corpora.index_of(str(write_corpus(tmp_path / "two.jsonl", [("ottawa", "Ottawa", "Another text.")])))
    assert {index.name: index.passages for index in indexes.list_indexes()} == {first: 5, other: 1}


EXAMPLES = [Example(str(number), QUESTION, ("Honshu",)) for number in range(5)]


def test_closing_stops_what_is_under_way():
    waiting, go_on = threading.Event(), threading.Event()

    def reply(messages):
        if asked.model.calls[1:]:
            waiting.set()
            go_on.wait(10)
        return RIGHT_CHAIN[0]

    asked = toy_searchain(reply)
    answers = ask_all(EXAMPLES, lambda example: asked, 1)
    next(answers)
    assert waiting.wait(10)
    closing = threading.Thread(target=answers.close)
    closing.start()
    go_on.set()
    closing.join(10)
    assert not closing.is_alive()
    assert len(asked.model.calls) == 2
