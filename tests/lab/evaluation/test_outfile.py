"""The out file: what was answered stays, whatever happens, and two kinds of answers are never mixed."""

import json

import pytest

from lab.evaluation.outfile import OutFile, read_lines
from searchain.errors import UsageError

RUN = {"system": "searchain", "settings": {"passages": 5, "theta": 0.4}}


def lines(*ids, **fields):
    return [{"id": id, "status": "answered", **fields, "run": RUN} for id in ids]


def write(path, *ids, run=RUN):
    with OutFile(path, run) as file:
        for id in ids:
            file.write({"id": id, "status": "answered"})
    return path


def test_a_line_is_on_disk_when_it_is_written(tmp_path):
    with OutFile(tmp_path / "below" / "out.jsonl", RUN) as file:
        assert file.answered == {}
        file.write({"id": "q1", "answer": "Kyōto \u2028 x"})
        assert read_lines(tmp_path / "below" / "out.jsonl") == [{"id": "q1", "answer": "Kyōto \u2028 x", "run": RUN}]


def test_a_second_run_goes_on(tmp_path):
    path = write(write(tmp_path / "out.jsonl", "q1", "q2"), "q3")
    assert read_lines(path) == lines("q1", "q2", "q3")
    with OutFile(path, RUN) as file:
        assert list(file.answered) == ["q1", "q2", "q3"]


def test_an_id_that_is_asked_anew_counts_once(tmp_path):
    path = write(tmp_path / "out.jsonl", "q1", "q2")
    with OutFile(path, RUN) as file:
        file.write({"id": "q1", "status": "partial"})
    assert [(line["id"], line["status"]) for line in read_lines(path)] == [("q1", "partial"), ("q2", "answered")]


@pytest.mark.parametrize("cut", [1, 2, 30])
def test_a_last_line_that_was_broken_off_is_dropped_and_written_over(tmp_path, cut):
    path = write(tmp_path / "out.jsonl", "q1", "q2")
    path.write_bytes(path.read_bytes()[:-cut])
    assert read_lines(path) == lines("q1")
    write(path, "q3")
    assert read_lines(path) == lines("q1", "q3")
    assert len(path.read_bytes().splitlines()) == 2


def test_only_a_beginning_is_dropped_too(tmp_path):
    path = tmp_path / "out.jsonl"
    path.write_text('{"id": "q1", "sta')
    assert read_lines(write(path, "q2")) == lines("q2")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("notes of mine", "line 1 of .* is broken"),
        ('{"id": "q1"}\n{"id": "q2"}\n', "line 1 of .*no answer of an evaluation"),
        ('{"id": \n{"id": "q2", "run": {}}\n', "line 1 of .* is broken"),
    ],
)
def test_another_file_is_not_touched(tmp_path, content, words):
    (tmp_path / "out.jsonl").write_text(content)
    with pytest.raises(UsageError, match=words):
        OutFile(tmp_path / "out.jsonl", RUN)
    assert (tmp_path / "out.jsonl").read_text() == content


@pytest.mark.parametrize(
    ("run", "words"),
    [
        (RUN | {"system": "direct"}, "system is 'searchain' there, 'direct' now"),
        (RUN | {"settings": {"passages": 9, "theta": 0.4}}, "settings is passages = 5 there, passages = 9 now"),
        (RUN | {"data": "toy/dev 00"}, "data is None there, 'toy/dev 00' now"),
    ],
)
def test_answers_of_another_run_are_refused(tmp_path, run, words):
    path = write(tmp_path / "out.jsonl", "q1")
    with pytest.raises(UsageError) as told:
        OutFile(path, run)
    assert words in str(told.value)
    assert str(told.value).endswith("name another --out")
    assert read_lines(path) == lines("q1")


def test_two_never_write_at_once(tmp_path):
    path = tmp_path / "out.jsonl"
    with OutFile(path, RUN) as file:
        with pytest.raises(UsageError, match="another eval is writing"):
            OutFile(path, RUN)
        file.write({"id": "q1", "status": "answered"})
    assert read_lines(write(path, "q2")) == lines("q1", "q2")


def test_a_place_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot (read|write)"):
        OutFile(tmp_path / "file" / "out.jsonl", RUN)


def test_what_is_written_is_json_in_utf8(tmp_path):
    path = write(tmp_path / "out.jsonl", "é")
    assert json.loads(path.read_bytes().decode("utf-8"))["id"] == "é"
