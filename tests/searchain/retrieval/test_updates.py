"""Own documents come, are replaced and go while an index is searched, with the real checkpoint and toy documents."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from searchain.errors import IndexNotFound
from searchain.retrieval import indexes, parts, registry, updates
from searchain.retrieval.encoder import Encoder
from searchain.retrieval.live import LiveIndex, Shelf, searching
from tests.support.own_passages import document
from tests.support.retrieval_home import write_corpus

ROOT = Path(__file__).parents[3]
PUMP = "The pump P-4711 must be oiled every ninety days."
VALVE = "The valve V-12 closes when the pressure falls below two bar."
MOTOR = "The motor is cooled by a fan at its rear end."
LAMP = "The lamp shows green light while the machine is running."
ONE, TWO, EMPTY = (f"c-{letter * 26}" for letter in "abe")
OILED = "How often must the pump be oiled?"


@pytest.fixture
def encoded_texts(monkeypatch):
    """The texts that were encoded, in order."""
    texts, encode = [], Encoder.encode_passages
    monkeypatch.setattr(Encoder, "encode_passages", lambda self, new: (texts.extend(new), encode(self, new))[1])
    return texts


def add(*passages, name="own"):
    updates.announce(name, passages)
    updates.encode(name)
    updates.compact(name)


def found(retriever, query=OILED, k=10):
    return [hit.passage.text for hit in retriever.search(query, k)]


def texts_on_disk(home):
    return b"".join(one.read_bytes() for one in (home / "indexes").rglob("*") if one.is_file()).decode(errors="ignore")


def test_a_document_is_found_by_its_words_before_it_is_encoded(index_home, encoded_texts):
    updates.announce("own", document("d1", PUMP, VALVE, MOTOR))
    live = LiveIndex("own")
    (waiting,) = searching([live]).search("P-4711", 5)
    assert waiting.passage.text == PUMP
    assert encoded_texts == [f"d1 | {PUMP}"]  # what was found, and nothing else
    add(*document("d2", LAMP))  # encodes what waited as well
    assert registry.get("own").waiting == ()
    ready = searching([live]).search("P-4711", 5)
    assert (ready[0].passage, ready[0].score) == (waiting.passage, pytest.approx(waiting.score, abs=0.02))
    updates.announce("own", document("d3", "The red lamp shows that the oil is low."))
    assert found(searching([live]), "What does the red lamp show?")[0].startswith("The red lamp")
    assert len(found(searching([live]), "What does the red lamp show?")) == 5


def test_of_many_documents_each_is_written_and_encoded_a_few_times_only(index_home, encoded_texts, monkeypatch):
    written, write_words = [], parts.write_words
    monkeypatch.setattr(updates, "MOST_WAITING", 4)
    monkeypatch.setattr(parts, "write_words", lambda *given: (written.append(len(given[2])), write_words(*given))[1])
    for number in range(48):
        updates.announce("own", document(f"d{number}", f"Device {number} weighs {number + 10} kilograms."))
    assert sum(written) <= 5 * 48  # with all that wait joined each time 384
    written.clear()
    updates.encode("own", most=3)
    updates.compact("own")
    assert written == []  # what was encoded leaves its part when the whole part was
    assert found(searching([LiveIndex("own")]), "What does device 1 weigh?", 1)[0].startswith("Device 1 ")
    assert len(encoded_texts) == len(set(encoded_texts))  # a search encodes nothing again
    updates.forget("own", ["d0"])
    updates.compact("own")
    assert "Device 0 " not in texts_on_disk(index_home)


def test_a_forgotten_document_is_found_by_no_later_search_and_leaves_the_disk(index_home):
    add(*document("d1", PUMP, VALVE), *document("d2", MOTOR))
    live = LiveIndex("own")
    running = searching([live])  # a run that began before
    assert found(running)[0] == PUMP
    updates.forget("own", ["d1"])
    assert found(running) == found(searching([live])) == [MOTOR]
    assert len(running) == 1
    assert PUMP in texts_on_disk(index_home)
    updates.compact("own")
    assert found(running) == found(searching([live])) == [MOTOR]
    assert PUMP not in texts_on_disk(index_home)
    assert registry.get("own").removed == {}
    updates.forget("own", ["d2"])
    updates.compact("own")
    assert (registry.get("own").parts, len(running)) == ((), 0)
    assert found(running) == []
    with pytest.raises(IndexNotFound, match="holds no document that can be searched"):
        searching([live])


def test_a_new_version_takes_the_place_of_the_old_one_at_once(index_home):
    add(*document("d1", PUMP), *document("d2", MOTOR))
    live = LiveIndex("own")
    running = searching([live])
    newer = PUMP.replace("ninety", "thirty")
    updates.announce("own", document("d1", newer, version="2"))
    assert newer in found(searching([live]))
    assert PUMP not in found(searching([live]))
    assert found(running) == [MOTOR]  # the run's generation does not have the new version
    updates.encode("own")
    updates.compact("own")
    assert sorted(found(searching([live]))) == sorted([newer, MOTOR])
    add(*document("d1", PUMP))  # and back to the first version
    assert sorted(found(searching([live]))) == sorted([PUMP, MOTOR])
    assert newer not in texts_on_disk(index_home)


def test_what_is_not_wanted_any_more_never_appears(index_home):
    updates.announce("own", [*document("d1", PUMP), *document("d2", MOTOR)], is_wanted=lambda id: id != "d1")
    assert found(searching([LiveIndex("own")]), "pump motor") == [MOTOR]
    updates.encode("own")
    assert found(searching([LiveIndex("own")])) == [MOTOR]


def test_a_document_that_goes_while_it_is_encoded_is_gone(index_home, monkeypatch):
    updates.announce("own", [*document("d1", PUMP), *document("d2", MOTOR)])
    build = parts.build

    def interrupted(*args):
        updates.forget("own", ["d1"])
        build(*args)

    monkeypatch.setattr(parts, "build", interrupted)
    updates.encode("own")
    assert found(searching([LiveIndex("own")])) == [MOTOR]
    updates.compact("own")
    assert PUMP not in texts_on_disk(index_home)


def test_several_indexes_are_one_search_by_score(index_home, tmp_path):
    add(*document("d1", PUMP, LAMP), name=ONE)
    add(*document("d2", VALVE), name=TWO)
    indexes.build_index("cities", [write_corpus(tmp_path / "cities.jsonl")])
    search = Shelf().searching
    both = search(f"{ONE}+{TWO}+{EMPTY}")
    assert found(both, "At which pressure does the valve close?")[0] == VALVE
    hits = search(f"{ONE}+cities+{TWO}").search("What is the capital of Canada?", 4)
    assert hits[0].passage.id == "ottawa"
    assert sorted((hit.score for hit in hits), reverse=True) == [hit.score for hit in hits]
    assert both.generations == {ONE: 2, TWO: 2}
    with pytest.raises(IndexNotFound, match="no index 'absent'"):
        search(f"{ONE}+absent")


def test_another_process_adds_and_removes_while_this_one_searches(index_home):
    add(*document("d1", MOTOR))
    live = LiveIndex("own")
    running = searching([live])

    def elsewhere(code):
        command = f"from searchain.retrieval import updates\nfrom tests.support.own_passages import document\n{code}"
        subprocess.run([sys.executable, "-c", command], cwd=ROOT, env=os.environ, check=True)

    elsewhere(f"updates.announce('own', document('d2', {PUMP!r}))")
    assert found(running) == [MOTOR]  # its generation stays
    assert PUMP in found(searching([live]))
    updates.encode("own")  # what the other process left
    elsewhere("updates.forget('own', ['d1', 'd2'])")
    assert found(running) == []


def test_a_large_part_loses_rows_without_being_encoded_again(index_home, encoded_texts, monkeypatch):
    monkeypatch.setattr(parts, "EXACT_LIMIT", 20)
    add(*document("d1", *(f"Device {n} weighs {n + 10} kilograms." for n in range(40))), *document("d2", PUMP))
    live = LiveIndex("own")
    assert (registry.parts_root() / registry.get("own").parts[0] / "plaid").is_dir()
    before = {hit.passage.id: hit.score for hit in searching([live]).search(OILED, 100)}
    add(*document("d3", MOTOR))
    updates.forget("own", ["d3"])
    updates.compact("own")
    updates.forget("own", ["d2"])
    encoded_texts.clear()
    updates.compact("own")
    after = {hit.passage.id: hit.score for hit in searching([live]).search(OILED, 100)}
    assert encoded_texts == []
    assert after == pytest.approx({id: score for id, score in before.items() if not id.startswith("d2")})
    assert PUMP not in texts_on_disk(index_home)
    add(*document("d4", *(f"Cable {n} is {n + 3} metres long." for n in range(12))))
    updates.forget("own", ["d4"])
    updates.compact("own")
    add(*document("d5", *(f"Bolt {n} has the size M{n}." for n in range(30))))
    updates.forget("own", ["d1"])
    updates.compact("own")  # nothing of the first large part is left
    assert len(searching([live])) == 30


def test_a_code_is_found_by_its_words_however_the_part_is_searched(index_home, monkeypatch):
    monkeypatch.setattr(parts, "EXACT_LIMIT", 20)
    cables = [f"The cable {chr(65 + n % 26)}X-{n + 4000} is {n % 7 + 3} metres long." for n in range(40)]
    add(*document("d1", *cables), name=ONE)  # a large part, whose words are on disk
    add(*document("d2", "The seal of the valve is the KX-4471."), name=ONE)
    updates.announce(ONE, document("d3", "The receipt ZQ-77 is kept in the safe."))
    live, asked = LiveIndex(ONE), {"KX-4471": "d2-1-0", "KX-4010": "d1-1-10", "ZQ-77": "d3-1-0"}
    for search in ("words", "fused", None):
        hits = {code: searching([live], search).search(code, 5) for code in asked}
        assert {code: some[0].passage.id for code, some in hits.items()} == asked
        assert all(hit.score > 0 for some in hits.values() for hit in some)
    meant = {hit.passage.id: hit.score for hit in searching([live], "meaning").search("KX-4010", 50)}
    worded = {hit.passage.id: hit.score for hit in searching([live], "words").search("KX-4010", 50)}
    assert worded == pytest.approx({id: meant[id] for id in worded})  # a score means the same however it was found
    updates.forget(ONE, ["d2", "d3"])
    assert not {"d2-1-0", "d3-1-0"} & {hit.passage.id for hit in searching([live]).search("KX-4471 ZQ-77", 50)}
    assert (registry.parts_root() / registry.get(ONE).parts[0] / "words").stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize(
    ("text", "others", "query"),
    [
        ("朝食は一階の食堂で出します。", ["駐車場は十二台分です。", "全室禁煙です。"], "食堂はどこですか"),
        ("ห้องพักราคา 900 บาท", ["เช็คเอาท์ก่อนเที่ยง"], "ราคาห้องเท่าไร"),
        ("Die GRÖSSE beträgt 68 m².", ["Der Keller ist trocken."], "größe"),
    ],
)
def test_words_are_found_in_any_script(index_home, text, others, query):
    updates.announce(ONE, [*document("d1", *others), *document("d2", text)])
    assert found(searching([LiveIndex(ONE)], "words"), query)[0] == text


def test_small_parts_become_a_large_one_from_their_vectors(index_home, encoded_texts, monkeypatch):
    monkeypatch.setattr(parts, "EXACT_LIMIT", 20)
    for start in (0, 10, 20):
        add(*document(f"d{start}", *(f"Device {n} weighs {n + 10} kilograms." for n in range(start, start + 10))))
    index = registry.get("own")
    kinds = [(registry.parts_root() / part / "plaid").is_dir() for part in index.parts]
    assert (len(encoded_texts), index.passages, kinds) == (30, 30, [False, False])
    add(*document("d30", *(f"Device {n} weighs {n + 10} kilograms." for n in range(30, 40))))
    index = registry.get("own")
    assert [(registry.parts_root() / part / "plaid").is_dir() for part in index.parts] == [True]
    assert [path.name for path in registry.parts_root().iterdir() if path.is_dir()] == list(index.parts)
    assert len(encoded_texts) == 40  # nothing was encoded twice
    assert len({hit.passage.id for hit in searching([LiveIndex("own")]).search("device", 40)}) == 40
