"""Find out what a question asks for, before a method answers it: small talk, spelling, follow-ups and its kind."""

from collections.abc import Collection, Generator, Iterator, Sequence
from dataclasses import replace
from typing import Literal

from searchain.chain.dialogue import BudgetSpent, Dialogue
from searchain.chain.joined import JOINED
from searchain.chain.named import Named, kind_of
from searchain.chain.prompts import told
from searchain.errors import ModelError
from searchain.events import Event, QuestionRewritten, TaskChosen
from searchain.language import questions
from searchain.language.languages import ENGLISH, language_of
from searchain.language.spelling import Speller
from searchain.language.text import QUESTION_WORDS, content_words, is_comparison
from searchain.llm.base import Form
from searchain.question.document_head import About, DocumentQuestion
from searchain.question.follow_ups import BY_WORDS, Resolver, led_by
from searchain.question.head import Head
from searchain.question.talk import Talk, talk_of
from searchain.question.wording import is_usable_rewrite, points_back, unled
from searchain.retrieval.base import Retriever
from searchain.settings import Settings, Strategy
from searchain.types import Exchange, Outcome, TaskKind

_SHORT = (TaskKind.MULTIHOP, TaskKind.YESNO)  # the kinds of question that have a short answer
MORE_ABOUT = ("tell me more about ", "more about ", "tell me something more about ")
LONGEST_NAME = 6
"""Most words of an input that only names what is meant."""


