"""Answer questions about the user's own documents themselves, from their titles, headings and counts.

No model and no search by meaning is used. Every passage is read, so that the reply can say that no document mentions X.
How often such replies are right was not measured, so they are never shown as supported.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from searchain.events import (
    Event,
    NodeJudged,
    NodeParsed,
    NodeRead,
    ReplyDelta,
    RoundStarted,
    RunFinished,
    Searched,
    SentenceBound,
    TaskChosen,
    TracingStarted,
)
from searchain.language import sentences
from searchain.language.text import content_words, plural
from searchain.question.documents import About, DocumentQuestion
from searchain.safe_text import one_line
from searchain.types import (
    HEADING_STEP,
    Hit,
    Mark,
    Outcome,
    Passage,
    Reading,
    Sentence,
    Source,
    Span,
    Status,
    Support,
    TaskKind,
    Usage,
    Verdict,
)

NODE = "n1"
RULE = "documents"
SHOWN = 8
"""Most documents that a reply describes; the others are counted."""
HEADINGS = 6
"""Most headings of a document that a reply names."""
QUOTED = 160
"""Most characters of a title, a heading or a first sentence that a reply quotes."""
NOT_MEASURED = "counted in the documents themselves; how often such a reply is right was never measured"


@dataclass(slots=True, eq=False)
class _Document:
    """One document, as its passages show it."""

    title: str
    first: Passage
    headings: dict[str, None] = field(default_factory=dict)
    passages: int = 0
    found: Passage | None = None
    """The first passage that mentions the words asked for."""
    span: Span | None = None
    mentions: set[int] = field(default_factory=set)
    """Positions of the mentions in the document, in characters; a set, because passages overlap."""
    is_literal: bool = False
    """Whether the document contains the words exactly as asked."""

    def look_for(self, phrase: re.Pattern[str], passage: Passage, start: int) -> None:
        """Record where ``phrase`` occurs in a passage that begins at ``start`` of the document."""
        matches = [match.span() for match in phrase.finditer(passage.text)]
        self.mentions |= {start + at for at, _ in matches}
        if self.span is None and (matches or (self.found is None and phrase.search(passage.title))):
            self.found, self.span = passage, Span(*matches[0]) if matches else None
            self.is_literal = True


@dataclass(frozen=True, slots=True)
class _Statement:
    """A sentence of the reply, without marks, and the documents that it cites."""

    text: str
    cites: tuple[_Document, ...] = ()


def about_documents(
    question: str, asked: DocumentQuestion, passages: Iterable[Passage], usage: Usage
) -> Iterator[Event]:
    """Yield the events of the turn, from the task to ``RunFinished``.

    ``passages`` are all passages that are searched. Passages that belong to no document are skipped.
    """
    yield TaskChosen(task=TaskKind.LONGFORM if asked.kind is About.TOPICS else TaskKind.MULTIHOP, by="rule")
    started = time.perf_counter()
    found = list(_documents(passages, asked.words))
    statements, cited, answer = (
        _mentions(asked.words, found) if asked.kind is About.MENTIONS else _contents(asked.kind, found)
    )
    sources = _sources(question, cited)
    yield RoundStarted(round=1)
    yield NodeParsed(node=NODE, parent=None, round=1, query=question, answer=None)
    hits = tuple(Hit(source.passage, 0.0, source.number) for source in sources.values())
    yield Searched(node=NODE, query=question, hits=hits, seconds=time.perf_counter() - started)
    if hits:
        span = sources[_id(cited[0])].span
        quote = hits[0].passage.text[span.start : span.end] if span else ""
        yield NodeRead(node=NODE, passage=hits[0].passage.id, rank=1, reading=Reading(quote, span, 0.0), seconds=0.0)
    verdict = Verdict.COMPLETED if answer else Verdict.UNCONFIRMED
    yield NodeJudged(node=NODE, verdict=verdict, rule=RULE, before=None, after=answer or None)
    yield TracingStarted(path=(NODE,), writer="template")
    yield from _reply(statements, sources)
    yield RunFinished(
        status=Status.PARTIAL if answer else Status.NOT_FOUND,
        outcome=Outcome.UNRATED if answer else Outcome.NOT_FOUND,
        final_answer=answer,
        invented_markers=0,
        usage=usage,
        message=NOT_MEASURED,
    )


def _documents(passages: Iterable[Passage], words: str) -> Iterable[_Document]:
    """Return the documents in the order of their passages, with the places where each mentions ``words``.

    If no passage has ``words`` exactly, passages that have all of them count.
    """
    phrase, all_words = _pattern(words), content_words(words)
    found: dict[str, _Document] = {}
    near: dict[str, Passage] = {}
    for passage in passages:
        if passage.place is None:
            continue
        title, *headings = passage.title.split(HEADING_STEP)
        document = found.setdefault(passage.place.document, _Document(title, passage))
        document.passages += 1
        document.headings |= dict.fromkeys(headings[:1])
        if phrase is None:
            continue
        document.look_for(phrase, passage, passage.place.start)
        if len(all_words) > 1 and passage.place.document not in near and all_words <= content_words(_whole(passage)):
            near[passage.place.document] = passage
    if words and not any(document.found for document in found.values()):
        for id, passage in near.items():
            found[id].found = passage
    return found.values()


def _whole(passage: Passage) -> str:
    return f"{passage.title} {passage.text}"


def _pattern(words: str) -> re.Pattern[str] | None:
    """Return a pattern for ``words``: whole words, singular or plural, with any characters between them."""
    parts = re.findall(r"\w+", words)
    if not parts:
        return None
    if re.search("[\u2e80-\u9fff]", words):  # for scripts without spaces between words
        return re.compile(re.escape(words), re.IGNORECASE)
    stems = [part[:-1] if len(part) > 3 and part.endswith("s") and not part.endswith("ss") else part for part in parts]
    return re.compile(r"(?<!\w)" + r"[\W_]{1,3}".join(f"{re.escape(s)}(?:['’]?e?s)?" for s in stems) + r"(?!\w)", re.I)


def _contents(kind: About, found: Sequence[_Document]) -> tuple[list[_Statement], list[_Document], str]:
    """Return sentences on what the documents are and what each is about, the cited documents, and the short answer."""
    largest = sorted(found, key=lambda one: -one.passages)[:SHOWN]
    cited = [one for one in found if one in largest]
    passages = sum(one.passages for one in found)
    number = plural(len(found), "document")
    statements = [
        _Statement(
            f"There {'is' if len(found) == 1 else 'are'} {number} with {plural(passages, 'passage')}.", tuple(cited)
        )
    ]
    statements += [_Statement(_content(one), (one,)) for one in cited]
    statements += _others(len(found) - len(cited))
    names = ", ".join(_short(one.title) for one in cited)
    return statements, cited, str(len(found)) if kind is About.NUMBER else names


def _content(document: _Document) -> str:
    headings = [heading for heading in map(_short, document.headings) if heading]
    if headings:
        more = f" and {len(headings) - HEADINGS} more" if len(headings) > HEADINGS else ""
        what = "the section" if len(headings) == 1 else "the sections"
        return f"“{_short(document.title)}” has {what} {'; '.join(headings[:HEADINGS])}{more}."
    return f"“{_short(document.title)}” begins: “{_short(_first_sentence(document.first)[0])}”."


def _mentions(words: str, found: Sequence[_Document]) -> tuple[list[_Statement], list[_Document], str]:
    """Return sentences on which documents mention ``words``, those with most mentions first."""
    matching = sorted((one for one in found if one.found), key=lambda one: -len(one.mentions))
    what = f"“{_short(words)}”"
    if not matching:
        none = (
            "The one document does not mention" if len(found) == 1 else f"None of the {len(found)} documents mentions"
        )
        return [_Statement(f"{none} {what}.")], [], ""
    cited = matching[:SHOWN]
    if any(one.is_literal for one in matching):
        first = f"{_of(len(matching), len(found))} {what}."
    else:
        first = f"No document has {what} as it stands; its words stand together in {plural(len(matching), 'document')}."
    statements = [_Statement(first, tuple(cited)), *(_Statement(_mention(one), (one,)) for one in cited)]
    return statements + _others(len(matching) - len(cited)), cited, ", ".join(_short(one.title) for one in cited)


def _mention(document: _Document) -> str:
    title = f"“{_short(document.title)}”"
    if document.mentions:
        return f"{title} mentions it {_times(len(document.mentions))}."
    return f"{title} has it in a heading." if document.is_literal else f"{title} has all its words in one passage."


def _of(number: int, total: int) -> str:
    verb = "mentions" if number == 1 else "mention"
    return f"The one document {verb}" if number == total == 1 else f"{number} of the {plural(total, 'document')} {verb}"


def _times(number: int) -> str:
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def _others(number: int) -> list[_Statement]:
    verb = "is" if number == 1 else "are"
    return [_Statement(f"{plural(number, 'other document')} {verb} not named here.")] if number else []


def _sources(question: str, cited: Sequence[_Document]) -> dict[str, Source]:
    """Return passage id → source, numbered in the order of ``cited``."""
    found = {}
    for number, document in enumerate(cited, 1):
        passage = document.found or document.first
        span = document.span if document.found else _first_sentence(passage)[1]
        found[_id(document)] = Source(number, passage, span, 0.0, question, Verdict.COMPLETED, NODE)
    return found


def _id(document: _Document) -> str:
    return (document.found or document.first).id


def _first_sentence(passage: Passage) -> tuple[str, Span]:
    start, end = next(iter(sentences.split(passage.text)), (0, len(passage.text)))
    return passage.text[start:end], Span(start, end)


def _reply(statements: Sequence[_Statement], sources: dict[str, Source]) -> Iterator[Event]:
    """Yield the text with its marks; each source comes with the first sentence that cites it."""
    at, known = 0, set[int]()
    bound = []
    for one in statements:
        body = one.text.rstrip(".")
        text, marks = (body + " " if one.cites else body), []
        for document in one.cites:
            number = sources[_id(document)].number
            mark = f"[{number}]"
            marks.append(Mark(number, at + len(text), at + len(text) + len(mark)))
            text += mark
        text += "."
        fresh = tuple(s for s in (sources[_id(d)] for d in one.cites) if s.number not in known)
        known |= {source.number for source in fresh}
        yield ReplyDelta(text=text if not at else f" {text}", sources=fresh)
        support = Support.SUPPORTED if marks else Support.OWN
        bound.append(Sentence(text, at, at + len(text), tuple(marks), support))
        at += len(text) + 1
    for sentence in bound:
        yield SentenceBound(sentence=sentence)


def _short(text: str) -> str:
    """Return ``text`` on one line, cut if it is long, and without anything that looks like a mark."""
    line = re.sub(r"\[(\d+)\]", r"(\1)", one_line(text))
    return line if len(line) <= QUOTED else f"{line[:QUOTED].rsplit(' ', 1)[0]} …"
