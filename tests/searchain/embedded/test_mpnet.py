"""The large Reader: assembled once, safely, and able to read."""

from __future__ import annotations

import json

import pytest

from searchain.embedded import assets, mpnet
from searchain.errors import ReaderError, SetupError
from searchain.reading.large_reader import LargeReader
from searchain.types import Passage


@pytest.fixture(scope="module")
def reader() -> LargeReader:
    return LargeReader(mpnet.large_reader())


def lead(title: str) -> Passage:
    page = json.loads(assets.find(assets.WIKIPEDIA_LEADS).read_text(encoding="utf-8"))[title]
    return Passage(title, title, page["extract"])


@pytest.mark.parametrize(
    ("query", "title", "answer"),
    [
        ("In which city does Nintendo have its headquarters?", "Nintendo", "Kyoto"),
        ("on which island is kyoto", "Kyoto", "Honshu"),
    ],
)
def test_it_answers_from_the_embedded_corpus(reader, query, title, answer):
    passage = lead(title)
    [reading] = reader.read(query, [passage])
    assert reading.answer == answer
    assert passage.text[reading.span.start : reading.span.end] == answer


def test_it_tells_which_passage_answers(reader):
    query = "In which city does Nintendo have its headquarters?"
    readings = reader.read(query, [lead("Tokyo"), lead("Nintendo"), lead("Honshu"), lead("Kyoto")])
    assert max(readings, key=lambda reading: reading.confidence) == readings[1]


def test_a_long_passage_is_read_to_its_end(reader):
    text = "Nothing is said here. " * 200 + "Nintendo has its headquarters in Kyoto. " + "Nothing more. " * 20
    [reading] = reader.read("In which city does Nintendo have its headquarters?", [Passage("1", "Nintendo", text)])
    assert reading.answer == "Kyoto"


def test_damaged_deltas_are_named(tmp_path):
    (tmp_path / "adapter.safetensors").write_bytes(b"damaged")
    with pytest.raises(SetupError, match="adapter.safetensors' is damaged"):
        mpnet.write_large_reader(tmp_path / "reader", tmp_path / "adapter.safetensors")
    assert not (tmp_path / "reader").exists()


def test_missing_deltas_are_named(tmp_path, monkeypatch):
    monkeypatch.setattr(mpnet, "WEIGHTS", tmp_path)
    with pytest.raises(SetupError, match="restore it from the repository"):
        mpnet.large_reader()


def test_a_damaged_reader_can_be_made_anew(tmp_path):
    with pytest.raises(ReaderError, match="remove that folder, and it is made anew"):
        LargeReader(tmp_path)
