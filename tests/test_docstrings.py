"""The examples in docstrings run and tell the truth."""

import doctest
import importlib

import pytest

MODULES = (
    "searchain.annotation.clauses",
    "searchain.chain.parser",
    "searchain.evaluation.analysis",
    "searchain.language.questions",
    "searchain.language.same_answer",
    "searchain.language.same_query",
    "searchain.language.sentences",
    "searchain.language.text",
    "searchain.reply.citations",
)


@pytest.mark.parametrize("module", MODULES)
def test_examples(module):
    failed, attempted = doctest.testmod(importlib.import_module(module))
    assert attempted > 0
    assert failed == 0
