"""Words for the states of a turn, with the signs of ``ui.show.signs``."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from urllib.parse import urlsplit

from searchain.check import SYSTEM as CHECKED
from searchain.events import Turn
from searchain.language.text import contains, content_words
from searchain.reply import notes
from searchain.reply.outcome import NOT_SURE
from searchain.reply.template import who_differs
from searchain.types import JOINT, WEB, Node, Outcome, Sentence, Status, Support, TaskKind, Verdict, is_own
from ui.show import signs
from ui.translation import N_, _, day, n_, number

_PRESENT = {
    Support.VERIFIED: Support.SUPPORTED,
    Support.CORRECTED: Support.SUPPORTED,
    Support.COMPLETED: Support.SUPPORTED,
    Support.WEAK: Support.UNSUPPORTED,
    Support.NONE: Support.OWN,
}
"""A state stored by an older version → the present state, of a sentence that is not quoted."""

_RULES = {
    "exact": N_("the same words"),
    "alias": N_("another name of the same"),
    "contained": N_("one is a part of the other"),
    "token-f1": N_("nearly the same words"),
    "date": N_("the dates were compared"),
    "number": N_("the numbers were compared"),
    "negation": N_("one denies what the other says"),
    "different": N_("they name different things"),
    "not-comparable": N_("the two cannot be compared"),
    "low-confidence": N_("what was read is too unsure to judge by"),
    "below-floor": N_("what was read is too unsure to be an answer"),
    "no-span": N_("no answer stands in the passage"),
    "nothing-found": N_("no passage was found"),
    "read": N_("what was read is sure enough"),
    "read-below-threshold": N_("what was read is not sure enough"),
    "window": N_("the sentences nearest to the query"),
    "rouge-l": N_("the overlap of words"),
    "reading-in-answer": N_("the answer holds what was read"),
    "reading-not-in-answer": N_("the answer does not hold what was read"),
    "stance": N_("the passages, for and against"),
    "proposed": N_("what the passage answers instead of yes or no"),
    "leaning": N_("the passages, which lean to one side"),
    "second-reading": N_("the careful model read it"),
    "statement-found": N_("the passage states it"),
    "undecided": N_("the passages decide it neither way"),
    "in-passage": N_("the model’s answer stands in the passage"),
    "differs": N_("the sources do not agree"),
    "agreed": N_("what each document says was compared"),
    "cell": N_("a value that the answer is computed from"),
    "computed": N_("computed from the cited values"),
    "documents": N_("looked through and counted, passage by passage"),
    "asked-before": N_("the same was asked before"),
    "rounds-used-up": N_("no round was left to check it"),
    "not-reached": N_("the run ended before it was checked"),
    "verification-off": N_("answers are not checked"),
    "completion-off": N_("open steps are not completed"),
}


def rule(node: Node) -> str:
    """Describe the rule that decided the verdict of ``node``; ``""`` without a rule."""
    return _(_RULES.get(node.rule or "", node.rule or ""))


def rated(turn: Turn, sentence: Sentence) -> signs.Sign | None:
    """Return the sign for whether the source of ``sentence`` says it.

    ``None`` until the run is over, unless a text is checked; for a sentence about the run; in replies never checked.
    """
    if turn.system == CHECKED:  # each sentence is marked as soon as it is judged; one that claims nothing is not
        return None if sentence.support is Support.OWN else signs.SENTENCES[sentence.support]
    is_over = turn.status is not None and turn.outcome not in (None, Outcome.NO_SEARCH, Outcome.NOT_FOUND)
    if not is_over or notes.is_note(sentence.text):
        return None
    if not sentence.marks and any(node.rule == notes.ABOUT_DOCUMENTS for node in turn.nodes):
        return None  # it counts
    if any(node.rule == notes.COMPUTED for node in turn.nodes):
        return None  # its values are quoted, and the program computes the rest
    state = sentence.support
    if state in _PRESENT:
        state = Support.QUOTED if _is_quoted(turn, sentence) else _PRESENT[state]
    return signs.SENTENCES[state]


def _is_quoted(turn: Turn, sentence: Sentence) -> bool:
    cited = filter(None, map(turn.source, sentence.citations))
    return any(contains(sentence.said, source.passage.text) for source in cited)


def ratings(turn: Turn) -> list[signs.Sign]:
    """Return the signs of the sentences of ``turn`` that have an icon, each once, the best first."""
    used = {rated(turn, sentence) for sentence in turn.sentences}
    return [sign for sign in signs.SENTENCES.values() if sign in used and sign.icon]


def backing(turn: Turn, sentence: Sentence, sign: signs.Sign) -> str:
    """Explain the ``sign`` of ``sentence``; a quotation names its source."""
    titles = [source.passage.title for number in sentence.citations if (source := turn.source(number))]
    if sign is signs.SENTENCES[Support.QUOTED] and titles:
        return _("Word for word from “{title}”", title=titles[0])
    return f"{_(sign.word)}: {_(sign.help)}"


def ending(status: Status | None, outcome: Outcome | None, probability: float | None) -> signs.Sign | None:
    """Return the sign for how a turn ended; ``None`` while it goes on, or if nothing was searched.

    Only this function decides the sign. The tick means ``supported`` and nothing else.
    """
    if outcome is Outcome.UNSURE and probability is not None and probability < _DOUBTFUL:
        return signs.PERHAPS
    if outcome is not None:
        return signs.OUTCOMES[outcome]
    return signs.UNFINISHED.get(status, signs.UNRATED) if status is not None else None


def ended(turn: Turn) -> signs.Sign | None:
    """Return the sign for how ``turn`` ended.

    A run that a limit ended before it found anything was stopped. A reply without a short answer is a *Perhaps*.
    """
    if turn.system == CHECKED and turn.outcome is not None:
        return signs.WAS_CHECKED
    if turn.outcome is None and turn.status is Status.PARTIAL and turn.message:
        return signs.STOPPED
    if turn.outcome is Outcome.UNSURE and turn.answer.startswith(notes.NOT_OUTRIGHT):
        return signs.PERHAPS
    return ending(turn.status, turn.outcome, turn.probability)


def in_words(answer: str | None) -> str:
    """Return an answer as people say it: a claim's label becomes a sentence, and ``None`` is ``""``."""
    return _(_CLAIMS[answer]) if answer in _CLAIMS else answer or ""


