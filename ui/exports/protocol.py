"""A zip of a round of annotation for reviewers: its labels, its figures, and the commands that compute them again."""

import io
import json
import platform
import re
import zipfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from statistics import median

from searchain.annotation.estimates import FEWEST_REPLIES
from searchain.annotation.protocol import GUIDELINES
from searchain.annotation.study import Annotator, Study, without_names
from storage.annotation import export_jsonl, gold, guided, history, pseudonyms, studies
from storage.annotation import report as reports
from storage.annotation.report import Report, StudyNote
from storage.database import Database
from ui.exports.formats import PACKED_LABELS

_ROOT = Path(__file__).parent.parent.parent
_OWN_GUIDELINES = _ROOT / "ui" / "desk" / "annotation-guidelines.md"
_README = """\
# A round of annotation

| file | what it is |
|---|---|
| {labels} | replies with their documents, every version of every label, decisions, what machines said, the study |
| study.json | the study that counts, and its history |
| guidelines.md | what annotators read |
| report.json | the figures |
| methods.md | the methods, in words |
| datasheet.md | the data set, in words |
| software.json | what wrote this |

The same report again, from nothing but this file:

    python assistant.py annotate import PROTOCOL.zip --db again.db
    python assistant.py annotate report --json --db again.db > again.json

`again.json` equals `report.json` but for `created`. Annotators have pseudonyms.
"""


def packed(store: Database) -> bytes:
    """Return the zip. Raises ``StorageError`` if the database cannot be read."""
    names = pseudonyms.names(store, are_hidden=True)
    found, study = reports.report(store, pseudonyms=True), studies.current(store)
    shown = without_names(study, pseudonyms.pseudonyms_of(store))
    guidelines = study.guidelines or _OWN_GUIDELINES.read_text(encoding="utf-8")
    log = [
        {"action": one.action, "hash": one.hash, "reason": one.reason, "created": one.created}
        for one in studies.history(store)
    ]
    files = {
        "README.md": _README.format(labels=PACKED_LABELS),
        PACKED_LABELS: "".join(export_jsonl.write(store, names)),
        "study.json": _json({"hash": study.hash, "study": asdict(shown), "history": log}),
        "guidelines.md": guidelines,
        "report.json": _json(reports.as_json(found)),
        "methods.md": "\n\n".join(_methods(found, study, store)) + "\n",
        "datasheet.md": "\n".join(_datasheet(found, shown, store)) + "\n",
        "software.json": _json(_software()),
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as pack:
        for name, text in files.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))  # the same content is the same file
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            pack.writestr(entry, text)
    return out.getvalue()


def _methods(found: Report, study: Study, store: Database) -> Iterator[str]:
    """Write a paper's methods section from the stored labels and study."""
    labels = history.labels(store)
    per_reply = Counter(one.item.id for one in labels)
    spread = ", ".join(f"{number} by {times}" for times, number in sorted(Counter(per_reply.values()).items()))
    yield "# Methods"
    yield (
        f"{len(found.annotators)} annotators judged {found.replies} replies of {len(found.systems)} systems "
        f"({', '.join(found.systems) or 'none'}) under guidelines {', '.join(found.guidelines) or GUIDELINES}. "
        f"Replies by number of annotators: {spread or 'none'}. For each reply annotators checked the proposed "
        "division into knowledge items; judged for each item with marks whether the marked documents together "
        "support it (complete, partial, none, contradicts, cannot tell); for each mark whether it stands where it "
        "belongs, where the support left that open; and for each item without marks whether it needs one. Labels "
        "that contradict themselves are not taken in."
    )
    through = sum(guided.is_through(store, name) for name in {one.annotator for one in labels})
    practice = (
        f"Before the first reply {through} of {len(found.annotators)} annotators read the guidelines and judged "
        f"examples with feedback until {study.pass_mark:.0%} of their points were right. "
    )
    yield (
        f"{practice}Replies came in an order of each annotator’s own, blind to the system, to automatic judgements "
        f"and to other annotators. Addresses of documents were {'hidden' if study.hide_addresses else 'shown'}; marks "
        "were "
        f"{'put before the full stop for all systems' if study.normalise_marks else 'left where the system put them'}."
        + (" Afterwards annotators guessed who had written some of the replies." if study.ask_for_systems else "")
    )
    yield _figures(found, store)
    if found.machines:
        yield (
            f"Machines judged replies as well ({', '.join(one.judge for one in found.machines)}), unseen by "
            "annotators. Their labels count in no figure of people; figures over all replies are estimated from them "
            "and corrected by what people say (prediction-powered inference)."
        )
    if found.study is not None:
        yield from _study(found.study)


