"""Replies of each kind, drawn by a seed, for people to read: ``python -m lab.benchmarks.replies --to docs/replies.md``.

Plain questions come from the files ``stated-*.jsonl`` beside this one, yes/no questions from ``yes-no.jsonl``, lists,
explanations, questions of several steps and claims from ``kinds.jsonl``. What things are, summaries and comparisons are
asked about titles of the embedded corpus. The careful model is off. Each reply stands with the passages it cites.

``--sentences 100`` draws sentences of these replies, each with its passages and without a judgement, for readers who
mark what is ungrammatical and what the passage does not say.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from random import Random

import click

from searchain.assemble import Choice, Parts
from searchain.console import tracked
from searchain.events import Turn, fold
from searchain.reading.articles import description
from searchain.retrieval.corpus import default_corpus
from searchain.safe_text import one_line
from searchain.settings import Settings
from searchain.types import Source

HERE = Path(__file__).parent
QUOTED = 300
"""Characters of a passage that are shown around its span."""


def questions(each: int, seed: int) -> Iterator[tuple[str, str]]:
    """Yield (kind, question), ``each`` of every kind."""
    random = Random(seed)
    plain = [_read(file) for file in sorted(HERE.glob("stated-*.jsonl"))]
    drawn = {
        "plain": random.sample([one["question"] for rows in plain for one in rows], each),
        "yes or no": random.sample([one["question"] for one in _read(HERE / "yes-no.jsonl")], each),
    }
    titles, kinds = list[str](), defaultdict[str, list[str]](list)
    for passage in default_corpus():
        titles.append(passage.title)
        kinds[description(passage).split(" in ")[0]].append(passage.title)
    drawn["what it is"] = [f"what is {title}" for title in random.sample(titles, each)]
    drawn["summary"] = [f"summarise {title}" for title in random.sample(titles, each)]
    alike = [of_kind for of_kind in kinds.values() if len(of_kind) > 1]
    pairs = [random.sample(of_kind, 2) for of_kind in random.sample(alike, each)]
    drawn["comparison"] = [f"compare {first} and {second}" for first, second in pairs]
    own = defaultdict[str, list[str]](list)
    for one in _read(HERE / "kinds.jsonl"):
        own[one["kind"]].append(one["question"])
    drawn |= {kind: random.sample(asked, each) for kind, asked in own.items()}
    for kind, asked in drawn.items():
        yield from ((kind, question) for question in asked)


def _read(file: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def page(turns: list[tuple[str, str, Turn]], each: int, seed: int) -> Iterator[str]:
    """Yield the lines of the page."""
    yield "# Replies of each kind"
    yield ""
    command = f"python -m lab.benchmarks.replies --each {each} --seed {seed}"
    yield f"Written by `{command}`, with the embedded default; not edited by hand."
    yield "The quotations are from English Wikipedia (CC BY-SA 4.0), from the articles named."
    before = ""
    for kind, question, turn in turns:
        if kind != before:
            yield from ("", f"## {kind.capitalize()}")
            before = kind
        sure = "" if turn.probability is None else f", {turn.probability:.2f}"
        yield from ("", "```text", f"Q: {one_line(question)}", f"   {turn.outcome}{sure}")
        yield from (f"A: {one_line(line)}" for line in turn.answer.splitlines() if line.strip())
        cited = defaultdict[str, str](str)
        for source in turn.sources:  # several citations of one place share a line
            cited[f"{one_line(source.passage.title)}: {one_line(_around(source))}"] += f"[{source.number}]"
        yield from (f"   {numbers} {where}" for where, numbers in cited.items())
        yield "```"


def sheet(turns: list[tuple[str, str, Turn]], count: int, seed: int) -> Iterator[str]:
    """Yield the lines of ``count`` sentences, drawn from those of all replies that cite a passage."""
    cited = [(question, turn, one) for _, question, turn in turns for one in turn.sentences if one.citations]
    drawn = Random(seed).sample(cited, min(count, len(cited)))
    for number, (question, turn, sentence) in enumerate(drawn, start=1):
        yield from (f"{number}. Q: {one_line(question)}", f"   reply marked: {turn.outcome}")
        yield f"   SENTENCE: {one_line(sentence.text)}"
        passages = {one.passage.id: one.passage for one in turn.sources if one.number in sentence.citations}
        yield from (f"   PASSAGE {one_line(one.title)}: {one_line(one.text)}" for one in passages.values())
        yield ""


def _around(source: Source) -> str:
    body, span = source.passage.text, source.span
    start = max(0, (span.start if span else 0) - QUOTED // 2)
    return ("…" if start else "") + body[start : start + QUOTED] + ("…" if len(body) > start + QUOTED else "")


@click.command(help=__doc__.partition("\n")[0])
@click.option("--each", default=10, show_default=True, type=click.IntRange(1, 20), help="Replies of each kind.")
@click.option("--seed", default=0, show_default=True, help="Of the questions.")
@click.option("--sentences", type=click.IntRange(1), help="Instead of the replies, draw so many of their sentences.")
@click.option("--to", type=click.Path(path_type=Path, dir_okay=False), help="The page; default: standard output.")
def main(each: int, seed: int, sentences: int | None, to: Path | None) -> None:
    """Ask the questions and write the page."""
    parts, turns = Parts(Choice(careful="off")), list[tuple[str, str, Turn]]()
    for kind, question in tracked(list(questions(each, seed)), "asking"):
        chain = parts.searchain(Settings(), "default")
        turns.append((kind, question, fold(chain.stream(question))))
    lines = sheet(turns, sentences, seed) if sentences else page(turns, each, seed)
    text = "\n".join(lines) + "\n"
    if to:
        to.write_text(text, encoding="utf-8")
    else:
        click.echo(text, nl=False)


if __name__ == "__main__":
    main()
