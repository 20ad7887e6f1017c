"""Every sentence of methods.md is counted again in the database, over scripted studies; none is left unchecked."""

import io
import json
import re
import sqlite3
import time
import zipfile
from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path

import pytest

from searchain.annotation.estimates import FEWEST_REPLIES
from searchain.annotation.guided_practice import examples
from searchain.annotation.guided_practice import item as known_item
from searchain.annotation.machines import from_check
from searchain.annotation.protocol import Backing, Labels, Place
from searchain.annotation.study import Exclusions, Study
from storage.annotation import gold, guided, import_items, items, machines, studies, tasks, withdrawing
from storage.annotation.desk import Desk
from storage.annotation.pseudonyms import pseudonyms_of
from storage.database import Database
from tests.support.judged_replies import right_labels, uniform_labels
from ui.exports import methods, protocol

STUDY = Study(title="T", quota=3, hypotheses=("AMP differs",), primary="amp", hide_addresses=True)


@dataclass
class Round:
    """A desk, and what the script knows of who is left out."""

    path: Path
    excluded: set[str] = field(default_factory=set)
    number: int = 0

    def __post_init__(self):
        self.store = Database(self.path)
        self.desk = Desk(self.store)

    def put(self, replies=2, system="one", stop=False, is_again=False):
        lines = []
        self.number -= replies * is_again
        for _ in range(replies):
            self.number += 1
            answer = "Kyoto is old. [1] It is big [2]." if stop else "Kyoto is old [1]. It is big [2]."
            sources = [{"number": at, "title": "K", "text": "Kyoto is old."} for at in (1, 2)]
            question = f"Number {self.number}?"
            lines.append({"question": question, "system": system, "answer": answer, "citations": sources})
        import_items.file(self.store, [json.dumps(line).encode() for line in lines], quota=4)

    def check(self, number=1):
        for _ in range(number):
            self.number += 1
            source = {"number": 1, "title": "K", "text": "It is."}
            gold = {"k1": "not_supported"}
            known = known_item({"answer": f"It is {self.number} [1].", "citations": [source], "gold": gold})
            with self.store.writing() as db:
                items.add(db, items.identified(known), quota=9)

    def judge(self, name, number=99, support=Backing.COMPLETE, seconds=9.0, is_divided=False):
        for _ in range(number):
            if not (task := self.desk.next_item(name)):
                return
            labels = uniform_labels(task.item, support)
            if is_divided:
                labels = Labels(
                    labels.knowledge_items[:1], (labels.marks[0], replace(labels.marks[1], place=Place.SUPERFLUOUS))
                )
            self.desk.submit(name, task.item.id, labels, seconds=seconds)

    def again(self, name):
        [item, *_] = [one for (one,) in self.sql("SELECT item FROM annotation_labels WHERE annotator = ?", name)]
        self.desk.submit(name, item, uniform_labels(self.desk.item(item), Backing.NONE))

    def skip(self, name):
        self.desk.skip(name, self.desk.next_item(name).item.id, "in French")

    def study(self, value=STUDY, reason="it was wrong"):
        studies.change(self.store, value, "admin", reason)
        time.sleep(0.003)  # times have milliseconds

    def freeze(self):
        time.sleep(0.003)
        studies.freeze(self.store, "admin")
        time.sleep(0.003)

    def remove(self, at=0, with_labels=False):
        rows = self.sql("SELECT id FROM annotation_items WHERE withdrawn IS NULL ORDER BY number")
        with self.store.writing() as db:
            withdrawing.remove(db, rows[at][0], with_labels=with_labels)

    def decide(self, by="judge", at=0):
        [item] = self.sql("SELECT DISTINCT item FROM annotation_labels ORDER BY item")[at]
        gold.adjudicate(self.store, item, uniform_labels(self.desk.item(item)), by, gold.basis(self.store, item))

    def guess(self, name, guess):
        [item] = self.sql("SELECT item FROM annotation_labels WHERE annotator = ? AND action = 'submitted'", name)[0]
        guided.keep(self.store, name, {item: guess})

    def practise(self, name, wrong_first=False):
        guided.record(self.store, name, "read", 60)
        for number, example in enumerate(examples(), 1):
            if wrong_first:
                guided.tried(self.store, name, number, Labels(), 5)
            guided.tried(self.store, name, number, right_labels(example), 5)

    def leave_out(self, study, *names):
        self.study(study)
        self.excluded |= set(names)

    def assign(self, name):
        with self.store.writing() as db:
            db.execute(
                "INSERT OR IGNORE INTO users (name, role, hash, salt, n, r, p, created) VALUES (?, 'annotator', '', '', 1, 1, 1, '')",
                (name,),
            )
        tasks.assign(self.store, None, [name])

    def sql(self, text, *values):
        with sqlite3.connect(self.path) as db:
            return db.execute(text, values).fetchall()

    def one(self, text, *values):
        return self.sql(text, *values)[0][0]


