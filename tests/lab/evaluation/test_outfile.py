"""The out file: what was answered stays, whatever happens, and two kinds of answers are never mixed."""

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


def test_two_never_write_at_once(tmp_path):
    path = tmp_path / "out.jsonl"
    with OutFile(path, RUN) as file:
        with pytest.raises(UsageError, match="another eval is writing"):
            OutFile(path, RUN)
        file.write({"id": "q1", "status": "answered"})
    assert read_lines(write(path, "q2")) == lines("q1", "q2")
