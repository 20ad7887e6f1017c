"""Answers where own documents differ: two versions of one text, and two texts on different things in similar words.

    python -m lab.benchmarks.conflicts [--data FOLDER] [--part report] [--disagree] [--out FILE]

``conflicts.jsonl`` beside this file has pairs of files with their questions. A question with two answers is one to
which the versions answer differently. Nothing is fitted to the part "report", but the rows that teach "do the
documents disagree" were chosen by it. With ``--data`` the files and questions of a folder are asked instead:
``one/``, ``two/`` (the same and newer versions) and ``questions.json``. All files are in one collection; the first
versions alone are in a second one.

    python -m lab.benchmarks.conflicts --everyday everyday/dev.jsonl.gz [--limit N]
    python -m lab.benchmarks.conflicts --own

These look up questions in the default index, or those of ``own-questions.jsonl`` in their files, without a reply, and
count the conflicts that would be claimed. There should be none.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from assistant import Assistant
from lab.benchmarks.own_answers import QUESTIONS, ask, own_assistant, submitted
from lab.evaluation.examples import read_dataset
from searchain.assemble import Choice, Parts
from searchain.reading.lookup import Lookups
from searchain.reply.conflicts import judged
from searchain.settings import Settings
from searchain.types import TaskKind
from storage.collections import access
from tests.support import asked_documents

PASSAGES = Settings().passages
PAIRS = Path(__file__).with_name("conflicts.jsonl")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question to a collection, and its answers: two where the documents differ."""

    collection: str
    question: str
    answers: tuple[str, ...]
    about: str = ""
    """What it asks for, in the words of "Do the documents disagree about …?"; ``""`` where that is not asked."""


@click.command(help=__doc__.partition("\n")[0])
@click.option("--data", type=click.Path(exists=True, file_okay=False, path_type=Path), help="Ask these files instead.")
@click.option("--part", type=click.Choice(["tune", "report"]), help="Ask one part of the pairs alone.")
@click.option("--disagree", is_flag=True, help="Ask whether the documents disagree; of the part report alone.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Write the replies here.")
@click.option("--everyday", type=click.Path(exists=True, path_type=Path), help="Only look up these questions.")
@click.option("--own", "is_own", is_flag=True, help="Only look up the questions about own documents.")
@click.option("--limit", type=int, help="Look up so many.")
def main(
    data: Path | None,
    part: str | None,
    disagree: bool,
    out: Path | None,
    everyday: Path | None,
    is_own: bool,
    limit: int | None,
) -> None:
    if everyday is not None:
        asked = [example.question for example in read_dataset(everyday).examples]
        claimed("default", asked[:limit])
        return
    if is_own:
        with own_assistant() as assistant:
            collection = access.create(assistant._store, "local", "own")
            submitted(assistant, collection.id, asked_documents.files())
            lines = QUESTIONS.read_text().splitlines()
            claimed(collection.index, [json.loads(line)["question"] for line in lines][:limit])
        return
    collections, asked = of_folder(data) if data else of_pairs(part)
    if disagree:
        asked = [replace(one, question=f"Do the documents disagree about {one.about}?") for one in asked if one.about]
    with own_assistant() as assistant:
        replies = list(answered(assistant, collections, asked))
    if out is not None:
        out.write_text("".join(json.dumps(reply) + "\n" for _, reply in replies))
    for line in summary(replies):
        click.echo(line)


def claimed(index: str, questions: Sequence[str]) -> None:
    """Look the questions up in ``index``, and print the conflicts that would be claimed."""
    chain = Parts(Choice(careful="off")).searchain(Settings(), index)
    assert chain.retriever is not None
    assert chain.reader is not None
    assert chain.probability is not None
    assert chain.similarity is not None
    pool, task = ThreadPoolExecutor(1), TaskKind.MULTIHOP
    lookups = Lookups(chain.retriever, chain.reader, pool, k=PASSAGES, task=task, rate=chain.probability.rated)
    found = 0
    for number, question in enumerate(questions, 1):
        evidence = lookups.start(question).result()
        pairs = judged(question, evidence, lookups.read, chain.similarity)
        if values := [value for pair in pairs if pair.is_contradiction for value in (pair.one, pair.other)]:
            found += 1
            click.echo(f"    {question} {[(value.hit.passage.title, value.reading.answer) for value in values]}")
        if number % 20 == 0 or number == len(questions):
            click.echo(f"{found} conflicts claimed over {number} of {len(questions)} questions")


