"""``eval --set NAME``: ask a named set of own questions and fail a build that answers them worse.

A set is a file of JSON lines, so that it can stand in a repository: ``sets/NAME.jsonl`` in ``$SEARCHAIN_HOME``, or any
path that ends with ``.jsonl``. ``--judged`` adds the replies that were judged.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from searchain.errors import SearChainError, UsageError
from searchain.events import Turn, fold
from searchain.files.home import home
from searchain.files.jsonl import read_jsonl
from searchain.files.writing import write_whole
from searchain.language.text import contains
from searchain.methods import laboratory
from searchain.safe_text import one_line
from searchain.types import Outcome, Status
from storage.annotation.judged_cases import Case, cases
from storage.people import users
from storage.people.users import LOCAL
from ui.cli import options
from ui.cli.files import writable
from ui.show.terminal import rating

if TYPE_CHECKING:
    from assistant import Assistant

_FORM = (
    'question; wanted: {"id", "question", "collections"?: [names], "index"?, "answers"?: [texts], "wrong"?: [texts]}'
)
MEASURES = {
    "right": "the share of questions that are answered rightly, or rightly not found",
    "ticked": "the share with a tick",
    "ticked_wrong": "the share with a tick and a wrong answer",
    "not_found": "the share without an answer",
}


def gated(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of the gate to a command."""
    for option in (
        click.option("--collection", metavar="NAME", help="With --judged: only replies over this collection."),
        click.option("--judged", "is_judged", is_flag=True, help="Add judged replies to the set --set; ask nothing."),
        click.option(
            "--gate",
            "bounds",
            metavar="EXPR",
            help='Exit with 1 where the set falls short, such as "right>=0.8, ticked_wrong<=0.02"; '
            f"measures: {', '.join(MEASURES)}.",
        ),
        options.of_user,
    ):
        command = option(command)
    return command


def _of_laboratory(context: click.Context, option: click.Parameter, value: str | None) -> None:
    if value is not None:
        laboratory.check(f"eval {option.opts[0]}")


@click.command("eval")
@click.option(
    "--set", "name", required=True, metavar="NAME", help="The set of questions, by name or by its .jsonl file."
)
@click.option("--system", "--data", hidden=True, is_eager=True, expose_value=False, callback=_of_laboratory)
@gated
@options.parts
@options.database
@click.pass_context
def evaluate(
    context: click.Context,
    name: str,
    bounds: str | None,
    is_judged: bool,
    collection: str | None,
    owner: str | None,
    **named: Any,
) -> None:
    """Ask a named set of own questions, and exit with 1 where the answers fall short of a gate.

    Each question is asked over its collections, in a conversation of its own. Replies and collections are those of
    --user. The measures go to standard output as one line of JSON, and a line per question to standard error.
    """
    run(lambda: context.obj(**named), named["db"], name, bounds, collection, owner, is_judged=is_judged)


def run(
    opened: Callable[[], Assistant],
    db: Path | None,
    name: str,
    gate: str | None,
    collection: str | None,
    owner: str | None,
    *,
    is_judged: bool,
) -> None:
    """Add the owner's judged replies to the set, or ask its questions as the owner and hold the measures to the gate.

    Raises:
        UsageError: the set or the gate cannot be read.
        NotFound: there is no such user.
        SearChainError: the set falls short, or a question failed.
    """
    file, bounds = _file(name), [] if gate is None else bounds_of(gate)
    user = LOCAL
    if is_judged or owner is not None:
        with writable(db) as store:
            user = LOCAL if owner is None else users.canonical(store, owner)
            if is_judged:
                _add(file, list(cases(store, user, collection)))
                return
    found = read_jsonl(file, _case, _FORM) if file.exists() else []
    if not found:
        raise UsageError(f"the set {name!r} has no questions; judge replies, then: eval --set {name} --judged")
    with closing(opened()) as assistant:
        asked = [(case, _asked(assistant, case, user)) for case in found]
    values = measures(asked)
    click.echo(json.dumps({"set": name, "questions": len(asked), **values}))
    short = [
        f"{measure} is {values[measure]:.3f}, not {sign} {bound:g}"
        for measure, sign, bound in bounds
        if (values[measure] < bound if sign == ">=" else values[measure] > bound)
    ]
    if short:
        raise SearChainError(f"the set {name!r} falls short: {'; '.join(short)}")


