"""What is answered to each kind of question about own documents as wholes: statements that cite their places.

A function returns no statements where the documents do not hold what is asked; the question is then looked up.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from searchain.language import text
from searchain.language.text import content_words, plural, tokens
from searchain.question.document_head import About, DocumentQuestion, Encoder
from searchain.reading.reader import Reader
from searchain.reply.extracts import central, differences
from searchain.reply.held import Document, Quote, Section, others, quotes_of, short
from searchain.reply.quoting import overlap
from searchain.reply.template import plain

SHOWN = 8
"""Most documents that a reply describes; the others are counted."""
READ = 3
"""Most documents of which a reply quotes several sentences."""
HEADINGS = 6
"""Most headings of a document that an overview names."""
LISTED = 40
"""Most headings or dates that a reply lists."""
EXTRACT, PART, BRIEF = 7, 10, 4
"""Sentences that are quoted of a document, of a page or section, and of one of several documents."""
DIFFERENCES = 6
"""Most pairs of sentences, and most sentences of one side, that a comparison quotes."""
NEXT, ITEM = " ", "\n- "
"""What stands before a statement: it goes on in the line, or is an item of a list."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A piece of the reply, without marks, and what it cites."""

    text: str
    cites: tuple[Quote, ...] = ()
    before: str = NEXT
    is_quoted: bool = False
    """Whether it is word for word what it cites."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One question about documents as wholes, and those it means."""

    question: DocumentQuestion
    documents: Sequence[Document]
    all: Sequence[Document]
    encoder: Encoder | None
    reader: Reader | None

    @property
    def some(self) -> Sequence[Document]:
        """The documents that a reply describes, in their order: the largest."""
        largest = sorted(self.documents, key=lambda one: -len(one.passages))[:SHOWN]
        return [one for one in self.documents if one in largest]


@dataclass(frozen=True, slots=True)
class Told:
    """The statements of a reply and its short answer."""

    statements: Sequence[Statement]
    answer: str


def quoted(quotes: Sequence[Quote], before: str = ITEM) -> list[Statement]:
    return [Statement(plain(one.text), (one,), before, is_quoted=True) for one in quotes]


def _each(asked: Asked, say: Callable[[Document], list[Statement]]) -> list[Statement]:
    """Return what is said of each document, and how many are left out."""
    found = [statement for one in asked.some for statement in say(one)]
    left = len(asked.documents) - len(asked.some)
    return [*found, Statement(others(left))] if left and found else found


def topics(asked: Asked) -> Told | None:
    if len(asked.documents) == 1:
        (one,) = asked.documents
        chosen = central(one.sentences, EXTRACT, asked.encoder)
        return Told([Statement(f"{one.label} in its own sentences:"), *quoted(chosen)], plain(chosen[0].text))
    passages = sum(len(one.passages) for one in asked.documents)
    first = f"{_counted(asked.documents)} with {plural(passages, 'passage')}."
    statements = [Statement(first, tuple(one.first for one in asked.some))]
    return Told([*statements, *_each(asked, _content)], ", ".join(short(one.title) for one in asked.some))


def _content(one: Document) -> list[Statement]:
    """Tell the first sentence of a document and its main headings."""
    first = one.first
    begins = f"{one.label} begins: “{short(first.text).rstrip('.')}”"
    headings = [short(heading) for heading in one.headings]
    more = f" and {len(headings) - HEADINGS} more" if len(headings) > HEADINGS else ""
    parts = f"; {plural(len(headings), 'section')}: {'; '.join(headings[:HEADINGS])}{more}" if headings else ""
    return [Statement(f"{begins}{parts}.", (first,), ITEM)]


def files(asked: Asked) -> Told | None:
    def line(one: Document) -> list[Statement]:
        pages = f", {plural(one.file.pages, 'page')}" if one.file and one.file.pages else ""
        return [Statement(f"{short(one.name)}: “{short(one.title)}”{pages}.", (one.first,), ITEM)]

    whole = replace(asked, documents=asked.all)
    count = Statement(f"{_counted(asked.all)}:")
    return Told([count, *_each(whole, line)], ", ".join(short(one.name) for one in whole.some))


