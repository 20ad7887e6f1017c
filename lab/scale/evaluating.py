"""Asking many questions in the processes of a cluster: as ``evaluation.harness``, with the same turns."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import replace

import ray
from ray.exceptions import RayActorError
from ray.util import ActorPool

from lab.evaluation.examples import Example
from lab.evaluation.harness import ask_one
from lab.scale import cluster
from searchain.cancel import CancelToken
from searchain.events import Turn
from searchain.methods.base import Answerer
from searchain.types import Status

Making = Callable[[], Callable[[Example], Answerer]]
"""Called once in each process: loads what answers, and returns who answers an example. Must be picklable."""


class Asker:
    """One process of the cluster, with a model, a Reader and an index of its own."""

    def __init__(self, make: Making) -> None:
        self._answerer_of = make()

    def ask(self, example: Example) -> Turn:
        return ask_one(example, self._answerer_of, CancelToken())


def ask_all(
    examples: Sequence[Example], make: Making, address: str, jobs: int
) -> Generator[tuple[Example, Turn], None, None]:
    """Every example with its finished turn, in their order, asked in ``jobs`` processes of the cluster at ``address``.

    A question whose process is lost is asked once more; if that is lost too, its turn ``failed``.

    Raises:
        UsageError, SetupError: as ``cluster.joined``.
    """
    if not examples:
        return
    with cluster.joined(address) as cores:
        kind = ray.remote(num_cpus=1, max_restarts=-1, max_task_retries=1)(Asker)
        pool = ActorPool([kind.remote(make) for _ in range(min(jobs, cores, len(examples)))])
        for example in examples:
            pool.submit(lambda asker, one: asker.ask.remote(one), example)
        for example in examples:
            try:
                turn = pool.get_next()
            except RayActorError:
                message = "the process of the cluster that asked it was lost twice"
                turn = replace(Turn(), question=example.question, status=Status.FAILED, message=message)
            yield example, turn
