"""Kill a process again and again while people ask, delete, upload, erase, judge and sign out; look at what it left.

    python -m lab.kills [--kills 1000] [--seed 0]

Each process is forked, and works on what the one before left: the Assistant over generated runs, the thread that reads
and encodes documents (its encoder is a hash), and people, who write down what was confirmed to them. Some moments after
its first word it gets SIGKILL. What was confirmed must be there then, and what was deleted, erased or signed out must
be gone. After 20 kills the last process finishes all work; then no file may hold a word of what was removed.
"""

from __future__ import annotations

import hashlib
import os
import random
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, cast

import click
import torch

import searchain.documents as parsing
from assistant import Assistant
from lab.benchmarks.scale import HashEncoder
from searchain.annotation.labels import check
from searchain.annotation.protocol import Backing
from searchain.retrieval import checkpoint, encoder, registry, updates
from searchain.settings import Settings
from storage.annotation import history
from storage.annotation.desk import Desk
from storage.collections import access, adding, documents, removing
from storage.collections.documents import State
from storage.collections.files import Files
from storage.database import Database
from storage.log import verify
from storage.people import tokens, users
from storage.removal import delete
from storage.removal.deletions import Deletions
from tests.support import crowd
from tests.support.judged_replies import uniform_labels
from tests.support.killing import Child, Generated
from tests.support.own_documents import paragraphs, parse_text

SHARE = 20
"""Kills that share a database and its files."""
SOON = 0.5
"""Seconds within which a process is killed after its first word."""
UNDO = 0.2
"""Seconds in which a deletion could be taken back."""
WHO = "ann"
QUOTA = 100_000
"""Labels that a reply may have: the annotators never run out of work."""


class Thing(NamedTuple):
    """What somebody has made."""

    kind: str
    """conversation, event, document, label or session."""
    id: str
    mark: str
    """A word that stands in it and nowhere else; for an event the conversation that it belongs to."""


@dataclass(slots=True)
class Ledger:
    """What was confirmed: ``+`` of what is there, ``?`` of what is being removed, ``-`` of what is gone."""

    states: dict[Thing, str] = field(default_factory=dict)

    def hear(self, lines: list[str]) -> None:
        for line in lines:
            sign, *thing = line.split()
            self.states[Thing(*thing)] = sign

    def having(self, sign: str, kind: str = "") -> list[Thing]:
        return [thing for thing, state in self.states.items() if state == sign and kind in ("", thing.kind)]

    def faults(self, there: set[tuple[str, str]]) -> tuple[list[Thing], list[Thing]]:
        """Return what is lost, and what came back."""
        kept = {thing.id for thing in self.having("+", "conversation")}
        wanted = (one for one in self.having("+") if one.kind != "event" or one.mark in kept)
        return [one for one in wanted if one[:2] not in there], [one for one in self.having("-") if one[:2] in there]


def there(store: Database, ledger: Ledger) -> set[tuple[str, str]]:
    """Return kind and ID of all that the next process finds."""
    found = {("conversation", id) for (id,) in store.rows("SELECT id FROM conversations WHERE deleted IS NULL")}
    found |= {("event", f"{turn}:{seq}") for turn, seq in store.rows("SELECT turn, seq FROM events")}
    found |= {
        ("label", f"{one.item}:{one.annotator}:{one.version}".replace(" ", "_")) for one in history.history(store)
    }
    for id, sha256 in store.rows("SELECT id, sha256 FROM documents WHERE removed IS NULL"):
        original = Files(store).original(sha256)
        if original.is_file() and hashlib.sha256(original.read_bytes()).hexdigest() == sha256:
            found.add(("document", id))
    sessions = [one.id for one in ledger.states if one.kind == "session"]
    return found | {("session", token) for token in sessions if tokens.holder(store, token, "session")}


