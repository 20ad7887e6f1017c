"""Export and import: what comes back is what went out, and a file that cannot be believed changes nothing."""

import gzip
import json
import random
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from searchain.errors import StorageError
from storage.database import Database
from storage.history import feedback, finished_turns, overview
from storage.history.selection import Selection
from storage.transfer import import_turns
from tests.support.generated_runs import generated_run, generated_runs
from tests.support.shell import run
from tests.support.stories import nintendo, unrated
from tests.support.story_runs import store_run
from ui.exports.formats import FORMATS, encoded

SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]


@pytest.fixture
def other(tmp_path):
    database = Database(tmp_path / "other.db")
    yield database
    database.close()


def exported(store, name="jsonl"):
    return b"".join(encoded(FORMATS[name].write(finished_turns.records(store)))).decode(errors="surrogateescape")


FORMATS_WITHOUT_TIME = FORMATS.keys() - {"proof"}  # which says when it was made


def lines(store):
    return exported(store).encode().splitlines(keepends=True)


def rows(store):
    """Every table with its rows, without what differs for a good reason: the numbers of turns, and the owner."""
    with store.reading() as db:
        names = "events passages nodes retrievals sources sentences marks".split()
        tables = {name: sorted(db.execute(f"SELECT * FROM {name}").fetchall(), key=repr) for name in names}
        tables["turns"] = sorted(row[1:] for row in db.execute("SELECT * FROM turns"))
        tables["conversations"] = sorted(db.execute("SELECT id, title, created, updated FROM conversations").fetchall())
        return tables


@settings(max_examples=8, deadline=None, phases=[Phase.reuse, Phase.generate], suppress_health_check=SLOW)
@given(st.lists(st.lists(generated_runs, min_size=1, max_size=2), min_size=1, max_size=2))
def test_an_import_gives_a_database_with_identical_exports(conversations):
    with tempfile.TemporaryDirectory() as folder:
        store, other = Database(Path(folder) / "a.db"), Database(Path(folder) / "b.db")
        for told in conversations:
            started = store_run(store, told[0], owner="ann")
            for events in told[1:]:
                store_run(store, events, "ann", started.conversation)
        done = import_turns.import_lines(other, lines(store), owner="bob")
        assert done == import_turns.Imported(sum(map(len, conversations)), 0)
        assert rows(other) == rows(store)
        both = ({name: exported(one, name) for name in FORMATS_WITHOUT_TIME} for one in (other, store))
        assert next(both) == next(both)
        store.close()
        other.close()


def test_what_is_there_already_is_skipped_and_stays(store, other):
    first = store_run(store)
    import_turns.import_lines(other, lines(store))
    store_run(store, conversation=first.conversation)
    before = rows(other)["events"]
    assert import_turns.import_lines(other, lines(store)) == import_turns.Imported(1, 1)
    assert import_turns.import_lines(other, lines(store) * 2) == import_turns.Imported(0, 4)
    assert rows(other) == rows(store)
    assert set(before) < set(rows(other)["events"])


def test_owners_do_not_travel(store, other):
    store_run(store, owner="a secret cookie")
    assert "secret cookie" not in "".join(exported(store, name) for name in FORMATS)
    import_turns.import_lines(other, lines(store), owner="bob")
    assert other.rows("SELECT DISTINCT owner FROM conversations") == [("bob",)]


def test_what_was_said_of_a_reply_goes_along_and_becomes_the_importers(store, other):
    store_run(other)  # so that numbers differ
    feedback.give(other, store_run(other).turn, "local", "up")
    started = store_run(store, owner="ann")
    for source, value in ((None, "up"), (2, "down"), (None, "down"), (2, None)):
        feedback.give(store, started.turn, "ann", value, source=source, comment="Äh “no”\nno")
    import_turns.import_lines(other, lines(store), owner="bob")
    [turn] = [record.turn for record in finished_turns.records(other, Selection(owner="bob"))]
    told = [replace(said, turn=started.turn) for said in feedback.history(other, turn)]
    assert told == feedback.history(store, started.turn)
    assert other.rows("SELECT DISTINCT owner FROM feedback WHERE turn = ?", (turn,)) == [("bob",)]
    assert json.loads(lines(other)[-1]) == json.loads(lines(store)[0])