def of_pairs(part: str | None) -> tuple[dict[str, dict[str, bytes]], list[Asked]]:
    """Return the collections, name → files, and the questions of the pairs beside this file."""
    pairs = [one for one in map(json.loads, PAIRS.read_text().splitlines()) if part in (None, one["part"])]
    collections: dict[str, dict[str, bytes]] = {"all": {}, "first": {}}
    asked = []
    for pair in pairs:
        files = {name: text.encode() for name, text in pair["files"].items()}
        is_of_versions = pair["kind"] == "versions"
        collections["all"] |= files
        collections["first"] |= dict(list(files.items())[:1]) if is_of_versions else {}
        for one in pair["questions"]:
            answers, about = tuple(one["answers"]), one.get("about", "")
            asked.append(Asked("all", one["question"], answers, about))
            asked += [Asked("first", one["question"], answers[:1], about)] if is_of_versions else []
    return collections, asked


def of_folder(folder: Path) -> tuple[dict[str, dict[str, bytes]], list[Asked]]:
    """Return the same for a folder with ``one/``, ``two/`` and ``questions.json``."""
    collections = {
        name: {file.name: file.read_bytes() for file in sorted((folder / part).iterdir())}
        for name, part in (("all", "two"), ("first", "one"))
    }
    asked = []
    for one in json.loads((folder / "questions.json").read_text()):
        asked += [
            Asked("all", one["question"], (one["first"], one["second"])),
            Asked("first", one["question"], (one["first"],)),
        ]
    return collections, asked


def answered(
    assistant: Assistant, collections: Mapping[str, Mapping[str, bytes]], asked: Sequence[Asked]
) -> Iterator[tuple[Asked, dict[str, Any]]]:
    """Yield each question with the reply to it."""
    indexes = {}
    for name, files in collections.items():
        made = access.create(assistant._store, "local", name)
        submitted(assistant, made.id, files)
        indexes[name] = made.index
    for one in asked:
        yield one, ask(assistant, one.question, indexes[one.collection])


def summary(replies: Sequence[tuple[Asked, dict[str, Any]]]) -> Iterator[str]:
    """Yield the figures, and the questions that count against them."""
    for what, some, is_good in (
        ("both values named", [pair for pair in replies if len(pair[0].answers) > 1], names_all),
        ("single versions answered", [pair for pair in replies if pair[0].collection == "first"], names_all),
        ("values that did not change answered", [pair for pair in replies if is_unchanged(pair[0])], names_all),
        ("no conflict claimed where there is none", [pair for pair in replies if len(pair[0].answers) < 2], is_calm),
    ):
        bad = [(one, reply) for one, reply in some if not is_good(one, reply)]
        yield f"{what}: {len(some) - len(bad)} of {len(some)}"
        yield from (f"    {one.question} {one.answers}: {reply['answer'][:160]}" for one, reply in bad)


def is_unchanged(asked: Asked) -> bool:
    return asked.collection == "all" and len(asked.answers) == 1


def names_all(asked: Asked, reply: Mapping[str, Any]) -> bool:
    """Tell whether the short answer has every value, and more than one only as a conflict."""
    given = [one["answer"] for one in reply["conflict"]] or [reply["final_answer"]]
    are_all = all(any(answer.casefold() in one.casefold() for one in given) for answer in asked.answers)
    return are_all and len(given) == len(asked.answers)


def is_calm(asked: Asked, reply: Mapping[str, Any]) -> bool:
    return not reply["conflict"]


if __name__ == "__main__":
    main()
