"""Make statements that apply a rule to a case: ``python -m lab.training.cases --out FILE``.

People ask "my son is nine, does he need a ticket?" of a file that says "Children under twelve travel free". FILE
receives claims as ``lab.training.stance --cases`` takes them: the yes/no questions of ``data/natural.jsonl.gz``, but
for the part that judges, each with what the stance model would read of the passages found; and those of
``data/cases.jsonl``, which several writers wrote for this.
"""

from __future__ import annotations

import gzip
import json
import random
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import click
from tokenizers import Tokenizer

from lab.training.natural import SEARCHED, YES_NO, For, natural
from lab.training.stance_data import Claim
from searchain.console import one_line_errors
from searchain.embedded.minilm import minilm_tokenizer
from searchain.files.jsonl import read_jsonl
from searchain.files.writing import write_whole
from searchain.language.text import tokens
from searchain.reading.stance import LEAST_ROOM, LINES, sentence_ranges, windows
from searchain.types import Passage

DATA = Path(__file__).with_name("data") / "cases.jsonl"
"""A passage a line: ``{"title", "text", "asked": [{"question", "label"}]}``; ``label`` is yes, no or open."""
LABELS = {"yes": "supports", "no": "refutes", "open": "unknown"}
HELD, AWAY = 0.8, 0.5
"""The shares of the answering sentence's words from which on a text says it, and below which it does not."""
MARKS = 3
"""Special tokens of one input."""
GOLD, BESIDE = 2, 2
"""Texts that say it, and others, that are learnt of each question."""


def written(file: Path = DATA) -> list[Claim]:
    """Return the claims of ``data/cases.jsonl``.

    Raises:
        UsageError: a line has another form; the message names it.
    """
    lines = read_jsonl(file, dict, 'case; wanted: {"title", "text", "asked"}')
    return [
        Claim(asked["question"], Passage("", line["title"], line["text"]), LABELS[asked["label"]])
        for line in lines
        for asked in line["asked"]
    ]


def searched(rng: random.Random) -> Iterator[Claim]:
    """Yield claims from the yes/no questions of natural collections that do not judge."""
    from lab.training.own_collections import of_natural
    from lab.training.own_probability import Without, opened
    from searchain.retrieval import checkpoint
    from searchain.retrieval.colbert import ColbertRetriever
    from searchain.retrieval.encoder import shared_encoder

    directory = checkpoint.embedded_checkpoint()
    ids = minilm_tokenizer()
    encoder, fingerprint = shared_encoder(directory), checkpoint.fingerprint(directory)
    with tempfile.TemporaryDirectory() as folder:
        for one in natural():
            asked = [each for each in one.asked if each["kind"] == YES_NO and one.part != For.JUDGING]
            if asked:
                part, _ = opened(of_natural(one), Path(folder), encoder, fingerprint)
                retriever = ColbertRetriever(encoder, [Without(part)], "fused")
                for each in asked:
                    found = [hit.passage for hit in retriever.search(each["question"], SEARCHED)]
                    read = [text for passage in found for text in texts(ids, each["question"], passage)]
                    yield from sorted_out(each["question"], each["answers"][0], each["sentence"], read, rng)


def texts(ids: Tokenizer, question: str, passage: Passage) -> list[Passage]:
    """Return what the stance model reads at once of a passage of several lines, and a passage of one line whole."""
    if "\n" not in passage.text.strip():
        return [passage]
    said, title, body = ids.encode_batch([question, passage.title, passage.text], add_special_tokens=False)
    room = max(LINES - len(said) - len(title) - MARKS, LEAST_ROOM)
    return [
        replace(passage, text=passage.text[body.offsets[first][0] : body.offsets[last - 1][1]])
        for first, last in windows(sentence_ranges(passage.text, body), room)
    ]


def sorted_out(
    question: str, answer: str, sentence: str, read: Sequence[Passage], rng: random.Random
) -> Iterator[Claim]:
    """Yield a claim for some texts that say ``sentence``, which answers, and for some that do not."""
    wanted = set(tokens(sentence))
    shares = [len(wanted & set(tokens(one.text))) / max(1, len(wanted)) for one in read]
    gold = [one for one, share in zip(read, shares, strict=True) if share >= HELD][:GOLD]
    others = [one for one, share in zip(read, shares, strict=True) if share < AWAY]
    yield from (Claim(question, one, LABELS[answer]) for one in gold)
    yield from (Claim(question, one, LABELS["open"]) for one in rng.sample(others, min(BESIDE, len(others))))


@click.command(help=__doc__)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), required=True)
@one_line_errors()
def main(out: Path) -> None:
    claims = [*written(), *searched(random.Random(0))]
    lines = (
        json.dumps(
            {"claim": one.statement, "title": one.passage.title, "text": one.passage.text, "label": one.label},
            ensure_ascii=False,
        )
        for one in claims
    )
    with write_whole(out) as draft:  # without the time: the same data, the same bytes
        draft.write_bytes(gzip.compress("".join(f"{line}\n" for line in lines).encode(), mtime=0))
    click.echo(f"{len(claims)} claims")


if __name__ == "__main__":
    main()
