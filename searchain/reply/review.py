"""Review a reply before it is final: a second reader reads its passages, and confirms, corrects or withdraws it.

The first reply is complete by then. It stays if the second reading is stopped, fails or takes too long.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from searchain.chain.context import RunContext
from searchain.chain.dialogue import BudgetSpent
from searchain.chain.tree import settle_new
from searchain.errors import Cancelled, SearChainError
from searchain.events import Event, ModelFault, ReplyReviewed, ReviewStarted, RunFinished, SentenceBound
from searchain.language import text
from searchain.language.comparing import compared
from searchain.language.same_answer import label_in, label_of
from searchain.reading.lists import ENUMERATION
from searchain.reply import outcome
from searchain.reply.found import Found, all_own, found_by
from searchain.reply.label_reading import carriers_in, read_for_labels
from searchain.reply.own_explanation import are_own
from searchain.reply.quoting import Carrier, Quoter
from searchain.reply.rewriting import Rewriting
from searchain.reply.second_reader import LabelReading, SecondReader, SecondReading, place_of
from searchain.reply.writer import Replier
from searchain.types import (
    Evidence,
    JudgedAnswer,
    Judgement,
    Outcome,
    Passage,
    Reading,
    Sentence,
    Span,
    TaskKind,
    Verdict,
)
from searchain.verification.second_label import LABELS, SecondLabel, features
from searchain.verification.second_opinion import Ending, SecondOpinion, ending_of, likeliest, relation_of

YES = 0.5
"""From this probability of “yes” on the model finds an answer right."""
SURE = 0.93
"""From this probability on a supported reply is not read again: of 33 such replies to everyday and typed questions two
were wrong, of 28 less likely ones three."""
NOTHING, WRONG = "finds no answer in the passages", "does not find it right"
"""What the careful model does where it answers nothing, or judges an answer, in words."""
_NOWHERE = Passage("", "", "")


class Review:
    """The review of replies: ``reader`` reads, ``opinion`` decides. One instance serves many runs.

    Where all passages are of own documents, the model judges the reply's short answer instead of answering, and ``own``
    decides. Yes/no questions are decided by ``labels`` there, and by ``articles`` where no passage is of an own
    document. Without a rule such replies are read as any other.
    """

    def __init__(
        self,
        reader: SecondReader,
        opinion: SecondOpinion,
        own: SecondOpinion | None = None,
        *,
        labels: SecondLabel | None = None,
        articles: SecondLabel | None = None,
    ) -> None:
        self.reader, self.opinion, self.own, self.labels, self.articles = reader, opinion, own, labels, articles

    def events(self, run: RunContext, replier: Replier, events: Iterator[Event]) -> Iterator[Event]:
        """Pass on the ``events`` of a run; before the last one, review the reply if that is wanted.

        Raises as ``events``.
        """
        sentences: list[Sentence] = []
        for event in events:
            if isinstance(event, SentenceBound):
                sentences.append(event.sentence)
            if isinstance(event, RunFinished):
                yield from _Check(self, run, replier, event, sentences).events()
            else:
                yield event


class _Check:
    """One reply and its review. ``first`` is the end of the run without a review."""

    def __init__(
        self, review: Review, run: RunContext, replier: Replier, first: RunFinished, sentences: Sequence[Sentence]
    ) -> None:
        self._reader, self._by = review.reader, review
        self._run, self._replier, self._first, self._sentences = run, replier, first, sentences

    def events(self) -> Iterator[Event]:
        review, action = self._review()
        if review is None:
            yield self._first
            return
        yield ReviewStarted(model=self._reader.name)
        try:
            events = list(review())  # all of it or nothing
        except Cancelled:  # the reply was there before: what is stopped is the check
            yield self._ended(self._first)
        except BudgetSpent:
            yield ModelFault(what="the time of the run is used up", action=action)
            yield self._ended(self._first)
        except SearChainError as error:
            yield ModelFault(what=str(error), action=action)
            yield self._ended(self._first)
        else:
            yield from events

    def _review(self) -> tuple[Callable[[], Iterator[Event]] | None, str]:
        """Return what reviews the reply, ``None`` if nothing does, and what is done where that fails."""
        if (self._run.explains or self._run.task is TaskKind.COMPARE) and self._sentences:
            # what a small model wrote from several documents was often untrue, and passed the support check
            if are_own(self._run.tree.path()):
                return None, ""
            rewriting = Rewriting(self._reader, self._run, self._replier, self._first)
            return rewriting.events, "kept the quotations"
        found = found_by(self._run)
        if not found or not self._is_wanted(found):
            return None, ""
        quoter, kept, rule = self._replier.quoter, "kept the reply as it was", self._rule_of(found)
        if rule is not None and quoter is not None:
            return partial(self._labelled, found, rule, quoter), kept
        return partial(self._read, found), kept

    def _rule_of(self, found: Sequence[Found]) -> SecondLabel | None:
        """Return the rule for a yes/no question in the usual form, to which alone the rules were fitted.

        That for articles was fitted to questions that one article answers.
        """
        question, first = self._run.question, self._first
        is_open = text.is_yes_no_question_form(question) and compared(question) is None
        is_asked = is_open and self._replier.task is TaskKind.YESNO and first.threshold is not None
        if not is_asked or (first.final_answer and label_of(first.final_answer) is None):
            return None
        if all_own(found):
            return self._by.labels
        articles = {node.passage.id for node in self._run.tree.path() if node.passage is not None}
        is_own = any(one.hit.passage.place for one in found)
        return None if is_own or len(articles) > 1 else self._by.articles

    def _is_judged(self, found: Sequence[Found]) -> bool:
        """Tell whether a short answer from own documents is to be judged: the rule for these was fitted to no other."""
        first, is_label = self._first, self._replier.task in (TaskKind.YESNO, TaskKind.FACTCHECK)
        return bool(first.final_answer) and not is_label and first.threshold is not None and all_own(found)

    def _is_wanted(self, found: Sequence[Found]) -> bool:
        first = self._first
        path = self._run.tree.path()
        if first.conflict or first.asks or self._run.task in outcome.TEXTS or (path and path[-1].rule == ENUMERATION):
            return False  # a second reader names no span of several sentences, and no whole enumeration
        if self._run.parts:
            return False  # it answers one question
        if self._run.task is TaskKind.FACTCHECK and not first.final_answer:
            return False  # what it would find is no verdict
        # what own documents support, perhaps by a threshold that their owner's judgements set, stays so
        is_own = any(one.hit.passage.place is not None for one in found)
        return first.outcome is not Outcome.SUPPORTED or (not is_own and (first.probability or 1.0) < SURE)

    def _proposed(self, found: Sequence[Found]) -> dict[str, float | None]:
        """Return the answers that may be right → their probabilities: first the reply's answer, then the Reader's."""
        first = self._first
        proposed = {first.final_answer: first.probability} if first.final_answer else {}
        if label_in(first.final_answer) is not None:
            return proposed
        for one in found:
            if one.reading is not None and one.reading.answer:
                proposed.setdefault(one.reading.answer, one.reading.probability)
        return proposed

    def _read(self, found: Sequence[Found]) -> Iterator[Event]:
        """Let the model answer and judge an answer; yield the review, and the end of the run."""
        first, passages = self._first, [one.hit.passage for one in found]
        run, by = self._run, self._by
        passage = next((node.passage for node in run.tree.path()[-1:] if node.passage), _NOWHERE)
        own = by.own if self._is_judged(found) else None
        opinion, read, nothing = (own, self._judged, WRONG) if own else (by.opinion, self._answered, NOTHING)
        reading, candidates = read(found, passages, passage)
        weights = opinion.weigh(run.question, candidates)
        judged = [replace(one, probability=weight) for one, weight in zip(candidates, weights, strict=True)]
        relation, best = relation_of(first.final_answer, reading.answer, passage), likeliest(judged)
        usual = ending_of(judged, relation, opinion.least), opinion.least
        ending, least = self._own_ending(reading, own) if own else usual
        # what was never measured stays so
        rated = None if first.probability is None else judged[0].probability
        raised = self._stating(first) if ending == "confirmed" and rated != first.probability else ()
        yield ReplyReviewed(
            outcome=ending,
            model=self._reader.name,
            first=first.final_answer,
            second=reading.answer,
            passages=tuple(one.id for one in passages),
            probability=best.probability if best is not None else rated,
            sentences=raised,
            seconds=reading.seconds,
            before=first.probability,
            place=place_of(reading.answer, passages)[0],
            chosen="" if best is None else best.answer,
            answers=tuple(judged),
        )
        if best is not None:
            yield from self._placed(best, found, least)
        elif ending == "confirmed":
            yield self._confirmed(rated, least)
        else:
            yield self._withdrawn(reading.answer, rated, nothing)

    def _own_ending(self, reading: SecondReading, own: SecondOpinion) -> tuple[Ending, float]:
        """Return how the review of an answer from own documents ends, and from which probability on it is supported."""
        # what the model does not find right it does not confirm, though a low probability may rise
        ending: Ending = "confirmed" if reading.says_yes >= YES else "withdrawn"
        return ending, max(own.least, self._first.threshold or 0.0)  # one that the owner's judgements set counts, too

    def _labelled(self, found: Sequence[Found], rule: SecondLabel, quoter: Quoter) -> Iterator[Event]:
        """Let the model say yes or no; yield the review, and the end of the run."""
        passages = [one.hit.passage for one in found]
        places, reading = read_for_labels(self._reader, self._run, found)
        carriers = carriers_in(passages, places, quoter, self._run)
        stance = carriers["yes"].greatest - carriers["no"].greatest
        weights = rule.weigh(features(reading.yes, reading.unknown, reading.holds, stance))
        was, said = label_of(self._first.final_answer) or "", rule.said(weights)
        ending: Ending = "confirmed" if said == was else "corrected" if said else "withdrawn"
        rated, place = weights.get(said or was), carriers[said].place if said else None
        yield ReplyReviewed(
            outcome=ending,
            model=self._reader.name,
            first=self._first.final_answer,
            second=said,
            passages=tuple(one.id for one in passages),
            probability=rated,
            sentences=self._stating(self._first) if was and ending == "confirmed" else (),
            seconds=reading.seconds,
            before=self._first.probability,
            place=place,
            chosen=said if ending == "corrected" else "",
            answers=tuple(self._judged_labels(was, said, reading, weights, carriers)),
        )
        if ending == "corrected":
            carrier = carriers[said]
            yield from self._corrected(said, carrier.span, carrier.place, rated, found, rule.least)
        elif ending == "confirmed":
            yield self._confirmed(rated if was else self._first.probability, rule.least)
        else:
            yield self._withdrawn(said, rated)

    def _judged_labels(
        self, was: str, said: str, reading: LabelReading, weights: Mapping[str, float], carriers: Mapping[str, Carrier]
    ) -> Iterator[JudgedAnswer]:
        """Yield both labels, that of the reply first."""
        for label in sorted(LABELS, key=lambda label: label != was):
            yield JudgedAnswer(
                answer=label,
                before=self._first.probability if label == was else None,
                says_yes=reading.yes if label == "yes" else 1 - reading.yes,
                is_first=label == was,
                agrees=label == said,
                place=carriers[label].place,
                probability=weights[label],
            )

    def _answered(
        self, found: Sequence[Found], passages: Sequence[Passage], passage: Passage
    ) -> tuple[SecondReading, list[JudgedAnswer]]:
        """Let the model answer; return what it read, and the answers that may be right now."""
        run, excerpts, was = self._run, [one.excerpt() for one in found], self._first.final_answer
        task = self._replier.task
        reading = self._reader.read(run.question, excerpts, task, run.cancel, run.dialogue.book, was)
        return reading, self._candidates(reading, self._proposed(found), passage, passages)

    def _judged(
        self, found: Sequence[Found], passages: Sequence[Passage], passage: Passage
    ) -> tuple[SecondReading, list[JudgedAnswer]]:
        """Let the model judge the answer of the reply; return as ``_answered``."""
        run, first, excerpts = self._run, self._first, [one.excerpt() for one in found]
        reading = self._reader.judge(run.question, excerpts, first.final_answer, run.cancel, run.dialogue.book)
        proposed = {first.final_answer: first.probability}
        return reading, self._candidates(reading, proposed, passage, passages)

    def _candidates(
        self, read: SecondReading, proposed: Mapping[str, float | None], passage: Passage, passages: Sequence[Passage]
    ) -> list[JudgedAnswer]:
        """Return the reply's answer, and those that agree with the model's own: of the Reader, else the model's.

        The model's judgement counts for all that agree with its answer; where it found none, for that of the reply.
        """
        was = self._first.final_answer
        agrees = {one: bool(read.answer) and relation_of(one, read.answer, passage) == "agrees" for one in proposed}
        known = dict(proposed)
        if read.answer and not any(agrees.values()):
            agrees[read.answer], known[read.answer] = True, self._rating(read.answer, passages)
        return [
            JudgedAnswer(
                one,
                known[one],
                read.says_yes if is_judged or not read.answer else 0.5,
                is_first=one == was,
                agrees=is_judged,
                place=place_of(one, passages)[0],
            )
            for one, is_judged in agrees.items()
            if is_judged or one == was
        ]

    def _rating(self, answer: str, passages: Sequence[Passage]) -> float | None:
        """Return how likely the Readers find the span of an answer; ``None`` where the question finds no such span."""
        run, (place, span) = self._run, place_of(answer, passages)
        if place is None or span is None or run.lookups is None:
            return None
        run.wait(run.lookups.start(run.question))
        return run.lookups.rated(run.question, passages[place], span)

    def _confirmed(self, probability: float | None, least: float) -> RunFinished:
        first = self._first
        if not first.final_answer or probability == first.probability:
            note = first.message and f"{first.message}; the careful model finds the same"
            return self._ended(replace(first, message=note))
        return self._ended(self._rated(replace(first, probability=probability), least))

    def _rated(self, end: RunFinished, least: float) -> RunFinished:
        """Decide again whether the reply is supported, by the threshold for replies that were read twice."""
        threshold, doubt = None if end.threshold is None else least, self._replier.doubt
        from_on = 1.0 if threshold is None else threshold
        status, ending = outcome.outcome_of(end.final_answer, end.probability, from_on, doubt)
        message = outcome.message_of(ending, doubt)
        return replace(end, status=status, outcome=ending, threshold=threshold, message=message)

    def _withdrawn(self, answer: str, probability: float | None, nothing: str = NOTHING) -> RunFinished:
        """Keep the reply, and mark it as not supported whatever its probability."""
        note = f"the careful model finds “{answer}”" if answer else f"the careful model {nothing}"
        doubt = "; ".join(filter(None, (self._replier.doubt, note)))
        first = replace(self._first, probability=probability, message=doubt)
        if not first.final_answer:
            return self._ended(first)  # what was near the question still is
        status, ending = outcome.outcome_of(first.final_answer, doubt=doubt)
        return self._ended(replace(first, status=status, outcome=ending))

    def _placed(self, best: JudgedAnswer, found: Sequence[Found], least: float) -> Iterator[Event]:
        """Write a new reply from the passage that holds the answer."""
        assert best.place is not None
        passage = found[best.place].hit.passage
        _, span = place_of(best.answer, [passage])
        assert span is not None
        answer = passage.text[span.start : span.end]
        yield from self._corrected(answer, span, best.place, best.probability, found, least)

    def _corrected(
        self,
        answer: str,
        span: Span | None,
        place: int,
        probability: float | None,
        found: Sequence[Found],
        least: float,
    ) -> Iterator[Event]:
        """Write a new reply from a passage, as if the question were the only step."""
        holder = found[place]
        tree, said = self._run.tree, holder.hit.passage.text[span.start : span.end] if span else ""
        number = max((node.round for node in tree), default=1)
        tree.leave()
        confidence = holder.reading.confidence if holder.reading else 0.0
        reading = Reading(said, span, confidence, probability=probability)
        evidence = Evidence(tuple(one.hit for one in found), holder.hit, reading)
        judgement = Judgement(Verdict.COMPLETED, "second-reading", answer, probability=probability)
        yield from settle_new(tree, self._run.question, number, evidence, judgement)
        for event in self._replier.reply(by_model=False):
            if isinstance(event, RunFinished):
                was = self._first.final_answer
                note = f"the careful model corrected “{was}”" if was else "the careful model found it"
                event = self._rated(event, least)
                event = self._ended(replace(event, message="; ".join(filter(None, (event.message, note)))))
            yield event

    def _stating(self, first: RunFinished) -> tuple[int, ...]:
        """Return the numbers of the sentences that state the short answer and cite a source."""
        cited = ((place, sentence.text) for place, sentence in enumerate(self._sentences) if sentence.marks)
        return tuple(place for place, said in cited if text.contains(first.final_answer, said))

    def _ended(self, end: RunFinished) -> RunFinished:
        """Return ``end`` with all costs of the run."""
        return replace(end, usage=self._run.dialogue.total)
