"""Check a proof file: its own bytes, and its quotations against the originals that are at hand."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain
from pathlib import Path

from searchain.documents import parse_file
from searchain.embedded.assets import WIKIPEDIA_LEADS
from searchain.embedded.assets import sha256 as sum_of
from searchain.errors import DocumentRefused, SearChainError
from searchain.proof import form
from searchain.proof.form import Corpus, File, Reply, Source, sha256
from searchain.retrieval import registry
from searchain.retrieval.corpus import DEFAULT, default_corpus
from searchain.retrieval.store import PassageStore
from searchain.safe_text import COVER
from searchain.types import Passage

MOST = 1_000_000
"""The most passages that are looked through."""


def corpus_of(index: str) -> Corpus | None:
    """Return what ``index`` is made of; ``None`` if it is not on this machine."""
    try:
        if index == DEFAULT:
            asset = WIKIPEDIA_LEADS
            return Corpus(index=index, name=asset.package, version=asset.version, sha256=asset.sha256)
        made = registry.get(index)
    except (SearChainError, ImportError):
        return None
    name = ", ".join(made.sources)
    return Corpus(index=index, name=name, version=made.created, sha256=sha256("\n".join(made.parts)))


def held(index: str, titles: Iterable[str]) -> dict[str, set[str]] | None:
    """Map each title to the texts of the passages that bear it in ``index``.

    Return ``None`` if the index is not on this machine, or too large.
    """
    texts: dict[str, set[str]] = {title: set() for title in titles}
    try:
        if index != DEFAULT and registry.get(index).passages > MOST:
            return None
        for passage in _passages(index):
            if passage.title in texts:
                texts[passage.title].add(passage.text)
    except (SearChainError, OSError, ValueError):
        return None
    return texts


def _passages(index: str) -> Iterable[Passage]:
    if index == DEFAULT:
        return default_corpus()
    stores = (PassageStore(registry.parts_root() / part) for part in registry.get(index).parts)
    return (passage for store in stores for passage in store)


Find = Callable[[File], Path | None]
"""Returns the file that stands on this machine for one of a proof; ``None`` if it is not at hand."""
_Cited = tuple[str, Source]  # what names a citation, and its source


class State(StrEnum):
    """The result of one comparison."""

    HOLDS = "holds"
    MISSING = "missing"
    """What it would be compared with is not at hand."""
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class Check:
    """One comparison."""

    state: State
    what: str
    """What was compared: the file, a reply, a passage or an original."""
    about: str


@dataclass(frozen=True, slots=True)
class Verified:
    """The result of checking a proof file."""

    program: str
    made: str
    sha256: str
    """The digest of the content as it is."""
    checks: tuple[Check, ...]

    @property
    def holds(self) -> bool:
        """Whether nothing was changed; what is not at hand was not compared."""
        return all(check.state is not State.CHANGED for check in self.checks)


def verify(file: Path | str, documents: Path | str | None = None, *, find: Find = lambda file: None) -> Verified:
    """Check a proof file, and compare it with the originals that are at hand.

    Args:
        documents: a folder with original files.
        find: finds an original that is not in that folder.

    Raises:
        ProofUnreadable: the file cannot be read, is not a proof file, or has a newer format.
    """
    proof, digest, changes = form.read(Path(file))
    whole = Check(State.HOLDS, "the file", f"as it was written; SHA-256 {digest}")
    checks = [_changed("the file", change) for change in changes] or [whole]
    places, found = defaultdict[str, list[_Cited]](list), defaultdict[str, list[_Cited]](list)
    for number, reply in enumerate(proof.replies, 1):
        checks.append(_of_reply(f"reply {number}", reply))
        for source in reply.sources:
            what = f"reply {number} [{source.number}]"
            checks.append(_of_passage(what, source))
            (places[source.place.sha256] if source.place else found[source.index]).append((what, source))
    originals = _Originals(documents, find)
    for one in proof.documents:
        checks += _of_document(one, originals.of(one), places.pop(one.sha256, []))
    for what, _ in chain.from_iterable(places.values()):
        checks.append(_changed(what, "the proof does not list the file that it cites"))
    corpora = {corpus.index: corpus for corpus in proof.corpora}
    for index, cited in found.items():
        checks += _of_corpus(index, corpora.get(index), cited)
    return Verified(proof.program, proof.made, digest, tuple(checks))


def _changed(what: str, about: str) -> Check:
    return Check(State.CHANGED, what, about)


def _of_reply(name: str, reply: Reply) -> Check:
    """Check that sentences and marks stand where the proof says."""
    numbers = {source.number for source in reply.sources}
    for number, sentence in enumerate(reply.sentences, 1):
        if not 0 <= sentence.start <= sentence.end or reply.answer[sentence.start : sentence.end] != sentence.text:
            return _changed(name, f"sentence {number} does not stand at {sentence.start} to {sentence.end}")
        for mark in sentence.marks:
            if reply.answer[mark.start : mark.end] != f"[{mark.number}]" or mark.number not in numbers:
                return _changed(name, f"[{mark.number}] does not stand at {mark.start} to {mark.end}, or cites nothing")
    marks = sum(len(sentence.marks) for sentence in reply.sentences)
    return Check(State.HOLDS, name, f"{len(reply.sentences)} sentences and {marks} citations stand where it says")


def _of_passage(name: str, source: Source) -> Check:
    """Check the hash of a passage, and that its quotation lies in it."""
    if (really := form.sha256(source.text)) != source.sha256:
        return _changed(name, f"the passage has the SHA-256 {really}, not {source.sha256}")
    if source.span and not 0 <= source.span.start <= source.span.end <= len(source.text):
        return _changed(name, f"the quotation does not lie in the passage: {source.span.start} to {source.span.end}")
    if source.place and source.place.end - source.place.start != len(source.text):
        return _changed(name, "the passage is not as long as its place in the file")
    quote = f"; quotation at {source.span.start} to {source.span.end}" if source.span else ""
    return Check(State.HOLDS, name, f"the passage has the SHA-256 that it states{quote}")


class _Originals:
    """Finds original files: in a folder by their bytes, where ``find`` has them, or in the folder by their name."""

    def __init__(self, root: Path | str | None, find: Find) -> None:
        files = sorted(Path(root).rglob("*")) if root is not None else ()
        kept = (path for path in files if path.is_file() and not path.is_symlink())
        self._files = {path.relative_to(root or "").as_posix(): path for path in kept}
        self._find = find
        self._sums: dict[Path, str] = {}

    def of(self, wanted: File) -> Path | None:
        likely = (path for path in self._files.values() if wanted.bytes in (None, path.stat().st_size))
        same = next((path for path in likely if self._sum(path) == wanted.sha256), None)
        if (found := same or self._find(wanted)) or wanted.name is None:
            return found
        ending = f"/{wanted.name}"  # the folder may be inside the one that was added, or around it
        alike = (p for name, p in self._files.items() if f"/{name}".endswith(ending) or ending.endswith(f"/{name}"))
        return next(alike, None)

    def _sum(self, path: Path) -> str:
        if path not in self._sums:
            try:
                self._sums[path] = sum_of(path)
            except OSError:  # such as a file that may not be read
                self._sums[path] = ""
        return self._sums[path]


def _of_document(file: File, path: Path | None, cited: list[_Cited]) -> Iterator[Check]:
    """Compare an original with its hash, and the passages that cite it with its text."""
    name = file.name or f"the file {file.sha256[:12]}…"
    if path is None:
        yield Check(State.MISSING, name, f"not at hand: a file with the SHA-256 {file.sha256}")
        return
    try:
        is_same = sum_of(path) == file.sha256
    except OSError as error:
        yield Check(State.MISSING, name, f"it cannot be read: {error.strerror}")
        return
    if is_same:
        yield Check(State.HOLDS, name, f"the original is at hand, with the SHA-256 {file.sha256}")
    else:
        yield _changed(name, f"the file at hand is another one: its SHA-256 is not {file.sha256}")
    try:
        parsed = parse_file(path, file.name or path.name)
    except DocumentRefused as error:
        yield Check(State.MISSING, name, f"its text cannot be compared: {error.reason}")
        return
    read_otherwise = f", as {parsed.parser} reads it (before: {file.parser})" if parsed.parser != file.parser else ""
    for what, source in cited:
        yield _of_place(what, name, source, parsed.text, read_otherwise if is_same else "")


def _of_place(what: str, name: str, source: Source, text: str, how: str) -> Check:
    assert source.place is not None
    start, end = source.place.start, source.place.end
    if start >= 0 and _same(source.text, text[start:end]):
        return Check(State.HOLDS, what, f"stands in {name} at {start} to {end}")
    if source.text and (at := text.find(source.text)) >= 0:
        return Check(State.HOLDS, what, f"stands in {name} at {at}, no longer at {start}{how}")
    quote = form.quoted(source)[1]
    if quote and quote in text:
        return _changed(what, f"the quotation stands in {name}, but the words around it differ{how}")
    return _changed(what, f"does not stand in {name}{how}")


def _same(said: str, found: str) -> bool:
    """Tell whether the texts are the same but for characters that were redacted."""
    return len(said) == len(found) and all(a in (b, COVER) for a, b in zip(said, found, strict=True))


def _of_corpus(index: str, stated: form.Corpus | None, cited: list[_Cited]) -> Iterator[Check]:
    """Compare an index with what the proof says of it, and look for the passages that cite it."""
    here = corpus_of(index)
    there = None if here is None else held(index, [source.title for _, source in cited])
    if here is None or there is None:
        yield Check(State.MISSING, index, "this corpus is not at hand")
        return
    is_same = stated is not None and stated.sha256 == here.sha256
    told = f"{here.name} {here.version}"
    if is_same:
        yield Check(State.HOLDS, index, f"the same corpus is at hand: {told}")
    else:
        before = f"{stated.name} {stated.version}" if stated else "nothing known of it"
        yield Check(State.MISSING, index, f"another version is at hand: {told}, not {before}")
    for what, source in cited:
        texts = there[source.title]
        if any(_same(source.text, text) for text in texts):
            yield Check(State.HOLDS, what, f"stands in {told}")
        elif is_same and COVER not in source.title:
            yield _changed(what, f"does not stand in {told}")
        else:
            yield Check(State.MISSING, what, f"not found in {told}")
