"""Markdown: replies with footnotes, each with its passage, in which the cited span is bold.

Texts are untrusted: every character that could start markup, a link or a new line is escaped.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby, zip_longest

from searchain.events import Turn
from searchain.safe_text import clean, one_line, web_address
from searchain.types import Sentence, Source
from storage.history.finished_turns import Record
from ui.show.labels import outcome, provenance, rated, sureness
from ui.show.passages import Pieces, by_passage, captioned, halves
from ui.show.second_reading import changes
from ui.show.signs import VERDICTS

_MARKUP = re.compile(r"[\\`*_{}\[\]<>()#!|~&$^@]|^[-+=]|(?<=^\d)[.)]|(?<=^\d\d)[.)]|(?<=www)\.|:(?=//)", re.IGNORECASE)
"""Characters to escape: markup, beginnings of lists and underlines, ``www.`` and ``://``."""


def write(records: Iterable[Record]) -> Iterator[str]:
    """Write a section per conversation, with a subsection per turn."""
    for _, turns in groupby(records, key=lambda record: record.conversation):
        for number, record in enumerate(turns):
            if number == 0:
                yield f"# {line(record.title)}\n\n"
            yield _turn(record, record.state())


def _turn(record: Record, turn: Turn) -> str:
    rating = " · ".join(filter(None, (f"**{line(told)}**" if (told := outcome(turn)) else "", sureness(turn))))
    ended = " — ".join(filter(None, (rating, line(turn.message))))
    about = " · ".join(map(line, provenance(turn, record.created)))
    firsts = {same[0].number for same in by_passage(turn.sources)}
    parts = [
        f"## {line(turn.question)}",
        _reply(record.turn, turn),
        ended,
        "\n".join(f"- {line(text)} {_footnote(record.turn, number)}" for text, number in changes(turn)),
        about,
        *(_note(record.turn, source, is_whole=source.number in firsts) for source in turn.sources),
    ]
    return "".join(f"{part}\n\n" for part in parts if part)


def _reply(id: str, turn: Turn) -> str:
    """Return the escaped reply with footnotes and a rating per sentence; a comparison becomes a table."""
    if both := halves(turn):
        cells = ([_sentence(id, turn, one, one.start, _inline) for one in half.sentences] for half in both)
        rows = zip_longest(*cells, fillvalue="")
        head = [[line(half.title) for half in both], ["---", "---"]]
        return "\n".join(f"| {left} | {right} |" for left, right in (*head, *rows))
    parts: list[str] = []
    at = 0
    for sentence in turn.sentences:
        parts.append(_sentence(id, turn, sentence, at, lines))
        at = sentence.end
    return "".join((*parts, lines(turn.answer[at:]))).strip()


def _sentence(id: str, turn: Turn, sentence: Sentence, begin: int, escaped: Callable[[str], str]) -> str:
    """Return the reply from ``begin`` to the end of ``sentence``, with its footnotes and its rating."""
    pieces = turn.pieces(begin, sentence.end)
    said = "".join(escaped(piece) if isinstance(piece, str) else _footnote(id, piece[0].number) for piece in pieces)
    label = rated(turn, sentence)
    return f"{said} *({label.word[0].lower()}{label.word[1:]})*" if label else said


def address(source: Source) -> str | None:
    """Return the source's address if it may stand between angle brackets."""
    url = source.passage.url
    return url if url and web_address(url) and not re.search(r"[<>\\\s]", url) else None


def _note(id: str, source: Source, *, is_whole: bool) -> str:
    """Return a footnote; the first one of a passage quotes all of it, the others only the cited span."""
    passage, label = source.passage, VERDICTS[source.verdict]
    url = address(source)
    link = f" <{url}>" if url else ""
    parts = captioned(passage.text, [source.span] if source.span else []) if is_whole else ([], [(source.quote, True)])
    quote = "\n    >\n    > ".join(filter(None, map(_quote, parts)))
    name = line(passage.title) or "an untitled passage"
    # "From", because a word and a text in brackets alone would define a link where footnotes are unknown
    told = f"{_footnote(id, source.number)}: From {name}{link} ({label.word}; {line(source.query)})"
    return f"{told}\n\n    > {quote}" if quote else told


def _quote(pieces: Pieces) -> str:
    told = (f"**{line(text)}**" if is_marked and text.strip() else _inline(text) for text, is_marked in pieces)
    return "".join(told).strip()


def _footnote(id: str, number: int) -> str:
    return f"[^{id[-8:]}-{number}]"  # numbers begin anew in every turn


def line(text: str) -> str:
    """Escape ``text`` and put it on one line."""
    return _MARKUP.sub(lambda match: "\\" + match[0], one_line(text))


def lines(text: str) -> str:
    """Escape ``text`` and keep its line breaks."""
    return "\n".join(map(_inline, clean(text).split("\n")))


def _inline(text: str) -> str:
    """Escape ``text`` on one line with at most one space at each end, because more would be markup."""
    return " " * text[:1].isspace() + line(text) + " " * (text[-1:].isspace() and not text.isspace())