def test_a_pinned_conversation_comes_back_pinned(store, other):
    overview.pin(store, store_run(store).conversation, "local", True)
    store_run(store)
    import_turns.import_lines(other, lines(store), owner="bob")
    assert exported(other) == exported(store)
    assert [entry.is_pinned for entry in overview.latest(other, "bob", 9)] == [True, False]


def changed(line, **changes):
    values = json.loads(line)
    for path, value in changes.items():
        *above, name = path.split("__")
        inner = values
        for key in above:
            inner = inner[int(key) if key.isdecimal() else key]
        inner[name] = value
    return json.dumps(values).encode()


SAID = {"source": 2, "value": "down", "comment": "no", "settings": {}, "time": "2026-01-01T00:00:00.000+00:00"}


def without_end(line):
    values = json.loads(line)
    del values["events"][-1]
    return json.dumps(values).encode()


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda line: line[:-20], "it is no JSON"),
        (lambda line: b"\xff\xfe", "line 2 cannot be imported"),
        (lambda line: b"[" * 100_000, "nested too deeply"),
        (lambda line: b'{"a": NaN}', "NaN is no JSON"),
        (lambda line: b'{"question": "q"}', "no turn of `export --format jsonl`"),
        (lambda line: changed(line, version=2), "a newer version"),
        (lambda line: changed(line, turn={}), "something is missing"),
        (lambda line: changed(line, turn__id="1"), "line 2"),
        (lambda line: changed(line, turn__position=-1), "-1 is no position"),
        (lambda line: changed(line, turn__created="2026-01-01"), "is no time as this program writes it"),
        (lambda line: changed(line, turn__question="other?"), "its events tell another question"),
        (lambda line: changed(line, conversation__title="x" * 500), "the title is too long"),
        (lambda line: changed(line, events__0__event={"type": "unheard"}), "its event 'unheard' is unknown"),
        (lambda line: changed(line, events__0__event=7), "its event 7 is unknown"),
        (lambda line: changed(line, events=[]), "does not end with its last event"),
        (lambda line: changed(line, feedback=7), "something is missing or of another kind"),
        (lambda line: changed(line, feedback=[{**SAID, "source": 3}]), "a citation that the reply does not have"),
        (lambda line: changed(line, feedback=[{**SAID, "value": "great"}]), "feedback is none that this program takes"),
        (lambda line: changed(line, feedback=[{**SAID, "comment": "x" * 3000}]), "comment in its feedback is too long"),
        (without_end, "does not end with its last event"),
        (lambda line: changed(line, events__29__event__text="Kyoto lies"), "does not stand"),
        (lambda line: changed(line, events__33__event__outcome="unsure"), "outcome is unsure, which does not go with"),
        (lambda line: changed(line, events__33__event__outcome="sure"), "its event 'run_finished' is unknown"),
        (lambda line: changed(line, events__33__event__probability=1.5), "which is not between 0 and 1"),
        (lambda line: changed(line, events__33__event__probability=None), "nothing says how likely it is right"),
    ],
)
def test_a_file_with_one_broken_line_changes_nothing(store, other, spoil, words):
    store_run(store)
    good, last = lines(store)[0], store_run(other)
    with pytest.raises(StorageError, match="line 2 cannot be imported") as caught:
        import_turns.import_lines(other, [good, spoil(good)])
    assert words in str(caught.value)
    assert "nothing was imported" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400
    assert [record.turn for record in finished_turns.records(other)] == [last.turn]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"events__0__time": "2026-01-01T00:00:00.000+00:00"}, "is there already and differs; import the file into"),
        ({"conversation__title": "other"}, "is there already and differs; import the file into"),
        ({"turn__id": "01M7YNEQV5J2YR22SG9HYQ4N4K"}, "has another turn in the place of"),
    ],
)
def test_what_differs_from_what_is_there_refuses_the_file(store, change, words):
    store_run(store)
    before = rows(store)
    new = store_run(store)
    fresh, (known, _) = lines(store)[1], lines(store)
    with store.writing() as db:  # as if the second one had never been
        for table in ("events", "marks", "sentences", "sources", "retrievals", "nodes"):
            db.execute(f"DELETE FROM {table} WHERE turn = ?", (new.turn,))
        db.execute("DELETE FROM turns WHERE id = ?", (new.turn,))
        db.execute("DELETE FROM conversations WHERE id = ?", (new.conversation,))
    with pytest.raises(StorageError, match=words):
        import_turns.import_lines(store, [fresh, changed(known, **change)])
    assert rows(store) == before


