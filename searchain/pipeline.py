"""One run of SearChain, from its question to its reply, as events.

``SearChain.stream`` is Algorithm 1 of the paper; its loop over rounds is ``chain.rounds``. In the ``paper`` profile the
model writes the whole chain before its queries are looked up. In the default profile each query is looked up as soon as
its line is complete, and generation is cut at the first node that needs feedback.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from searchain.cancel import CancelToken
from searchain.chain.context import RunContext
from searchain.chain.dialogue import Dialogue
from searchain.chain.memory import give_back
from searchain.chain.throttle import join_deltas
from searchain.chain.tree import Tree
from searchain.chain.understanding import Understanding
from searchain.documents.parsed import OwnFile
from searchain.errors import Cancelled, SearChainError
from searchain.events import Event, RunFinished, RunStarted
from searchain.language.same_query import Similarity
from searchain.language.spelling import Speller
from searchain.llm.base import LanguageModel
from searchain.question.document_head import About, DocumentQuestion
from searchain.question.follow_ups import BY_WORDS, Resolver
from searchain.question.head import Head
from searchain.question.talk import Talk
from searchain.reading.lookup import Lookups
from searchain.reading.reader import Reader
from searchain.reading.stance import Stance
from searchain.reply import explanation
from searchain.reply.about_documents import about_documents
from searchain.reply.computed import Sums, computed_reply
from searchain.reply.dating import Dating
from searchain.reply.informed_reply import informed_reply
from searchain.reply.named_reply import named_reply
from searchain.reply.no_search import Collection, no_search
from searchain.reply.quoting import Quoter
from searchain.reply.reasoned_reply import agreement_reply, reasoned_reply
from searchain.reply.review import Review
from searchain.reply.support_check import SentenceCheck
from searchain.reply.writer import Replier
from searchain.retrieval.base import Retriever
from searchain.settings import Settings
from searchain.types import Exchange, Message, Passage, Status, TaskKind, Usage
from searchain.verification.probability import Probability

log = logging.getLogger(__name__)
Opening = Callable[[TaskKind], Sequence[Message]]
"""Task kind → the messages that open the dialogue instead of the prompt for that kind."""


class SearChain:
    """Answers questions with ``model`` over ``retriever`` and ``reader``. One instance serves many runs, also at once.

    Args:
        retriever, reader: may be ``None`` only when ``settings.use_ir`` is off.
        index: the name of the index that the retriever searches; stored with the run.
        similarity: returns the cosine of two queries, to find duplicates; without it their words are compared.
        stance: says whether a passage supports or refutes a statement, for yes/no questions and claims; without it
            none of these is decided.
        support: checks whether the cited passages support a sentence of the reply.
        probability: estimates how likely an answer is right; without it no reply is ``supported``.
        collection: describes what the retriever searches, for replies to small talk.
        speller: corrects the spelling of questions; without it they are looked up as typed.
        review: has replies read by a second model; without it the first reply is final.
        documents: the passages of the user's own documents, to answer questions about the documents as wholes.
        files: returns the files of these documents by their ids.
        head: finds what is not a question to a library, and says how many look-ups a question needs; without it only a
            few utterances are known, and every question is planned.
        sums: computes over the user's own documents what a question asks for.
        dating: dates replies to questions for what holds now; without it no reply has a date.
    """

    def __init__(
        self,
        *,
        model: LanguageModel,
        retriever: Retriever | None,
        reader: Reader | None,
        settings: Settings,
        index: str = "",
        similarity: Similarity | None = None,
        stance: Stance | None = None,
        support: SentenceCheck | None = None,
        quoter: Quoter | None = None,
        probability: Probability | None = None,
        collection: Collection | None = None,
        speller: Speller | None = None,
        review: Review | None = None,
        documents: Iterable[Passage] | None = None,
        files: Callable[[], Mapping[str, OwnFile]] = dict,
        head: Head | None = None,
        sums: Sums | None = None,
        dating: Dating | None = None,
    ) -> None:
        if settings.use_ir and (retriever is None or reader is None):
            raise ValueError("a run with retrieval needs a retriever and a reader")
        self.model, self.retriever, self.reader = model, retriever, reader
        # without a Reader's own thresholds: a logit of 0 is an even chance
        self.settings = settings.with_thresholds(0.0, 0.0)
        self.index, self.similarity, self.stance = index, similarity, stance
        self.support, self.quoter = support, quoter
        self.probability, self.review = probability, review
        self.collection, self.speller, self.documents = collection or Collection(index), speller, documents
        self.head, self.sums, self.files, self.dating = head, sums, files, dating
        self.resolver: Resolver = head or BY_WORDS
        self.opening: Opening | None = None

    def stream(
        self, question: str, *, history: Sequence[Exchange] = (), cancel: CancelToken | None = None
    ) -> Iterator[Event]:
        """Answer ``question`` and yield the run's events; the last one is ``RunFinished``.

        An error ends the run as ``failed``. If steps were settled before, the run ends with a reply from those steps.
        Setting ``cancel`` ends it as ``stopped``.
        """
        return join_deltas(_Run(self, question, history, cancel or CancelToken()).events())

    def at_once(
        self,
        question: str,
        history: Sequence[Exchange],
        understanding: Understanding,
        usage: Usage,
        *,
        is_asked: bool = False,
    ) -> Iterator[Event] | None:
        """Return the events of a reply without the model: to small talk, or to a question about the documents.

        The events go from the task to ``RunFinished``. ``None``: the question is for the passages. ``is_asked``: small
        talk is left to the model.
        """
        talk = understanding.talk(has_documents=self.documents is not None, languages=self.collection.languages)
        if isinstance(talk, DocumentQuestion) and talk.kind is not About.AGREE:
            encoder = self.head.encoder if self.head else None
            return about_documents(question, talk, self.documents or (), self.files(), encoder, self.reader, usage)
        if not isinstance(talk, Talk) or is_asked:
            return None
        return no_search(talk, self.collection, usage, question, history)


class _Run:
    """One run, from its question to ``RunFinished``, also when it fails or is stopped."""

    def __init__(self, chain: SearChain, question: str, history: Sequence[Exchange], cancel: CancelToken) -> None:
        self.chain, self.settings, self.cancel = chain, chain.settings, cancel
        self.question, self.history = question, history
        self.tree, self.dialogue = Tree(), Dialogue(chain.model, self.settings, cancel)
        self.pool = ThreadPoolExecutor(max_workers=2, thread_name_prefix="searchain-lookup")
        self.strategy = self.settings.strategy_for(chain.model.abilities)
        self.is_informed = chain.opening is None and self.settings.shows_passages_first(chain.model.abilities)
        self.replier: Replier | None = None

    def events(self) -> Iterator[Event]:
        yield RunStarted(
            question=self.question,
            model=self.chain.model.name,
            index=self.chain.index,
            profile=self.settings.profile,
            system=self.settings.system,
            settings=self.settings.as_dict(),
            generations=getattr(self.chain.retriever, "generations", {}),
        )
        try:
            # an ablation, and a method with its own prompts, always plan a chain
            is_whole = self.settings.use_completion and self.settings.use_verification and self.chain.opening is None
            understanding = Understanding(
                self.question,
                self.history,
                self.settings,
                self.dialogue,
                self.strategy,
                self.chain.speller,
                self.chain.retriever if is_whole and not self.is_informed else None,
                self.chain.head,
                self.chain.resolver,
                may_part=is_whole and (self.strategy.helps or self.is_informed),
            )
            reply = self.chain.at_once(
                self.question, self.history, understanding, self.dialogue.total, is_asked=self.is_informed
            )
            if reply is not None:
                yield from reply
                return
            question, task = yield from understanding.events()
            yield from self._dated(question, task, understanding, may_compute=is_whole)
        except Cancelled:
            yield self._finished(Status.STOPPED, "stopped; what was found so far is kept")
        except SearChainError as error:
            yield self._finished(Status.FAILED, str(error))
        except Exception as error:  # here, where it is known what the run has used
            log.exception("a run failed")
            yield self._finished(Status.FAILED, f"unexpected {type(error).__name__}: {error}; ask again")
        finally:
            self.pool.shutdown(wait=False, cancel_futures=True)
            give_back()

    def _dated(
        self, question: str, task: TaskKind, understanding: Understanding, *, may_compute: bool
    ) -> Iterator[Event]:
        """Return the events of the reply, which may be a sum, with the date of what it cites."""
        sums = self.chain.sums if may_compute and self.strategy.helps and self.settings.task is None else None
        result = sums.result(question) if sums is not None and not understanding.parts else None
        events = self._reply(question, task, understanding)
        if result is not None:
            events = computed_reply(self._run_context(question, task), result)
        dating = None if self.settings.follows_paper else self.chain.dating
        return dating.events(question, events) if dating is not None else events

    def _reply(self, question: str, task: TaskKind, understanding: Understanding) -> Iterator[Event]:
        """Yield the events of the reply to a question that has been understood."""
        context = self._context(question, task.base, understanding)
        if understanding.named is not None:
            context = self._run_context(question, task)
        self.replier = replier = Replier(context, self.chain.support, self.chain.quoter)
        if understanding.named is not None:
            yield from self._reviewed(context, named_reply(context, replier, understanding.named))
        elif understanding.point:
            yield from agreement_reply(context, replier)
        elif self.is_informed:
            yield from informed_reply(context, replier, self.history)
        else:
            events = reasoned_reply(context, replier, wants_list=task is TaskKind.LIST)
            yield from self._reviewed(context, events)

    def _reviewed(self, context: RunContext, events: Iterator[Event]) -> Iterator[Event]:
        """Return the ``events`` of a reply, with its review where there is to be one."""
        review = self.chain.review if self.settings.may_be_reviewed else None
        return review.events(context, self.replier, events) if review and self.replier else events

    def _run_context(self, question: str, task: TaskKind) -> RunContext:
        chain, settings = self.chain, self.settings
        return RunContext(
            question=question,
            task=task,
            settings=settings,
            tree=self.tree,
            dialogue=self.dialogue,
            strategy=self.strategy,
            cancel=self.cancel,
            similarity=chain.similarity,
            resolver=chain.resolver,
            probability=chain.probability if settings.strategy.rates else None,
            opening=tuple(chain.opening(task.base)) if chain.opening else (),
        )

    def _context(self, question: str, task: TaskKind, understanding: Understanding) -> RunContext:
        """Return the run's context with the look-ups of its queries, where it retrieves."""
        chain, settings = self.chain, self.settings
        before, parts = understanding.before, understanding.parts
        context = replace(self._run_context(question, task), before=before, parts=parts)
        if not settings.use_ir or chain.retriever is None or chain.reader is None:
            return context
        k = settings.passages * explanation.DEPTH if context.explains else settings.passages
        rate = context.probability.rated if context.probability else None
        reads_kinds = settings.strategy.reads_kinds
        lookups = Lookups(
            chain.retriever,
            chain.reader if reads_kinds else getattr(chain.reader, "plain", chain.reader),
            self.pool,
            k=k,
            task=task,
            stance=chain.stance,
            rate=rate,
            reads_kinds=reads_kinds,
            before=before,
            question=question,
        )
        is_whole = settings.use_completion and settings.use_verification  # an ablation always plans a chain
        is_direct = (
            settings.strategy.looks_up_question and rate is not None and is_whole and task is not TaskKind.LONGFORM
        ) and not parts
        direct = lookups.start(question) if is_direct or self.is_informed else None
        expected = chain.head.expected_steps(question) if chain.head else 1.0
        return replace(context, lookups=lookups, direct=direct, expected=expected)

    def _finished(self, status: Status, message: str) -> RunFinished:
        return RunFinished(
            status=status,
            final_answer="",
            invented_markers=self.replier.invented if self.replier else 0,
            usage=self.dialogue.total,
            message=message,
        )
