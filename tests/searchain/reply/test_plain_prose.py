"""Markdown in a model's reply: all marks of a kind go, or none, however the text is cut into deltas."""

import pytest

from searchain.reply.final_text import PlainProse


def read(*deltas: str) -> str:
    prose = PlainProse()
    return "".join(map(prose.feed, deltas)) + prose.finish()


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("**In which city** — it is **Kyoto [k1]**.", "In which city — it is Kyoto [k1]."),
        ("headquarters** — it is **Kyoto", "headquarters — it is Kyoto"),
        ("## Answer\nIt is **Kyoto**.", "Answer\nIt is Kyoto."),
        ("So:\n* one\n* **two**\n+ three", "So:\n- one\n- two\n- three"),
        ("2**10 is 1024, C# is a language, # alone", "2**10 is 1024, C# is a language, # alone"),
        ("`**kwargs**` and **bold**", "`**kwargs**` and bold"),
        ("```\n# a comment\n* p = **q;\n```\n# Title", "```\n# a comment\n* p = **q;\n```\nTitle"),
        ("******", "******"),
        ("", ""),
    ],
)
def test_marks_go_together(text: str, plain: str):
    assert read(text) == plain
    assert read(*text) == plain
    assert read(*(text[at : at + 3] for at in range(0, len(text), 3))) == plain
