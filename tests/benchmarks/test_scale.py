"""Large indexes, built with a hash in the place of the encoder: what a killed build loses, and how much memory it takes."""

import json
import time

import pytest

from benchmarks.scale import build_apart
from tests.support.dumps import write_dump


def test_a_killed_build_loses_no_shard_that_was_complete(tmp_path):
    path, home = write_dump(tmp_path, "dpr", 9_000), tmp_path / "home"
    process = build_apart(path, 1_500, home)
    parts = home / "indexes" / "parts"
    deadline = time.monotonic() + 300
    while len(complete := list(parts.glob(".*.draft/part.json"))) < 2 and time.monotonic() < deadline:
        assert process.poll() is None
        time.sleep(0.01)
    process.kill()
    process.communicate()
    assert not (home / "indexes" / "large.json").exists()
    written = {path.parent.name: path.stat().st_mtime_ns for path in complete}

    assert json.loads(build_apart(path, 1_500, home).communicate()[0])["shards"] == 6
    pointer = json.loads((home / "indexes" / "large.json").read_text())
    assert [(shard["passages"], shard["first_id"]) for shard in pointer["shards"]] == [
        (1_500, str(1 + 1_500 * n)) for n in range(6)
    ]
    assert [key for shard in pointer["shards"] for key in shard["parts"]] == pointer["parts"]
    kept = {f".{key}.draft": (parts / key / "part.json").stat().st_mtime_ns for key in pointer["parts"]}
    assert written.items() <= kept.items()
    assert [path for path in parts.iterdir() if path.is_dir() and path.name.startswith(".")] == []


@pytest.mark.slow
def test_memory_is_flat_however_many_shards_there_are(tmp_path):
    peaks = []
    for rows in (20_000, 200_000):
        path = write_dump(tmp_path, "dpr", rows)
        peaks.append(json.loads(build_apart(path, 10_000, tmp_path / f"{rows}").communicate()[0])["peak"])
    assert abs(peaks[1] / peaks[0] - 1) <= 0.1
