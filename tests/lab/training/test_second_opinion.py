"""The rule for second readings is fitted from out files."""

import pytest
from click.testing import CliRunner

from lab.training import second_opinion
from lab.training.second_opinion import end_of, fit_to, rows_of
from searchain.verification.second_opinion import read_second_opinion
from tests.support.json_lines import write_lines


def line(number, *, first="Kyoto", second="Kyoto", answers=("Kyoto",), before=0.4, says_yes=0.5, left_out=False):
    """A line of an out file."""
    own = {"answer": first, "before": before, "says_yes": 1 - says_yes, "is_first": True, "place": 0}
    other = {"answer": second, "before": None, "says_yes": says_yes, "agrees": True, "place": 0}
    judged = [own | {"agrees": True}] if first == second else [own, other]
    review = {"first": first, "second": second, "before": before, "answers": judged}
    asked = {"id": f"q{number}", "standalone_question": "Which city is meant?", "answers": list(answers)}
    ended = {"status": "partial", "outcome": "unsure", "probability": before, "final_answer": first}
    source = {"title": "Japan", "text": "Kyoto and Osaka are cities in Japan."}
    scores = {"answerable": True, "left_out": left_out, "cover_em": float(first in answers)}
    return asked | ended | scores | {"sources": [source], "tree": {"nodes": []}, "review": review}


def mixed(count=60):
    """Two readers that agree are right; where they differ the one is right that the second reader finds right."""
    for number in range(count):
        match number % 3:
            case 0:
                yield line(number, says_yes=0.1)
            case 1:
                yield line(number, second="Osaka", answers=("Osaka",), before=0.2, says_yes=0.9)
            case _:
                yield line(number, second="Nagoya", answers=("Tokyo",), before=0.2, says_yes=0.4)


def test_the_fitted_rule_confirms_what_agrees_and_corrects_what_is_found_right(tmp_path):
    out = write_lines(tmp_path / "a" / "out.jsonl", mixed(180))
    result = CliRunner().invoke(
        second_opinion.main, ["--readings", str(out), "--out", str(tmp_path / "w"), "--repeats", "2"]
    )
    assert result.exit_code == 0, result.output
    assert "180 replies, 180 read a second time" in result.output
    rows = list(rows_of(out))
    rule = fit_to(rows)
    ends = [end_of(row, rule) for row in rows[:3]]
    assert [end.right for end in ends] == [True, True, False]
    assert min(end.probability for end in ends[:2]) > 0.8
    assert ends[2].probability < 0.5
    stored = read_second_opinion(tmp_path / "w" / "second_opinion.json")
    assert stored.right.weights == pytest.approx(rule.weights, abs=1e-4)
