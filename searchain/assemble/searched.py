"""Describe what a retriever searches: whose passages, what may be asked of them, and how their words are spelt."""

from __future__ import annotations

import itertools
import random
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from searchain.embedded import assets
from searchain.language.descriptions import about
from searchain.language.languages import language_of
from searchain.language.spelling import Speller
from searchain.retrieval.corpus import DEFAULT
from searchain.types import JOINT, WEB, Passage, is_own

if TYPE_CHECKING:
    from searchain.reply.no_search import Collection
    from searchain.retrieval.base import Retriever
    from searchain.retrieval.colbert import ColbertRetriever

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

    Whole words of the Reader's vocabulary, the commonest English words, count as correctly spelt too.

    Raises:
        SetupError: the vocabulary is missing or damaged.
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