def without_ratings(value):
    if isinstance(value, dict):
        return {name: without_ratings(inner) for name, inner in value.items() if name not in ("outcome", "probability")}
    return [without_ratings(inner) for inner in value] if isinstance(value, list) else value


@pytest.mark.parametrize("is_old", [True, False])
def test_a_line_without_ratings_is_a_turn_that_is_not_rated(store, other, is_old):
    store_run(store, unrated(nintendo()) if is_old else nintendo())
    line = json.dumps(without_ratings(json.loads(lines(store)[0]))).encode()
    assert import_turns.import_lines(other, [line]).added == 1
    [record] = finished_turns.records(other)
    assert (record.state().outcome, record.state().probability) == (None, None)
    assert other.rows("SELECT status, outcome, probability FROM turns") == [("answered", None, None)]
    if is_old:
        assert import_turns.import_lines(store, [line]) == import_turns.Imported(0, 1)


def test_the_commands(store, tmp_path):
    db, other, out = store.path, tmp_path / "other.db", tmp_path / "out.jsonl"
    first = store_run(store)
    for seed in range(3):
        store_run(store, generated_run(random.Random(seed)), owner="ann")
    assert run("export", "--db", db, "-o", out).stderr == f"4 turns in {out}\n"
    assert out.read_bytes() == run("export", "--db", db).stdout_bytes
    assert out.read_bytes().count(b"\n") == 4
    assert run("export", "--db", db, "--user", "ann").stdout.count("\n") == 3
    assert run("export", "--db", db, "--user", "local", "--outcome", "supported").stdout.count("\n") == 1
    assert run("export", "--db", db, "--user", "local", "--outcome", "unsure").stdout == ""
    assert run("export", "--db", db, "--conversation", first.conversation).stdout.count("\n") == 1
    assert run("import", out, "--db", other).stderr == "4 turns imported\n"
    packed = tmp_path / "out.jsonl.gz"
    packed.write_bytes(gzip.compress(out.read_bytes()))
    assert run("import", packed, "--db", other).stderr == "0 turns imported, 4 there already\n"
    assert run("import", "-", "--db", tmp_path / "third.db", input=out.read_bytes()).stderr == "4 turns imported\n"
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


@pytest.mark.parametrize(
    ("args", "status", "words"),
    [
        (["export", "--format", "pdf"], 2, "'pdf' is not one of"),
        (["export", "--conversation", "none"], 2, "nothing to export for conversation 'none'"),
        (["export", "-o", "/proc/out.jsonl"], 1, "cannot write '/proc/out.jsonl'"),
        (["export", "-o", "missing/folder/out.jsonl"], 1, "cannot write 'missing/folder/out.jsonl'"),
        (["import", "missing.jsonl"], 2, "does not exist"),
        (["import", __file__], 1, "line 1 cannot be imported: it is no JSON"),
    ],
)
def test_mistakes_are_told_in_one_line(store, args, status, words):
    result = run(*args, "--db", store.path)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (status, "", 1)
    assert words in result.stderr


def test_an_export_that_fails_leaves_the_file_as_it_was(store, tmp_path):
    out = tmp_path / "out.csv"
    store_run(store)
    store.write("UPDATE events SET payload = '{' WHERE seq = 3")
    out.write_text("before")
    result = run("export", "--format", "csv", "-o", out, "--db", store.path)
    assert (result.exit_code, result.stderr.count("\n")) == (1, 1)
    assert "is damaged; see: python assistant.py logs verify" in result.stderr
    assert (out.read_text(), [path.name for path in tmp_path.glob(".*")]) == ("before", [])


def test_a_device_is_written_to_and_a_link_followed(store, tmp_path):
    db, target, link = store.path, tmp_path / "out.jsonl", tmp_path / "link"
    store_run(store)
    target.touch()
    link.symlink_to(target)
    assert run("export", "-o", link, "--db", db).exit_code == 0
    assert link.is_symlink()
    assert target.read_text().count("\n") == 1
    assert run("export", "-o", "/dev/null", "--db", db).exit_code == 0
    assert Path("/dev/null").is_char_device()
