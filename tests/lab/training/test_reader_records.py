import gzip
import json

import pytest

from lab.training.calibration import Record, read_records
from searchain.errors import UsageError
from searchain.types import Passage, Span

LINE = {
    "id": 7,
    "question": "Where?",
    "title": "Nintendo",
    "text": "In Kyoto.",
    "answers": [{"text": "Kyoto", "start": 3}],
    "license": "CC0",
}
RECORD = Record("Where?", Passage("7", "Nintendo", "In Kyoto."), (Span(3, 8),), "CC0")


def test_read_records(tmp_path):
    plain, packed = tmp_path / "a.jsonl", tmp_path / "a.jsonl.gz"
    text = json.dumps(LINE) + "\n\n" + json.dumps({"question": "Who?", "title": "", "text": "", "answers": []}) + "\n"
    plain.write_text(text)
    packed.write_bytes(gzip.compress(text.encode()))
    expected = [RECORD, Record("Who?", Passage("", "", ""), ())]
    assert read_records(plain) == read_records(packed) == expected
    assert RECORD.answers == ("Kyoto",)


@pytest.mark.parametrize(("name", "content"), [("a.jsonl.gz", b"not gzip"), ("a.jsonl", b"\xff\xfe\xfa")])
def test_a_file_of_another_kind(tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(UsageError, match="cannot be read"):
        read_records(tmp_path / name)
