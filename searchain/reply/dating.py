"""Date a reply to a question for what holds now, by the documents that it cites."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from searchain.documents.parsed import OwnFile
from searchain.events import Event, ReplyDelta, RunFinished, TracingStarted
from searchain.language import text
from searchain.language.sentences import split
from searchain.question.worded import WordedHead
from searchain.types import Passage, Source

AS_OF = "as of "
"""The words before a date by which a sentence dates itself."""
HEADING_WORDS = 15
"""Most words of a first line that is a heading, whose date is that of the file."""


def date_of(passage: Passage, file: OwnFile | None = None) -> str | None:
    """Return the date that an own document bears: in its title, name or heading, else in its metadata.

    ``None`` for a passage of no own document. Without ``file`` only the title and a first line that is in the passage
    are known.
    """
    if passage.place is None:
        return None
    parsed = file.read() if file else None
    whole = parsed.text if parsed else "" if passage.place.start else passage.text
    first, _, _ = whole.partition("\n")
    heading = first if len(first.split()) <= HEADING_WORDS else ""
    named = text.most_precise_date(f"{passage.title} {file.name if file else ''} {heading}")
    return named or (parsed.changed if parsed else None)


@dataclass(frozen=True, slots=True)
class Dating:
    """Dates replies. ``head`` recognises the questions, ``files`` returns the own documents by their ids."""

    head: WordedHead
    files: Callable[[], Mapping[str, OwnFile]]
    date: str | None = None
    """The date of the passages that belong to no own document."""

    def events(self, question: str, events: Iterator[Event]) -> Iterator[Event]:
        """Yield the ``events`` of the reply to ``question``, the last one with the date of what is cited."""
        sources: list[Source] = []
        for event in events:
            match event:
                case TracingStarted():
                    sources.clear()
                case ReplyDelta():
                    sources += event.sources
                case RunFinished() if event.final_answer and not event.conflict:
                    event = replace(event, as_of=self._as_of(question, sources))
            yield event

    def _as_of(self, question: str, sources: Sequence[Source]) -> str | None:
        """Return the oldest date of ``sources``; ``None`` if one has none, or if the question needs no date."""
        if not sources or self.head.kind_of(question) is None:
            return None
        dates = [self._date(source) for source in sources]
        known = [date for date in dates if date]
        return min(known) if len(known) == len(dates) else None

    def _date(self, source: Source) -> str | None:
        """Return the date at which what ``source`` says held: that of its sentence, else that of its document.

        A sentence that states another date ("at the 2021 census", "until 2011") speaks for itself, and has none.
        """
        span, passage = source.span, source.passage
        start, end = next(((a, b) for a, b in split(passage.text) if span and a <= span.start < b), (0, 0))
        if span:
            start = max(start, passage.text.rfind("\n", 0, span.start) + 1)  # a heading is not of the sentence
        sentence = passage.text[start:end]
        _, _, stated = sentence.casefold().partition(AS_OF)
        if dates := text.dates(stated):
            return text.iso(dates[0])
        others = passage.text[start : span.start] + passage.text[span.end : end] if span else ""
        if text.dates(others):
            return None
        if passage.place is None:
            return self.date
        return date_of(passage, self.files().get(passage.place.document))
