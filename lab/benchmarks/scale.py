"""What large indexes take: disk, memory and CPU by the number of passages, workers and shards of Ray.

    python -m lab.benchmarks.scale table [--copies 1 --copies 10 --copies 100]
    python -m lab.benchmarks.scale memory [--rows 100000 --rows 1000000] [--shard-size 50000]
    python -m lab.benchmarks.scale assignment [--centroids 8192]
    python -m lab.benchmarks.scale workers [--passages 512]
    python -m lab.benchmarks.scale search [--passages 600] [--queries 200]

``table`` measures and computes the table of docs/scale.md. ``memory`` builds indexes of a generated file of DPR's form,
each in a process of its own and with a hash of each word in the place of ColBERT's vectors. ``workers`` builds the same
index on a local Ray cluster with one worker and with two, and beside it runs the encoding in one and in two plain
processes: the most that this machine can gain. ``search`` serves an index of three shards from a local Ray cluster and
compares each search with that of the whole index here.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from zlib import crc32

import click
import torch

from lab.benchmarks import scale_table
from tests.support.dumps import write_dump

WORDS = 65_536
"""Different vectors of the hash encoder."""
VECTORS = 65_536
"""Vectors that are assigned to centroids."""


class HashEncoder:
    """Stands in for ColBERT: each word is a random vector, the same one everywhere."""

    def __init__(self, tokens: int = 2) -> None:
        """``tokens``: how many words of a passage count, from its end."""
        self._tokens = tokens
        random = torch.randn(WORDS, 128, generator=torch.Generator().manual_seed(0))
        self._vectors = torch.nn.functional.normalize(random, dim=-1).half()

    def encode_passages(self, texts: Sequence[str]) -> tuple[torch.Tensor, list[int]]:
        words = [[crc32(word) % WORDS for word in text.encode().split()[-self._tokens :]] for text in texts]
        return self._vectors[torch.tensor([word for row in words for word in row])], [len(row) for row in words]


@click.group(help=__doc__.partition("\n")[0])
def main() -> None:
    pass


@main.command()
@click.option("--rows", multiple=True, type=int, default=(100_000, 1_000_000), show_default=True, help="Passages.")
@click.option("--shard-size", default=50_000, show_default=True, help="Passages of a shard.")
def memory(rows: tuple[int, ...], shard_size: int) -> None:
    """Peak memory of building an index, by the number of its passages."""
    click.echo(
        f"{'rows':>10}{'shards':>8}{'wall s':>8}{'CPU s':>8}{'peak MB':>9}   (shards of {shard_size:,}, hash encoder)"
    )
    first = 0.0
    for number in rows:
        with tempfile.TemporaryDirectory() as folder:
            path = write_dump(Path(folder), "dpr", number)
            found = json.loads(build_apart(path, shard_size, Path(folder) / "home").communicate()[0])
        first = first or found["peak"]
        click.echo(
            f"{number:10,}{found['shards']:8}{found['wall']:8.0f}{found['cpu']:8.0f}{found['peak']:9.0f}"
            f"   {100 * (found['peak'] / first - 1):+.1f} %"
        )


def build_apart(path: Path, shard_size: int, home: Path) -> subprocess.Popen[str]:
    """Build the index ``large`` of ``path`` with the hash encoder in a process of its own; it prints what that took."""
    command = [sys.executable, "-m", "lab.benchmarks.scale", "one", str(path), "--shard-size", str(shard_size)]
    environment = os.environ | {"SEARCHAIN_HOME": str(home), "OMP_NUM_THREADS": "1"}
    return subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True)


@main.command(hidden=True)
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--shard-size", type=int, required=True)
def one(path: Path, shard_size: int) -> None:
    """Build one index here, with the hash encoder."""
    from searchain.retrieval import checkpoint, encoder, indexes

    hashing = HashEncoder()
    vars(checkpoint).update(find=lambda name: path.parent, fingerprint=lambda directory: "hash")
    vars(encoder).update(shared_encoder=lambda directory: hashing)
    torch.set_num_threads(1)
    peak, is_over, started = [_private()], threading.Event(), time.monotonic()

    def watch() -> None:
        while not is_over.wait(0.02):
            peak[0] = max(peak[0], _private())

    watching = threading.Thread(target=watch)
    watching.start()
    built = indexes.build_index("large", [path], shard_size=shard_size)
    is_over.set()
    watching.join()
    said = {"shards": len(built.index.parts), "wall": time.monotonic() - started, "cpu": time.process_time()}
    click.echo(json.dumps(said | {"peak": peak[0] / 1e6}))


def _private() -> int:
    """Bytes of memory of this process that are not files, which the system can write out."""
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("RssAnon"))
    return int(line.split()[1]) * 1_024


@main.command()
@click.option("--centroids", default=8_192, show_default=True)
def assignment(centroids: int) -> None:
    """Assigning vectors to centroids, on one core: in float32, and in bfloat16 with the four best looked at again."""
    for name, flops, same in assigned(centroids):
        click.echo(f"{name:32}{flops / 1e9:7.1f} GFLOP/s   {same:.2f} % of the codes as in float32")


def assigned(centroids: int) -> Iterator[tuple[str, float, float]]:
    """Ways of assigning: name, operations a CPU-second, and how many per cent of the codes are those of float32."""
    torch.set_num_threads(1)
    torch.manual_seed(0)
    centres = torch.nn.functional.normalize(torch.randn(centroids, 128), dim=-1)
    noise = torch.nn.functional.normalize(torch.randn(VECTORS, 128), dim=-1)
    vectors = torch.nn.functional.normalize(
        centres[torch.randint(0, centroids, (VECTORS,))] + 1.5 * noise, dim=-1
    ).half()
    short = centres.bfloat16()

    def exact(batch: torch.Tensor) -> torch.Tensor:
        return (batch.float() @ centres.T).argmax(1)

    def rounded(batch: torch.Tensor) -> torch.Tensor:
        return (batch.bfloat16() @ short.T).argmax(1)

    def again(batch: torch.Tensor) -> torch.Tensor:
        best = (batch.bfloat16() @ short.T).topk(4, dim=1).indices
        return best.gather(1, torch.einsum("nd,nkd->nk", batch.float(), centres[best]).argmax(1, keepdim=True))[:, 0]

    reference = torch.cat([exact(batch) for batch in vectors.split(1_024)])
    for name, assign in (("float32", exact), ("bfloat16", rounded), ("bfloat16, four best in float32", again)):
        times = []
        for _ in range(3):
            started = time.process_time()
            codes = torch.cat([assign(batch) for batch in vectors.split(1_024)])
            times.append(time.process_time() - started)
        same = 100 * float((codes == reference).float().mean())
        yield name, 2 * 128 * VECTORS * centroids / min(times), same


@main.command()
@click.option(
    "--passages", default=512, show_default=True, help="Of the embedded corpus; they are cut into shards of 64."
)
def workers(passages: int) -> None:
    """Wall time of one and of two workers on a local Ray cluster, beside that of one and two plain processes."""
    from lab.scale import cluster
    from searchain.retrieval import checkpoint, indexes
    from searchain.retrieval.corpus import default_corpus, to_line

    cluster.check(cluster.LOCAL)  # before Ray is imported
    from lab.scale.building import building

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "corpus.jsonl"
        path.write_text("".join(to_line(passage) for passage in default_corpus()[:passages]))
        checkpoint.find(checkpoint.EMBEDDED)
        of_ray: list[float] = []
        of_plain: list[float] = []
        for count in (1, 2):
            name = f"scale-benchmark-{os.getpid()}-{count}"
            with building("local", workers=count) as builder:
                builder.warm(checkpoint.find(checkpoint.EMBEDDED))
                started = time.monotonic()
                try:
                    indexes.build_index(name, [path], shard_size=64, builder=builder)
                    wall = time.monotonic() - started
                finally:
                    indexes.remove_index(name)
            of_ray.append(wall)
            click.echo(f"Ray, {count} workers: {wall:.1f} s")
        code = (
            "import sys, time, torch; torch.set_num_threads(1); from searchain.retrieval import checkpoint; "
            "from searchain.retrieval.corpus import Reading; from searchain.retrieval.encoder import shared_encoder, "
            "encoded_text; e = shared_encoder(checkpoint.find('embedded')); p = [*Reading([sys.argv[1]])]; "
            "print(flush=True); sys.stdin.readline(); "
            "[e.encode_passages([encoded_text(x) for x in p[i:i + 64]]) "
            "for i in range(64 * int(sys.argv[2]), len(p), 64 * int(sys.argv[3]))]"
        )
        for count in (1, 2):
            running = [
                subprocess.Popen(
                    [sys.executable, "-c", code, str(path), str(place), str(count)],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    env=os.environ | {"OMP_NUM_THREADS": "1"},
                    text=True,
                )
                for place in range(count)
            ]
            for process in running:
                assert process.stdout is not None
                process.stdout.readline()
            started = time.monotonic()
            for process in running:
                assert process.stdin is not None
                process.stdin.write("\n")
                process.stdin.flush()
            for process in running:
                process.wait()
            of_plain.append(time.monotonic() - started)
            click.echo(f"{count} plain processes, encoding alone: {of_plain[-1]:.1f} s")
        gained, most = of_ray[0] / of_ray[1], of_plain[0] / of_plain[1]
        click.echo(
            f"two workers: {gained:.2f} times as fast; two plain processes: {most:.2f}; {gained / most:.2f} of it"
        )


@main.command()
@click.option("--passages", default=600, show_default=True, help="Of the embedded corpus, in three shards.")
@click.option("--queries", default=200, show_default=True, help="Searches of each kind.")
def search(passages: int, queries: int) -> None:
    """Time of a search through three shards on a local Ray cluster, beside the search of the same parts here."""
    from lab.scale import cluster
    from searchain.retrieval import indexes
    from searchain.retrieval.base import Retriever
    from searchain.retrieval.corpus import default_corpus, to_line

    cluster.check(cluster.LOCAL)  # before Ray is imported
    from lab.scale.serving import serving

    corpus = default_corpus()[:passages]
    asked = [f"What is known of {passage.title or passage.id}?" for passage in (corpus * queries)[:queries]]
    name = f"scale-benchmark-{os.getpid()}"

    found: list[list[list[str]]] = [[], []]
    taken: list[list[float]] = [[], []]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "corpus.jsonl"
        path.write_text("".join(to_line(passage) for passage in corpus))
        try:
            indexes.build_index(name, [path], shard_size=-(-passages // 3))
            with serving("local", name, is_search_only=True) as served:
                both: tuple[Retriever, Retriever] = indexes.open_index(name), served.retriever
                for retriever in both:
                    retriever.search("warm", 10)
                for query in asked:  # by turns, so that other work on the machine slows both
                    for number, retriever in enumerate(both):
                        started = time.perf_counter()
                        hits = retriever.search(query, 10)
                        taken[number].append(1_000 * (time.perf_counter() - started))
                        found[number].append([hit.passage.id for hit in hits])
        finally:
            indexes.remove_index(name)
    middle = []
    for what, times in zip(("here, one after the other", "three shards of a cluster"), taken, strict=True):
        times.sort()
        middle.append(times[len(times) // 2])
        click.echo(f"{what}: p50 {middle[-1]:.1f} ms, p95 {times[len(times) * 95 // 100]:.1f} ms")
    click.echo(f"added: p50 {middle[1] - middle[0]:+.1f} ms")
    here, there = found
    same = sum(one == other for one, other in zip(here, there, strict=True))
    click.echo(f"equal top 10: {same} of {len(asked)} queries")


main.add_command(scale_table.table)
main.add_command(scale_table.searched_apart, "searched")

if __name__ == "__main__":
    main()
