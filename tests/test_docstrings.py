"""The examples in docstrings run and tell the truth."""

import doctest
import importlib

import pytest

MODULES = ("agreement", "annotation.clauses", "chain", "citations", "duplicates", "sentences", "tasks", "text")


@pytest.mark.parametrize("module", MODULES)
def test_examples(module):
    failed, attempted = doctest.testmod(importlib.import_module(f"searchain.{module}"))
    assert attempted > 0
    assert failed == 0
