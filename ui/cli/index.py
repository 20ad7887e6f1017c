"""The commands ``index`` and ``serve``."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, get_args

import click

from searchain import console
from searchain.errors import UsageError
from searchain.retrieval.parts import SHARD
from searchain.retrieval.readers import Format
from searchain.safe_text import one_line
from ui.cli import options

if TYPE_CHECKING:
    from lab.scale.serving import Served
    from searchain.retrieval.extensions import Progress
    from searchain.retrieval.indexes import Builder, Built

SHOWN = 10
"""Skipped lines that are shown; the rest is counted."""


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
    show_default=True,
    help="ColBERT checkpoint: embedded, a local directory, or a name on the Hugging Face hub.",
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(get_args(Format)),
    default="auto",
    show_default=True,
    help="How the files are read; auto goes by the ending and the first line.",
)
@click.option(
    "--shard-size",
    type=click.IntRange(1),
    default=SHARD,
    show_default=True,
    metavar="N",
    help="Passages that are encoded and compressed at a time; more than so many become several shards.",
)
@options.ray("Encode and compress in")
def build(
    sources: tuple[str, ...], name: str, checkpoint: str, format_: Format, shard_size: int, ray: str | None
) -> None:
    """Index the passages of SOURCE… as NAME.

    An index of that name is replaced when the new one is complete. A build that was stopped goes on when it is run
    again.
    """
    from searchain.retrieval import indexes

    with console.stages() as progress, _builder(ray, progress) as builder:
        built = indexes.build_index(
            name,
            sources,
            checkpoint=checkpoint,
            format=format_,
            shard_size=shard_size,
            builder=builder,
            progress=progress,
        )
    _report(built, "built" if built.is_new else "is up to date")


def _builder(ray: str | None, progress: Progress) -> AbstractContextManager[Builder | None]:
    """Who builds: the cluster that ``--ray`` names; ``None`` stands for this process."""
    if ray is None:
        return nullcontext()
    from lab.scale import cluster

    cluster.check(ray)
    from lab.scale.building import building

    return building(ray, progress)


@index.command("from-dataset")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--name", required=True, help="Name of the index: 1 to 64 of a-z 0-9 _ -")
def from_dataset(file: Path, name: str) -> None:
    """Index the paragraphs of a data set FILE.

    It is one of HotpotQA, 2WikiMultihopQA or MuSiQue, which bring paragraphs with their questions.

    This is a closed corpus: what a question needs is always there, among few other paragraphs.
    """
    from lab.evaluation import datasets
    from searchain.retrieval import indexes, registry

    registry.check_name(name)
    with TemporaryDirectory() as folder, console.stages() as progress:
        passages = Path(folder) / f"{name}.jsonl"
        with passages.open("w", encoding="utf-8") as lines:
            for one in datasets.passages(file):
                line = {"id": one.id, "title": one.title, "text": one.text}
                lines.write(json.dumps(line, ensure_ascii=False) + "\n")
        built = indexes.build_index(name, [passages], progress=progress)
    _report(built, "built" if built.is_new else "is up to date")


@index.command()
@click.argument("name")
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE…")
def add(name: str, sources: tuple[str, ...]) -> None:
    """Add the passages of SOURCE… to the index NAME."""
    from searchain.retrieval import indexes

    with console.stages() as progress:
        built = indexes.add_passages(name, sources, progress=progress)
    _report(built, f"has {built.added:,} more" if built.is_new else "has all of them already")


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
@click.option("--yes", is_flag=True, help="Do not ask.")
def remove(name: str, yes: bool) -> None:
    """Remove the index NAME. The files it was built from are not touched."""
    from searchain.retrieval import indexes

    if not yes:
        known = indexes.get(name)
        click.confirm(f"Remove index {name!r} with {known.passages:,} passages?", abort=True, err=True)
    indexes.remove_index(name)
    click.echo(f"index {name!r} removed")


@click.command()
@click.option("--retriever", is_flag=True, expose_value=False, help="Serve the search of an index; the default.")
@click.option("--index", "name", default="default", show_default=True, help="The index to search.")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65_535), default=8893, show_default=True, help="0 takes a free one.")
@click.option(
    "--public", is_flag=True, help="Allow a --host beyond this machine; whoever reaches it can use what is served."
)
@options.ray("Search the shards of the index, read and write in")
@click.option(
    "--replicas",
    type=click.IntRange(1),
    metavar="N",
    help="With --ray: how many processes each shard, the search, the Reader and the model have; default: 1.",
)
@click.option("--search-only", is_flag=True, help="With --ray: serve no Reader and no language model.")
def serve(
    name: str, host: str, port: int, public: bool, ray: str | None, replicas: int | None, search_only: bool
) -> None:
    """Serve an index to other processes.

    It speaks the protocol of ColBERT's own server: GET /api/search?query=…&k=… With --ray, the same address also serves
    the Reader (--reader URL) and the embedded language model (--base-url URL/v1).
    """
    from searchain.retrieval import indexes, server

    if host not in server.LOOPBACK and not public:
        raise UsageError(f"host {host!r} can be reached from other machines; add --public if that is meant")
    if ray is None and (replicas is not None or search_only):
        raise UsageError("--replicas and --search-only are for --ray")
    if ray is None:
        opened = indexes.open_index(name)
        server.serve(opened, host=host, port=port, is_public=public, on_start=_said(name, len(opened)))
        return
    with _in_cluster(ray, name, replicas or 1, search_only) as served:
        server.serve(
            served.retriever,
            host=host,
            port=port,
            is_public=public,
            beside=served.routes,
            on_start=_said(name, len(served.retriever), also=served.routes is not None),
        )


def _said(name: str, passages: int, *, also: bool = False) -> Callable[[str], None]:
    """Says where the index is served; ``also``: and the Reader and the language model."""

    def say(url: str) -> None:
        click.echo(f"index {name!r} ({passages:,} passages) at {url}")
        if also:
            click.echo(f"for chat: --retriever {url} --reader {url} --base-url {url}/v1")

    return say


@contextmanager
def _in_cluster(ray: str, name: str, replicas: int, is_search_only: bool) -> Iterator[Served]:
    """The index ``name`` in the cluster ``ray``, until the server ends or the process gets SIGTERM."""
    from lab.scale import cluster

    cluster.check(ray)
    from lab.scale.serving import serving

    click.echo(f"starting the search of index {name!r} in the cluster", err=True)
    with serving(ray, name, replicas, is_search_only=is_search_only) as served:
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # what was started in the cluster ends as well
        for one in served.retriever.deployments():
            click.echo(f"{one.name}: {one.status}", err=True)
        yield served


def _report(built: Built, what: str) -> None:
    for line in built.skipped[:SHOWN]:
        where = f"{line.source} line {line.line}" if line.line else line.source
        click.echo(one_line(f"skipped: {where}: {line.reason}"), err=True)
    if len(built.skipped) > SHOWN:
        click.echo(f"skipped: {len(built.skipped) - SHOWN:,} more", err=True)
    click.echo(
        f"index {built.index.name!r} {what}: {built.index.passages:,} passages"
        + (f" in {len(built.index.shards)} shards" if built.index.shards else "")
        + (f", {len(built.skipped):,} skipped" if built.skipped else "")
    )