class Understanding:
    """One question with the conversation before it. ``speller`` corrects its spelling, if given.

    ``articles`` is searched by name, to recognise a question for a list, a comparison or a definition. ``head``
    recognises texts that need no search, ``resolver`` completes follow-ups. ``may_part``: the run can ask for each of
    several things.
    """

    def __init__(
        self,
        question: str,
        history: Sequence[Exchange],
        settings: Settings,
        dialogue: Dialogue,
        strategy: Strategy,
        speller: Speller | None = None,
        articles: Retriever | None = None,
        head: Head | None = None,
        resolver: Resolver = BY_WORDS,
        may_part: bool = True,
    ) -> None:
        self._articles, self._head, self._resolver, self._may_part = articles, head, resolver, may_part
        self.named: Named | None = None
        """The articles that the question asks to define or compare; set by ``events``."""
        self.before = ""
        """The questions that this one refers to, where it could not be made standalone; set by ``events``."""
        self.parts: tuple[str, ...] = ()
        """The things that the question asks for, where they are several with short answers; set by ``events``."""
        self.point = ""
        """What documents are asked to agree about, as a question; set by ``talk``."""
        self._question, self._settings = question, settings
        self._is_first = not history
        searched = [said for said in history if said.outcome is not Outcome.NO_SEARCH]
        self._history = [one for said in searched for one in _each(said, head)]
        """The earlier exchanges without small talk, to which no follow-up refers; one for each thing that was asked."""
        self._dialogue, self._strategy, self._speller = dialogue, strategy, speller

    def talk(self, *, has_documents: bool = False, languages: Collection[str] = ()) -> Talk | DocumentQuestion | None:
        """Recognise small talk and questions about the documents; ``None`` for a question that needs a search.

        If the user chose a task, it always counts as a real question.

        Args:
            has_documents: whether own documents are searched.
            languages: those of the searched passages: a question in one of them is looked up.

        Raises:
            SetupError: the embedding model is missing or damaged.
        """
        if not self._knows_small_talk or self._settings.task is not None:
            return None
        if (language := language_of(self._question, languages)) != ENGLISH and language in languages:
            self._speller = None  # it knows English words
            return None
        said = dict.fromkeys((self._question, self._spelt(self._question)))
        found = (talk_of(one, self._head, has_history=not self._is_first, has_documents=has_documents) for one in said)
        talk = next((one for one in found if one is not None), None)
        if isinstance(talk, DocumentQuestion):
            if talk.kind is About.AGREE and self._strategy.helps:
                asks = talk.words.split(maxsplit=1)[0].casefold() in QUESTION_WORDS
                self.point = f"{talk.words if asks else f'What is {talk.words}'}?"
            return self._naming(talk)
        if isinstance(talk, Talk) and not talk.is_surely_talk and self._is_about_last():
            return None
        return talk

    def _naming(self, asked: DocumentQuestion) -> DocumentQuestion:
        """Return the question with the documents that the conversation named last, if it names none itself."""
        if self._head is None or any(map(content_words, asked.documents)):
            return asked
        before = (self._head.documents_in(said.question) for said in reversed(self._history))
        return replace(asked, documents=next(filter(None, before), asked.documents))

    def _is_about_last(self) -> bool:
        """Tell whether "how big is it" or "tell me more" asks about the last thing, and not about this program."""
        was_answered = any(said.final_answer for said in self._history)
        return was_answered and self._resolver.standalone(self._question, self._history) != unled(self._question)

    def events(self) -> Generator[Event, None, tuple[str, TaskKind]]:
        """Rewrite the question and choose its kind; return both.

        The spelling is corrected, a greeting is left out, and a follow-up is made standalone.

        Raises:
            Cancelled: the run was stopped.
            RetrievalError: articles could not be searched by name.
            SetupError: the embedding model is missing or damaged.
        """
        question = yield from self._standalone()
        chosen = self._settings.task
        if chosen in (None, TaskKind.MULTIHOP) and not self.point:
            self.parts = self._several(question)
        task = chosen or (TaskKind.MULTIHOP if self.point or self.parts else self._kind(question))
        if self._articles is not None and self._knows_small_talk and not (self.point or self.parts):
            task, self.named = kind_of(question, self._settings.task, task, self._articles)
        else:
            task = task.base
        yield TaskChosen(task=task, by="user" if self._settings.task else "rule")
        return question, task

    def _several(self, question: str) -> tuple[str, ...]:
        """Return the things with short answers that an English question asks for, where they are several.

        There are none where the run does not ask for each of them.
        """
        if self._head is None or not (self._knows_small_talk and self._may_part) or language_of(question) != ENGLISH:
            return ()
        parts = self._head.parts(question)
        are_short = all(questions.choose_task(one) in _SHORT and not is_comparison(one) for one in parts)
        return parts if are_short else ()

    def _kind(self, question: str) -> TaskKind:
        kind = questions.choose_task(question)
        if kind is not TaskKind.MULTIHOP or self._head is None or not self._knows_small_talk:
            return kind
        return TaskKind.YESNO if self._head.asks_yes_no(question) else kind

    def _standalone(self) -> Generator[Event, None, str]:
        if self.point:
            yield QuestionRewritten(standalone=self.point, by="rule")
            return self.point
        if self._knows_small_talk:
            yield from self._bare()
        if self._names_meaning():
            standalone = f"{self._history[-1].question.rstrip(' ?.!')} ({self._question.strip(' ?.!')})?"
            yield QuestionRewritten(standalone=standalone, by="rule")
            return standalone
        if not self._history:
            return self._question
        standalone, leans = self._resolver.standalone(self._question, self._history), self._resolver.leans
        by: Literal["model", "rule"] = "rule"
        is_plain = standalone.casefold().startswith(MORE_ABOUT)  # a model could add nothing
        if not (self._strategy.resolves or is_plain) and leans(self._question, self._history):
            written = self._rewritten()
            standalone, by = (written, "model") if written else (standalone, "rule")
        if standalone != self._question:
            yield QuestionRewritten(standalone=standalone, by=by)
        is_completed = standalone != unled(self._question)
        refers = points_back(standalone) if is_completed else leans(standalone, self._history)
        if self._knows_small_talk and refers:
            self.before = led_by(self._history, leans)
        return standalone

    def _bare(self) -> Iterator[Event]:
        """Mend the spelling of the question, and leave out the polite words around it."""
        spelt = self._spelt(self._question)
        whole = self._resolver.bare(spelt) if language_of(spelt) == ENGLISH else spelt
        if whole != self._question:
            yield QuestionRewritten(standalone=whole, by="rule" if spelt == self._question else "spelling")
            self._question = whole

    def _names_meaning(self) -> bool:
        """Tell whether the input only names what is meant, where the last reply asked for that."""
        words = self._question.casefold().split()
        was_asked = bool(self._history) and self._history[-1].outcome is Outcome.ASKS
        return was_asked and len(words) <= LONGEST_NAME and QUESTION_WORDS.isdisjoint(words)

    def _rewritten(self) -> str:
        """Return the follow-up as rewritten by the model; ``""`` if the model failed or changed its meaning."""
        prompt = self._dialogue.prompts.render("standalone", history=told(self._history), question=self._question)
        try:
            written = self._dialogue.ask(prompt, Form.STANDALONE, max_tokens=96)
        except (ModelError, BudgetSpent):
            written = ""  # if the fault lasts, the first round reports it
        written = written.strip().removeprefix("Rewritten:").strip().strip('"')
        return written if is_usable_rewrite(written, self._question, self._history) else ""

    @property
    def _knows_small_talk(self) -> bool:
        return not self._settings.follows_paper and self._settings.use_ir

    def _spelt(self, question: str) -> str:
        return self._speller.correct(question) if self._speller else question


def _each(said: Exchange, head: Head | None) -> list[Exchange]:
    """Return an exchange for each of several things that were asked and answered together."""
    answers = said.final_answer.split(JOINED)
    parts = head.parts(said.question) if head is not None and len(answers) > 1 else ()
    if len(parts) != len(answers):
        return [replace(said, final_answer="") if parts else said]
    pairs = zip(parts, answers, strict=True)
    return [replace(said, question=part, final_answer=answer) for part, answer in pairs]