def says_only(sentence: Sentence, answer: str) -> bool:
    """Return whether ``sentence`` only repeats the short ``answer``, so that one of them can be left out."""
    return sentence.said.strip(" .").casefold() == answer.strip(" .").casefold()


def outcome(turn: Turn) -> str:
    """Describe the outcome with the short answer: ``Supported: Honshu``; ``""`` if the run goes on or did not search.

    The short answer of an explanation or a comparison is left out, because the reply says the same.
    """
    sign = ended(turn)
    answer = "" if turn.task in UNTOLD else in_words(turn.final_answer)
    return "" if sign is None else f"{_(sign.word)}: {answer}" if answer else _(sign.word)


UNTOLD = (TaskKind.LONGFORM, TaskKind.COMPARE)
"""Kinds of question whose short answer only repeats the reply."""
_CLAIMS = {"SUPPORTS": N_("The claim is supported"), "REFUTES": N_("The claim is refuted")}


def understood(turn: Turn) -> str:
    """Return the question in the words in which it was looked up, where these only complete it; else ``""``.

    Words that were left out or exchanged may mean something else, and nobody would say so.
    """
    question, completed = turn.question, turn.standalone_question
    is_kept = content_words(question) <= content_words(completed) and len(completed) > len(question)
    return completed if is_kept else ""


def searched(turn: Turn) -> str:
    """Return the names of the collections and indexes that were searched."""
    others = (name for name in turn.index.split(JOINT) if not is_own(name))
    return ", ".join((*turn.collections, *others))


