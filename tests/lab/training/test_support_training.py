"""Fitting the support check, on sentences that are made up."""

import random

import pytest

from lab.training.support import DECIDED, MEASURED, PEOPLE, fitted, table
from lab.training.support_data import Judged, first_ones, third
from searchain.reply.support_check import FEATURES

SOURCES = (*MEASURED, *DECIDED)


def row(source, number, label, rng):
    strength = {"supported": 0.9, "partial": 0.5, "not_supported": 0.2, "contradicted": 0.2}[label]
    values = dict.fromkeys(FEATURES, strength + rng.gauss(0, 0.05))
    values["refutes"] = 0.9 if label == "contradicted" else rng.random() / 10
    features = [values[name] for name in FEATURES]
    return {"id": f"{source}-{number}", "source": source, "label": label, "kept": number % 3 == 0} | {
        "features": features,
        "words": [],
    }


def swapped(kind, number):
    """Return a sentence with two other words, one of which stands in no passage but is alike."""
    is_number, is_name = kind == "number", kind == "name"
    words = [[0, 4, 1.0, True, False, False, False], [5, 9, 0.7, False, False, is_name, False]]
    words.append([10, 14, 0.2, False, is_number, is_name, True])
    return {"id": f"{kind}-{number}", "source": f"swapped {kind}", "label": "partial"} | {
        "kept": number % 3 == 0,
        "words": words,
    }


@pytest.fixture(scope="module")
def rows():
    rng = random.Random(1)
    found = [row(one, n, "supported" if n % 2 else "not_supported", rng) for one in MEASURED for n in range(60)]
    found += [row(one, n, "supported" if n % 2 else "contradicted", rng) for one in DECIDED for n in range(60)]
    return found + [swapped(kind, number) for kind in ("number", "name", "word") for number in range(9)]


def test_what_can_be_told_apart_is_told_apart_on_the_sentences_kept(rows):
    figures = table([one for one in rows if one["kept"]], fitted(rows))
    for source in MEASURED:
        assert figures[source] == {"balanced_accuracy": 1.0, "auc": 1.0, "sentences": 20}
    assert figures["fever, contradicted"]["balanced_accuracy"] == 1.0
    for kind in ("number", "name", "word"):
        assert figures[f"swapped {kind}"] == {"found": 1.0, "precision": 1.0, "sentences": 3}


def test_judgements_without_a_licence_teach_nothing(rows):
    others = [one for one in rows if one["source"] in (*PEOPLE, *DECIDED) or one["source"].startswith("swapped")]
    assert fitted(rows) == fitted(others)


def test_the_first_sentences_of_each_source_and_side_are_taken():
    sentences = [Judged(str(n), "wice", "partial", "It is.", (), third(str(n))) for n in range(30)]
    some = first_ones(sentences, 2)
    assert [one.is_kept for one in some].count(True) == 2
    assert len(some) == 4
