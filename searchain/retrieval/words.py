"""Use the words and titles of an index to correct questions and to suggest example questions."""

import random
from collections import Counter, defaultdict
from collections.abc import Iterable

from searchain.embedded import assets
from searchain.language.descriptions import about
from searchain.language.languages import language_of
from searchain.language.spelling import Speller
from searchain.types import Passage

READ = 1_000
"""From how many characters on the language of a document is known."""
MOST = 50_000
"""Most passages of an index whose words are counted, which takes about 2 s."""


def speller_of(passages: Iterable[Passage], number: int) -> Speller | None:
    """Return a speller for questions to ``passages``; ``None`` if counting their words would take long.

    Whole words of the Reader's vocabulary, the commonest English words, count as correctly spelt too.

    Raises:
        SetupError: the vocabulary is missing or damaged.
    """
    if number > MOST:
        return None
    common = assets.find(assets.MINILM_VOCABULARY).read_text(encoding="utf-8").split()
    return Speller(passages, (word for word in common if word.isalpha()))


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


def questions_about(passages: Iterable[Passage], number: int = 12, seed: int = 0) -> tuple[str, ...]:
    """Return example questions about ``number`` passages, drawn by ``seed``, with suitable titles."""
    first: dict[str, Passage] = {}
    for passage in passages:
        if 2 < len(passage.title) <= 40 and passage.title[0].isalpha():
            first.setdefault(passage.title, passage)
    titles = sorted(first)
    return tuple(about(first[title]) for title in random.Random(seed).sample(titles, min(number, len(titles))))
