"""Date a reply to a question for what holds now, by the documents that it cites."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise

from searchain.documents.parsed import OwnFile
from searchain.events import Event, ReplyDelta, RunFinished, TracingStarted
from searchain.language import text
from searchain.language.sentences import split
from searchain.question.worded import WordedHead
from searchain.reply.outcome import OTHER_TIME
from searchain.types import Outcome, Passage, Source, Status

AS_OF = ("as", "of")
"""The words before a date by which a sentence dates itself."""
OTHER = "other"
"""Stands for the date of a sentence that states another date than that of its document."""
DOUBTFUL = 0.4
"""From which likelihood on a question may ask for what holds now; eight in ten such do (docs/questions.md)."""
HEADING_WORDS = 15
"""Most words of a first line that is a heading, whose date is that of the file."""


def date_of(passage: Passage, file: OwnFile | None = None) -> str | None:
    """Return the date that an own document bears: in its title or name, its heading, its metadata.

    A year alone counts only without metadata: in a title it may be any number. ``None`` for a passage of no own
    document. Without ``file`` only the title and a first line that is in the passage are known.
    """
    if passage.place is None:
        return None
    latest = file.added if file else ""
    named = text.most_precise_date(f"{passage.title} | {file.name if file else ''}", latest) or ""
    if "-" in named:
        return named
    parsed = file.read() if file else None
    headed = _headed(parsed.text if parsed else "" if passage.place.start else passage.text, latest)
    if headed and "-" in headed:
        return headed
    changed = text.most_precise_date(parsed.changed or "", latest) if parsed else None
    return changed or named or headed


def _headed(body: str, latest: str) -> str | None:
    """Return the most precise date of a first line that is a heading."""
    first, _, _ = body.partition("\n")
    return text.most_precise(text.dates(first), latest) if len(first.split()) <= HEADING_WORDS else None


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
                case RunFinished() if sources and event.final_answer and not event.conflict:
                    if self.head.kind_of(question, DOUBTFUL) is not None:
                        event = self._dated(event, sources, with_date=self.head.kind_of(question) is not None)
            yield event

    def _dated(self, end: RunFinished, sources: Sequence[Source], with_date: bool) -> RunFinished:
        """Return ``end``, if ``with_date`` with the oldest date of ``sources``, without a date if one has none.

        It loses its tick if a sentence of an article speaks of another time. One of an own document may say from when
        on a thing holds.
        """
        files = cache(self.files)

        @cache
        def file_of(document: str) -> OwnFile | None:
            file = files().get(document)
            return replace(file, read=cache(file.read)) if file else None

        dates = [self._date(source, file_of) for source in sources]
        known = [date for date in dates if date and date != OTHER]
        is_past = any(date == OTHER and not source.passage.place for source, date in zip(sources, dates, strict=True))
        if is_past and end.outcome is Outcome.SUPPORTED:
            message = "; ".join(filter(None, (OTHER_TIME, end.message)))
            end = replace(end, status=Status.PARTIAL, outcome=Outcome.UNSURE, probability=None, message=message)
        return replace(end, as_of=min(known) if with_date and len(known) == len(dates) else None)

    def _date(self, source: Source, file_of: Callable[[str], OwnFile | None]) -> str | None:
        """Return the date at which what ``source`` says held: that of its sentence, else that of its document.

        ``OTHER`` for a sentence that states another date ("at the 2021 census", "until 2011") or a decade ("in the
        1980s"): it speaks for itself.
        """
        passage = source.passage
        sentence, others = _sentence_of(source)
        for start, _, found in text.dated(sentence):
            before = text.tokens(sentence[:start])[-3:]  # "as of 2026", "as of mid-2026"
            if AS_OF in pairwise(before) and (date := text.most_precise([found])):
                return date
        words = text.tokens(others)
        if text.dates(others) or any(map(_is_decade, pairwise(words))):
            return OTHER
        return self.date if passage.place is None else date_of(passage, file_of(passage.place.document))


def _is_decade(words: tuple[str, str]) -> bool:
    number, sign = words
    return sign == "s" and number.isdecimal() and len(number) == 4 and number.endswith("0")  # "1980s", no "747s"


def _sentence_of(source: Source) -> tuple[str, str]:
    """Return the sentences that hold the span of ``source``, and what they say beside it: all, if the span is all."""
    span, body = source.span, source.passage.text
    if span is None:
        return "", ""
    inside = [(start, end) for start, end in split(body) if start < span.end and span.start < end]
    start, end = (inside[0][0], inside[-1][1]) if inside else (span.start, span.end)
    start = max(start, body.rfind("\n", 0, span.start) + 1)  # a heading is not of the sentence
    beside = body[start : span.start] + body[span.end : end]
    return body[start:end], beside if text.tokens(beside) else body[start:end]
