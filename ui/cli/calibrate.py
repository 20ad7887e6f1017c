"""The commands ``calibrate`` and ``check-support``."""

import json
from pathlib import Path
from typing import Any

import click

from searchain import console
from searchain.errors import UsageError
from searchain.files.jsonl import read_jsonl
from searchain.files.writing import write_whole
from searchain.safe_text import one_line
from storage.collections import access, ticks
from storage.collections.access import Role
from storage.people.users import LOCAL
from ui.cli import options
from ui.cli.files import writable


@click.command()
@click.option("--collection", metavar="NAME", required=True, help="The collection of own documents, by name or id.")
@options.database
@console.one_line_errors()
def calibrate(collection: str, db: Path | None) -> None:
    """Set the tick of a collection by the replies over it that were judged good or bad."""
    with writable(db) as store:
        one = access.named(store, LOCAL, collection, Role.EDITOR)
        found = ticks.renew(store, one.id)
        click.echo(one_line(f"{one.name}: {ticks.described(found)}"))
        in_force = ticks.threshold(store, one.index)
        if in_force is None:
            click.echo("threshold: that of all own documents")
        else:
            click.echo(f"threshold: {f'{in_force:.3f}' if in_force <= 1 else 'none, no reply bears a tick'}")


@click.command("check-support")
@click.option(
    "--data",
    type=options.FILE,
    metavar="FILE",
    required=True,
    help='Lines (.jsonl or .jsonl.gz) {"id", "claim", "evidence"}; evidence may hold several passages, an '
    "empty line between two.",
)
@click.option(
    "--out", type=options.NEW, metavar="FILE", required=True, help='Where the lines {"id", "label", "score"} go.'
)
@console.one_line_errors()
def check_support(data: Path, out: Path) -> None:
    """Say how far passages support sentences: supported, partial or not_supported."""
    from searchain.reply.support_check import SupportCheck, paragraphs

    claims = read_jsonl(data, _claim, 'claim; wanted: {"id": text, "claim": text, "evidence": text}')
    check, labels = SupportCheck(), dict.fromkeys(("supported", "partial", "not_supported"), 0)
    with write_whole(out) as draft:
        try:
            file = draft.open("w", encoding="utf-8")
        except OSError as error:
            raise UsageError(f"cannot write {str(out)!r}: {error.strerror}; name another --out") from error
        with file:
            for name, claim, evidence in console.tracked(claims, "checking"):
                found = check.judge(claim, paragraphs(evidence))
                label = "not_supported" if found.label == "contradicted" else found.label
                labels[label] += 1
                line = {"id": name, "label": label, "score": round(found.score, 4)}
                file.write(json.dumps(line, ensure_ascii=False) + "\n")
    click.echo(f"{len(claims):,} claims: {', '.join(f'{count:,} {label}' for label, count in labels.items())}")


def _claim(record: dict[str, Any]) -> tuple[str, str, str]:
    """Return the ID, claim and evidence of a line. Raises ``ValueError`` if one is not text."""
    claim = record["id"], record["claim"], record["evidence"]
    if not all(isinstance(part, str) for part in claim):
        raise ValueError("not all texts")
    return claim
