"""Write the document text piece by piece, and record the range of each block, page and character."""

import io
from collections.abc import Mapping, Sequence
from itertools import groupby

from searchain.documents.kinds import kind_of_name
from searchain.documents.parsed import QUESTION, Block, BlockKind, Label, Page, Run, WordBox, count
from searchain.errors import DocumentRefused
from searchain.language.sentences import after_marker
from searchain.language.text import plural
from searchain.safe_text import one_line

MAX_TEXT = 20_000_000
"""Most code points of a text: about 10,000 pages of a book."""
MOST_NAMED = 5
"""Most files that are named."""
QUESTION_WORDS = 20
"""Most words of a paragraph that only asks."""


class Writer:
    """The document text as it grows.

    ``has_anchors``: give every block an id, ``b1`` and so on. Raises ``DocumentRefused`` if a method would make the
    text longer than ``MAX_TEXT``.
    """

    def __init__(self, *, has_anchors: bool = False) -> None:
        self._has_anchors = has_anchors
        self.blocks: list[Block] = []
        self.pages: list[Page] = []
        self.runs: list[Run] = []
        self.words: list[WordBox] = []
        self.labels: list[Label] = []
        self.unread: list[str] = []
        """Names of the parts of the file that are not read, such as ``2 formulas``."""
        self.author = self.changed = ""
        """What the file states of itself: who wrote it, and when it was last changed, as it is written there."""
        self.length = 0
        self._written = io.StringIO()
        self._headings: list[tuple[int, str]] = []

    @property
    def text(self) -> str:
        return self._written.getvalue()

    def put(self, text: str) -> None:
        """Add ``text``, without a place in the original."""
        self.length += len(text)
        if self.length > MAX_TEXT:
            raise DocumentRefused(
                "too_large", f"The text is longer than {MAX_TEXT // 1_000_000} million characters; split the file."
            )
        self._written.write(text)

    def put_characters(self, text: str, page: int, characters: Sequence[int]) -> None:
        """Add ``text``; code point ``n`` is character ``characters[n]`` of ``page``, −1 for none."""
        numbered = enumerate(characters)
        for shift, run in groupby(numbered, key=lambda one: one[1] - one[0] if one[1] >= 0 else None):
            (first, character), *others = run
            if shift is not None:
                self._put_run(Run(self.length + first, 1 + len(others), page, character))
        self.put(text)

    def _put_run(self, run: Run) -> None:
        last = self.runs[-1] if self.runs else None
        after = (last.page, last.start + last.length, last.character + last.length) if last else None
        if last and after == (run.page, run.start, run.character):
            run = Run(last.start, last.length + run.length, run.page, last.character)
            self.runs.pop()
        self.runs.append(run)

    def end_block(self, kind: BlockKind, start: int, *, level: int = 0, added: Sequence[tuple[int, int]] = ()) -> None:
        """Make a block of all text from ``start``; a heading counts for all later blocks of its section.

        A paragraph that only asks a question becomes a heading, as in a list of questions and answers. ``added``: the
        ranges of the block's own text that do not stand here in the original.
        """
        self._written.seek(max(start - 1, 0))
        before, text = self._written.read(1) if start else "\n", self._written.read()
        if kind is BlockKind.PARAGRAPH and before == "\n" and is_question(text):
            kind, level = BlockKind.HEADING, QUESTION
        if kind is BlockKind.HEADING:
            self._headings = [(depth, title) for depth, title in self._headings if depth < level]
        headings = tuple(title for _, title in self._headings)
        places = tuple((start + first, start + last) for first, last in added)
        anchor = f"b{len(self.blocks) + 1}" if self._has_anchors else None
        self.blocks.append(Block(kind, start, self.length, headings, anchor, level, places))
        if kind is BlockKind.HEADING:
            self._headings.append((level, " ".join(text.split())))

    def label(self, text: str, ahead: int = 0) -> None:
        """Call what is added from now on (after ``ahead`` more code points) by the label ``text``, up to the next.

        No question is the heading of what has another label, such as another slide.
        """
        self._headings = [(depth, title) for depth, title in self._headings if depth < QUESTION]
        start = self.length + ahead
        if self.labels and self.labels[-1].start == start:
            self.labels.pop()
        self.labels.append(Label(start, text))

    def put_block(
        self,
        kind: BlockKind,
        text: str,
        *,
        level: int = 0,
        added: Sequence[tuple[int, int]] = (),
        labels: Sequence[tuple[int, str]] = (),
    ) -> None:
        """Add ``text`` as a block on lines of its own, unless it is blank.

        ``labels``: the labels that begin in ``text``, each with its offset.
        """
        if not text.strip():
            return
        if self.length:
            self.put("\n")
        start = self.length
        for offset, label in labels:
            self.label(label, offset)
        self.put(text)
        self.end_block(kind, start, level=level, added=added)

    def put_title(self, title: str, *, is_hidden: bool) -> None:
        """Add the title of a sheet or of a slide, and whether it is hidden."""
        added = " (hidden)" if title and is_hidden else ""
        span = (len(title), len(title) + len(added))
        self.put_block(BlockKind.HEADING, title + added, level=1, added=(span,) if added else ())

    def leave_out(self, counts: Mapping[str, int], files: Sequence[str] = (), of: str = "attached file") -> None:
        """Name what is not read: parts by their number, files also by their names."""
        self.unread += [plural(count, part) for part, count in counts.items() if count]
        if files:
            more = ", …" if len(files) > MOST_NAMED else ""
            self.unread.append(f"{plural(len(files), of)} ({', '.join(files[:MOST_NAMED])}{more})")

    def drop_last(self) -> None:
        """Remove the last code point."""
        self.length -= 1
        self._written.seek(self.length)
        self._written.truncate()
        if self.runs and self.runs[-1].start + self.runs[-1].length > self.length:
            last = self.runs.pop()
            if last.length > 1:
                self.runs.append(Run(last.start, last.length - 1, last.page, last.character))


