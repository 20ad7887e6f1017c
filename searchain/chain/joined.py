"""Look up each part of a question that asks for several things, and give all answers.

A small model that plans such a question asks one part, or gives the answer of the last step alone. The parts are those
of ``searchain.question.parts``.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

from searchain.chain.context import RunContext
from searchain.language import text
from searchain.language.comparing import Decision
from searchain.question.follow_ups import Resolver, led_by
from searchain.question.wording import ASKING
from searchain.types import Exchange, Node, Verdict

RULE = "joined"
NOT_ALL = "not all that the question asks for was looked up"
JOINED = "; "
"""What stands between the answers."""
LEAST_LIKELY_PART = 0.4
"""Least probability of a part's answer that is given; the page gives a less likely one no headline."""


def queries_of(part: str, said: Sequence[Exchange], resolver: Resolver) -> tuple[str, ...]:
    """Return the queries that a part may mean, completed from the parts before it, with and without their answers.

    >>> from searchain.question.follow_ups import BY_WORDS
    >>> queries_of("population of Peru", (), BY_WORDS)
    ('What is the population of Peru?',)
    """
    asked = [replace(one, answer="", final_answer="") for one in said]
    return tuple(dict.fromkeys(_query(part, each, resolver) for each in (said, asked)))


def _query(part: str, said: Sequence[Exchange], resolver: Resolver) -> str:
    whole = resolver.standalone(part, said).strip(" ?,;.")
    if ASKING.isdisjoint(text.tokens(whole)):
        named = whole if "'s " in whole else f"the {whole.removeprefix('the ')}"
        whole = f"what is {named}"  # a question finds more than a name
    return f"{whole[:1].upper()}{whole[1:]}?"


def likeliest_query(run: RunContext, queries: Sequence[str], said: Sequence[Exchange]) -> str:
    """Return the query with the likeliest answer that no part before it has.

    All are looked up together with what was asked before. Raises ``RetrievalError``, ``ReaderError``, ``Cancelled`` or
    ``BudgetSpent``.
    """
    if run.lookups is None:
        return queries[0]
    led = led_by(said, run.resolver.leans) if said else ""
    before = f"{run.before} {led}".strip()
    futures = [run.lookups.start(query, before) for query in queries]
    readings = [run.wait(future).reading for future in futures]
    known = [one.final_answer.casefold() for one in said]
    rated = [
        reading.probability or 0.0 if reading is not None and reading.answer.casefold() not in known else 0.0
        for reading in readings
    ]
    return queries[rated.index(max(rated))]


def answered(query: str, node: Node) -> Exchange:
    """Return the step of a part as what was said before the next one. An unlikely answer counts as none."""
    answer = "" if _is_weak(node) else node.answer or ""
    return Exchange(query, answer, answer)


def conclusion(path: Sequence[Node]) -> Decision | None:
    """Return the answers of a path of parts, as far as they are likely; ``None`` without any."""
    nodes = tuple(node for node in path if node.answer and not _is_weak(node))
    return Decision(JOINED.join(node.answer or "" for node in nodes), nodes, RULE) if nodes else None


def with_weak_open(run: RunContext, path: Sequence[Node]) -> tuple[Node, ...]:
    """Return the path on which parts of the question with unlikely answers are open, so that the reply says so."""
    are_parts = asks_parts(run)
    return tuple(
        replace(node, verdict=Verdict.UNCONFIRMED, answer=None) if are_parts and _is_weak(node) else node
        for node in path
    )


def asks_parts(run: RunContext) -> bool:
    """Tell whether the steps of the run are the parts of its question, and not a chain that a model planned."""
    is_informed = run.settings.shows_passages_first(run.strategy.abilities)
    return bool(run.parts) and run.strategy.helps and not is_informed


def _is_weak(node: Node) -> bool:
    return node.probability is not None and node.probability < LEAST_LIKELY_PART


def probability_of(nodes: Sequence[Node]) -> float | None:
    """Return how likely all answers of the nodes are right; ``None`` if one was not rated."""
    known = [node.probability for node in nodes if node.probability is not None]
    return math.prod(known) if len(known) == len(nodes) else None
