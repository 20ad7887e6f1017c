"""Answer questions about the user's own documents as wholes, from their text, headings, counts and properties.

No model writes the reply, and no search by meaning is used. How often such replies are right was not measured, so they
are never shown as supported; one whose statements are all quoted is ``quoted``.
"""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence

from searchain.chain.tree import Tree, settle_new
from searchain.documents.parsed import OwnFile
from searchain.events import Event, ReplyDelta, RoundStarted, RunFinished, SentenceBound, TaskChosen, TracingStarted
from searchain.language.text import content_words
from searchain.question.document_head import About, DocumentQuestion, Encoder
from searchain.reading.reader import Reader
from searchain.reply.document_answers import ANSWERS, Asked, Statement, Told
from searchain.reply.held import Quote, documents_of, meant
from searchain.reply.mentions import mentions
from searchain.reply.notes import ABOUT_DOCUMENTS
from searchain.types import (
    Evidence,
    Hit,
    Judgement,
    Mark,
    Outcome,
    Passage,
    Reading,
    Sentence,
    Source,
    Status,
    Support,
    TaskKind,
    Usage,
    Verdict,
)

NOT_MEASURED = "counted in the documents themselves; how often such a reply is right was never measured"
SHORT = (About.NUMBER, About.MENTIONS, About.LENGTH, About.TITLE, About.AUTHOR, About.CHANGED)
"""Kinds that a short answer answers."""
_OF_ALL = (About.FILES, About.NUMBER, About.MENTIONS, About.COMPARE)
"""Kinds that may name words of titles without meaning these documents alone."""


def about_documents(
    question: str,
    asked: DocumentQuestion,
    passages: Iterable[Passage],
    files: Mapping[str, OwnFile],
    encoder: Encoder | None,
    reader: Reader | None,
    usage: Usage,
) -> Iterator[Event] | None:
    """Return the events of the turn, from the task to ``RunFinished``; ``None`` if the passages have to be asked.

    ``passages`` are all passages that are searched. Passages that belong to no document are skipped.
    """
    started = time.perf_counter()
    documents = documents_of(passages, files)
    if not documents:
        return None
    answer = {**ANSWERS, About.MENTIONS: mentions}[asked.kind]
    found = [name for name in asked.documents if content_words(name)]
    chosen = meant(found, documents, None)
    if len(chosen) == len(documents) and asked.kind not in _OF_ALL:
        # a document may be named in words that the head did not find: "summarise the minutes"
        chosen = meant((question,), documents, None)
    if len(chosen) == len(documents):
        chosen = meant(found, documents, encoder)
    told = answer(Asked(asked, chosen, documents, encoder, reader))
    return _events(question, asked.kind, told, usage, time.perf_counter() - started) if told else None


def _events(question: str, kind: About, told: Told, usage: Usage, seconds: float) -> Iterator[Event]:
    yield TaskChosen(task=TaskKind.MULTIHOP if kind in SHORT else TaskKind.LONGFORM, by="rule")
    yield RoundStarted(round=1)
    quotes = list(dict.fromkeys(quote for one in told.statements for quote in one.cites))
    passages = dict.fromkeys(quote.passage for quote in quotes)
    hits = tuple(Hit(passage, 0.0, rank) for rank, passage in enumerate(passages, 1))
    reading = Reading(quotes[0].text, quotes[0].span, 0.0) if quotes else None
    evidence = Evidence(hits, hits[0] if hits else None, reading, retrieval_seconds=seconds)
    verdict = Verdict.COMPLETED if told.answer else Verdict.UNCONFIRMED
    judgement = Judgement(verdict, ABOUT_DOCUMENTS, told.answer or None)
    node = yield from settle_new(Tree(), question, 1, evidence, judgement)
    yield TracingStarted(path=(node.id,), writer="template")
    sources = {
        quote: Source(number, quote.passage, quote.span, 0.0, question, Verdict.COMPLETED, node.id)
        for number, quote in enumerate(quotes, 1)
    }
    yield from _reply(told.statements, sources)
    status, outcome = _end(told)
    message = "" if outcome is Outcome.QUOTED else NOT_MEASURED
    yield RunFinished(
        status=status, outcome=outcome, final_answer=told.answer, invented_markers=0, usage=usage, message=message
    )


def _end(told: Told) -> tuple[Status, Outcome]:
    cited = [one for one in told.statements if one.cites]
    if not told.answer and not cited:
        return Status.NOT_FOUND, Outcome.NOT_FOUND
    if told.answer and all(one.is_quoted for one in cited):
        return Status.ANSWERED, Outcome.QUOTED
    return Status.PARTIAL, Outcome.UNRATED


def _reply(statements: Sequence[Statement], sources: Mapping[Quote, Source]) -> Iterator[Event]:
    """Yield the text with its marks; each source comes with the first statement that cites it."""
    at, known = 0, set[int]()
    bound = []
    for one in statements:
        before = one.before if at else one.before.lstrip()
        cited = [sources[quote] for quote in one.cites]
        sentence = _marked(one, at + len(before), [source.number for source in cited])
        new = tuple(source for source in cited if source.number not in known)
        yield ReplyDelta(text=before + sentence.text, sources=new)
        known |= {source.number for source in cited}
        bound.append(sentence)
        at = sentence.end
    for sentence in bound:
        yield SentenceBound(sentence=sentence)


def _marked(one: Statement, start: int, numbers: Sequence[int]) -> Sentence:
    """Return a statement as a sentence that begins at ``start``, with its marks before its last sign."""
    ending = one.text[-1] if one.text[-1:] in (".", "!", "?") else ""
    text, marks = one.text.removesuffix(ending) + (" " if numbers else ""), []
    for number in numbers:
        mark = f"[{number}]"
        marks.append(Mark(number, start + len(text), start + len(text) + len(mark)))
        text += mark
    text += ending or ("." if numbers else "")
    support = (Support.QUOTED if one.is_quoted else Support.SUPPORTED) if marks else Support.OWN
    return Sentence(text, start, start + len(text), tuple(marks), support)
