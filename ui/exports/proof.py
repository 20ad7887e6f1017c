"""The proof file (``searchain.proof``): replies with their passages, hashes and origins, to be checked elsewhere.

It holds what its maker may read: the passages that are stored with the replies, and names of documents that the maker
may search now.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from searchain.errors import UsageError
from searchain.events import Turn
from searchain.proof import form, verify
from searchain.turn_json import as_json
from searchain.types import JOINT, Place, Source, is_own
from searchain.version import VERSION
from storage.database import now
from storage.history.finished_turns import Record
from ui.exports.formats import EVERYTHING, DocumentOf
from ui.show.labels import provenance
from ui.show.second_reading import changes
from ui.show.terminal import rating

MOST = 1_000
"""The most replies of one proof, which is made and read as a whole."""


def write(records: Iterable[Record], documents: DocumentOf = lambda place: None) -> Iterator[str]:
    """Write the proof of the turns. Raises ``UsageError`` if there are more than ``MOST``."""
    replies: list[dict[str, Any]] = []
    titles: set[str] = set()
    places: dict[str, Place] = {}
    for record in records:
        if len(replies) == MOST:
            raise UsageError(f"a proof holds at most {MOST:,} replies; export one conversation, or fewer turns")
        turn = record.state()
        replies.append(_reply(record, turn))
        titles.add(record.title)
        places |= {one.passage.place.version: one.passage.place for one in turn.sources if one.passage.place}
    indexes = {source["index"] for reply in replies for source in reply["sources"] if not source["place"]}
    found = (verify.corpus_of(index) for index in sorted(indexes))
    about = {"program": VERSION, "made": now(), "title": titles.pop() if len(titles) == 1 else EVERYTHING}
    files = [_file(sha256, place, documents) for sha256, place in sorted(places.items())]
    corpora = [corpus.model_dump() for corpus in found if corpus]
    yield form.written({**about, "replies": replies, "documents": files, "corpora": corpora})


def _reply(record: Record, turn: Turn) -> dict[str, Any]:
    values = as_json(turn, conversation=record.conversation, turn_id=record.turn)
    return values | {
        "asked": record.created,
        "label": " · ".join(filter(None, (rating(turn), turn.message))),
        "about": " · ".join(provenance(turn, record.created)),
        "changes": [f"[{number}] {text}" for text, number in changes(turn)],
        "settings": turn.settings,
        "sources": [
            one | _origin(source, turn.index) for one, source in zip(values["sources"], turn.sources, strict=True)
        ],
    }


def _origin(source: Source, index: str) -> dict[str, Any]:
    place, values = source.passage.place, None
    if place:
        values = {"sha256": place.version, "document": place.document, "start": place.start, "end": place.end}
    name = next((name for name in index.split(JOINT) if is_own(name) == (place is not None)), index)
    return {"sha256": form.sha256(source.passage.text), "index": name, "place": values}


def _file(sha256: str, place: Place, documents: DocumentOf) -> dict[str, Any]:
    """Describe an original; a later version of the document has other properties but the same name."""
    found = documents(place)
    values: dict[str, Any] = dict.fromkeys(("name", "type", "bytes", "parser"))
    if found:
        values["name"] = found.name
        if found.sha256 == sha256:
            values |= {name: getattr(found, name) for name in ("type", "bytes", "parser")}
    return {"sha256": sha256, "document": place.document} | values
