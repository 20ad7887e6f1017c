"""Answers where own documents differ: two versions of one text, and two texts on different things in similar words.

    python -m lab.benchmarks.conflicts [--data FOLDER] [--part report] [--out FILE]

``conflicts.jsonl`` beside this file has pairs of files with their questions. A question with two answers is one to
which the versions answer differently. The part "report" is kept apart: nothing is fitted to it. With ``--data`` the
files and questions of a folder are asked instead: ``one/``, ``two/`` (the same and newer versions) and
``questions.json``. All files are in one collection; the first versions alone are in a second one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from assistant import Assistant
from lab.benchmarks.own_answers import ask, own_assistant, submitted
from searchain.language.text import contains
from storage.collections import access

PAIRS = Path(__file__).with_name("conflicts.jsonl")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question to a collection, and its answers: two where the documents differ."""

    collection: str
    question: str
    answers: tuple[str, ...]


@click.command(help=__doc__.partition("\n")[0])
@click.option("--data", type=click.Path(exists=True, file_okay=False, path_type=Path), help="Ask these files instead.")
@click.option("--part", type=click.Choice(["tune", "report"]), help="Ask one part of the pairs alone.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Write the replies here.")
def main(data: Path | None, part: str | None, out: Path | None) -> None:
    collections, asked = of_folder(data) if data else of_pairs(part)
    with own_assistant() as assistant:
        replies = list(answered(assistant, collections, asked))
    if out is not None:
        out.write_text("".join(json.dumps(reply) + "\n" for _, reply in replies))
    for line in summary(replies):
        click.echo(line)


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
            asked.append(Asked("all", one["question"], tuple(one["answers"])))
            asked += [Asked("first", one["question"], tuple(one["answers"][:1]))] if is_of_versions else []
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
    are_all = all(any(contains(answer, one) for one in given) for answer in asked.answers)
    return are_all and len(given) == len(asked.answers)


def is_calm(asked: Asked, reply: Mapping[str, Any]) -> bool:
    return not reply["conflict"]


if __name__ == "__main__":
    main()
