"""Reply to a question by reasoning: run the rounds, weigh their answer against the question's look-up, write."""

from collections.abc import Generator, Iterator
from dataclasses import replace

from searchain.chain.context import RunContext
from searchain.chain.dialogue import BudgetSpent
from searchain.chain.joined import NOT_ALL, asks_parts
from searchain.chain.rounds import SEVERAL, Rounds
from searchain.chain.tree import settle_new
from searchain.errors import SearChainError
from searchain.events import Event, ModelFault, RoundStarted
from searchain.reading.lists import ENUMERATION, enumerated
from searchain.reply.abstaining import abstained
from searchain.reply.conflicts import differs, told_agreement, told_conflict
from searchain.reply.weighing import Weighing
from searchain.reply.writer import Replier
from searchain.types import SETTLED, Judgement, Verdict


def reasoned_reply(run: RunContext, replier: Replier, *, wants_list: bool = False) -> Iterator[Event]:
    """Yield the events from the first round to ``RunFinished``.

    A service that fails after a step was settled ends the rounds; the reply then rests on the settled steps. Raises
    ``SearChainError`` if a service failed before any step was settled, and ``Cancelled`` if the run was stopped.
    """
    rounds, by_model, limit, doubt = Rounds(run), run.model_replies, "", ""
    try:
        if (yield from _is_told(run, replier, rounds, wants_list=wants_list)):
            return
        doubt = _doubt_of_parts(run)
    except (SearChainError, BudgetSpent) as fault:
        if isinstance(fault, SearChainError) and not any(node.verdict in SETTLED for node in run.tree):
            raise
        yield ModelFault(what=str(fault), action="replied from the steps checked so far")
        if not run.tree.path() and not asks_parts(run):
            rounds.silence = rounds.silence or f"{fault}, and the model had not written a step"
            if run.direct is not None and run.direct.done():
                yield from rounds.take_direct()
        yield from rounds.settle_open_nodes()
        by_model, limit = False, str(fault) if isinstance(fault, BudgetSpent) else ""
        doubt = NOT_ALL if asks_parts(run) else ""
    known = None if by_model or rounds.silence else abstained(run, replier)
    yield from replier.reply(
        by_model=by_model, is_cut=rounds.is_cut, silence=rounds.silence, limit=limit, known=known, doubt=doubt
    )


def _doubt_of_parts(run: RunContext) -> str:
    """Return why the answers to several things are not supported, whatever their probabilities; ``""`` if nothing.

    Raises ``RetrievalError``, ``ReaderError``, ``Cancelled`` or ``BudgetSpent`` if passages could not be read again.
    """
    if not asks_parts(run):
        return ""
    differing = next((node.query for node in run.tree.path() if differs(run, node.query)), "")
    return f"what was found differs on “{differing}”" if differing else ""


def agreement_reply(run: RunContext, replier: Replier) -> Iterator[Event]:
    """Reply whether documents say the same, where the question of the run is what they say.

    Raises as ``reasoned_reply``.
    """
    if not (yield from told_agreement(run, replier)):
        yield from reasoned_reply(run, replier)


def _is_told(run: RunContext, replier: Replier, rounds: Rounds, *, wants_list: bool) -> Generator[Event, None, bool]:
    """Run the rounds; return whether the reply was given on the way, as an enumeration or as values that differ.

    Where one look-up likely suffices, the passages of the question itself are asked first whether they differ.
    """
    if wants_list and (yield from _enumerate(run, replier)):
        return True
    is_one_look_up = run.direct is not None and run.expected < SEVERAL
    if is_one_look_up and (yield from told_conflict(run, replier, run.question)):
        return True
    yield from rounds.events()
    if not rounds.is_answered:
        yield from Weighing(run, rounds, replier).events()
    yield from rounds.settle_open_nodes()
    path = run.tree.path()
    return bool(path) and not asks_parts(run) and (yield from told_conflict(run, replier, path[-1].query))


def _enumerate(run: RunContext, replier: Replier) -> Generator[Event, None, bool]:
    """Reply with the enumeration that the look-up of the question finds; return whether it finds one."""
    if run.direct is None or run.lookups is None:
        return False
    evidence = run.wait(run.direct)
    found = enumerated(run.question, evidence.hits, evidence.readings)
    if found is None:
        return False
    evidence = replace(evidence, chosen=found[0], reading=found[1])
    judgement = Judgement(Verdict.COMPLETED, ENUMERATION, found[1].answer, probability=found[1].probability)
    yield RoundStarted(round=1)
    yield from settle_new(run.tree, run.question, 1, evidence, judgement)
    yield from replier.reply(by_model=False)
    return True
