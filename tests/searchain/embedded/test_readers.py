"""The embedded Readers, the small and the large one: assembled once, safely, and able to read."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from zipfile import ZipFile

import pytest
import safetensors.torch
import torch

from searchain.embedded import assets, minilm, mpnet
from searchain.errors import ReaderError, SetupError
from searchain.language.text import contains
from searchain.reading.large_reader import LargeReader
from searchain.reading.reader import DprReader, Reader
from searchain.reading.thresholds import read_thresholds
from searchain.types import Passage


@pytest.fixture(scope="module", params=["small", "large"])
def reader(request) -> Reader:
    return DprReader(minilm.embedded_reader()) if request.param == "small" else LargeReader(mpnet.large_reader())


def lead(title: str) -> Passage:
    page = json.loads(assets.find(assets.WIKIPEDIA_LEADS).read_text(encoding="utf-8"))[title]
    return Passage(title, title, page["extract"])


@pytest.mark.parametrize(
    ("query", "title", "answer"),
    [
        ("In which city does Nintendo have its headquarters?", "Nintendo", "Kyoto"),
        ("On which island is Kyoto?", "Kyoto", "Honshu"),
    ],
)
def test_it_answers_from_the_embedded_corpus(reader, query, title, answer):
    passage = lead(title)
    [reading] = reader.read(query, [passage])
    assert contains(answer, reading.answer)
    assert passage.text[reading.span.start : reading.span.end] == reading.answer
    if isinstance(reader, DprReader):
        assert reading.answer == answer  # the large one may point at more words around it
        assert reading.confidence > read_thresholds(minilm.embedded_reader()).theta


def test_several_threads_make_it_once(tmp_path, monkeypatch):
    base = assets.MINILM_WEIGHTS.path.parent
    monkeypatch.setenv("SEARCHAIN_HOME", str(tmp_path))
    (tmp_path / "models" / ".reader-left-by-a-killed-build").mkdir(parents=True)
    (tmp_path / "models" / base.name).symlink_to(base)
    with ThreadPoolExecutor(3) as pool:
        made = set(pool.map(lambda _: minilm.embedded_reader(), range(3)))
    [directory] = made
    names = "config.json model.safetensors thresholds.json tokenizer_config.json vocab.txt"
    assert sorted(file.name for file in directory.iterdir()) == names.split()
    written = (directory / "model.safetensors").stat().st_mtime_ns
    assert minilm.embedded_reader() == directory
    assert (directory / "model.safetensors").stat().st_mtime_ns == written


def test_the_weights_lie_beside_the_large_reader_while_it_is_made(tmp_path, monkeypatch):
    """A killed set-up leaves them there, where the next one deletes them."""
    monkeypatch.setenv("SEARCHAIN_HOME", str(tmp_path / "home"))
    weights, draft = tmp_path / "weights", tmp_path / "draft"
    safetensors.torch.save_file({"layer": torch.zeros(1)}, weights)
    with ZipFile(tmp_path / "zip", "w") as archive:
        for name in ("config.json", "tokenizer.json", "model.safetensors"):
            archive.write(weights, f"all-mpnet-base-v2/{name}")
    monkeypatch.setattr(mpnet, "open_base", lambda: ZipFile(tmp_path / "zip"))
    real, read = safetensors.torch.load_file, []
    monkeypatch.setattr(safetensors.torch, "load_file", lambda file: read.append(Path(file)) or real(file))
    mpnet.write_large_reader(draft / "reader", weights)
    assert [file.is_relative_to(draft) for file in read] == [False, True]  # the deltas, the base
    assert not read[1].exists()


@pytest.mark.parametrize("write", [minilm.write_reader, mpnet.write_large_reader])
def test_damaged_deltas_are_named(tmp_path, write):
    (tmp_path / "adapter.safetensors").write_bytes(b"damaged")
    with pytest.raises(SetupError, match="adapter.safetensors' is damaged"):
        write(tmp_path / "reader", tmp_path / "adapter.safetensors")
    assert not (tmp_path / "reader").exists()


def test_a_long_passage_is_read_to_its_end():
    text = "Nothing is said here. " * 200 + "Nintendo has its headquarters in Kyoto. " + "Nothing more. " * 20
    [reading] = LargeReader(mpnet.large_reader()).read(
        "In which city does Nintendo have its headquarters?", [Passage("1", "Nintendo", text)]
    )
    assert reading.answer == "Kyoto"


def test_missing_deltas_are_named_and_a_damaged_reader_can_be_made_anew(tmp_path, monkeypatch):
    monkeypatch.setattr(mpnet, "WEIGHTS", tmp_path)
    with pytest.raises(SetupError, match="restore it from the repository"):
        mpnet.large_reader()
    with pytest.raises(ReaderError, match="remove that folder, then run: make setup$"):
        LargeReader(tmp_path)
