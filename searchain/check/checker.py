"""Check a text sentence by sentence, as a run whose events are those of a reply.

The next sentences are looked up while one is judged. A run that is stopped keeps the sentences that were judged.
"""

import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import PurePath

from searchain.cancel import CancelToken
from searchain.check import SYSTEM
from searchain.check.claims import ClaimHead, Part, cited_names, text_of
from searchain.check.judging import Judge, Judged
from searchain.documents.parsed import OwnFile
from searchain.errors import Cancelled, SearChainError
from searchain.events import (
    Event,
    NodeJudged,
    NodeParsed,
    ReplyDelta,
    RunFinished,
    RunStarted,
    Searched,
    SentenceBound,
    TracingStarted,
)
from searchain.language import text
from searchain.retrieval.base import Retriever
from searchain.types import Hit, Mark, Outcome, Passage, Sentence, Source, Span, Status, Support, Usage, Verdict

SEARCHED, SEARCHED_CITED = 5, 20
"""How many passages are looked up for a sentence, and for one that cites a document."""
TITLE = 120
"""Most characters of the text's beginning that name its run."""
_ORDER = (Support.CONTRADICTED, Support.UNSUPPORTED, Support.PARTLY, Support.ABSENT)
_WORDS = {
    Support.CONTRADICTED: "contradicted",
    Support.UNSUPPORTED: "not in what it cites",
    Support.PARTLY: "partly supported",
    Support.ABSENT: "not in the documents",
}


@dataclass
class _Written:
    """The checked text so far, with the marks of its sources."""

    length: int = 0
    searching: float = 0.0  # seconds that the look-ups took
    sources: list[Source] = field(default_factory=list)
    states: Counter[Support] = field(default_factory=Counter)

    def number(self, judged: Judged, query: str, node: str) -> tuple[int, tuple[Source, ...]]:
        """Return the number of the source of a judgement, and the source itself if it is new."""
        assert judged.passage is not None
        for source in self.sources:
            if (source.passage.id, source.span) == (judged.passage.id, judged.span):
                return source.number, ()
        verdict = Verdict.AGREED if judged.state.is_carried else Verdict.UNCONFIRMED
        new = Source(len(self.sources) + 1, judged.passage, judged.span, 0.0, query, verdict, node)
        self.sources.append(new)
        return new.number, (new,)


