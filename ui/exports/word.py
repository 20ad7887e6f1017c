"""Word: replies as a document whose citations are numbered footnotes, each with the title, the page and the link.

The file is a zip of a few XML parts (ECMA-376). Every text is escaped, and loses the characters that XML forbids.
"""

import io
import zipfile
from collections.abc import Iterable, Iterator
from itertools import groupby
from xml.sax.saxutils import escape, quoteattr

from searchain.events import Turn
from searchain.safe_text import clean, web_address
from searchain.types import Sentence, Source
from storage.history.finished_turns import Record
from storage.log.conversations import title as title_of
from ui.html import render
from ui.show.labels import outcome, provenance, rated, sureness
from ui.show.passages import halves

_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_P = "http://schemas.openxmlformats.org/package/2006"
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
_NAMES = f'xmlns:w="{_W}" xmlns:r="{_R}"'
_RAISED = '<w:rPr><w:vertAlign w:val="superscript"/></w:rPr>'


def write(records: Iterable[Record]) -> Iterator[bytes]:
    """Write one document: a title for each conversation, and a heading for each question."""
    notes = _Notes()
    body: list[str] = []
    for _, turns in groupby(records, key=lambda record: record.conversation):
        for number, record in enumerate(turns):
            turn = record.state()
            if not number and record.title != title_of(turn.question):
                body.append(_paragraph(_run(record.title), "Title"))
            body += _turn(record, turn, notes)
    text, told = "".join(body), "".join(notes.written)
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{_P}/content-types">{render("exports/word_types.html")}</Types>',
        "_rels/.rels": _related([("officeDocument", "word/document.xml", False)]),
        "word/document.xml": f"<w:document {_NAMES}><w:body>{text}</w:body></w:document>",
        "word/styles.xml": f"<w:styles {_NAMES}>{render('exports/word_styles.html')}</w:styles>",
        "word/_rels/document.xml.rels": _related([(name, f"{name}.xml", False) for name in ("styles", "footnotes")]),
        "word/footnotes.xml": f"<w:footnotes {_NAMES}>{render('exports/word_notes.html')}{told}</w:footnotes>",
        "word/_rels/footnotes.xml.rels": _related([("hyperlink", address, True) for address in notes.links]),
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        for name, part in parts.items():  # a fixed date, so that the same replies give the same file
            file.writestr(zipfile.ZipInfo(name), f"{_HEAD}{part}", zipfile.ZIP_DEFLATED)
    yield out.getvalue()


class _Notes:
    def __init__(self) -> None:
        self.written: list[str] = []
        self.links: list[str] = []

    def add(self, source: Source) -> str:
        """Add a footnote about ``source``; return the reference to it."""
        passage, number = source.passage, len(self.written) + 1
        told = [f" {passage.title or 'an untitled passage'}", f": “{source.quote}”" if source.quote else ""]
        link = ""
        if passage.url and web_address(passage.url):
            self.links.append(passage.url)
            link = f'{_run(". ")}<w:hyperlink r:id="r{len(self.links)}">{_run(passage.url)}</w:hyperlink>'
        said = f"<w:r>{_RAISED}<w:footnoteRef/></w:r>{_run(''.join(told))}{link}"
        self.written.append(f'<w:footnote w:id="{number}">{_paragraph(said, "FootnoteText")}</w:footnote>')
        return f'<w:r>{_RAISED}<w:footnoteReference w:id="{number}"/></w:r>'


def _turn(record: Record, turn: Turn, notes: _Notes) -> list[str]:
    told = (outcome(turn), sureness(turn), turn.message, *provenance(turn, record.created))
    about = _paragraph(_run(" · ".join(filter(None, told))), "Quiet")
    return [_paragraph(_run(turn.question), "Heading1"), *_reply(turn, notes), about]


def _reply(turn: Turn, notes: _Notes) -> Iterator[str]:
    """Yield the paragraphs of the reply; each half of a comparison is under its title."""
    if both := halves(turn):
        for half in both:
            yield _paragraph(f"<w:r><w:rPr><w:b/></w:rPr>{_text(half.title)}</w:r>")
            yield _paragraph(_run(" ").join(_sentence(turn, one, one.start, notes) for one in half.sentences))
        return
    at, said = 0, []
    for sentence in turn.sentences:
        said.append(_sentence(turn, sentence, at, notes))
        at = sentence.end
    yield _paragraph("".join((*said, _run(turn.answer[at:]))))


def _sentence(turn: Turn, sentence: Sentence, begin: int, notes: _Notes) -> str:
    pieces = turn.pieces(begin, sentence.end)
    said = "".join(_run(piece) if isinstance(piece, str) else notes.add(piece[1]) for piece in pieces)
    label = rated(turn, sentence)
    told = f" ({label.word[0].lower()}{label.word[1:]})" if label else ""
    return f"{said}<w:r><w:rPr><w:i/></w:rPr>{_text(told)}</w:r>" if told else said


def _paragraph(runs: str, style: str = "") -> str:
    looks = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{looks}{runs}</w:p>"


def _run(text: str) -> str:
    return f"<w:r>{_text(text)}</w:r>" if text else ""


def _text(text: str) -> str:
    """Return the text of a run, with its line breaks."""
    parts = escape(clean(text).translate({0xFFFE: None, 0xFFFF: None})).split("\n")
    return "<w:br/>".join(f'<w:t xml:space="preserve">{part}</w:t>' for part in parts)


def _related(parts: Iterable[tuple[str, str, bool]]) -> str:
    """Return a part that names other parts, or addresses outside of the file: kind, target, whether it is outside."""
    told = "".join(
        f'<Relationship Id="r{number}" Type="{_R}/{kind}" Target={quoteattr(clean(target))}'
        + (' TargetMode="External"/>' if is_outside else "/>")
        for number, (kind, target, is_outside) in enumerate(parts, 1)
    )
    return f'<Relationships xmlns="{_P}/relationships">{told}</Relationships>'
