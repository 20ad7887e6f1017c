"""The evidence column: for each turn a card per cited source, uncited passages, and questions that follow from it."""

import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from markupsafe import Markup

from searchain.events import Turn
from searchain.language.descriptions import about, after_description, bare_title
from searchain.language.sentences import split
from searchain.language.text import contains, content_words
from searchain.question.document_head import ABOUT_DOCUMENTS
from searchain.reply.no_search import OFFER
from searchain.safe_text import web_address
from searchain.types import HEADING_STEP, Hit, Node, Passage, Source, Span, Verdict
from ui.html import render
from ui.page import ids
from ui.show.labels import correction, likely, rule
from ui.show.passages import around, captioned, unlabelled
from ui.show.signs import VERDICTS, heading
from ui.translation import _, number

_QUOTED = 220  # most characters of the quoted sentence that a closed card shows


def panel(turns: Sequence[tuple[str, Turn]]) -> Markup:
    """Render the cards of all ``turns`` (pairs of id and state), newest first; a script shows those of one turn."""
    groups = [_group(id, turn) for id, turn in reversed(turns)]
    return render("page/evidence.html", groups=groups, has_questions=len(turns) > 1)


def card(turn_id: str, turn: Turn, source: Source) -> dict[str, object]:
    """Return one card: a source's quoted sentence, its passage with the span marked, and why it is cited.

    ``nodes`` are the ids of the tree's elements that are based on the source; ``original`` says that it is an own
    document, which can be shown.
    """
    node, passage = turn.node(source.node), source.passage
    place = _("{rank} in its search", rank=node.rank) if node.rank is not None else ""
    rows = [
        (_("Looked up"), source.query),
        (_("How"), f"{_(VERDICTS[source.verdict].word)} ({source.verdict})"),
        (_("Why"), rule(node)),
        (_("Score of the reading (f)"), number(source.confidence, 2)),
        (_("How sure"), likely(source.probability)),
        (_("Place among the passages found"), place),
    ]
    return {
        "id": ids.card(turn_id, source.number),
        "nodes": " ".join(ids.node(turn_id, node.id) for node in turn.nodes if rests_on(node, source)),
        "turn": turn_id,
        "number": source.number,
        "title": passage.title,
        "quoted": quoted(source),
        "is_described": source.span is not None and source.span.start < after_description(passage.text),
        "passage": quotation(passage.text, source.span),
        "original": passage.place is not None,
        "why": _why(turn, source),
        "address": passage.url if web_address(passage.url) else None,
        "rows": [(name, value) for name, value in rows if value],
    }


def rests_on(node: Node, source: Source) -> bool:
    """Return whether ``node`` found ``source``, or is a step of the path with the same passage and span."""
    return node.id == source.node or node.on_path and (node.passage, node.span) == (source.passage, source.span)


def quoted(source: Source) -> tuple[str, str, str] | None:
    """Return the sentence around the span, cut if it is long; ``None`` without a span."""
    text, span = unlabelled(source.passage.text, source.span)
    if span is None:
        return None
    limits = [(start, end) for start, end in split(text) if end > span.start and start < span.end]
    start, end = (limits[0][0], limits[-1][1]) if limits else (span.start, span.end)
    room = max(0, _QUOTED - (span.end - span.start)) // 2
    begin, until = max(start, span.start - room), min(end, span.end + room)
    head, tail = text[begin : span.start], text[span.end : until]
    if begin > start:
        head = f"… {head.partition(' ')[2]}"
    if until < end:
        tail = f"{tail.rpartition(' ')[0]} …"
    return head, text[span.start : span.end], tail


def _group(id: str, turn: Turn) -> dict[str, object]:
    documents: dict[str, list[dict[str, object]]] = {}
    for source in turn.sources:
        documents.setdefault(source.passage.url or source.passage.title, []).append(card(id, turn, source))
    # the list of what else was found is complete when searching has ended
    is_searched = turn.writer is not None or turn.status is not None
    also = also_found(id, turn) if is_searched else ""
    empty = _("Sources appear here as they are found.")
    if turn.status is not None:
        nothing = _("Nothing was looked up for this reply, so it cites nothing.")
        empty = _("This reply cites nothing. What was looked at:") if turn.hits else nothing
    titled = [(cards[0]["title"], cards) for cards in documents.values()]
    empty = "" if documents else empty
    return {"turn": id, "question": heading(turn), "documents": titled, "also": also, "empty": empty}


def _why(turn: Turn, source: Source) -> str:
    node = turn.node(source.node)
    read = _("“{words}”", words=source.quote.removesuffix(".")) if source.span else _("nothing certain")
    match source.verdict:
        case Verdict.AGREED:
            answer = node.model_answer or node.answer or ""
            return _("This passage says {read}; the model had answered “{answer}”.", read=read, answer=answer)
        case Verdict.CORRECTED:
            return correction(turn, node) or _("This passage says {read}, and the reply follows it.", read=read)
        case Verdict.COMPLETED:
            return _("Looked up for “{query}”: this passage says {read}.", query=source.query, read=read)
        case Verdict.DISPUTED:
            answer = node.answer or node.model_answer or ""
            return _(
                "The model answers “{answer}”; this passage says {read}, and the model keeps to its answer.",
                answer=answer,
                read=read,
            )
        case Verdict.UNCONFIRMED:
            return _("The nearest passage found for “{query}”; it does not confirm it.", query=source.query)


