"""Cut a text into sentences without their citations, and tell which of them claim something."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from searchain.annotation import blocks, citation_styles
from searchain.annotation.protocol import ItemSource
from searchain.documents import parse_file
from searchain.documents.kinds import kind_of_name
from searchain.errors import UsageError
from searchain.files.weights import layer_of, read_weights
from searchain.language import text
from searchain.question.document_head import Encoder
from searchain.reply.subjects import leans
from searchain.safe_text import without_controls
from searchain.secrecy import holds_secret

WEIGHTS = Path(__file__).parent.parent / "weights" / "check" / "claims.json"
CLAIM = "claim"
"""The label of a sentence that claims something."""
MOST = 200_000
"""Most characters of a text that is checked: about eighty pages."""
LEAST = 0.3
"""The least probability of a claim: what claims nothing is rarely found anywhere, so that it does little harm."""
FIRST_NAMED = 100_001
"""The first number of documents that are cited by name; a text numbers its own sources from 1 on."""
LEAST_WORDS = 2
"""A sentence with fewer words that carry meaning claims nothing by itself."""


@dataclass(frozen=True, slots=True)
class Part:
    """A sentence without its citations, and what stands before it."""

    before: str
    text: str
    cited: tuple[ItemSource, ...] = ()
    """The documents that it cites, as the text names them."""
    context: str = ""
    """The sentence before, where this one has a pronoun for its subject."""

    @property
    def query(self) -> str:
        """What is looked up."""
        return f"{self.context} {self.text}".strip()


@dataclass(frozen=True, slots=True)
class Text:
    """A text in sentences. Its citations are left out, and so is the list of its sources."""

    parts: tuple[Part, ...]
    rest: str
    """What stands behind the last sentence."""


def text_of_file(path: Path, name: str) -> str:
    """Return the text of a file of any kind that can be a document; it is opened in a child process.

    Markdown is taken as it is written, with its citations. Raises ``DocumentRefused`` if it cannot be read.
    """
    parsed = parse_file(path, name).text
    try:
        return path.read_text("utf-8-sig") if kind_of_name(name) == "md" else parsed
    except UnicodeDecodeError:
        return parsed


def text_of(written: str, names: Iterable[str] = ()) -> Text:
    """Cut a text into sentences; citations are read in the forms in which answers are imported for annotation.

    Args:
        names: those of documents that the text may cite in brackets, such as ``[lease.txt]``.

    >>> [part.text for part in text_of("Kyoto is old [1]. It has temples [2].").parts]
    ['Kyoto is old.', 'It has temples.']
    >>> [part.cited[0].title for part in text_of("The rent is 5 euros [lease.txt].", ["lease.txt"]).parts]
    ['lease.txt']

    Raises:
        UsageError: the text is empty or too long, or contains a secret of this process.
    """
    if holds_secret(written):
        raise UsageError("the text holds the key of the language model; check it without the key")
    written = without_controls(written)
    if not any(map(str.isalnum, written)):
        raise UsageError("the text is empty; give one with at least one sentence")
    if len(written) > MOST:
        raise UsageError(f"the text has {len(written):,} characters; check it in parts of {MOST:,} or fewer")
    named = _cited_by_name(written, names)
    numbers = {mark: source.number for mark, source in named.items()}
    found = citation_styles.read(written, list(dict.fromkeys(named.values())), aliases=numbers)
    sources = {source.number: source for source in found.sources}
    bare, places = _without_marks(found)
    parts: list[Part] = []
    at = 0
    for span in blocks.split(bare):
        said = bare[span.start : span.end]
        # a mark stands behind what it belongs to, perhaps behind the full stop
        cited = tuple(sources[number] for place, number in places if span.start < place <= span.end + 1)
        context = parts[-1].text if parts and leans(said) else ""
        parts.append(Part(bare[at : span.start], said, tuple(dict.fromkeys(cited)), context))
        at = span.end
    return Text(tuple(parts), bare[at:])


def _cited_by_name(written: str, names: Iterable[str]) -> dict[str, ItemSource]:
    """Return the marks in a text that name a document, each with the document."""
    found: dict[str, ItemSource] = {}
    for number, name in enumerate(dict.fromkeys(names), FIRST_NAMED):
        source = ItemSource(number, name, "", None)
        for said in (name, name.rpartition(".")[0] or name):
            found |= {mark: source for mark in (f"[{said}]", f"({said})") if mark in written}
    return found


def _without_marks(found: citation_styles.Understood) -> tuple[str, list[tuple[int, int]]]:
    """Return the text without its marks, and where each one stood, with its number if a document has it."""
    numbers = {source.number for source in found.sources}
    kept, at, places = "", 0, []
    for mark in found.marks:
        kept += found.answer[at : mark.start]
        kept = kept.removesuffix(" ")
        at = mark.end
        if mark.number in numbers:
            places.append((len(kept), mark.number))
    return kept + found.answer[at:], places


class ClaimHead:
    """Tells by a linear head on the embedding of a sentence whether it claims something. Thread-safe as its encoder."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder, self._layer = encoder, read_weights(WEIGHTS, layer_of)

    def is_claim(self, sentence: str) -> bool:
        """Return whether ``sentence`` claims something.

        Raises ``SetupError`` if the embedding model is missing or damaged.
        """
        if sentence.rstrip(" \"'”’)").endswith("?") or len(text.content_tokens(sentence)) < LEAST_WORDS:
            return False
        return self._layer.shares(np.asarray(self._encoder.embed(sentence), dtype=np.float64))[CLAIM] >= LEAST


def cited_names(sources: Sequence[ItemSource]) -> Iterator[str]:
    """Yield the names by which cited documents may be known: titles, and the last part of addresses."""
    for source in sources:
        yield from filter(None, (source.title, (source.url or "").rstrip("/").rpartition("/")[2]))