def number(asked: Asked) -> Told | None:
    whole = replace(asked, documents=asked.all)
    statement = Statement(f"{_counted(asked.all)}.", tuple(one.first for one in whole.some))
    return Told([statement], str(len(asked.all)))


def _counted(documents: Sequence[Document]) -> str:
    return f"There {'is' if len(documents) == 1 else 'are'} {plural(len(documents), 'document')}"


def length(asked: Asked) -> Told | None:
    def size(one: Document) -> tuple[int, int]:
        return (one.file.pages or 0 if one.file else 0), sum(len(quote.text.split()) for quote in one.sentences)

    def line(one: Document) -> list[Statement]:
        pages, words = size(one)
        counts = [plural(pages, "page")] if pages else []
        counts += [f"about {words:,} words"]
        counts += [plural(len(one.sections), "heading")] if one.sections else []
        return [Statement(f"{one.label} has {_joined(counts)}.", (one.sentences[-1],), ITEM)]

    longest = sorted(asked.documents, key=size, reverse=True)
    pages, words = map(sum, zip(*map(size, longest), strict=True))
    answer = plural(pages, "page") if pages else f"about {words:,} words"
    statements = _each(replace(asked, documents=longest), line)
    if len(longest) == 1:
        return Told([replace(one, before=NEXT) for one in statements], answer)
    opening = Statement(f"The {len(longest)} documents have {answer} in all, the longest first:")
    return Told([opening, *statements], answer)


def _joined(items: Sequence[str]) -> str:
    return f"{', '.join(items[:-1])} and {items[-1]}" if len(items) > 1 else items[0]


def page(asked: Asked) -> Told | None:
    statements: list[Statement] = []
    for one in asked.documents[:READ]:
        pages = one.parsed.pages if one.parsed else ()
        if not pages:
            statements += [Statement(f"{one.label} has no pages.", (one.first,))]
            continue
        wanted = _number(asked.question.place, len(pages))
        place = next((at for at, page in enumerate(pages, 1) if page.label == str(wanted)), wanted)
        counted = "" if place == wanted else f" (the file’s page {place})"
        if not 1 <= place <= len(pages):
            statements += [Statement(f"{one.label} has {plural(len(pages), 'page')}.", (one.sentences[-1],))]
            continue
        found = one.within(pages[place - 1].start, pages[place - 1].end)
        statements += _extract(f"Page {wanted} of {one.label}{counted}", found, asked)
    return _with_rest(statements, asked)


def _number(words: str, count: int) -> int:
    """Return the number in "page 3" or "the second page"; 0 without one.

    >>> _number("page 3", 9), _number("the second page", 9), _number("the last page", 9)
    (3, 2, 9)
    """
    ordinals = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "last": count}
    found = next((ordinals[word] for word in tokens(words) if word in ordinals), None)
    return found if found is not None else int(next(iter(text.numbers(words)), 0))


def _extract(what: str, quotes: Sequence[Quote], asked: Asked) -> list[Statement]:
    """Quote a part of a document: all of it where it is short, else its central sentences."""
    most = PART if len(asked.documents) == 1 else BRIEF
    if len(quotes) <= most + 1:
        return [Statement(f"{what} says:" if quotes else f"{what} holds no text that was read."), *quoted(quotes)]
    chosen = central(quotes, most, asked.encoder)
    return [Statement(f"{what}, {len(chosen)} of its {len(quotes)} sentences:"), *quoted(chosen)]


def _with_rest(statements: Sequence[Statement], asked: Asked) -> Told | None:
    left = len(asked.documents) - READ
    rest = [Statement(f"{plural(left, 'other document')} could be meant; name one.", before="\n")] if left > 0 else []
    cited = [one for one in statements if one.cites]
    return Told([*statements, *rest], cited[0].text) if cited else None


def section(asked: Asked) -> Told | None:
    found = [(one, part) for one in asked.documents if (part := _section(asked.question.place, one)) is not None]
    narrowed = replace(asked, documents=[one for one, _ in found])
    statements: list[Statement] = []
    for one, part in found[:READ]:
        what = f"“{short(part.heading)}” in {one.label}"
        statements += _extract(what, one.within(part.start, part.end), narrowed)
    return _with_rest(statements, narrowed)


