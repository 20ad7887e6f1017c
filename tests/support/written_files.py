"""Documents that are written down once as sections and become files of every kind that is read."""

import io
from collections.abc import Iterator
from dataclasses import dataclass

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from tests.support.hostile_files import docx, epub, paragraph
from tests.support.pdf_files import Sheet, Text, column, pdf


@dataclass(frozen=True)
class Section:
    """A heading with what stands below it; in a PDF a page of its own."""

    heading: str
    paragraphs: tuple[str, ...] = ()
    table: tuple[tuple[str, ...], ...] = ()
    """The first row names the columns."""
    items: tuple[str, ...] = ()


@dataclass(frozen=True)
class Written:
    """One document."""

    name: str
    title: str
    sections: tuple[Section, ...]
    columns: int = 1
    """Of the pages of a PDF; a soft hyphen (U+00AD) in a text is where a line may part a word."""

    @property
    def content(self) -> bytes:
        return _WRITERS[self.name.rpartition(".")[2]](self)


def web_archive(*answers: tuple[str, str, bytes, str]) -> bytes:
    """What a site answered: the address, the kind, the content and the status of each page."""
    output = io.BytesIO()
    writer = WARCWriter(output, gzip=True)
    for url, media, body, status in answers:
        headers = StatusAndHeaders(status, [("Content-Type", media)], protocol="HTTP/1.1")
        writer.write_record(writer.create_warc_record(url, "response", payload=io.BytesIO(body), http_headers=headers))
    return output.getvalue()


def _pdf(written: Written) -> bytes:
    sheets = []
    for number, section in enumerate(written.sections, 1):
        texts = [Text(72, 740, written.title, 8), Text(72, 700, section.heading, 16, bold=True)]
        y = 670.0
        if written.columns == 2:
            texts += _two_columns(" ".join(section.paragraphs), y)
            y = 220.0
        else:
            for paragraph_ in section.paragraphs:
                lines, y = column(paragraph_, 72, y, 460, 11)
                texts += lines
                y -= 10
        for row in section.table:
            texts += [Text(72 + 150 * n, y, cell, 11) for n, cell in enumerate(row)]
            y -= 16
        texts += [Text(72, y - 14 * n, f"• {item}", 11) for n, item in enumerate(section.items)]
        texts.append(Text(300, 40, str(number), 8))
        sheets.append(Sheet(texts))
    return pdf(sheets, title=written.title)


def _two_columns(text: str, y: float) -> list[Text]:
    lines, _ = column(text, 60, y, 230)
    half = (len(lines) + 1) // 2
    right = [Text(320, line.y, other.text, line.size) for line, other in zip(lines, lines[half:], strict=False)]
    return [*lines[:half], *right]


def _html_body(written: Written) -> str:
    parts = [f"<h1>{written.title}</h1>"]
    for section in written.sections:
        parts.append(f"<h2>{section.heading}</h2>")
        parts += [f"<p>{one}</p>" for one in section.paragraphs]
        if section.items:
            parts.append("<ul>" + "".join(f"<li>{one}</li>" for one in section.items) + "</ul>")
        if section.table:
            head, *rows = section.table
            cells = "".join(f"<th>{cell}</th>" for cell in head)
            lines = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
            parts.append(f"<table><tr>{cells}</tr>{lines}</table>")
    return "".join(parts)


def _html(written: Written) -> bytes:
    menu = "<nav><a href='/'>Home</a> <a href='/shop'>All our offers of the week</a></nav>"
    page = f"<main>{_html_body(written)}</main><footer>Imprint</footer>"
    return f"<!doctype html><html><head><title>{written.title}</title></head><body>{menu}{page}</body></html>".encode()


def _epub(written: Written) -> bytes:
    return epub(f"<html><body>{_html_body(written)}</body></html>", title=written.title)


def _docx(written: Written) -> bytes:
    parts = [paragraph(written.title, "Heading1")]
    for section in written.sections:
        parts.append(paragraph(section.heading, "Heading2"))
        parts += [paragraph(one) for one in (*section.paragraphs, *section.items)]
        if section.table:
            rows = ("".join(f"<w:tc>{paragraph(cell)}</w:tc>" for cell in row) for row in section.table)
            parts.append(f"<w:tbl>{''.join(f'<w:tr>{row}</w:tr>' for row in rows)}</w:tbl>")
    return docx("".join(parts))


def _markdown(written: Written) -> bytes:
    return "\n\n".join(_lines(written, "# ", "## ")).encode()


def _text(written: Written) -> bytes:
    return "\n\n".join(_lines(written, "", "")).encode()


def _lines(written: Written, first: str, second: str) -> Iterator[str]:
    yield first + written.title if first else f"{written.title}\n{'=' * len(written.title)}"
    for section in written.sections:
        yield second + section.heading if second else f"{section.heading}\n{'-' * len(section.heading)}"
        yield from section.paragraphs
        if section.items:
            yield "\n".join(f"- {one}" for one in section.items)
        if section.table:
            head, *rows = section.table
            yield "\n".join(f"| {' | '.join(row)} |" for row in (head, ("---",) * len(head), *rows))


def _csv(written: Written) -> bytes:
    return "\n".join(",".join(f'"{cell}"' for cell in row) for row in written.sections[0].table).encode()


_WRITERS = {"pdf": _pdf, "docx": _docx, "html": _html, "md": _markdown, "txt": _text, "epub": _epub, "csv": _csv}