def _figures(found: Report, store: Database) -> str:
    """Describe how the figures were computed from judgements."""
    decisions = gold.gold(store)
    own = sum(one.adjudicator in dict(one.based_on) for one in decisions)  # on a desk for one person
    return (
        f"On {found.disagreement.disputed} replies annotators differed; {len(decisions) - own} were adjudicated by "
        "somebody who had not judged them and saw no names"
        + (f", {own} by somebody who had judged them too. " if own else ". ")
        + "Figures use the annotators’ own labels: the mean over annotators of a reply, then "
        "over replies, with 95 % intervals over replies (Wilson’s with a design effect for shares, Student’s for "
        f"SKC; none below {FEWEST_REPLIES} replies). Agreement is Krippendorff’s α with intervals from resampling "
        "replies. Systems are compared on the questions that both answered, by sign-flip permutation with Holm’s "
        "correction."
    )


def _study(note: StudyNote) -> Iterator[str]:
    frozen = f"frozen on {note.frozen[:10]}" if note.frozen else "not frozen"
    changes = f"Later changes: {'; '.join(note.changes)}." if note.changes else "It was not changed later."
    excluded = f"Left out: {'; '.join(note.excluded)}." if note.excluded else "Nothing was left out."
    yield f"The study was {frozen} (SHA-256 {note.hash}). {changes} {excluded}"
    if note.hypotheses:
        yield "Hypotheses: " + "; ".join(note.hypotheses)


def _datasheet(found: Report, study: Study, store: Database) -> Iterator[str]:
    labels = history.labels(store)
    times = [one.seconds for one in labels if one.seconds]
    yield f"# Datasheet{f': {study.title}' if study.title else ''}\n"
    removed = sum(one.replies for one in found.withdrawn.values())
    yield f"* Instances: {found.replies} replies with {found.labels} sets of labels, {removed} removed replies apart."
    yield f"* Systems: {', '.join(f'{name} ({one.replies})' for name, one in found.systems.items()) or 'none'}."
    yield "* Sources: the documents that each system gave with its reply, as it gave them."
    if labels:
        yield f"* Collected: {min(one.created for one in labels)[:10]} to {max(one.created for one in labels)[:10]}."
    if times:
        yield f"* Time: median {median(times):.0f} s for a reply, {sum(times) / 3600:.1f} h in all."
    yield "* Free text: comments of annotators, as they wrote them."
    yield "* Annotators:"
    said = {one.name: one for one in study.annotators}
    for one in found.annotators:
        yield f"  * {one.annotator}: {_person(said.get(one.annotator))}"
    yield "* Not said here, for whoever hands this on to add: how questions were chosen, licences, intended uses."


def _person(about: Annotator | None) -> str:
    degree, language, pay = (about.degree, about.native_language, about.pay) if about else ("", "", "")
    parts = {"degree": degree, "native language": language, "pay": pay}
    return ", ".join(f"{name}: {text or 'not said'}" for name, text in parts.items())


def _software() -> dict[str, str]:
    import krippendorff
    import numpy

    text = (_ROOT / "pyproject.toml").read_text(encoding="utf-8") if (_ROOT / "pyproject.toml").exists() else ""
    version = re.search(r'^version = "([^"]+)"', text, re.MULTILINE)
    return {
        "program": version[1] if version else "unknown",
        "python": platform.python_version(),
        "numpy": numpy.__version__,
        "krippendorff": getattr(krippendorff, "__version__", "unknown"),
    }


def _json(values: object) -> str:
    return json.dumps(values, ensure_ascii=False, indent=1) + "\n"