class Process:
    """What one process does until it is killed."""

    def __init__(self, path: Path, rng: random.Random, ledger: Ledger, writing: int) -> None:
        self._store, self._rng, self._ledger, self._writing = Database(path), rng, ledger, writing
        (self._collection,) = access.every(self._store, WHO)
        self._assistant = Assistant(self._store, cast(Any, Generated(rng)), Settings())
        self._assistant.deletions = Deletions(self._store, UNDO)

    def work(self) -> None:
        """Let everybody work at once, for ever."""
        for act in (self._ask, self._upload, self._judge, self._sign_in, self._encode):
            threading.Thread(target=self._again, args=(act,), daemon=True).start()
        removing.tidy(self._store)
        signal.pause()

    def _again(self, act: Callable[[], object]) -> None:
        try:
            while True:
                act()
        except BaseException as error:  # it must be heard
            self._say("!", Thing("fault", type(error).__name__, "_".join(str(error).split()) or "-"))
            os._exit(1)

    def _say(self, sign: str, thing: Thing) -> None:
        os.write(self._writing, f"{sign} {' '.join(thing)}\n".encode())

    def _gone(self, thing: Thing, remove: Callable[[], object]) -> None:
        """Remove what is there, and write that down before and after."""
        self._say("?", thing)
        remove()
        self._say("-", thing)

    def _mark(self) -> str:
        return f"mark{self._rng.getrandbits(60):x}"

    def _ask(self) -> None:
        mark, conversation = self._mark(), None
        for _ in range(self._rng.randint(1, 2)):
            started = self._assistant.start(f"What is {mark}?", conversation=conversation, owner=WHO)
            if conversation is None:
                conversation = started.conversation
                self._say("+", Thing("conversation", conversation, mark))
            for stored in self._assistant.follow(started.turn, owner=WHO):
                self._say("+", Thing("event", f"{started.turn}:{stored.seq}", conversation))
        if self._rng.random() < 0.5:
            thing = Thing("conversation", conversation or "", mark)
            self._gone(thing, lambda: self._assistant.delete(thing.id, owner=WHO))

    def _upload(self) -> None:
        files, mark = Files(self._store), self._mark()
        stored = files.put([f"The shed opens with {mark}.\nIt stands behind house {mark}.".encode()])
        document, _ = documents.submit(self._store, files, self._collection.id, f"{mark[4:]}.txt", stored)
        self._say("+", Thing("document", document.id, mark))
        self._ledger.states[Thing("document", document.id, mark)] = "+"
        if self._rng.random() < 0.6:
            thing = self._rng.choice(self._ledger.having("+", "document"))
            self._ledger.states[thing] = "-"
            self._gone(thing, lambda: removing.erase(self._store, [documents.get(self._store, thing.id)]))

    def _judge(self) -> None:
        desk, name = Desk(self._store), self._mark()
        task = desk.next_item(name)
        assert task is not None
        labels = uniform_labels(task.item, Backing.COMPLETE)
        check(labels, task.item)
        version = desk.submit(name, task.item.id, labels, version=task.version)
        self._say("+", Thing("label", f"{task.item.id}:{name}:{version}", "-"))

    def _sign_in(self) -> None:
        token = tokens.issue(self._store, WHO, "session")
        thing = Thing("session", token, "-")
        self._say("+", thing)
        if self._rng.random() < 0.5:
            self._gone(thing, lambda: tokens.end(self._store, token))
        time.sleep(0.02)

    def _encode(self) -> None:
        if not adding.step(self._store, self._collection.id):
            time.sleep(0.005)

    def finish(self) -> None:
        """Do all work that is left, and write down what is not as it must be."""
        removing.tidy(self._store)
        adding.work(self._store, self._collection.id)
        until = time.monotonic() + 30
        while self._store.rows("SELECT 1 FROM conversations WHERE deleted IS NOT NULL") and time.monotonic() < until:
            time.sleep(0.05)
        delete.compact(self._store)
        self._store.vacuum()
        faults = [fault.what for fault in verify.verify(self._store)]
        faults += [f"{one.id} is {one.state}" for one in self._unread()]
        faults += [f"{one.kind} {one.id} is in {file}" for one, file in self._left()]
        for fault in faults:
            self._say("!", Thing("fault", "finish", "_".join(fault.split())))
        self._assistant.close()
        os._exit(0)

    def _unread(self) -> Iterator[documents.Document]:
        """Yield the documents that cannot be found by meaning, though all work is done."""
        found = documents.of_collection(self._store, self._collection.id)
        encoded = updates.encoded_in(registry.get(self._collection.index)) if found else {}
        return (one for one in found if one.state is not State.READY or encoded.get(one.id) != one.sha256)

    def _left(self) -> Iterator[tuple[Thing, str]]:
        """Yield what was removed, also by a process that was killed meanwhile, and has its mark in a file."""
        kept = there(self._store, self._ledger)
        gone = [(one, sign) for one, sign in self._ledger.states.items() if sign != "+" and one[:2] not in kept]
        for file in self._store.path.parent.rglob("*"):
            content = file.read_bytes() if file.is_file() else b""
            for one, sign in gone:  # the name of a document, which has no "mark", stays unless erasing it was confirmed
                if one.mark.startswith("mark") and one.mark[4 if sign == "-" else 0 :].encode() in content:
                    yield one, file.name


