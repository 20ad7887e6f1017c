"""Files as they are read in this process, and what their blocks say."""

from searchain.documents import ParsedDocument
from searchain.documents.reading import read_document


def parsed(name: str, content: str | bytes) -> ParsedDocument:
    document = read_document(content.encode() if isinstance(content, str) else content, name, read_pictures=None)
    assert ParsedDocument.from_json(document.to_json()) == document
    return document


def blocks(document: ParsedDocument) -> list[tuple[str, str]]:
    return [(block.kind.value, document.text[block.start : block.end]) for block in document.blocks]
