"""The encoder of ColBERT checkpoints, and the embedded checkpoint."""

import json
import os
import shutil
import subprocess
import sys

import pytest
import torch
from safetensors.torch import load_file, save_file

from searchain.errors import RetrievalError
from searchain.retrieval.checkpoint import embedded_checkpoint
from searchain.retrieval.encoder import Encoder


@pytest.fixture(scope="module")
def encoder():
    return Encoder(embedded_checkpoint())


QUERY = "Who founded Nintendo?"
TEXTS = ["a longer passage " * 20, "x", "Ottawa | A city (in Canada), founded 1826.", "word " * 500]
COLBERT = """
import sys, torch
from colbert.infra import ColBERTConfig
from colbert.modeling import base_colbert, hf_colbert
from colbert.modeling.checkpoint import Checkpoint, ColBERT

def class_factory(name):  # transformers 5 wants post_init(), which calls init_weights() again
    made = build(name)
    init_weights = made.init_weights

    def once(self):
        made.init_weights = init_weights
        self.post_init()

    made.init_weights = once
    return made

build, base_colbert.class_factory = hf_colbert.class_factory, class_factory
ColBERT.loaded_extensions = True  # a compiled one scores; none encodes
directory, query, out, *texts = sys.argv[1:]
checkpoint = Checkpoint(directory, colbert_config=ColBERTConfig.load_from_checkpoint(directory), verbose=0)
passages, lengths = checkpoint.docFromText(texts, bsize=2, keep_dims="flatten")[:2]
torch.save((checkpoint.queryFromText([query]), passages, lengths), out)
"""


@pytest.fixture(scope="module")
def theirs(tmp_path_factory):
    """What colbert-ai's own checkpoint makes of the query and the texts."""
    out = tmp_path_factory.mktemp("colbert") / "vectors.pt"
    command = [sys.executable, "-c", COLBERT, str(embedded_checkpoint()), QUERY, str(out), *TEXTS]
    subprocess.run(command, check=True, env={**os.environ, "CUDA_VISIBLE_DEVICES": ""})
    return torch.load(out, weights_only=True)


def test_passages_and_queries_are_encoded_as_colbert_does_without_padding(encoder, theirs):
    vectors, lengths = encoder.encode_passages(TEXTS)
    _, expected, expected_lengths = theirs
    assert lengths == expected_lengths
    assert (vectors.float() * expected).sum(1).min() > 0.99  # ours may be computed in bfloat16
    vectors, (expected, *_) = encoder.encode_query(QUERY), theirs
    assert vectors.shape == (1, 7, 128)  # [CLS] [unused0] who founded nintendo ? [SEP]
    assert torch.allclose(vectors, expected[:, :7], atol=1e-5)
    assert not expected[:, 7:].any()
    assert torch.allclose(vectors.norm(dim=-1), torch.ones(1, 7))


def test_a_checkpoint_with_a_mask_token_fills_its_queries_with_masks(tmp_path):
    shutil.copytree(embedded_checkpoint(), tmp_path / "checkpoint")
    facts = tmp_path / "checkpoint" / "tokenizer_config.json"
    facts.write_text(json.dumps(json.loads(facts.read_text()) | {"mask_token": "[MASK]"}))
    ids, attention = Encoder(tmp_path / "checkpoint").query_ids("word " * 3)
    assert ids.shape == attention.shape == (1, 64)
    assert ids[0].tolist() == [101, 1, 2773, 2773, 2773, 102] + [103] * 58
    assert attention[0].tolist() == [1] * 6 + [0] * 58


def test_a_checkpoint_without_its_projection_is_refused(tmp_path):
    shutil.copytree(embedded_checkpoint(), tmp_path / "checkpoint")
    weights = load_file(tmp_path / "checkpoint" / "model.safetensors")
    del weights["linear.weight"]
    save_file(weights, tmp_path / "checkpoint" / "model.safetensors")
    with pytest.raises(RetrievalError, match="is not a ColBERT checkpoint: it lacks weights .*linear.weight"):
        Encoder(tmp_path / "checkpoint")
