"""Asks a system all questions of a file: what ``eval`` and ``tables`` have in common."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from copy import copy
from dataclasses import dataclass, replace
from functools import partial
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lab.systems.base import reads_demonstrations
from searchain import console
from searchain.errors import SearChainError
from searchain.llm.base import heard_by
from searchain.methods.base import System
from searchain.types import Status, TaskKind

if TYPE_CHECKING:
    from lab.evaluation.citations import SupportCheck
    from lab.evaluation.examples import Dataset, Example
    from lab.evaluation.outfile import OutFile
    from searchain.assemble import Choice, Parts
    from searchain.events import Turn
    from searchain.methods.base import Answerer
    from searchain.pipeline import SearChain
    from searchain.settings import Settings

IN_A_ROW = 5
"""Failed questions after which a run ends: the next ones would fail as well."""

_APART = ("task", "system")
_NEW = ("reading", "options")
"""Left out where they are not set, so that answers from before these settings may be added to."""


@dataclass(frozen=True, kw_only=True)
class Asking:
    """Which system is asked what."""

    system: System
    settings: Settings
    data: Path
    form: str | None = None
    """The official form of ``data``; ``None``: found by its keys."""
    corpus: str = "default"
    task: str | None = None
    leaves_out: bool = False
    """Whether the search leaves the supporting titles of each question out."""
    limit: int | None = None
    sample: int | None = None
    as_steps: bool = False
    """Whether the gold steps of the questions are asked in their place."""

    def examples(self) -> tuple[Dataset, tuple[Example, ...]]:
        """The data set, and the questions of it that are asked.

        Raises:
            UsageError: the file cannot be used.
        """
        from lab.evaluation import datasets, examples

        dataset = datasets.read(self.data, self.form)
        chosen = examples.choose(dataset.examples, self.limit, self.sample)
        if self.leaves_out:
            chosen = examples.leave_out(chosen)
        return dataset, examples.as_steps(chosen) if self.as_steps else chosen


@dataclass(frozen=True)
class _Making:
    """Makes who answers; picklable, so that each process of a cluster makes its own."""

    system: System
    settings: Settings
    index: str
    kinds: dict[str, TaskKind | None]
    """What each example is asked as, by id."""
    questions: list[str]
    """All of the data set."""

    def chains(self, parts: Parts) -> dict[TaskKind | None, SearChain]:
        """SearChain for each kind of question."""
        kinds = dict.fromkeys(self.kinds.values())
        return {kind: parts.searchain(replace(self.settings, task=kind), self.index) for kind in kinds}

    def of(self, chains: dict[TaskKind | None, SearChain]) -> Callable[[Example], Answerer]:
        return lambda one: self.system.make(_for(one, chains[self.kinds[one.id]]), self.questions)

    def from_choice(self, choice: Choice) -> Callable[[Example], Answerer]:
        """Who answers, with parts of their own."""
        from searchain.assemble import Parts

        return self.of(self.chains(Parts(choice)))


def answer(
    asking: Asking, out: Path, choice: Choice, *, parts: Parts | None = None, jobs: int = 1, ray: str | None = None
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Ask what ``out`` does not hold yet; returns what its lines have in common, and the lines of the questions.

    Args:
        parts: the parts of ``choice``, where they are loaded already.
        ray: the cluster whose processes ask; ``None``: threads of this process.

    Raises:
        UsageError: a file cannot be used, or ``out`` holds answers of another run.
        SearChainError: several questions in a row failed.
    """
    from lab.evaluation import harness
    from lab.evaluation.outfile import OutFile
    from searchain.assemble import Parts

    if ray is not None:
        from lab.scale import cluster

        cluster.check(ray)
    system, settings = asking.system, asking.settings
    dataset, chosen = asking.examples()
    index = choice.retriever or index_of(asking.corpus) if system.uses_ir else ""
    kinds = {example.id: _kind(asking.task, example) for example in chosen}
    making = _Making(system, settings, index, kinds, [example.question for example in dataset.examples])
    with heard_by(lambda what, action: click.echo(f"  ! {what}; {action}", err=True)):
        chains = making.chains(parts or Parts(choice))
    made = system.make(next(iter(chains.values()))).settings.as_dict()
    run = {
        "system": system.name,
        "data": dataset.name,
        "index": index,
        "model": next(iter(chains.values())).model.name,
        "task": asking.task or "by type",
        "settings": {name: value for name, value in made.items() if name not in _APART and (value or name not in _NEW)},
        "content": content_of(system),
        **({"leave_out_titles": True} if asking.leaves_out else {}),
        **({"gold_steps": True} if asking.as_steps else {}),
    }
    with OutFile(out, run) as file:
        check = _support_check() if system.uses_ir else None
        if ray is None:
            ask = partial(harness.ask_all, answerer_of=making.of(chains), jobs=jobs)
        else:
            from lab.scale.evaluating import ask_all

            ask = partial(ask_all, make=partial(making.from_choice, choice), address=ray, jobs=jobs)
        _ask(file, chosen, ask, check)
        return run, [file.answered[example.id] for example in chosen if example.id in file.answered]


