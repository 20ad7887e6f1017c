"""Describe what a retriever searches: whose passages, what may be asked of them, and how their words are spelt."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from searchain.language.spelling import Speller
    from searchain.reply.no_search import Collection
    from searchain.retrieval.base import Retriever
    from searchain.retrieval.colbert import ColbertRetriever

OWN = "own"
"""The name of the index if a program brings its own retriever."""
EXAMPLES = (
    "Who wrote Don Quixote?",
    "How tall is Mount Everest?",
    "In which country is Mount Kilimanjaro?",
    "What is photosynthesis?",
    "Who directed Citizen Kane?",
    "When was the Eiffel Tower built?",
    "What is the currency of Japan?",
    "Who painted the Mona Lisa?",
    "In which city is the Colosseum?",
    "When did the Titanic sink?",
    "Who wrote The Divine Comedy?",
    "In which country is the Serengeti?",
    "Who composed The Four Seasons?",
    "Who sculpted The Thinker?",
    "Who invented the telephone?",
)
"""Questions that the embedded corpus answers rightly."""


def describe(index: str, retriever: Retriever) -> Collection:
    """Describe the passages that ``retriever`` searches, with example questions."""
    from searchain.question.document_head import ABOUT_DOCUMENTS
    from searchain.reply.no_search import Collection
    from searchain.retrieval.colbert import ColbertRetriever
    from searchain.retrieval.corpus import DEFAULT
    from searchain.retrieval.words import MOST, languages_of, questions_about
    from searchain.types import JOINT, WEB, is_own

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
    from searchain.types import JOINT, is_own

    has_own = any(map(is_own, index.split(JOINT)))
    return retriever if has_own and isinstance(retriever, ColbertRetriever) else None


def speller_for(retriever: Retriever) -> Speller | None:
    from searchain.retrieval.colbert import ColbertRetriever
    from searchain.retrieval.words import speller_of

    return speller_of(retriever, len(retriever)) if isinstance(retriever, ColbertRetriever) else None