LONG = 700
"""Characters; a longer passage is folded."""
_AROUND = 240  # characters kept before and after the span


def quotation(text: str, span: Span | None) -> Markup:
    """Render all of ``text`` as a quotation; parts far from ``span`` are hidden until they are opened.

    A short description stands above it as a caption.
    """
    lead = after_description(text)
    caption, _body = captioned(text, [span] if span else [])
    text, span = text[lead:], Span(span.start - lead, span.end - lead) if span and span.start >= lead else None
    start, end = (span.start, span.end) if span else (0, 0)
    begin, until = around(text, span, _AROUND) if len(text) > LONG else (0, len(text))
    return render(
        "page/passage.html",
        caption=caption,
        head=text[:begin],
        before=text[begin:start],
        quote=text[start:end] if span else None,
        after=text[end:until],
        tail=text[until:],
        is_folded=(begin, until) != (0, len(text)),
    )


SHOWN = 5
"""Number of passages listed with their text; of further ones only the titles are listed."""


class Uncited(NamedTuple):
    hit: Hit
    query: str


def uncited(turn: Turn) -> list[Uncited]:
    """Return each uncited passage once, with the query that ranked it best, in order of this rank."""
    seen = {(source.passage.title, source.passage.text) for source in turn.sources}
    queries = {node.id: node.query for node in turn.nodes}
    found = [Uncited(hit, queries[node]) for node, hits in turn.hits.items() for hit in hits]
    passages = []
    for each in sorted(found, key=lambda one: one.hit.rank):
        content = (each.hit.passage.title, each.hit.passage.text)
        if content not in seen:
            seen.add(content)
            passages.append(each)
    return passages


def also_found(turn_id: str, turn: Turn) -> Markup | str:
    """Render the list; empty if every passage is cited."""
    passages = uncited(turn)
    if not passages:
        return ""
    shown = []
    for place, each in enumerate(passages[:SHOWN], 1):
        about = {"title": each.hit.passage.title, "passage": quotation(each.hit.passage.text, None)}
        shown.append({"id": ids.also(turn_id, place), "query": each.query, **about})
    more = [each.hit.passage.title for each in passages[SHOWN:]]
    is_all = not turn.sources and turn.status is not None  # without a citation this list is the only content
    id, count = ids.also(turn_id, 0), len(passages)
    return render("page/also.html", id=id, is_all=is_all, count=count, shown=shown, more=more)


MOST = 3
_LONGEST = 60  # most characters of a title in a suggestion


def next_questions(turn: Turn) -> list[str]:
    """Return at most three questions that follow from the reply, each about what it names; the short answer first.

    A passage that was read answers each. The title of an own document does not suit "Tell me about …"; for those the
    suggestion is the section that is cited or, where there is none and nothing was answered, all documents together.
    """
    cited = [source.passage for source in turn.sources]
    read = cited + [each.hit.passage for each in uncited(turn)]
    own = [passage for passage in (cited or read) if passage.place is not None]
    questions = dict.fromkeys(_of_sections(turn, own))
    if own and not (turn.final_answer or any(HEADING_STEP in one.title for one in own)):
        questions |= {ABOUT_DOCUMENTS: None} if turn.standalone_question != ABOUT_DOCUMENTS else {}
    return [*questions, *_of_articles(turn, [passage for passage in read if passage.place is None])][:MOST]


def _of_sections(turn: Turn, passages: Sequence[Passage]) -> Iterator[str]:
    asked = content_words(turn.standalone_question)
    for passage in passages:
        _, step, section = passage.title.rpartition(HEADING_STEP)
        if step and len(section) <= _LONGEST and not content_words(section) <= asked:
            yield section if section.endswith("?") else f"Summarise the section {section}."


def _of_articles(turn: Turn, passages: Sequence[Passage]) -> list[str]:
    asked, questions = content_words(turn.standalone_question), dict[str, str]()
    for said, passage in product((turn.final_answer, turn.answer), passages):
        title = bare_title(passage.title)
        words = content_words(title)
        if words and not words <= asked and len(title) <= _LONGEST and contains(title, said):
            questions.setdefault(title, about(passage))
    return list(questions.values())


def meanings(turn: Turn) -> list[str]:
    """Return the question once for each document that it fits, with the name of the document."""
    asked = turn.standalone_question.rstrip(" ?.!")
    names = dict.fromkeys(bare_title(source.passage.heading) for source in turn.sources)
    return [f"{asked} ({name})?" for name in names][:MOST]


def offers(turn: Turn) -> list[str]:
    """Return the example questions with which a reply to small talk ends."""
    last = turn.sentences[-1].text if turn.sentences else ""
    return re.findall("“([^“”]+)”", last) if last.startswith(OFFER) else []
