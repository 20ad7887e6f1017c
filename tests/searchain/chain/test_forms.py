"""Chains and replies in the many forms in which models write them, read at the first go."""

import pytest

from searchain.chain.forms import Unfolding
from searchain.chain.written import read
from searchain.types import Step

CITY, RIVER = "In which city is the Louvre?", "Which river flows through Paris?"
SOLVED = [Step(CITY, "Paris"), Step(RIVER, "the Seine")]
OPEN = [Step(CITY, None), Step(RIVER, None)]
TAGS = f"[Query 1]: {CITY}\n[Answer 1]: Paris\n[Query 2]: {RIVER}\n[Answer 2]: the Seine"

CHAINS = {
    "tags": TAGS,
    "json": f'{{"steps": [{{"query": "{CITY}", "answer": "Paris"}}, {{"query": "{RIVER}", "answer": "the Seine"}}]}}',
    "fenced json": f'Here it is:\n```json\n{{"chain": [{{"question": "{CITY}", "answer": "Paris"}},'
    f' {{"question": "{RIVER}", "answer": "the Seine"}}]}}\n```',
    "bold": f"**Query 1:** {CITY}\n**Answer 1:** Paris\n**Query 2:** {RIVER}\n**Answer 2:** the Seine",
    "headings": f"### Query 1\n{CITY}\n\n### Answer 1\nParis\n\n### Query 2\n{RIVER}\n\n### Answer 2\nthe Seine",
    "numbers, answer below": f"1. {CITY}\n   Paris\n2. {RIVER}\n   the Seine",
    "numbers, arrow": f"1. {CITY} → Paris\n2. {RIVER} → the Seine",
    "final behind": f"{TAGS}\n[Final Answer]: the Seine",
    "sub-questions": f"Sub-question 1: {CITY}\nAnswer 1: Paris\nSub-question 2: {RIVER}\nAnswer 2: the Seine",
    "table": f"| # | query | answer |\n|---|---|---|\n| 1 | {CITY} | Paris |\n| 2 | {RIVER} | the Seine |",
    "xml": f"<step><query>{CITY}</query><answer>Paris</answer></step>\n<step><query>{RIVER}</query><answer>the Seine</answer></step>",
    "two lists": f"[Query 1]: {CITY}\n[Query 2]: {RIVER}\n[Answer 1]: Paris\n[Answer 2]: the Seine",
    "reference in a query": f"[Query 1]: {CITY}\n[Answer 1]: Paris\n[Query 2]: Which river flows through [Answer 1]?\n"
    "[Answer 2]: the Seine",
    "reference by number": f"[Query 1]: {CITY}\n[Answer 1]: Paris\n[Query 2]: Which river flows through #1?\n[Answer 2]: the Seine",
    "keys": f"[Query 1]: {CITY}\n[Answer 1]: Paris [k448]\n[Query 2]: {RIVER}\n[Answer 2]: the Seine (k449).",
}


@pytest.mark.parametrize("written", CHAINS.values(), ids=CHAINS)
def test_a_solved_chain_is_read_in_each_form(written):
    assert [one.step for one in read(written).steps] == SOLVED


UNSOLVED = {
    "tags": f"[Query 1]: {CITY}\n[Unsolved Query]\n[Query 2]: {RIVER}\n[Unsolved Query]",
    "queries alone": f"[Query 1]: {CITY}\n[Query 2]: {RIVER}",
    "json": f'{{"steps": [{{"query": "{CITY}", "answer": null}}, {{"query": "{RIVER}"}}]}}',
    "json of texts": f'{{"queries": ["{CITY}", "{RIVER}"]}}',
    "unknown": f"[Query 1]: {CITY}\n[Answer 1]: unknown\n[Query 2]: {RIVER}\n[Answer 2]: I don't know",
    "table": f"| 1 | {CITY} | – |\n| 2 | {RIVER} | ? |",
}


@pytest.mark.parametrize("written", UNSOLVED.values(), ids=UNSOLVED)
def test_an_open_chain_is_read_in_each_form(written):
    read_now = read(written)
    assert [one.step for one in read_now.steps] == OPEN
    assert not read_now.has_reply


SAID = "The Louvre stands in Paris [k448]. The Seine flows through it [k449]."
REPLIES = {
    "labels": (f"[Answer]: the Seine\n[Final Content]: {SAID}", SAID),
    "answer last": (f"{SAID}\nAnswer: the Seine", SAID),
    "2 keys": ("[Answer]: the Seine\n[Final Content]: It is the Seine [k448, k449].", "It is the Seine [k448, k449]."),
    "word before the key": ("Answer: the Seine\nIt is the Seine (key k449).", "It is the Seine (key k449)."),
    "json": ('{"answer": "the Seine", "sentences": [{"text": "It is so.", "keys": ["k449"]}]}', "It is so [k449]."),
    "after its chain": (f"{TAGS}\n[Answer]: the Seine\n[Final Content]: {SAID}", SAID),
}


@pytest.mark.parametrize(("written", "content"), REPLIES.values(), ids=REPLIES)
def test_a_reply_is_read_in_each_form(written, content):
    found = read(written)
    assert found.content == content
    assert found.answer in ("the Seine", "")


@pytest.mark.parametrize(
    "written",
    [
        '{"steps": [{"query": "Who?", "answer": "Ada", "keys": 5}]}',
        '{"steps": 3, "answer": ["a"], "sentences": [{"keys": {"a": 1}}, 7]}',
        '{"steps": [null, 4, ["x"]], "content": {"a": 1}}',
        '{"a": ' + "[" * 100_000,
    ],
    ids=["a number for keys", "other types", "no objects", "nested without end"],
)
def test_json_of_another_shape_breaks_nothing(written):
    read(written)


JSON = (
    f'{{"steps": [{{"query": "{CITY}", "answer": "Paris", "keys": ["k448"]}},'
    f' {{"query": "{RIVER}", "answer": null, "keys": []}}], "answer": null, "sentences": [], "reply": null}}'
)
SHOWN = f"[Query 1]: {CITY}\n[Answer 1]: Paris [k448]\n[Query 2]: {RIVER}\n[Unsolved Query]"


@pytest.mark.parametrize("text", [JSON, f"```json\n{JSON}\n```", TAGS], ids=["json", "fenced", "tags"])
def test_json_is_never_seen_while_it_streams(text):
    unfolding = Unfolding()
    shown = [unfolding.feed(sign) for sign in text] + [unfolding.finish()]
    assert "".join(shown) == (TAGS if text == TAGS else SHOWN)


def test_json_that_breaks_off_is_read_as_far_as_it_goes():
    assert read(JSON[: JSON.index('"answer": null') + 4]).steps == read(SHOWN).steps


def test_a_reply_that_is_written_twice_stands_once():
    said = "The chair was Ann [k12]."
    twice = f"[Answer]: Ann\n[Final Content]: {said}\n\n[Final Content]: "
    assert read(twice + said).content == said
    assert read(f"{twice}She left [k13].").content.split() == f"{said} She left [k13].".split()
