"""Choose the task of a question, and rewrite slots, search phrases and claims as questions."""

from __future__ import annotations

import re

from searchain.language import text
from searchain.language.answer_kinds import AnswerKind, kind_asked
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
_VERB = re.compile(
    r"(?<=\s)(?:is|are|was|were|has|have|had|does|did|can|will|won|wrote|made|became|lies|lives|died|stars|"
    r"features|contains"
    r"|includes|belongs|borders|produces|began|ended|founded|invented|discovered|painted|directed"
    r"|\w{3,}ed (?:in|by|at|to|an?|the|on|as|with|from|for))\b",
    re.IGNORECASE,
)
_SHORT_CLAIM = re.compile(
    r"(?!(?:it|this|that|he|she|they|there)\b)[\w'’-]+ (?:is|are|was|were) [\w'’-]+", re.IGNORECASE
)
"""Matches a claim of three words: "bats are birds"."""
_GAP = re.compile(
    r"\b(?:is|are|was|were|by|as|of|in|the|an?|called|named|known as|(?:in|on|by|at|to|of|from) this \w+|"
    r"a\(n\))\W*$|_{2,}",
    re.IGNORECASE,
)
"""Matches the end of an incomplete sentence or a gap in it; the missing words are asked for."""
_ASKED_INSIDE = re.compile(
    r"\b(?:in|on|of|from|by|to|into|at|for|with|under|is|are|was|were|and|part of|called)\s+(?:the\s+)?(?:what|"
    r"which|whose|whom|how (?:much|many))\b"
    r"|\bwhat (?:is|are|was|were|did|does|do|other)\b",
    re.IGNORECASE,
)
_DESCRIBED = re.compile(
    r"^(?:the |an? )?(?:[a-z'’-]+ ){1,5}(?:where|who|whom|whose|that|which)\b(?!.*,)|^(?:two|three|four|five|six) "
    r"(?:[a-z]+ ){0,2}\w+s \w+ed\b"
)
"""Matches the description of a thing, typed in small letters ("the country where …")."""
_JOINING = frozenset("and or of the a an in on at for to with".split())


_PHRASE = re.compile(
    r"(?:the )?(?!.*\b(?:is|are|was|were|has|had|who|what|which|that|lies|\w{3,}ed)\b)(?:[\w-]+ )?[\w-]*[^\Ws] of "
    r"(?:[\w'’.-]+ ){0,4}[\w'’.-]+",
    re.IGNORECASE,
)
"""Matches a phrase of the form "X of Y", such as "capital of brazil"."""


def whole_question(typed: str) -> str:
    """Rewrite a search phrase as a question, if the phrase shows what kind of answer is wanted.

    Anything else is returned as it is.

    >>> [whole_question(one) for one in ("capital of brazil", "author of Hamlet", "king of spain abdicated in 2014")]
    ['What is the capital of brazil?', 'Who is the author of Hamlet?', 'king of spain abdicated in 2014']
    """
    phrase = typed.strip().rstrip("? ").removeprefix("the ")
    if _PHRASE.fullmatch(phrase) is None or choose_task(typed) is TaskKind.FACTCHECK:
        return typed
    match kind_asked(f"What is the {phrase}"):
        case AnswerKind.PERSON if phrase[0].islower() or phrase[:3].isupper():
            return f"Who is the {phrase}?"
        case AnswerKind.NAMED_PLACE | AnswerKind.NUMBER:
            return f"What is the {phrase}?"
    return typed


def choose_task(question: str) -> TaskKind:
    """Choose the task kind by the form of the question.

    >>> choose_task("Who wrote Hamlet?").value, choose_task("Is Kyoto on Honshu?").value
    ('multihop', 'yesno')
    >>> choose_task("Hamlet was written in 1700.").value, choose_task("Why is the sky blue?").value
    ('factcheck', 'longform')
    """
    if slot_question(question) is not None:
        return TaskKind.SLOTS
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
    if first in text.YES_NO_OPENERS and not re.search(r"\bor\b", question):
        return TaskKind.YESNO
    asks = question.endswith(("?", "？")) or first in text.QUESTION_WORDS or _ORDER.match(question) or _asks(question)
    return TaskKind.FACTCHECK if not asks and _claims(question) else TaskKind.MULTIHOP


def _claims(statement: str) -> bool:
    """Tell whether a text that is not a question is a sentence, not a search phrase."""
    words = statement.split()
    has_small_words = any(word.islower() and word.strip(",.") not in _JOINING for word in words)
    is_sentence = statement.endswith(".") and len(words) >= 3 and has_small_words
    return is_sentence or bool((len(words) >= 4 and _VERB.search(statement)) or _SHORT_CLAIM.fullmatch(statement))


def slot_question(slot: str) -> str | None:
    """Rewrite a slot of KILT ("subject [SEP] relation") as a question; ``None`` for other texts.

    >>> slot_question("Kyoto [SEP] country"), slot_question("Where is Kyoto?")
    ('What is the country of Kyoto?', None)
    """
    subject, found, relation = (part.strip() for part in slot.partition("[SEP]"))
    return f"What is the {relation} of {subject}?" if subject and found and relation else None


def _asks(statement: str) -> bool:
    """Tell whether a text in the form of a statement is meant as a question."""
    if statement.endswith((".", "!")):
        return False
    return bool(_GAP.search(statement) or _ASKED_INSIDE.search(statement) or _DESCRIBED.match(statement))


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
