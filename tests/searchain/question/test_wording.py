"""What a model rewrote: whether it is usable."""

import pytest

from searchain.question.wording import is_usable_rewrite
from searchain.types import Exchange

MARIO = [Exchange("Which company makes Mario?", "Nintendo makes Mario [1].", "Nintendo")]


SUNK = [Exchange("when did the titanic sink", "It sank on 15 April 1912 [3].", "15 April 1912")]


@pytest.mark.parametrize(
    ("rewritten", "question", "history", "expected"),
    [
        ("When was Nintendo founded?", "When was it founded?", MARIO, True),
        ("", "When was it founded?", MARIO, False),
        ("Nintendo\nfounded", "When was it founded?", MARIO, False),
        ("how old is nintendo", "When was it founded?", MARIO, True),
        ("When was Sony established?", "When was it founded?", MARIO, False),
        ("Nintendo was established in Kyoto", "When was it founded?", MARIO, False),
        ("When was Nintendo founded? In a small workshop.", "When was it founded?", MARIO, False),
        ("When was it founded?", "When was it founded?", MARIO, False),
        ("And how old is Nintendo?", "And how old is it?", MARIO, False),
        ("Is Nintendo large?", "is it big", MARIO, True),
        ("Was Nintendo established in 1889?", "When was it founded?", MARIO, False),
        ("Where do pandas live?", "When was it founded?", MARIO, False),
        ("When was Nintendo " + "and by whom and for which good reason " * 6 + "set up?", "When was it?", MARIO, False),
        ("Is Nintendo the older company?", "Is it older than Sony?", MARIO, False),
        ("Did Nintendo exist long ago?", "Was it there in 1900?", MARIO, False),
        ("Who are two founders of Nintendo?", "Name two of its makers", MARIO, True),
        ("On what date did the Lusitania go down?", "and the lusitania?", SUNK, True),
        ("Which 3 ships sank with the titanic?", "what else sank", SUNK, False),
    ],
)
def test_a_models_rewrite_keeps_names_and_numbers(rewritten, question, history, expected):
    assert is_usable_rewrite(rewritten, question, history) is expected
