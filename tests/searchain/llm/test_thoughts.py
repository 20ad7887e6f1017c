"""Thoughts within the text, told apart while it streams; more of them in tests/searchain/test_model_faults.py."""

import pytest

from searchain.llm.base import Retracted, Thought
from searchain.llm.completion import ThoughtSplitter


@pytest.mark.parametrize("size", [1, 3, 1_000])
@pytest.mark.parametrize("said", ["a < b and [c] <thin", "thought</think>text"])
def test_half_a_tag_is_text_and_an_end_that_comes_unannounced_retracts_what_was(said, size):
    splitter, written = ThoughtSplitter(), ""
    pieces = [piece for at in range(0, len(said), size) for piece in splitter.feed(said[at : at + size])]
    for piece in [*pieces, *splitter.finish()]:
        written = "" if isinstance(piece, Retracted) else written + piece if isinstance(piece, str) else written
    assert written == said.rpartition("</think>")[2]
    assert splitter.ends_unannounced == ("</think>" in said)


def test_a_model_that_begins_with_thoughts_may_also_not_think():
    thinking = ThoughtSplitter(is_thinking=True)
    assert [*thinking.feed("a</think>b"), *thinking.finish()] == [Thought("a"), "b"]
    plain = ThoughtSplitter(is_thinking=True)
    assert [*plain.feed("a chain"), *plain.finish()] == [Thought("a chain"), "a chain"]
