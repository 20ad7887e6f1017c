"""Reply to "what is X" and "compare X and Y" with sentences of the articles about X and Y."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from searchain.chain.context import RunContext
from searchain.chain.named import Named
from searchain.chain.settling import settle_new
from searchain.events import Event, RoundStarted
from searchain.language.kinds import DefinitionAsked
from searchain.language.same_query import Similarity
from searchain.reading.articles import Found, Match, description_span, sentences_of
from searchain.reply import template
from searchain.reply.citations import keys_of
from searchain.reply.writer import KnownReply, Replier
from searchain.types import Evidence, Hit, Judgement, Node, Passage, Reading, Span, TaskKind, Verdict

PROBABILITY = 0.95
"""How likely a short description is right: of 60 articles drawn at random and checked by hand, all 60 were right."""
RULE = "article"
"""The rule of a step that the article with the name answers."""
NOT_MEASURED = "how often such a reply is right was never measured"
PAIRS = 3
"""Most pairs of similar sentences, one of each article, that a comparison quotes."""
ALIKE = 0.35
"""The least cosine of two sentences in such a pair, measured without the names of the two articles."""
_DEEPEST = 12
"""How many sentences from the beginning of each article are compared."""
_WORDS = range(5, 60)
"""How many words a sentence in a pair may have."""
_LEANING = re.compile(
    r"(?:This|These|That|Those|Such|However|But|Also|Thus|Therefore|They|Both|In addition|As a result)\b"
)
"""Beginnings of sentences that cannot be understood without the sentence before."""


def named_reply(run: RunContext, replier: Replier, named: Named) -> Iterator[Event]:
    """Yield the events from the first round to ``RunFinished``. No model is called."""
    yield RoundStarted(round=1)
    nodes = []
    for found in named.found:
        query = run.question if len(named.found) == 1 else found.name
        nodes.append((yield from settle_new(run.tree, query, 1, _evidence(found), _judgement(found, run))))
    if isinstance(named.asked, DefinitionAsked):
        known = _definition(nodes[0], named.found[0], named.asked.sentences)
    else:
        known = _comparison(nodes, named.found, run.similarity)
    yield from replier.reply(by_model=False, known=known)


def _evidence(found: Found) -> Evidence:
    """Return the evidence for a name: its article's description or first sentence, else the nearest passage."""
    chosen = found.article or next(iter(found.hits), None)
    if chosen is None:
        return Evidence((), None, None)
    span = _first(chosen.passage) if found.article else None
    answer = chosen.passage.text[span.start : span.end] if span else ""
    return Evidence(found.hits, chosen, Reading(answer, span, 0.0))


def _judgement(found: Found, run: RunContext) -> Judgement:
    if found.article is None:
        return Judgement(Verdict.UNCONFIRMED, RULE, None)
    passage, span = found.article.passage, _first(found.article.passage)
    answer = passage.text[span.start : span.end] if span else passage.title
    is_measured = (
        run.task is TaskKind.DEFINE
        and run.probability is not None
        and found.match is Match.TITLE  # the other ways to match were not measured
        and not found.namesakes
        and description_span(passage) is not None
    )
    return Judgement(Verdict.COMPLETED, RULE, answer, probability=PROBABILITY if is_measured else None)


def _first(passage: Passage) -> Span | None:
    return description_span(passage) or next(iter(sentences_of(passage)), None)


def _definition(node: Node, found: Found, sentences: int) -> KnownReply:
    """Write a definition: the article's description and its first sentences."""
    if found.article is None:
        return _missing(found)
    spans = [span for span in sentences_of(found.article.passage) if span != node.span][:sentences]
    quotes = [_at(node, span) for span in (*([node.span] if node.span else []), *spans)]
    keys = keys_of(quotes)
    notes = [_namesakes(found.namesakes)] if found.namesakes else []
    content = " ".join([template.quoted(quotes, keys), *notes])
    return KnownReply(content, keys, node.answer or "", "" if node.probability is not None else NOT_MEASURED)


def _missing(found: Found) -> KnownReply:
    near = [f"“{template.plain(hit.passage.title)}”" for hit in found.hits[:3]]
    nearest = f" The nearest are {', '.join(near[:-1])} and {near[-1]}." if len(near) > 1 else ""
    name = template.plain(found.name)
    return KnownReply(f"No article is called “{name}”.{nearest}", {}, "", f"no article is called {found.name!r}")