def _file(name: str) -> Path:
    if name.endswith(".jsonl"):
        return Path(name)
    if not name or not all(one.isascii() and (one.islower() or one.isdigit() or one in "-_") for one in name):
        raise UsageError(f"{name!r} cannot be the name of a set; use a-z, 0-9, - and _, or the path of a .jsonl file")
    return home() / "sets" / f"{name}.jsonl"


def _case(values: dict[str, Any]) -> Case:
    """Return the case of a line. Raises ``ValueError`` or ``KeyError`` if a value is missing or of another type."""
    lists = {name: values.get(name) or [] for name in ("collections", "answers", "wrong")}
    if not all(isinstance(some, list) for some in lists.values()):
        raise ValueError("not all lists")
    texts = [values["id"], values["question"], values.get("index") or "", *chain(*lists.values())]
    if not all(isinstance(one, str) for one in texts):
        raise ValueError("not all texts")
    index = values.get("index")
    return Case(values["id"], values["question"], index=index, **{name: tuple(some) for name, some in lists.items()})


def _add(file: Path, found: Sequence[Case]) -> None:
    """Add cases to the file, those whose turn it has already are written anew."""
    known = {case.id: case for case in (read_jsonl(file, _case, _FORM) if file.exists() else ())}
    new = {case.id: case for case in found if case.id not in known}
    file.parent.mkdir(parents=True, exist_ok=True)
    with write_whole(file) as draft:
        lines = [json.dumps(asdict(case), ensure_ascii=False) for case in (known | new).values()]
        draft.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    click.echo(f"{len(new)} judged replies added; {file} has {len(known | new)} questions")


def _asked(assistant: Assistant, case: Case, owner: str) -> Turn:
    where = assistant.searched(case.collections, case.index, owner=owner) if case.collections else case.index
    started = assistant.start(case.question, index=where, owner=owner)
    turn = fold(stored.event for stored in assistant.follow(started.turn, owner=owner))
    if turn.status is Status.FAILED:
        raise SearChainError(f"the question {case.question!r} failed: {turn.message}")
    sign = "right" if is_right(case, turn) else "wrong"
    click.echo(one_line(f"{sign}: {case.question} {rating(turn)} {turn.final_answer}"), err=True)
    return turn


def is_right(case: Case, turn: Turn) -> bool:
    """Return whether the reply gives an answer that is right, or none that was judged wrong."""
    if case.answers:
        return any(contains(answer, turn.final_answer) for answer in case.answers)
    if case.wrong:
        return not any(contains(answer, turn.final_answer) for answer in case.wrong)
    return turn.outcome is Outcome.NOT_FOUND


def measures(asked: Sequence[tuple[Case, Turn]]) -> dict[str, float]:
    """Return each of ``MEASURES`` over all questions."""
    told = [(is_right(case, turn), turn.outcome is Outcome.SUPPORTED, turn.outcome) for case, turn in asked]
    counts = {
        "right": sum(right for right, _, _ in told),
        "ticked": sum(ticked for _, ticked, _ in told),
        "ticked_wrong": sum(ticked and not right for right, ticked, _ in told),
        "not_found": sum(outcome is Outcome.NOT_FOUND for _, _, outcome in told),
    }
    return {name: count / max(1, len(told)) for name, count in counts.items()}


Bound = tuple[str, str, float]
"""A measure, ``>=`` or ``<=``, and a number."""


def bounds_of(gate: str) -> list[Bound]:
    """Read the bounds of a gate.

    >>> bounds_of("right>=0.8, ticked_wrong <= 0.02")
    [('right', '>=', 0.8), ('ticked_wrong', '<=', 0.02)]

    Raises:
        UsageError: it cannot be read.
    """
    found = []
    for part in filter(str.strip, gate.split(",")):
        sign = ">=" if ">=" in part else "<="
        measure, _, bound = (one.strip() for one in part.partition(sign))
        try:
            found.append((measure, sign, float(bound)))
        except ValueError:
            measure = ""
        if measure not in MEASURES or not 0 <= found[-1][2] <= 1:
            found.clear()
            break
    if not found:
        raise UsageError(
            f"the gate {gate!r} cannot be read; write such as right>=0.8, with bounds from 0 to 1, of "
            f"{', '.join(MEASURES)}"
        )
    return found
