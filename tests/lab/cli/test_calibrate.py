"""Thresholds are found on a tiny model; a probability is fitted to look-ups, reported and stored."""

import json

from click.testing import CliRunner

from lab.cli.calibrate import calibrate as command
from searchain.reading.thresholds import read_thresholds
from searchain.verification.probability import read_probability
from tests.lab.training.test_own_probability import lines
from tests.support.json_lines import write_lines
from tests.support.tiny_reader import tiny_model


def rows_file(folder, questions=80):
    about = {"file": f"{folder.name}/mine.jsonl", "expected": 0.1, "answerable": True}
    return write_lines(folder / "rows.jsonl", (one | about for one in lines("mine", questions=questions)))


def questions_file(folder, questions=80):
    asked = ({"id": f"q{n}", "question": "Who?", "answers": ["x"]} for n in range(questions))
    return write_lines(folder / "mine.jsonl", asked)


def test_a_probability_is_fitted_reported_and_stored(tmp_path, monkeypatch):
    monkeypatch.setattr("lab.training.probability.TREES", 10)
    arguments = ["--questions", questions_file(tmp_path), "--rows", rows_file(tmp_path), "--out", tmp_path]
    result = CliRunner().invoke(command, [*map(str, arguments), "--repeats", "1"])
    assert (result.exit_code, result.stderr) == (0, "")
    assert "right, of the supported (precision)" in result.stdout
    assert "from 80 look-ups" in result.stdout
    stored = read_probability(tmp_path)
    assert 0 < stored.threshold <= 1
    data = json.loads((tmp_path / "probability.json").read_text())["data"]
    assert [(name, len(digest)) for name, digest in data.items()] == [(f"{tmp_path.name}/mine.jsonl", 64)]


def test_too_few_questions_measure_nothing(tmp_path):
    arguments = ["--questions", questions_file(tmp_path, 9), "--rows", rows_file(tmp_path, 9), "--out", tmp_path]
    result = CliRunner().invoke(command, [str(one) for one in arguments])
    assert result.exit_code == 2
    assert result.stderr.startswith("error: 9 questions with readings are too few to calibrate on")
    assert not (tmp_path / "probability.json").exists()


def test_the_command_stores_what_it_found_with_the_reader(tmp_path):
    tiny_model(tmp_path / "reader", seed=1)
    records = {"Kyoto is in Japan.": [{"text": "Japan", "start": 12}], "the company": [], "Nintendo": []}
    asked = ({"question": "Where?", "title": "Kyoto", "text": text, "answers": said} for text, said in records.items())
    data = write_lines(tmp_path / "data.jsonl", asked)
    arguments = ["--data", str(data), "--reader", str(tmp_path / "reader"), "--start", "-20"]
    result = CliRunner().invoke(command, arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    heading, *rows, last = result.stdout.splitlines()
    assert heading.split() == "threshold precision recall F1 no answer right below".split()
    stored = read_thresholds(tmp_path / "reader")
    assert f"{stored.theta:.1f}" in [row.split()[0] for row in rows if row.endswith(("θ", "floor"))]
    assert last == (
        f"theta {stored.theta:.1f}, floor {stored.floor:.1f} from 3 passages, stored in {tmp_path / 'reader'}"
    )
    assert (tmp_path / "reader" / "thresholds.json").is_file()


def test_a_reader_that_is_none_is_a_failure_in_one_line(tmp_path):
    result = CliRunner().invoke(command, ["--reader", str(tmp_path), "--data", __file__])
    assert result.exit_code == 2
    assert result.stderr.startswith("error: line 1 of 'test_calibrate.py' is no reader record")
    assert result.stderr.count("\n") == 1
