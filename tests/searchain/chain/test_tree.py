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


def test_mending_a_mended_node_leaves_both_behind():
    tree = Tree()
    one = tree.add(Step("1?", "a"), 1)
    first = tree.open_branch(one.id, 2, "b")
    second = tree.open_branch(first.id, 3, "c")
    assert [node.id for node in tree.path()] == [second.id]
    assert second.parent is None


def test_an_empty_tree_has_an_empty_path():
    assert Tree().path() == ()


def test_updates_replace_values():
    tree = Tree()
    node = tree.add(Step("1?", None), 1)
    assert tree.update(node.id, answer="x").answer == "x"
    assert tree[node.id].answer == "x"
    assert node.answer is None
