"""Dumps of Wikipedia and retrieval corpora: what becomes of each form, and that memory does not grow with them."""

import json
import tracemalloc

import pytest

from searchain.errors import RetrievalError
from searchain.retrieval import indexes, parts, registry, store
from searchain.retrieval.corpus import Reading, Skipped
from searchain.retrieval.indexes import spooled
from searchain.retrieval.records import plain_text
from searchain.types import Passage
from tests.support.dumps import FORMATS, OPENERS, sentences, write_dump

FIRST, SECOND = sentences(3)
URL = "https://en.wikipedia.org/wiki/Place_3"
THIRD = {
    "kilt": [Passage("3#1", "Place 3", FIRST, URL), Passage("3#3", "Place 3", SECOND, URL)],
    "cirrus": [Passage("3#1", "Place 3", f"{FIRST} {SECOND}", URL)],
    "mediawiki": [Passage("4#1", "Place 3", f"{FIRST}\n\nPeople\n\n{SECOND}", URL)],
    "dpr": [Passage("4", "Place 3", f'{FIRST} {SECOND} "Quoted"')],
    "colbert": [Passage("3", "Place 3", f"{FIRST} {SECOND}")],
}
"""What becomes of the fourth page of each dump."""


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("ending", OPENERS)
def test_a_dump_is_read_by_what_it_is_however_it_is_compressed(tmp_path, name, ending):
    path = write_dump(tmp_path, name, 5, ending)
    reading = Reading([path])
    found = list(reading)
    assert reading.skipped == ()
    assert [passage for passage in found if passage.title == "Place 3"] == THIRD[name]
    assert len({passage.title for passage in found}) == 5


def test_paragraphs_of_kilt_are_joined_within_a_section_and_long_ones_cut(tmp_path):
    path = tmp_path / "kilt.json"
    long = " ".join(f"This is sentence number {n}." for n in range(60))
    path.write_text(
        '{"wikipedia_id": 9, "wikipedia_title": "A B", "text": ["A B", "One.", "Two.", "Section::::C.", "Three.", "'
        + long
        + '"]}\n{"wikipedia_id": 9, "wikipedia_title": "A", "text": "no list"}\n'
    )
    reading = Reading([path])
    found = list(reading)
    assert [(one.id, one.text) for one in found[:2]] == [("9#1-2", "One.\nTwo."), ("9#4", "Three.")]
    assert [one.id for one in found[2:]] == ["9#5.1", "9#5.2"]
    assert " ".join(one.text for one in found[2:]) == long
    assert found[0].url == "https://en.wikipedia.org/wiki/A_B"
    reason = "no KILT page: wikipedia_id, wikipedia_title and a list text are needed"
    assert reading.skipped == (Skipped("kilt.json", 2, reason),)


def test_wikitext_becomes_sentences():
    wikitext = (
        "{{Short description|x}}{{Infobox|a={{b|c}}}}\n'''Kyoto''' ({{lang|ja|京都}}) is a [[city|old city]].<ref>A [[b]]</ref>"
        " [[File:A.jpg|thumb|A [[temple]]]]\n\n{| class=wikitable\n|-\n| a || b\n|}\n* a [[list]]\n"
        "== See also ==\n* [[Nara]]\n== History ==\nFounded in 794.\n[[Category:Cities]]\n== External links ==\n* x"
    )
    assert plain_text(wikitext) == "Kyoto is a old city.\n\na list\n\nHistory\n\nFounded in 794."


def test_entities_of_a_hostile_dump_are_not_blown_up(tmp_path):
    entities = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12))
    path = tmp_path / "x.xml"
    path.write_text(
        f'<!DOCTYPE m [<!ENTITY a0 "ha">{entities}]><mediawiki><page><title>&a11;</title></page></mediawiki>'
    )
    with pytest.raises(RetrievalError):
        list(Reading([path]))


def test_memory_does_not_grow_with_the_corpus(tmp_path):
    peaks = []
    for rows in (200, 2_200):
        path = write_dump(tmp_path, "dpr", rows)
        tracemalloc.start()
        with spooled(Reading([path]), tmp_path / "parts", 10_000) as shards:
            assert [len(shard) for shard in shards] == [rows]
            peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] - peaks[0] < 200_000  # 2,000 passages of 200 bytes, with what holds them, would be 1 MB


def test_a_large_corpus_becomes_several_parts_that_are_pointed_to_at_once(tmp_path, monkeypatch):
    monkeypatch.setenv("SEARCHAIN_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(indexes.checkpoints, "find", lambda name: tmp_path)
    monkeypatch.setattr(indexes.checkpoints, "fingerprint", lambda directory: "toy")
    monkeypatch.setattr("searchain.retrieval.encoder.shared_encoder", lambda directory: None)
    built = []

    def build(root, key, passages, encoder, progress):
        if len(built) == 2:
            raise KeyboardInterrupt
        built.append([passage.id for passage in passages])
        parts.write_words(root, key, passages)

    monkeypatch.setattr(parts, "build", build)
    path = write_dump(tmp_path, "dpr", 7)
    with pytest.raises(KeyboardInterrupt):
        indexes.build_index("large", [path], shard_size=3)
    assert indexes.list_indexes() == []  # nothing is searched before all of it is there
    built.clear()
    done = indexes.build_index("large", [path], shard_size=3)
    assert built == [["7"]]  # what was built before the interruption is not built again
    assert (done.index.passages, len(done.index.parts), done.is_new) == (7, 3, True)
    folders = [registry.parts_root() / part for part in done.index.parts]
    stored = [[passage.id for passage in store.PassageStore(folder)] for folder in folders]
    assert stored == [["1", "2", "3"], ["4", "5", "6"], ["7"]]
    pointer = json.loads(registry.path("large").read_text())
    assert pointer["shards"] == [
        {"parts": [key], "passages": size, "first_id": first, "last_id": last}
        for key, size, first, last in zip(done.index.parts, (3, 3, 1), "147", "367", strict=True)
    ]
    assert registry.load("large") == done.index
    assert not indexes.build_index("large", [path], shard_size=3).is_new
    assert [name.name for name in registry.parts_root().iterdir() if name.suffix == ".draft"] == []