OUT = replace(STUDY, exclusions=Exclusions(annotators=("ben",)))
CHECKED = replace(STUDY, exclusions=Exclusions(annotators_below_checks=0.7))
SCRIPTS = {
    "nothing": lambda r: None,
    "no annotator": lambda r: (r.put(), r.study(), r.freeze()),
    "one annotator": lambda r: (r.put(), r.judge("ann")),
    "a frozen study that stays": lambda r: (r.put(), r.study(), r.freeze(), r.judge("ann"), r.judge("ben")),
    "replies added later": lambda r: (r.put(), r.study(), r.freeze(), r.judge("ann"), r.put(3, "two"), r.judge("ben")),
    "changed": lambda r: (r.put(), r.study(), r.freeze(), r.judge("ann"), r.study(replace(STUDY, quota=2, primary="coverage"))),
    "set twice": lambda r: (r.put(), r.study(), r.study(replace(STUDY, title="U")), r.judge("ann")),
    "named after": lambda r: (r.put(), r.judge("ann"), r.study(), r.freeze(), r.judge("ben")),
    "judged before the freeze": lambda r: (r.put(), r.study(), r.judge("ann"), r.freeze(), r.judge("ben")),
    "one excluded": lambda r: (r.put(), r.judge("ann"), r.judge("ben"), r.leave_out(OUT, "ben"), r.guess("ben", None)),
    "one system excluded": lambda r: (
        r.put(), r.put(2, "two"), r.judge("ann"), r.judge("ben"),
        r.leave_out(replace(STUDY, exclusions=Exclusions(systems=("two",))), "system two"),
    ),
    "checks": lambda r: (
        r.put(), r.check(6), r.study(CHECKED), r.judge("ann", support=Backing.CONTRADICTS), r.judge("ben"),
        r.excluded.add("ben"),
    ),
    "too few checks": lambda r: (r.put(), r.check(2), r.study(CHECKED), r.freeze(), r.judge("ann"), r.check()),
    "removed": lambda r: (r.put(3), r.study(), r.freeze(), r.judge("ann"), r.judge("ben"), r.remove()),
    "removed with labels": lambda r: (r.put(3), r.study(), r.freeze(), r.judge("ann"), r.remove(with_labels=True)),
    "skips and takes back": lambda r: (r.put(4), r.skip("ann"), r.judge("ann"), r.desk.undo("ann"), r.again("ann")),
    "decided": lambda r: (r.put(), r.judge("ann"), r.judge("ben", support=Backing.NONE), r.decide(), r.decide("local", 1)),
    "decided, then judged": lambda r: (r.put(), r.judge("ann"), r.decide(), r.judge("ben"), r.again("ann")),
    "practised": lambda r: (
        r.practise("ann"), r.practise("eve", wrong_first=True), guided.record(r.store, "ben", "left out"), r.put(),
        r.judge("ann"), r.judge("ben"), r.judge("cleo"), r.practise("cleo"),
    ),
    "guessed": lambda r: (
        r.put(), r.put(2, "two"), r.judge("ann"), r.judge("ben"), r.guess("ann", "two"), r.guess("ben", None),
        time.sleep(0.003), r.put(), r.judge("ann"),
    ),
    "marks and places": lambda r: (
        r.put(), r.put(2, "two", stop=True), r.study(replace(STUDY, normalise_marks=True, hide_addresses=False)),
        r.put(1, "three", stop=True), r.judge("ann", is_divided=True),
        tasks.one_more(r.store, r.one("SELECT id FROM annotation_items LIMIT 1")),
    ),
    "compared and assigned": lambda r: (
        r.put(), r.put(2, "two", is_again=True), r.put(1, "three"), r.judge("ann", 3), r.judge("ann", 1, is_divided=True),
        r.judge("ann"), r.assign("ben"), r.judge("ben", 2),
    ),
    "machines and texts": lambda r: (
        r.put(12), r.study(replace(STUDY, guidelines="Own\ntext", hypotheses=("a\nb", "c"))), r.judge("ann", 8),
        machines.judge_all(r.store, "a check", from_check(lambda claim, evidence: "supported")), r.remove(),
        r.judge("ben", 2, seconds=0.0),
    ),
}  # fmt: skip
THERE = "origin != 'practice' AND withdrawn IS NULL"
NEWEST = (
    "annotation_labels l JOIN annotation_items i ON i.id = l.item WHERE l.action = 'submitted' AND NOT EXISTS (SELECT 1 "
    "FROM annotation_labels m WHERE m.item = l.item AND m.annotator = l.annotator AND m.version > l.version) AND i.origin "
)


