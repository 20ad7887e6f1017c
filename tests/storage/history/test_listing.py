"""Turns are found by what they are and by their words."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from searchain.errors import NotFound, UsageError
from searchain.events import RunStarted
from searchain.types import Outcome, Status
from storage.history import listing, selection
from storage.history.selection import Selection
from tests.support.json_lines import kept
from tests.support.stories import nintendo
from tests.support.story_runs import store_run


def about(question, model="a scripted model", status=Status.ANSWERED, outcome=Outcome.SUPPORTED):
    first, *rest, last = nintendo(question)
    assert isinstance(first, RunStarted)
    return (replace(first, model=model), *rest, replace(last, status=status, outcome=outcome))


NOT_SURE = {"status": Status.PARTIAL, "outcome": Outcome.UNSURE}


@pytest.fixture
def store(store):
    store_run(store, about("Where does Nintendo make games?"))
    store_run(store, about("Wo liegt Köln?", model="gpt-x at example.org", **NOT_SURE), owner="ann")
    store_run(store, about("任天堂の本社はどこですか。"), owner="ann")
    return store


GAMES, KOELN, KANJI = "Where does Nintendo make games?", "Wo liegt Köln?", "任天堂の本社はどこですか。"


@pytest.mark.parametrize(
    ("chosen", "questions"),
    [
        (Selection(), [KANJI, KOELN, GAMES]),
        (Selection(owner="ann"), [KANJI, KOELN]),
        (Selection(status=Status.ANSWERED, owner="local"), [GAMES]),
        (Selection(outcome=Outcome.SUPPORTED), [KANJI, GAMES]),
        (Selection(outcome=Outcome.UNSURE), [KOELN]),
        (Selection(text="koln"), [KOELN]),
        (Selection(text="headquarters ga*"), [GAMES]),
        (Selection(text="本社"), [KANJI]),
        (Selection(text="本社 zebra"), []),
        (Selection(since="2999"), []),
        (Selection(until="2999", model="scripted"), [KANJI, GAMES]),
    ],
)
def test_a_selection(store, chosen, questions):
    assert [row.question for row in listing.latest(store, -1, chosen)] == questions


@pytest.mark.parametrize(("text", "found"), kept("looked-for.json"))
def test_words_are_found_whatever_they_look_like(store, text, found):
    if found is None:
        with pytest.raises(UsageError, match="no word to look for"):
            listing.find(store, text, 9)
    else:
        assert len(listing.find(store, text, 9)) == found


def test_what_was_found_is_marked(store):
    [match] = listing.find(store, "games", 9)
    assert (match.question, match.turn.question) == ("Where does Nintendo make «games»?", GAMES)
    assert listing.find(store, "Kyoto", 9)[0].answer.startswith("Nintendo has its headquarters in «Kyoto» [1].")


def test_an_id_names_a_turn_or_a_conversation(store):
    first = store_run(store)
    second = store_run(store, conversation=first.conversation)
    assert listing.named(store, second.turn) == [(first.conversation, second.turn)]
    assert listing.named(store, first.conversation) == [(first.conversation, one.turn) for one in (first, second)]
    with pytest.raises(NotFound):
        listing.named(store, "none")


def test_times():
    assert selection.moment("2026-01-31") == "2026-01-31T00:00:00.000+00:00"
    assert selection.moment("2026-01-31", is_end=True) == "2026-02-01T00:00:00.000+00:00"
    assert selection.moment("2026-01-31T18:00", is_end=True) == "2026-01-31T18:00:00.000+00:00"
    assert selection.moment("2026-01-31T18:00+02:00") == "2026-01-31T16:00:00.000+00:00"
    week = datetime.now(UTC) - datetime.fromisoformat(selection.moment("7d"))
    assert timedelta(days=7) <= week < timedelta(days=7, minutes=1)
    for text in ("soon", "7y", "99999999d", "2026-02-30", ""):
        with pytest.raises(UsageError, match="is no time"):
            selection.moment(text)
