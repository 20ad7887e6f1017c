"""Own documents with the real parts: answers to a fixed set, a dropped PDF to a cited answer, adding to a large index.

    python -m benchmarks.own_answers [--part answers|drop|index] [--out FILE] [--seconds 200] [--report]

``own-questions.jsonl`` beside this file has the questions, ``tests.support.asked_documents`` the files. Questions that
no document answers have no answers; every second of them is of the part "report", which nothing is fitted to and which
is asked with ``--report`` alone. With ``--out``, answers are kept there, and questions that stand in it are not asked
again, so a run may end after ``--seconds`` and be gone on with. CPU times are of this process and its children; wall
times mean something on a quiet machine alone.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import resource
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from assistant import Assistant, open_assistant
from searchain.documents import files_in
from searchain.events import fold
from searchain.files.home import home
from searchain.language.text import contains
from searchain.turn_json import as_json
from storage.collections import access, adding, documents
from storage.collections.files import Files
from storage.database import Database
from tests.support.asked_documents import files
from tests.support.pdf_files import Sheet, column, pdf

QUESTIONS = Path(__file__).with_name("own-questions.jsonl")
MOST_WORDS = 12
"""A longer answer is none: who lists every candidate must not score."""
PARTS = ("answers", "drop", "index")
BUILDINGS = "library school mill inn bridge chapel hospital market brewery club".split()
VIEWS = ("river", "market", "hill")
TOWNS = "Arden Bexley Corran Dunvale Estmoor Farrow Gilden Harwick Islay Jarrow".split()


@click.command(help=__doc__.partition("\n")[0])
@click.option("--part", "chosen", multiple=True, type=click.Choice(PARTS), default=PARTS, help="Default: all.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Keep answers here, and go on from them.")
@click.option("--seconds", default=10_000.0, help="No question is asked later than this.")
@click.option("--report", "is_report", is_flag=True, help="Also ask the questions that are kept apart.")
def main(chosen: tuple[str, ...], out: Path | None, seconds: float, is_report: bool) -> None:
    end = time.monotonic() + seconds
    with own_home():
        if "index" in chosen:
            adding_to_a_large_index()
        if "drop" in chosen or "answers" in chosen:
            with tempfile.TemporaryDirectory() as folder:
                assistant = open_assistant(db=Path(folder) / "asked.db")
                try:
                    if "drop" in chosen:
                        dropped(assistant, Path(folder))
                    if "answers" in chosen:
                        answers(assistant, out, end, is_report)
                finally:
                    assistant.close()


@contextlib.contextmanager
def own_home() -> Iterator[None]:
    """A home for indexes that goes in the end; models, extensions and the parts of the default index are shared."""
    real = home()
    with tempfile.TemporaryDirectory() as folder:
        for name in ("models", "extensions", "checked"):
            (Path(folder) / name).symlink_to(real / name, target_is_directory=True)
        parts = Path(folder) / "indexes" / "parts"
        parts.mkdir(parents=True)
        pointer = json.loads((real / "indexes" / "default.json").read_text())
        for part in pointer["parts"]:
            (parts / part).symlink_to(real / "indexes" / "parts" / part, target_is_directory=True)
        for name in ("default", "large"):
            (Path(folder) / "indexes" / f"{name}.json").write_text(json.dumps(pointer | {"name": name}))
        os.environ["SEARCHAIN_HOME"] = folder
        yield


def submitted(assistant: Assistant, store: Database, collection: str, files: dict[str, bytes]) -> None:
    """Put files into a collection and work on them, as the page and the command do."""
    kept = Files(store)
    with tempfile.TemporaryDirectory() as folder:
        for name, content in files.items():
            path = Path(folder) / name
            path.write_bytes(content)
            for found in files_in(path):
                documents.submit(store, kept, collection, found.name, kept.put_file(found.path))
    adding.work(store, collection)


def ask(assistant: Assistant, question: str, index: str) -> dict[str, Any]:
    started = assistant.start(question, index=index)
    turn = fold(stored.event for stored in assistant.follow(started.turn))
    return as_json(turn, conversation="", turn_id="", place_of=assistant.place_of())


def answers(assistant: Assistant, out: Path | None, end: float, is_report: bool) -> None:
    """Ask the fixed set, and say how much of it was right."""
    known: dict[str, dict[str, Any]] = {}
    if out is not None and out.is_file():
        known = {line["id"]: line for line in map(json.loads, out.read_text().splitlines())}
    asked = [one for one in map(json.loads, QUESTIONS.read_text().splitlines()) if one.get("part") in (None, "tune")]
    if is_report:
        asked = list(map(json.loads, QUESTIONS.read_text().splitlines()))
    collection = access.create(assistant._store, "local", "asked")
    if any(one["id"] not in known for one in asked):
        submitted(assistant, assistant._store, collection.id, files())
    for one in asked:
        if one["id"] not in known and time.monotonic() < end:
            known[one["id"]] = judged(one, ask(assistant, one["question"], collection.index))
            if out is not None:
                with out.open("a") as file:
                    file.write(json.dumps(known[one["id"]]) + "\n")
    answerable = [one for one in asked if one["answers"]]
    told("answerable", answerable, known)
    for kind in sorted({Path(one["document"]).suffix for one in answerable}):
        told(f"  {kind}", [one for one in answerable if Path(one["document"]).suffix == kind], known)
    told("  in a table or list", [one for one in answerable if "in" in one], known)
    for part in ("tune", "report"):
        replies = [known[one["id"]] for one in asked if one.get("part") == part and one["id"] in known]
        if replies:
            supported = [reply["question"] for reply in replies if reply["outcome"] == "supported"]
            found = sum(reply["outcome"] != "not_found" for reply in replies)
            click.echo(
                f"unanswerable, {part}: {len(replies)} asked, {len(supported)} supported {supported or ''}, "
                f"{found - len(supported)} with an answer that is not sure, {len(replies) - found} not found"
            )


def judged(one: dict[str, Any], reply: dict[str, Any]) -> dict[str, Any]:
    """What is kept of a reply: its answer, whether that is right, and whether the words that hold it cite its place."""
    answer = reply["final_answer"]
    is_right = len(answer.split()) <= MOST_WORDS and any(contains(right, answer) for right in one["answers"])
    sources = {source["number"]: source for source in reply["sources"]}
    saying = [s for s in reply["sentences"] if any(contains(right, s["text"]) for right in one["answers"])]
    cited = [sources[number] for sentence in saying for number in sentence["citations"]]
    return {
        "id": one["id"],
        "question": one["question"],
        "answer": answer,
        "is_right": is_right,
        "is_cited": bool(cited) and all(is_there(one, source["place"]) for source in cited),
        "outcome": reply["outcome"],
        "probability": reply["probability"],
        "seconds": reply["usage"]["seconds"],
        "reply": reply["answer"],
        "nodes": [
            {name: node[name] for name in ("query", "model_answer", "reader_answer", "answer", "verdict", "rule")}
            for node in reply["tree"]["nodes"]
        ],
        "sources": [
            {"title": source["title"], "text": source["text"], "span": source["span"], "place": source["place"]}
            for source in reply["sources"]
        ],
    }


def is_there(one: dict[str, Any], place: dict[str, Any] | None) -> bool:
    """Whether a citation opens the document that answers, at the page that does."""
    if place is None or place["name"] != one["document"]:
        return False
    return "page" not in one or [region["page"] for region in place["regions"]] == [one["page"]]


def told(what: str, some: Sequence[dict[str, Any]], known: dict[str, Any]) -> None:
    found = [known[one["id"]] for one in some if one["id"] in known]
    right = [one for one in found if one["is_right"]]
    if found:
        cited = sum(one["is_cited"] for one in right)
        ticked = sum(one["outcome"] == "supported" for one in found)
        false = sum(one["outcome"] == "supported" and not one["is_right"] for one in found)
        click.echo(
            f"{what}: {len(found)} of {len(some)} asked, {len(right)} right ({len(right) / len(found):.0%}), "
            f"{cited} of them cited at their place; {ticked} supported, {false} of those wrong"
        )


def dropped(assistant: Assistant, folder: Path) -> None:
    """From the bytes of ten pages to the end of a cited answer, the models loaded."""
    store = assistant._store
    collection = access.create(store, "local", "dropped")
    first = {"warm.txt": b"The mill of Arden was built by Cora Lind."}
    submitted(assistant, store, collection.id, first)
    ask(assistant, "Who built the mill of Arden?", collection.index)
    content = ten_pages()
    for number in range(3):
        busy, started = cpu(), time.perf_counter()
        submitted(assistant, store, collection.id, {f"towns-{number}.pdf": content + b"\n" * number})
        ready = time.perf_counter() - started
        reply = ask(assistant, "Who founded the library of Harwick?", collection.index)
        wall = time.perf_counter() - started
        place = next((source["place"] for source in reply["sources"] if source["place"]), None)
        page = place["regions"][0]["page"] if place and place["regions"] else None
        click.echo(
            f"ten pages dropped: ready after {ready:.1f} s, answer {reply['final_answer']!r} (page {page}) after "
            f"{wall:.1f} s; {cpu() - busy:.1f} CPU-s"
        )


def ten_pages() -> bytes:
    """Ten pages of about 350 words, each about the buildings of one town."""
    chance = random.Random(3)
    names = [
        f"{first} {last}" for first in ("Ada", "Bo", "Cy", "Di", "Ed") for last in ("Marsh", "North", "Oakes", "Penn")
    ]
    sheets = []
    for town in TOWNS:
        body = " ".join(
            f"The {thing} of {town} was founded by {chance.choice(names)} in {chance.randrange(1500, 1900)}, and it "
            f"has {chance.randrange(3, 90)} rooms, of which most look over the {chance.choice(VIEWS)}."
            for thing in BUILDINGS * 2
        )
        sheets.append(Sheet(column(body, 72, 720, 460, 11)[0]))
    return pdf(sheets, title="The towns")


def adding_to_a_large_index(size: int = 20) -> None:
    """What one document of ``size`` passages costs in an index of ten thousand."""
    from searchain.retrieval import registry, updates
    from searchain.types import Passage, Place

    index = registry.get("large")
    chance = random.Random(4)
    words = "river town mill valley bridge stone harvest market winter road glass copper ship tower garden".split()
    for number in range(4):
        passages, start = [], 0
        for row in range(size):
            text = " ".join(chance.choices(words, k=90)).capitalize() + "."
            place = Place(f"01J0000000000000000000000{number}", f"{number}" * 64, start, start + len(text))
            passages.append(Passage(f"added-{number}-{row}", "Added", text, place=place))
            start += len(text) + 1
        busy, started = cpu(), time.perf_counter()
        updates.announce("large", passages)
        updates.encode("large")
        now = registry.get("large")
        click.echo(
            f"{size} passages added to {index.passages + size * number:,}: {cpu() - busy:.2f} CPU-s, "
            f"{time.perf_counter() - started:.1f} s, {len(now.parts)} parts"
            + (", with loading the encoder" if number == 0 else "")
        )


def cpu() -> float:
    """CPU seconds of this process and of its children that ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


if __name__ == "__main__":
    main()
