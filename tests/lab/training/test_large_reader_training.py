"""Training the large Reader: its deltas, and what it is trained on."""

import fcntl

import pytest
import torch
from click.testing import CliRunner
from torch.nn import functional

from lab.training import large_reader
from lab.training.large_reader import Plan, examples, mpnet_batches, mpnet_tokenizer
from lab.training.large_reader_model import LowRankLinear
from lab.training.low_rank import SCALE, mix, write_adapter
from lab.training.reader_scores import Scores
from searchain.embedded import assets
from searchain.embedded.assets import read_adapter
from searchain.embedded.mpnet import END, PAD, START
from searchain.setup import wheels
from tests.lab.training.test_reader_training import RECORDS as OF_THE_SMALL_ONE

RECORDS = OF_THE_SMALL_ONE[::2]  # one with an answer and one without


def test_the_gradients_of_a_delta_are_those_of_the_whole_product():
    torch.manual_seed(0)
    layer = LowRankLinear(torch.nn.Linear(6, 5).bfloat16(), rank=2)
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


def test_an_adapter_is_moved_back_towards_the_one_before(tmp_path):
    first, last = tmp_path / "first.safetensors", tmp_path / "last.safetensors"
    write_adapter(first, {"bias": torch.tensor([0.0, 4.0])})
    write_adapter(last, {"bias": torch.tensor([1.0, 2.0])})
    mix(first, last, 0.25)
    assert read_adapter(last)["bias"].tolist() == [0.25, 3.5]


def test_each_pass_has_other_records_and_begins_anew_where_they_are_spent(monkeypatch):
    seen = []
    monkeypatch.setattr(large_reader, "examples", lambda records, made, more, *given: seen.append((records, more)))
    list(large_reader.passes(RECORDS, (), RECORDS[:1], Plan(epochs=3, limit=1), None))
    list(large_reader.passes(RECORDS, (), (), Plan(epochs=2), None))
    first, second = RECORDS
    assert seen == [([one], [first]) for one in (first, second, first)] + [(RECORDS, ())] * 2


def test_a_share_needs_an_adapter_to_go_on_from(tmp_path, monkeypatch):
    monkeypatch.setattr(large_reader, "_alone", lambda *steps: None)
    ended = CliRunner().invoke(large_reader.main, ["--data", str(tmp_path), "--out", str(tmp_path), "--share", "0.5"])
    assert ended.exit_code != 0
    assert "--init" in ended.output


def test_a_batch_has_the_form_that_mpnet_reads():
    tokens = mpnet_tokenizer()
    plan = Plan(negatives=0.0, lowered=1.0)
    [batch] = mpnet_batches(examples(RECORDS, (), (), plan, tokens), 1, plan)
    for row, mask in zip(batch.input_ids, batch.attention_mask, strict=True):
        assert row[0] == START
        assert (row == END).sum() == 3
        assert (row[mask == 0] == PAD).all()
    answered = int(batch.relevant.argmax())
    span = batch.input_ids[answered, batch.start[answered] : batch.end[answered] + 1]
    assert tokens.decode(span.tolist()).strip() == "kyoto"
    assert sorted(batch.relevant) == [0, 1]


def test_the_pieces_are_fetched_while_no_set_up_is_at_work_and_deleted_after(tmp_path, monkeypatch):
    (piece,) = pieces = (assets.Asset("toy-piece", "toy/zip.001", "0" * 64),)
    monkeypatch.setenv("SEARCHAIN_HOME", str(tmp_path))
    monkeypatch.setattr(assets, "MPNET_PIECES", pieces)
    done = []

    def alone(what):
        with (tmp_path / ".setup.lock").open() as file, pytest.raises(BlockingIOError):
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        done.append(what)

    def fetch(report, wanted):
        alone("fetch")
        piece.path.parent.mkdir(parents=True, exist_ok=True)
        piece.path.touch()

    monkeypatch.setattr(wheels, "fetch", fetch)
    monkeypatch.setattr(large_reader, "write_large_reader", lambda made, adapter: alone("write"))
    for name in ("examples", "mpnet_tokenizer", "LargeReader", "train_passes"):
        monkeypatch.setattr(large_reader, name, lambda *given: None)
    for name in ("read_records", "licensed", "made_questions"):
        monkeypatch.setattr(large_reader, name, lambda *given: [])
    monkeypatch.setattr(large_reader, "score", lambda *given: Scores(1.0, 1.0, 1.0, 1, 1, 1.0))
    ended = CliRunner().invoke(large_reader.main, ["--data", str(tmp_path), "--out", str(tmp_path)])
    assert (ended.exit_code, done) == (0, ["fetch", "fetch", "write"]), ended.output
    assert not piece.path.exists()
