"""Ask the turns of real conversations: how often is a refusal right, and how often is a right passage cited?

The turns are those of MTRAG, each with the conversation before it, over its four collections of files. A refusal is the
outcome ``not_found`` or ``no_search``. Turns that leave open what is meant are counted apart.

    python -m lab.worth.refusals --data ../shared/data [--folder FOLDER] [--limit N]

``--folder`` keeps the collections and the replies: a run that was stopped goes on after the last reply.
"""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any
from zlib import crc32

import click

from assistant import Assistant, open_assistant
from lab.cli.asking import content_of
from lab.evaluation.outfile import OutFile, read_lines
from lab.training.own_collections import turns_and_pages
from lab.worth.questions import CONVERSATIONS, Question, conversations
from searchain.events import Turn, fold
from searchain.language.text import content_words
from searchain.methods.base import find
from searchain.types import Outcome
from storage.collections import access

REFUSALS = (Outcome.NOT_FOUND, Outcome.NO_SEARCH)
SAME = 0.8
"""A passage is one of the reference's if it shares this much of its words with it."""


@click.command(help=__doc__.partition("\n")[0])
@click.option("--data", type=click.Path(path_type=Path), default=Path("../shared/data"), show_default=True)
@click.option("--folder", type=click.Path(path_type=Path), help="Keep the collections and the replies here.")
@click.option("--limit", type=click.IntRange(0), help="So many turns; 0: only the figures of what was asked.")
@click.option("--apart", is_flag=True, help="The third that no choice was made on, instead of the other two.")
def main(data: Path, folder: Path | None, limit: int | None, apart: bool) -> None:
    with tempfile.TemporaryDirectory() as fleeting:
        kept = folder or Path(fleeting)
        replies = kept / f"replies{'-apart' if apart else ''}.jsonl"
        asked = [one for one in conversations(data) if (crc32(one.id.encode()) % 3 == 0) is apart][:limit]
        if asked:
            with _own().own_home(kept=kept), OutFile(replies, {"content": content_of(find("searchain"))}) as file:
                assistant = open_assistant(db=kept / "searchain.db", careful="off")
                try:
                    _ask(asked, data / "mtrag", assistant, file)
                finally:
                    assistant.close()
        click.echo(report(read_lines(replies)))


def _own() -> ModuleType:
    return import_module("lab.benchmarks.own_answers")  # it needs the files of the tests, which are in a checkout alone


def _ask(asked: Sequence[Question], folder: Path, assistant: Assistant, file: OutFile) -> None:
    turns, pages = turns_and_pages(folder)
    domain_of = {f"{CONVERSATIONS}:{turn['id']}": turn["domain"] for turn in turns}
    text_of = {one["id"]: one["text"] for found in pages.values() for one in found}
    indexes = {domain: _index(assistant, domain, found) for domain, found in pages.items()}
    for question in asked:
        if question.id not in file.answered:
            index = indexes[domain_of[question.id]]
            started = assistant.start(question.text, index=index, history=question.history)
            turn = fold(stored.event for stored in assistant.follow(started.turn))
            file.write(_line(question, turn, [text_of[id] for id in question.supporting if id in text_of]))


def _index(assistant: Assistant, domain: str, passages: Sequence[dict[str, Any]]) -> str:
    """Return the index of the collection ``domain``, made from a file for each page where there is none."""
    store = assistant._store
    if found := [one for one in access.every(store, "local") if one.name == domain]:
        return found[0].index
    pages: dict[str, list[str]] = defaultdict(list)
    for one in passages:
        pages[one["title"].replace("/", " ")[:80]].append(one["text"])
    collection = access.create(store, "local", domain)
    _own().submitted(
        assistant, collection.id, {f"{name}.txt": "\n\n".join(texts).encode() for name, texts in pages.items()}
    )
    return collection.index


def _line(question: Question, turn: Turn, references: Sequence[str]) -> dict[str, Any]:
    words = [content_words(text) for text in references]
    cited = [content_words(source.passage.text) for source in turn.sources]
    return {
        "id": question.id,
        "question": question.text,
        "answerable": question.answerable,
        "outcome": turn.outcome,
        "message": turn.message,
        "reply": turn.answer,
        "queries": [node.query for node in turn.nodes],
        "cites_right": any(len(one & whole) >= SAME * max(1, len(one)) for one in cited for whole in words),
        "probability": turn.probability,
        "failure": "" if turn.outcome else turn.message or str(turn.status),
    }


def report(lines: Sequence[dict[str, Any]]) -> str:
    """Return the figures of ``lines`` as text."""
    known = [line for line in lines if line["answerable"] is not None]
    refused = [line for line in known if line["outcome"] in REFUSALS]
    rightly = [line for line in refused if not line["answerable"]]
    answerable = [line for line in known if line["answerable"]]
    cited = [line for line in answerable if line["cites_right"]]
    open_ones = [line for line in lines if line["answerable"] is None and line["outcome"] in REFUSALS]
    return "\n".join(
        (
            f"{len(lines)} turns, {len(known)} of which say whether the collection answers them",
            f"refusals that are right: {_share(len(rightly), len(refused))}",
            f"turns without an answer that are refused: {_share(len(rightly), len(known) - len(answerable))}",
            f"answerable turns that cite a right passage: {_share(len(cited), len(answerable))}",
            f"refused of those that leave open what is meant: {_share(len(open_ones), len(lines) - len(known))}",
        )
    )


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole}" + (f" ({part / whole:.0%})" if whole else "")


if __name__ == "__main__":
    main()
