"""Convert an RTF file to document text. Runs in the child process only.

striprtf leaves out how paragraphs look. So the control words that say what a paragraph is become characters before.
"""

from collections import Counter

from striprtf.striprtf import rtf_to_text

from searchain.documents.parsed import BlockKind
from searchain.documents.tables import Cell, put_rows
from searchain.documents.writer import Writer, title_of
from searchain.errors import DocumentRefused

_HEADING, _ITEM, _IN_TABLE = "\1", "\2", "\3"
"""Stand before the level of a heading, from 0, before the mark of a list item and in a paragraph of a table."""
_CHANGED = {
    "\\outlinelevel": r"\'01",
    "{\\listtext": r"{\'02",
    "{\\pntext": r"{\'02",
    "\\intbl": r"\'03\intbl",
    "{\\v ": r"{\*\v ",
    "{\\v\\": "{\\*\\v\\",
    "{\\deleted": r"{\*\deleted",
}
"""Control words → what they become; striprtf drops a group with a star, such as one of hidden words."""
_UNREAD = {
    "{\\pict": "picture",
    "{\\object": "embedded object",
    "{\\footnote": "note",
    "{\\*\\annotation": "comment",
    "{\\header": "header",
    "{\\footer": "footer",
}
"""How groups begin that are not read → what people call one."""


def read(content: bytes, writer: Writer) -> str | None:
    """Write the text; return the title in the properties, or else the first heading."""
    source = content.decode("cp1252", "replace")
    counts = Counter({name: source.count(start) for start, name in _UNREAD.items()})
    counts["picture"] -= source.count("{\\nonshppict")  # the same picture for older programs
    writer.leave_out(counts)
    stated = source.partition("{\\title ")[2].partition("}")[0]
    for word, changed in _CHANGED.items():
        source = source.replace(word, changed)
    _write(_text(source), writer)
    return title_of(_text(f"{{{stated}}}"), writer)


def _text(source: str) -> str:
    try:
        text: str = rtf_to_text(source, errors="replace")
    except (ValueError, TypeError, LookupError) as error:
        raise DocumentRefused("failed", "The file is damaged and cannot be read.") from error
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")  # two halves become one character


def _write(text: str, writer: Writer) -> None:
    """Write the paragraphs; a row of a table ends with the bar behind its last cell."""
    rows: list[list[Cell]] = []
    row = ""
    for line in [*text.split("\n"), ""]:
        if row or _IN_TABLE in line:
            row += f" {line.replace(_IN_TABLE, '')}"
            if row.endswith("|"):
                rows.append([Cell(" ".join(cell.split())) for cell in row[:-1].split("|")])
                row = ""
            continue
        put_rows(rows, writer)
        rows = []
        _write_paragraph(line, writer)
    put_rows(rows, writer)
    writer.put_block(BlockKind.PARAGRAPH, " ".join(row.split()))


def _write_paragraph(line: str, writer: Writer) -> None:
    before, is_heading, heading = line.partition(_HEADING)
    words = " ".join(before.split() + heading[1:].split())
    if is_heading and heading[:1].isdecimal() and heading[0] != "9":
        writer.put_block(BlockKind.HEADING, words.replace(_ITEM, ""), level=int(heading[0]) + 1)
    elif _ITEM in words:
        mark, _, item = line.partition(_ITEM)[2].partition("\t")
        mark = f"{mark.strip()} " if any(map(str.isalnum, mark)) else "- "
        writer.put_block(BlockKind.LIST_ITEM, mark + " ".join(item.split()), level=1, added=((0, len(mark)),))
    else:
        writer.put_block(BlockKind.PARAGRAPH, words)
