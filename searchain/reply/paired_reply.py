"""Reply to a question about two things with what the articles about both say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from searchain.chain.context import RunContext
from searchain.chain.pairing import Decided
from searchain.chain.settling import settle_new
from searchain.events import Event, RoundStarted
from searchain.language import text
from searchain.language.comparison import Decision
from searchain.language.same_answer import label_of
from searchain.reading.articles import description_span, sentences_of
from searchain.reply import template
from searchain.reply.citations import keys_of
from searchain.reply.named_reply import NOT_MEASURED, RULE
from searchain.reply.writer import KnownReply, Replier
from searchain.types import Evidence, Judgement, Node, Passage, Reading, Span, Verdict

NOT_SHARED = "the two articles do not say the same"


def paired_reply(run: RunContext, replier: Replier, decided: Decided) -> Iterator[Event]:
    """Yield the events from the first round to ``RunFinished``. No model is called."""
    yield RoundStarted(round=1)
    quotes: list[list[Node]] = []
    for found, article, span in zip(decided.pair.found, decided.pair.hits, decided.spans, strict=True):
        spans = _quoted(article.passage, span)
        said = article.passage.text[spans[0].start : spans[0].end] if spans else article.passage.title
        reading = Reading(said, spans[0] if spans else None, 0.0)
        judgement = Judgement(Verdict.COMPLETED, RULE, said, probability=decided.probability)
        node = yield from settle_new(run.tree, found.name, 1, Evidence(found.hits, article, reading), judgement)
        quotes.append([_at(node, one) for one in spans] or [node])
    yield from replier.reply(by_model=False, known=_written(quotes, decided))


def _quoted(passage: Passage, span: Span | None) -> list[Span]:
    """Return what is quoted of an article: the sentence with ``span``, and before it what the article begins with.

    Without such a sentence it is the description and the first sentence.
    """
    described, sentences = description_span(passage), sentences_of(passage)
    own = next((one for one in sentences if span and one.start <= span.start < one.end), None)
    if own is not None and own == sentences[0]:
        return [own]
    return [*([described] if described else []), *([own] if own else sentences[:1])]


def _written(quotes: Sequence[Sequence[Node]], decided: Decided) -> KnownReply:
    keys = keys_of([node for own in quotes for node in own])
    key_by_place = {(node.passage, node.span): key for key, node in keys.items()}
    firsts = tuple(own[0] for own in quotes)
    articles = [f"{hit.passage.title}. {hit.passage.text}" for hit in decided.pair.hits]
    answer = decided.answer if label_of(decided.answer) else text.as_written(decided.answer, articles)
    marks = "".join(f"[{key_by_place[node.passage, node.span]}]" for node in firsts)
    lead = f"{template.plain(answer[:1].upper() + answer[1:])} {marks}." if answer else template.NOTHING_FOUND
    said = " ".join(template.quoted(own, keys) for own in quotes)
    doubt = "" if decided.probability is not None else NOT_MEASURED if answer else NOT_SHARED
    decision = Decision(answer, firsts, "shared") if answer else None
    return KnownReply(f"{lead} {said}", keys, answer, doubt, decision)


def _at(node: Node, span: Span) -> Node:
    assert node.passage is not None
    return replace(node, span=span, answer=node.passage.text[span.start : span.end])
