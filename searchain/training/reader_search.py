"""Training records out of real searches: ``python -m searchain.training.reader_search --questions FILE --out DIR``.

``--questions`` names files in the reader format. Each question is searched in the embedded corpus. A passage that is
found and holds none of the accepted answers becomes a record without an answer: the kind of passage that the Reader has
to refuse later. ``--apart SHARE`` keeps questions back, drawn by their id: they go to ``DIR/apart.jsonl.gz`` as they
are, for fitting the probability on questions that the Reader has not seen. The records go to ``DIR/searched.jsonl.gz``;
an article of the embedded corpus stands in them as it is indexed, with its short description.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from searchain.console import one_line_errors, tracked
from searchain.evaluation.metrics import covers
from searchain.files.jsonl import read_jsonl
from searchain.files.writing import write_whole
from searchain.language.descriptions import after_description
from searchain.retrieval.base import Retriever
from searchain.retrieval.corpus import default_corpus
from searchain.retrieval.indexes import open_index
from searchain.types import Passage

NEAR_MISSES = 3
"""Passages without an answer that are taken per question."""
DEPTH = 8
"""Passages that are searched for them."""

Line = dict[str, Any]


def is_apart(line: Line, share: float) -> bool:
    """Whether a question is kept back: always the same ones for the same share."""
    return int(hashlib.sha256(str(line["id"]).encode()).hexdigest()[:8], 16) % 1000 < 1000 * share


def as_indexed(line: Line, leads: Mapping[str, Passage]) -> Line:
    """Return the record with its article's short description before the text, where the corpus has the article."""
    lead = leads.get(line["title"])
    at = after_description(lead.text) if lead else 0
    if lead is None or not at or lead.text[at:] != line["text"]:
        return line
    answers = [answer | {"start": answer["start"] + at} for answer in line["answers"]]
    return line | {"text": lead.text, "answers": answers}


def near_misses(line: Line, retriever: Retriever) -> Iterator[Line]:
    """Yield a record without an answer for each of the best passages that hold no accepted answer."""
    answers = [answer["text"] for answer in line["answers"]]
    found = 0
    for hit in retriever.search(line["question"], DEPTH) if answers else ():
        passage = hit.passage
        text = f"{passage.title} {passage.text}"
        if found == NEAR_MISSES:
            return
        if passage.title == line["title"] or any(covers(text, answer) for answer in answers):
            continue
        found += 1
        yield line | {
            "id": f"{line['id']}-not-{hit.rank}",
            "title": passage.title,
            "text": passage.text,
            "answers": [],
        }


def records(lines: Sequence[Line], retriever: Retriever, leads: Mapping[str, Passage]) -> Iterator[Line]:
    """Yield every record as it is indexed, and its near misses."""
    for line in tracked(lines, "searching"):
        if line["title"] in leads:
            yield as_indexed(line, leads)
        yield from near_misses(line, retriever)


def write(file: Path, lines: Iterable[Line]) -> int:
    """Write lines of JSON, compressed, and return their number."""
    written = list(lines)
    with write_whole(file) as draft, gzip.open(draft, "wt", encoding="utf-8") as out:
        out.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in written)
    return len(written)


@click.command(help=__doc__)
@click.option(
    "--questions",
    multiple=True,
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Reader records (repeatable).",
)
@click.option("--apart", default=0.0, show_default=True, type=click.FloatRange(0, 1), help="Share to keep back.")
@click.option("--source", multiple=True, help="Take only records of this source (repeatable).")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), required=True, help="Folder for the results.")
@one_line_errors()
def main(questions: tuple[Path, ...], apart: float, source: tuple[str, ...], out: Path) -> None:
    lines = [line for file in questions for line in read_jsonl(file, dict, "reader record")]
    lines = [line for line in lines if not source or line["source"] in source]
    out.mkdir(parents=True, exist_ok=True)
    leads = {passage.title: passage for passage in default_corpus().passages}
    used = [line for line in lines if not is_apart(line, apart)]
    number = write(out / "searched.jsonl.gz", records(used, open_index("default"), leads))
    kept = write(out / "apart.jsonl.gz", (line for line in lines if is_apart(line, apart)))
    click.echo(f"{number:,} records from {len(used):,} questions, {kept:,} questions kept apart, in {out}")


if __name__ == "__main__":
    main()
