"""The budgets of the code base: how each is counted, on small examples, and the whole table."""

import ast
import subprocess
import sys
from textwrap import dedent

import pytest

from lab.budgets import arrows, shape
from lab.budgets.patterns import characters_in
from searchain.files.checkout import ROOT

STILL_MISSED = ("lines of hand-written English rules", "lines of Python in the wheel", "lines of tests")


def test_every_budget_has_a_number_and_those_once_met_stay_met():
    done = subprocess.run([sys.executable, "-m", "lab.budgets"], cwd=ROOT, capture_output=True, text=True, check=True)
    heading, line, *rows = done.stdout.splitlines()
    assert (heading, line) == ("| budget | now | to reach |", "|---|---:|---:|")
    assert len(rows) == 12
    for row in rows:
        about, now, most = [cell.strip() for cell in row.strip("|").split("|")]
        assert about
        assert now.replace(",", "").isdigit()
        assert most.replace(",", "").isdigit()
        assert about.startswith(STILL_MISSED) or int(now.replace(",", "")) <= int(most.replace(",", "")), row


@pytest.mark.parametrize(
    ("code", "characters"),
    [
        ('re.compile(r"abc")', 3),
        ('re.sub("a+", "long replacement", text)', 2),
        ('NAME = "xyz"\nre.search(rf"a{NAME}b", text)', 5),
        ('WORDS = "one two".split()', 7),
        ('DATE = "one, two".split(", ")', 0),
        ('WORDS = frozenset({"a", "b", "c", "d", "e", "f", "g", "hh"})', 9),
        ('WORDS = {"a", "b", "c"}', 0),
        ('SAYS = {"a": "x", "b": "x", "c": "x", "d": "x", "e": "x", "f": "x", "g": "x", "h": "yy"}', 17),
        ('def f():\n    return ["a", "b", "c", "d", "e", "f", "g", "h"]', 0),
        ('WORDS = "one two"\nre.compile("|".join(WORDS.split()))', 8),
    ],
)
def test_characters_of_patterns_and_word_lists(code, characters):
    assert characters_in(ast.parse(code)) == characters


def test_the_shape_of_classes_and_functions():
    tree = ast.parse(
        dedent("""
        class Round:
            name: str
            is_done: bool = False

            def __init__(self):
                self.name, self.tree = "", None

            def read(self, a, b):
                for one in a:
                    if one and b or not one:
                        return [x for x in b if x]
                self.tree = a if b else self.tree.root
        """)
    )
    found = tree.body[0]
    assert (shape.booleans(found), shape.attributes(found)) == (1, 3)
    assert shape.complexity(found.body[3]) == 1 + 1 + 1 + 2 + 1 + 1


def test_circles_are_counted_each_once():
    graph = {"a": {"b"}, "b": {"a", "x"}, "c": {"a", "d"}, "d": {"e"}, "e": {"d"}, "f": {"a"}}
    assert sorted(map(sorted, arrows.circles(graph))) == [["a", "b"], ["d", "e"]]
