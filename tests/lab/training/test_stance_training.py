"""Training the stance model and fitting the support check, on toy data over the real base weights."""

import random

import torch
from safetensors.torch import load_file

from lab.training.calibration import Record
from lab.training.low_rank import LowRank
from lab.training.reader_data import SEP
from lab.training.stance_batches import batches, encode
from lab.training.stance_data import LONGEST, Claim, from_facts, hold_back, record_facts, shortened
from lab.training.statements import Fact
from searchain.embedded.assets import merged
from searchain.embedded.minilm import WEIGHTS, base_state, minilm_tokenizer
from searchain.types import Passage, Span

NINTENDO = Passage("1", "Nintendo", "Nintendo is a Japanese company. It was founded in 1889 in Kyoto by F. Yamauchi.")
SONY = Passage("2", "Sony", "Sony is a large Japanese company. It was founded in 1946 in Tokyo by Masaru Ibuka.")
ZEBRA = Passage("3", "Zebra", "Zebras are African equines with striped coats.")
FOUNDED = Fact("When was Nintendo founded?", "1889", NINTENDO, Span(50, 54), "Nintendo began in 1889.")
CLAIMS = [
    Claim("Nintendo is from Japan.", NINTENDO, "supports"),
    Claim("Nintendo is from France.", NINTENDO, "refutes"),
    Claim("Nintendo is from Japan.", ZEBRA, "unknown"),
    Claim("Sony is from France.", SONY, "refutes"),
    Claim("Sony is from Japan.", SONY, "supports"),
    Claim("Sony is from Japan.", ZEBRA, "unknown"),
]


def test_facts_become_claims_of_all_labels():
    facts = record_facts([Record(FOUNDED.question, NINTENDO, (Span(50, 54),)), Record("Is it?", ZEBRA, ())]) * 40
    rest = [Passage("", f"Word{number}", f"word{number}") for number in range(60)]
    made = list(from_facts(facts, [NINTENDO, SONY, ZEBRA, *rest], random.Random(1), unknown=0.3))
    assert {claim.label for claim in made} == {"supports", "refutes", "unknown"}
    for claim in made:
        if claim.label == "unknown":
            assert "1889" not in claim.passage.text
        elif " not " not in claim.statement:
            assert ("1889" in claim.statement) == (claim.label == "supports")
            assert claim.passage == NINTENDO


def test_held_back_claims_share_no_passage_with_the_others():
    learnt, held = hold_back(CLAIMS, 2, 1)
    assert len(held) >= 2
    assert sorted(map(str, learnt + held)) == sorted(map(str, CLAIMS))
    assert {claim.passage for claim in learnt}.isdisjoint(claim.passage for claim in held)


def test_long_passages_are_cut_around_the_answer():
    passage = Passage("", "", "Nothing is said here. " * 60 + "The city is Kyoto. " + "Nothing is said here. " * 60)
    for n in range(20):
        cut = shortened(passage, Span(passage.text.index("Kyoto"), passage.text.index("Kyoto") + 5), random.Random(n))
        assert "Kyoto" in cut.text
        assert LONGEST - 30 < len(cut.text) <= LONGEST
    assert shortened(NINTENDO, None, random.Random(1)) == NINTENDO


def rows(claims=CLAIMS):
    return encode(minilm_tokenizer(), claims, 64)


def test_batches_have_the_form_that_the_model_reads():
    [batch] = batches(rows(), size=6, seed=1)
    assert sorted(batch.labels) == [0, 0, 1, 1, 2, 2]
    for row, mask in zip(batch.input_ids, batch.attention_mask, strict=True):
        assert (row == SEP).sum() == 2
        assert not row[mask == 0].any()
    first, again, other = ([one.input_ids.tolist() for one in batches(rows() * 30, size=4, seed=n)] for n in (1, 1, 2))
    assert first == again != other


def test_training_starts_at_the_readers_deltas():
    adapter = load_file(WEIGHTS / "adapter.safetensors")
    base = {name: tensor for name, tensor in base_state().items() if ".encoder.layer.5." in name}
    wanted = {name: merged(base_state(), adapter)[name] for name in base}
    for rank, most in ((48, 1e-3), (24, 0.5)):
        found = LowRank(base, rank, "cpu", adapter).weights()
        for name, tensor in found.items():
            moved = torch.linalg.norm(wanted[name] - base[name])
            assert torch.linalg.norm(tensor - wanted[name]) <= most * moved + 1e-4, name
