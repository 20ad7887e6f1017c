"""What the soak finds: whatever was confirmed and is not there, and the words of others."""

import hashlib
from collections import Counter
from dataclasses import replace

import pytest

from lab.soak import QUESTION, Confirmed, Sizes, has_failed, lost
from storage.collections import access as collections
from storage.collections import documents
from storage.collections.files import Files
from storage.database import Database
from tests.support.stories import nintendo
from tests.support.story_runs import store_run


def test_what_was_confirmed_and_is_not_there_is_lost(tmp_path):
    store = Database(tmp_path / "soak.db")
    store_run(store, nintendo(QUESTION.format("note-3-1")), owner="person3")
    files, text = Files(store), b"The shed opens with note-3-2."
    stored = files.put([text])
    documents.submit(store, files, collections.create(store, "person3", "notes").id, "note-3-2.txt", stored)
    upload = ("person3", "note-3-2.txt", hashlib.sha256(text).hexdigest())
    confirmed = Confirmed(turns={("person3", "note-3-1")}, uploads={upload})
    assert lost(store, confirmed) == {"turns": 0, "labels": 0, "uploads": 0}
    files.original(stored.sha256).write_bytes(b"other bytes")
    confirmed.turns.add(("person4", "note-3-1"))
    confirmed.labels.add(("annotator0", "item", 1))
    assert lost(store, confirmed) == {"turns": 1, "labels": 1, "uploads": 1}
    files.original(stored.sha256).unlink()
    assert lost(store, confirmed)["uploads"] == 1
    store.close()


@pytest.mark.parametrize(
    ("change", "is_failed"),
    [
        ({}, False),
        ({"turns": set()}, True),
        ({"labels": set()}, False),
        ({"faults": Counter({"no answer for Eve": 1})}, True),
        ({"foreign": ["note-31-2"]}, True),
    ],
)
def test_it_fails_where_something_went_wrong_or_nothing_was_done(change, is_failed):
    confirmed = Confirmed(turns={("person3", "note-3-1")}, labels={("ann", "item", 1)}, uploads={("a", "b", "c")})
    sizes = Sizes(pages=1, annotators=0, uploads=1, seconds=1.0)
    assert has_failed({"turns": 0}, replace(confirmed, **change), sizes) is is_failed
    assert has_failed({"turns": 1}, confirmed, sizes)


def test_the_words_of_others_are_foreign():
    confirmed = Confirmed()
    assert confirmed.seen(3, "You asked for note-3-1 and note-31-2.") == ["note-3-1"]
    assert (confirmed.foreign, confirmed.answers) == (["note-31-2"], 1)
