"""Make collections of files with questions, to measure how likely answers from own documents are right.

The questions are those that the Readers were not trained on: the development articles of SQuAD, the development
questions of NQ, everyday training questions, the fixed set over files of every kind, turns of MTRAG that its four
collections do not answer, and questions written for this measurement over pages of these four. Beside them stand those
collections of ``natural`` that the Readers were not trained on; these have about three files each. In the others each
passage is a text file, with other passages of the corpus beside it, so that a collection has 20–90 files.

Every question is asked as it is. Some are asked again without the file that answers them.
"""

from __future__ import annotations

import gzip
import json
import random
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from lab.evaluation.examples import Example
from lab.training.natural import For, Natural, natural
from searchain.documents import files_in

QUESTIONS, LEFT_OUT, UNANSWERED = 30, 10, 14
"""Most questions of a collection that a file answers, of these asked without it, and those that no file answers."""
IN_ALL = 6
"""Into how many collections the questions of NQ, and those of every day, are dealt."""
SIZES = (20, 90)
"""Fewest and most files of a collection that is filled up."""
PAGES = 60
"""Most pages of a collection of MTRAG."""
WRITTEN = Path(__file__).with_name("own-written.jsonl")
"""Questions over pages of MTRAG: {"id", "question", "answers", "collection", "passage"}."""
BENCHMARKS = Path(__file__).parent.parent / "benchmarks"
Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, and the name of the file that answers it; ``""`` where none does."""

    example: Example
    file: str = ""
    without: bool = False
    """Whether it is looked up without that file."""


@dataclass(frozen=True, slots=True)
class Collection:
    """Files by name, and what is asked about them."""

    name: str
    kind: str
    files: dict[str, bytes] = field(repr=False)
    asked: tuple[Asked, ...] = field(repr=False)


def collections(data: Path) -> Iterator[Collection]:
    """Yield all collections, made from the files of ``data``, always the same ones."""
    others = [one for one in _records(data / "corpus" / "wiki.jsonl.gz") if one["source"] in ("wikipedia", "hotpotqa")]
    dev = _records(data / "reader" / "dev.jsonl.gz")
    articles: dict[str, list[Record]] = defaultdict(list)
    for record in dev:
        if record["source"] != "nq":
            articles[record["title"]].append(record)
    for number, (title, records) in enumerate(sorted(articles.items())):
        yield _of_records(f"squad-{title}", "squad", records, others, number)
    everyday = [one for one in _records(data / "everyday" / "train.jsonl.gz")]
    for kind, records in (("nq", [one for one in dev if one["source"] == "nq"]), ("everyday", everyday)):
        random.Random(0).shuffle(records)
        for number in range(IN_ALL):
            yield _of_records(f"{kind}-{number}", kind, records[number::IN_ALL], others, number)
    yield _asked_documents()
    yield _conflicts(data / "conflicts")
    yield from _mtrag(data / "mtrag")
    yield from (of_natural(one) for one in natural() if one.part != For.READERS)


def of_natural(one: Natural) -> Collection:
    """Make a collection of files as people keep them, with the questions that have a short answer or none."""
    asked = [
        Asked(
            Example(f"{number:02}", line["question"], tuple(line["answers"]), answerable=bool(line["answers"])),
            line["file"],
        )
        for number, line in enumerate(one.asked)
        if line["kind"] in ("fact", "none")
    ]
    files = {name: text.encode() for name, text in one.files.items()}
    return Collection(f"natural-{one.name}", "natural", files, tuple(asked))


def _records(file: Path) -> list[Record]:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _of_records(name: str, kind: str, records: Sequence[Record], others: Sequence[Record], number: int) -> Collection:
    """Make a collection of records in the Reader's form; every second one names its files by numbers alone."""
    rng = random.Random(name)
    drawn = rng.sample(records, len(records))
    answered = [one for one in drawn if one["answers"]][:QUESTIONS]
    asked_of_none = [one for one in drawn if not one["answers"]][:UNANSWERED]
    texts = list(dict.fromkeys((one["title"], one["text"]) for one in (*answered, *asked_of_none, *drawn[:40])))
    own = {text for _, text in texts}
    fill = max(0, rng.randint(*SIZES) - len(texts))
    texts += [(one["title"], one["text"]) for one in rng.sample(others, fill) if one["text"] not in own]
    rng.shuffle(texts)
    names = {text: _file_name(title, at, is_numbered=number % 2 == 1) for at, (title, text) in enumerate(texts)}
    asked = [Asked(_example(one), names[one["text"]]) for one in answered]
    asked += [replace(one, without=True) for one in asked[:LEFT_OUT]]
    asked += [Asked(_example(one)) for one in asked_of_none]
    return Collection(name, kind, {names[text]: text.encode() for _, text in texts}, tuple(asked))


