"""Serving the search of an index from a cluster: a deployment of Ray Serve for each shard, and one that merges.

    ClusterRetriever ──▶ search: encodes the query ──▶ shard-1, shard-2, … ──▶ search: merges by score ──▶ hits

The Reader and the language model are served beside it (``models``), unless only the search is wanted.
Every process opens the parts in ``$SEARCHAIN_HOME`` by their keys. A shard that does not answer in time is missing: the
search then fails, and only ``find`` returns what the others found, together with the names of those that are missing.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ray import serve
from ray.exceptions import RayActorError, RayTaskError
from ray.serve.exceptions import BackPressureError, DeploymentUnavailableError, RequestCancelledError
from ray.serve.schema import LoggingConfig

from lab.scale import cluster, models, shards
from searchain.errors import RetrieverUnreachable, SetupError
from searchain.retrieval import checkpoint as checkpoints
from searchain.retrieval import registry
from searchain.retrieval.base import Answer, Deployment

if TYPE_CHECKING:
    from fastapi import APIRouter
    from ray.serve.handle import DeploymentHandle

    from lab.scale.shards import PartFound
    from searchain.types import Hit

DEADLINE = 10.0
"""Seconds in which a shard must answer."""
SPARE = 5.0
"""Seconds more that the whole search has."""
ONGOING = 4
"""Queries that a process of a shard has at a time, of which it works on those that its core allows."""
SEARCHES = 64
"""Searches that a process which merges has at a time: it mostly waits for the shards."""
QUEUED = 128
"""Queries that wait for a deployment; one more is refused as busy."""
HEALTH_SECONDS = 2.0
"""How often the cluster looks whether a process is there; it starts a lost one again."""
STARTS = 3
"""How often it tries to start a process that fails."""


@dataclass(frozen=True, slots=True)
class Served:
    """What the cluster does for the chat processes."""

    retriever: ClusterRetriever
    routes: APIRouter | None
    """To the Reader and the language model; ``None`` where only the search is served."""


@contextmanager
def serving(address: str, name: str, replicas: int = 1, *, is_search_only: bool = False) -> Iterator[Served]:
    """The index ``name``, searched by the cluster at ``address`` with ``replicas`` processes for each deployment.

    The Reader and the embedded language model are served beside it, unless ``is_search_only``. The deployments end with
    the block. They search the parts that the index has now.

    Raises:
        IndexNotFound, UsageError, RetrievalError: there is no such index, or it cannot be searched by shards.
        UsageError, SetupError: as ``cluster.joined``; a process cannot be started.
    """
    cluster.check(address)
    index = registry.get(name)
    checkpoint, groups = checkpoints.of_index(index), shards.groups(index)
    with cluster.joined(address) as cores:
        # all fit, though more processes than cores must share them
        deployments = len(groups) + (1 if is_search_only else 3)
        share = min(1.0, int(1_000 * cores / (replicas * deployments)) / 1_000)
        shared: dict[str, Any] = {
            "num_replicas": replicas,
            "max_queued_requests": QUEUED,
            "health_check_period_s": HEALTH_SECONDS,
            "max_constructor_retry_count": STARTS,
            "ray_actor_options": {"num_cpus": share, "runtime_env": {"env_vars": cluster.environment()}},
        }
        whole = _application(checkpoint, groups, shared, beside=() if is_search_only else models.bound(shared))
        app = f"searchain-{name}"
        logs = LoggingConfig(log_level="ERROR", enable_access_log=False)
        logging.getLogger("ray.serve").setLevel(logging.ERROR)
        try:
            serve.start(proxy_location="Disabled", logging_config=logs)
            handle = serve.run(whole, name=app, route_prefix=None, logging_config=logs)
            routes = None if is_search_only else models.routes(*_handles(app, models.READER, models.MODEL))
        except RuntimeError as error:
            raise SetupError(f"the cluster cannot serve the index {name!r}: {_reason(app, error)}") from error
        try:
            yield Served(ClusterRetriever(handle, app, index.passages), routes)
        finally:
            serve.delete(app)


def _handles(app: str, *names: str) -> list[DeploymentHandle]:
    return [serve.get_deployment_handle(name, app) for name in names]


def _application(
    checkpoint: Path, groups: dict[str, tuple[str, ...]], shared: dict[str, Any], *, beside: tuple[Any, ...] = ()
) -> Any:
    """The deployments, bound to their arguments; ``shared`` are the options of all of them."""
    shard, search = serve.deployment(Shard), serve.deployment(Search)
    bound = [
        shard.options(name=group, max_ongoing_requests=ONGOING, **shared).bind(keys) for group, keys in groups.items()
    ]
    return search.options(name="search", max_ongoing_requests=SEARCHES, **shared).bind(
        checkpoint, tuple(groups), *bound, beside=beside
    )


def _reason(app: str, error: RuntimeError) -> str:
    """Which deployment failed, and the last line of why."""
    overview = serve.status().applications.get(app)
    for name, deployment in overview.deployments.items() if overview else ():
        if deployment.status.value in ("UNHEALTHY", "DEPLOY_FAILED"):
            return f"{name} failed: {deployment.message.strip().splitlines()[-1].strip()}"
    return str(error).strip().splitlines()[-1]


class Shard(shards.Shard):
    """Some parts of the index, in a process of the cluster."""


class Search:
    """Asks all shards at once, and merges what they find."""

    def __init__(
        self,
        checkpoint: Path,
        names: tuple[str, ...],
        *handles: DeploymentHandle,
        beside: tuple[DeploymentHandle, ...] = (),
    ) -> None:
        """``handles`` are those of the shards ``names``; what is ``beside`` them starts and ends with this one."""
        from searchain.retrieval.encoder import shared_encoder

        self._encoder = shared_encoder(checkpoint)
        self._shards = dict(zip(names, handles, strict=True))

    async def search(self, query: str, k: int) -> Answer:
        """The ``k`` best passages of the shards that answer in time, and which do not."""
        vectors = self._encoder.encode_query(query)
        asked = [self._ask(handle, query, vectors[0].numpy(), k) for handle in self._shards.values()]
        answers: list[PartFound] = []
        missing: dict[str, str] = {}
        for name, answer in zip(self._shards, await asyncio.gather(*asked), strict=True):
            if isinstance(answer, str):
                missing[name] = answer
            else:
                answers += answer
        return Answer(shards.merged(self._encoder, vectors, answers, k), missing)

    async def _ask(self, shard: DeploymentHandle, *query: Any) -> list[PartFound] | str:
        """What a shard finds, or why it does not answer."""
        try:
            async with asyncio.timeout(DEADLINE):
                try:
                    return await shard.find.remote(*query)
                except RayActorError:  # its process was lost: another one answers, or the one that is started again
                    return await shard.find.remote(*query)
        except (TimeoutError, RequestCancelledError):  # the deadline ends the request, which Ray reports in either way
            return f"no answer in {DEADLINE:.0f} seconds"
        except BackPressureError:
            return "busy"
        except (RayActorError, DeploymentUnavailableError):
            return "lost"


class ClusterRetriever:
    """Searches through the deployments of ``serving``; thread-safe."""

    def __init__(self, handle: DeploymentHandle, app: str, passages: int) -> None:
        self._handle, self._app, self._passages = handle, app, passages

    def __len__(self) -> int:
        return self._passages

    def search(self, query: str, k: int) -> list[Hit]:
        """The ``k`` best passages of all shards, best first; none for an empty query.

        Raises:
            RetrieverUnreachable: a shard did not answer, or as ``find``.
        """
        answer = self.find(query, k)
        if answer.missing:
            which = ", ".join(f"{name} ({why})" for name, why in answer.missing.items())
            raise RetrieverUnreachable(f"not all of the index can be searched now; missing: {which}; try again later")
        return answer.hits

    def find(self, query: str, k: int) -> Answer:
        """As ``search``, from the shards that answer in time, and which do not.

        Raises:
            RetrieverUnreachable: the cluster is busy or does not answer at all.
        """
        if k < 1 or not query.strip():
            return Answer([], {})
        try:
            try:
                return self._ask(query, k)
            except RayActorError:  # the process that merges was lost: another one takes the query
                return self._ask(query, k)
        except BackPressureError:
            raise RetrieverUnreachable("the cluster is busy; try again later") from None
        except (TimeoutError, RayActorError, DeploymentUnavailableError):
            raise RetrieverUnreachable(
                "the search of the cluster does not answer; see what its processes do with: python assistant.py doctor "
                "--retriever URL"
            ) from None
        except RayTaskError as error:
            raise RetrieverUnreachable(f"the search of the cluster failed: {error.cause}") from error

    def _ask(self, query: str, k: int) -> Answer:
        answer: Answer = self._handle.search.remote(query, k).result(timeout_s=DEADLINE + SPARE)
        return answer

    def deployments(self) -> list[Deployment]:
        """Each deployment, with how many of its processes run."""
        overview = serve.status().applications.get(self._app)
        return [
            Deployment(
                name,
                deployment.status.value.lower(),
                sum(count for state, count in deployment.replica_states.items() if state == "RUNNING"),
            )
            for name, deployment in (overview.deployments.items() if overview else ())
        ]
