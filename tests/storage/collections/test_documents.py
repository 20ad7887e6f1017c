"""Documents from their bytes to searches and away again, with the real encoder and a toy parser."""

import stat
import threading
from dataclasses import replace
from unittest.mock import Mock

import pytest

from assistant import Assistant
from searchain import documents as parsing
from searchain.errors import IndexNotFound, NotFound, SetupError, StorageError, UsageError
from searchain.pipeline import SearChain
from searchain.retrieval import parts, registry, updates
from searchain.retrieval.live import Shelf
from searchain.settings import Settings
from searchain.turn_json import as_json
from searchain.types import Reading, Span
from storage.collections import access, adding, removing
from storage.collections import documents as rows
from storage.collections.documents import State
from storage.collections.files import Files
from storage.log import event_log
from tests.support import own_documents
from tests.support.fakes import Rating, ScriptedModel, chain_text
from tests.support.own_documents import add, collection_of, store, submit, toy_parser  # noqa: F401
from ui.show.labels import sureness

PUMP = "The pump P-4711 must be oiled every ninety days."
CANARY = "The zanzibar cockatoo dreams of seventeen lighthouses."
OILED = "How often must the pump be oiled?"


@pytest.fixture
def manuals(store):
    return collection_of(store)


def found(collection, query=OILED):
    return [hit.passage.text for hit in Shelf().searching(collection.index).search(query, 5)]


def asked(store, index, owner="local"):
    """A question that is answered from ``index`` with the words `every ninety days`; returns the turn's id."""

    class Reader:
        def read(self, query, passages):
            return [self.one(passage.text) for passage in passages]

        def one(self, text):
            at = text.find("every ninety days")
            return Reading("every ninety days", Span(at, at + 17), 5.0) if at >= 0 else Reading("", None, -5.0)

    shelf = Shelf()

    def searchain(settings, index):
        return SearChain(
            model=ScriptedModel(chain_text((OILED, "every ninety days"))),
            retriever=shelf.searching(index),
            reader=Reader(),
            settings=Settings.of(reply="template"),
            index=index,
            probability=Rating(),
        )

    assistant = Assistant(store, searchain, Settings())
    started = assistant.start(OILED, index=index, owner=owner)
    for _ in assistant.follow(started.turn, owner=owner):
        pass
    return started.turn


def holding(folder, text):
    """The files below ``folder`` that hold ``text``, models aside."""
    files = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]
    return [path.name for path in files if text.encode() in path.read_bytes()]


def test_a_document_goes_from_bytes_to_a_cited_answer_with_its_place(store, manuals):
    (document,) = add(store, manuals, pump=f"About pumps.\n{PUMP}")
    assert (document.state, document.type, document.reason) == (State.READY, "txt", None)
    turn = event_log.turn(store, asked(store, manuals.index))
    assert (turn.final_answer, turn.collections, turn.index) == ("every ninety days", ("manuals",), manuals.index)
    assistant = Assistant(store, None, Settings())
    values = as_json(turn, conversation="", turn_id="", place_of=assistant.place_of())
    place = values["sources"][0]["place"]
    assert values["collections"] == ["manuals"]
    text = Files(store).parsed(document.sha256, "txt").text
    assert text[place["start"] : place["end"]] == "every ninety days"
    assert (place["document"], place["version"], place["name"]) == (document.id, document.sha256, "pump.txt")
    hidden = as_json(turn, conversation="", turn_id="", place_of=assistant.place_of(owner="eve"))
    assert hidden["sources"][0]["place"]["name"] is None


def test_files_are_their_owners_alone(store, manuals):
    (document,) = add(store, manuals, pump=PUMP)
    files = Files(store)
    for path in (files.original(document.sha256), files.text(document.sha256, "txt")):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    parts = [one for one in registry.parts_root().iterdir() if one.is_dir()]
    for part in parts:
        assert stat.S_IMODE(part.stat().st_mode) == 0o700
        assert {stat.S_IMODE(path.stat().st_mode) for path in part.rglob("*") if path.is_file()} == {0o600}
    (part,) = parts
    for path in (part, *part.iterdir()):  # as an earlier release left them
        path.chmod(0o755)
    updates.collect_garbage()
    assert {stat.S_IMODE(path.stat().st_mode) for path in (part, *part.iterdir())} == {0o700, 0o600}