def labels_of(r, kind="!="):
    return r.sql(
        f"SELECT l.item, l.annotator, l.created, l.guidelines, l.seconds, i.system, i.withdrawn FROM {NEWEST} {kind} 'practice'"
    )


def counted(r):
    return [
        one for one in labels_of(r) if one[1] not in r.excluded and f"system {one[5]}" not in r.excluded and not one[6]
    ]


def listed(values):
    return ", ".join(f"{name}: {number}" for name, number in sorted(Counter(map(str, values)).items())) or "none"


def frozen(r):
    return next(
        (created for (created,) in r.sql("SELECT created FROM annotation_studies WHERE action = 'frozen'")), None
    )


def since_freeze(r, column, where):
    return r.one(f"SELECT count(*) FROM annotation_items WHERE {column} > ? AND {where}", frozen(r))


def in_force(r, created, name):
    rows = r.sql("SELECT content FROM annotation_studies WHERE created <= ? ORDER BY number DESC LIMIT 1", created)
    return bool(json.loads(rows[0][0])[name]) if rows else False


def gone(r):
    return (r.one("SELECT max(number) FROM annotation_items") or 0) - r.one("SELECT count(*) FROM annotation_items")


def practised(r, action):
    return len(
        {
            who
            for who in {one[1] for one in counted(r)}
            for (at,) in r.sql(
                "SELECT created FROM annotation_practice WHERE annotator = ? AND action = ?", who, action
            )
            if at
            <= r.one("SELECT min(created) FROM annotation_labels WHERE annotator = ? AND action = 'submitted'", who)
        }
    )


def trials(r):
    people = {one[1] for one in counted(r)}
    return [
        row
        for row in r.sql(
            "SELECT annotator, example, correct, points FROM annotation_practice WHERE action = 'tried' ORDER BY number"
        )
        if row[0] in people
    ]


def last_trials(r):
    last = {row[:2]: row[2:] for row in trials(r)}
    return sum(one[0] for one in last.values()), sum(one[1] for one in last.values())


def spans(days):
    return min(days)[:10], max(days)[:10]


def several(r):
    number = Counter(one[0] for one in counted(r))
    return [item for item in number if number[item] > 1]


def differing(r):
    said = {}
    for item, who, *_ in counted(r):
        kept = [
            (one["start"], one["end"], one["support"])
            for one in json.loads(labels_text(r, item, who))["knowledge_items"]
        ]
        said.setdefault(item, set()).add(str(kept))
    return sum(len(those) > 1 for those in said.values())


def decisions(r):
    return r.sql(
        f"SELECT g.item, g.adjudicator, g.based_on FROM annotation_gold g JOIN annotation_items i ON i.id = g.item WHERE {THERE} AND g.number = (SELECT max(number) FROM annotation_gold WHERE item = g.item)"
    )


def basis(r, item):
    return sorted(map(list, r.sql(f"SELECT l.annotator, l.version FROM {NEWEST} != 'practice' AND l.item = ?", item)))


def study_values(r):
    return [
        (created, json.loads(content))
        for created, content in r.sql("SELECT created, content FROM annotation_studies ORDER BY number")
    ]


def since(r, name):
    rows = study_values(r)
    value, at = rows[-1][1][name], rows[-1][0]
    for created, content in reversed(rows):
        if content[name] != value:
            break
        at = created
    first = r.one("SELECT min(created) FROM annotation_labels WHERE action = 'submitted'")
    shown = value if isinstance(value, str) else "; ".join(" ".join(one.split()) for one in value)
    return shown, at[:10], "before" if first is None or at < first else "after"


def labels_text(r, item, who):
    return r.one(
        "SELECT labels FROM annotation_labels WHERE item = ? AND annotator = ? ORDER BY version DESC LIMIT 1", item, who
    )