def _file_name(title: str, number: int, *, is_numbered: bool) -> str:
    """Return a name of its own for a file, whose title is the folder's last part's stem."""
    return f"{number:03}/note-{number:03}.txt" if is_numbered else f"{number:03}/{title.replace('/', ' ')}.txt"


def _example(record: Record) -> Example:
    answers = tuple(answer["text"] for answer in record["answers"])
    return Example(record["id"], record["question"], answers, answerable=bool(answers), has_spans=True)


def _of(line: Record) -> Example:
    answers = tuple(line["answers"])
    return Example(line["id"], line["question"], answers, answerable=bool(answers))


def _asked_documents() -> Collection:
    from tests.support.asked_documents import files

    found: dict[str, bytes] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, content in files().items():
            path = Path(folder) / name
            path.write_bytes(content)
            found |= {one.name: one.path.read_bytes() for one in files_in(path)}
    lines = (json.loads(line) for line in (BENCHMARKS / "own-questions.jsonl").read_text().splitlines())
    asked = [
        Asked(
            Example(one["id"], one["question"], tuple(one["answers"]), answerable=bool(one["answers"])), one["document"]
        )
        if one["answers"]
        else Asked(Example(one["id"], one["question"], (), answerable=False))
        for one in lines
    ]
    return Collection("kinds", "kinds", found, (*asked, *(replace(one, without=True) for one in asked[:48:4])))


def _conflicts(folder: Path) -> Collection:
    """The five small files of one version; what they say is accepted where it stands in the answer."""
    files = {file.name: file.read_bytes() for file in sorted((folder / "one").iterdir())}
    asked = [
        Asked(Example(f"conflicts-{number}", one["question"], (str(one["first"]),), answerable=True))
        for number, one in enumerate(json.loads((folder / "questions.json").read_text()))
    ]
    return Collection("conflicts", "conflicts", files, tuple(asked))


def _mtrag(folder: Path) -> Iterator[Collection]:
    """The four collections of MTRAG: turns that they do not answer, and questions written over their pages."""
    turns, of_domain = turns_and_pages(folder)
    written = list(map(json.loads, WRITTEN.read_text().splitlines())) if WRITTEN.exists() else []
    for domain, passages in of_domain.items():
        asked_of = {one["passage"] for one in written}
        pages = sorted(passages, key=lambda one: one["id"] not in asked_of)
        files = {
            f"{number:04}/{one['title'].replace('/', ' ')[:80]}.txt": one for number, one in enumerate(pages[:PAGES])
        }
        names = {one["id"]: name for name, one in files.items()}
        asked = [
            Asked(Example(turn["id"], turn["question"], (), answerable=False))
            for turn in turns
            if turn["domain"] == domain and turn["answerability"] == "unanswerable"
        ]
        own = [Asked(_of(one), names[one["passage"]]) for one in written if one["collection"] == domain]
        asked += own + [replace(one, without=True) for one in own[::3]]
        yield Collection(
            f"mtrag-{domain}", "mtrag", {name: one["text"].encode() for name, one in files.items()}, tuple(asked)
        )


def turns_and_pages(folder: Path) -> tuple[list[Record], dict[str, list[Record]]]:
    """Return the turns of MTRAG, and the passages of each of its collections by the collection's name, sorted."""
    turns, passages = _records(folder / "dev.jsonl.gz"), _records(folder / "dev_corpus.jsonl.gz")
    domain_of = {id: turn["domain"] for turn in turns for id in turn["supporting_ids"]}
    pages: dict[str, list[Record]] = {domain: [] for domain in sorted(set(domain_of.values()))}
    for one in passages:
        pages[domain_of.get(one["id"], _domain(one))].append(one)
    return turns, pages


def _domain(passage: Record) -> str:
    """Return the collection of a passage that no turn cites, by its id."""
    id = passage["id"]
    if id.startswith("ibmcld"):
        return "ibmcloud"
    if "_" in id:
        return "clapnq"
    return "govt" if any(letter in "abcdef" for letter in id.partition("-")[0]) else "fiqa"
