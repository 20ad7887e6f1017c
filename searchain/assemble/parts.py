"""Make the parts of a run: models that read and judge, what an operator names, and what a retriever searches."""

from __future__ import annotations

import itertools
import os
import random
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from searchain.embedded import assets
from searchain.embedded.assets import CAREFUL, GET_CAREFUL
from searchain.errors import UsageError
from searchain.language.descriptions import about
from searchain.language.languages import language_of
from searchain.language.spelling import Speller
from searchain.language.text import most_precise_date
from searchain.llm.served import GgufModel
from searchain.retrieval import registry
from searchain.retrieval.corpus import DEFAULT, DEFAULT_DATE
from searchain.types import JOINT, WEB, Passage, is_own

if TYPE_CHECKING:
    from searchain.llm.base import LanguageModel, Piece
    from searchain.reading.large_reader import LargeReader
    from searchain.reading.reader import Reader
    from searchain.reading.similarity import QueryEncoder
    from searchain.reading.stance import Stance
    from searchain.reading.thresholds import Thresholds
    from searchain.reply.no_search import Collection
    from searchain.reply.review import Review
    from searchain.reply.second_reader import JudgingModel
    from searchain.retrieval.base import Retriever
    from searchain.retrieval.colbert import ColbertRetriever
    from searchain.types import Message


