"""The methods section of a round: small sentences, each from a fact of its log or its report.

Nothing is said of a setting that the log does not show to have been in force. ``DESK`` alone describes the program.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from statistics import median

from searchain.annotation.estimates import FEWEST_REPLIES
from searchain.annotation.guided_practice import graded
from searchain.annotation.labels import contradictions
from searchain.annotation.study import Annotator
from searchain.language.text import plural
from searchain.safe_text import one_line
from storage.annotation.pseudonyms import Names
from storage.annotation.record import Practice, Record
from storage.annotation.report import Report
from storage.annotation.studies import Entry

DESK = (
    "The desk proposes a division of each reply into knowledge items, which annotators can change.",
    "It asks how far the marked documents of a knowledge item together support it (complete, partial, none, "
    "contradicts, cannot tell), whether each mark stands where it belongs, where the support leaves that open, and "
    "whether a knowledge item without marks needs one.",
    "On its page annotators see neither the system nor what machines and others say; each has an own order of replies.",
    "Labels that were imported from a file, such as a judged set, need not have been made on this page: counts of "
    "labels and of annotators hold them, too.",
)
"""What the program does, whoever uses it."""
FIGURES = (
    "Figures are means over the annotators of a reply, then over replies; AMP pools the marks.",
    "Replies are the sample, and annotators are taken as they are.",
    f"Intervals are 95 % intervals, and there are none below {FEWEST_REPLIES} replies: Wilson’s with a design effect "
    "for shares, raw agreement and AC1, Student’s for counts, and Student’s with the jackknife’s variance for α, κ and "
    "paired differences.",
)
"""How the report computes, whatever is in it."""


def markdown(found: Report, record: Record, software: Sequence[str]) -> str:
    """Return the section, one sentence a line; ``software`` are sentences about what wrote it."""
    parts = [*sections(found, record), ("Software", software)]
    return "# Methods\n" + "".join(f"\n## {title}\n\n" + "".join(f"{one}\n" for one in said) for title, said in parts)


def sections(found: Report, record: Record) -> list[tuple[str, list[str]]]:
    """Return headings with their sentences."""
    parts = {
        "Replies": _replies(record),
        "Study": _study(found, record),
        "What the desk does": DESK,
        "Before the first reply": (*_practice(record), *_checks(record)),
        "Judging": (*_judging(record), *_guesses(record)),
        "Left out": _left_out(found, record),
        "Disagreement": _disagreement(found, record),
        "Machines": _machines(found, record),
        "Figures": (*FIGURES, *_compared(found)),
    }
    return [(title, [one_line(one) for one in said]) for title, said in parts.items()]


def _replies(record: Record) -> Iterator[str]:
    there = record.there
    systems = Counter(one.item.system for one in there)
    yield f"Replies on the desk: {len(there)}, of {plural(len(systems), 'system')} ({_listed(systems)})."
    if there:
        yield f"They were put there {_span(one.created for one in there)}."
    yield f"Replies whose text was removed: {len(record.replies) - len(there)}."
    if record.gone:
        yield f"Replies or hidden checks that were removed with all labels: {record.gone} at least."
    yield f"Replies with a mark behind a full stop: {record.behind_stops()} of {len(there)}."
    yield f"Places for annotators (how many replies have so many): {_listed(Counter(str(one.quota) for one in there))}."
    if record.assigned:
        yield f"Assignments of a reply to an annotator by name: {record.assigned}."


def _study(found: Report, record: Record) -> Iterator[str]:
    note, entries = found.study, record.study
    if not entries or note is None:
        yield "No study was set."
        return
    first = min((one.created for one in record.entries if one.action == "submitted"), default=None)
    yield f"The study was set {plural(sum(one.action == 'set' for one in entries), 'time')} while it was not frozen."
    if record.frozen is None:
        yield "It was not frozen."
    else:
        before = len(record.labels) - record.after_freeze([one.created for one in record.labels])
        yield f"It was frozen on {record.frozen.created[:10]} (SHA-256 {record.frozen.hash})."
        yield f"Sets of labels that are older than the freeze: {before} of {len(record.labels)}."
        yield from _after_freeze(record)
        yield from (f"Changed after the freeze: {change}." for change in note.changes)
    for what, name in (("Hypotheses", "hypotheses"), ("Primary measure", "primary")):
        if not (said := getattr(note, name)):
            yield f"{what}: none."
            continue
        since = _since(entries, name)
        when = "before" if first is None or since < first else "after"
        shown = said if isinstance(said, str) else "; ".join(said)
        yield f"{what}: {shown} (unchanged since {since[:10]}, {when} the first labels)."


def _since(entries: Sequence[Entry], name: str) -> str:
    """Return since when the study has the value that it has now."""
    found = entries[-1]
    for one in reversed(entries):
        if getattr(one.study, name) != getattr(found.study, name):
            break
        found = one
    return found.created


def _after_freeze(record: Record) -> Iterator[str]:
    """Say what the log shows after the freeze, or that it shows nothing."""
    changed = sum(one.action == "changed" for one in record.study)
    added = record.after_freeze([one.created for one in record.replies])
    removed = record.after_freeze([one.withdrawn for one in record.replies])
    checks = record.after_freeze([one.created for one in record.checks])
    if changed + added + removed + checks + record.gone == 0:
        yield "The log shows no change of the study and no reply added or removed after the freeze."
        return
    yield f"Changes of the study after the freeze: {changed}."
    yield f"Replies added after the freeze: {added}; removed: {removed}; hidden checks added: {checks}."


def _practice(record: Record) -> Iterator[str]:
    people = {one.annotator.casefold() for one in record.counted}
    rows = [one for one in record.practice if one.annotator.casefold() in people]
    if not rows:
        yield f"The log holds no practice of the annotators whose labels count ({len(people)})."
        return

    def first(action: str) -> int:
        return len(
            {one.annotator.casefold() for one in rows if one.action == action and one.created <= _first(record, one)}
        )

    tried = [one for one in rows if one.action == "tried"]
    last = {(one.annotator.casefold(), one.example): one for one in tried}
    right, points = sum(one.right for one in last.values()), sum(one.points for one in last.values())
    yield f"Annotators who read the guidelines on the desk before their first labels: {first('read')} of {len(people)}."
    yield f"Annotators who tried the examples before: {first('tried')}; trials in all: {len(tried)}."
    yield f"Points right in the last trial of each example: {right} of {points}."
    yield f"Annotators who left the examples out: {first('left out')}."


def _first(record: Record, practice: Practice) -> str:
    """Return when the person of ``practice`` first submitted labels of a reply."""
    own = (one for one in record.entries if one.annotator.casefold() == practice.annotator.casefold())
    return min((one.created for one in own if one.action == "submitted"), default="9")


def _checks(record: Record) -> Iterator[str]:
    if not record.checks and not record.checked:
        yield "There were no hidden checks."
        return
    points = [point for one in record.checked for point in graded(one.item, one.labels)]
    people = len({one.annotator.casefold() for one in record.checked})
    right = sum(point.is_right for point in points)
    yield f"Hidden checks among the replies: {len(record.checks)}."
    yield f"They were judged {plural(len(record.checked), 'time')} by {plural(people, 'annotator')}."
    yield f"Points of them that were right: {right} of {len(points)}."


def _judging(record: Record) -> Iterator[str]:
    counted, entries = record.counted, record.entries
    people = {one.annotator.casefold() for one in counted}
    each = Counter(one.item.id for one in counted)
    spread = Counter(str(each[one.item.id]) for one in record.there)
    yield f"Sets of labels that count: {len(counted)}, by {plural(len(people), 'annotator')}."
    yield f"Annotators whose labels count (how many replies have so many): {_listed(spread)}."
    if counted:
        followed = [record.study_at(one.created) for one in counted]
        wrong = sum(bool(contradictions(one.labels, one.item)) for one in counted)
        own = sum(bool(one.guidelines) for one in followed)
        yield f"They were submitted {_span(one.created for one in counted)}."
        yield f"Versions of the guidelines: {_listed(Counter(one.guidelines for one in counted))}."
        yield f"Submitted while a study’s own text of the guidelines was in force: {own} of {len(counted)}."
        yield f"Submitted while addresses were hidden: {sum(one.hide_addresses for one in followed)} of {len(counted)}."
        yield f"Sets with another division into knowledge items than proposed: {record.divided()} of {len(counted)}."
        yield f"Sets that contradict themselves: {wrong}."
    submitted = [(one.item, one.annotator.casefold()) for one in entries if one.action == "submitted"]
    actions = Counter(one.action for one in entries)
    again = len(submitted) - len(set(submitted))
    yield f"Labels were submitted {plural(len(submitted), 'time')}, {again} of them again."
    yield f"Replies were skipped {plural(actions['skipped'], 'time')}."
    yield f"Labels or skips were taken back {plural(actions['undone'], 'time')}."
    if times := [one.seconds for one in counted if one.seconds]:
        yield f"Median time for a reply: {median(times):.0f} s, over {plural(len(times), 'set')} with a measured time."


def _guesses(record: Record) -> Iterator[str]:
    if not record.guesses:
        yield "No guess of a system is stored."
        return
    asked = {one.annotator.casefold(): one.created for one in reversed(record.guesses)}
    right = sum(one.system == one.guess for one in record.guesses)
    unknown = sum(one.guess is None for one in record.guesses)
    later = sum(asked.get(one.annotator.casefold(), "9") < one.created for one in record.counted)
    yield f"Guesses of a system: {len(record.guesses)}, by {plural(len(asked), 'annotator')}."
    yield f"Right guesses: {right}; “I do not know”: {unknown}."
    yield f"Sets of labels whose annotator had been shown the names of the systems before, to guess: {later}."


def _left_out(found: Report, record: Record) -> Iterator[str]:
    withdrawn, ruled = sum(one.is_withdrawn for one in record.labels), len(record.labels) - len(record.counted)
    yield f"Sets of labels that do not count: {ruled} of {len(record.labels)}, {withdrawn} of them of removed replies."
    note = found.study
    yield from (f"Left out: {one}." for one in (note.excluded if note else ()))
    yield from (f"Not left out: {one}." for one in (note.kept if note else ()))


def _disagreement(found: Report, record: Record) -> Iterator[str]:
    several = sum(number > 1 for number in Counter(one.item.id for one in record.counted).values())
    yield f"Replies with labels that count by two annotators or more: {several}."
    yield f"Replies on which these differ: {found.disagreement.disputed}."
    decisions = record.decisions
    if not decisions:
        yield "No decision of an adjudicator stands."
        return
    own = sum(one.adjudicator.casefold() in {who.casefold() for who, _ in one.based_on} for one in decisions)
    newest: dict[str, set[tuple[str, int]]] = {}
    for one in record.labels:
        newest.setdefault(one.item.id, set()).add((one.annotator, one.version))
    old = sum(set(one.based_on) != newest.get(one.item.id, set()) for one in decisions)
    people = len({one.adjudicator.casefold() for one in decisions})
    yield f"Replies that were decided: {len(decisions)}, by {plural(people, 'person', 'people')}."
    yield f"Decisions by somebody whose labels they rest on: {own}."
    yield f"Decisions after which labels changed: {old}."


def _machines(found: Report, record: Record) -> Iterator[str]:
    if not record.judges:
        yield "No machine judged."
        return
    yield from (f"Replies on the desk that {judge} judged: {number}." for judge, number in record.judges)
    estimated = sum(one.powered.value is not None for one in found.powered)
    yield f"Figures over all replies, corrected by people (prediction-powered inference): {estimated}."


def _compared(found: Report) -> Iterator[str]:
    pairs = {(one.one, one.other) for one in found.comparisons if one.questions}
    yield f"Pairs of systems that are compared on the questions that both answered: {len(pairs)}."
    if pairs:
        yield "Their differences are tested by sign-flip permutation, with Holm’s correction over pairs."


def datasheet(record: Record, names: Names, title: str) -> Iterator[str]:
    """Yield the lines of a datasheet."""
    yield f"# Datasheet{f': {one_line(title)}' if title else ''}\n"
    yield f"* Instances: {len(record.there)} replies, {len(record.counted)} sets of labels that count; see methods.md."
    yield "* Sources: the documents that each system gave with its reply, as it gave them."
    yield "* Free text: comments of annotators, as they wrote them."
    yield "* Annotators, as the study describes them:"
    about = {one.name.casefold(): one for one in (record.study[-1].study.annotators if record.study else ())}
    for name, shown in sorted({one.annotator.casefold(): names(one.annotator) for one in record.counted}.items()):
        yield f"  * {shown}: {_person(about.get(name))}"
    yield "* Not said here, for whoever hands this on to add: how questions were chosen, licences, intended uses."


def _person(about: Annotator | None) -> str:
    degree, language, pay = (about.degree, about.native_language, about.pay) if about else ("", "", "")
    parts = {"degree": degree, "native language": language, "pay": pay}
    return ", ".join(f"{name}: {one_line(text) or 'not said'}" for name, text in parts.items())


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{name}: {number}" for name, number in sorted(counts.items())) or "none"


def _span(times: Iterable[str]) -> str:
    days = sorted(time[:10] for time in times)
    return f"from {days[0]} to {days[-1]}"
