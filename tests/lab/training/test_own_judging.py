"""The rule for replies about own documents that are read again is fitted from rows."""

from click.testing import CliRunner

from lab.training import own_judging
from lab.training.natural import For
from lab.training.own_judging import row_of
from searchain.verification.second_opinion import read_second_opinion
from tests.support.json_lines import write_lines


def made(part, count):
    """Answers that the Readers find equally likely; those are right that the model finds right."""
    for number in range(count):
        is_right = number % 3 > 0
        about = {"id": f"lease-{number}", "collection": f"lease-{number % 12}", "part": part, "before": 0.6}
        asked = {
            "question": "what do they keep if we leave",
            "answer": "840 crowns",
            "says_yes": 0.8 if is_right else 0.3,
        }
        yield about | asked | {"answerable": is_right, "right": is_right}


def test_the_rule_follows_what_the_model_finds_right(tmp_path, monkeypatch):
    monkeypatch.setattr(own_judging, "OWN", tmp_path / "own_second_opinion.json")
    rows = write_lines(tmp_path / "rows.jsonl", [*made(For.PROBABILITY, 120), *made(For.JUDGING, 30)])
    result = CliRunner().invoke(own_judging.main, ["--rows", str(rows), "--seconds", "0", "--store"])
    assert result.exit_code == 0, result.output
    first, before, judged = result.output.splitlines()
    assert first.endswith("by 120 answers that teach; 30 kept apart:")
    assert "AUC 0.500" in before
    assert "AUC 1.000" in judged
    assert judged.endswith("0 wrong ones among the likeliest with 10 right ones")
    rule = read_second_opinion(tmp_path / "own_second_opinion.json")
    for line in made(For.JUDGING, 3):
        row = row_of(line)
        (weight,) = rule.weigh(row.question, row.answers)
        assert (weight > 0.5) is line["right"]
