"""Chain-of-Query text that models really write, and what must be read from it."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from searchain.chain.parser import ChainParser, StepRead, parse_chain

WHO, WHEN, OPEN, YEAR = ("Who?", "Ada"), ("When?", None), ("Who?", None), ("When?", "1843")
BAD_OUTPUTS = {
    "strict": ("[Query 1]: Who?\n[Answer 1]: Ada\n[Query 2]: When?\n[Unsolved Query]\n", [WHO, WHEN]),
    "full-width brackets": ("［Query 1］：Who?\n【Answer 1】：Ada\n", [WHO]),
    "Chinese labels": (
        "[查询 1]：谁写的？\n[答案 1]：鲁迅\n[查询 2]：何时？\n[未解决的查询]\n",
        [("谁写的？", "鲁迅"), ("何时？", None)],
    ),
    "bracket in query": ('[Query 1]: Who wrote "Foo [Bar]"?\n[Answer 1]: Ada\n', [('Who wrote "Foo [Bar]"?', "Ada")]),
    "bold all": ("**[Query 1]: Who?**\n**[Answer 1]: Ada**\n", [WHO]),
    "final content names a query": (
        "[Query 1]: Who?\n[Answer 1]: Ada\n[Final Content]: The Query was [1]: yes\n[Query 9]: x?\n",
        [WHO],
    ),
    "only final content": ("[Final Content]: The Query was [1]: yes", []),
    "numbered list": ("1. Query: Who?\n2. Answer: Ada\n", [WHO]),
    "no numbers": ("[Query]: Who?\n[Answer]: Ada\n[Query]: When?\n[Unsolved Query]\n", [WHO, WHEN]),
    "one line": ("[Query 1]: Who? [Answer 1]: Ada. [Query 2]: When? [Unsolved Query]", [WHO, WHEN]),
    "numbered question is a query": ("[Question 1]: Who?\n[Answer 1]: Ada\n", [WHO]),
    "the question echoed": ("[Question]: Who wrote it and when?\n[Query 1]: Who?\n[Answer 1]: Ada\n", [WHO]),
    "unsolved repeats the query": ("[Query 1]: Who?\n[Unsolved Query]: Who?\n", [OPEN]),
    "unsolved as answer": (
        "[Query 1]: Who?\n[Answer 1]: [Unsolved Query]\n[Query 2]: When?\n[Answer 2]: Unsolved\n",
        [OPEN, WHEN],
    ),
    "does not know": (
        "[Query 1]: Who?\n[Answer 1]: I don't know.\n[Query 2]: When?\n[Answer 2]: unknown\n",
        [OPEN, WHEN],
    ),
    "no answer takes none from the next": ("[Query 1]: Who?\n[Query 2]: When?\n[Answer 2]: 1843\n", [OPEN, YEAR]),
    "empty answer": ("[Query 1]: Who?\n[Answer 1]:\n[Query 2]: When?\n[Answer 2]: 1843\n", [OPEN, YEAR]),
    "ends in mid-answer": ("[Query 1]: Who?\n[Answer 1]: Ada Lov", [("Who?", "Ada Lov")]),
    "an orphan answer": ("[Answer 1]: Ada\n[Query 2]: When?\n[Answer 2]: 1843\n", [("When?", "1843")]),
    "a reference in a query": ("[Query 2]: Where is [Answer 1]?\n[Unsolved Query]\n", [("Where is [Answer 1]?", None)]),
    "abbreviation": ("[Query 1]: Where?\n[Answer 1]: Washington, D.C.\n", [("Where?", "Washington, D.C.")]),
    "signs that belong to the answer": (
        "[Query 1]: How cold?\n[Answer 1]: -273.15 °C\n[Query 2]: Which?\n[Answer 2]: C#\n[Query 3]: Who?\n[Answer 3]: *NSYNC\n",
        [("How cold?", "-273.15 °C"), ("Which?", "C#"), ("Who?", "*NSYNC")],
    ),
    "sodium is no unknown": ("[Query 1]: Symbol?\n[Answer 1]: Na\n", [("Symbol?", "Na")]),
    "empty": ("", []),
    # a real instruct model of 1.5 billion parameters, without a grammar, shortened
    "a query under the label of an answer": (
        "[Query 1]: How tall is it?\n[Answer 1]: 330 m\n[Query 2]: And that?\n[Answer 2]: 1,271 feet\n"
        "[Answer 3]: Is 330 m greater than 1,271 feet?\n[Answer 3]: No",
        [("How tall is it?", "330 m"), ("And that?", "1,271 feet")],
    ),
    "unsolved in the middle": (
        "[Query 1]: Who?\n[Answer 1]: Ada\n[Query 2]: When?\n[Unsolved Query]\n[Query 3]: Where?\n[Answer 3]: 1864",
        [WHO, WHEN, ("Where?", "1864")],
    ),
    "cut after a label": (
        "[Query 1]: Why?\n[Answer 1]: It was so, and it went well for long.\n[Query 3]:",
        [("Why?", "It was so, and it went well for long.")],
    ),
    "all in one line, and every answer is the first": (
        "[Query 1] In which city is it? [Answer 1] Tokyo, Japan. "
        "[Query 2] On which island is Tokyo located? [Answer 1] Tokyo is located on the main island of Honshu.",
        [
            ("In which city is it?", "Tokyo, Japan"),
            ("On which island is Tokyo located?", "Tokyo is located on the main island of Honshu."),
        ],
    ),
    "an answer that is a list": (
        "[Query 1] Why?\n[Answer 1] Several factors, including:\n\n1. Economic differences: The industry.\n\n"
        "2. Political differences: Germany and the United Kingdom were deeply divided",
        [("Why?", "Several factors, including:")],
    ),
    "an invented address, and a question back": (
        "[Query 1]: What is his address?\n[Answer 1]: His home address is 123 Elm Street in Anytown, USA.\n"
        "[Unsolved Query]: Can you provide me with any additional information about his address?",
        [
            ("What is his address?", "His home address is 123 Elm Street in Anytown, USA."),
            ("Can you provide me with any additional information about his address?", None),
        ],
    ),
}


@pytest.mark.parametrize(("text", "expected"), BAD_OUTPUTS.values(), ids=BAD_OUTPUTS)
def test_what_models_write_is_read_at_once_and_token_by_token(text, expected):
    assert [(step.query, step.answer) for step in parse_chain(text)] == expected
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


CUT = {
    "in a query": ("[Query 1]: Who?\n[Answer 1]: Ada\n[Query 2]: Wh", [WHO]),
    "in an answer": ("[Query 1]: Who?\n[Answer 1]: Ad", [OPEN]),
    "in a label": ("[Query 1]: Who?\n[Answer 1]: Ada\n[Que", [WHO]),
    "in the last of several on a line": ("[Query 1]: Who? [Answer 1]: Ada [Query 2]: Whe", [WHO]),
    "behind a line": ("[Query 1]: Who?\n[Answer 1]: Ada\n", [WHO]),
    "in prose": ("Let me thi", []),
}


@pytest.mark.parametrize(("text", "steps"), CUT.values(), ids=CUT.keys())
def test_a_chain_that_was_cut_loses_the_line_it_was_cut_in(text, steps):
    for size in (1, 1_000):
        parser = ChainParser()
        items = [item for at in range(0, len(text), size) for item in parser.feed(text[at : at + size])]
        items += parser.finish(is_cut=True)
        assert [(item.step.query, item.step.answer) for item in items if isinstance(item, StepRead)] == steps
