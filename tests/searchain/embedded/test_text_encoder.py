"""Encoders with torch alone compute what those of transformers compute, to the last bit."""

import subprocess
import sys
from pathlib import Path

import pytest
import torch
from transformers import BertConfig, BertModel, MPNetConfig, MPNetModel

from searchain.embedded.text_encoder import TextEncoder

ROOT = Path(__file__).parents[3]
SIZES = {"vocab_size": 99, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 64}


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize(
    ("kind", "config", "model", "padding"), [("bert", BertConfig, BertModel, 0), ("mpnet", MPNetConfig, MPNetModel, 1)]
)
def test_the_states_are_those_of_transformers(kind, config, model, padding, dtype):
    torch.manual_seed(3)
    facts = config(**SIZES, max_position_embeddings=300)
    theirs = model(facts, add_pooling_layer=False).eval().to(dtype)
    ours = TextEncoder(kind, facts.to_dict(), theirs.state_dict(), dtype)
    for lengths in ((1,), (200,), (150, 40, 7)):
        mask = (torch.arange(max(lengths)) < torch.tensor(lengths)[:, None]).long()
        ids = torch.where(mask.bool(), torch.randint(5, 99, mask.shape), padding)
        with torch.inference_mode():
            expected, found = theirs(ids, attention_mask=mask)[0], ours(ids, mask)
        assert torch.equal(found[mask.bool()], expected[mask.bool()])


def test_a_checkpoint_that_lacks_a_weight_is_refused():
    weights = BertModel(BertConfig(**SIZES)).state_dict()
    del weights["encoder.layer.1.output.dense.bias"]
    with pytest.raises(ValueError, match="the weights 'encoder.layer.1.output.dense.bias' are missing"):
        TextEncoder("bert", SIZES, weights)


def test_the_embedded_models_load_without_transformers():
    script = (
        "import sys; from searchain.assemble import open_searchain; open_searchain(); "
        "print(*sorted({'colbert', 'transformers', 'scipy', 'sympy', 'pandas', 'lab'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
