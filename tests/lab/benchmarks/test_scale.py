"""Large indexes, built with a hash in the place of the encoder: what a killed build loses, and how much memory it takes."""

from lab.benchmarks.scale import HashEncoder, build_apart
from lab.benchmarks.scale_table import Measured, Speeds, centroids_of, copied, plan
from searchain.retrieval.colbert import PlaidPart, Query
from tests.support.dumps import write_dump


def test_noised_copies_are_an_index_that_can_be_searched(tmp_path):
    build_apart(write_dump(tmp_path, "dpr", 1_010), 1_010, tmp_path / "home").communicate()
    source = next(path for path in (tmp_path / "home" / "indexes" / "parts").iterdir() if path.is_dir())
    copied(source, tmp_path / "copies", 3)
    part = PlaidPart(tmp_path / "copies")
    assert [part.store[row].id for row in (0, 1_009, 1_010, 3_029)] == ["1-0", "1010-0", "1-1", "1010-2"]
    query = Query("", HashEncoder().encode_passages([part.store[7].text])[0].float()[None])
    found = [row for _, row in part.search(query, 10)]
    assert len(set(found)) == 10
    assert max(found) < 3_030


def test_the_plan_is_computed_from_what_was_measured():
    small = Measured(10_000, 1_000_000, 37_000_000, 6_000_000, 40_000_000, 0.1, 20.0, 30.0)
    large = Measured(100_000, 10_000_000, 370_000_000, 60_000_000, 350_000_000, 0.5, 40.0, 60.0)
    assert (centroids_of(93e6), centroids_of(21 * 93e6)) == (131_072, 524_288)
    rows = {line[:46].strip(): line[46:].split() for line in plan([small, large], Speeds(0.018, 32e9))}
    assert (rows["computed"], rows["disk, GB"]) == (["1M", "5.9M", "21M"], ["4.3", "25.4", "90.3"])
    assert rows["memory for search, GB"] == ["3.5", "20.6", "73.5"]
    assert rows["encoding, core-hours"] == ["5", "29", "105"]
    assert rows["assigning as one part, core-hours"] == ["29", "344", "2,447"]
    assert rows["assigning as shards of 1,000,000, core-hours"] == ["29", "172", "612"]
    assert rows["a search of all shards, CPU-ms"] == ["80", "472", "1,680"]
