"""Reply to "what is X" and "compare X and Y" with sentences of the articles about X and Y."""

from collections.abc import Iterator
from dataclasses import replace

from searchain.chain.context import RunContext
from searchain.chain.tree import settle_new
from searchain.events import Event, RoundStarted
from searchain.reading.articles import Found, Match, Named, description_span, sentences_of
from searchain.reply import template
from searchain.reply.citations import keys_of
from searchain.reply.known import KnownReply
from searchain.reply.subjects import in_turn
from searchain.reply.writer import Replier
from searchain.types import Evidence, Judgement, Node, Passage, Reading, Span, TaskKind, Verdict

PROBABILITY = 0.95
"""How likely a short description is right: of 60 articles drawn at random and checked by hand, all 60 were right."""
RULE = "article"
"""The rule of a step that the article with the name answers."""


def named_reply(run: RunContext, replier: Replier, named: Named) -> Iterator[Event]:
    """Yield the events from the first round to ``RunFinished``. No model is called."""
    yield RoundStarted(round=1)
    quotes, titles = list[list[Node]](), list[str]()
    for found in named.found:
        query, passage = run.question if len(named.found) == 1 else found.name, found.article.passage
        node = yield from settle_new(run.tree, query, 1, *_described(run, found))
        quotes.append(_quotes(node, passage, named.sentences))
        titles.append(template.plain(passage.title))
    keys = keys_of([quote for own in quotes for quote in own])
    told, answers = ([template.quoted(own, keys) for own in quotes], [node.answer or "" for node in run.tree.path()])
    if len(told) > 1:
        told = [f"{title}: {said}" for title, said in zip(titles, told, strict=True)]
        answers = [f"{one}: {template.plain(said).rstrip('.')}" for one, said in zip(titles, answers, strict=True)]
    elif others := [f"“{template.plain(hit.passage.title)}”" for hit in named.found[0].namesakes]:
        told[0] += f" Of the same name {'is' if len(others) == 1 else 'are'} {' and '.join(others)}."
    yield from replier.reply(by_model=False, known=KnownReply("\n\n".join(told), keys, "; ".join(answers)))


def _described(run: RunContext, found: Found) -> tuple[Evidence, Judgement]:
    """Return the description of an article as evidence, else its first sentence, and as the answer of a step."""
    passage = found.article.passage
    span = description_span(passage) or next(iter(sentences_of(passage)), None)
    answer = passage.text[span.start : span.end] if span else ""
    judgement = Judgement(Verdict.COMPLETED, RULE, answer or passage.title, probability=_probability(run, found))
    return Evidence(found.hits, found.article, Reading(answer, span, 0.0)), judgement


def _probability(run: RunContext, found: Found) -> float | None:
    """Return how likely the description of an article defines it; the other ways to match were not measured."""
    is_alone = run.task is TaskKind.DEFINE and found.match is Match.TITLE and not found.namesakes
    is_measured = is_alone and run.probability is not None and description_span(found.article.passage) is not None
    return PROBABILITY if is_measured else None


def _quotes(node: Node, passage: Passage, sentences: int) -> list[Node]:
    """Return the quotations of one article: its description, if it has one, and its first sentences."""
    spans = [span for span in sentences_of(passage) if span != node.span][:sentences]
    quotes = in_turn(passage, [*([node.span] if node.span else list[Span]()), *spans])
    return [replace(node, span=quote.span, answer=quote.text) for quote in quotes]