class Checker:
    """Checks texts against what ``retriever`` finds. One instance serves many runs, also at once.

    Args:
        head: tells which sentences claim something.
        index: the name of what the retriever searches; stored with the run.
        files: returns the own documents among it by their ids, to know those that a text cites.
    """

    def __init__(
        self,
        retriever: Retriever,
        judge: Judge,
        head: ClaimHead,
        *,
        index: str = "",
        files: Callable[[], Mapping[str, OwnFile]] = dict,
    ) -> None:
        self.judging, self._retriever, self._head = judge, retriever, head
        self._index, self._files = index, files

    def stream(self, written: str, *, cancel: CancelToken | None = None) -> Iterator[Event]:
        """Check a text and yield the events of the run; the last one is ``RunFinished``.

        Raises ``UsageError`` if the text is empty or too long.
        """
        cancel, started = cancel or CancelToken(), time.perf_counter()
        names = {id: file.name for id, file in self._files().items()}
        checked = text_of(written, names.values())
        yield RunStarted(
            question=title_of(written), model=SYSTEM, index=self._index, profile="default", settings={}, system=SYSTEM
        )
        yield TracingStarted(path=(), writer="template")
        so_far, pool = _Written(), ThreadPoolExecutor(1, thread_name_prefix="searchain-check")
        try:
            claims = [part for part in checked.parts if self._head.is_claim(part.text)]
            hits = {part.query: pool.submit(self._look_up, part, cancel) for part in claims}
            for number, part in enumerate(checked.parts, 1):
                cancel.check()
                found = hits.get(part.query) if part in claims else None
                yield from self._part(part, f"s{number}", found, names, so_far)
            yield ReplyDelta(text=checked.rest)
            yield _end(so_far, Usage(retrieval_seconds=so_far.searching, seconds=time.perf_counter() - started))
        except Cancelled:
            yield replace(_end(so_far, Usage()), status=Status.STOPPED, outcome=None)
        except SearChainError as error:
            yield replace(_end(so_far, Usage()), status=Status.FAILED, outcome=None, message=str(error))
        finally:
            pool.shutdown(wait=False, cancel_futures=True)

    def _look_up(self, part: Part, cancel: CancelToken) -> tuple[list[Hit], float]:
        cancel.check()
        started = time.perf_counter()
        found = self._retriever.search(part.query, SEARCHED_CITED if part.cited else SEARCHED)
        return found, time.perf_counter() - started

    def _part(
        self,
        part: Part,
        node: str,
        found: Future[tuple[list[Hit], float]] | None,
        files: Mapping[str, str],
        so_far: _Written,
    ) -> Iterator[Event]:
        """Yield the events of one sentence; ``found`` is its look-up, ``None`` where it claims nothing.

        ``files`` maps documents to their names.
        """
        judged = Judged(Support.OWN)
        if found is not None:
            hits, seconds = found.result()
            so_far.searching += seconds
            judged = self._judged(part, hits, files)
            yield NodeParsed(node=node, parent=None, round=1, query=part.text, answer=None)
            yield Searched(node=node, query=part.query, hits=tuple(hits[:SEARCHED]), seconds=seconds)
            verdict = Verdict.AGREED if judged.state.is_carried else Verdict.UNCONFIRMED
            yield NodeJudged(node=node, verdict=verdict, rule=SYSTEM, before=None, after=None)
        so_far.states[judged.state] += 1
        start, said = so_far.length + len(part.before), part.text
        marks: tuple[Mark, ...] = ()
        new: tuple[Source, ...] = ()
        if judged.passage is not None:
            number, new = so_far.number(judged, part.text, node)
            stop = len(said) - (said[-1] in ".!?")
            mark = f" [{number}]"
            marks = (Mark(number, start + stop + 1, start + stop + len(mark)),)
            said = said[:stop] + mark + said[stop:]
        yield ReplyDelta(text=part.before + said, sources=new)
        so_far.length = start + len(said)
        uncarried = tuple(Span(start + one.start, start + one.end) for one in judged.uncarried)
        sentence = Sentence(said, start, so_far.length, marks, judged.state, uncarried=uncarried)
        yield SentenceBound(sentence=sentence, version=4)

    def _judged(self, part: Part, hits: Sequence[Hit], files: Mapping[str, str]) -> Judged:
        """Return the judgement by what a sentence cites, where that is at hand, else by what was found."""
        names = list(cited_names(part.cited))
        given = [Passage(f"cited-{one.number}", one.title, one.text, one.url) for one in part.cited if one.text]
        own = {id for id, file in files.items() if any(_names(name, file) for name in names)}
        cited = [*given, *(hit.passage for hit in hits if _is_of(hit.passage, own, names))]
        judged = self.judging.judge(part.text, [hit.passage for hit in hits])
        if not cited and not own:
            return judged
        by_cited = self.judging.judge(part.text, cited)
        if by_cited.state is not Support.ABSENT:
            return by_cited
        if judged.state is Support.CONTRADICTED:
            return judged
        return Judged(Support.UNSUPPORTED, cited[0] if cited else None)


def _is_of(passage: Passage, documents: Collection[str], names: Sequence[str]) -> bool:
    """Return whether a passage is of one of ``documents``, or bears one of ``names`` as its title."""
    if passage.place is not None and passage.place.document in documents:
        return True
    return any(_names(name, passage.heading) for name in names)


def _names(name: str, title: str) -> bool:
    """Return whether ``name``, as a text cites it, is the name of a file or the title of a document."""
    one, other = (text.tokens(PurePath(said).stem) for said in (name, title))
    return bool(one) and (one == other or ("." in title and title.casefold() in name.casefold()))


def title_of(written: str) -> str:
    """Return the line that names the check of a text."""
    return f"Check: {' '.join(written[: 4 * TITLE].split())[:TITLE]}"


def _end(so_far: _Written, usage: Usage) -> RunFinished:
    """Return the end of a run that came to its end: quoted if every claim is carried."""
    states = so_far.states
    claims = sum(states.values()) - states[Support.OWN]
    open_ones = [f"{states[state]} {_WORDS[state]}" for state in _ORDER if states[state]]
    outcome = Outcome.NO_SEARCH if not claims else Outcome.UNSURE if open_ones else Outcome.QUOTED
    carried = f"{claims - sum(states[state] for state in _ORDER)} of {claims} claims are supported"
    return RunFinished(
        status=Status.PARTIAL if open_ones else Status.ANSWERED,
        final_answer="",
        invented_markers=0,
        usage=usage,
        outcome=outcome,
        message="; ".join([carried, *open_ones]) if claims else "no sentence claims something",
    )
