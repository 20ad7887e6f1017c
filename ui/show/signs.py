"""The one table of signs and words for a reply, a sentence, a step and a run.

The page, the shell, exports and copies all use it, so that each state has the same name everywhere. No state is shown
by colour alone. The words are English; the page translates them to its reader's language.
"""

from collections import Counter
from dataclasses import dataclass

from searchain.events import Turn
from searchain.types import Outcome, Status, Support, Verdict
from ui.translation import N_, _


@dataclass(frozen=True, slots=True)
class Sign:
    icon: str
    word: str
    name: str
    """The name in CSS classes."""
    help: str = ""


# whether a reply is the answer
SUPPORTED = Sign("✓", N_("Supported"), "supported", N_("the passages carry it, and it is very likely right"))
QUOTED = Sign("❝", N_("Quoted"), "quoted", N_("its sources say all of it"))
UNSURE = Sign("?", N_("Not sure"), "unsure", N_("it may be wrong: read the passages it cites"))
PERHAPS = Sign("?", N_("Perhaps"), "perhaps", N_("it is probably wrong: read the passages it cites"))
NOT_FOUND = Sign("–", N_("Not found"), "not-found", N_("no passage answers it"))
UNRATED = Sign("–", N_("Not rated"), "unrated", N_("how often such answers are right was never measured"))
ASKS = Sign("?", N_("Which do you mean?"), "asks", N_("your question fits several things that were found"))
WAS_CHECKED = Sign("≡", N_("Checked"), "quoted")  # a text that was held against the documents
REPLIES = (SUPPORTED, QUOTED, UNSURE, PERHAPS, UNRATED, NOT_FOUND)
CHECKING = Sign("…", N_("Checking with a larger model"), "busy")

# whether the source of a sentence says it
SENTENCES = {
    Support.QUOTED: Sign("", N_("Word for word"), "verbatim", N_("it stands in its source word for word")),
    Support.SUPPORTED: Sign("✓", N_("Its source says it"), "carried", N_("in other words")),
    Support.PARTLY: Sign("?", N_("Its source says a part"), "partly", N_("the marked words do not stand there")),
    Support.UNSUPPORTED: Sign("!", N_("Its source does not say it"), "unsupported", N_("read the passage it cites")),
    Support.CONTRADICTED: Sign(
        "≠", N_("A passage says otherwise"), "contradicted", N_("compare the marked words with those of the passage")
    ),
    Support.ABSENT: Sign("–", N_("Not in the documents"), "absent", N_("no passage that was found speaks of it")),
    Support.OWN: Sign("", N_("from the model"), "own", N_("no passage was found for it")),
}

# how a run ended that did not come to its end
STOPPED = Sign("■", N_("Stopped"), "stopped")
FAILED = Sign("!", N_("Could not go on"), "failed")
INTERRUPTED = Sign("■", N_("Interrupted"), "interrupted")

OUTCOMES: dict[Outcome, Sign | None] = {
    Outcome.SUPPORTED: SUPPORTED,
    Outcome.QUOTED: QUOTED,
    Outcome.UNSURE: UNSURE,
    Outcome.UNRATED: UNRATED,
    Outcome.ASKS: ASKS,
    Outcome.NOT_FOUND: NOT_FOUND,
    Outcome.NO_SEARCH: None,
}
UNFINISHED = {Status.STOPPED: STOPPED, Status.FAILED: FAILED, Status.INTERRUPTED: INTERRUPTED}

# how the answer of one step was come by: this says nothing of how far it can be believed
VERDICTS = {
    Verdict.AGREED: Sign("=", N_("same in the article"), "agreed", N_("the model and the article say the same")),
    Verdict.CORRECTED: Sign(
        "↻", N_("the article says otherwise"), "corrected", N_("the article was followed, not the model")
    ),
    Verdict.COMPLETED: Sign("→", N_("looked up"), "completed", N_("the article answers what the model left to it")),
    Verdict.DISPUTED: Sign("≠", N_("the article disagrees"), "disputed", N_("the model keeps to its answer")),
    Verdict.UNCONFIRMED: Sign("?", N_("not confirmed"), "unconfirmed", N_("no passage confirms it")),
}
SEARCHING = Sign("…", N_("searching"), "busy")
READING = Sign("…", N_("reading"), "busy")
NOT_LOOKED_UP = Sign("–", N_("not looked up"), "unchecked")

# what somebody who is new here may do; each is said where its button stands
JUDGE = N_("Check replies by hand")
ANOTHER = N_("Ask another method…")


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
_SLOW = 9  # the number of calls above which a reply takes minutes on a small machine


def method(name: str) -> str:
    """Describe the method in the reader's language; return ``name`` if it is unknown."""
    return _(METHODS[name]) if name in METHODS else name


_CLAIMING = [(state, sign) for state, sign in SENTENCES.items() if state is not Support.OWN]


def tally(turn: Turn) -> str:
    """Count the sentences that claim something by the state that their sources give them."""
    states = Counter(sentence.support for sentence in turn.sentences)
    return " · ".join(f"{_(sign.word)}: {states[state]}" for state, sign in _CLAIMING if states[state])


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
