"""Chain-of-Query text that models really write, and what must be read from it."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from searchain.chain.parser import ChainParser, QueryRead, StepRead, parse_chain, render_step, resolve_references
from searchain.types import Step

BAD_OUTPUTS = {
    "strict": (
        "[Query 1]: Who?\n[Answer 1]: Ada\n[Query 2]: When?\n[Unsolved Query]\n",
        [("Who?", "Ada"), ("When?", None)],
    ),
    "no colon": ("[Query 1] Who?\n[Answer 1] Ada\n", [("Who?", "Ada")]),
    "no brackets": ("Query 1: Who?\nAnswer 1: Ada\n", [("Who?", "Ada")]),
    "full-width colon": ("[Query 1]：Who?\n[Answer 1]：Ada\n", [("Who?", "Ada")]),
    "full-width brackets": ("［Query 1］：Who?\n【Answer 1】：Ada\n", [("Who?", "Ada")]),
    "Chinese labels": (
        "[查询 1]：谁写的？\n[答案 1]：鲁迅\n[查询 2]：何时？\n[未解决的查询]\n",
        [("谁写的？", "鲁迅"), ("何时？", None)],
    ),
    "German labels": ("[Anfrage 1]: Wer?\n[Antwort 1]: Ada\n", [("Wer?", "Ada")]),
    "bracket in the query": (
        '[Query 1]: Who wrote "Foo [Bar]"?\n[Answer 1]: Ada\n',
        [('Who wrote "Foo [Bar]"?', "Ada")],
    ),
    "bold label": ("**[Query 1]:** Who?\n**[Answer 1]:** Ada\n", [("Who?", "Ada")]),
    "bold all": ("**[Query 1]: Who?**\n**[Answer 1]: Ada**\n", [("Who?", "Ada")]),
    "final content names a query": (
        "[Query 1]: Who?\n[Answer 1]: Ada\n[Final Content]: The Query was [1]: yes\n[Query 9]: x?\n",
        [("Who?", "Ada")],
    ),
    "only final content": ("[Final Content]: The Query was [1]: yes", []),
    "list signs": ("- [Query 1]: Who?\n- [Answer 1]: Ada\n", [("Who?", "Ada")]),
    "numbered list": ("1. Query: Who?\n2. Answer: Ada\n", [("Who?", "Ada")]),
    "headings": ("### Query 1: Who?\n#### Answer 1: Ada\n", [("Who?", "Ada")]),
    "quoted": ("> [Query 1]: Who?\n> [Answer 1]: Ada\n", [("Who?", "Ada")]),
    "no numbers": (
        "[Query]: Who?\n[Answer]: Ada\n[Query]: When?\n[Unsolved Query]\n",
        [("Who?", "Ada"), ("When?", None)],
    ),
    "one line": (
        "[Query 1]: Who? [Answer 1]: Ada. [Query 2]: When? [Unsolved Query]",
        [("Who?", "Ada"), ("When?", None)],
    ),
    "one line without brackets": (
        "Query 1: Who? Answer 1: Ada Query 2: When? Answer 2: 1843",
        [("Who?", "Ada"), ("When?", "1843")],
    ),
    "one line without colons": (
        "[Query 1] Who? [Answer 1] Ada [Query 2] When? [Answer 2] 1843",
        [("Who?", "Ada"), ("When?", "1843")],
    ),
    "short labels": ("Q1: Who?\nA1: Ada\n", [("Who?", "Ada")]),
    "sub-question": ("Sub-question 1: Who?\nAnswer: Ada\n", [("Who?", "Ada")]),
    "numbered question is a query": ("[Question 1]: Who?\n[Answer 1]: Ada\n", [("Who?", "Ada")]),
    "the question echoed": (
        "[Question]: Who wrote it and when?\n[Query 1]: Who?\n[Answer 1]: Ada\n",
        [("Who?", "Ada")],
    ),
    "unsolved carries the query": ("[Unsolved Query]: Who?\n", [("Who?", None)]),
    "unsolved repeats the query": ("[Query 1]: Who?\n[Unsolved Query]: Who?\n", [("Who?", None)]),
    "unsolved with a number": ("[Query 1]: Who?\n[Unsolved Query 1]\n", [("Who?", None)]),
    "unsolved as answer": (
        "[Query 1]: Who?\n[Answer 1]: [Unsolved Query]\n[Query 2]: When?\n[Answer 2]: Unsolved\n",
        [("Who?", None), ("When?", None)],
    ),
    "does not know": (
        "[Query 1]: Who?\n[Answer 1]: I don't know.\n[Query 2]: When?\n[Answer 2]: unknown\n",
        [("Who?", None), ("When?", None)],
    ),
    "no answer takes none from the next": (
        "[Query 1]: Who?\n[Query 2]: When?\n[Answer 2]: 1843\n",
        [("Who?", None), ("When?", "1843")],
    ),
    "empty answer": (
        "[Query 1]: Who?\n[Answer 1]:\n[Query 2]: When?\n[Answer 2]: 1843\n",
        [("Who?", None), ("When?", "1843")],
    ),
    "text on the next line": ("[Query 1]:\nWho?\n[Answer 1]:\nAda\n", [("Who?", "Ada")]),
    "ends in mid-answer": ("[Query 1]: Who?\n[Answer 1]: Ada Lov", [("Who?", "Ada Lov")]),
    "ends in mid-query": ("[Query 1]: Who?\n[Answer 1]: Ada\n[Query 2]: When di", [("Who?", "Ada"), ("When di", None)]),
    "chatter around": (
        "Sure! Let me think.\n\n[Query 1]: Who?\n[Answer 1]: Ada\n\nI hope this helps.",
        [("Who?", "Ada")],
    ),
    "an orphan answer": ("[Answer 1]: Ada\n[Query 2]: When?\n[Answer 2]: 1843\n", [("When?", "1843")]),
    "windows line ends": ("[Query 1]: Who?\r\n[Answer 1]: Ada\r\n", [("Who?", "Ada")]),
    "a reference in a query": (
        "[Query 2]: On which island is [Answer 1]?\n[Unsolved Query]\n",
        [("On which island is [Answer 1]?", None)],
    ),
    "lower case": ("[query 1]: who?\n[answer 1]: ada\n[unsolved query]: when?\n", [("who?", "ada"), ("when?", None)]),
    "abbreviation keeps its point": (
        "[Query 1]: Where?\n[Answer 1]: Washington, D.C.\n",
        [("Where?", "Washington, D.C.")],
    ),
    "signs that belong to the answer": (
        "[Query 1]: How cold?\n[Answer 1]: -273.15 °C\n[Query 2]: Which?\n[Answer 2]: C#\n[Query 3]: Who?\n[Answer 3]: *NSYNC\n",
        [("How cold?", "-273.15 °C"), ("Which?", "C#"), ("Who?", "*NSYNC")],
    ),
    "sodium is no unknown": ("[Query 1]: Symbol?\n[Answer 1]: Na\n", [("Symbol?", "Na")]),
    "nothing": ("I would rather talk about something else.", []),
    "empty": ("", []),
}


@pytest.mark.parametrize(("text", "expected"), BAD_OUTPUTS.values(), ids=BAD_OUTPUTS)
def test_reads_what_models_write(text, expected):
    assert [(step.query, step.answer) for step in parse_chain(text)] == expected


@pytest.mark.parametrize("text", [text for text, _ in BAD_OUTPUTS.values()], ids=BAD_OUTPUTS)
def test_token_by_token_reads_the_same(text):
    parser = ChainParser()
    items = [item for character in text for item in parser.feed(character)] + parser.finish()
    assert [item.step for item in items if isinstance(item, StepRead)] == parse_chain(text)


_PIECES = st.sampled_from(
    [
        "[Query 1]: ",
        "[Answer 1]:",
        "[Unsolved Query]",
        "Query 2: ",
        "**",
        "\n",
        "：",
        " Who? ",
        "Ada",
        "[",
        "]",
        "[Final Content]: ",
        "Q1: ",
        "[Bar]",
        "#1 ",
        "answer",
    ]
)


@given(st.lists(_PIECES, max_size=14), st.data())
def test_no_cut_of_the_stream_changes_the_steps(pieces, data):
    text = "".join(pieces)
    parser, items, rest = ChainParser(), [], text
    while rest:
        cut = data.draw(st.integers(1, len(rest)))
        items += parser.feed(rest[:cut])
        rest = rest[cut:]
    items += parser.finish()
    assert [item.step for item in items if isinstance(item, StepRead)] == parse_chain(text)


def test_a_query_is_known_before_its_answer():
    parser = ChainParser()
    assert parser.feed("[Query 1]: Who") == []
    assert parser.feed("?\n[Ans") == [QueryRead("Who?")]
    assert parser.feed("wer 1]: Ada\n") == [StepRead(Step("Who?", "Ada"))]


def test_the_unsolved_flag_ends_its_node_with_its_line():
    parser = ChainParser()
    assert parser.feed("[Query 1]: Who?\n[Unsolved Query]\n") == [QueryRead("Who?"), StepRead(Step("Who?", None))]


def test_an_answer_that_comes_first_belongs_to_the_announced_query():
    assert parse_chain("[Answer 2]: Kyoto\n[Query 3]: Where?\n[Unsolved Query]\n", query="In which city?") == [
        Step("In which city?", "Kyoto"),
        Step("Where?", None),
    ]


@pytest.mark.parametrize("text", ["[Query 2]: In which city?\n[Answer 2]: Kyoto\n", "[Answer 2]: Kyoto\n"])
def test_the_announced_query_is_read_once(text):
    assert parse_chain(text, query="In which city?") == [Step("In which city?", "Kyoto")]


def test_an_announced_query_that_the_model_ignores_is_no_step():
    assert parse_chain("[Query 3]: Where?\n[Answer 3]: Osaka\n", query="In which city?") == [Step("Where?", "Osaka")]
    assert parse_chain("Thank you.", query="In which city?") == []


def test_long_answers_run_to_the_next_label():
    text = "[Query 1]: Why?\n[Answer 1]: Because of heat.\nAnd because of time.\n[Query 2]: How?\n[Unsolved Query]\n"
    assert parse_chain(text, long_answers=True) == [
        Step("Why?", "Because of heat. And because of time."),
        Step("How?", None),
    ]


def test_final_content_is_kept():
    parser = ChainParser()
    parser.feed("[Query 1]: Who?\n[Answer 1]: Ada\n[Final Con")
    parser.feed("tent]: It was Ada [1].")
    parser.finish()
    assert parser.final_content == "It was Ada [1]."


def test_the_rendered_form_is_the_parsed_form():
    steps = [Step("Who?", "Ada"), Step("When?", None)]
    assert parse_chain("\n".join(render_step(i, step) for i, step in enumerate(steps, 1))) == steps


def test_references_become_answers():
    assert (
        resolve_references("Where is #1, next to [Answer 2] and #3?", ["Kyoto", "Osaka"])
        == "Where is Kyoto, next to Osaka and #3?"
    )
    assert resolve_references("Who sang the #1 hit of 1999?", ["Cher"]) == "Who sang the #1 hit of 1999?"


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
    "in a query": ("[Query 1]: Who?\n[Answer 1]: Ada\n[Query 2]: Wh", [("Who?", "Ada")]),
    "in an answer": ("[Query 1]: Who?\n[Answer 1]: Ad", [("Who?", None)]),
    "in a label": ("[Query 1]: Who?\n[Answer 1]: Ada\n[Que", [("Who?", "Ada")]),
    "in the last of several on a line": ("[Query 1]: Who? [Answer 1]: Ada [Query 2]: Whe", [("Who?", "Ada")]),
    "behind a line": ("[Query 1]: Who?\n[Answer 1]: Ada\n", [("Who?", "Ada")]),
    "in prose": ("Let me thi", []),
}


@pytest.mark.parametrize(("text", "steps"), CUT.values(), ids=CUT.keys())
def test_a_chain_that_was_cut_loses_the_line_it_was_cut_in(text, steps):
    for size in (1, 1_000):
        parser = ChainParser()
        items = [item for at in range(0, len(text), size) for item in parser.feed(text[at : at + size])]
        items += parser.finish(is_cut=True)
        assert [(item.step.query, item.step.answer) for item in items if isinstance(item, StepRead)] == steps
