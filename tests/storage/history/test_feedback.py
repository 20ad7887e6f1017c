"""Feedback: what owners said of replies and citations, kept as it was said."""

import json

import pytest

from searchain.errors import NotFound, UsageError
from storage.history import feedback, usage
from storage.history.selection import Selection
from storage.log import conversations
from storage.removal import delete, redact
from tests.support.shell import run
from tests.support.stories import nintendo
from tests.support.story_runs import store_run


def words(found):
    return [(one.source, one.value, one.comment) for one in found]


def test_changing_ones_mind_replaces_and_the_history_stays(store):
    started = store_run(store)
    for value, comment in (("up", ""), ("up", ""), ("down", "no city"), (None, "")):
        feedback.give(store, started.turn, "local", value, comment=comment)
    feedback.give(store, started.turn, "local", "down", source=2, comment="says nothing of it")
    assert words(feedback.current(store, started.conversation, "local")) == [(2, "down", "says nothing of it")]
    said = words(feedback.history(store, started.turn))
    assert said == [(None, "up", ""), (None, "down", "no city"), (None, None, ""), (2, "down", "says nothing of it")]
    settings = feedback.history(store, started.turn)[0].settings
    assert '"model": "a scripted model", "index": "default", "task": "multihop"' in settings


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"owner": "bob"}, NotFound, "there is no turn"),
        ({"turn": "nowhere"}, NotFound, "there is no turn 'nowhere'"),
        ({"source": 3}, NotFound, "has no citation 3"),
        ({"value": "great"}, UsageError, "'great' is no judgement; say up, down or nothing"),
        ({"comment": "x" * 2_001}, UsageError, "has 2,001 characters; say it in 2,000 or fewer"),
    ],
)
def test_what_cannot_be_kept_says_why(store, change, error, message):
    given = {"turn": store_run(store).turn, "owner": "local", "value": "up", **change}
    with pytest.raises(error, match=message):
        feedback.give(store, **given)


def test_changes_without_end_are_refused(store):
    turn = store_run(store).turn
    for number in range(100):
        feedback.give(store, turn, "local", "up", comment=str(number))
    with pytest.raises(UsageError, match="judged 100 times"):
        feedback.give(store, turn, "local", "up", comment="100")


def test_deleting_takes_it_along_and_redacting_covers_it(store):
    kept, gone = store_run(store), store_run(store)
    feedback.give(store, kept.turn, "local", "down", comment="Ann Lee lives elsewhere")
    feedback.give(store, gone.turn, "local", "down", comment="Ann Lee")
    delete.delete(store, [gone.turn])
    assert feedback.history(store, gone.turn) == []
    assert redact.redact(store, [kept.turn], ["ann lee"]) == ({kept.turn: 1}, True)
    assert words(feedback.history(store, kept.turn)) == [(None, "down", "███████ lives elsewhere")]
    assert b"Ann Lee" not in store.path.read_bytes()


def test_judgements_are_counted_by_model(store):
    first, second = store_run(store), store_run(store, owner="bob")
    feedback.give(store, first.turn, "local", "up")
    feedback.give(store, first.turn, "local", "down")
    feedback.give(store, first.turn, "local", "down", source=1)
    feedback.give(store, second.turn, "bob", "up")
    assert usage.judged(store) == [{"model": "a scripted model", "up": 1, "down": 1, "unsupported": 1}]
    assert usage.judged(store, Selection(owner="bob")) == [
        {"model": "a scripted model", "up": 1, "down": 0, "unsupported": 0}
    ]


def test_the_commands_tell_what_was_said(store):
    turn = store_run(store).turn
    feedback.give(store, turn, "local", "down", comment="no\x1b[31m city")
    feedback.give(store, turn, "local", "down", source=2)
    feedback.give(store, turn, "local", None)
    lines = run("logs", "show", turn, db=store.path).output.splitlines()
    said = [line.partition("said: ")[2] for line in lines if "said: " in line]
    assert said == ["the reply is not good: no city", "[2] does not support it", "the reply (taken back)"]
    assert run("logs", "stats", db=store.path).output.splitlines()[-1].split() == [*"001", "a", "scripted", "model"]
    values = json.loads(run("logs", "stats", "--json", db=store.path).output)
    assert values["feedback"] == [{"model": "a scripted model", "up": 0, "down": 0, "unsupported": 1}]


def test_a_conversation_keeps_what_was_chosen(store):
    started = store_run(store)
    assert conversations.get(store, started.conversation, "local").settings is None
    conversations.choose(store, started.conversation, "local", '{"passages": 3}')
    assert conversations.get(store, started.conversation, "local").settings == '{"passages": 3}'
    with pytest.raises(NotFound):
        conversations.choose(store, started.conversation, "bob", "{}")


def test_a_reply_that_is_not_there_yet_is_not_judged(store):
    started = store_run(store, nintendo()[:-1])
    with pytest.raises(UsageError, match="still being answered"):
        feedback.give(store, started.turn, "local", "up")