def _namesakes(hits: Sequence[Hit]) -> str:
    names = " and ".join(f"“{template.plain(hit.passage.title)}”" for hit in hits)
    return f"Of the same name {'is' if len(hits) == 1 else 'are'} {names}."


def _comparison(nodes: Sequence[Node], found: Sequence[Found], similarity: Similarity | None) -> KnownReply:
    """Write a comparison: per article a paragraph with its description, first sentence and pairs."""
    quotes = [
        _quotes(node, one, spans) for node, one, spans in zip(nodes, found, _chosen(found, similarity), strict=True)
    ]
    near = [replace(node, span=None) for node, one in zip(nodes, found, strict=True) if not one.article]
    keys = keys_of([*(quote for own in quotes for quote in own), *near])
    parts, answers = [], []
    for node, one, quoted in zip(nodes, found, quotes, strict=True):
        if one.article is None:
            parts.append(_without_article(node, one, keys))
        else:
            title = template.plain(one.article.passage.title)
            answers.append(f"{title}: {template.plain(node.answer or '').rstrip('.')}")
            parts.append(f"{title}: {template.quoted(quoted, keys)}")
    missing = "; ".join(f"no article is called {one.name!r}" for one in found if one.article is None)
    return KnownReply("\n\n".join(parts), keys, "; ".join(answers), missing or NOT_MEASURED)


def _chosen(found: Sequence[Found], similarity: Similarity | None) -> list[list[Span]]:
    """Return the sentences to quote of each article: the first, and those similar to one of the other article.

    Without ``similarity``, or if an article is missing, these are the first few."""
    spans = [sentences_of(one.article.passage) if one.article else [] for one in found]
    if similarity is None or not all(spans):
        return [list(own[: 1 + PAIRS]) for own in spans]
    passages = [one.article.passage for one in found if one.article]
    pairs = _alike(passages, [own[1:_DEEPEST] for own in spans], similarity)
    return [[own[0], *(pair[place] for pair in pairs)] for place, own in enumerate(spans)]


def _quotes(node: Node, found: Found, spans: Sequence[Span]) -> list[Node]:
    """Return the quotations of one article; its description comes first."""
    if found.article is None:
        return []
    first = [node.span] if node.span and node.span not in spans else []
    return [_at(node, span) for span in (*first, *spans)]


def _without_article(node: Node, found: Found, keys: Mapping[str, Node]) -> str:
    key = next((f" [{key}]" for key, each in keys.items() if each.id == node.id), "")
    nearest = f"; the nearest is “{template.plain(node.passage.title)}”{key}" if node.passage else ""
    return f"No article is called “{template.plain(found.name)}”{nearest}."


def _alike(
    passages: Sequence[Passage], spans: Sequence[Sequence[Span]], similarity: Similarity
) -> list[tuple[Span, Span]]:
    """Return pairs of similar sentences, one of each article, in the order of the first article."""
    one, other = (
        [(span, _masked(passage, span)) for span in own if _stands_alone(passage.text[span.start : span.end])]
        for passage, own in zip(passages, spans, strict=True)
    )
    ranked = sorted(
        ((similarity(a, b), i, j) for i, (_, a) in enumerate(one) for j, (_, b) in enumerate(other)), reverse=True
    )
    taken: list[tuple[int, int]] = []
    for value, i, j in ranked:
        if value >= ALIKE and len(taken) < PAIRS and all(i != left and j != right for left, right in taken):
            taken.append((i, j))
    return [(one[i][0], other[j][0]) for i, j in sorted(taken)]


def _masked(passage: Passage, span: Span) -> str:
    """Return the sentence without the words of its article's title, so that two articles can be compared."""
    words = "|".join(map(re.escape, re.findall(r"\w{3,}", passage.title)))
    sentence = passage.text[span.start : span.end]
    return re.sub(rf"\b(?:{words})\b", "it", sentence, flags=re.IGNORECASE) if words else sentence


def _stands_alone(sentence: str) -> bool:
    return len(sentence.split()) in _WORDS and not _LEANING.match(sentence)


def _at(node: Node, span: Span) -> Node:
    assert node.passage is not None
    return replace(node, span=span, answer=node.passage.text[span.start : span.end])
