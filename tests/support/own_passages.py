"""Passages of own documents, for indexes that change."""

from searchain.types import Passage, Place


def document(id: str, *texts: str, version: str = "1", title: str = "") -> list[Passage]:
    """The passages ``texts`` of one version of a document."""
    found, start = [], 0
    for number, text in enumerate(texts):
        place = Place(id, version * 64, start, start + len(text))
        found.append(Passage(f"{id}-{version}-{number}", title or id, text, place=place))
        start += len(text) + 1
    return found
