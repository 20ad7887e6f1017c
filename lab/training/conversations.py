"""Follow-ups as training data: rows of conversations, and the edits that make their questions standalone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import dropwhile, takewhile
from pathlib import Path

from lab.training.question_head import records
from searchain.language.text import tokens
from searchain.question.edits import JOINTS, Edit, Place, texts_of, words_of
from searchain.question.wording import ASKING, WH
from searchain.types import Exchange, Span

ROWS = Path(__file__).parent / "data" / "conversations.jsonl.gz"
"""A conversation a line: ``{"history": [[question, answer], ...], "question", "standalone", "about", "part"}``.

``about`` is ``world`` or ``own`` (own documents). ``part`` is ``learn``, ``judge``, or ``tune``: not learnt, but looked
at while the learnt ones were written.
"""


@dataclass(frozen=True, slots=True)
class Row:
    """A question with the conversation before it, and its standalone form."""

    history: tuple[Exchange, ...]
    question: str
    standalone: str
    about: str = ""
    part: str = "learn"

    @property
    def stands_alone(self) -> bool:
        return bare(self.question) == bare(self.standalone)


def written(file: Path = ROWS) -> list[Row]:
    """Return the conversations in ``file``."""
    return [
        Row(
            tuple(Exchange(asked, answer, answer) for asked, answer in one["history"]),
            one["question"],
            one["standalone"],
            one["about"],
            one["part"],
        )
        for one in records(file)
    ]


_LEADS = frozenset("and but or so ok okay thanks hmm cool , !".split())


def bare(question: str) -> list[str]:
    """Return the words of a question without "and" before them and signs behind them.

    >>> bare("And who won?")
    ['who', 'won']
    """
    return list(dropwhile(_LEADS.__contains__, _unended(folded(question))))


def folded(text: str) -> list[str]:
    """Return the words and signs of ``text`` in lower case."""
    return [text[span.start : span.end].casefold().replace("’", "'") for span in words_of(text)]


def edits(row: Row) -> list[tuple[Row, Edit | None]]:
    """Return the row with its edit, the row after that with the next one, and the standalone question with none.

    Empty if one or two edits do not make the question standalone.

    >>> said = (Exchange("Who wrote Emma?", "Jane Austen", "Jane Austen"),)
    >>> edits(Row(said, "When was she born?", "When was Jane Austen born?"))[0][1].words
    'Jane Austen'
    """
    if row.stands_alone:
        return [(row, None)]
    if edit := _edit(row):
        return [(row, edit), (replace(row, question=row.standalone), None)]
    if not (first := _first_of_two(row)):
        return []
    rest = edits(replace(row, question=first.applied(row.question, row.history)))
    return [(row, first), *rest] if rest else []


def places_of(words: str, text: str) -> list[tuple[int, int]]:
    """Return the first and last word of each place in ``text`` where ``words`` stand, without regard to capitals."""
    wanted, held = folded(words), folded(text)
    size = len(wanted)
    return [(at, at + size - 1) for at in range(len(held) - size + 1) if held[at : at + size] == wanted]


def _unended(words: list[str]) -> list[str]:
    while words and not words[-1][-1].isalnum():
        words = words[:-1]
    return words


def _edit(row: Row) -> Edit | None:
    """Return the edit that makes the question standalone: a name put into it, or its own words into the last question.

    >>> said = (Exchange("Who painted Guernica?", "Pablo Picasso", "Pablo Picasso"),)
    >>> _edit(Row(said, "and the Mona Lisa?", "Who painted the Mona Lisa?")).words
    'the Mona Lisa'
    """
    texts = texts_of(row.question, row.history)
    led = list(takewhile(_LEADS.__contains__, folded(row.question)))
    goals = bare(row.standalone), [*led, *bare(row.standalone)]
    asked = row.history[-1].question.rstrip(" ?.!")  # "why" behind a yes/no question
    own = [_between(row.question, goal, texts[1:], (Place.QUESTION, Place.INTO_QUESTION)) for goal in goals]
    last = [_between(row.history[-1].question, goal, texts[:1], (Place.LAST, Place.INTO_LAST)) for goal in goals]
    found = [one for one in own if one and (one.words == asked or not _asks(one.words))] or [one for one in last if one]
    return min(found, key=lambda one: len(one.words.split()), default=None)


def _asks(words: str) -> bool:
    first, *others = tokens(words)
    return first in ASKING or first == "tell" or not WH.isdisjoint(others)


def _between(base: str, goal: Sequence[str], sources: Sequence[str], places: tuple[Place, Place]) -> Edit | None:
    """Return the edit that turns ``base`` into ``goal`` with words of ``sources``."""
    words = _unended(folded(base))
    start, end, put = _differing(words, goal)
    return next(_made(base, start, end, put, sources, places), None) if put else None


def _made(
    base: str, start: int, end: int, put: Sequence[str], sources: Sequence[str], places: tuple[Place, Place]
) -> Iterator[Edit]:
    spans = words_of(base)
    for joint, words in _without_joint(put):
        source = next((text for text in sources if places_of(" ".join(words), text)), None)
        if source is None or (start == end == 0):
            continue
        first, last = places_of(" ".join(words), source)[0]
        inside = words_of(source)
        written = source[inside[first].start : inside[last].end]
        begin = start - 1 if start == end else start
        yield Edit(places[start == end], Span(spans[begin].start, spans[max(end, begin + 1) - 1].end), written, joint)


def _without_joint(put: Sequence[str]) -> Iterator[tuple[str, Sequence[str]]]:
    yield "", put
    if len(put) > 1 and put[-1] == "'s":
        yield "'s", put[:-1]
    if len(put) > 1 and put[0] in JOINTS[2:]:
        yield put[0], put[1:]


def _differing(one: Sequence[str], other: Sequence[str]) -> tuple[int, int, Sequence[str]]:
    """Return the stretch of ``one`` that differs from ``other`` between their equal ends, and what stands there."""
    shortest = min(len(one), len(other))
    head = next((at for at in range(shortest) if one[at] != other[at]), shortest)
    tail = next((at for at in range(shortest - head) if one[-1 - at] != other[-1 - at]), shortest - head)
    return head, len(one) - tail, other[head : len(other) - tail]


def _first_of_two(row: Row) -> Edit | None:
    """Return the first of two edits of the question that make it standalone; ``None`` if there are not two."""
    words, goal = _unended(folded(row.question)), _unended(folded(row.standalone))
    blocks = [one for one in SequenceMatcher(None, words, goal, autojunk=False).get_opcodes() if one[0] != "equal"]
    if len(blocks) != 2:
        return None
    _, start, end, begin, stop = blocks[0]
    sources, places = texts_of(row.question, row.history)[1:], (Place.QUESTION, Place.INTO_QUESTION)
    return next(_made(row.question, start, end, goal[begin:stop], sources, places), None)