def searched_in(turn: Turn) -> str:
    """Describe what was searched in words: ``the introductions of English Wikipedia articles``."""
    others = [name for name in turn.index.split(JOINT) if name and not is_own(name)]
    told = [_("your documents “{name}”", name=name) for name in turn.collections]
    told += [_index_in_words(name) for name in others]
    return reduce(lambda one, other: _("{one} and {other}", one=one, other=other), told) if told else ""


def still_read(turn: Turn) -> str:
    """Say that files were not searched because they were still being read; ``""`` if all were searched."""
    if not turn.unread:
        return ""
    return n_(
        "{searched} of {files} files were searched; {n} is still being read",
        "{searched} of {files} files were searched; {n} are still being read",
        turn.unread,
        searched=turn.files - turn.unread,
        files=turn.files,
    )


def is_of_the_web(turn: Turn) -> bool:
    """Return whether the turn searches the web."""
    return turn.index.startswith(WEB)


def name_of(index: str) -> str:
    """Return the name of an index for people; for the web, ``the web (SearXNG at HOST)``."""
    if not index.startswith(WEB):
        return index
    return _("the web (SearXNG at {host})", host=urlsplit(index.removeprefix(WEB)).netloc)


def _index_in_words(index: str) -> str:
    if index == "default":
        return _("the introductions of English Wikipedia articles")
    return name_of(index) if index.startswith(WEB) else _("the collection “{name}”", name=index)


def sureness(turn: Turn) -> str:
    """Describe how many replies like this are right; for a quoted one, how many sources; or that the sources differ.

    The date of what is cited stands before it, if the question asks for what holds now. For a checked text count its
    sentences by state. Files that were not searched yet are named, too.
    """
    if turn.system == CHECKED:
        told = signs.tally(turn) if ended(turn) else ""
    elif turn.conflict:
        told = _(_DIFFER[who_differs([source.passage for source in turn.sources])])
    else:
        doubt = "" if turn.message.endswith(NOT_SURE) else turn.message
        told = odds(turn.outcome, turn.probability, doubt) or (
            _quoted_from(turn) if turn.outcome is Outcome.QUOTED else ""
        )
    dated = _("as of {date}", date=day(turn.as_of)) if turn.as_of else ""
    return " · ".join(filter(None, (dated, told, still_read(turn))))


_DIFFER = {
    notes.DOCUMENTS_DIFFER: N_("Your documents differ"),
    notes.ARTICLES_DIFFER: N_("The articles differ"),
    notes.SOURCES_DIFFER: N_("Your documents and the articles differ"),
}


def _quoted_from(turn: Turn) -> str:
    passages = [source.passage for source in turn.sources]
    count = len({one.place.document if one.place else one.title for one in passages})
    if turn.collections:
        return n_("from {n} document", "from {n} documents", count)
    return n_("from {n} article", "from {n} articles", count)


def odds(outcome: Outcome | None, probability: float | None, doubt: str = "") -> str:
    """Describe how many replies with this probability are right; ``""`` for outcomes that need no odds.

    ``doubt`` is why the reply has no tick, if that is not its probability.

    >>> odds(Outcome.UNSURE, 0.58)
    'about 6 in 10 such answers are right'
    """
    if outcome not in (Outcome.SUPPORTED, Outcome.UNSURE) or probability is None:
        return ""
    count = _tenths(probability)
    if count == 10:
        return _("over 9 in 10 such answers are right")
    if count == 0:
        return _("under 1 in 10 such answers is right")
    told = n_("about {n} in 10 such answers is right", "about {n} in 10 such answers are right", count)
    if outcome is Outcome.UNSURE and probability >= _NEAR_A_TICK and not doubt:
        return _("{odds}; a tick needs more", odds=told)
    return told


_DOUBTFUL = 0.4  # the probability below which an unsure answer is only a *Perhaps*, without a headline
_NEAR_A_TICK = 0.75  # the probability above which a reader may wonder why the reply has no tick


def likely(probability: float | None) -> str:
    """Describe a probability in words and as a number: ``about 9 in 10 (87 %)``; ``""`` if it was not measured."""
    if probability is None:
        return ""
    count, percent = _tenths(probability), _percent(probability)
    if count == 10:
        return _("over 9 in 10 ({percent})", percent=percent)
    if count == 0:
        return _("under 1 in 10 ({percent})", percent=percent)
    return _("about {count} in 10 ({percent})", count=count, percent=percent)


