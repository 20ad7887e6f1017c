"""How well texts are checked: sentences over ten small files, an answer with false sentences, and judgements of others.

    python -m lab.benchmarks.check [--report] [--answer] [--speed] [--data DIR --limit N]

``check.jsonl`` beside this file has the files with sentences that are right, contradicted in one value, partly right,
or absent; the part "report" is kept apart, and nothing is fitted to it. With ``--answer`` the answer of ``check-
answer.json`` is checked instead: twenty sentences with citations over five files, six of them false. With ``--speed``
the sentences are checked against the encyclopedia, and its look-ups are timed alone, too. With ``--data`` sentences are
judged by the evidence that comes with them: those that people judged, and claims of FEVER, of the third that teaches
nothing.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from assistant import Assistant
from lab.benchmarks.own_answers import own_assistant, submitted
from lab.training.support_data import first_ones, judged
from searchain.assemble import Choice, Parts
from searchain.events import SentenceBound, Turn, fold
from searchain.reading.lookup import look_up
from searchain.settings import Settings
from searchain.types import Support
from storage.collections import access

FILES, ANSWER = (Path(__file__).with_name(name) for name in ("check.jsonl", "check-answer.json"))
MEASURED = ("expertqa", "wice", "lfqa-verification", "fever")
SIDES = {"supported": "carried", "contradicted": "contradicted"}
"""State → its side; all others are open: not carried, and not denied."""


@click.command(help=__doc__.partition("\n")[0])
@click.option("--report", "is_report", is_flag=True, help="Check the part that is kept apart.")
@click.option("--answer", "is_answer", is_flag=True, help="Check the answer with six false sentences.")
@click.option("--speed", "is_speed", is_flag=True, help="Time a check and its look-ups over the encyclopedia.")
@click.option("--data", type=click.Path(exists=True, file_okay=False, path_type=Path), help="Judge these sentences.")
@click.option("--limit", default=80, help="With --data: sentences of each source; with --speed: of all.")
def main(is_report: bool, is_answer: bool, is_speed: bool, data: Path | None, limit: int) -> None:
    if data is not None:
        by_evidence(data, limit)
    elif is_answer:
        answer()
    elif is_speed:
        speed(limit)
    else:
        own_files("report" if is_report else "tune")


def checked(assistant: Assistant, files: Mapping[str, str], texts: Sequence[str]) -> list[Turn]:
    """Return the turns of ``texts``, checked against a collection of ``files``."""
    collection = access.create(assistant._store, "local", "checked")
    submitted(assistant, collection.id, {name: text.encode() for name, text in files.items()})
    runs = (assistant.check(text, index=collection.index).turn for text in texts)
    return [fold(stored.event for stored in assistant.follow(run)) for run in runs]


def own_files(part: str) -> None:
    rows = [json.loads(line) for line in FILES.read_text().splitlines()]
    asked = [one for row in rows if row["part"] == part for one in row["sentences"]]
    with own_assistant() as assistant:
        (turn,) = checked(
            assistant, {row["file"]: row["text"] for row in rows}, ["\n\n".join(one["text"] for one in asked)]
        )
    confused = Counter((one["state"], found) for one, found in zip(asked, states(turn), strict=True))
    for one, sentence, found in zip(asked, turn.sentences, states(turn), strict=True):
        if side(found) != side(one["state"]):
            click.echo(f"    {one['state']} → {found}: {sentence.text}")
    told(confused)
    searching = sum(1 for hits in turn.hits.values() if hits)
    click.echo(f"{len(turn.sentences)} sentences, {searching} looked up, {turn.usage.seconds:.1f} s")
    click.echo(f"of which look-ups alone {turn.usage.retrieval_seconds:.1f} s")


def answer() -> None:
    stored: dict[str, Any] = json.loads(ANSWER.read_text())
    with own_assistant() as assistant:
        (turn,) = checked(assistant, stored["files"], [stored["answer"]])
    claims = [sentence for sentence in turn.sentences if sentence.support is not Support.OWN]
    for number, sentence in enumerate(claims):
        click.echo(f"{'FALSE' if number in stored['false'] else 'right'} {sentence.support.value:13} {sentence.text}")
    click.echo(turn.message)


def speed(limit: int) -> None:
    rows = [json.loads(line) for line in FILES.read_text().splitlines()]
    texts = [one["text"] for row in rows for one in row["sentences"]][:limit]
    chain = Parts(Choice(careful="off")).searchain(Settings(), "default")
    assert chain.retriever is not None
    assert chain.reader is not None
    assert chain.probability is not None
    look_up(texts[0], chain.retriever, chain.reader, chain.settings.passages, rate=chain.probability.rated)
    begun = time.perf_counter()
    for text in texts:
        look_up(text, chain.retriever, chain.reader, chain.settings.passages, rate=chain.probability.rated)
    alone = time.perf_counter() - begun
    checker = Parts(Choice(careful="off")).checker("default")
    fold(checker.stream(texts[0]))
    begun = time.perf_counter()
    first = 0.0
    for event in checker.stream("\n\n".join(texts)):
        if isinstance(event, SentenceBound) and not first:
            first = time.perf_counter() - begun
    whole = time.perf_counter() - begun
    click.echo(
        f"{len(texts)} look-ups {alone:.1f} s; checked {whole:.1f} s, {whole / alone:.2f} times; first {first:.1f} s"
    )


def by_evidence(data: Path, limit: int) -> None:
    judge = Parts(Choice(careful="off")).checker("default").judging
    confused: dict[str, Counter[tuple[str, str]]] = {source: Counter() for source in MEASURED}
    sentences = [one for one in judged(data) if one.is_kept and one.source in MEASURED]
    begun = time.perf_counter()
    for one in first_ones(sentences, limit):
        confused[one.source][one.label, judge.judge(one.sentence, one.passages).state.value] += 1
    for source, counts in confused.items():
        click.echo(source)
        told(counts)
    people = [balanced(confused[source]) for source in MEASURED[:3]]
    click.echo(f"mean of people's sources {sum(people) / len(people):.3f}, {time.perf_counter() - begun:.0f} s")


def states(turn: Turn) -> list[str]:
    return [sentence.support.value for sentence in turn.sentences]


def side(state: str) -> str:
    return "carried" if state == "quoted" else SIDES.get(state, "open")


def balanced(confused: Mapping[tuple[str, str], int], sides: Sequence[str] = ("carried",)) -> float:
    """Return the mean of the shares found right: of each of ``sides``, and of all sentences of no such side."""
    found = []
    for wanted in (*sides, None):
        own = {pair: n for pair, n in confused.items() if (side(pair[0]) if side(pair[0]) in sides else None) == wanted}
        right = sum(n for (_, said), n in own.items() if (side(said) if side(said) in sides else None) == wanted)
        found.append(right / sum(own.values()))
    return sum(found) / len(found)


def told(confused: Mapping[tuple[str, str], int]) -> None:
    for (wanted, found), count in sorted(confused.items()):
        click.echo(f"  {wanted:13} → {found:13} {count}")
    supported = sum(n for (wanted, _), n in confused.items() if wanted == "supported")
    wrongly = confused.get(("supported", "contradicted"), 0)
    click.echo(f"  carried or not: balanced accuracy {balanced(confused):.3f}")
    if any(wanted == "contradicted" for wanted, _ in confused):
        sides = ("carried", "contradicted") if any(side(w) == "open" for w, _ in confused) else ("contradicted",)
        click.echo(f"  {' / '.join(sides)} / other: balanced accuracy {balanced(confused, sides):.3f}")
    click.echo(f"  right ones called contradicted: {wrongly} of {supported}")


if __name__ == "__main__":
    main()
