"""The rule for replies about own documents that are read again is fitted from rows."""

import pytest
from click.testing import CliRunner

from lab.training import own_judging
from lab.training.natural import For
from lab.training.own_judging import row_of, slices
from searchain.verification.second_opinion import read_second_opinion
from tests.support.json_lines import write_lines


def line(number, *, is_first_right, answerable=True):
    """A question with two answers, one of which the model finds likely; it is the right one where there is one."""
    answers = [
        {"answer": "840 crowns", "before": 0.6, "says_yes": 0.8 if is_first_right else 0.3},
        {"answer": "900 crowns", "before": 0.3, "says_yes": 0.8 if not is_first_right and answerable else 0.3},
    ]
    right = (is_first_right, not is_first_right and answerable)
    return {
        "id": f"lease-{number}",
        "collection": f"lease-{number % 12}",
        "question": "what do they keep if we leave",
        "answerable": answerable,
        "first": "840 crowns",
        "answers": [one | {"right": is_right} for one, is_right in zip(answers, right, strict=True)],
    }


def made(count):
    return [line(number, is_first_right=number % 3 == 0, answerable=number % 3 < 2) for number in range(count)]


def test_the_rule_follows_what_the_model_finds_likely(tmp_path, monkeypatch):
    monkeypatch.setattr(own_judging, "OWN", tmp_path / "own_second_opinion.json")
    rows = write_lines(tmp_path / "rows.jsonl", made(120))
    result = CliRunner().invoke(own_judging.main, ["--rows", str(rows), "--seconds", "0", "--store"])
    assert result.exit_code == 0, result.output
    assert result.output.startswith("120 questions; ")
    assert "right_answerable              0.500  1.000" in result.output  # before, and judged
    rule = read_second_opinion(tmp_path / "own_second_opinion.json")
    for one in made(3):
        row = row_of(one)
        weights = rule.weigh(row.question, row.answers)
        assert [weight > 0.5 for weight in weights] == list(row.right)


@pytest.mark.parametrize(
    ("says", "relation"), [((0.8, 0.3), "agrees"), ((0.3, 0.8), "differs"), ((0.3, 0.2), "finds nothing")]
)
def test_the_answer_that_the_model_finds_likeliest_is_its_own(says, relation):
    one = line(0, is_first_right=True)
    for answer, share in zip(one["answers"], says, strict=True):
        answer["says_yes"] = share
    assert row_of(one).relation == relation


def test_the_questions_are_of_collections_that_no_reader_has_learnt():
    parts = {one.part for one, _ in slices()}
    assert parts == {For.PROBABILITY, For.JUDGING}