def weighed(turn: Turn) -> str:
    """List the answers that were compared in one line, the chosen one first; ``""`` if there were no candidates."""
    told = "; ".join(
        ", ".join(filter(None, (f"{in_words(one.answer)} {_ORIGINS[one.origin]}", likely(one.probability))))
        for one in turn.candidates
    )
    count = len(turn.candidates)
    what = "one answer was" if count == 1 else f"{_NUMBERS.get(count, count)} answers were"
    return told and f"{what} weighed: {told}"


_ORIGINS = {"question": "from the question itself", "chain": "from the chain"}
_NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five"}


def _tenths(probability: float) -> int:
    """Return how many of ten answers with this probability are right; halves are rounded up."""
    return int(10 * probability + 0.5)


def _percent(probability: float) -> str:
    percent = round(100 * probability)
    return _("over 99 %") if percent > 99 else _("under 1 %") if percent < 1 else f"{percent} %"


def state(turn: Turn, node: Node) -> signs.Sign:
    """Return the sign for what is happening to ``node``, or for how its answer was found."""
    if node.verdict is not None:
        return signs.VERDICTS[Verdict.UNCONFIRMED if is_withheld(turn, node) else node.verdict]
    if turn.status is not None or turn.writer is not None or any(other.round > node.round for other in turn.nodes):
        return signs.NOT_LOOKED_UP
    return signs.READING if node.id in turn.hits else signs.SEARCHING


def is_withheld(turn: Turn, node: Node) -> bool:
    """Return whether ``node`` is the last step of a reply “not found”, so that its answer is not believed."""
    return turn.outcome is Outcome.NOT_FOUND and not any(node.id == other.parent for other in turn.nodes)


def old_answer(turn: Turn, node: Node) -> str | None:
    """Return the model's answer that evidence replaced at ``node`` or at the node it replaces; else ``None``."""
    if node.verdict is not Verdict.CORRECTED:
        return None
    wrote = turn.node(node.mends).model_answer if node.mends is not None else node.model_answer
    return wrote if wrote != node.answer else None


def correction(turn: Turn, node: Node) -> str:
    """Describe a correction: ``The article says Kyoto; the model had said Tokyo.``; ``""`` without a correction."""
    old = old_answer(turn, node)
    if not old or not node.answer:
        return ""
    return _("The article says {answer}; the model had said {old}.", answer=in_words(node.answer), old=in_words(old))


def corrections(turn: Turn) -> list[tuple[str, int]]:
    """Return the corrections of the reply's sources, each with the number of a source that shows it."""
    told = ((correction(turn, turn.node(source.node)), source.number) for source in turn.sources)
    return list({text: (text, number) for text, number in told if text}.values())


def waiting(ahead: int) -> str:
    """Describe the length of the queue before a run: ``waiting, 12 before you``."""
    return _("waiting, {ahead} before you", ahead=ahead) if ahead else _("waiting, you are next")


def summary(turn: Turn) -> str:
    """Summarise the run in one line: ``5 searches · 3.2 s``."""
    count = len(turn.hits)
    if is_of_the_web(turn):
        searches = n_("{n} search of the web", "{n} searches of the web", count)
    else:
        searches = n_("{n} search", "{n} searches", count)
    return f"{searches} · {number(turn.usage.seconds, 1)} s"


def other_system(name: str, model: str) -> str:
    """Return the method's name; ``""`` for SearChain and for answers of other programs."""
    return "" if name == model or (name.startswith("searchain") and name != "searchain-few-shot") else name


def provenance(turn: Turn, asked: str) -> Iterator[str]:
    """Yield the time of the question, and the turn's model, index and profile if known."""
    index = turn.index and f"from {searched_in(turn)}"
    system = other_system(turn.system, turn.model)
    yield from filter(None, (f"{asked[:16].replace('T', ' ')} UTC", turn.model, index, turn.profile, system))
