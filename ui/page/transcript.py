"""Render a turn as chat messages: the question, and below it the answer, its sentences and how it was found.

Each message is one line of escaped HTML (``ui.html``), so that Gradio's Markdown does not change it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from markupsafe import Markup

from searchain.check import SYSTEM as CHECKED
from searchain.events import Turn
from searchain.reply.notes import NOTHING_FOUND
from searchain.reply.outcome import NOT_SURE
from searchain.types import Mark, Outcome, Passage, Sentence, Source, Span, Status, Support
from storage.log.conversations import versions
from ui.html import render
from ui.page import ids, progress
from ui.page.evidence import meanings, next_questions, offers, quoted, uncited
from ui.show import labels
from ui.show.passages import Excerpt, Uncarried, excerpt, halves, pieces_of, quotes_description
from ui.show.second_reading import changes, other_reading, reviewed
from ui.show.signs import CHECKING, METHODS, NOT_FOUND, PERHAPS, Sign, method
from ui.translation import _

ChatMessage = dict[str, Any]
"""A message in the form of ``gr.Chatbot``."""
Turns = Sequence[tuple[str, Turn]]

_MARK = re.compile(r"\[(\d+)\]")
_CLOSING = ".,;:!?)”»"  # punctuation that must not begin a line after a citation
_ANSWERED = (Outcome.SUPPORTED, Outcome.QUOTED, Outcome.UNSURE, Outcome.UNRATED, Outcome.NOT_FOUND)
_LONG = 600  # most characters of a question that is shown unfolded
_NEAR = 3  # number of passages shown if nothing was found
_AROUND = 120  # characters of such a passage before and after the Reader's span


def conversation(turns: Turns) -> list[ChatMessage]:
    """Return all messages of a conversation.

    A compared turn is shown in a column beside the reply that it is compared with. A question that was asked again is
    shown once, with a pager between its turns; the newest one is shown first.
    """
    known = dict(turns)
    compared: dict[str, list[tuple[str, Turn]]] = {}
    for id, turn in turns:
        if turn.beside in known:
            compared.setdefault(turn.beside or "", []).append((id, turn))
    firsts = [id for id, turn in turns if turn.beside not in known]
    groups = versions(firsts, {id: known[id].replaces for id in firsts})
    return [message for group in groups for message in _group([(id, known[id]) for id in group], compared)]


def messages(turn_id: str, turn: Turn) -> list[ChatMessage]:
    """Return the messages of one turn: the question, and the reply with how it was found."""
    return _group([(turn_id, turn)], {})


def _group(turns: Turns, compared: Mapping[str, Turns]) -> list[ChatMessage]:
    """Return a question that was asked several times, with its replies; the last one is shown."""
    asked = [
        render(
            "page/question.html",
            question=turn.question,
            is_long=len(turn.question) > _LONG,
            is_check=turn.system == CHECKED,
            asked=f"{asked_at:%Y-%m-%d %H:%M} UTC" if (asked_at := ids.asked_at(id)) else "",
            id=ids.question(id),
            version=ids.asked(id),
            number=number,
            count=len(turns),
        )
        for number, (id, turn) in enumerate(turns, 1)
    ]
    replies = [(ids.answered(id), _reply(id, turn, compared.get(id, ()))) for id, turn in turns]
    reply = render("page/versions.html", replies=replies) if len(turns) > 1 else replies[0][1]
    return [_message("user", Markup("").join(asked)), _message("assistant", reply)]


def _reply(turn_id: str, turn: Turn, compared: Turns) -> Markup:
    """Render a reply with how it was found; the replies of ``compared`` turns are beside it."""
    reply = _block(turn_id, turn, is_compared=bool(compared))
    if compared:
        columns = (reply, *(_block(id, other, is_compared=True) for id, other in compared))
        reply = render("page/compared.html", columns=columns)
    return reply


def notice(text: str, link: str = "", words: str = "") -> ChatMessage:
    """Return a message outside the turns, with an error and what to do about it, and a link at its end."""
    return _message("assistant", render("page/notice.html", text=text, link=link, words=words))


def _message(role: str, content: Markup) -> ChatMessage:
    return {"role": role, "content": str(content)}


@dataclass(frozen=True, slots=True)
class _Said:
    id: str
    pieces: list[_Piece]
    sign: Sign | None = None
    backing: str = ""
    is_described: bool = False  # whether it is an article's short description, which is shown as a caption
    against: tuple[str, tuple[str, str, str]] | None = None
    """The title and the words of the passage that says otherwise."""


@dataclass(frozen=True, slots=True)
class _Chip:
    id: str
    card: str
    number: int
    title: str


_Piece = tuple[str, _Chip | None, str, bool]
"""A text, the citation before it with its closing punctuation, and whether no source says the text."""


_NO_TEXT: dict[str, object] = {"final": "", "lead": (), "said": (), "unbound": ()}


def _block(turn_id: str, turn: Turn, *, is_compared: bool) -> Markup:
    is_over, is_missing = turn.status is not None, turn.outcome is Outcome.NOT_FOUND
    sign, note = _told(turn)
    is_other = turn.system in METHODS and turn.system != "searchain"
    return render(
        "page/turn.html",
        id=ids.block(turn_id),
        system=method(turn.system) if is_compared or is_other else "",
        is_over=is_over,
        writing_line="" if is_over or not turn.answer else progress.doing(turn),
        understood=labels.understood(turn),
        ending=sign,
        note=note,
        **(_NO_TEXT if is_missing else _text(turn_id, turn)),
        halves=_halves(turn_id, turn),
        corrections=_linked(turn_id, labels.corrections(turn)) if is_over else [],
        changes=_linked(turn_id, changes(turn)),
        near=list(_near(turn)) if is_missing else [],
        has_ways=is_missing,
        next=_next(turn, is_compared=is_compared),
        next_head=_("You could ask:") if turn.outcome is Outcome.NO_SEARCH else _("Ask next:"),
        is_searched=_is_searched(turn),
        **_run(turn, is_over=is_over),
        acts=progress.on_reply(turn_id, turn) if is_over else "",
    )


def _halves(turn_id: str, turn: Turn) -> list[tuple[str, list[object]]]:
    """Return the two columns of a comparison, each with its title and sentences."""
    return [
        (half.title, [_drawn(turn_id, turn, half.first + i, one) for i, one in enumerate(half.sentences)])
        for half in halves(turn) or ()
    ]


def _run(turn: Turn, *, is_over: bool) -> dict[str, object]:
    """Return what is shown of the run behind a reply."""
    return {
        "is_open": not is_over and not turn.answer,
        "summary": labels.summary(turn),
        "doing": progress.doing(turn),
        "lines": progress.lines(turn),
        "writing": progress.writing(turn),
        "remarks": [reviewed(turn.review)] if turn.review else [],
        "faults": [f"{fault.what}; {fault.action}" for fault in turn.faults],
        "details": progress.run(turn) if is_over or turn.thoughts else "",
    }


def _linked(turn_id: str, told: Iterable[tuple[str, int]]) -> list[tuple[str, int, str]]:
    """Add the card of the citation that each text is about."""
    return [(text, number, ids.card(turn_id, number)) for text, number in told]


def _text(turn_id: str, turn: Turn) -> dict[str, object]:
    """Return the text of a reply.

    It has the short answer (``final``), or instead the first sentence if that says nothing else (``lead``), the other
    sentences, each with the text before it (``said``), and the text after the last complete sentence (``unbound``).
    """
    final, said = _short_answer(turn), _sentences(turn_id, turn)
    lead: list[_Said] = []
    if final and said and labels.says_only(turn.sentences[0], final):
        final, lead, said = "", [_headline(said[0][1])], said[1:]
    if said:
        said[0] = ("", said[0][1])  # no space before the first one
    if turn.outcome is Outcome.NO_SEARCH and offers(turn):
        said = said[:-1]  # they stand below, to be chosen
    unbound = _unbound(turn_id, turn, turn.sentences[-1].end if turn.sentences else 0)
    return {"final": final, "lead": lead, "said": said, "unbound": unbound}


def _short_answer(turn: Turn) -> str:
    """Return the short answer; ``"…"`` keeps its place while the reply is being written.

    A reply that is probably wrong has no headline, and neither has one that would say the same words twice.
    """
    if turn.task in labels.UNTOLD or turn.answer.startswith(NOTHING_FOUND) or labels.ended(turn) is PERHAPS:
        return ""
    return "…" if turn.status is None and turn.answer else labels.in_words(turn.final_answer)


def _next(turn: Turn, *, is_compared: bool) -> list[str]:
    """Return questions that can be asked with one click."""
    if turn.system == CHECKED:
        return []
    if turn.outcome is Outcome.NO_SEARCH:
        return offers(turn)
    if turn.outcome is Outcome.ASKS:
        return meanings(turn)
    return next_questions(turn) if turn.outcome in _ANSWERED and not is_compared else []


def _is_searched(turn: Turn) -> bool:
    """Return whether the page can show how the reply was found."""
    has_ended_early = turn.status is not None and not turn.hits and not turn.round
    return bool(turn.faults) or not (turn.outcome is Outcome.NO_SEARCH or has_ended_early)


def _headline(said: _Said) -> _Said:
    """Return the short answer without its full stop, since it stands alone."""
    text, chip, after, is_uncarried = said.pieces[-1]
    last = (text.removesuffix("."), chip, after.removesuffix("."), is_uncarried)
    return replace(said, pieces=[*said.pieces[:-1], last])


def _told(turn: Turn) -> tuple[Sign | None, str]:
    """Return how the run ended, with a note; empty while it runs, and if nothing was searched."""
    if turn.is_being_checked:
        return CHECKING, _("This is the first reply; it may still change. Stop keeps it as it is.")
    sign = labels.ended(turn)
    if turn.status is Status.STOPPED:
        kept = _("What was found so far is kept.") if turn.hits or turn.answer else _("Nothing was found yet.")
        return sign, " · ".join(filter(None, (kept, labels.sureness(turn) if turn.system == CHECKED else "")))
    if sign is NOT_FOUND:
        where = labels.searched_in(turn)
        return sign, " ".join(filter(None, (where and _("in {where}.", where=where), labels.still_read(turn))))
    is_broken_off = (turn.faults and turn.outcome is not Outcome.QUOTED) or turn.outcome is None
    sure = labels.sureness(turn)
    says_more = turn.message and not (sure and turn.message == NOT_SURE)
    note = turn.message if is_broken_off and says_more else sure
    return sign, " · ".join(filter(None, (note, other_reading(turn.review))))


def _sentences(turn_id: str, turn: Turn) -> list[tuple[str, _Said]]:
    said: list[tuple[str, _Said]] = []
    at = 0
    for position, sentence in enumerate(turn.sentences):
        # nothing stands between what has a line of its own and the next sentence
        between = "" if said and (said[-1][1].is_described or said[-1][1].against) else turn.answer[at : sentence.start]
        said.append((between, _drawn(turn_id, turn, position, sentence)))
        at = sentence.end
    return said


def _drawn(turn_id: str, turn: Turn, position: int, sentence: Sentence) -> _Said:
    sign = labels.rated(turn, sentence)
    pieces = _with_chips(turn_id, pieces_of(turn, sentence))
    is_described = quotes_description(turn, sentence)
    backed = labels.backing(turn, sentence, sign) if sign else ""
    against = _against(turn, sentence) if sentence.support is Support.CONTRADICTED else None
    return _Said(ids.sentence(turn_id, position), pieces, sign, backed, is_described, against)


def _against(turn: Turn, sentence: Sentence) -> tuple[str, tuple[str, str, str]] | None:
    """Return what the cited passage says instead of ``sentence``, with its title."""
    source = next(filter(None, map(turn.source, sentence.citations)), None)
    words = quoted(source) if source else None
    return (source.passage.title, words) if source and words else None


def _unbound(turn_id: str, turn: Turn, at: int) -> list[_Piece]:
    """Return the text after the last complete sentence, while a reply is being written."""
    marks = tuple(Mark(int(m[1]), m.start(), m.end()) for m in _MARK.finditer(turn.answer, at))
    rest = Sentence(turn.answer[at:], at, len(turn.answer), marks, Support.NONE)
    return _with_chips(turn_id, replace(turn, sentences=(rest,)).pieces(at))


def _with_chips(turn_id: str, pieces: Iterable[str | tuple[Mark, Source]]) -> list[_Piece]:
    """Pair each text with the citation before it; closing punctuation stays on the line of its citation."""
    parts: list[_Piece] = []
    chip: _Chip | None = None
    for piece in pieces:
        if isinstance(piece, str):
            after = piece[: len(piece) - len(piece.lstrip(_CLOSING))] if chip else ""
            if piece or chip:
                parts.append((piece[len(after) :], chip, after, isinstance(piece, Uncarried)))
            chip = None
        else:
            mark, source = piece
            number = source.number
            chip = _Chip(ids.citation(turn_id, mark.start), ids.card(turn_id, number), number, source.passage.title)
    return parts


def _near(turn: Turn) -> Iterable[tuple[str, Excerpt]]:
    """Yield title and excerpt of the passages nearest to a question that was not answered."""
    found: list[tuple[Passage, Span | None]] = [(source.passage, source.span) for source in turn.sources]
    found += [(each.hit.passage, None) for each in uncited(turn)]
    for passage, span in found[:_NEAR]:
        yield passage.title, excerpt(passage, span, _AROUND)
