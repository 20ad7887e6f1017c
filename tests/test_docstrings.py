"""The examples in docstrings run and tell the truth."""

import doctest
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MODULES = sorted(
    ".".join(file.relative_to(ROOT).with_suffix("").parts)
    for folder in ("searchain", "storage", "ui", "lab")
    for file in (ROOT / folder).rglob("*.py")
    if ">>> " in file.read_text()
)


@pytest.mark.parametrize("module", MODULES)
def test_examples(module):
    failed, attempted = doctest.testmod(importlib.import_module(module))
    assert attempted > 0
    assert failed == 0