def divided(r):
    """Every reply has two sentences, and so two proposed knowledge items."""
    return [one for one in counted(r) if len(json.loads(labels_text(r, *one[:2]))["knowledge_items"]) != 2]


def compared(r):
    asked = {id: json.loads(content)["question"] for id, content in r.sql("SELECT id, content FROM annotation_items")}
    by = {}
    for item, _, _, _, _, system, _ in counted(r):
        by.setdefault(system, set()).add(asked[item])
    return [pair for pair in combinations(sorted(by), 2) if by[pair[0]] & by[pair[1]]]


def replies(r):
    return r.one(f"SELECT count(*) FROM annotation_items WHERE {THERE}")


def texts(r):
    return [
        json.loads(content)["answer"] for (content,) in r.sql(f"SELECT content FROM annotation_items WHERE {THERE}")
    ]


def points(r):
    """The checks are not supported: none and contradicts are right."""
    rows = r.sql(f"SELECT l.labels FROM {NEWEST} = 'practice'")
    said = [json.loads(text)["knowledge_items"][0]["support"] for (text,) in rows]
    return sum(one in ("none", "contradicts") for one in said), len(said)


def guessed(r):
    return r.sql(
        "SELECT g.annotator, i.system, g.guess FROM annotation_guesses g JOIN annotation_items i ON i.id = g.item"
    )


def actions(r, action):
    return r.sql(
        "SELECT l.item, l.annotator FROM annotation_labels l JOIN annotation_items i ON i.id = l.item WHERE i.origin != 'practice' AND l.action = ?",
        action,
    )


