"""Answers about own documents: a fixed set of questions over files of every kind, asked with the embedded parts.

    python -m lab.benchmarks.own_answers [--out FILE] [--seconds 200] [--report]

``own-questions.jsonl`` beside this file has the questions, ``tests.support.asked_documents`` the files. Questions that
no document answers have no answers; every second of them is of the part "report", which nothing is fitted to and which
is asked with ``--report`` alone. With ``--out``, answers are kept there, and questions that stand in it are not asked
again, so a run may end after ``--seconds`` and be gone on with.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from assistant import Assistant, open_assistant
from searchain.documents import files_in
from searchain.events import fold
from searchain.files.home import home
from searchain.language.text import contains
from searchain.settings import Careful
from searchain.turn_json import as_json
from storage.collections import access, adding, documents
from storage.collections.files import Files
from tests.support.asked_documents import files

QUESTIONS = Path(__file__).with_name("own-questions.jsonl")
MOST_WORDS = 12
"""A longer answer does not count: who lists every candidate must not score."""


@click.command(help=__doc__.partition("\n")[0])
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Keep answers here, and go on from them.")
@click.option("--seconds", default=10_000.0, help="No question is asked later than this.")
@click.option("--report", "is_report", is_flag=True, help="Also ask the questions that are kept apart.")
def main(out: Path | None, seconds: float, is_report: bool) -> None:
    end = time.monotonic() + seconds
    with own_assistant() as assistant:
        answers(assistant, out, end, is_report)


@contextlib.contextmanager
def own_assistant(careful: Careful = "off") -> Iterator[Assistant]:
    """An assistant with a database and a home that go in the end; models and the default index are shared."""
    with own_home() as folder:
        assistant = open_assistant(db=folder / "searchain.db", careful=careful)
        try:
            yield assistant
        finally:
            assistant.close()


@contextlib.contextmanager
def own_home(*indexes: str, kept: Path | None = None) -> Iterator[Path]:
    """A home for indexes that goes in the end, or the folder ``kept``, which may be a home already.

    Models, the default index and ``indexes`` are shared.
    """
    real = home()
    with contextlib.nullcontext(str(kept)) if kept else tempfile.TemporaryDirectory() as folder:
        for name in ("models", "checked"):
            _link(Path(folder) / name, real / name)
        parts = Path(folder) / "indexes" / "parts"
        parts.mkdir(parents=True, exist_ok=True)
        for index in dict.fromkeys(("default", *indexes)):
            pointer = json.loads((real / "indexes" / f"{index}.json").read_text())
            for part in pointer["parts"]:
                _link(parts / part, real / "indexes" / "parts" / part)
            (parts.parent / f"{index}.json").write_text(json.dumps(pointer))
        before, os.environ["SEARCHAIN_HOME"] = os.environ.get("SEARCHAIN_HOME"), folder
        try:
            yield Path(folder)
        finally:
            os.environ.pop("SEARCHAIN_HOME")
            if before is not None:
                os.environ["SEARCHAIN_HOME"] = before


def _link(path: Path, target: Path) -> None:
    path.unlink(missing_ok=True)
    path.symlink_to(target, target_is_directory=True)


def submitted(assistant: Assistant, collection: str, files: Mapping[str, bytes]) -> None:
    """Put files into a collection and work on them, as the page and the command do."""
    queued(assistant, collection, files)
    adding.work(assistant._store, collection)


def queued(assistant: Assistant, collection: str, files: Mapping[str, bytes]) -> None:
    """Put files into a collection."""
    store = assistant._store
    kept = Files(store)
    with tempfile.TemporaryDirectory() as folder:
        for name, content in files.items():
            path = Path(folder) / name
            path.write_bytes(content)
            for found in files_in(path):
                documents.submit(store, kept, collection, found.name, kept.put_file(found.path))


def ask(assistant: Assistant, question: str, index: str) -> dict[str, Any]:
    started = assistant.start(question, index=index)
    turn = fold(stored.event for stored in assistant.follow(started.turn))
    if turn.outcome is None:
        raise click.ClickException(f"the run of {question!r} did not come to its end: {turn.status}; {turn.message}")
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
        submitted(assistant, collection.id, files())
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


if __name__ == "__main__":
    main()
