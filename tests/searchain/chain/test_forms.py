"""Chains and replies in the many forms in which models write them, read at the first go."""

import pytest

from searchain.chain.forms import Unfolding
from searchain.chain.written import read
from searchain.types import Step
from tests.support.json_lines import kept

CITY, RIVER = "In which city is the Louvre?", "Which river flows through Paris?"
SOLVED = [Step(CITY, "Paris"), Step(RIVER, "the Seine")]
OPEN = [Step(CITY, None), Step(RIVER, None)]
WRITTEN = kept("chains.json")
CHAINS, UNSOLVED, REPLIES = WRITTEN["solved"], WRITTEN["open"], WRITTEN["replies"]
TAGS = CHAINS["tags"]


@pytest.mark.parametrize("written", CHAINS.values(), ids=CHAINS)
def test_a_solved_chain_is_read_in_each_form(written):
    assert [one.step for one in read(written).steps] == SOLVED


@pytest.mark.parametrize("written", UNSOLVED.values(), ids=UNSOLVED)
def test_an_open_chain_is_read_in_each_form(written):
    read_now = read(written)
    assert [one.step for one in read_now.steps] == OPEN
    assert not read_now.has_reply


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
