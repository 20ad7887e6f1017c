"""The table of docs/scale.md: what an index takes at a few sizes, measured, and at 1, 6 and 21 million, computed.

Larger indexes than the embedded one are copies of it in which 40 % of the vectors moved to a centroid near theirs and
the residuals are shuffled, with the same centroids: their bytes and their searches are as of real ones, but a real one
would have more centroids, and be searched faster.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import click
import torch

from searchain.retrieval import store
from searchain.types import Passage

MOVED = 0.4
"""The share of vectors that move to another centroid."""
NEIGHBOURS = 8
"""Centroids near one, among which a vector that moves draws."""
ENCODED = 96
"""Passages that are encoded to learn what one takes."""
SIZES = {"1M": 1_000_000, "5.9M": 5_900_000, "21M": 21_000_000}
SHARD = 1_000_000
POINTS, ROUNDS = 64, 4
"""Vectors for each centroid that k-means looks at, and how often."""
PRICE = 0.05
"""Dollars for a core-hour."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What an index took."""

    passages: int
    vectors: int
    plaid: int
    """Bytes on disk, without the texts."""
    texts: int
    resident: int
    """Bytes of memory that opening and searching added."""
    opened: float
    """CPU-seconds."""
    p50: float
    """CPU-milliseconds of a search on one thread."""
    p95: float


@dataclass(frozen=True, slots=True)
class Speeds:
    """What building takes on one core."""

    encoding: float
    """CPU-seconds a passage."""
    flops: float
    """Operations a second while vectors are assigned to centroids, in float32."""


