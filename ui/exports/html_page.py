"""HTML: one self-contained page, without scripts or requests, for reading, sending and printing.

A citation links to its source, in which the cited span is highlighted; a source links back to its citation. The page's
content security policy allows only its own style sheet, so that even unescaped markup could load nothing.
"""

import base64
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

from markupsafe import Markup

from searchain.events import Turn
from searchain.safe_text import web_address
from searchain.types import Outcome, Sentence, Source
from storage.history.finished_turns import Record
from storage.log.conversations import title as title_of
from ui.html import render
from ui.show import labels
from ui.show.passages import Uncarried, by_passage, captioned, halves, pieces_of, quotes_description, rows
from ui.show.second_reading import changes
from ui.show.signs import PERHAPS
from ui.show.terminal import timings
from ui.show.tree_order import Placed, depth_first, set_aside, story

_STYLE = Path(__file__).with_suffix(".css").read_text(encoding="utf-8")
_SUM = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
POLICY = f"default-src 'none'; style-src 'sha256-{_SUM}'"


def write(
    records: Iterable[Record], *, title: str = "Conversations", note: str = "", act: Markup | str = ""
) -> Iterator[str]:
    """Write the page: its head with the line ``note`` and the form ``act``, then each conversation turn by turn."""
    # the style and the policy are the project's own, and the policy names the style's sum to the letter
    yield render("exports/page.html", policy=Markup(POLICY), style=Markup(_STYLE), title=title, note=note, act=act)
    for _, turns in groupby(records, key=lambda record: record.conversation):
        yield from _conversation(turns)
    yield "</main></body></html>\n"


def _conversation(turns: Iterator[Record]) -> Iterator[str]:
    first = next(turns)
    turn = first.state()
    is_headed = first.title == title_of(turn.question)  # else the page would say it twice
    title = turn.question if is_headed else first.title
    yield render("exports/conversation.html", id=first.conversation, title=title)
    yield _turn(first, turn, is_headed=is_headed)
    for record in turns:
        yield _turn(record, record.state())
    yield "</section>\n"


def _turn(record: Record, turn: Turn, *, is_headed: bool = False) -> str:
    both = halves(turn)
    is_told = turn.task not in labels.UNTOLD and turn.outcome is not Outcome.NOT_FOUND
    final = labels.in_words(turn.final_answer) if is_told and labels.ended(turn) is not PERHAPS else ""
    lead, said, rest = ([], [], "") if both else _text(record.turn, turn, final)
    cited: set[int] = set()
    reasons, steps = set_aside(turn), list(depth_first(story(turn)))
    return render(
        "exports/turn.html",
        id=record.turn,
        is_headed=is_headed,
        question=turn.question,
        understood=labels.understood(turn),
        final=final,
        lead=lead,
        sign=labels.ended(turn),
        sure=labels.sureness(turn),
        message=turn.message,
        said=said,
        rest=rest,
        halves=[
            (half.title, [_sentence(record.turn, turn, one, cited) for one in half.sentences]) for half in both or ()
        ],
        legend=labels.ratings(turn),
        corrections=labels.corrections(turn),
        changes=list(changes(turn)),
        sources=[_passage(same) for same in by_passage(turn.sources)],
        steps=[
            _step(turn, placed, reasons.get(placed.node.id, ""), final if len(steps) == 1 else "") for placed in steps
        ],
        beside=rows(turn),
        weighed=labels.weighed(turn) if turn.candidates else "",
        about=" · ".join(labels.provenance(turn, record.created)),
        sure_in_numbers=labels.likely(turn.probability),
        sure_of_sources=", ".join(
            f"[{source.number}] {told}" for source in turn.sources if (told := labels.likely(source.probability))
        ),
        timings=timings(turn),
    )


_Said = dict[str, object]  # values of a sentence for the template


def _text(id: str, turn: Turn, final: str) -> tuple[list[_Said], list[tuple[str, _Said]], str]:
    """Return a first sentence that repeats ``final``, the other sentences after the text before each, and the rest."""
    cited: set[int] = set()
    said, at = [], 0
    for sentence in turn.sentences:
        said.append((turn.answer[at : sentence.start], _sentence(id, turn, sentence, cited)))
        at = sentence.end
    lead = []
    if final and said and labels.says_only(turn.sentences[0], final):
        lead, said = [said[0][1]], said[1:]
        if said:
            said[0] = ("", said[0][1])
    return lead, said, turn.answer[at:]


def _sentence(id: str, turn: Turn, sentence: Sentence, cited: set[int]) -> _Said:
    """Return the sentence as pieces of text, each after its citation (0: none) and the anchor for the backlink."""
    sign = labels.rated(turn, sentence)
    pieces: list[tuple[str, int, str, bool]] = []
    number, anchor = 0, ""
    for piece in pieces_of(turn, sentence):
        if isinstance(piece, str):
            pieces.append((piece, number, anchor, isinstance(piece, Uncarried)))
            number, anchor = 0, ""
        else:
            number = piece[0].number
            anchor = "" if number in cited else f"c-{id}-{number}"
            cited.add(number)
    backing = labels.backing(turn, sentence, sign) if sign else ""
    return {"pieces": pieces, "sign": sign, "backing": backing, "is_described": quotes_description(turn, sentence)}


def _passage(sources: Sequence[Source]) -> dict[str, object]:
    """Return a passage with its citation numbers and with all its cited spans marked."""
    passage = sources[0].passage
    caption, pieces = captioned(passage.text, [source.span for source in sources if source.span])
    about = " · ".join(dict.fromkeys(f"Found for “{source.query}”" for source in sources))
    address = passage.url if web_address(passage.url) else ""
    words = {"title": passage.title, "caption": caption, "pieces": pieces, "about": about, "address": address}
    return {"numbers": [source.number for source in sources], **words}


def _step(turn: Turn, placed: Placed, reason: str, said: str) -> dict[str, object]:
    """Return a step; ``is_told`` says that its answer is ``said``, which the page shows above."""
    node = placed.node
    return {
        # no style attribute passes the policy, so levels are classes, the deepest for all below it
        "level": min(placed.level, 8),
        "sign": labels.state(turn, node),
        "query": node.query,
        "is_told": bool(said) and node.answer == said,
        "answer": (labels.old_answer(turn, node) if reason else None) or node.answer or "",
        "correction": "" if reason else labels.correction(turn, node),
        "reason": reason,
    }
