"""Removes text from the desk when a turn is deleted or redacted, or when a reply is removed.

Labels stay, with the limits of their knowledge items; comments are removed because they may quote the text. Labels
still fit the item, whose lengths, marks and limits stay. All changes are made in the caller's transaction;
``storage.removal.delete.compact`` then removes the text from the file.
"""

import json
import re
from collections.abc import Callable
from dataclasses import replace

from searchain.annotation.protocol import GOES_ON, Item, ItemSource, without_marks
from searchain.safe_text import COVER
from storage.annotation import items
from storage.database import Connection, first, now

SIGN = "□"
"""Stands in the place of a character that is of no word."""
_WORDS = re.compile(r"\w")
_SIGNS = re.compile(r"[^\s█!-/:-@\[-`{-~–—…。！？]")
"""Characters left after words are covered, except spaces and common punctuation: for example separate accents."""
_COMMENTED = ("annotation_labels", "annotation_gold")


def of_turn(db: Connection, turn: str) -> str | None:
    """Return the ID of the item that was made from ``turn``."""
    row = first(db, "SELECT id FROM annotation_items WHERE turn = ?", turn)
    return row[0] if row else None


def remove(db: Connection, item: str, *, with_labels: bool) -> None:
    """Remove the item's text and comments from the desk; with ``with_labels``, remove the item and all its labels.

    Raises ``NotFound`` if there is no such item.
    """
    frozen = items.get(db, item)
    if with_labels:
        for table in (*_COMMENTED, "annotation_tasks", "annotation_guesses", "annotation_machines"):
            db.execute(f"DELETE FROM {table} WHERE item = ?", (item,))
        db.execute("DELETE FROM annotation_items WHERE id = ?", (item,))
        return
    _rewrite(db, item, withdrawn(frozen))
    _recomment(db, item, lambda comment: "")
    db.execute("UPDATE annotation_items SET withdrawn = coalesce(withdrawn, ?) WHERE id = ?", (now(), item))


def redact(db: Connection, item: str, cover: Callable[[str], str], *, with_labels: bool) -> int:
    """Cover what ``cover`` finds in the item, comments and drafts, keeping lengths; return how many texts changed.

    The item can still be judged. With ``with_labels``, an item that changes is removed instead.
    """
    frozen = items.get(db, item)
    after = rewritten(frozen, cover)
    if after != frozen:
        _rewrite(db, item, after)
    changed = (after != frozen) + _recomment(db, item, cover)
    if changed and with_labels:
        remove(db, item, with_labels=True)
    return changed


def withdrawn(item: Item) -> Item:
    """Cover the text of ``item``; keep its system, its model and the program's own judgement for the report.

    Common punctuation stays, and so do the words that join two clauses after a mark (*and*, *which*). The default
    knowledge items, with which judgements are compared, then stay the same.
    """
    covered = rewritten(item, lambda text: _SIGNS.sub(SIGN, _WORDS.sub(COVER, text)))
    answer, text = list(covered.answer), without_marks(item)
    for mark in item.marks:
        if joint := GOES_ON.match(text, mark.end):
            answer[joint.start() : joint.end()] = item.answer[joint.start() : joint.end()]
    return replace(covered, system=item.system, model=item.model, answer="".join(answer))


def rewritten(item: Item, change: Callable[[str], str]) -> Item:
    """Apply ``change``, which keeps lengths, to every text of ``item``; the marks of its answer stay."""
    answer = list(change(item.answer))
    for mark in item.marks:
        answer[mark.start : mark.end] = item.answer[mark.start : mark.end]

    def changed(source: ItemSource) -> ItemSource:
        url = change(source.url) if source.url is not None else None
        return replace(source, title=change(source.title), text=change(source.text), url=url)

    return replace(
        item,
        question=change(item.question),
        system=change(item.system),
        model=change(item.model),
        answer="".join(answer),
        sources=tuple(map(changed, item.sources)),
        uncited=tuple(map(changed, item.uncited)),
    )


def _rewrite(db: Connection, item: str, after: Item) -> None:
    values = (items.encoded(after), after.system, after.model, item)
    db.execute("UPDATE annotation_items SET content = ?, system = ?, model = ? WHERE id = ?", values)


def _recomment(db: Connection, item: str, change: Callable[[str], str]) -> int:
    changed = 0
    for table in _COMMENTED:
        rows = db.execute(f"SELECT number, comment FROM {table} WHERE item = ?", (item,)).fetchall()
        for number, comment in rows:
            if (after := change(comment)) != comment:
                db.execute(f"UPDATE {table} SET comment = ? WHERE number = ?", (after, number))
                changed += 1
    drafts = "SELECT annotator, draft FROM annotation_tasks WHERE item = ? AND draft IS NOT NULL"
    for annotator, text in db.execute(drafts, (item,)).fetchall():
        draft = json.loads(text)
        if (after := change(draft["comment"])) != draft["comment"]:
            values = (json.dumps({**draft, "comment": after}, ensure_ascii=False), annotator, item)
            db.execute("UPDATE annotation_tasks SET draft = ? WHERE annotator = ? AND item = ?", values)
            changed += 1
    return changed