def copied(source: Path, target: Path, copies: int) -> None:
    """Make an index of ``copies`` times the passages of the part ``source``, as the first lines say."""
    from searchain.retrieval import plaid

    plan = json.loads((source / "plaid" / "metadata.json").read_text())
    centroids = plaid.load(source / "plaid" / "centroids.pt").float()
    near = torch.cat([(rows @ centroids.T).topk(NEIGHBOURS + 1).indices[:, 1:] for rows in centroids.split(1_024)])
    of_source = store.PassageStore(source)
    (target / "plaid").mkdir(parents=True)
    for name in ("avg_residual.pt", "buckets.pt", "centroids.pt"):
        (target / "plaid" / name).write_bytes((source / "plaid" / name).read_bytes())
    codes_of, lengths_of = [], []
    for copy in range(copies):
        for chunk in range(plan["num_chunks"]):
            number = copy * plan["num_chunks"] + chunk
            lengths = plaid.lengths_of_passages(source / "plaid", range(chunk, chunk + 1))
            codes, residuals = (plaid.load(source / "plaid" / f"{chunk}.{name}.pt") for name in ("codes", "residuals"))
            if copy:
                random_ = torch.Generator().manual_seed(number)
                drawn = torch.randint(NEIGHBOURS, (len(codes), 1), generator=random_)
                moves = torch.rand(len(codes), generator=random_) < MOVED
                other = near[codes.long()].gather(1, drawn)[:, 0].to(codes.dtype)
                codes = torch.where(moves, other, codes)
                residuals = residuals[torch.randperm(len(residuals), generator=random_)]
            torch.save(codes, target / "plaid" / f"{number}.codes.pt")
            torch.save(residuals, target / "plaid" / f"{number}.residuals.pt")
            (target / "plaid" / f"doclens.{number}.json").write_text(json.dumps(lengths))
            codes_of.append(codes.long())
            lengths_of += lengths

    def passages() -> Iterator[Passage]:
        for copy in range(copies):
            for one in of_source:
                yield Passage(f"{one.id}-{copy}", one.title, one.text, one.url)

    store.write(target, passages())
    passage = torch.arange(len(lengths_of)).repeat_interleave(torch.tensor(lengths_of))
    pairs = torch.unique(torch.cat(codes_of) * len(lengths_of) + passage)  # sorted: a centroid, a passage
    cells = torch.bincount(pairs // len(lengths_of), minlength=len(centroids))
    torch.save(((pairs % len(lengths_of)).int(), cells), target / "plaid" / "ivf.pid.pt")
    facts = {"num_chunks": copies * plan["num_chunks"], "num_embeddings": len(passage)}
    (target / "plaid" / "metadata.json").write_text(json.dumps(plan | facts))


def searched(folder: Path, queries: int) -> Measured:
    """Open the part in ``folder`` and search it, in this process."""
    from searchain.retrieval import checkpoint, colbert
    from searchain.retrieval.encoder import shared_encoder

    torch.set_num_threads(1)
    encoder = shared_encoder(checkpoint.find(checkpoint.EMBEDDED))
    texts = store.PassageStore(folder)
    some = random.Random(0).sample(range(len(texts)), queries)
    questions = [f"What is known of {texts[row].title}?" for row in some]
    asked = [colbert.Query(question, encoder.encode_query(question)) for question in questions]
    before, started = _resident(), time.process_time()
    part = colbert.PlaidPart(folder)
    opened = time.process_time() - started
    times = []
    for query in asked:
        started = time.process_time()
        part.search(query, 10)
        times.append(1_000 * (time.process_time() - started))
    times.sort()
    size = sum(file.stat().st_size for file in (folder / "plaid").iterdir())
    plan = json.loads((folder / "plaid" / "metadata.json").read_text())
    written = sum((folder / name).stat().st_size for name in (store.PASSAGES, store.OFFSETS))
    return Measured(
        len(texts),
        plan["num_embeddings"],
        size,
        written,
        _resident() - before,
        opened,
        times[len(times) // 2],
        times[len(times) * 95 // 100],
    )


def _resident() -> int:
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) * 1_024


def speeds(flops: float) -> Speeds:
    """What encoding takes on one core, measured; ``flops`` was measured before."""
    from searchain.retrieval import checkpoint
    from searchain.retrieval.corpus import default_corpus
    from searchain.retrieval.encoder import encoded_text, shared_encoder

    torch.set_num_threads(1)
    encoder = shared_encoder(checkpoint.find(checkpoint.EMBEDDED))
    texts = [encoded_text(one) for one in random.Random(0).sample(default_corpus(), 2 * ENCODED)]
    encoder.encode_passages(texts[:ENCODED])
    started = time.process_time()
    encoder.encode_passages(texts[ENCODED:])
    return Speeds((time.process_time() - started) / ENCODED, flops)


def centroids_of(vectors: float) -> int:
    """How many centroids an index of so many vectors has."""
    return int(2 ** int(torch.log2(torch.tensor(16 * vectors**0.5, dtype=torch.float64))))


def plan(found: list[Measured], speed: Speeds) -> list[str]:
    """The lines of the table for ``SIZES``, and what they rest on."""
    small, large = found[0], found[-1]
    per = {name: getattr(small, name) / small.passages for name in ("vectors", "plaid", "texts")}
    resident = large.resident / large.passages
    growth = (found[-1].p50 / found[0].p50) ** (1 / max(1e-9, _decades(found)))
    lines = [f"{'computed':46}" + "".join(f"{name:>12}" for name in SIZES)]

    def row(what: str, values: list[str]) -> None:
        lines.append(f"{what:46}" + "".join(f"{value:>12}" for value in values))

    counts = list(SIZES.values())
    row("disk, GB", [f"{n * (per['plaid'] + per['texts']) / 1e9:,.1f}" for n in counts])
    row("memory for search, GB", [f"{n * resident / 1e9:,.1f}" for n in counts])
    row("encoding, core-hours", [f"{n * speed.encoding / 3_600:,.0f}" for n in counts])
    for what, shard in (("one part", None), (f"shards of {SHARD:,}", SHARD)):
        hours = [_assigning(n, shard or n, per["vectors"], speed.flops) for n in counts]
        row(f"assigning as {what}, core-hours", [f"{assigned:,.0f}" for assigned, _ in hours])
        row("… and k-means", [f"{trained:,.0f}" for _, trained in hours])
    total = [n * speed.encoding / 3_600 + sum(_assigning(n, SHARD, per["vectors"], speed.flops)) for n in counts]
    row("all, in shards, core-hours", [f"{hours:,.0f}" for hours in total])
    row(f"… at ${PRICE} a core-hour", [f"${hours * PRICE:,.0f}" for hours in total])
    row("… hours on 64 cores", [f"{hours / 64:,.1f}" for hours in total])
    shard = large.p50 * growth ** _log10(SHARD / large.passages)
    row("a search of all shards, CPU-ms", [f"{shard * max(1, n / SHARD):,.0f}" for n in counts])
    lines += [
        "",
        f"Assumed: bytes and vectors a passage as at {small.passages:,}, memory as at {large.passages:,}; a core that "
        f"assigns {speed.flops / 1e9:.0f} billion operations a second at any number of centroids;",
        f"k-means of {POINTS} vectors a centroid in {ROUNDS} rounds; a search that takes {growth:.1f} times the CPU "
        f"time of one in a tenth of the passages, as measured on the same centroids; ${PRICE} a core-hour.",
    ]
    return lines


def _decades(found: list[Measured]) -> float:
    return _log10(found[-1].passages / found[0].passages)


def _log10(value: float) -> float:
    return float(torch.log10(torch.tensor(value, dtype=torch.float64)))


def _assigning(passages: int, part: int, vectors: float, flops: float) -> tuple[float, float]:
    """Core-hours of assigning the vectors of all passages, in parts of ``part`` passages, and of k-means."""
    of_part = part * vectors
    centroids = centroids_of(of_part)
    parts = passages / part
    assigned = parts * 256 * of_part * centroids
    trained = parts * ROUNDS * 256 * min(POINTS * centroids, of_part) * centroids
    return assigned / flops / 3_600, trained / flops / 3_600


@click.command()
@click.option("--copies", multiple=True, type=int, default=(1, 10), show_default=True, help="Of the embedded corpus.")
@click.option("--queries", default=100, show_default=True, help="Searches of each index.")
def table(copies: tuple[int, ...], queries: int) -> None:
    """Bytes, memory and searches of some sizes, measured, and the plan to 21 million passages, computed."""
    from lab.benchmarks.scale import assigned
    from searchain.retrieval import registry

    source = registry.parts_root() / registry.get("default").parts[0]
    found = []
    for number in copies:
        with tempfile.TemporaryDirectory() as folder:
            started = time.process_time()
            if number > 1:
                copied(source, Path(folder) / "part", number)
            made = time.process_time() - started
            place = source if number == 1 else Path(folder) / "part"
            command = [sys.executable, "-m", "lab.benchmarks.scale", "searched", str(place), "--queries", str(queries)]
            said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            one = Measured(**json.loads(said))
            found.append(one)
        kind = f"noised copies, made in {made:.0f} CPU-s" if number > 1 else "real"
        click.echo(
            f"{one.passages:,} passages ({kind}): {one.plaid / 1e6:,.0f} MB PLAID, {one.texts / 1e6:,.0f} MB text, "
            f"{one.vectors / one.passages:.0f} vectors a passage; opened in {one.opened:.1f} CPU-s, "
            f"{one.resident / 1e6:,.0f} MB resident; a search p50 {one.p50:.0f}, p95 {one.p95:.0f} CPU-ms"
        )
    name, flops, _ = next(assigned(8_192))
    speed = speeds(flops)
    click.echo(
        f"on one core: {1_000 * speed.encoding:.0f} CPU-ms to encode a passage, {flops / 1e9:.0f} GFLOP/s to assign "
        f"({name})\n"
    )
    click.echo("\n".join(plan(found, speed)))


@click.command(hidden=True)
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--queries", type=int, required=True)
def searched_apart(folder: Path, queries: int) -> None:
    """Search one index here."""
    click.echo(json.dumps(asdict(searched(folder, queries))))