_NAMES_OF_SECTIONS = frozenset("section chapter clause part article paragraph appendix".split())


def _section(words: str, one: Document) -> Section | None:
    """Return the section that ``words`` name by its number, by its whole heading, or by most words of its heading."""
    whole = words.casefold().replace("§", " ").split()
    numbers = [
        word.strip(".") for word in whole if word[:1].isdigit() or (len(word) == 1 and word.isalpha() and word != "a")
    ]
    if numbers:
        return _numbered(numbers, one)
    asked = content_words(words) - _NAMES_OF_SECTIONS
    headed = [content_words(part.heading) for part in one.sections]
    named_in_full = [len(heading) if heading <= asked else 0 for heading in headed]
    if (most := max(named_in_full, default=0)) and most >= len(asked) - 1:  # beside the verb, as in "summarise"
        return one.sections[named_in_full.index(most)]
    shared = [len(asked & heading) for heading in headed]
    most = max(shared, default=0)
    return one.sections[shared.index(most)] if 2 * most > len(asked) else None


def _numbered(numbers: Sequence[str], one: Document) -> Section | None:
    """Return the section whose heading begins with one of ``numbers``; main headings without numbers are counted."""
    for part in one.sections:
        begins = part.heading.casefold().replace("§", " ").split()[:2]
        if any(word.strip(".:)") in numbers for word in begins):
            return part
    main = [part for part in one.sections if part.heading in one.headings]
    place = int(numbers[0]) if numbers[0].isdecimal() else 0
    is_plain = not any(part.heading[:1].isdigit() for part in main)
    return main[place - 1] if is_plain and 1 <= place <= len(main) else None


def contents(asked: Asked) -> Told | None:
    statements: list[Statement] = []
    for one in asked.documents[:READ]:
        if not one.sections:
            statements += [Statement(f"{one.label} has no headings; it begins:"), *quoted([one.first])]
            continue
        shown = [part for part in one.sections if part.level <= _depth(one)][:LISTED]
        more = f", the first {len(shown)} of {len(one.sections)}" if len(shown) < len(one.sections) else ""
        statements += [Statement(f"The headings of {one.label}{more}:", before="\n" if statements else NEXT)]
        statements += [_heading(one, part, shown[0].level) for part in shown]
    return _with_rest(statements, asked)


def _depth(one: Document) -> int:
    """Return the deepest level of headings of which a reply lists all."""
    levels = sorted({part.level for part in one.sections})
    fitting = [level for level in levels if sum(part.level <= level for part in one.sections) <= LISTED]
    return fitting[-1] if fitting else levels[0]


def _heading(one: Document, part: Section, top: int) -> Statement:
    below = next(iter(one.within(part.start, part.end)), one.first)
    number = one.parsed.page_of(part.start) if one.parsed else None
    indent = "  " * max(part.level - top, 0)
    where = f", page {number}" if number else ""
    return Statement(f"{short(part.heading).rstrip('.')}{where}.", (below,), f"\n{indent}- ")


def title(asked: Asked) -> Told | None:
    def line(one: Document) -> list[Statement]:
        return [Statement(f"The title of {short(one.name)} is “{short(one.title)}”.", (one.at(one.title),), ITEM)]

    return _one_line_each(asked, line, ", ".join(short(one.title) for one in asked.some))


def _one_line_each(asked: Asked, line: Callable[[Document], list[Statement]], answer: str) -> Told | None:
    statements = _each(asked, line)
    if len(asked.documents) == 1:
        statements = [replace(statements[0], before=NEXT), *statements[1:]]
    return Told(statements, answer) if statements else None


