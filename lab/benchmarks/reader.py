"""How fast the embedded Reader reads 5 passages: ``python -m lab.benchmarks.reader``.

Questions and passages of 120 to 220 tokens come from the calibration data; each read is one call with 5 passages.
"""

from __future__ import annotations

import random
import time

import click
import numpy as np
import torch

from lab.training.calibration import read_records
from searchain.embedded.minilm import CALIBRATION_DATA, embedded_reader, minilm_tokenizer
from searchain.reading.reader import DprReader

PASSAGES = 5


@click.command(help=__doc__)
@click.option("--reads", default=100, show_default=True)
@click.option("--threads", default=2, show_default=True, help="Torch threads.")
def main(reads: int, threads: int) -> None:
    torch.set_num_threads(threads)
    tokens = minilm_tokenizer()
    records = [
        record for record in read_records(CALIBRATION_DATA) if 120 <= len(tokens.encode(record.passage.text).ids) <= 220
    ]
    reader = DprReader(embedded_reader())
    rng = random.Random(1)
    drawn = [rng.sample(records, PASSAGES) for _ in range(reads)]
    seconds = []
    for some in drawn[:3] + drawn:
        started = time.perf_counter()
        reader.read(some[0].question, [record.passage for record in some])
        seconds.append(time.perf_counter() - started)
    times = 1000 * np.array(seconds[3:])
    click.echo(f"{'passages':>8}  {'reads':>5}  {'threads':>7}  {'p50 ms':>6}  {'p95 ms':>6}")
    p50, p95 = np.percentile(times, (50, 95))
    click.echo(f"{PASSAGES:>8}  {reads:>5}  {threads:>7}  {p50:>6.0f}  {p95:>6.0f}")


if __name__ == "__main__":
    main()
