"""Out files → one page of Markdown: scores, comparisons, verdicts, errors by stage, and transcripts drawn by a seed.

Usage:
    python -m lab.evaluation.report searchain-multihop.jsonl direct-multihop.jsonl … --to docs/scores.md
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote

import click

from lab.evaluation import analysis
from lab.evaluation.outfile import read_lines
from lab.evaluation.summary import SCORES, VERDICTS, Line, interval, summarise, with_interval
from lab.evaluation.transcripts import transcript
from lab.evaluation.trust import BY_CHANCE, NAMES, chance_text, figure_text, trust
from searchain.console import one_line_errors
from searchain.errors import UsageError
from searchain.safe_text import escape

INTRODUCTION = """\
# Evaluation

Written by `python -m lab.evaluation.report`; not to be edited by hand. The commands that gave these answers, with
the scores that are expected of them, are printed by `python -m lab.evaluation.expected`.

Scores are in percent, with 95 % bootstrap intervals over the questions. `cover_em`: a right answer occurs, at token
boundaries, in the short answer, which has at most 12 words; a label (yes, no, SUPPORTS, REFUTES) must be equal.
`cover_em_reply`: it occurs anywhere in the reply. `f1`: of the short answer's tokens. `rouge_l`: F of the reply.
`recall_k`: supporting titles among the first k passages of any search of the run. `citation_precision` and
`citation_recall`: by the automatic support check. Seconds are those of the machine that ran them."""
COUNTS = ("nodes", "rounds", "llm_calls", "completion_tokens")


PICTURES = ("reliability", "risk-coverage")
"""What ``eval`` draws beside its out file: ``OUT.reliability.svg`` …"""


def report(files: Sequence[Sequence[Line]], transcripts: int, seed: int, pictures: Sequence[str] = ()) -> Iterator[str]:
    """The page as blocks of Markdown; ``files`` are the lines of out files, the transcripts are of the first.

    ``pictures`` are the names of SVG files beside the page.
    """
    summaries = [{"run": lines[0]["run"], **summarise(lines, seed), **trust(lines, seed)} for lines in files]
    yield INTRODUCTION
    yield "## Scores"
    yield "\n".join(_scores(summaries))
    if differences := list(_differences(files, seed)):
        yield "## Compared on the same questions"
        yield "\n".join(_table(("data", "system", "questions", "cover_em, minus the first system's"), differences))
    if measured := [summary for summary in summaries if "trust" in summary]:
        yield "## Whether the tick can be believed"
        yield "\n".join(_trust(measured))
        yield from (f"![{escape(name)}]({quote(name)})" for name in pictures)
    yield "## By type of question"
    yield "\n".join(_types(summaries))
    yield "## Verdicts and costs"
    yield "Verdicts are those of the steps on the path, in percent; the other figures are means per question."
    yield "\n".join(_verdicts(summaries))
    yield "## Where wrong answers went wrong"
    yield "Wrong answers by the stage that explains them; `lab/evaluation/analysis.py` defines the stages."
    yield "\n".join(_errors(files, summaries))
    first, run = files[0], summaries[0]["run"]
    drawn = sorted(Random(seed).sample(range(len(first)), min(transcripts, len(first))))
    yield f"## {len(drawn)} transcripts"
    yield (
        f"Drawn with seed {seed} from the {len(first)} answers of `{run['system']}` on `{run['data']}`. Passages "
        f"are quoted from English Wikipedia (CC BY-SA); questions: {_licenses(first)}."
    )
    for place in drawn:
        yield "\n".join(_fenced(transcript(first[place])))


def _scores(summaries: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    names = [name for name in SCORES if any(summary["scores"][name] for summary in summaries)]
    rows = [
        (*_named(summary), str(summary["questions"]), *(with_interval(summary["scores"][name]) for name in names))
        for summary in summaries
    ]
    yield from _table(("data", "system", "model", "questions", *names), rows)


def _differences(files: Sequence[Sequence[Line]], seed: int) -> Iterator[tuple[str, ...]]:
    """For every further system on the same data: how much it is above or below the first, question by question."""
    firsts: dict[str, Sequence[Line]] = {}
    for lines in files:
        run = lines[0]["run"]
        first = firsts.setdefault(run["data"], lines)
        before = {line["id"]: line["cover_em"] for line in first}
        gains = [line["cover_em"] - before[line["id"]] for line in lines if line["id"] in before]
        if first is not lines and gains:
            low, high = interval(gains, seed)
            yield (
                escape(run["data"]),
                escape(run["system"]),
                str(len(gains)),
                f"{100 * sum(gains) / len(gains):+.1f} [{100 * low:+.1f}, {100 * high:+.1f}]",
            )


def _types(summaries: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    names = ("cover_em", "f1", "rouge_l", "recall_5")
    rows = [
        (
            *_named(summary)[:2],
            escape(kind) or "–",
            str(of["questions"]),
            *(with_interval(of["scores"][name]) for name in names),
        )
        for summary in summaries
        for kind, of in summary["types"].items()
    ]
    yield from _table(("data", "system", "type", "questions", *names), rows)


def _verdicts(summaries: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    rows = [
        (
            *_named(summary)[:2],
            *(f"{summary['verdicts'][name]:.1f}" for name in VERDICTS),
            *(f"{summary['per_question'][name]:.1f}" for name in COUNTS),
            f"{summary['seconds']['p50']:.1f}",
            f"{summary['seconds']['p95']:.1f}",
        )
        for summary in summaries
    ]
    counts = (name.replace("_", " ") for name in COUNTS)
    yield from _table(("data", "system", *VERDICTS, *counts, "s p50", "s p95"), rows)


def _errors(files: Sequence[Sequence[Line]], summaries: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    rows = []
    for lines, summary in zip(files, summaries, strict=True):
        found = analysis.analyse(lines)
        rows.append(
            (
                *_named(summary)[:2],
                f"{found.errors} of {found.questions}",
                *(str(len(found.wrong[stage])) for stage in analysis.STAGES),
            )
        )
    yield from _table(("data", "system", "wrong", *analysis.STAGES), rows)


def _trust(summaries: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    head = ("figure", *(" · ".join(_named(summary)[:2]) for summary in summaries))
    rows = [(words, *(figure_text(name, summary["trust"]) for summary in summaries)) for name, words in NAMES.items()]
    if any(summary["trust"]["ece_by_chance"] for summary in summaries):
        rows.append((BY_CHANCE.strip(), *(chance_text(summary["trust"]) for summary in summaries)))
    yield from _table(head, rows)


def _licenses(lines: Sequence[Line]) -> str:
    return ", ".join(sorted({line["license"] or "no licence stated" for line in lines}))


def _named(summary: Mapping[str, Any]) -> tuple[str, str, str]:
    run = summary["run"]
    return escape(run["data"]), escape(run["system"]), escape(run["model"])


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield _row(head)
    yield _row(["---"] * len(head))
    yield from map(_row, rows)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _fenced(lines: Iterator[str]) -> Iterator[str]:
    """Untrusted lines as a code block, whose fence is longer than any in them."""
    body = list(lines)
    longest = max((len(run) for line in body for run in line.split() if set(run) == {"`"}), default=0)
    fence = "`" * max(3, longest + 1)
    yield from (f"{fence}text", *body, fence)


@click.command(help=__doc__.partition("\n")[0])
@click.argument(
    "outs", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="OUT…"
)
@click.option(
    "--to",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Where the page goes; default: standard output.",
)
@click.option(
    "--transcripts", default=10, show_default=True, type=click.IntRange(0), help="How many, of the first OUT."
)
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0), help="Of transcripts and intervals.")
@one_line_errors()
def main(outs: tuple[Path, ...], to: Path | None, transcripts: int, seed: int) -> None:
    files = [read_lines(path) for path in outs]
    if empty := [path for path, lines in zip(outs, files, strict=True) if not lines]:
        raise UsageError(f"{str(empty[0])!r} holds no answers; run its eval first")
    drawn = [path for out in outs for name in PICTURES if (path := out.with_suffix(f".{name}.svg")).is_file()]
    page = "\n\n".join(report(files, transcripts, seed, [path.name for path in drawn])) + "\n"
    if to:
        for path in drawn:
            (to.parent / path.name).write_bytes(path.read_bytes())
        to.write_text(page, encoding="utf-8")
    else:
        click.echo(page, nl=False)


if __name__ == "__main__":
    main()