def author(asked: Asked) -> Told | None:
    def line(one: Document) -> list[Statement]:
        stated = one.parsed.author if one.parsed else None
        if stated:
            where = one.at(stated)
            said = "" if where.text == stated else " in its properties"
            return [Statement(f"{one.label} names {short(stated)} as its author{said}.", (where,), ITEM)]
        return _read(one, f"Who wrote {short(one.title)}?", f"{one.label} states no author in its properties", asked)

    known = [one.parsed.author for one in asked.some if one.parsed and one.parsed.author]
    return _one_line_each(asked, line, ", ".join(known))


def _read(one: Document, query: str, states: str, asked: Asked) -> list[Statement]:
    """Quote what the Reader finds for ``query`` at the beginning and the end of a document."""
    passages = list(dict.fromkeys([*one.passages[:3], one.passages[-1]]))
    readings = asked.reader.read(query, passages) if asked.reader else []
    pairs = [(reading.confidence, place) for place, reading in enumerate(readings) if reading.span]
    if not pairs:
        return [Statement(f"{states}; it begins:", (), ITEM), *quoted([one.first], NEXT)]
    passage, span = passages[max(pairs)[1]], readings[max(pairs)[1]].span
    assert span is not None
    holding = [one for one in quotes_of([passage]) if one.span and overlap(one.span, span)]
    return [Statement(f"{states}; what comes nearest in its text:", (), ITEM), *quoted(holding, NEXT)]


def changed(asked: Asked) -> Told | None:
    def day(one: Document) -> str:
        return (one.parsed.changed if one.parsed else None) or ""

    def line(one: Document) -> list[Statement]:
        added = f"it was added here on {one.file.added}" if one.file else "when it was added is not known"
        if day(one):
            said = f"{one.label} was last changed on {day(one)}, as the file states; {added}."
            return [Statement(said, (one.first,), ITEM)]
        states = f"{one.label} states no date of change; {added}"
        return _read(one, f"What is the date of {short(one.title)}?", states, asked)

    newest = replace(asked, documents=sorted(asked.documents, key=day, reverse=True))
    return _one_line_each(newest, line, ", ".join(filter(None, map(day, newest.some))))


def dates(asked: Asked) -> Told | None:
    statements: list[Statement] = []
    for one in asked.documents[:READ]:
        dated = [(quote, text.dates(quote.text)) for quote in one.sentences]
        is_full = any(month for _, found in dated for _, month, _ in found)
        found = [quote for quote, when in dated if any(month or not is_full for _, month, _ in when)]
        more = f", the first {LISTED} of {len(found)}" if len(found) > LISTED else ""
        said = f"Sentences of {one.label} with dates{more}:" if found else f"{one.label} names no date with its year."
        opening = Statement(said, () if found else (one.first,), "\n" if statements else NEXT)
        statements += [opening, *quoted(found[:LISTED])]
    return _with_rest(statements, asked)


def compare(asked: Asked) -> Told | None:
    if len(asked.documents) < 2 or asked.encoder is None:
        return None
    one, other = asked.documents[:2]
    pairs, ours, theirs = differences(one.sentences, other.sentences, asked.encoder)
    statements = [Statement(f"{one.label} and {other.label}, sentence by sentence.", (one.first, other.first))]
    if pairs:
        statements += [Statement(f"They say of the same thing, first {one.label}, then {other.label}:", before="\n")]
    for mine, its in pairs[:DIFFERENCES]:
        statements += [*quoted([mine]), *quoted([its], "\n  ")]
    for whose, alone in ((one, ours), (other, theirs)):
        chosen = central(alone, BRIEF, asked.encoder) if alone else []
        if chosen:
            statements += [Statement(f"Only in {whose.label}:", before="\n"), *quoted(chosen)]
    if len(statements) == 1:
        statements += [Statement("No difference was found.")]
    return _with_rest(statements, replace(asked, documents=asked.documents[:READ]))


ANSWERS: dict[About, Callable[[Asked], Told | None]] = {
    About.TOPICS: topics,
    About.FILES: files,
    About.NUMBER: number,
    About.LENGTH: length,
    About.PAGE: page,
    About.SECTION: section,
    About.CONTENTS: contents,
    About.TITLE: title,
    About.AUTHOR: author,
    About.CHANGED: changed,
    About.DATES: dates,
    About.COMPARE: compare,
}
