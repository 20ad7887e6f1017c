"""What a model rewrote: whether it is usable."""

import pytest

from searchain.question.wording import is_usable_rewrite
from searchain.types import Exchange
from tests.support.json_lines import kept

HISTORIES = {
    "Mario": [Exchange("Which company makes Mario?", "Nintendo makes Mario [1].", "Nintendo")],
    "Titanic": [Exchange("when did the titanic sink", "It sank on 15 April 1912 [3].", "15 April 1912")],
}


@pytest.mark.parametrize(("rewritten", "question", "history", "expected"), kept("rewrites.json"))
def test_a_models_rewrite_keeps_names_and_numbers(rewritten, question, history, expected):
    assert is_usable_rewrite(rewritten, question, HISTORIES[history]) is expected
