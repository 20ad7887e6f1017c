"""Two machines of one cluster, simulated by network namespaces with a cable between them, and what is done there.

As a program, in the namespace of the first machine: build an index in the cluster and search it by its shards.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from lab.scale import cluster

ADDRESSES = ("10.77.0.1", "10.77.0.2")
PORT = 6379
SHARD = 40
CANNOT = "network namespaces cannot be made here: that takes root and the program ip"


def names() -> tuple[str, str]:
    """The namespaces of the two machines."""
    return f"searchain-{os.getpid()}-a", f"searchain-{os.getpid()}-b"


@contextmanager
def cabled() -> Iterator[bool]:
    """Make the namespaces and the cable; yields whether that was possible."""
    first, second = names()
    ends = f"sc{os.getpid()}a", f"sc{os.getpid()}b"
    steps = [f"netns add {first}", f"netns add {second}", f"link add {ends[0]} type veth peer name {ends[1]}"]
    for name, end, address in zip((first, second), ends, ADDRESSES, strict=True):
        steps += [
            f"link set {end} netns {name}",
            f"-n {name} address add {address}/24 dev {end}",
            f"-n {name} link set {end} up",
            f"-n {name} link set lo up",
        ]
    try:
        yield shutil.which("ip") is not None and all(_ip(step) for step in steps)
    finally:
        if shutil.which("ip"):
            for name in names():
                _ip(f"netns delete {name}")  # the cable goes with it


def _ip(words: str) -> bool:
    return subprocess.run(["ip", *words.split()], capture_output=True).returncode == 0


def within(machine: int, *command: str) -> list[str]:
    """``command`` as it is run on a machine."""
    return ["ip", "netns", "exec", names()[machine], *command]


@contextmanager
def started() -> Iterator[None]:
    """Start Ray on both machines, each with one core."""
    with ExitStack() as stack:
        running: list[subprocess.Popen[bytes]] = []
        roles = f"--head --port={PORT} --include-dashboard=false", f"--address={ADDRESSES[0]}:{PORT}"
        for machine, (address, role) in enumerate(zip(ADDRESSES, roles, strict=True)):
            folder = stack.enter_context(
                tempfile.TemporaryDirectory(prefix="ray-", dir="/tmp", ignore_cleanup_errors=True)
            )
            more = f"--block --num-cpus=1 --node-ip-address={address} --temp-dir={folder}"
            words = f"start {role} {more} --object-store-memory=100000000 --disable-usage-stats".split()
            command = within(machine, sys.executable, "-m", "ray.scripts.scripts", *words)
            environment = {name: value for name, value in os.environ.items() if name != cluster.CLUSTERS}
            running.append(
                subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
            )
            time.sleep(10)  # the head is there before the other one joins; that one tries again by itself
        try:
            yield
        finally:
            for process in reversed(running):
                process.terminate()
            for process in running:
                process.wait(60)


def main(corpus: str, *queries: str) -> None:
    """Print where workers and shards ran, the parts, and what the queries find."""
    from searchain.retrieval import indexes

    address = f"{ADDRESSES[0]}:{PORT}"
    cluster.check(address)  # before Ray is imported
    import ray

    from lab.scale.building import building
    from lab.scale.serving import serving

    def places() -> list[str]:
        actors = ray._private.state.actors().values()
        return sorted({one["Address"]["IPAddress"] for one in actors if one["State"] == "ALIVE"})

    with building(address) as builder:
        built = indexes.build_index("far", [Path(corpus)], shard_size=SHARD, builder=builder)
        built_at = places()
    with serving(address, "far", is_search_only=True) as served:
        found = [[hit.passage.id for hit in served.retriever.search(query, 10)] for query in queries]
        served_at = places()
    said = {"parts": built.index.parts, "found": found, "built_at": built_at, "served_at": served_at}
    print(json.dumps(said))


if __name__ == "__main__":
    main(*sys.argv[1:])
