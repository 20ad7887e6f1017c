"""What a question asks for, how it is answered, and whether it stands alone."""

from __future__ import annotations

import re
from collections.abc import Sequence

from searchain.language import text
from searchain.language.answer_kinds import asks_for_person, asks_for_place
from searchain.language.same_answer import label_of
from searchain.types import Exchange, Step, TaskKind

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
_GAP = re.compile(
    r"\b(?:is|are|was|were|by|as|of|in|the|an?|called|named|known as|(?:in|on|by|at|to|of|from) this \w+|"
    r"a\(n\))\W*$|_{2,}",
    re.IGNORECASE,
)
"""Where a sentence breaks off: what is missing is asked for."""
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
"""A thing typed without a capital and a full stop, by what is known of it ("the country where …")."""
_JOINING = frozenset("and or of the a an in on at for to with".split())
_POLITE = re.compile(
    r"^(?:please\s+)?(?:can|could|would|will|do) you (?:please )?(?=tell|explain|describe|say|name|list|know)"
    r"(?:(?:tell me|say|know)\s+)?",
    re.IGNORECASE,
)
_POINTING = re.compile(
    r"\b(?:it|its|he|him|his|she|her|hers|they|them|their|theirs|this|that|these|those|the same|the other|former|"
    r"latter"
    r"|there(?=\W*$)|then(?=\W*$))\b",
    re.IGNORECASE,
)
_PERSONAL = {"he", "him", "his", "she", "her", "hers"}
_IMPERSONAL = {"it", "its", "there"}
_CONTINUING = re.compile(
    r"^(?:and|but|so|also|or|what about|how about|what else|who else|why\s*\??$|when\s*\??$|where\s*\??$)\b",
    re.IGNORECASE,
)


def choose_task(question: str) -> TaskKind:
    """The task kind, from the form of the question.

    >>> choose_task("Who wrote Hamlet?").value, choose_task("Is Kyoto on Honshu?").value
    ('multihop', 'yesno')
    >>> choose_task("Hamlet was written in 1700.").value, choose_task("Why is the sky blue?").value
    ('factcheck', 'longform')
    """
    if slot_question(question) is not None:
        return TaskKind.SLOTS
    question = _POLITE.sub("", question.strip().strip('"“”').strip())
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
    is_statement = (
        not question.endswith(("?", "？")) and first not in text.QUESTION_WORDS and not _ORDER.match(question)
    )
    if is_statement and _is_query(question):
        return TaskKind.MULTIHOP
    words = question.split()
    is_sentence = (
        question.endswith(".")
        and len(words) >= 3
        and any(word.islower() and word.strip(",.") not in _JOINING for word in words)
    )
    if is_statement and (is_sentence or (len(words) >= 4 and _VERB.search(question))):
        return TaskKind.FACTCHECK
    return TaskKind.MULTIHOP


def slot_question(slot: str) -> str | None:
    """The question of a slot to fill, as KILT writes them; ``None`` for what is no slot.

    >>> slot_question("Kyoto [SEP] country"), slot_question("Where is Kyoto?")
    ('What is the country of Kyoto?', None)
    """
    subject, found, relation = (part.strip() for part in slot.partition("[SEP]"))
    return f"What is the {relation} of {subject}?" if subject and found and relation else None


def _is_query(statement: str) -> bool:
    """Whether something with the form of a statement asks after all, as people type questions."""
    if statement.endswith((".", "!")):
        return False
    return bool(_GAP.search(statement) or _ASKED_INSIDE.search(statement) or _DESCRIBED.match(statement))


def wants_label(step: Step, task: TaskKind) -> bool:
    """Tell whether a step is answered with a label (yes, no, SUPPORTS, REFUTES), not a span.

    Such a step is a yes/no question, a claim or a comparison, or the model answered it with a label.
    """
    is_label = step.answer is not None and label_of(step.answer) is not None
    is_claim = task is TaskKind.FACTCHECK and text.is_statement(step.query)
    return is_label or is_claim or text.is_yes_no_question(step.query) or text.is_comparison(step.query)


