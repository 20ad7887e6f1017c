"""The proof file: a page of HTML that holds its own content as JSON, with one digest over both.

The page is made from the JSON alone, so a reader makes it again and compares it byte by byte. The file of a format is
therefore never changed: ``form_1.html`` and ``Proof`` stay as they are, and a change is a new format.
"""

import hashlib
import json
from collections.abc import Iterator
from functools import cache
from os.path import commonprefix
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup
from pydantic import BaseModel, ConfigDict

from searchain.errors import ProofUnreadable
from searchain.safe_text import escape, without_surrogates

FORMAT = 1
MAX_BYTES = 200_000_000
_OPEN, _CLOSE = '<script type="application/json" id="proof">', "</script>"


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="allow")


class Range(_Value):
    """A half-open range in code points."""

    start: int
    end: int


class Mark(Range):
    """One ``[n]`` in the reply."""

    number: int


class Sentence(Range):
    """One sentence of the reply."""

    text: str
    support: str
    marks: list[Mark]


class Place(Range):
    """Where a passage stands in the text of an own document."""

    sha256: str
    """Of the original file."""


class Source(_Value):
    """A cited passage."""

    number: int
    title: str
    text: str
    sha256: str
    """Of the text in UTF-8."""
    url: str | None
    span: Range | None
    """The quotation in ``text``."""
    index: str
    """Where it was found; it names a corpus."""
    place: Place | None


class Reply(_Value):
    """A question with its reply; other fields are those of ``ask --json``."""

    turn: str
    asked: str
    question: str
    answer: str
    label: str
    about: str
    changes: list[str]
    """What documents said otherwise when the proof was made."""
    sentences: list[Sentence]
    sources: list[Source]
    settings: dict[str, Any]


class File(_Value):
    """An own document; fields are ``None`` where the maker of the proof may not see them, or no longer can."""

    sha256: str
    document: str
    """Its ID in the database of the maker."""
    name: str | None
    type: str | None
    bytes: int | None
    parser: str | None


class Corpus(_Value):
    """What an index was made of."""

    index: str
    name: str
    version: str
    sha256: str


class Proof(_Value):
    """The content of a proof file."""

    program: str
    made: str
    title: str
    replies: list[Reply]
    documents: list[File]
    corpora: list[Corpus]


def sha256(text: str) -> str:
    """Return the SHA-256 of ``text`` in UTF-8, as hexadecimal digits."""
    return hashlib.sha256(without_surrogates(text).encode()).hexdigest()


def written(content: dict[str, Any]) -> str:
    """Return the proof file with this content, which has the form of ``Proof``."""
    whole = json.loads(without_surrogates(json.dumps(content, ensure_ascii=False)), parse_constant=lambda _: None)
    return _page(whole, sha256(_canonical(whole)))


def read(file: Path) -> tuple[Proof, str, list[str]]:
    """Read a proof file; return its content, its digest, and a sentence for each way in which it was changed.

    Raises ``ProofUnreadable`` if the file cannot be read, is not a proof file, or has a newer format.
    """
    try:
        with file.open("rb") as opened:
            found = opened.read(MAX_BYTES + 1)
    except OSError as error:
        raise ProofUnreadable(f"cannot read {file.name!r}: {error.strerror}; name another file") from error
    wrong = ProofUnreadable(
        f"{file.name!r} is not a proof file, or its beginning was changed; make one with: "
        "python assistant.py export --format proof"
    )
    _, has_json, rest = found.partition(_OPEN.encode())
    if len(found) > MAX_BYTES or not has_json:
        raise wrong
    try:
        values = json.loads(rest.partition(_CLOSE.encode())[0])
        if isinstance(format := values["format"], int) and format > FORMAT:
            raise ProofUnreadable(
                f"{file.name!r} is a proof of format {format}, and this program reads format {FORMAT}; "
                "install a newer version to check it"
            )
        content, stated = values["content"], values["sha256"]
        proof, page = Proof.model_validate(content), _page(content, stated).encode()
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise wrong from error
    changes = []
    if (really := sha256(_canonical(content))) != stated:
        changes.append(f"its content has the SHA-256 {really}, not {stated}")
    if page != found:
        same = len(commonprefix([page, found]))
        changes.append(f"the page is not the one that its content gives, from byte {same:,} on")
    return proof, really, changes


def quoted(source: Source) -> tuple[str, str, str]:
    """Return the text before, in and after the quotation."""
    if source.span is None:
        return source.text, "", ""
    start, end = source.span.start, source.span.end
    return source.text[:start], source.text[start:end], source.text[end:]


def _canonical(value: object) -> str:
    """Return ``value`` as JSON of one form, in which no character has a meaning in HTML."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _page(content: dict[str, Any], digest: str) -> str:
    proof = Proof.model_validate(content)
    values = {"format": FORMAT, "sha256": digest, "content": content}
    return _template().render(
        proof=proof,
        digest=digest,
        replies=[
            (reply, list(_pieces(reply)), [(one, quoted(one)) for one in reply.sources]) for reply in proof.replies
        ],
        json=Markup(f"{_OPEN}{_canonical(values)}{_CLOSE}"),
    )


def _pieces(reply: Reply) -> Iterator[tuple[str, int, str]]:
    """Yield the reply as text, number of a citation (0: none), and the state of the sentence that ends here.

    Raises ``ValueError`` if a sentence or a mark does not follow the one before it.
    """
    at = 0
    for sentence in reply.sentences:
        limits = [at, *(place for mark in sentence.marks for place in (mark.start, mark.end)), sentence.end]
        if limits != sorted(limits):
            raise ValueError(f"the places {limits} of a sentence and its marks are not in order")
        for mark in sentence.marks:
            yield reply.answer[at : mark.start], mark.number, ""
            at = mark.end
        yield reply.answer[at : sentence.end], 0, sentence.support
        at = sentence.end
    yield reply.answer[at:], 0, ""


@cache
def _template() -> Template:
    made = Environment(
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        finalize=lambda value: value if isinstance(value, Markup) else Markup(escape(str(value))),
    )
    return made.from_string(Path(__file__).with_name("form_1.html").read_text(encoding="utf-8"))