FACTS = {
    r"Replies on the desk: (\d+), of (\d+) systems? \((.*)\)\.": lambda r: (
        replies(r), r.one(f"SELECT count(DISTINCT system) FROM annotation_items WHERE {THERE}"),
        listed(s for (s,) in r.sql(f"SELECT system FROM annotation_items WHERE {THERE}")),
    ),
    r"They were put there from (\S+) to (\S+)\.": lambda r: spans([c for (c,) in r.sql(f"SELECT created FROM annotation_items WHERE {THERE}")]),
    r"Replies whose text was removed: (\d+)\.": lambda r: (r.one("SELECT count(*) FROM annotation_items WHERE withdrawn IS NOT NULL"),),
    r"Replies or hidden checks that were removed with all labels: (\d+) at least\.": lambda r: (gone(r),),
    r"Replies with a mark behind a full stop: (\d+) of (\d+)\.": lambda r: (sum(bool(re.search(r"\.\s*\[\d+\](?!\.)", t)) for t in texts(r)), replies(r)),
    r"Places for annotators \(how many replies have so many\): (.*)\.": lambda r: (listed(q for (q,) in r.sql(f"SELECT quota FROM annotation_items WHERE {THERE}")),),
    r"Assignments of a reply to an annotator by name: (\d+)\.": lambda r: (r.one("SELECT count(assigned) FROM annotation_tasks"),),
    r"No study was set\.": lambda r: () if not study_values(r) else None,
    r"The study was set (\d+) times? while it was not frozen\.": lambda r: (r.one("SELECT count(*) FROM annotation_studies WHERE action = 'set'"),),
    r"It was not frozen\.": lambda r: () if not frozen(r) else None,
    r"It was frozen on (\S+) \(SHA-256 (\w+)\)\.": lambda r: (frozen(r)[:10], r.one("SELECT hash FROM annotation_studies WHERE action = 'frozen'")),
    r"Sets of labels that are older than the freeze: (\d+) of (\d+)\.": lambda r: (sum(one[2] <= frozen(r) for one in labels_of(r)), len(labels_of(r))),
    r"The log shows no change of the study and no reply added or removed after the freeze\.": lambda r: () if not gone(r) + since_freeze(r, "created", "1") + since_freeze(r, "withdrawn", "1") + r.one("SELECT count(*) FROM annotation_studies WHERE action = 'changed'") else None,
    r"Changes of the study after the freeze: (\d+)\.": lambda r: (r.one("SELECT count(*) FROM annotation_studies WHERE action = 'changed'"),),
    r"Replies added after the freeze: (\d+); removed: (\d+); hidden checks added: (\d+)\.": lambda r: (
        since_freeze(r, "created", "origin != 'practice'"), since_freeze(r, "withdrawn", "1"), since_freeze(r, "created", "origin = 'practice'"),
    ),
    r"Changed after the freeze: \S+ (.*): (.*)\.": lambda r: (
        ", ".join(n for n, v in study_values(r)[-1][1].items() if v != study_values(r)[-2][1][n]), r.one("SELECT reason FROM annotation_studies WHERE action = 'changed'"),
    ),
    r"Hypotheses: none\.": lambda r: () if not study_values(r)[-1][1]["hypotheses"] else None,
    r"Hypotheses: (.*) \(unchanged since (\S+), (\w+) the first labels\)\.": lambda r: since(r, "hypotheses"),
    r"Primary measure: (.*) \(unchanged since (\S+), (\w+) the first labels\)\.": lambda r: since(r, "primary"),
    r"The log holds no practice of the annotators whose labels count \((\d+)\)\.": lambda r: (len({one[1] for one in counted(r)}),) if not trials(r) else None,
    r"Annotators who read the guidelines on the desk before their first labels: (\d+) of (\d+)\.": lambda r: (practised(r, "read"), len({one[1] for one in counted(r)})),
    r"Annotators who tried the examples before: (\d+); trials in all: (\d+)\.": lambda r: (practised(r, "tried"), len(trials(r))),
    r"Points right in the last trial of each example: (\d+) of (\d+)\.": last_trials,
    r"Annotators who left the examples out: (\d+)\.": lambda r: (practised(r, "left out"),),
    r"There were no hidden checks\.": lambda r: () if not r.one("SELECT count(*) FROM annotation_items WHERE origin = 'practice'") else None,
    r"Hidden checks among the replies: (\d+)\.": lambda r: (r.one("SELECT count(*) FROM annotation_items WHERE origin = 'practice'"),),
    r"They were judged (\d+) times? by (\d+) annotators?\.": lambda r: (len(labels_of(r, "=")), len({one[1] for one in labels_of(r, "=")})),
    r"Points of them that were right: (\d+) of (\d+)\.": points,
    r"Sets of labels that count: (\d+), by (\d+) annotators?\.": lambda r: (len(counted(r)), len({one[1] for one in counted(r)})),
    r"Annotators whose labels count \(how many replies have so many\): (.*)\.": lambda r: (
        listed(Counter(one[0] for one in counted(r))[id] for (id,) in r.sql(f"SELECT id FROM annotation_items WHERE {THERE}")),
    ),
    r"They were submitted from (\S+) to (\S+)\.": lambda r: spans([one[2] for one in counted(r)]),
    r"Versions of the guidelines: (.*)\.": lambda r: (listed(one[3] for one in counted(r)),),
    r"Submitted while a study’s own text of the guidelines was in force: (\d+) of (\d+)\.": lambda r: (sum(in_force(r, one[2], "guidelines") for one in counted(r)), len(counted(r))),
    r"Submitted while addresses were hidden: (\d+) of (\d+)\.": lambda r: (sum(in_force(r, one[2], "hide_addresses") for one in counted(r)), len(counted(r))),
    r"Sets with another division into knowledge items than proposed: (\d+) of (\d+)\.": lambda r: (len(divided(r)), len(counted(r))),
    r"Sets that contradict themselves: (\d+)\.": lambda r: (0,),
    r"Labels were submitted (\d+) times?, (\d+) of them again\.": lambda r: (len(actions(r, "submitted")), len(actions(r, "submitted")) - len(set(actions(r, "submitted")))),
    r"Replies were skipped (\d+) times?\.": lambda r: (len(actions(r, "skipped")),),
    r"Labels or skips were taken back (\d+) times?\.": lambda r: (len(actions(r, "undone")),),
    r"Median time for a reply: 9 s, over (\d+) sets? with a measured time\.": lambda r: (sum(one[4] > 0 for one in counted(r)),),
    r"No guess of a system is stored\.": lambda r: () if not guessed(r) else None,
    r"Guesses of a system: (\d+), by (\d+) annotators?\.": lambda r: (len(guessed(r)), len({one[0] for one in guessed(r)})),
    r"Right guesses: (\d+); “I do not know”: (\d+)\.": lambda r: (sum(s == g for _, s, g in guessed(r)), sum(g is None for *_, g in guessed(r))),
    r"Sets of labels whose annotator had been shown the names of the systems before, to guess: (\d+)\.": lambda r: (
        sum(bool(r.sql("SELECT 1 FROM annotation_guesses WHERE annotator = ? AND created < ?", *one[1:3])) for one in counted(r)),
    ),
    r"Sets of labels that do not count: (\d+) of (\d+), (\d+) of them of removed replies\.": lambda r: (
        len(labels_of(r)) - len(counted(r)), len(labels_of(r)), sum(bool(one[6]) for one in labels_of(r)),
    ),
    r"Left out: annotator (annotator-\w+): .*\.": lambda r: tuple(pseudonyms_of(r.store)[name] for name in r.excluded),
    r"Left out: (system \w+)\.": lambda r: tuple(r.excluded),
    r"Not left out: annotator (annotator-\w+): 0 of (\d+) points right in (\d+) hidden checks, .*\.": lambda r: (pseudonyms_of(r.store)["ann"], points(r)[1], points(r)[1]),
    r"Replies with labels that count by two annotators or more: (\d+)\.": lambda r: (len(several(r)),),
    r"Replies on which these differ: (\d+)\.": lambda r: (differing(r),),
    r"No decision of an adjudicator stands\.": lambda r: () if not decisions(r) else None,
    r"Replies that were decided: (\d+), by (\d+) (?:person|people)\.": lambda r: (len(decisions(r)), len({one[1] for one in decisions(r)})),
    r"Decisions by somebody whose labels they rest on: (\d+)\.": lambda r: (sum(who in dict(json.loads(on)) for _, who, on in decisions(r)),),
    r"Decisions after which labels changed: (\d+)\.": lambda r: (sum(sorted(json.loads(on)) != basis(r, item) for item, _, on in decisions(r)),),
    r"Why annotators differed, by adjudicators: (.*)\.": lambda r: (f"not said: {len(decisions(r))}",),
    r"Intervals are 95 % intervals, and there are none below (\d+) replies: .*\.": lambda r: (FEWEST_REPLIES,),
    r"No machine judged\.": lambda r: () if not r.one("SELECT count(*) FROM annotation_machines") else None,
    r"Replies on the desk that a check judged: (\d+)\.": lambda r: (r.one(f"SELECT count(*) FROM annotation_machines m JOIN annotation_items i ON i.id = m.item WHERE {THERE}"),),
    r"Figures over all replies, corrected by people \(prediction-powered inference\): (\d+)\.": lambda r: (4,),
    r"Pairs of systems that are compared on the questions that both answered: (\d+)\.": lambda r: (len(compared(r)),),
    r"Their differences are tested by sign-flip permutation, with Holm’s correction over pairs\.": lambda r: () if compared(r) else None,
    r"Written by searchain \S+, commit \S+\.|The log does not say which version ran while people judged\.|SHA-256 of guidelines.md: \w{64}\.": lambda r: (),
}  # fmt: skip
"""The sentence → what the database says in its places; ``None``: the sentence must not stand."""


