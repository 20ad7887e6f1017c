"""Compare one model alone, in plain RAG and in SearChain, question by question: ``python -m lab.worth``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from lab.evaluation.outfile import read_lines
from lab.worth.asking import METHODS, SYSTEMS, answering, ask_all
from lab.worth.parts import opened_model, opened_parts
from lab.worth.questions import KINDS, questions
from lab.worth.table import table
from searchain.reply.support_check import SupportCheck

DATA, OUT = Path("../shared/data"), Path("build/worth")


@click.command()
@click.option("--base-url", metavar="URL", help="Address of a model's server; default: the careful model, served here.")
@click.option("--model", metavar="NAME", help="The model at --base-url; OPENAI_API_KEY is its key.")
@click.option("--system", "systems", multiple=True, type=click.Choice(SYSTEMS), help="Ask only these; default: all.")
@click.option("--only", multiple=True, type=click.Choice(KINDS), help="Ask only questions of these kinds.")
@click.option(
    "--limit", type=click.IntRange(0), metavar="N", help="So many questions, of all kinds; 0: only the table."
)
@click.option("--label", metavar="WORD", help="Keep the answers of SearChain under this name too, such as: before.")
@click.option("--data", type=click.Path(path_type=Path), default=DATA, show_default=True, help="Folder of the data.")
@click.option("--out", type=click.Path(path_type=Path), default=OUT, show_default=True, help="Folder of the answers.")
def main(
    base_url: str | None,
    model: str | None,
    systems: Sequence[str],
    only: Sequence[str],
    limit: int | None,
    label: str | None,
    data: Path,
    out: Path,
) -> None:
    """Compare one model alone, in plain RAG and in SearChain, question by question.

    May be stopped and run again: it goes on after the last answer. The table is written to table.md in --out.
    """
    asked = questions(data, only, limit)
    if asked:
        with opened_model(base_url, model) as served, opened_parts(served, asked) as (parts, indexes):
            files = {name: out / f"{_name(name, label)}.jsonl" for name in SYSTEMS if name in systems or not systems}
            answerers = {name: (path, answering(name, served, parts, indexes)) for name, path in files.items()}
            ask_all(asked, answerers, served.name, SupportCheck())
    written = table({path.stem: read_lines(path) for path in sorted(out.glob("*.jsonl"), key=_place)})
    (out / "table.md").write_text(written, encoding="utf-8")
    click.echo(written)


def _name(system: str, label: str | None) -> str:
    return f"{system} {label}" if label and system in METHODS else system


def _place(path: Path) -> tuple[int, str]:
    """Return where the answers of a file stand in the table."""
    return SYSTEMS.index(path.stem.partition(" ")[0]), path.stem


if __name__ == "__main__":
    main()
