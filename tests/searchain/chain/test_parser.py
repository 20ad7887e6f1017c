"""Chain-of-Query text that models really write, and what must be read from it."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from searchain.chain.parser import ChainParser, StepRead, parse_chain
from tests.support.json_lines import kept

WRITTEN = kept("chains.json")
"""What models wrote, some of it shortened, and the steps that are read from it."""


@pytest.mark.parametrize(("text", "expected"), WRITTEN["parser"].values(), ids=WRITTEN["parser"])
def test_what_models_write_is_read_at_once_and_token_by_token(text, expected):
    assert [[step.query, step.answer] for step in parse_chain(text)] == expected
    parser = ChainParser()
    items = [item for character in text for item in parser.feed(character)] + parser.finish()
    assert [item.step for item in items if isinstance(item, StepRead)] == parse_chain(text)


LABELS = ["[Query 1]: ", "[Answer 1]:", "[Unsolved Query]", "Query 2: ", "[Final Content]: ", "Q1: "]
PIECES = st.sampled_from([*LABELS, "**", "\n", "：", " Who? ", "Ada", "[", "]", "[Bar]", "#1 ", "answer"])


@given(st.lists(PIECES, max_size=14), st.data())
def test_no_cut_of_the_stream_changes_the_steps(pieces, data):
    text = "".join(pieces)
    parser, items, rest = ChainParser(), [], text
    while rest:
        cut = data.draw(st.integers(1, len(rest)))
        items += parser.feed(rest[:cut])
        rest = rest[cut:]
    items += parser.finish()
    assert [item.step for item in items if isinstance(item, StepRead)] == parse_chain(text)


def seconds_to_feed(texts):
    """Processor time of this thread, since other threads and programs may be busy."""
    parser, started = ChainParser(), time.thread_time()
    for text in texts:
        parser.feed(text)
    return time.thread_time() - started


@pytest.mark.parametrize("junk", [" " * 120, "\n" * 120, "[" * 120, "a: " * 40])
def test_junk_is_read_about_as_fast_as_ordinary_lines(junk):
    lines = seconds_to_feed(["some words of a line without any label,\n" * 3] * 66)
    assert seconds_to_feed([junk] * 66) < 20 * lines


def test_reading_does_not_become_slower_the_longer_a_stream_of_nothing_is():
    """A parser that looked at everything again would take sixteen times as long for four times the text."""
    assert seconds_to_feed(["a: " * 40] * 400) < 10 * seconds_to_feed(["a: " * 40] * 100)


@pytest.mark.parametrize(("text", "steps"), WRITTEN["cut"].values(), ids=WRITTEN["cut"])
def test_a_chain_that_was_cut_loses_the_line_it_was_cut_in(text, steps):
    for size in (1, 1_000):
        parser = ChainParser()
        items = [item for at in range(0, len(text), size) for item in parser.feed(text[at : at + size])]
        items += parser.finish(is_cut=True)
        assert [[item.step.query, item.step.answer] for item in items if isinstance(item, StepRead)] == steps