PROGRAM = Path(methods.__file__).with_name("templates").joinpath("methods.txt").read_text(encoding="utf-8").splitlines()
"""Sentences of the template that have no value describe the program."""


@pytest.mark.parametrize("name", SCRIPTS)
def test_no_sentence_contradicts_the_log(name, tmp_path):
    made = Round(tmp_path / "a.db")
    SCRIPTS[name](made)
    with zipfile.ZipFile(io.BytesIO(protocol.packed(made.store))) as pack:
        text = pack.read("methods.md").decode()
    sentences = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert len(sentences) == len(set(sentences)) > 25
    for one in sentences:
        known = [(match, fact) for form, fact in FACTS.items() if (match := re.fullmatch(form, one))]
        if not known and one in PROGRAM:
            continue
        [(found, fact)] = known
        assert (one, *found.groups()) == (
            one,
            *map(str, fact(made) or (() if fact(made) == () else ("must not stand",))),
        )
    made.store.close()


@pytest.mark.parametrize("name", ["practised", "changed", "removed", "guessed", "checks"])
def test_a_round_that_is_imported_again_has_the_same_methods(name, tmp_path):
    made, texts = Round(tmp_path / "a.db"), []
    SCRIPTS[name](made)
    again = Database(tmp_path / "b.db")
    for store in (made.store, again):
        with zipfile.ZipFile(io.BytesIO(protocol.packed(store))) as pack:
            texts.append(re.sub(r"annotator-\w+", "somebody", pack.read("methods.md").decode()))
            if store is made.store:
                import_items.file(again, pack.read("labels.jsonl").splitlines(keepends=True))
        store.close()
    assert texts[0] == texts[1]