def _act(act: Callable[[Process], None], path: Path, rng: random.Random, ledger: Ledger, writing: int) -> None:
    act(Process(path, rng, ledger, writing))


def prepared(folder: Path) -> Path:
    """Make a home with a user, a collection and replies to be judged; return its database."""
    os.environ["SEARCHAIN_HOME"] = str(folder)
    path = folder / "searchain.db"
    with crowd.desk(path, number=5, quota=QUOTA, contests=0) as store:
        users.add(store, users.new(WHO, "chat", "a long password"))
        access.create(store, WHO, "notes")
    return path


def kills(number: int, seed: int, folder: Path) -> Iterator[tuple[Ledger, list[Thing], list[Thing], list[str]]]:
    """Kill processes; yield after each what it said, what is lost, what came back, and what else is wrong."""
    hashing = HashEncoder()
    vars(checkpoint).update(find=lambda name: folder, fingerprint=lambda directory: "hash")
    vars(encoder).update(shared_encoder=lambda directory: hashing)
    vars(parsing).update(parse_file=parse_text, passages_of=paragraphs)
    torch.set_num_threads(1)  # none of its threads may be there when a process is forked
    for one in range(number):
        rng = random.Random(f"{seed} {one}")
        if one % SHARE == 0:
            home = folder / str(one // SHARE)
            home.mkdir()
            path, ledger = prepared(home), Ledger()
        child = Child(partial(_act, Process.work, path, rng, ledger))
        child.wait_for_first()
        time.sleep(rng.uniform(0, SOON))
        status, said = child.end(signal.SIGKILL)
        faults = [] if status == -signal.SIGKILL else [f"it ended with status {status}"]
        if one % SHARE == SHARE - 1 or one == number - 1:
            ledger.hear([line for line in said if line[0] != "!"])
            status, more = Child(partial(_act, Process.finish, path, rng, ledger)).end(0)
            said += more
            faults += [f"the last process ended with status {status}"] if status else []
        faults += [line for line in said if line[0] == "!"]
        ledger.hear([line for line in said if line[0] != "!"])
        store = Database(path)
        try:
            yield ledger, *ledger.faults(there(store, ledger)), faults
        finally:
            store.close()


@click.command(help=__doc__.partition("\n")[0])
@click.option("--kills", "number", default=1_000, show_default=True)
@click.option("--seed", default=0, show_default=True, help="Of what is done and of the moments.")
def main(number: int, seed: int) -> None:
    """Kill, and print what was confirmed, lost and revived."""
    confirmed: Counter[tuple[str, str]] = Counter()
    lost, revived, started = 0, 0, time.monotonic()
    wrong: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name:
        for one, (ledger, gone, back, faults) in enumerate(kills(number, seed, Path(name)), 1):
            lost, revived = lost + len(gone), revived + len(back)
            wrong.update([*faults, *(f"lost: {' '.join(it)}" for it in gone)])
            wrong.update(f"revived: {' '.join(it)}" for it in back)
            if one % SHARE == 0 or one == number:
                confirmed.update((thing.kind, sign) for thing, sign in ledger.states.items())
            if one % 100 == 0:
                click.echo(
                    f"{one} kills in {time.monotonic() - started:.0f} s: {lost} lost, {revived} revived", err=True
                )
    for kind in sorted({kind for kind, _ in confirmed}):
        click.echo(
            f"{kind:14}{confirmed[kind, '+']:9,} there{confirmed[kind, '-']:9,} gone{confirmed[kind, '?']:6,} cut"
        )
    click.echo(f"{number:,} kills: {lost} lost, {revived} revived, {wrong.total() - lost - revived} other faults")
    for fault, times in wrong.most_common(20):
        click.echo(f"  {times} x {fault}")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
