"""Reply to "what is X" and "compare X and Y" with sentences of the articles about X and Y."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from searchain.chain.context import RunContext
from searchain.chain.named import Named
from searchain.chain.tree import settle_new
from searchain.events import Event, RoundStarted
from searchain.language.questions import FEW, DefinitionAsked
from searchain.reading.articles import Found, Match, description_span, sentences_of
from searchain.reply import template
from searchain.reply.citations import keys_of
from searchain.reply.outcome import KnownReply
from searchain.reply.subjects import in_turn
from searchain.reply.writer import Replier
from searchain.types import Evidence, Hit, Judgement, Node, Passage, Reading, Span, TaskKind, Verdict

PROBABILITY = 0.95
"""How likely a short description is right: of 60 articles drawn at random and checked by hand, all 60 were right."""
RULE = "article"
"""The rule of a step that the article with the name answers."""


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
        known = _comparison(nodes, named.found)
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
    quotes = _quotes(node, found.article.passage, sentences)
    keys = keys_of(quotes)
    notes = [_namesakes(found.namesakes)] if found.namesakes else []
    content = " ".join([template.quoted(quotes, keys), *notes])
    return KnownReply(content, keys, node.answer or "")


def _missing(found: Found) -> KnownReply:
    near = [f"“{template.plain(hit.passage.title)}”" for hit in found.hits[:3]]
    nearest = f" The nearest are {', '.join(near[:-1])} and {near[-1]}." if len(near) > 1 else ""
    name = template.plain(found.name)
    return KnownReply(f"No article is called “{name}”.{nearest}", {}, "", f"no article is called {found.name!r}")


def _namesakes(hits: Sequence[Hit]) -> str:
    names = " and ".join(f"“{template.plain(hit.passage.title)}”" for hit in hits)
    return f"Of the same name {'is' if len(hits) == 1 else 'are'} {names}."


def _comparison(nodes: Sequence[Node], found: Sequence[Found]) -> KnownReply:
    """Write a comparison: per article a paragraph with its description and first sentences."""
    quotes = [
        _quotes(node, one.article.passage, FEW) if one.article else [replace(node, span=None)]
        for node, one in zip(nodes, found, strict=True)
    ]
    keys = keys_of([quote for own in quotes for quote in own])
    parts, answers = [], []
    for node, one, quoted in zip(nodes, found, quotes, strict=True):
        if one.article is None:
            parts.append(_without_article(node, one, keys))
        else:
            title = template.plain(one.article.passage.title)
            answers.append(f"{title}: {template.plain(node.answer or '').rstrip('.')}")
            parts.append(f"{title}: {template.quoted(quoted, keys)}")
    missing = "; ".join(f"no article is called {one.name!r}" for one in found if one.article is None)
    return KnownReply("\n\n".join(parts), keys, "; ".join(answers), missing)


def _quotes(node: Node, passage: Passage, sentences: int) -> list[Node]:
    """Return the quotations of one article: its description, if it has one, and its first sentences."""
    spans = [span for span in sentences_of(passage) if span != node.span][:sentences]
    quotes = in_turn(passage, [*([node.span] if node.span else []), *spans])
    return [replace(node, span=quote.span, answer=quote.text) for quote in quotes]


def _without_article(node: Node, found: Found, keys: Mapping[str, Node]) -> str:
    key = next((f" [{key}]" for key, each in keys.items() if each.id == node.id), "")
    nearest = f"; the nearest is “{template.plain(node.passage.title)}”{key}" if node.passage else ""
    return f"No article is called “{template.plain(found.name)}”{nearest}."
