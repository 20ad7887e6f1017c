"""JSON lines are read, plain or packed, and a bad line is named."""

import gzip

import pytest

from searchain.errors import UsageError
from searchain.files.jsonl import read_jsonl, read_text

WHAT = 'name; wanted: {"name"}'


def name_of(value):
    if not value["name"]:
        raise ValueError("empty")
    return value["name"]


@pytest.mark.parametrize("name", ["names.jsonl", "names.jsonl.gz"])
def test_plain_and_packed_files_are_read(tmp_path, name):
    content = '\ufeff{"name": "Ada"}\r\n\n{"name": "a\u2028b"}'.encode()
    (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    assert read_jsonl(tmp_path / name, name_of, WHAT) == ["Ada", "a\u2028b"]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{}", "KeyError: 'name'"),
        ('{"name": ""}', "empty"),
        ("[]", "TypeError: list indices must be integers or slices, not str"),
        ("{", "JSONDecodeError: Expecting property name enclosed in double quotes: line 2 column 1 (char 2)"),
    ],
)
def test_a_bad_line_is_named(tmp_path, line, reason):
    (tmp_path / "names.jsonl").write_text('{"name": "Ada"}\n\n' + line + "\n")
    with pytest.raises(UsageError) as told:
        read_jsonl(tmp_path / "names.jsonl", name_of, WHAT)
    assert str(told.value) == f"line 3 of 'names.jsonl' is no name ({reason}); wanted: {{\"name\"}}"


def test_a_damaged_packed_file_is_named(tmp_path):
    content = bytearray(gzip.compress(bytes(range(256)) * 8))
    content[14:16] = b"\xff\xff"
    (tmp_path / "names.jsonl.gz").write_bytes(content)
    with pytest.raises(UsageError, match="names.jsonl.gz' cannot be read"):
        read_jsonl(tmp_path / "names.jsonl.gz", name_of, WHAT)


def test_a_file_that_unpacks_to_far_more_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("searchain.files.jsonl.MAX_TEXT", 1_000)
    bomb = tmp_path / "bomb.jsonl.gz"
    bomb.write_bytes(gzip.compress(b" " * 100_000))
    with pytest.raises(UsageError, match=r"bomb.jsonl.gz' unpacks to more than 1,000 bytes; split it"):
        read_text(bomb)
