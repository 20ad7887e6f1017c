"""Thoughts within the text, told apart while it streams."""

import pytest

from searchain.llm.base import Retracted, Thought
from searchain.llm.completion import ThoughtSplitter

CASES = [
    ("plain [Query 1]: Who?", "plain [Query 1]: Who?", "", False),
    ("<think>a [Query 1]: b</think>c", "c", "a [Query 1]: b", False),
    ("<think>a<think>b</think>c</think>d", "d", "abc", False),
    ("<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>b", "b", "a", False),
    ("<think>a", "", "a", False),
    ("a < b and [c] <thin", "a < b and [c] <thin", "", False),
    ("thought</think>text", "text", None, True),
]


@pytest.mark.parametrize("size", [1, 3, 1_000])
@pytest.mark.parametrize(("said", "text", "thoughts", "is_unannounced"), CASES)
def test_thoughts_are_told_apart_however_the_text_is_cut(said, text, thoughts, is_unannounced, size):
    splitter = ThoughtSplitter()
    pieces = [piece for at in range(0, len(said), size) for piece in splitter.feed(said[at : at + size])]
    written = ""
    for piece in [*pieces, *splitter.finish()]:
        match piece:
            case Retracted():
                written = ""
            case str():
                written += piece
    assert written.strip() == text
    assert splitter.has_text == bool(text)
    assert splitter.ends_unannounced == is_unannounced
    if thoughts is not None:
        assert "".join(piece.text for piece in pieces if isinstance(piece, Thought)) == thoughts


def test_a_model_that_begins_with_thoughts_may_also_not_think():
    thinking = ThoughtSplitter(is_thinking=True)
    assert [*thinking.feed("a</think>b"), *thinking.finish()] == [Thought("a"), "b"]
    plain = ThoughtSplitter(is_thinking=True)
    assert [*plain.feed("a chain"), *plain.finish()] == [Thought("a chain"), "a chain"]
