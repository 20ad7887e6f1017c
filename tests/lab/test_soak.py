"""What the soak finds: whatever was confirmed and is not there, and the words of others."""

import hashlib

from lab.soak import QUESTION, Confirmed, lost
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
    store.close()


def test_the_words_of_others_are_foreign():
    confirmed = Confirmed()
    assert confirmed.seen(3, "You asked for note-3-1 and note-31-2.") == ["note-3-1"]
    assert (confirmed.foreign, confirmed.answers) == (["note-31-2"], 1)
