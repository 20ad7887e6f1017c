"""Stored replies are looked at again when a document that they cite is replaced or removed."""

import json

import pytest

from searchain.types import ChangedCitation, Passage, Place
from storage.collections import access, adding, documents, places, removing
from storage.collections.places import Places
from storage.history import finished_turns
from storage.log import event_log, verify
from storage.people import shares
from storage.removal import delete, redact
from tests.support.own_documents import add, collection_of, store, submit, toy_parser  # noqa: F401
from tests.support.shell import printed
from tests.support.stories import citing, nintendo
from tests.support.story_runs import store_run
from ui.exports.formats import FORMATS
from ui.page import transcript

OLD = "About pumps.\nThe pump costs 1,200 euros in the shop.\nIt must be oiled every ninety days."
NEW = OLD.replace("1,200", "1,500")
COSTS = OLD.split("\n")[1]
NOTE = "pump.txt has changed. Now: “The pump costs 1,500 euros in the shop.”"


@pytest.fixture
def pump(store):
    (document,) = add(store, collection_of(store), pump=OLD)
    return document


def cited(document, text=COSTS, words="1,200 euros"):
    start = OLD.index(text)
    place = Place(document.id, document.sha256, start, start + len(text))
    return citing((Passage(f"{document.id}.{document.sha256[:12]}.1", "pump.txt", text, place=place), words))


def changed(store, started):
    return event_log.turn(store, started.turn).changed


def replaced(store, document, text):
    submit(store, access.named(store, "local", document.collection), "pump.txt", text)
    adding.work(store, document.collection)


def test_a_reply_whose_words_changed_bears_the_new_ones_everywhere(store, pump):
    started = store_run(store, cited(pump))
    token, _ = shares.make(store, started.conversation, owner="local")
    replaced(store, pump, NEW)
    assert changed(store, started) == (ChangedCitation(1, False, "pump.txt", COSTS.replace("1,200", "1,500")),)
    assert NOTE in transcript.messages("t", event_log.turn(store, started.turn))[1]["content"].replace("&#44;", ",")
    assert NOTE in shown(shares.records(store, shares.find(store, token)), "html")
    assert NOTE in shown(finished_turns.records(store), "markdown").replace("\\", "")
    assert NOTE in shown(finished_turns.records(store), "proof")
    lines = printed("logs", "list", "--changed", "--db", store.path).splitlines()
    assert lines[1] == f"    [1] {NOTE}"
    [told] = json.loads(printed("logs", "list", "--changed", "--json", "--db", store.path))["changed"]
    assert told["now"] == COSTS.replace("1,200", "1,500")
    with store.reading() as db:
        assert event_log.turns_overtaken(db, pump.collection, "ann", 9) == []
        assert event_log.turns_overtaken(db, pump.collection, "local", 9) == [
            (started.conversation, started.turn, "What is said?")
        ]
    assert NOTE in printed("logs", "show", started.turn, "--db", store.path)
    replaced(store, pump, OLD)
    assert changed(store, started) == ()
    assert printed("logs", "list", "--changed", "--db", store.path) == ""


def shown(records, name):
    return "".join(FORMATS[name].write(records))


def test_words_that_only_moved_are_found_at_their_new_place(store, pump):
    started = store_run(store, cited(pump))
    replaced(store, pump, "A new beginning.\n" + OLD.replace("ninety", "sixty"))
    assert changed(store, started) == ()
    [source] = event_log.turn(store, started.turn).sources
    places = Places(store, "local")
    found = places(source)
    assert ("A new beginning.\n" + OLD)[found["start"] : found["end"]] == "1,200 euros"
    assert (places.state(source), found["version"]) == ("", documents.get(store, pump.id).sha256)


def test_a_sentence_that_was_there_before_takes_nobodys_place(store, pump):
    twin = OLD + "\nThe valve costs 1,300 euros in the shop."
    replaced(store, pump, twin)
    document = documents.get(store, pump.id)
    started = store_run(store, cited(document))
    replaced(store, document, twin.replace(COSTS, "Prices are on request."))
    assert [one.now for one in changed(store, started)] == [""]
    assert "pump.txt no longer says this." in shown(finished_turns.records(store), "html")


def test_the_new_words_are_only_for_those_who_may_search_the_collection(store):
    shared = collection_of(store, owner="ann")
    (document,) = add(store, shared, pump=OLD)
    started = store_run(store, cited(document), owner="bob")
    submit(store, shared, "pump.txt", NEW)
    adding.work(store, shared.id)
    assert changed(store, started) == (ChangedCitation(1, False, "", None),)
    access.share(store, shared, "bob", access.Role.READER)
    assert "1,500" in changed(store, started)[0].now
    access.share(store, shared, "bob", None)
    text = "".join(shown(finished_turns.records(store), name) for name in ("html", "markdown", "proof"))
    assert "The document says otherwise since." in text
    assert "1,500" not in text


@pytest.mark.parametrize("verb", [removing.remove, removing.erase])
def test_a_removed_document_leaves_the_note_and_none_of_its_later_words(store, pump, verb):
    started = store_run(store, cited(pump))
    replaced(store, pump, NEW)
    verb(store, [documents.get(store, pump.id)])
    assert changed(store, started) == (ChangedCitation(1, True, "", None),)
    assert "The document was removed since." in shown(finished_turns.records(store), "html")
    left = [one.name for one in store.path.parent.rglob("*") if one.is_file() and b"1,500 euros" in one.read_bytes()]
    assert left == []
    assert list(verify.verify(store)) == []


def test_a_process_that_dies_leaves_the_work_to_the_next_and_twice_is_as_once(store, pump, monkeypatch):
    started = store_run(store, cited(pump))
    really = places.recheck

    def dies(*arguments):
        really(*arguments)
        raise KeyboardInterrupt

    monkeypatch.setattr(places, "recheck", dies)
    with pytest.raises(KeyboardInterrupt):
        replaced(store, pump, NEW)
    monkeypatch.setattr(places, "recheck", really)
    removing.tidy(store)
    adding.work(store, pump.collection)
    assert [one.now for one in changed(store, started)] == [COSTS.replace("1,200", "1,500")]
    assert store.row("SELECT count(*), max(replaced) FROM changed_citations, documents") == (1, None)


def test_redacting_and_deleting_take_the_later_words_along(store, pump):
    one, other = store_run(store, cited(pump)), store_run(store, cited(pump))
    replaced(store, pump, NEW)
    redact.redact(store, [one.turn], ["1,500 euros"])
    assert [found.now for found in changed(store, one)] == [None]
    delete.delete(store, [other.turn])
    assert store.rows("SELECT turn FROM changed_citations") == [(one.turn,)]


@pytest.mark.parametrize("question", [f"“{COSTS}” Who sells it?", "“pump costs 1,200…” Who sells it?"])
def test_erasing_a_document_covers_what_later_questions_quote_of_it(store, pump, question):
    first = store_run(store, cited(pump))
    later = store_run(store, nintendo(question), conversation=first.conversation)
    elsewhere = store_run(store, nintendo(question))
    removing.erase(store, [pump])
    asked = event_log.turn(store, later.turn).question
    assert ("costs 1,200" in asked, asked.endswith("Who sells it?")) == (False, True)
    assert event_log.turn(store, elsewhere.turn).question == question