def test_a_process_that_stops_is_followed_by_one_that_goes_on_and_what_was_not_read_is_said(
    store, manuals, monkeypatch
):
    def parse(path, name, **more):
        return replace(own_documents.parse_text(path, name), unread="Not read: 2 formulas.")

    monkeypatch.setattr(parsing, "parse_file", parse)
    with monkeypatch.context() as patch:
        patch.setattr(parts, "build", Mock(side_effect=SetupError("no room")))
        with pytest.raises(SetupError):
            add(store, manuals, pump=PUMP)
    (document,) = rows.under_way(store)
    assert (document.state, document.reason) == (State.ENCODING, "no room")
    assert found(manuals) == [PUMP]  # by its words
    told = []
    adding.work(store, manuals.id, report=lambda document: told.append(document.state))
    assert told == [State.READY]
    assert found(manuals) == [PUMP]
    (document,) = rows.of_collection(store, manuals.id)
    assert (document.state, document.reason) == (State.READY, "Not read: 2 formulas.")


def test_a_question_searches_the_files_that_are_read_so_far(store, manuals):
    add(store, manuals, pump=PUMP)
    submit(store, manuals, "later.txt", "Not read yet.")
    turn = event_log.turn(store, asked(store, manuals.index))
    assert (turn.final_answer, turn.files, turn.unread) == ("every ninety days", 2, 1)
    assert "1 of 2 files were searched; 1 is still being read" in sureness(turn)
    assert as_json(turn, conversation="", turn_id="")["files_unread"] == 1


def test_a_question_waits_for_the_first_file(store, manuals):
    submit(store, manuals, "pump.txt", PUMP)
    reading = threading.Timer(0.5, adding.work, (store, manuals.id))
    reading.start()
    turn = event_log.turn(store, asked(store, manuals.index))
    reading.join()
    assert turn.final_answer == "every ninety days"


def test_a_question_says_that_no_file_was_read_in_time(store, manuals, monkeypatch):
    monkeypatch.setattr(rows, "SECONDS", 0.0)
    submit(store, manuals, "pump.txt", PUMP)
    turn = event_log.turn(store, asked(store, manuals.index))
    assert "none of these documents has been read so far" in turn.message


FILES = {"long.txt": f"{PUMP} {'The motor is cooled by a fan. ' * 9}", "pump.txt": PUMP, "bird.txt": CANARY}


def states(store, collection):
    return {one.name: str(one.state) for one in rows.of_collection(store, collection.id)}


def test_a_file_that_is_removed_before_its_slice_leaves_nothing(store, manuals, monkeypatch, index_home):
    monkeypatch.setattr(adding, "SLICE", 1)
    monkeypatch.setattr(updates, "MOST_WAITING", 1)
    for name, text in FILES.items():
        submit(store, manuals, name, text)
    for _ in range(4):
        adding.step(store, manuals.id)
    assert states(store, manuals) == {"long.txt": "encoding", "pump.txt": "ready", "bird.txt": "encoding"}
    assert len(registry.get(manuals.index).waiting) == 2  # one of them with pump.txt and bird.txt
    assert len(found(manuals)) == 3
    removing.remove(store, rows.named(store, manuals.id, ["bird.txt"]))
    adding.work(store, manuals.id)
    assert states(store, manuals) == {"long.txt": "ready", "pump.txt": "ready"}
    assert CANARY not in found(manuals)
    assert holding(index_home / "indexes", CANARY) == []


def test_a_collection_on_which_another_process_works_is_left_to_it(store, manuals):
    submit(store, manuals, "pump.txt", PUMP)
    with adding._Worker(store, manuals.id).lock:
        assert not adding.step(store, manuals.id)
    assert adding.step(store, manuals.id)


def test_the_same_bytes_are_there_already_and_others_replace_them(store, manuals):
    (first,) = add(store, manuals, pump=PUMP)
    again, is_new = submit(store, manuals, "pump.txt", PUMP)
    assert (again, is_new) == (first, False)
    newer = PUMP.replace("ninety", "thirty")
    (second,) = add(store, manuals, pump=newer)
    assert (second.id, second.created) == (first.id, first.created)
    assert found(manuals) == [newer]
    files = Files(store)
    assert files.original(second.sha256).is_file()
    removing.drop_unused(store, files, {first.sha256})
    assert not files.original(first.sha256).is_file()
    assert files.parsed(first.sha256, "txt") is None


def test_what_cannot_be_read_says_so_and_hides_its_older_version(store, manuals):
    (first,) = add(store, manuals, pump=PUMP)
    told = []
    submit(store, manuals, "pump.txt", "SECRET")
    submit(store, manuals, "empty.txt", "\n")
    adding.work(store, manuals.id, report=lambda document: told.append((document.name, document.state)))
    states = {document.name: (document.state, document.reason) for document in rows.of_collection(store, manuals.id)}
    assert states == {
        "pump.txt": (State.ENCRYPTED, "The file has a password; save it without one."),
        "empty.txt": (State.NO_TEXT, "No text was found in it."),
    }
    assert told[-2:] == [("pump.txt", State.PARSING), ("pump.txt", State.ENCRYPTED)]
    with pytest.raises(IndexNotFound):
        found(manuals)