def index_of(corpus: str) -> str:
    """The index that ``corpus`` names, built first where it is a file."""
    from lab.evaluation import corpora

    with console.stages() as progress:
        return corpora.index_of(corpus, progress)


def _kind(task: str | None, example: Example) -> TaskKind | None:
    """What ``example`` is asked as; ``None`` where its words decide."""
    if task is None:
        return example.task
    return None if task == "auto" else TaskKind(task)


def _for(example: Example, chain: SearChain) -> SearChain:
    """``chain`` with the search that ``example`` may use; all that a run looks up goes through it."""
    from lab.evaluation.left_out import LeavingOut

    if not example.is_left_out or chain.retriever is None:
        return chain
    searching = copy(chain)
    searching.retriever = LeavingOut(chain.retriever, example.supporting_titles)
    return searching


def _support_check() -> SupportCheck | None:
    """The embedded support check; ``None`` where its weights are not trained yet."""
    from searchain.reading import stance
    from searchain.reply import support_check

    is_trained = support_check.WEIGHTS.is_file() and (stance.WEIGHTS / "adapter.safetensors").is_file()
    return support_check.SupportCheck() if is_trained else None


def _ask(
    file: OutFile,
    examples: Sequence[Example],
    ask: Callable[[Sequence[Example]], Generator[tuple[Example, Turn], None, None]],
    check: SupportCheck | None,
) -> None:
    """Ask what is not answered yet, or failed, and write every answer as it comes."""
    from lab.evaluation.scoring import line_of

    failed = {"status": Status.FAILED.value}
    waiting = [one for one in examples if file.answered.get(one.id, failed)["status"] == Status.FAILED]
    in_a_row = 0
    with console.progress(len(examples), "asking") as advance, closing(ask(waiting)) as asked:
        advance(len(examples) - len(waiting))
        for example, turn in asked:
            file.write(line_of(example, turn, check))
            advance(1)
            in_a_row = in_a_row + 1 if turn.status is Status.FAILED else 0
            if in_a_row == IN_A_ROW:
                raise SearChainError(
                    f"{in_a_row} questions in a row failed, the last with: {turn.message}; the others "
                    "are kept: run this again to go on"
                )


def content_of(system: System) -> str:
    """What answers depend on besides the settings, in 12 digits: the committed weights, and the prompts and
    demonstrations that the system reads."""
    from lab.systems import demonstrations
    from searchain.chain import prompts

    weights = Path(str(resources.files("searchain"))) / "weights"
    shared = prompts.FOLDER.rglob("*.md")
    own = [*demonstrations.PROMPTS.folder.glob("*.md"), *demonstrations.FILES.glob("*.jsonl")]
    read = own if reads_demonstrations(system) else []
    digest = hashlib.sha256()
    for file in sorted([*weights.rglob("*"), *shared, *read]):
        if file.is_file():
            digest.update(f"{file.name} {hashlib.sha256(file.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()[:12]
