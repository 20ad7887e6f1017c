"""Stance: what passages make of statements, by the embedded model."""

import json
import subprocess
import sys

import pytest

from searchain.embedded import assets
from searchain.errors import SetupError
from searchain.reading.stance import MiniLMStance, embedded_stance, windows
from searchain.types import Opinion, Passage


@pytest.fixture(scope="module")
def stance() -> MiniLMStance:
    return MiniLMStance(embedded_stance())


def lead(title: str) -> Passage:
    page = json.loads(assets.find(assets.WIKIPEDIA_LEADS).read_text(encoding="utf-8"))[title]
    return Passage(title, title, page["extract"])


def said(opinion: Opinion) -> str:
    shares = {"supports": opinion.supports, "refutes": opinion.refutes, "unknown": opinion.unknown}
    return max(shares, key=lambda label: shares[label])


@pytest.mark.parametrize(
    ("statement", "title", "expected"),
    [
        ("Nintendo is a Japanese company.", "Nintendo", "supports"),
        ("Nintendo is a French airline.", "Nintendo", "refutes"),
        ("Is Kyoto in Japan?", "Kyoto", "supports"),
        ("When did Disneyland open? 1955", "Disneyland", "supports"),
        ("When did Disneyland open? 1971", "Disneyland", "refutes"),
        ("Was Hamlet written by Charles Dickens?", "Hamlet", "refutes"),
        ("Nintendo is a Japanese company.", "Zebra", "unknown"),
    ],
)
def test_it_judges_statements_of_every_form(stance, statement, title, expected):
    assert said(stance.judge(statement, [lead(title)])[0]) == expected


def test_one_opinion_per_passage_in_order_and_each_sums_to_one(stance):
    passages = [lead("Zebra"), lead("Nintendo"), Passage("", "", ""), lead("Kyoto")]
    opinions = stance.judge("Nintendo is a Japanese company.", passages)
    assert [opinion.supports + opinion.refutes + opinion.unknown for opinion in opinions] == pytest.approx(
        [1.0] * 4, abs=1e-5
    )
    assert max(opinions, key=lambda opinion: opinion.margin) == opinions[1]
    assert stance.judge("Nintendo is a Japanese company.", []) == []
    for passage, opinion in zip(passages, opinions, strict=True):  # the batch changes nothing but the rounding
        assert stance.judge("Nintendo is a Japanese company.", [passage])[0].margin == pytest.approx(
            opinion.margin, abs=0.03
        )


def test_the_evidence_is_found_wherever_it_stands(stance):
    filler = "The weather was mild and the harvest was good that year. " * 40
    passage = Passage("", "Nintendo", f"{filler}Nintendo is a Japanese company from Kyoto. {filler}")
    assert said(stance.judge("Nintendo is a Japanese company.", [passage])[0]) == "supports"


def test_markers_in_a_text_are_text(stance):
    [opinion] = stance.judge("[SEP] [CLS]", [Passage("", "[SEP]", "[SEP] [CLS] [PAD] \x00")])
    assert opinion.supports + opinion.refutes + opinion.unknown == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize(
    ("sentences", "room", "expected"),
    [
        ([], 5, [(0, 0)]),
        ([(0, 3)], 5, [(0, 3)]),
        ([(0, 3), (3, 5)], 5, [(0, 5)]),
        ([(0, 3), (3, 5), (5, 7)], 5, [(0, 5), (3, 7)]),  # the last sentence is seen with the one before it
        ([(0, 4), (4, 8)], 5, [(0, 4), (4, 8)]),
        ([(0, 12)], 5, [(0, 5), (5, 10), (10, 12)]),
    ],
)
def test_windows_hold_whole_sentences(sentences, room, expected):
    assert windows(sentences, room) == expected


def test_damaged_deltas_are_named(tmp_path):
    (tmp_path / "adapter.safetensors").write_bytes(b"damaged")
    for folder, words in ((tmp_path, "damaged"), (tmp_path / "none", "missing")):
        with pytest.raises(SetupError, match=f"(?s){words}.*restore it"):
            MiniLMStance(folder)


def test_torch_is_imported_only_when_used():
    code = "import sys, searchain.reading.stance, searchain.reply.support_check; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
