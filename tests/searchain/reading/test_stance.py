"""Stance: what passages make of statements, by the embedded model."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from searchain.errors import SetupError
from searchain.reading.stance import MiniLMStance, embedded_stance
from searchain.types import Opinion, Passage
from tests.searchain.embedded.test_readers import lead


@pytest.fixture(scope="module")
def stance() -> MiniLMStance:
    return MiniLMStance(embedded_stance())


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


def test_the_model_loads_when_the_first_passage_is_judged(tmp_path):
    stance = MiniLMStance(tmp_path)
    assert stance.judge("Nintendo is a Japanese company.", []) == []
    with pytest.raises(SetupError, match="adapter.safetensors' is missing"):
        stance.judge("Nintendo is a Japanese company.", [lead("Nintendo")])


def test_it_loads_once_for_all_threads(monkeypatch):
    stance, loads = MiniLMStance(embedded_stance()), []

    def make_model():
        loads.append(1)
        time.sleep(0.05)
        return None, {}

    monkeypatch.setattr(stance, "_make_model", make_model)
    with ThreadPoolExecutor(4) as pool:
        loaded = list(pool.map(lambda _: stance.load(), range(4)))
    assert (len(loads), len({id(one) for one in loaded})) == (1, 1)


def test_one_opinion_per_passage_in_order_and_each_sums_to_one(stance):
    passages = [lead("Zebra"), lead("Nintendo"), Passage("", "", ""), lead("Kyoto")]
    opinions = stance.judge("Nintendo is a Japanese company.", passages)
    assert [one.supports + one.refutes + one.unknown for one in opinions] == pytest.approx([1.0] * 4, abs=1e-5)
    assert max(opinions, key=lambda opinion: opinion.margin) == opinions[1]
    assert stance.judge("Nintendo is a Japanese company.", []) == []
    for passage, opinion in zip(passages, opinions, strict=True):  # the batch changes nothing but the rounding
        assert stance.judge("Nintendo is a Japanese company.", [passage])[0].margin == pytest.approx(
            opinion.margin, abs=0.03
        )


def test_markers_in_a_text_are_text(stance):
    [opinion] = stance.judge("[SEP] [CLS]", [Passage("", "[SEP]", "[SEP] [CLS] [PAD] \x00")])
    assert opinion.supports + opinion.refutes + opinion.unknown == pytest.approx(1.0, abs=1e-5)
