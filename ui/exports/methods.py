"""The methods section of a round: small sentences (templates/methods.txt), each from a fact of its log or its report.

Nothing is said of a setting that the log does not show to have been in force. Sentences of the template without a
value describe the program, whoever uses it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

from jinja2 import Environment, StrictUndefined, Template

from searchain.annotation.blocks import marks_before_stops
from searchain.annotation.estimates import FEWEST_REPLIES
from searchain.annotation.labels import contradictions
from searchain.annotation.protocol import default_labels
from searchain.annotation.study import Annotator, Study
from searchain.annotation.unitizing import tags
from searchain.language.text import plural
from searchain.safe_text import one_line
from storage.annotation.progress import checks
from storage.annotation.pseudonyms import Names
from storage.annotation.record import Record
from storage.annotation.report import Report
from storage.annotation.studies import Entry

_TEXT = Path(__file__).parent / "templates" / "methods.txt"
_ACTIONS = ("read", "tried", "left out")


@cache
def _template() -> Template:
    made = Environment(trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True, undefined=StrictUndefined)
    made.finalize = lambda value: one_line(str(value))
    made.globals |= {"plural": plural, "listed": _listed, "span": _span, "median": median}
    made.globals["fewest"] = FEWEST_REPLIES
    return made.from_string(_TEXT.read_text(encoding="utf-8"))


def markdown(found: Report, record: Record, software: Sequence[str]) -> str:
    """Return the section, one sentence a line; ``software`` are sentences about what wrote it."""
    there, counted = record.there, record.counted
    each = Counter(one.item.id for one in counted)
    return _template().render(
        found=found,
        record=record,
        software=software,
        there=there,
        counted=counted,
        people=len(_people(counted)),
        recruited=len(_people(counted) & record.crowd),
        systems=Counter(one.item.system for one in there),
        stopped=sum(marks_before_stops(one.item) != one.item for one in there),
        divided=sum(tags(one.item, one.labels) != tags(one.item, default_labels(one.item)) for one in counted),
        places=Counter(str(one.quota) for one in there),
        spread=Counter(str(each[one.item.id]) for one in there),
        versions=Counter(one.guidelines for one in counted),
        times=[one.seconds for one in counted if one.seconds],
        study=_study(found, record),
        practice=_practice(record),
        checks=_checks(record),
        judging=_judging(record),
        guesses=_guesses(record),
        decisions=_decisions(record),
        withdrawn=sum(one.is_withdrawn for one in record.labels),
        several=sum(number > 1 for number in each.values()),
        estimated=sum(one.powered.value is not None for one in found.powered),
        pairs=len({(one.one, one.other) for one in found.comparisons if one.questions}),
    )


def _people(judged: Iterable[Any]) -> set[str]:
    return {one.annotator.casefold() for one in judged}


def _study(found: Report, record: Record) -> dict[str, Any]:
    """Return what the log shows of the study, and after its freeze."""
    first = min((one.created for one in record.entries if one.action == "submitted"), default=None)
    after = {
        "changed": sum(one.action == "changed" for one in record.study),
        "added": record.after_freeze([one.created for one in record.replies]),
        "removed": record.after_freeze([one.withdrawn for one in record.replies]),
        "checks": record.after_freeze([one.created for one in record.checks]),
    }
    named = []
    for what, name in (("Hypotheses", "hypotheses"), ("Primary measure", "primary")):
        said = getattr(found.study, name, "")
        since = _since(record.study, name) if record.study else ""
        when = "before" if first is None or since < first else "after"
        named.append((what, said if isinstance(said, str) else "; ".join(said), since[:10], when))
    return {
        "times": sum(one.action == "set" for one in record.study),
        "before": len(record.labels) - record.after_freeze([one.created for one in record.labels]),
        "changes": sum(after.values()),
        "named": named,
        **after,
    }


def _since(entries: Sequence[Entry], name: str) -> str:
    """Return since when the study has the value that it has now."""
    found = entries[-1]
    for one in reversed(entries):
        if getattr(one.study, name) != getattr(found.study, name):
            break
        found = one
    return found.created


def _practice(record: Record) -> dict[str, int]:
    """Count what annotators whose labels count did in the practice; empty without any."""
    people = _people(record.counted)
    rows = [one for one in record.practice if one.annotator.casefold() in people]
    if not rows:
        return {}
    submitted = sorted((one.created, one.annotator.casefold()) for one in record.entries if one.action == "submitted")
    first = {annotator: created for created, annotator in reversed(submitted)}
    tried = [one for one in rows if one.action == "tried"]
    last = {(one.annotator.casefold(), one.example): one for one in tried}
    before = [one for one in rows if one.created <= first.get(one.annotator.casefold(), "9")]
    return {
        **{action: len(_people(one for one in before if one.action == action)) for action in _ACTIONS},
        "trials": len(tried),
        "right": sum(one.right for one in last.values()),
        "points": sum(one.points for one in last.values()),
    }


def _checks(record: Record) -> dict[str, int]:
    right, points, _ = checks(record.checked)
    return {"people": len(_people(record.checked)), "right": right, "points": points}


def _judging(record: Record) -> dict[str, int]:
    newest = record.study[::-1]
    followed = [
        next((one.study for one in newest if one.created <= judged.created), Study()) for judged in record.counted
    ]
    actions = Counter(one.action for one in record.entries)
    submitted = {(one.item, one.annotator.casefold()) for one in record.entries if one.action == "submitted"}
    return {
        "own": sum(bool(one.guidelines) for one in followed),
        "hidden": sum(one.hide_addresses for one in followed),
        "uncited": sum(any(item.uncited is not None for item in one.labels.knowledge_items) for one in record.counted),
        "wrong": sum(bool(contradictions(one.labels, one.item)) for one in record.counted),
        "again": actions["submitted"] - len(submitted),
        **{action: actions[action] for action in ("submitted", "skipped", "undone")},
    }


def _guesses(record: Record) -> dict[str, int]:
    asked = {one.annotator.casefold(): one.created for one in reversed(record.guesses)}
    return {
        "people": len(asked),
        "right": sum(one.system == one.guess for one in record.guesses),
        "unknown": sum(one.guess is None for one in record.guesses),
        "later": sum(asked.get(one.annotator.casefold(), "9") < one.created for one in record.counted),
    }


def _decisions(record: Record) -> dict[str, int | str]:
    newest: dict[str, set[tuple[str, int]]] = {}
    for one in record.labels:
        newest.setdefault(one.item.id, set()).add((one.annotator, one.version))
    decisions = record.decisions
    return {
        "people": len({one.adjudicator.casefold() for one in decisions}),
        "own": sum(one.adjudicator.casefold() in {who.casefold() for who, _ in one.based_on} for one in decisions),
        "reasons": _listed(Counter(one.reason or "not said" for one in decisions)),
        "old": sum(set(one.based_on) != newest.get(one.item.id, set()) for one in decisions),
    }


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


def _span(made: Iterable[Any]) -> str:
    days = sorted(one.created[:10] for one in made)
    return f"from {days[0]} to {days[-1]}"
