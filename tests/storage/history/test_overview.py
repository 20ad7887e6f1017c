"""The list of a person's conversations: newest first, searched, renamed; nobody else's."""

import pytest

from searchain.errors import NotFound, UsageError
from storage.history import overview
from storage.removal import delete
from tests.support.stories import nintendo
from tests.support.story_runs import store_run


def titles(entries):
    return [entry.title for entry in entries]


def test_the_newest_come_first_page_by_page_and_only_ones_own(store):
    for name in ("one", "two", "three"):
        store_run(store, nintendo(name))
    store_run(store, nintendo("not mine"), owner="bob")
    store_run(store, nintendo("going on")[:-1])
    first = overview.latest(store, "local", 3)
    assert [(e.title, e.is_running) for e in first] == [("going on", True), ("three", False), ("two", False)]
    assert titles(overview.latest(store, "local", 3, before=first[-1].id)) == ["one"]
    assert overview.latest(store, "local", 3, before=overview.latest(store, "bob", 1)[0].id) == []


def test_pinned_ones_stand_first_and_count_to_no_page(store):
    old, *_ = [store_run(store, nintendo(name)) for name in ("one", "two", "three")]
    overview.pin(store, old.conversation, "local", True)
    page = overview.latest(store, "local", 1)
    assert [(entry.title, entry.is_pinned) for entry in page] == [("one", True), ("three", False)]
    assert titles(overview.latest(store, "local", 9, before=page[-1].id)) == ["two"]
    with pytest.raises(NotFound):
        overview.pin(store, old.conversation, "bob", False)
    overview.pin(store, old.conversation, "local", False)
    assert titles(overview.latest(store, "local", 9)) == ["three", "two", "one"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("honshu", ["Where is Nintendo?", "A second question"]),
        ("nintendo kyoto", ["Where is Nintendo?", "A second question"]),
        ("NINTENDO?", ["Where is Nintendo?", "A second question"]),
        ("?!", []),
        ("mine", []),
    ],
)
def test_words_are_found_in_titles_questions_and_replies(store, words, expected):
    store_run(store, nintendo("not mine"), owner="bob")
    store_run(store, nintendo("A second question"))
    store_run(store, nintendo("Where is Nintendo?"))
    assert sorted(titles(overview.search(store, "local", words, 50))) == sorted(expected)


def test_a_conversation_has_a_title_of_its_owners_own(store):
    started = store_run(store)
    store_run(store, nintendo("And whose?"), conversation=started.conversation)
    assert overview.rename(store, started.conversation, "local", "  Islands\n of Japan ") == "Islands of Japan"
    assert titles(overview.search(store, "local", "islands of", 50)) == ["Islands of Japan"]
    delete.delete(store, [started.turn])  # the question that was its title
    assert titles(overview.latest(store, "local", 9)) == ["Islands of Japan"]


@pytest.mark.parametrize(
    ("owner", "title", "error", "message"),
    [
        ("bob", "x", NotFound, "there is no conversation"),
        ("local", " ", UsageError, "the title is empty"),
        ("local", "x" * 81, UsageError, "the title has 81 characters; use 80 or fewer"),
        *(
            ("local", f"a{sign}b", UsageError, "the title contains control characters; write it in plain text")
            for sign in ("\0", "\x1b[31m", "\x7f", "\x9b", "\u202e", "\u2066", "\uffff")
        ),
    ],
)
def test_a_title_that_is_none_is_refused(store, owner, title, error, message):
    started = store_run(store)
    with pytest.raises(error, match=message):
        overview.rename(store, started.conversation, owner, title)


@pytest.mark.parametrize("title", ["اليابان\u200f!", "a\u200db", "🏳️\u200d🌈", "naïve"])
def test_signs_that_writing_needs_are_kept(store, title):
    assert overview.rename(store, store_run(store).conversation, "local", title) == title
