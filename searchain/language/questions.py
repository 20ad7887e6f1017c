"""Tell by its wording what a question asks for: its task and its nested parts. Claims become questions."""

import re

from searchain.language import text
from searchain.language.same_answer import label_of
from searchain.types import Step, TaskKind

_LONG = re.compile(
    r"^(?:why|how (?:do|does|did|is|are|was|were|can|could|come|should|would|has|have)|explain|describe|discuss|"
    r"summari[sz]e|tell me (?:about|how|why)|what (?:is|are) the (?:difference|reasons?|causes?|advantages?|"
    r"effects?)|"
    r"what (?:causes|happens|would happen)|eli5)\b|, (?:why|how do)\b",
    re.IGNORECASE,
)
_ORDER = re.compile(r"^(?:name|give|list|find|identify|tell|state the)\b", re.IGNORECASE)
_CLAIM_LEAD = re.compile(
    r"^(?:(?:is it true that|true or false|fact[- ]?check|verify|claim)\s*[:,]?\s*)", re.IGNORECASE
)
_CLAUSE = frozenset("who whom whose which that where when".split())
_JOINING = frozenset("and or of the a an in on at for to with".split())


def choose_task(question: str) -> TaskKind:
    """Choose the task kind by the form of the question.

    >>> choose_task("Who wrote Hamlet?").value, choose_task("Is Kyoto on Honshu?").value
    ('multihop', 'yesno')
    >>> choose_task("Hamlet was written in 1700.").value, choose_task("Why is the sky blue?").value
    ('factcheck', 'longform')
    """
    question = question.strip('"“” ')
    if lead := _CLAIM_LEAD.match(question):
        return (
            TaskKind.YESNO
            if lead[0].lower().startswith("is it true") and question.endswith("?")
            else TaskKind.FACTCHECK
        )
    if _LONG.search(question):
        return TaskKind.LONGFORM
    first = re.split(r"[\s']", question.casefold(), maxsplit=1)[0]
    if first in text.YES_NO_OPENERS and "or" not in question.split():
        return TaskKind.YESNO
    asks = first in text.QUESTION_WORDS or _ORDER.match(question)
    return TaskKind.FACTCHECK if not asks and _claims(question) else TaskKind.MULTIHOP


def _claims(statement: str) -> bool:
    """Tell whether a text is a sentence with its full stop, not a question or a search phrase."""
    words = statement.split()
    has_small_words = any(word.islower() and word.strip(",.") not in _JOINING for word in words)
    return statement.endswith(".") and len(words) >= 3 and has_small_words


def wants_label(step: Step, task: TaskKind) -> bool:
    """Tell whether a step is answered with a label (yes, no, SUPPORTS, REFUTES), not a span.

    Such a step is a yes/no question, a claim or a comparison, or the model answered it with a label.
    """
    is_label = step.answer is not None and label_of(step.answer) is not None
    is_sentence = text.is_statement(step.query) or step.query.rstrip().endswith(".")  # "In 1994, X won."
    is_claim = task is TaskKind.FACTCHECK and is_sentence
    return is_label or is_claim or text.is_yes_no_question(step.query) or text.is_comparison(step.query)


def as_question(claim: str) -> str | None:
    """Rewrite a claim with "is", "are", "was" or "were" as a yes/no question; ``None`` for other claims.

    >>> as_question("Bats are birds."), as_question("Bats can fly.")
    ('Are Bats birds?', None)
    """
    found = re.fullmatch(r"(.+?) (is|was|are|were) (.+)", claim.strip().rstrip("."))
    return f"{found[2].capitalize()} {found[1]} {found[3]}?" if found else None


def nesting(question: str) -> tuple[int, int]:
    """Return the number of nested clauses in a question, and the number of "of" and possessives.

    >>> nesting("On which island is the city where the maker of Mario has its headquarters?")
    (1, 1)
    """
    words = [word.casefold() for word in re.findall(r"[\w'’]+", question)]
    return sum(word in _CLAUSE for word in words[2:]), sum(
        word == "of" or word.endswith(("'s", "’s")) for word in words[1:]
    )
