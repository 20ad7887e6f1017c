"""The commands ``index`` and ``serve``."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, get_args

import click

from searchain import console
from searchain.errors import SetupError, UsageError
from searchain.files.checkout import SET_UP
from searchain.retrieval.corpus import DEFAULT, Format
from searchain.retrieval.parts import SHARD
from searchain.safe_text import one_line
from ui.cli import options
from ui.cli.files import confirm

if TYPE_CHECKING:
    from searchain.retrieval.base import Progress
    from searchain.retrieval.indexes import Builder, Built

SHOWN = 10
"""The most skipped lines that are shown; the others are counted."""


@click.group()
def index() -> None:
    """Build, list, extend and remove passage indexes.

    A SOURCE is a file (.jsonl, .tsv, .txt, .md, each also with .gz), a directory of such files, or the word "default"
    for the embedded corpus. A line of JSON is {"id", "title", "text"[, "url"]}; a line of TSV is pid, text[, title].

    Dumps are read page by page, also with .gz, .bz2 or .xz: KILT's knowledge source, a CirrusSearch export, MediaWiki's
    XML, the passages of DPR (psgs_w100.tsv) and ColBERT's collection.tsv.
    """


@index.command()
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE…")
@click.option("--name", required=True, help="Name of the index: 1 to 64 of a-z 0-9 _ -")
@click.option(
    "--checkpoint",
    default="embedded",
    help="ColBERT checkpoint: embedded, a local directory, or a name on the Hugging Face hub.",
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(get_args(Format)),
    default="auto",
    help="How the files are read; auto goes by the ending and the first line.",
)
@click.option(
    "--shard-size",
    type=click.IntRange(1),
    default=SHARD,
    metavar="N",
    help="Passages that are encoded and compressed at a time; more than so many become several shards.",
)
def build(sources: tuple[str, ...], name: str, checkpoint: str, format_: Format, shard_size: int) -> None:
    """Index the passages of SOURCE… as NAME.

    An index of that name is replaced when the new one is complete. A build that was stopped goes on when it is run
    again.
    """
    with console.stages() as progress:
        build_with(None, progress, sources, name, checkpoint, format_, shard_size)


def build_with(
    builder: Builder | None,
    progress: Progress,
    sources: tuple[str, ...],
    name: str,
    checkpoint: str,
    format_: Format,
    shard_size: int,
) -> None:
    """Build an index and report the result; without a ``builder``, build in this process."""
    from searchain.retrieval import indexes

    built = indexes.build_index(
        name, sources, checkpoint=checkpoint, format=format_, shard_size=shard_size, builder=builder, progress=progress
    )
    report(built, "built" if built.is_new else "is up to date")


@index.command()
@click.argument("name")
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE…")
def add(name: str, sources: tuple[str, ...]) -> None:
    """Add the passages of SOURCE… to the index NAME."""
    from searchain.retrieval import indexes

    with console.stages() as progress:
        built = indexes.add_passages(name, sources, progress=progress)
    report(built, f"has {built.added:,} more" if built.is_new else "has all of them already")


@index.command("list")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def list_(as_json: bool) -> None:
    """List the indexes; `documents list` lists own documents."""
    from searchain.retrieval import indexes
    from searchain.types import is_own

    for known in indexes.list_indexes():
        if is_own(known.name):
            continue
        if as_json:
            click.echo(json.dumps(asdict(known)))
        else:
            click.echo(
                f"{known.name}: {known.passages:,} passages from {one_line(', '.join(known.sources))}; "
                f"checkpoint {one_line(known.checkpoint)}; {known.created}"
            )


@index.command()
@click.argument("name")
@options.yes
def remove(name: str, yes: bool) -> None:
    """Remove the index NAME. The files it was built from are not touched."""
    from searchain.retrieval import indexes

    confirm(f"Remove index {name!r} with {indexes.get(name).passages:,} passages?", yes)
    indexes.remove_index(name)
    click.echo(f"index {name!r} removed")


@click.command()
@click.option("--retriever", is_flag=True, expose_value=False, help="Serve the search of an index; the default.")
@click.option("--index", "name", default="default", help="The index to search.")
@click.option("--host", default="127.0.0.1", help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65_535), default=8893, help="0 takes a free one.")
@click.option(
    "--public", is_flag=True, help="Allow a --host beyond this machine; whoever reaches it can use what is served."
)
def serve(name: str, host: str, port: int, public: bool) -> None:
    """Serve an index to other processes.

    It speaks the protocol of ColBERT's own server: GET /api/search?query=…&k=…
    """
    from searchain.retrieval import indexes, server

    check_host(host, is_public=public)
    opened = indexes.open_index(name)
    if name == DEFAULT and name in opened.by_words:
        raise SetupError("the index of the embedded corpus is not built yet", hint=f"run: {SET_UP}")
    server.serve(opened, host=host, port=port, is_public=public, on_start=said(name, len(opened)))


def check_host(host: str, *, is_public: bool) -> None:
    """Raise ``UsageError`` if other machines can reach ``host`` but ``is_public`` is not set."""
    from searchain.retrieval import server

    if host not in server.LOOPBACK and not is_public:
        raise UsageError(f"host {host!r} can be reached from other machines; add --public if that is meant")


def said(name: str, passages: int, *, also: bool = False) -> Callable[[str], None]:
    """Return a function that prints the index's URL; with ``also``, also for its Reader and language model."""

    def say(url: str) -> None:
        click.echo(f"index {name!r} ({passages:,} passages) at {url}")
        if also:
            click.echo(f"for chat: --retriever {url} --reader {url} --base-url {url}/v1")

    return say


def report(built: Built, what: str) -> None:
    for line in built.skipped[:SHOWN]:
        where = f"{line.source} line {line.line}" if line.line else line.source
        click.echo(one_line(f"skipped: {where}: {line.reason}"), err=True)
    if len(built.skipped) > SHOWN:
        click.echo(f"skipped: {len(built.skipped) - SHOWN:,} more", err=True)
    shards = f" in {len(built.index.shards)} shards" if built.index.shards else ""
    skipped = f", {len(built.skipped):,} skipped" if built.skipped else ""
    click.echo(f"index {built.index.name!r} {what}: {built.index.passages:,} passages{shards}{skipped}")
