"""Training the large Reader: its deltas, and what it is trained on."""

import pytest
import torch
from torch.nn import functional

from lab.training.calibration import Record
from lab.training.large_reader import Plan, examples, mpnet_batches, mpnet_tokenizer
from lab.training.large_reader_model import LowRankLinear
from lab.training.low_rank import SCALE
from searchain.embedded.mpnet import END, PAD, START
from searchain.types import Passage, Span

RECORDS = [
    Record(
        "Where does Nintendo have its headquarters?",
        Passage("1", "Nintendo", "Nintendo has its headquarters in Kyoto."),
        (Span(33, 38),),
        "CC0",
    ),
    Record("Who founded Sony?", Passage("2", "Sony", "Sony has its headquarters in Tokyo."), (), "CC0"),
]


def test_the_gradients_of_a_delta_are_those_of_the_whole_product():
    torch.manual_seed(0)
    layer = LowRankLinear(torch.nn.Linear(6, 5), rank=2)
    with torch.no_grad():
        layer.low_rank_B.normal_()
    states = torch.randn(3, 4, 6).bfloat16().requires_grad_()
    wanted = torch.randn(3, 4, 5).bfloat16()
    (layer(states) * wanted).sum().backward()
    found = [one.grad.clone() for one in (states, layer.low_rank_A, layer.low_rank_B)]

    a, b = (one.detach().clone().requires_grad_() for one in (layer.low_rank_A, layer.low_rank_B))
    plain = states.detach().float().requires_grad_()
    whole = layer.weight.float() + SCALE * b @ a
    (functional.linear(plain, whole, layer.bias) * wanted.float()).sum().backward()
    for one, other in zip(found, (plain.grad, a.grad, b.grad), strict=True):
        assert one.float() == pytest.approx(other, abs=0.15, rel=0.05)


def test_a_batch_has_the_form_that_mpnet_reads():
    tokens = mpnet_tokenizer()
    plan = Plan(negatives=0.0, lowered=1.0)
    [batch] = mpnet_batches(examples(RECORDS, (), plan, tokens), 1, plan)
    for row, mask in zip(batch.input_ids, batch.attention_mask, strict=True):
        assert row[0] == START
        assert (row == END).sum() == 3
        assert (row[mask == 0] == PAD).all()
    answered = int(batch.relevant.argmax())
    span = batch.input_ids[answered, batch.start[answered] : batch.end[answered] + 1]
    assert tokens.decode(span.tolist()).strip() == "kyoto"
    assert sorted(batch.relevant) == [0, 1]
