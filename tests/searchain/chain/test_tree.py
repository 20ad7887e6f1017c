"""The Tree-of-Reasoning: where branches hang, and what is on the correct path."""

from searchain.chain.tree import Tree
from searchain.types import Step


def test_a_branch_hangs_on_the_parent_of_what_it_mends():
    tree = Tree()
    one, two = tree.add(Step("1?", "a"), 1), tree.add(Step("2?", "b"), 1)
    tree.add(Step("3?", "c"), 1)
    mended = tree.open_branch(two.id, 2, "B")
    four = tree.add(Step("4?", None), 2)
    assert (mended.parent, mended.mends, mended.query, mended.answer) == (one.id, two.id, "2?", "B")
    assert [node.id for node in tree.path()] == [one.id, mended.id, four.id]
    assert [node.id for node in tree] == ["n1", "n2", "n3", "n4", "n5"]