def is_question(text: str) -> bool:
    """Tell whether a paragraph or line is a short question and no more, or such a one as "Q: I lost it. What now?".

    >>> is_question("2. Who pays?"), is_question("It is at 10. Can you come?"), is_question("“Who is there?”")
    (True, False, False)
    """
    if not text.endswith(("?", "？")) or not text[0].isalnum() or count(text) > QUESTION_WORDS:
        return False
    asked = text[after_marker(text, 0) : -1]
    return asked[1:3] == ": " or not any(mark in asked for mark in _ENDS)


_ENDS = (". ", ".\n", "! ", "? ", ": ", "。", "！", "？", "：")
"""What stands in a paragraph that says something before it asks, or in a line such as the subject of a mail."""
_POOR = frozenset(
    "anonymous|blank|book|document|home|index|new document|new page|no title|normal|page|powerpoint presentation|"
    "presentation|sheet|slide|title|unknown|unspecified|untitled|word document".split("|")
)
"""Stated titles, in lower case and without a number behind them, that programs write by themselves."""
_PROGRAMS = ("microsoft ", "untitled ", "unknown ", "no title ")  # how other such titles begin
_LONGEST_ENDING = 5
_OTHERS = frozenset(("aspx", "doc", "dvi", "indd", "ppt", "qxd", "xls"))
"""Endings of the names of files that are not read."""


def title_of(stated: str | None, writer: Writer) -> str | None:
    """Return the title that the document states, or else its first heading; ``None`` if the file's name says more."""
    if title := own_title(stated):
        return title
    headings = (block for block in writer.blocks if block.kind is BlockKind.HEADING and block.level < QUESTION)
    block = next(headings, None)
    return writer.text[block.start : block.end] if block else None


def own_title(stated: str | None) -> str | None:
    """Return a stated title; ``None`` if a program wrote it."""
    plain = one_line(stated or "")
    lower = plain.casefold().strip("()")
    is_poor = lower.rstrip("0123456789 -") in _POOR or lower.startswith(_PROGRAMS) or _is_address(lower)
    return plain if any(map(str.isalpha, plain)) and not is_poor else None


def _is_address(title: str) -> bool:
    """Tell whether a title is the name of a file, such as ``letter final.doc``, or where something is."""
    if "\\" in title or "://" in title or title.startswith("/"):
        return True
    stem, _, ending = title.rpartition(".")
    if " " in title:
        return ending in _OTHERS or kind_of_name(title) is not None
    has_ending = bool(stem) and ending.isalnum() and not ending.isdigit() and len(ending) <= _LONGEST_ENDING
    return has_ending or ":" in title
