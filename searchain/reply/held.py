"""The searched own documents as wholes: their passages, sentences and sections, and which of them a question means."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath

from searchain.documents.parsed import QUESTION, BlockKind, OwnFile, ParsedDocument
from searchain.language import sentences
from searchain.language.text import content_tokens, content_words, plural, tokens
from searchain.question.document_head import Encoder
from searchain.safe_text import one_line
from searchain.types import HEADING_STEP, Passage, Span

QUOTED = 160
"""Most characters of a title or a heading that a reply names."""
LIKE, LEAD = 0.3, 0.05
"""The least cosine of a name with the beginning of the document that it means, and its least lead over the next one."""
_ORDINALS = {"first": 0, "1st": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "fourth": 3, "last": -1}


@dataclass(frozen=True, slots=True)
class Quote:
    """Words of a passage; without a span the passage itself."""

    passage: Passage
    span: Span | None = None

    @property
    def text(self) -> str:
        return self.passage.text[self.span.start : self.span.end] if self.span else ""

    @property
    def start(self) -> int:
        """Where the words begin in the document."""
        assert self.passage.place is not None
        return self.passage.place.start + (self.span.start if self.span else 0)


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with the range of the document's text below it."""

    heading: str
    level: int
    start: int
    end: int


@dataclass(eq=False)
class Document:
    """One searched document."""

    title: str
    passages: list[Passage]
    file: OwnFile | None = None

    @property
    def name(self) -> str:
        return self.file.name if self.file else self.title

    @property
    def label(self) -> str:
        """Its title in quotation marks, with the name of the file where that says something else."""
        stem = PurePosixPath(self.name).stem
        is_same = set(tokens(stem.replace("_", " "))) <= set(tokens(self.title))
        return f"“{short(self.title)}”" + ("" if is_same else f" ({short(self.name)})")

    @cached_property
    def parsed(self) -> ParsedDocument | None:
        return self.file.read() if self.file else None

    @property
    def first(self) -> Quote:
        """Its first sentence."""
        return next(iter(quotes_of(self.passages[:1])), Quote(self.passages[0]))

    @cached_property
    def sentences(self) -> list[Quote]:
        """All its sentences and rows, each once, in order."""
        return quotes_of(self.passages)

    @cached_property
    def sections(self) -> list[Section]:
        """Its headings, in order."""
        if self.parsed is None:
            return []
        text = self.parsed.text
        found = [block for block in self.parsed.blocks if block.kind is BlockKind.HEADING and block.level < QUESTION]
        ends = [
            next((below.start for below in found[place + 1 :] if below.level <= one.level), len(text))
            for place, one in enumerate(found)
        ]
        return [
            Section(" ".join(text[one.start : one.end].split()).rstrip("¶"), one.level, one.end, end)
            for one, end in zip(found, ends, strict=True)
        ]

    @property
    def headings(self) -> list[str]:
        """Its main headings, without its title; those that passages stand under where its text is not known."""
        levels = [part.level for part in self.sections if part.heading != self.title]
        main = min(levels, default=0)
        under = (passage.title.split(HEADING_STEP)[1:2] for passage in self.passages)
        found = [part.heading for part in self.sections if part.level == main and part.heading != self.title]
        return found or list(dict.fromkeys(heading for some in under for heading in some))

    def within(self, start: int, end: int) -> list[Quote]:
        """Return the sentences that begin in a range of its text."""
        return [one for one in self.sentences if start <= one.start < end]

    def at(self, words: str) -> Quote:
        """Return the first place of ``words``, else the beginning."""
        found = ((passage, passage.text.find(words)) for passage in self.passages if words)
        passage, start = next((one for one in found if one[1] >= 0), (self.passages[0], -1))
        return Quote(passage, Span(start, start + len(words))) if start >= 0 else self.first


def quotes_of(passages: Iterable[Passage]) -> list[Quote]:
    """Return the sentences of passages in order, each once though neighbours share some."""
    found: dict[int, Quote] = {}
    for passage in passages:
        for start, end in sentences.split(passage.text):
            quote = Quote(passage, Span(start, end))
            found.setdefault(quote.start, quote)
    return [found[start] for start in sorted(found)]


def documents_of(passages: Iterable[Passage], files: Mapping[str, OwnFile]) -> list[Document]:
    """Return the documents to which ``passages`` belong, in their order."""
    found: dict[str, Document] = {}
    for passage in passages:
        if passage.place is not None:
            id, title = passage.place.document, passage.heading
            found.setdefault(id, Document(title, [], files.get(id))).passages.append(passage)
    return list(found.values())


def meant(names: Sequence[str], documents: Sequence[Document], encoder: Encoder | None) -> list[Document]:
    """Return the documents that ``names`` mean; all where they fit none.

    >>> lease, minutes = Document("Lease of the flat", []), Document("Minutes of March", [])
    >>> [[one.title for one in meant([name], [lease, minutes], None)] for name in ("the lease", "the last file", "it")]
    [['Lease of the flat'], ['Minutes of March'], ['Lease of the flat', 'Minutes of March']]
    """
    found = [one for name in names for one in _named(name, documents)]
    if not found and encoder is not None:
        found = [one for name in names for one in _like(name, documents, encoder)]
    return [one for one in documents if one in found] or list(documents)


def _named(name: str, documents: Sequence[Document]) -> list[Document]:
    """Return the documents that have words of ``name`` in their title or file name, or that it counts."""
    whole = [one for one in documents if one.name.casefold() in name.casefold()]
    asked = content_words(name)
    if whole or not asked or len(documents) < 2:
        return whole
    shared = [_shared(asked, one) for one in documents]
    if max(shared)[0]:
        return [one for one, score in zip(documents, shared, strict=True) if score == max(shared)]
    place = next((_ORDINALS[word] for word in tokens(name) if word in _ORDINALS), None)
    return [] if place is None else list(documents[place:][:1])


def _like(name: str, documents: Sequence[Document], encoder: Encoder) -> list[Document]:
    """Return the document that is clearly nearest to ``name`` in meaning, if there is one."""
    if not content_words(name) or len(documents) < 2:
        return []
    likes = [float(encoder.embed(name) @ encoder.embed(f"{one.title}. {one.first.text}")) for one in documents]
    best, following = sorted(likes, reverse=True)[:2]
    return [documents[likes.index(best)]] if best >= LIKE and best - following >= LEAD else []


def _shared(asked: set[str], one: Document) -> tuple[int, bool, bool]:
    """Return how many words a name shares with title and file name, whether it has all of the file name, and whether
    the title begins with it."""
    stem = content_words(PurePosixPath(one.name).stem.replace("_", " "))
    titled = content_tokens(one.title)
    named = {*titled, *stem, *content_words(PurePosixPath(one.name).suffix)}
    return len(asked & named), stem <= asked, bool(titled and titled[0] in asked)


def short(text: str) -> str:
    """Return ``text`` on one line, cut if it is long, and without anything that looks like a mark."""
    line = one_line(text).replace("[", "(").replace("]", ")")
    return line if len(line) <= QUOTED else f"{line[:QUOTED].rsplit(' ', 1)[0]} …"


def others(number: int) -> str:
    return f"{plural(number, 'other document')} {'is' if number == 1 else 'are'} not named here."