def needs_history(question: str) -> bool:
    """Whether a question leans on what was said before: it points back, or continues.

    >>> needs_history("When was it founded?"), needs_history("When was Nintendo founded?")
    (True, False)
    """
    words = question.split()
    pointing = _POINTING.search(question)
    # what the question itself named first is pointed at inside it ("When did Disneyland open its gates?")
    if pointing and text.names(question[: pointing.start()]):
        pointing = None
    # "the city that hosts it": the relative pronoun points at its own noun
    if pointing and pointing[0].lower() == "that" and pointing.start() > 0:
        pointing = _POINTING.search(question, pointing.end())
    return bool(pointing or _CONTINUING.match(question.strip()) or (len(words) <= 3 and not text.names(question)))


def points_back(question: str) -> bool:
    """Whether a word of the question stands for something said before, which a rule can put in its place.

    >>> points_back("When was it founded?"), points_back("And Sweden?")
    (True, False)
    """
    return bool(_POINTING.search(question))


def standalone_by_rule(question: str, history: Sequence[Exchange]) -> str:
    """The follow-up with its first pointing word replaced by what the conversation was about.

    That is the last short answer, unless it is a date, a number or a label, or of another kind than the word stands
    for ("In which country was Kipling born?" "When did he die?"): then it is what the last question named.
    """
    pointing = _POINTING.search(question)
    topic = _topic(history[-1], pointing[0].lower() if pointing else "") if history else ""
    if not topic:
        return question
    replaced, count = _POINTING.subn(
        lambda m: topic + ("'s" if m[0].lower() in ("its", "his", "her", "their") else ""), question, count=1
    )
    if count:
        return replaced
    rest = _CONTINUING.sub("", question).strip(" ?,")
    return f"{rest[:1].upper()}{rest[1:]} ({topic})?" if rest else f"{question.rstrip('?')} {topic}?"


def is_usable_rewrite(rewritten: str, question: str, history: Sequence[Exchange]) -> bool:
    """Whether a model's standalone question may replace ``question``: one line of sane length that keeps what was
    asked, points nowhere, and names only what the conversation named."""
    said = text.content_words(" ".join([question, *(f"{e.question} {e.answer} {e.final_answer}" for e in history)]))
    asked = text.content_words(question)
    kept = text.content_words(rewritten)
    return (
        5 <= len(rewritten) <= 400
        and "\n" not in rewritten
        and len(kept & asked) * 2 >= len(asked)
        and not needs_history(rewritten)
        and {text.stem(name) for name in text.names(rewritten)} <= said
    )


def told(history: Sequence[Exchange]) -> str:
    """The last three exchanges, for the prompt that makes a question standalone."""
    return "\n".join(f"Question: {said.question}\nAnswer: {said.final_answer or said.answer}" for said in history[-3:])


def _topic(last: Exchange, pointing: str) -> str:
    answer = last.final_answer.strip()
    is_other = (pointing in _PERSONAL and asks_for_place(last.question)) or (
        pointing in _IMPERSONAL and asks_for_person(last.question)
    )
    is_name = (
        answer
        and not is_other
        and len(answer.split()) <= 6
        and not text.dates(answer)
        and not text.numbers(answer)
        and (text.tokens(answer)[:1] not in (("yes",), ("no",), ("supports",), ("refutes",)))
    )
    if is_name:
        return answer
    spans = re.findall(r"(?:[A-Z][\w'’.-]*)(?:\s+(?:of|the|de|von|van|and|[A-Z][\w'’.-]*))*", last.question)
    named = [span for span in spans if text.tokens(span) and text.tokens(span)[0] not in text.QUESTION_WORDS]
    return max(named, key=len, default=answer if is_other else "")
