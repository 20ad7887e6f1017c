"""Quote the sentences that are nearest to a question which no passage answers outright.

A reader can often use them. "Can the vaccine cause an allergic reaction?" is not decided by "People can have allergic
reactions to any medication or biological product such as a vaccine.", and yet this is what was looked for.
"""

from collections.abc import Sequence, Set
from dataclasses import replace

from searchain.chain.context import RunContext
from searchain.chain.joined import asks_parts
from searchain.language import text
from searchain.language.languages import ENGLISH, function_words, language_of
from searchain.reading.articles import sentences_of
from searchain.reply import template
from searchain.reply.citations import keys_of
from searchain.reply.explanation import explain, nearness
from searchain.reply.notes import NEAREST, NEAREST_EACH, NOT_OUTRIGHT, NOTHING_FOUND
from searchain.reply.outcome import KnownReply
from searchain.reply.own_explanation import are_own, explain_by_documents, likeliest_sentence
from searchain.types import Node, Passage, TaskKind

LEAST_NEAR = 0.8
"""Least nearness of the quoted sentences to the question, chosen with ``lab.worth.refusals``."""
LEAST_LIKELY = 0.03
"""Least probability of a quoted sentence of own documents that may explain what is asked."""
WORDS = 50
"""Approximate number of words that are quoted."""
LEAST_SHARED = 0.25
"""Least share of a foreign question's content words in a sentence that is quoted for it."""
MOST_FOREIGN = 2
"""Most sentences that are quoted for a foreign question."""
LEAST_DECIDING = 0.1
"""Least probability of a sentence that a reply to an undecided yes/no question quotes instead of finding nothing."""
DOUBT, NOT_LIKELY = "no passage answers it outright", "no passage is likely to answer it"


def nearby(run: RunContext) -> KnownReply | None:
    """Return a reply of the sentences nearest to the question; ``None`` if none is near enough.

    It has no short answer, and how likely it helps is not rated. Of own documents the nearest sentence is shown however
    unlikely it is: the reply says that no answer was found, and the sentence is often the one that was looked for. For
    a question that is not in English, the sentences that share most words with it are quoted, because the measure of
    nearness knows English.
    """
    if run.lookups is None or run.similarity is None:
        return None
    steps = [node for node in reversed(run.tree.path()) if node.passage is not None]
    found = [other for node in steps for other in run.lookups.found(node)]
    languages = {language_of(node.passage.text) for node in found if node.passage}
    if (language := language_of(run.question, languages)) != ENGLISH:
        quotes = sharing_words(run.question, found, function_words(language))
    elif run.explains and are_own(found):
        quotes = explain_by_documents(run.asked, found, run.similarity, run.large_read, words=WORDS, least=LEAST_LIKELY)
    else:
        quotes = explain(run.asked, found, run.similarity, words=WORDS)
        quotes = quotes if quotes and nearness(run.asked, quotes, run.similarity) >= LEAST_NEAR else []
    if quotes:
        keys = keys_of(quotes)
        return KnownReply(f"{NOT_OUTRIGHT} {template.quoted(quotes, keys)}", keys, "", DOUBT, is_nearby=True)
    return _nearest(run, steps, found) if language == ENGLISH and are_own(found) else None


def _nearest(run: RunContext, steps: Sequence[Node], found: Sequence[Node]) -> KnownReply | None:
    """Return a reply with the sentence of own documents nearest to each thing that is asked.

    One that may well decide a yes/no question is quoted as an answer that needs a reader; any other one stands behind
    the words that no answer was found.
    """
    assert run.lookups is not None
    assert run.similarity is not None
    each = [(run.asked, found)]
    if asks_parts(run):
        each = [(node.query, run.lookups.found(node)) for node in reversed(steps)]
    nearest = [likeliest_sentence(asked, nodes, run.similarity, run.large_read) for asked, nodes in each]
    quotes = list({(node.passage, node.span): node for some, _ in nearest for node in some}.values())
    if not quotes:
        return None
    keys = keys_of(quotes)
    quoted = template.quoted(quotes, keys)
    wants_yes_no = run.task is TaskKind.YESNO or text.is_yes_no_question(run.question)
    if wants_yes_no and not run.parts and nearest[0][1] >= LEAST_DECIDING:
        return KnownReply(f"{NOT_OUTRIGHT} {quoted}", keys, "", DOUBT, is_nearby=True)
    opening = NEAREST if len(quotes) == 1 else NEAREST_EACH
    return KnownReply(f"{NOTHING_FOUND} {opening} {quoted}", keys, "", NOT_LIKELY)


def sharing_words(question: str, nodes: Sequence[Node], ignored: Set[str]) -> list[Node]:
    """Return the sentences of ``nodes`` that share most words with ``question``, each as a node narrowed to it."""
    from searchain.retrieval import lexical

    sentences: list[Node] = []
    for passage, node in {node.passage: node for node in reversed(nodes) if node.passage is not None}.items():
        spans = sentences_of(passage)
        sentences += [replace(node, span=span, answer=passage.text[span.start : span.end]) for span in spans]
    words = lexical.Words([Passage(str(row), "", node.answer or "") for row, node in enumerate(sentences)])
    weights = {word: weight for word, weight in lexical.weighed(question, [words]).items() if word not in ignored}
    return [
        sentences[row]
        for _, row in words.search(weights, MOST_FOREIGN)
        if len(weights.keys() & lexical.words(sentences[row].answer or "")) >= LEAST_SHARED * len(weights)
    ]
