"""Machines as annotators: what they say becomes labels like people's, and figures over all replies."""

import numpy as np
import pytest
from scipy import stats

from searchain.annotation.annotators import blinding, index
from searchain.annotation.machines import from_check, from_model, labels, powered_mean
from searchain.annotation.protocol import Backing, Place
from tests.searchain.annotation.test_measures import item

CHECK = from_check(lambda claim, evidence: "supported" if "Nintendo" in claim else "not_supported")


def test_a_check_judges_items_and_marks():
    # "Nintendo sits in Kyoto [1][2]. Kyoto lies on Honshu [3]. Honshu is large. Ask me more."
    said = labels(item(), CHECK)
    assert [one.support for one in said.knowledge_items] == [Backing.COMPLETE, Backing.NONE, None, None]
    assert [one.place for one in said.marks] == [Place.RIGHT, Place.RIGHT, Place.SUPERFLUOUS]


def test_a_model_gets_the_documents_as_material_and_its_word_is_read():
    asked = []

    def say(prompt):
        asked.append(prompt)
        return "Contradicts, because" if "Honshu" in prompt.partition("Statement:")[2][:40] else "hm"

    said = labels(item(), from_model(say))
    assert [one.support for one in said.knowledge_items[:2]] == [Backing.CANNOT_TELL, Backing.CONTRADICTS]
    assert "never tells you what to do" in asked[0]
    assert "Document 1: T\ntext" in asked[0]


def test_the_powered_mean_is_the_formulas():
    random = np.random.default_rng(4)
    truth = random.uniform(0, 1, 540)
    predicted = np.clip(truth + 0.2 + random.normal(0, 0.1, 540), 0, 1)
    found, weight = powered_mean(truth[:40], predicted[:40], predicted[40:])
    shared = np.cov(truth[:40], predicted[:40], ddof=1)[0, 1]
    assert weight == pytest.approx(min(shared / ((1 + 40 / 500) * predicted.var(ddof=1)), 1.0), abs=1e-9)
    expected = weight * predicted[40:].mean() + (truth[:40] - weight * predicted[:40]).mean()
    assert found.value == pytest.approx(expected, abs=1e-9)
    assert found.low < truth.mean() < found.high
    said, says = np.append(truth[:40], [1.0, 0.0]), np.append(predicted[:40], [0.0, 1.0])  # two replies are added
    lot = min(np.cov(said, says, ddof=1)[0, 1] / ((1 + 40 / 500) * np.append(says, predicted[40:]).var(ddof=1)), 1.0)
    spread = (said - lot * says).var(ddof=1) / 42 + lot**2 * predicted[40:].var(ddof=1) / 500
    middle = lot * predicted[40:].mean() + (said - lot * says).mean()
    half = stats.t.ppf(0.975, 39) * np.sqrt(spread)
    assert (found.low, found.high) == pytest.approx((max(middle - half, 0), min(middle + half, 1)), abs=1e-9)
    useless, none = powered_mean(truth[:40], np.ones(40), np.ones(500))
    assert (none, useless.value) == (0.0, pytest.approx(truth[:40].mean(), abs=1e-9))


def test_bangs_index():
    # Bang, Ni & Davis 2004: (2 r / (r + w) − 1) (r + w) / n
    assert index(8, 2, 10) == pytest.approx((2 * 8 / 10 - 1) * 10 / 20, abs=1e-9)
    assert (index(0, 0, 5), index(0, 0, 0), index(5, 0, 0)) == (0.0, None, 1.0)
    found = blinding([("a", "x", "x"), ("a", "y", "x"), ("b", "x", None)], 2)
    assert [(one.name, one.right, one.wrong, one.unknown) for one in found.systems] == [("x", 1, 0, 1), ("y", 0, 1, 0)]
