"""A Ray cluster: started on this machine for one command, or joined at an address.

Ray runs any code that is sent to it. A cluster that is started here listens on 127.0.0.1 alone, and asks for the token
in ``~/.ray/auth_token``, which Ray makes. One that is joined belongs into a private network, with the same token on all
machines. Ray's report of its use is switched off.
"""

from __future__ import annotations

import importlib.util
import logging
import os
import re
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from searchain.errors import SearChainError, SetupError, UsageError
from searchain.files.checkout import ROOT
from searchain.files.home import home

LOCAL = "local"
"""The address that stands for a cluster of this machine."""
OBJECT_STORE = 200_000_000
"""Bytes of shared memory: what is sent is small, and Ray would take 30 % of the memory."""
START_SECONDS = "120"
"""In which a cluster must start; Ray's 30 are too few on a busy machine."""
KNOCK_SECONDS = 10.0
"""In which one that is joined must accept a connection."""
CLUSTERS = "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"
"""Whether a node can be reached by others; Ray reads it on every system, when it is imported."""
_ADDRESS = re.compile(r"auto|(?:ray://)?(?:[\w.-]+|\[[0-9a-fA-F:]+\]):\d{1,5}")


def check(address: str) -> None:
    """Raise what keeps a cluster at ``address`` from being used, as far as this machine knows; before Ray is imported.

    Raises:
        UsageError: it does not have the form of an address.
        SetupError: Ray is not installed.
    """
    if address != LOCAL and not _ADDRESS.fullmatch(address):
        raise UsageError(f"{address!r} is no address of a cluster; write --ray=HOST:PORT, or --ray as the last word")
    if importlib.util.find_spec("ray") is None:
        raise SetupError(
            "--ray needs the package 'ray', which is not installed; "
            "run: pip install -r requirements-scale.txt -c constraints.txt"
        )
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ.setdefault("RAY_gcs_server_port_wait_time_s", START_SECONDS)
    os.environ.setdefault("RAY_worker_niceness", "0")  # else whatever else runs on the machine comes first
    if address == LOCAL:  # else Ray takes the machine's own address for 127.0.0.1, and listens at all of them
        os.environ[CLUSTERS] = "0"
    else:
        os.environ.pop(CLUSTERS, None)
    if address == LOCAL or _has_token():  # Ray looks for it when it is imported, and not again
        os.environ.setdefault("RAY_AUTH_MODE", "token")


def _has_token() -> bool:
    """Whether this user has the token of a cluster, where Ray looks for it."""
    named = os.environ.get("RAY_AUTH_TOKEN") or os.environ.get("RAY_AUTH_TOKEN_PATH")
    return bool(named) or (Path.home() / ".ray" / "auth_token").is_file()


@contextmanager
def joined(address: str) -> Iterator[int]:
    """Use the cluster at ``address``; yields how many cores it has. What workers raise is raised as one line.

    Raises:
        UsageError, SetupError: as ``check``; the cluster cannot be started or reached, or lost its workers.
    """
    check(address)
    import ray

    if ray.is_initialized():  # by a caller that uses it for several things
        yield _cores()
        return
    if address not in (LOCAL, "auto"):
        _knock(address)
    shared = {"logging_level": logging.ERROR, "log_to_driver": False, "runtime_env": {"env_vars": environment()}}
    # the folder is named in the paths of sockets, which may have 107 bytes
    with tempfile.TemporaryDirectory(prefix="ray-", dir="/tmp", ignore_cleanup_errors=True) as folder:
        try:
            if address == LOCAL:
                ray.init(
                    address="local",
                    num_cpus=os.cpu_count(),
                    include_dashboard=False,
                    object_store_memory=OBJECT_STORE,
                    _node_ip_address="127.0.0.1",
                    _temp_dir=folder,
                    **shared,
                )
            else:
                ray.init(address=address, **shared)
        except Exception as error:  # Ray raises bare ones too, such as for a node that does not start in time
            what = "start a cluster on this machine" if address == LOCAL else f"join the cluster at {address}"
            raise SetupError(f"cannot {what}: {error}") from error
        try:
            with _one_line():
                yield _cores()
        finally:
            ray.shutdown()


def _knock(address: str) -> None:
    """Check that somebody listens at ``address``: Ray itself tries for minutes, and does not say at what."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), KNOCK_SECONDS).close()
    except (OSError, OverflowError) as error:
        raise SetupError(
            f"cannot join the cluster at {address}: {error}; docs/scale.md says how one is started"
        ) from None


def _cores() -> int:
    import ray

    return max(1, int(ray.cluster_resources().get("CPU", 1)))


def environment() -> dict[str, str]:
    """What a worker needs: the same program and folder of indexes as here, and one thread for the core it is given."""
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH", ""))))
    return {"OMP_NUM_THREADS": "1", "PYTHONPATH": path, "SEARCHAIN_HOME": str(home())}


@contextmanager
def _one_line() -> Iterator[None]:
    from ray.exceptions import RayActorError, RayError, RayTaskError

    try:
        yield
    except RayTaskError as error:
        cause = error.cause
        if isinstance(cause, SearChainError):
            raise cause from None
        raise SetupError(f"a worker of the cluster failed: {type(cause).__name__}: {cause}") from error
    except RayActorError as error:
        raise SetupError(
            "a worker of the cluster was lost and could not be started again: look at the memory of its machine, "
            "and run this again, it goes on where it stopped"
        ) from error
    except RayError as error:
        raise SetupError(f"the cluster failed: {error}") from error