class Made:
    """Values made once each, at first use, and anew when their stamp changes; a failure is tried again.

    Different ones may be made at the same time.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._values: dict[Hashable, tuple[Hashable, Future[Any]]] = {}

    def get(self, key: Hashable, make: Callable[[], Any], stamp: Hashable = None) -> Any:
        with self._lock:
            made = self._values.get(key)
            is_mine = made is None or made[0] != stamp
            future: Future[Any] = Future() if made is None or is_mine else made[1]
            self._values[key] = stamp, future
        if is_mine:
            try:
                future.set_result(make())
            except BaseException as error:
                with self._lock:
                    if self._values.get(key) == (stamp, future):
                        del self._values[key]
                future.set_exception(error)
        return future.result()


class Planning:
    """The embedded model, under a name that also gives the model that reads its replies again."""

    def __init__(self, planner: LanguageModel, name: str) -> None:
        self._planner, self.name = planner, name
        self.abilities, self.at_once = planner.abilities, planner.at_once

    def stream(self, messages: Sequence[Message], **options: Any) -> Iterator[Piece]:
        """See ``LanguageModel.stream``."""
        return self._planner.stream(messages, **options)


def make_review(model: JudgingModel, *, is_known: bool, is_default: bool, is_remote: bool) -> Review:
    from searchain.reply.review import Review
    from searchain.reply.second_reader import SecondReader
    from searchain.verification.second_label import ARTICLES, read_second_label
    from searchain.verification.second_opinion import OWN, read_second_opinion

    opinion = read_second_opinion(is_measured=is_known and is_default)
    if is_remote:
        return Review(SecondReader(model), opinion)
    # these rules correct what one model says too easily
    own = read_second_opinion(OWN, is_measured=is_known)
    articles = read_second_label(ARTICLES) if is_known and is_default else None
    return Review(SecondReader(model), opinion, own, labels=read_second_label(), articles=articles)


def make_large_reader() -> LargeReader:
    from searchain.embedded.mpnet import large_reader
    from searchain.reading.large_reader import LargeReader

    return LargeReader(large_reader())


def make_stance(similarity: QueryEncoder) -> Stance:
    from searchain.question.head import Head
    from searchain.reading.stance import LINES, QUESTIONS, ByKind, MiniLMStance, embedded_stance

    questions = MiniLMStance(embedded_stance(QUESTIONS), lines=LINES)
    return ByKind(MiniLMStance(embedded_stance()), questions, Head(similarity).asks_yes_no)


WEB_ALLOW = "SEARCHAIN_WEB_ALLOW"
"""The environment variable with networks, separated by commas, whose pages are read although they are not public."""
RANKED = 40
"""How many web passages per query are encoded: those that share most words with it."""


def open_remote(url: str) -> Retriever:
    """Return the retriever that ``--retriever`` names. Raises ``UsageError`` for no address."""
    from searchain.retrieval.remote import RemoteRetriever

    return _open_web(url) if url.startswith(WEB) else RemoteRetriever(url)


def open_reader(place: Path | str | None) -> tuple[Reader, Thresholds]:
    """Return the Reader in the directory or at the URL ``place`` with its thresholds; ``None`` is the embedded one.

    Raises ``ReaderError`` if it cannot be loaded, or the server does not answer.
    """
    if isinstance(place, str):
        from searchain.reading.remote import RemoteReader

        distant = RemoteReader(place)
        return distant, distant.thresholds()
    from searchain.reading.reader import DprReader
    from searchain.reading.thresholds import read_thresholds

    if place is None:
        from searchain.embedded.minilm import embedded_reader

        place = embedded_reader()
    return DprReader(place), read_thresholds(place)


def _open_web(name: str) -> Retriever:
    """Return the search of the web by ``searxng=URL``, its passages ranked by the embedded checkpoint."""
    from searchain.retrieval.web import Fetcher, WebRetriever, networks

    try:
        allowed = networks(os.environ.get(WEB_ALLOW, ""))
    except ValueError as error:
        raise UsageError(f"{WEB_ALLOW} names no networks: {error}; write it like 10.0.0.0/8,127.0.0.1") from None
    return WebRetriever(name, _score, Fetcher(allowed))


def _score(query: str, passages: Sequence[Passage]) -> list[float]:
    """Score passages without an index for ``query``; those that share the fewest words with it get −1."""
    from searchain.retrieval import checkpoint
    from searchain.retrieval.encoder import shared_encoder
    from searchain.retrieval.lexical import nearest

    encoder = shared_encoder(checkpoint.find(checkpoint.EMBEDDED))
    near = nearest(query, passages, RANKED)
    scores = dict(zip(near, encoder.maxsim(encoder.encode_query(query), near), strict=True))
    return [scores.get(passage, -1.0) for passage in passages]


OWN = "own"
"""The name of the index if a program brings its own retriever."""
EXAMPLES = tuple(Path(__file__).with_name("examples.txt").read_text(encoding="utf-8").splitlines())
"""Questions that the embedded corpus answers rightly."""


def describe(index: str, retriever: Retriever) -> Collection:
    """Describe the passages that ``retriever`` searches, with example questions."""
    from searchain.question.document_head import ABOUT_DOCUMENTS
    from searchain.reply.no_search import Collection
    from searchain.retrieval.colbert import ColbertRetriever

    if index.startswith(WEB):
        return Collection(
            index, holds=f"pages of the web, which SearXNG at {urlsplit(index.removeprefix(WEB)).netloc} finds"
        )
    if not isinstance(retriever, ColbertRetriever):
        return Collection(index, holds="your own passages" if index == OWN else "the passages of a search server")
    if index == DEFAULT:
        return Collection(index, len(retriever), "introductions of English Wikipedia articles", EXAMPLES)
    names = index.split(JOINT)
    languages = languages_of(itertools.islice(retriever, MOST))
    if any(map(is_own, names)):
        also = " and introductions of English Wikipedia articles" if DEFAULT in names else ""
        examples = (ABOUT_DOCUMENTS, *(EXAMPLES if DEFAULT in names else ()))
        return Collection(index, len(retriever), f"passages of your documents{also}", examples, languages)
    examples = questions_about(itertools.islice(retriever, 10_000))
    return Collection(index, len(retriever), f"passages of the collection “{index}”", examples, languages)


def date_of(index: str) -> str | None:
    """Return the oldest date in the names of the files, such as dumps, of the indexes that are not own documents.

    ``None`` if one has no date.
    """
    names = [name for name in index.split(JOINT) if not is_own(name)]
    files = [file for name in names for file in ((DEFAULT,) if name == DEFAULT else registry.get(name).sources)]
    dates = [DEFAULT_DATE if file == DEFAULT else most_precise_date(file) for file in files]
    return min((date for date in dates if date), default=None) if all(dates) else None


def own_documents(index: str, retriever: Retriever) -> ColbertRetriever | None:
    """Return the searched passages if own documents are among them, else ``None``."""
    from searchain.retrieval.colbert import ColbertRetriever

    has_own = any(map(is_own, index.split(JOINT)))
    return retriever if has_own and isinstance(retriever, ColbertRetriever) else None


READ = 1_000
"""From how many characters on the language of a document is known."""
MOST = 50_000
"""Most passages of an index whose words are counted, which takes about 2 s."""


def speller_for(retriever: Retriever) -> Speller | None:
    """Return a speller for questions to the searched passages; ``None`` if counting their words would take long.

    Whole words of the Reader's vocabulary, the commonest English words, count as correctly spelt too. Raises
    ``SetupError`` if the vocabulary is missing or damaged.
    """
    from searchain.retrieval.colbert import ColbertRetriever

    if not isinstance(retriever, ColbertRetriever) or len(retriever) > MOST:
        return None
    common = assets.find(assets.MINILM_VOCABULARY).read_text(encoding="utf-8").split()
    return Speller(retriever, (word for word in common if word.isalpha()))


def languages_of(passages: Iterable[Passage]) -> frozenset[str]:
    """Return the English names of the languages of the documents, or of the titles, to which ``passages`` belong.

    A document may be written in several: each of its first passages counts, and all of these together.
    """
    texts: defaultdict[str, list[str]] = defaultdict(list)
    read: Counter[str] = Counter()
    for passage in passages:
        document = passage.place.document if passage.place else passage.title
        if read[document] < READ:
            texts[document].append(passage.text)
            read[document] += len(passage.text)
    return frozenset(language_of(text) for found in texts.values() for text in (*found, " ".join(found)))


def questions_about(passages: Iterable[Passage]) -> tuple[str, ...]:
    """Return example questions about some passages with suitable titles."""
    first: dict[str, Passage] = {}
    for passage in passages:
        if 2 < len(passage.title) <= 40 and passage.title[0].isalpha():
            first.setdefault(passage.title, passage)
    titles = sorted(first)
    return tuple(about(first[title]) for title in random.Random(0).sample(titles, min(12, len(titles))))


def check_index(index: str) -> None:
    """Check that each part of ``index`` is there. Set-up may still build the default one, access allows own documents.

    Raises ``SearChainError`` if a part is missing, or its name is not allowed.
    """
    for name in index.split(JOINT):
        registry.check_name(name)
        if name != DEFAULT and not is_own(name):
            registry.get(name)


def serve_careful() -> GgufModel:
    """Serve the careful model, which must be installed."""
    file = CAREFUL.find()
    assert file is not None  # it is looked for before it is used
    name, remedy = f"{CAREFUL.name} (careful)", f"fetch it again with: {GET_CAREFUL}"
    # one request at a time, behind everything else: the fast path must not wait for it
    return GgufModel(file, name=name, slots=1, is_background=True, is_mapped=False, remedy=remedy)
