"""Descriptions of the methods for the page, whose readers do not know the names from research."""

from searchain.events import Turn
from ui.translation import N_, _

METHODS = {
    "searchain": N_("Plan the steps, look each one up, correct the plan"),
    "searchain-no-ir": N_("Plan the steps, look nothing up"),
    "searchain-no-verification": N_("Plan and look up, but never correct the model"),
    "searchain-no-completion": N_("Plan and look up, but leave open steps open"),
    "searchain-paper": N_("Plan and look up as the research paper describes it"),
    "searchain-few-shot": N_("Plan and look up with a model that only saw examples"),
    "direct-retrieval": N_("Look the question up once"),
    "direct": N_("Ask the model alone, from memory"),
    "cot": N_("Let the model think aloud, from memory"),
    "auto-cot": N_("Think step by step, after examples of its own"),
    "cot-sc": N_("Think several times and take the vote"),
    "recite": N_("Recall passages from memory and take the vote"),
    "self-ask-no-ir": N_("Ask and answer its own follow-up questions"),
    "least-to-most": N_("Solve the simplest part first, then the whole"),
    "plan-and-solve": N_("Make a plan, then solve it"),
    "plan-and-solve-ir": N_("Make a plan, look all of it up at once, then solve it"),
    "toolformer": N_("Look something up in the middle of writing"),
    "self-ask": N_("Ask its own follow-up questions and look each one up"),
    "react-cot-sc": N_("Think and look up in turn"),
    "verify-and-edit": N_("Where several answers differ, look up and correct them"),
    "tree-of-thought-ir": N_("Weigh several next questions, look up the best"),
    "dsp": N_("Look up two steps in many wordings and take the vote"),
}
"""Plain descriptions of each method by its name, beginning with those most like SearChain."""
FIRST = ("direct-retrieval", "direct", "cot")
"""The methods that show a newcomer most: a search without a plan, the model alone, and the model thinking aloud."""
_COSTS = {
    "direct-retrieval": N_("fast: one search, one short answer"),
    "direct": N_("fastest: no search, one short answer"),
    "cot": N_("fast: no search, one longer answer"),
    "auto-cot": N_("no search, one longer answer after examples"),
    "self-ask-no-ir": N_("no search, one longer answer of questions and answers"),
}
"""Costs of the methods that call the model once, which the number of calls cannot tell apart."""
_SLOW = 9
"""The number of calls above which a reply takes minutes on a small machine."""


def method(name: str) -> str:
    """Describe the method in the reader's language; return ``name`` if it is unknown."""
    return _(METHODS[name]) if name in METHODS else name


def heading(turn: Turn) -> str:
    """Return the question of a turn, with the method where the turn is compared with another."""
    if turn.beside is None:
        return turn.question
    return _("{question} ({method})", question=turn.question, method=method(turn.system))


def cost(name: str, calls: int) -> str:
    """Describe the cost of one question: its speed, and how much the model writes."""
    if name in _COSTS:
        return _(_COSTS[name])
    if calls < _SLOW:
        return _("the model writes about {calls} times", calls=calls)
    return _("slow: the model writes about {calls} times", calls=calls)
