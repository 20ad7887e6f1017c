"""Boosted trees as plain numbers."""

import json
import math

import pytest

from searchain.verification.trees import Tree, Trees

TREE = Tree(splits=((0, 1.5, 1, -1), (1, 0.0, -2, -3)), leaves=(2.0, -1.0, 0.5))


def test_trees_add_up_to_log_odds():
    trees = Trees(-0.5, (TREE, Tree((), (0.25,))))
    assert trees.probability((2.0, 0.0)) == pytest.approx(1 / (1 + math.exp(-1.75)))


def test_trees_survive_json():
    trees = Trees(-0.5, (TREE, Tree((), (0.25,))))
    assert Trees.from_json(json.loads(json.dumps(trees.as_json()))) == trees


@pytest.mark.parametrize("split", [[0, 1.0, 0, -3], [0, 1.0, 5, -1]])
def test_a_tree_that_leads_nowhere_is_refused(split):
    with pytest.raises(ValueError, match="nowhere"):
        Trees.from_json({"start": 0, "trees": [{"splits": [split], "leaves": [1.0, 2.0]}]})
