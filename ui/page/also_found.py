"""Render a passage with its span marked, the passages that a turn found but does not cite, and questions about them."""

import re
from itertools import product
from typing import NamedTuple

from markupsafe import Markup

from searchain.events import Turn
from searchain.language.descriptions import about, after_description, bare_title
from searchain.language.text import contains, content_words
from searchain.question.document_head import ABOUT_DOCUMENTS
from searchain.reply.no_search import OFFER
from searchain.types import Hit, Span
from ui.html import render
from ui.page import ids
from ui.show.passages import around, captioned

LONG = 700
"""Characters; a longer passage is folded."""
_AROUND = 240  # characters kept before and after the span


def passage(text: str, span: Span | None) -> Markup:
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
    shown = [
        {
            "id": ids.also(turn_id, number),
            "title": each.hit.passage.title,
            "passage": passage(each.hit.passage.text, None),
            "query": each.query,
        }
        for number, each in enumerate(passages[:SHOWN], 1)
    ]
    more = [each.hit.passage.title for each in passages[SHOWN:]]
    # without a citation this list is the only content
    return render(
        "page/also.html",
        id=ids.also(turn_id, 0),
        is_all=not turn.sources and turn.status is not None,
        count=len(passages),
        shown=shown,
        more=more,
    )


MOST = 3
_LONGEST = 60
"""Most characters of a title in a suggestion."""


def next_questions(turn: Turn) -> list[str]:
    """Return at most three questions that follow from the reply, each about what it names; the short answer first.

    A passage that was read answers each. The title of an own document does not suit "Tell me about …"; for those the
    suggestion is about all documents together.
    """
    asked, questions = content_words(turn.standalone_question), dict[str, str]()
    read = [source.passage for source in turn.sources] + [each.hit.passage for each in uncited(turn)]
    for said, passage in product((turn.final_answer, turn.answer), read):
        title = bare_title(passage.title)
        words = content_words(title)
        if passage.place is not None:
            if turn.standalone_question != ABOUT_DOCUMENTS:
                questions.setdefault("", ABOUT_DOCUMENTS)
        elif words and not words <= asked and len(title) <= _LONGEST and contains(title, said):
            questions.setdefault(title, about(passage))
    return list(questions.values())[:MOST]


def meanings(turn: Turn) -> list[str]:
    """Return the question once for each document that it fits, with the name of the document."""
    asked = turn.standalone_question.rstrip(" ?.!")
    names = dict.fromkeys(bare_title(source.passage.heading) for source in turn.sources)
    return [f"{asked} ({name})?" for name in names][:MOST]


def offers(turn: Turn) -> list[str]:
    """Return the example questions with which a reply to small talk ends."""
    last = turn.sentences[-1].text if turn.sentences else ""
    return re.findall("“([^“”]+)”", last) if last.startswith(OFFER) else []