def test_a_removed_document_is_gone_and_old_replies_keep_their_quotes(store, manuals, index_home):
    pump, bird = add(store, manuals, pump=PUMP, bird=CANARY)
    turn = asked(store, manuals.index)
    removing.remove(store, [pump])
    assert found(manuals) == [CANARY]
    assert holding(index_home / "indexes", PUMP) == holding(index_home / "documents", PUMP) == []
    source = event_log.turn(store, turn).sources[0]
    assert PUMP in source.passage.text
    assert Assistant(store, None, Settings()).place_of().state(source) == "document removed"
    with pytest.raises(NotFound):
        rows.named(store, manuals.id, ["pump.txt"])
    assert submit(store, manuals, "pump.txt", PUMP)[1]


def test_an_erased_document_is_found_nowhere_on_disk(store, manuals, index_home):
    pump, other = add(store, manuals, canary=f"{PUMP} {CANARY}\n{CANARY}", other="The motor is cooled by a fan.")
    turn = asked(store, manuals.index)
    assert event_log.turn(store, turn).final_answer == "every ninety days"
    erased = removing.erase(store, [pump])
    assert erased.turns == 1
    assert found(manuals) == ["The motor is cooled by a fan."]
    for text in (CANARY, PUMP, "zanzibar", "ninety days", "canary.txt"):
        assert holding(index_home, text) == [], text
    covered = event_log.turn(store, turn)
    assert set(covered.final_answer) <= {"█"}
    assert covered.question == OILED
    with pytest.raises(NotFound):
        rows.get(store, pump.id)


def test_a_removed_document_can_be_erased_later(store, manuals, index_home):
    (bird,) = add(store, manuals, bird=f"{CANARY} every ninety days")
    asked(store, manuals.index)
    removing.remove(store, [bird])
    assert holding(index_home, "zanzibar") != []
    removing.erase(store, rows.named(store, manuals.id, ["bird.txt"], removed=True))
    assert holding(index_home, "zanzibar") == []


def test_a_collection_goes_with_everything_in_it(store, index_home):
    manuals, others = collection_of(store), collection_of(store, name="others")
    add(store, manuals, pump=PUMP, bird=CANARY)
    add(store, others, bird=CANARY)
    removing.remove_collection(store, manuals)
    assert access.allowed(store, "local") == {others.index}
    assert found(others) == [CANARY]  # the same bytes are another document's too
    assert holding(index_home / "indexes", PUMP) == holding(index_home / "documents", PUMP) == []
    assert not registry.path(manuals.index).exists()
    with pytest.raises(NotFound):
        Assistant(store, None, Settings()).start(OILED, index=manuals.index)


@pytest.mark.parametrize("has_all", [True, False])
def test_tidy_finishes_what_a_killed_removal_left(store, manuals, index_home, has_all):
    pump, bird = add(store, manuals, pump=PUMP, bird=CANARY)
    store.write("UPDATE documents SET removed = 'now' WHERE id = ?", (bird.id,))  # all that the killed process did
    text = Files(store).text(bird.sha256, "txt")
    text.with_name(f".{text.name}.0123.draft").write_text(CANARY)  # another one was killed when it wrote this
    if not has_all:
        text.unlink()
        Files(store).original(bird.sha256).unlink()
    removing.tidy(store)
    assert holding(index_home / "indexes", CANARY) == holding(index_home / "documents", CANARY) == []
    assert updates.documents_of(registry.get(manuals.index)) == {pump.id: pump.sha256}


def test_a_document_that_is_removed_while_its_text_is_written_keeps_nobody_waiting(store, manuals, monkeypatch):

    def removed_meanwhile(files, parsed):
        removing.remove(store, [rows.get(store, document.id)])
        raise StorageError("the draft is gone")

    document, _ = submit(store, manuals, "pump.txt", PUMP)
    monkeypatch.setattr(Files, "put_text", removed_meanwhile)
    adding.work(store, manuals.id)
    assert rows.of_collection(store, manuals.id) == []


def test_a_run_may_search_only_what_its_owner_may(store):
    manuals = collection_of(store, owner="ann")
    add(store, manuals, pump=PUMP)
    with pytest.raises(NotFound, match="there is no collection"):
        asked(store, manuals.index, owner="eve")
    assert event_log.turn(store, asked(store, manuals.index, owner="ann")).final_answer


def test_a_file_that_is_too_large_leaves_nothing(store):
    files = Files(store)
    with pytest.raises(UsageError, match="larger than 1 MB"):
        files.put([b"x" * 600_000, b"x" * 600_000], limit=1_000_000)
    assert files.stored() == set()
    assert list(files.root.rglob("*.incoming")) == []
