"""The shim for colbert-ai under transformers 5, and the encoder above it."""

import multiprocessing
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from searchain.retrieval import extensions
from searchain.retrieval.checkpoint import embedded_checkpoint, fingerprint
from searchain.retrieval.corpus import default_corpus
from searchain.retrieval.encoder import Encoder, encoded_text
from searchain.types import Passage

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def encoder():
    return Encoder(embedded_checkpoint())


def test_colbert_still_needs_the_shim():
    """When this fails, colbert loads under the installed transformers by itself: remove that part of ``compat``."""
    code = (
        "import sys, colbert.modeling.hf_colbert as hf; from types import SimpleNamespace; "
        "hf.class_factory(sys.argv[1]).from_pretrained(sys.argv[1], colbert_config=SimpleNamespace(dim=128))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(embedded_checkpoint())], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert "AttributeError" in done.stderr.splitlines()[-1]


def test_every_weight_is_loaded_as_it_is_stored(encoder):
    stored = load_file(embedded_checkpoint() / "model.safetensors")
    loaded = encoder.checkpoint.model.state_dict()
    assert {name for name in stored if not torch.equal(stored[name], loaded[name])} == set()
    assert set(loaded) == set(stored)


def test_the_shim_leaves_the_way_processes_start_alone():
    code = (
        "import multiprocessing; from searchain.retrieval import compat; "
        "print(multiprocessing.get_start_method(allow_none=True))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout == "None\n"
    assert multiprocessing.get_start_method() == multiprocessing.get_all_start_methods()[0]


def test_passages_are_encoded_as_colbert_does(encoder):
    texts = [encoded_text(passage) for passage in default_corpus().passages[:2_000:50]] + ["x", "word " * 500]
    vectors, lengths = encoder.encode_passages(texts)
    theirs, their_lengths = encoder.checkpoint.docFromText(texts, bsize=32, keep_dims="flatten")
    assert lengths == their_lengths
    assert (vectors.float() * theirs).sum(-1).min() > 0.99  # ours may be computed in bfloat16


def test_a_query_is_encoded_without_padding_and_of_unit_length(encoder):
    vectors = encoder.encode_query("Who founded Nintendo?")
    theirs = encoder.checkpoint.queryFromText(["Who founded Nintendo?"])
    assert vectors.shape == (1, 7, 128)  # [CLS] [unused0] who founded nintendo ? [SEP]
    assert torch.allclose(vectors, theirs[:, :7], atol=1e-5)
    assert not theirs[:, 7:].any()
    assert torch.allclose(vectors.norm(dim=-1), torch.ones(1, 7))


def test_the_projection_keeps_orthogonal_directions():
    linear = load_file(embedded_checkpoint() / "model.safetensors")["linear.weight"]
    assert linear.shape == (128, 384)
    assert torch.allclose(linear @ linear.T, torch.eye(128), atol=1e-5)


def test_the_embedded_checkpoint_is_named_by_what_it_is_made_from():
    directory = embedded_checkpoint()
    assert directory.name == f"colbert-{fingerprint(directory)}"
    assert embedded_checkpoint() == directory


def test_the_title_is_encoded_but_is_no_part_of_the_text():
    assert encoded_text(Passage("1", "Ottawa", "A city.")) == "Ottawa | A city."
    assert encoded_text(Passage("1", "", "A city.")) == "A city."


def test_a_failing_compiler_is_told_in_one_line_and_leaves_nothing(tmp_path, monkeypatch):
    compiler = tmp_path / "c++"
    compiler.write_text(
        '#!/bin/sh\nif [ "$1" = --version ]; then exec g++ --version; fi\n'
        "echo 'x.cpp:1:10: fatal error: Python.h: No such file or directory' >&2\nexit 1\n"
    )
    compiler.chmod(0o755)
    monkeypatch.setenv("SEARCHAIN_HOME", str(tmp_path))
    monkeypatch.setenv("CXX", str(compiler))
    with pytest.raises(extensions.SetupError, match="fatal error: Python.h: No such file or directory") as caught:
        extensions.compile_all()
    assert "\n" not in str(caught.value)
    assert [path.name for path in extensions.directory().iterdir()] == [".lock"]
    assert not extensions.is_compiled()
