"""Parse chains as the model writes them, and write a chain in the one strict form.

The strict form of one node::

    [Query 1]: In which city does Nintendo have its headquarters?
    [Answer 1]: Kyoto            or            [Unsolved Query]

Models write many other forms. The parser accepts labels with and without (full-width) brackets, in Markdown, with
full-width colons, without numbers, in a few languages, and several nodes on one line. An answer always belongs to the
query before it. Text after ``[Final Content]`` does not belong to the chain. A query is reported as soon as its line is
complete, so that retrieval can start before its answer is written.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from searchain.types import Step

MAX_QUERY = 500
"""Most characters of a query that are kept; a longer one comes from a model that does not stop."""

_LABELS = {
    "query": r"(?:sub-?)?quer(?:y|ies)|sub-?question|查询|查詢|子问题|子問題|anfrage|consulta|requ[êe]te",
    "answer": r"answer|回答|答案|antwort|respuesta|r[ée]ponse",
    "unsolved": r"unsolved(?:[ _-]?query)?|未解决(?:的)?(?:查询|问题)?|ungelöste anfrage",
    "final": r"final[ _-]?(?:content|answer)|最终内容|最终答案",
    "question": r"question|问题|問題|frage|pregunta",
}
_OPEN, _CLOSE, _COLON = r"[\[［【〔]", r"[\]］】〕]", r"[:：]"
_ANY = "|".join(f"(?P<{{0}}_{kind}>{words})" for kind, words in _LABELS.items())
_TAG = re.compile(
    # [Query 1]: or **[Query 1]** or 【Query 1】：; "is [Answer 1]?" is a reference inside a query, not a label
    rf"(?:\*\*|__)?{_OPEN}\s*(?:{_ANY.format('b')})\s*(?P<b_number>\d+)?\s*{_CLOSE}"
    r"(?=\s*[:：*_]|[ \t]*\n|\s*[^\s?.,;!)\]])"
    # Query 1: at the beginning of a line, behind list or heading signs
    rf"|^[ \t>*_#-]*(?:\d+[.)][ \t]+)?(?:\*\*|__)?(?:{_ANY.format('l')})[ \t]*(?P<l_number>\d+)?"
    rf"(?:\*\*|__)?[ \t]*{_COLON}"
    # Q1: and A1: at the beginning of a line
    rf"|^[ \t>*_#-]*(?:(?P<s_query>q)|(?P<s_answer>a))[ \t]*\d+[ \t]*{_COLON}"
    # Query 1: in the middle of a line needs its number
    rf"|(?<=\s)(?:{_ANY.format('m')})[ \t]*(?P<m_number>\d+)[ \t]*{_COLON}",
    re.IGNORECASE | re.MULTILINE,
)
_SIGNS = re.compile(r"^(?:\s|[:：]|[>#]+\s|[-–—•]\s)+")
_MATTERS = re.compile(r"[\n\[\]［］【】〔〕:：]")
_KEPT = 4_000  # characters that are kept of text without a label; a model that writes more has lost the form
_UNKNOWN = re.compile(
    r"\W*(?:unsolved(?: query)?|unknown|n/a|not (?:sure|known)|none known|(?:i )?(?:do not|don'?t) know"
    r"|i(?:'m| am) not sure|cannot (?:be )?(?:answer|determin)\w*|未解决(?:的查询)?|不知道|未知|\?+)\W*(?:[.,].*)?",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class QueryRead:
    """A query whose line is complete; its answer may still follow."""

    query: str


@dataclass(frozen=True, slots=True)
class StepRead:
    """A complete step: a query and its answer, or no answer."""

    step: Step


class ChainParser:
    """An incremental parser of one chain: feed it the text as it arrives.

    ``query`` is the query that the model was asked to start with: an answer before any query belongs to it.
    ``long_answers``: answers may have several lines, so an answer ends only at the next label.
    """

    def __init__(self, *, query: str | None = None, long_answers: bool = False) -> None:
        self._text, self._at = "", 0  # text before ``_at`` was read; it is kept to find line beginnings
        self._long_answers = long_answers
        self._announced = query
        self._query: str | None = None
        self._is_final = False
        self.has_final_content = False
        """Whether text has arrived after ``[Final Content]``, which is not kept."""

    def feed(self, text: str) -> list[QueryRead | StepRead]:
        """Add ``text`` and return what it completed, in order."""
        self._text += text.replace("\r\n", "\n")
        if self._is_final:
            return list(self._read(is_end=False))
        if not _MATTERS.search(text):
            return []  # this text cannot complete a step: do not search all of it again
        items = list(self._read(is_end=False))
        if len(self._text) - self._at > 2 * _KEPT and not _TAG.search(self._text, self._at):
            self._text, self._at = self._text[-_KEPT:], 0
        return items

    def finish(self, *, is_cut: bool = False) -> list[QueryRead | StepRead]:
        """Return what the end of the text completes. Call it once.

        ``is_cut``: the text stops in the middle of its last line, which is left out.
        """
        if is_cut:
            last = max((tag.start() for tag in _TAG.finditer(self._text, self._at)), default=0)
            self._text = self._text[: max(last, self._text.rfind("\n"), self._at)]
        self._text += "\n"
        items = list(self._read(is_end=True))
        if self._query is not None:
            items.append(StepRead(Step(self._query, None)))
            self._query = None
        return items

    def _read(self, *, is_end: bool) -> Iterable[QueryRead | StepRead]:
        while not self._is_final and (tag := _TAG.search(self._text, self._at)):
            kind = _kind(tag)
            if kind == "final":
                self._is_final = True
                self._text, self._at = self._text[tag.end() :], 0
                break
            following = _TAG.search(self._text, tag.end())
            end = self._end_of_content(kind, tag.end(), following, is_end)
            if end is None:
                return
            content = _clean(self._text[tag.end() : end])
            self._at = end
            yield from self._take(kind, content)
        if self._is_final:
            self.has_final_content = self.has_final_content or bool(_SIGNS.sub("", self._text.lstrip("*_ \n")).strip())
            self._text = ""

    def _end_of_content(self, kind: str, start: int, following: re.Match[str] | None, is_end: bool) -> int | None:
        """Return where the content after a label ends; ``None`` while it may go on."""
        label = following.start() if following else -1
        if kind == "unsolved" and (self._query or self._announced) is not None:
            end = _first(label, self._text.find("\n", start))  # the label says everything; its line is dropped
            return start if end is None else end
        if kind == "answer" and self._long_answers:
            line_end = -1
        else:
            signs = re.compile(r"[^\S\n]*[*_]*[:：]?[\s*_]*").match(self._text, start)
            line_end = self._text.find("\n", signs.end() if signs else start)
        return _first(label, line_end, len(self._text) if is_end else -1)

    def _take(self, kind: str, content: str) -> Iterable[QueryRead | StepRead]:
        if kind == "query" and content:
            self._announced = None
            if self._query is not None:
                yield StepRead(Step(self._query, None))
            self._query = content[:MAX_QUERY]
            yield QueryRead(self._query)
            return
        if kind in ("answer", "unsolved") and self._query is None:
            self._query, self._announced = self._announced, None
        if kind == "answer" and self._query is not None:
            yield StepRead(Step(self._query, None if _UNKNOWN.fullmatch(content) or not content else content))
            self._query = None
        elif kind == "unsolved":
            if self._query is None and content:
                self._query = content[:MAX_QUERY]
                yield QueryRead(self._query)
            if self._query is not None:
                yield StepRead(Step(self._query, None))
                self._query = None


def parse_chain(text: str, *, query: str | None = None, long_answers: bool = False) -> list[Step]:
    """Return all steps of a complete text.

    >>> parse_chain("[Query 1]: Who? [Answer 1]: Ada. [Query 2]: When?\\n[Unsolved Query]")
    [Step(query='Who?', answer='Ada'), Step(query='When?', answer=None)]
    """
    parser = ChainParser(query=query, long_answers=long_answers)
    items = parser.feed(text) + parser.finish()
    return [item.step for item in items if isinstance(item, StepRead)]


def render_step(number: int, step: Step) -> str:
    """Write one step in the strict form, without a line end."""
    answer = f"[Answer {number}]: {step.answer}" if step.is_solved else "[Unsolved Query]"
    return f"[Query {number}]: {step.query}\n{answer}"


def resolve_references(query: str, answers: list[str | None]) -> str:
    """Replace references such as ``#2`` and ``[Answer 2]`` in a query with the answers that are known.

    >>> resolve_references("Who directed #1, the #1 hit with Piano Concerto #1?", ["Jaws"])
    'Who directed Jaws, the #1 hit with Piano Concerto #1?'
    """

    def answer(match: re.Match[str]) -> str:
        number = int(match[1] or match[2])
        before = query[: match.start()].split()[-1:]
        is_name = (
            match[1] and before and (before[0] in ("the", "No.") or (before[0][0].isupper() and len(before[0]) > 3))
        )
        known = answers[number - 1] if 0 < number <= len(answers) and not is_name else None
        return known or match[0]

    return re.sub(r"#(\d{1,2})\b|[\[［【]\s*[Aa]nswer\s*(\d{1,2})\s*[\]］】]", answer, query)


def _first(*places: int) -> int | None:
    """Return the first of the places that exist; -1 stands for one that does not."""
    return min((place for place in places if place >= 0), default=None)


def _kind(tag: re.Match[str]) -> str:
    name = next(name for name, text in tag.groupdict().items() if text and not name.endswith("_number"))
    kind = name.split("_", 1)[1]
    numbered = any(tag[f"{form}_number"] for form in "blm")
    return "query" if kind == "question" and numbered else kind


def _clean(content: str) -> str:
    """Return one line without the signs of lists, headings and emphasis around it.

    Signs that belong to the text stay, as in "-3 °C" and "C#".
    """
    content = _SIGNS.sub("", " ".join(content.split()))
    for sign in ("**", "__", "`", "*", "_"):
        if content.startswith(sign) and content.endswith(sign) and len(content) > 2 * len(sign):
            content = content[len(sign) : -len(sign)]
    for sign in ("**", "__"):  # its opening half was part of the label
        content = content.removeprefix(sign).removesuffix(sign).strip()
    content = _SIGNS.sub("", content)
    if content.endswith(".") and content.count(".") == 1 and len(content.split()) <= 8:
        content = content[:-1]
    return content
