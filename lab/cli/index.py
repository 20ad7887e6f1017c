"""The commands ``index`` and ``serve`` of the product, which also use a cluster and data sets here."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from lab.cli.options import ray as ray_option
from searchain import console
from searchain.errors import UsageError
from ui.cli import index as own

if TYPE_CHECKING:
    from lab.scale.serving import Served

index = click.Group("index", commands=dict(own.index.commands), help=own.index.help)


@index.command(params=[*own.build.params], help=own.build.help)
@ray_option("Encode and compress in")
@click.pass_context
def build(context: click.Context, ray: str | None, **named: Any) -> None:
    if ray is None:
        context.invoke(own.build, **named)
        return
    from lab.scale import cluster

    cluster.check(ray)
    from lab.scale.building import building

    with console.stages() as progress, building(ray, progress) as builder:
        own.build_with(builder, progress, **named)


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
    own.report(built, "built" if built.is_new else "is up to date")


@click.command(params=[*own.serve.params])
@ray_option("Search the shards of the index, read and write in")
@click.option(
    "--replicas",
    type=click.IntRange(1),
    metavar="N",
    help="With --ray: how many processes each shard, the search, the Reader and the model have; default: 1.",
)
@click.option("--search-only", is_flag=True, help="With --ray: serve no Reader and no language model.")
@click.pass_context
def serve(context: click.Context, ray: str | None, replicas: int | None, search_only: bool, **named: Any) -> None:
    """Serve an index to other processes.

    It speaks the protocol of ColBERT's own server: GET /api/search?query=…&k=… With --ray, the same address also serves
    the Reader (--reader URL) and the embedded language model (--base-url URL/v1).
    """
    if ray is not None:
        _serve_cluster(ray, replicas or 1, search_only, **named)
    elif replicas is not None or search_only:
        raise UsageError("--replicas and --search-only are for --ray")
    else:
        context.invoke(own.serve, **named)


def _serve_cluster(
    ray: str, replicas: int, is_search_only: bool, *, name: str, host: str, port: int, public: bool
) -> None:
    from searchain.retrieval import server

    own.check_host(host, is_public=public)
    with _in_cluster(ray, name, replicas, is_search_only) as served:
        server.serve(
            served.retriever,
            host=host,
            port=port,
            is_public=public,
            beside=served.routes,
            on_start=own.said(name, len(served.retriever), also=served.routes is not None),
        )


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
