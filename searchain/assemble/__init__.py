"""Put SearChain together from the model, retriever and Reader that the operator chose, each loaded once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from searchain.assemble.abilities import abilities_of
from searchain.assemble.parts import (
    OWN,
    Made,
    Planning,
    check_index,
    date_of,
    describe,
    make_large_reader,
    make_review,
    make_stance,
    open_reader,
    open_remote,
    own_documents,
    serve_careful,
    speller_for,
)
from searchain.chain.waiting import in_background
from searchain.embedded import assets
from searchain.embedded.assets import CAREFUL, GET_CAREFUL
from searchain.errors import SetupError, UsageError
from searchain.files.checkout import SET_UP
from searchain.llm.base import tell
from searchain.llm.choose import choose_model, host_elsewhere, names_endpoint
from searchain.llm.embedded import EmbeddedModel
from searchain.llm.served import GgufModel
from searchain.retrieval.corpus import DEFAULT
from searchain.settings import Careful, Settings
from searchain.types import JOINT, Abilities, Passage, Reading, is_own

if TYPE_CHECKING:
    from searchain.check.checker import Checker
    from searchain.documents.parsed import OwnFile
    from searchain.llm.base import LanguageModel
    from searchain.llm.openai import OpenAIModel
    from searchain.pipeline import SearChain
    from searchain.question.head import Head
    from searchain.reading.reader import Reader
    from searchain.reading.similarity import QueryEncoder
    from searchain.reading.thresholds import Thresholds
    from searchain.reply.computed import Sums
    from searchain.reply.dating import Dating
    from searchain.reply.review import Review
    from searchain.retrieval.base import Retriever
    from searchain.retrieval.colbert import ColbertRetriever
    from searchain.verification.probability import Calibrated


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The parts that the operator chose; ``None`` stands for the embedded default."""

    model: str | None = None
    base_url: str | None = None
    gguf: Path | None = None
    """A file with a language model, instead of ``model``."""
    retriever: str | None = None
    """URL of a remote ColBERT server, or ``searxng=URL`` for the web."""
    reader: Path | str | None = None
    """Directory of a DPR reader, or the URL of a server that reads."""
    careful: Careful | None = None
    """``None``: replies of the embedded model are checked if the careful model is installed."""
    timeout: float | None = None
    """Seconds until the first text of a remote model; ``None``: as ``Timeouts`` has it."""
    reasoning_effort: str | None = None
    """How much a remote model is to think, in the words of its server; ``None``: as it does by itself."""
    abilities: Abilities | None = None
    """What a remote model does well; ``None``: as three short questions show at its first use."""
    limits: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """Settings of each run: ``max_seconds``, ``max_tokens``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnParts:
    """Parts that a program brings itself; ``None`` stands for what ``Choice`` names."""

    model: LanguageModel | None = None
    retriever: Retriever | None = None
    reader: Reader | None = None


def open_searchain(
    settings: Settings | None = None,
    *,
    index: str = "default",
    model: LanguageModel | None = None,
    retriever: Retriever | None = None,
    reader: Reader | None = None,
) -> SearChain:
    """Load SearChain with the embedded parts, or with your own in their place.

    With a retriever or a Reader of your own no probability is known, so that no reply is ``supported``. ``index`` is
    searched where no retriever is given.

    Raises:
        SearChainError: a part cannot be loaded, with a message for the user.
    """
    parts = Parts(Choice(), OwnParts(model=model, retriever=retriever, reader=reader))
    return parts.searchain(settings or Settings(), index if retriever is None else OWN)


def open_checker(
    *, index: str = "default", retriever: Retriever | None = None, reader: Reader | None = None
) -> Checker:
    """Load what checks texts against ``index``, or against a retriever of your own.

    Raises:
        SearChainError: a part cannot be loaded, with a message for the user.
    """
    return Parts(Choice(), OwnParts(retriever=retriever, reader=reader)).checker(index if retriever is None else OWN)


class Parts:
    """The parts of one process. Thread-safe; several runs share them. Each run searches an index as it is then."""

    def __init__(
        self,
        choice: Choice,
        own: OwnParts | None = None,
        threshold: Callable[[str], float | None] = lambda index: None,
        files: Callable[[str], Mapping[str, OwnFile]] = lambda index: {},
    ) -> None:
        """``threshold`` returns an index's own threshold of the tick; ``None``: the calibration's counts.

        ``files`` returns the own documents of an index as files, by their ids.
        """
        self._choice, self._own, self._threshold, self._files = choice, own or OwnParts(), threshold, files
        self._made = Made()

    def searchain(self, settings: Settings, index: str, model_name: str | None = None) -> SearChain:
        """Make SearChain over ``index``; load missing parts, and add the Reader's thresholds to ``settings``.

        ``model_name`` is another model than the operator's first, at the same endpoint. Raises ``SearChainError`` if a
        part cannot be loaded, with a message for the user.
        """
        from searchain.pipeline import SearChain
        from searchain.reply.quoting import Quoter
        from searchain.reply.support_check import SupportCheck

        similarity = self.similarity()
        settings = replace(settings, careful=self._careful(settings), **self._choice.limits)
        is_careful = settings.careful == "write"
        if not settings.use_ir:
            model = self._careful_model() if is_careful else self.model(model_name)
            return SearChain(model=model, retriever=None, reader=None, settings=settings, similarity=similarity)
        # the model's server starts while torch is imported
        starting = in_background(self._careful_model if is_careful else partial(self.model, model_name))
        retriever, (reader, thresholds) = self._retriever(index, settings), self._reader()
        model = starting.result()
        model, second = self._roles(model, settings)
        if thresholds is not None:
            settings = settings.with_thresholds(thresholds.theta, thresholds.floor)
        documents = own_documents(self._name(index), retriever)
        stance = self._made.get("stance", partial(make_stance, similarity))
        probability = self._made.get(
            ("probability", index, second is None),
            lambda: self._make_probability(index, similarity, is_planned=second is not None),
        )
        if probability is not None and (threshold := self._threshold(index)) is not None:
            probability = replace(probability, threshold=threshold)
        return SearChain(
            model=model,
            retriever=retriever,
            reader=reader,
            index=self._name(index),
            settings=settings,
            similarity=similarity,
            stance=stance,
            support=self._made.get("support", lambda: SupportCheck(stance, similarity)),
            quoter=self._made.get("quoter", lambda: Quoter(stance, similarity)),
            probability=probability,
            collection=self._made.get(
                ("collection", index), lambda: describe(self._name(index), retriever), stamp=_stamp(retriever)
            ),
            speller=self._made.get(("speller", index), lambda: speller_for(retriever), stamp=_stamp(retriever)),
            review=self._review(second, settings, index),
            documents=documents,
            files=lambda: self._files(index),
            head=self._head(similarity),
            sums=self._sums(documents, similarity),
            dating=self._dating(index, similarity),
        )

    def checker(self, index: str) -> Checker:
        """Make what checks texts against ``index``; no language model is loaded.

        Raises ``SearChainError`` if a part cannot be loaded, with a message for the user.
        """
        from searchain.check.checker import Checker
        from searchain.check.claims import ClaimHead
        from searchain.check.judging import Judge

        similarity = self.similarity()
        reader = self._own.reader or self._made.get("large reader", make_large_reader)
        judge = Judge(similarity, self._made.get("stance", partial(make_stance, similarity)), reader)
        retriever, head = self._retriever(index, Settings()), ClaimHead(similarity)
        return Checker(retriever, judge, head, index=self._name(index), files=lambda: self._files(index))

    def similarity(self) -> QueryEncoder:
        """Return the one encoder of queries, which loads when it is first used."""
        from searchain.reading.similarity import QueryEncoder

        return self._made.get("similarity", QueryEncoder)

    def alike(self, one: str, other: str) -> float:
        """Return the cosine of two questions."""
        return self.similarity()(one, other)

    def elsewhere(self, settings: Settings) -> str | None:
        """Return the host to which a run with ``settings`` sends passages; ``None`` if its model is on this machine.

        Raises ``UsageError`` if the base URL is not a URL.
        """
        choice = self._choice
        is_careful = (settings.careful or choice.careful) == "write"
        if not settings.use_ir or is_careful or self._own.model is not None:
            return None
        return host_elsewhere(choice.model, choice.base_url, gguf=choice.gguf)

    def check(self, settings: Settings, index: str) -> None:
        """Check without loading a library or a model that what ``settings`` and ``index`` name is there.

        Raises ``SearChainError`` if it is not; what shows only when it is loaded is left to ``searchain``.
        """
        self._careful(settings)
        if settings.use_ir and self._own.retriever is None and not self._remote(index):
            check_index(index)
        if self._is_embedded:
            assets.find(assets.SMOLLM2)

    def _careful(self, settings: Settings) -> Careful:
        """Return how a run with ``settings`` uses the careful model, which must be there if it is asked for."""
        wanted = settings.careful or self._choice.careful
        if wanted == "off" or (wanted != "write" and not settings.may_be_reviewed):
            return "off"
        if wanted is None:  # a model that somebody connects may well read better
            return "check" if self._is_embedded and _has_careful() else "off"
        if wanted == "write" and (self._choice.model or self._choice.base_url or self._choice.gguf):
            raise UsageError("--careful write replaces the language model; leave out --model, --base-url and --gguf")
        if CAREFUL.find() is None:
            raise SetupError(f"the careful model is not installed; fetch it with: {GET_CAREFUL}")
        return wanted

    def _careful_model(self) -> GgufModel:
        return self._made.get("careful", serve_careful)

    def _roles(self, model: LanguageModel, settings: Settings) -> tuple[LanguageModel, OpenAIModel | None]:
        """Return who plans, and who reads again: of a small model behind an endpoint the latter is asked."""
        from searchain.llm.openai import OpenAIModel

        is_whole = settings.may_be_reviewed and settings.system == "searchain" and settings.first_call is None
        if not isinstance(model, OpenAIModel) or not is_whole:
            return model, None
        abilities = self._choice.abilities
        if abilities is None:
            tried = self._made.get(("abilities", model.identity), lambda: abilities_of(model, model.identity))
            abilities = tried.abilities
            if tried.way == "tags":
                model.manner = model.manner.without("response_format")
            model.calls_search = tried.way == "tools"
        if abilities == Abilities.CAPABLE:
            return model, None
        planner = self._made.get("planner", EmbeddedModel)
        planner.start()
        return Planning(planner, f"{model.name}, with plans by {planner.name}"), model

    def _review(self, second: OpenAIModel | None, settings: Settings, index: str) -> Review | None:
        """Return the review of replies, by a small remote model or by the careful model; else ``None``."""
        if second is None and settings.careful != "check":
            return None
        is_known, is_default = second is None and self._is_embedded, index == "default"
        reader = second or self._careful_model()
        make = partial(make_review, reader, is_known=is_known, is_default=is_default, is_remote=second is not None)
        return self._made.get(("review", getattr(second, "model", None), is_default), make)

    def _make_probability(self, index: str, similarity: QueryEncoder, *, is_planned: bool = False) -> Calibrated | None:
        """Return the calibration for these parts; ``None`` with a remote part or a Reader without a calibration."""
        from searchain.verification.probability import probability_for, read_probability

        if self._remote(index) or self._own.retriever is not None or self._own.reader is not None:
            return None
        if isinstance(self._choice.reader, str):
            return None
        steps = self._head(similarity).expected_steps
        if self._choice.reader is not None:
            return read_probability(self._choice.reader, similarity, steps=steps)

        def read_again(query: str, passages: Sequence[Passage]) -> list[Reading]:
            return self._made.get("large reader", make_large_reader).read(query, passages)

        is_measured = self._is_embedded or is_planned
        found = probability_for(index, similarity, read_again, steps=steps, is_measured_model=is_measured)
        if found is not None and found.second is not None:
            self._made.get("large reader", make_large_reader)  # else the first question would wait for it
        return found

    def _head(self, similarity: QueryEncoder) -> Head:
        from searchain.question.head import Head

        return self._made.get("head", lambda: Head(similarity))

    def _dating(self, index: str, similarity: QueryEncoder) -> Dating:
        from searchain.question.worded import NOW, WordedHead
        from searchain.reply.dating import Dating

        head = self._made.get("now", lambda: WordedHead(similarity, NOW))
        is_foreign = self._own.retriever is not None or self._remote(index)
        return Dating(head, lambda: self._files(index), None if is_foreign else date_of(index))

    def _sums(self, documents: ColbertRetriever | None, similarity: QueryEncoder) -> Sums | None:
        from searchain.question.sums import SumHead
        from searchain.reply.computed import Sums

        if documents is None:
            return None
        return Sums(self._made.get("sums", lambda: SumHead(similarity)), documents, similarity)

    @property
    def _is_embedded(self) -> bool:
        """Whether the language model is the embedded one, with which probabilities were measured."""
        choice = self._choice
        is_named = names_endpoint(choice.model, choice.base_url) or choice.gguf or self._own.model is not None
        return not is_named and choice.careful != "write"

    def model(self, name: str | None = None) -> LanguageModel:
        if self._own.model is not None:
            return self._own.model
        return self._made.get(("model", name), lambda: self._make_model(name or self._choice.model))

    def _make_model(self, name: str | None) -> LanguageModel:
        choice = self._choice
        model = choose_model(
            name, choice.base_url, gguf=choice.gguf, timeout=choice.timeout, reasoning_effort=choice.reasoning_effort
        )
        if isinstance(model, EmbeddedModel | GgufModel):
            model.start()
        return model

    def _retriever(self, index: str, settings: Settings) -> Retriever:
        if self._own.retriever is not None:
            return self._own.retriever
        if url := self._remote(index):
            return self._made.get("remote", lambda: open_remote(url))
        from searchain.retrieval.live import Shelf

        found = self._made.get("shelf", Shelf).searching(
            index, settings.search or ("meaning" if settings.follows_paper else None)
        )
        if DEFAULT in found.by_words:
            self._made.get("by words", _tell_of_words)
        return found

    def _reader(self) -> tuple[Reader, Thresholds | None]:
        """Load the Reader with its thresholds; those of a program's own Reader are unknown."""
        if self._own.reader is not None:
            return self._own.reader, None
        return self._made.get("reader", lambda: open_reader(self._choice.reader))

    def _name(self, index: str) -> str:
        return self._remote(index) or index

    def _remote(self, index: str) -> str | None:
        """Return the retriever to search instead of ``index``, if any; own documents are always searched here."""
        return None if any(map(is_own, index.split(JOINT))) else self._choice.retriever


def _has_careful() -> bool:
    try:
        return CAREFUL.find() is not None
    except SetupError:  # it is damaged, and nobody asked for it
        return False


def _tell_of_words() -> None:
    tell(f"the index of the encyclopedia is not built yet ({SET_UP} builds it)", "searches it by words")


def _stamp(retriever: Retriever) -> Hashable:
    """Return a stamp that changes when documents are added to the indexes of ``retriever`` or removed."""
    return tuple(getattr(retriever, "generations", {}).items())
