"""Find out what a question asks for, before a method answers it: small talk, spelling, follow-ups and its kind."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Literal

from searchain.chain.dialogue import BudgetSpent, Dialogue
from searchain.chain.help import Help
from searchain.chain.named import Named, kind_of
from searchain.errors import ModelError
from searchain.events import Event, QuestionRewritten, TaskChosen
from searchain.language import follow_ups, leaning, questions
from searchain.language.of_topic import asks_for_more
from searchain.language.spelling import Speller
from searchain.llm.base import Form
from searchain.question.bare import bare_question
from searchain.question.documents import DocumentQuestion
from searchain.question.head import Head
from searchain.question.talk import Talk, talk_of
from searchain.reading.articles import Found, find_article, is_alike, is_proper
from searchain.retrieval.base import Retriever
from searchain.settings import Settings
from searchain.types import Exchange, Outcome, TaskKind


class Understanding:
    """One question with the conversation before it. ``speller`` corrects its spelling, if given.

    With ``articles`` to search by name, a question may turn out to ask for a list, a comparison or a definition. With
    ``head`` it may turn out not to be a question to a library.
    """

    def __init__(
        self,
        question: str,
        history: Sequence[Exchange],
        settings: Settings,
        dialogue: Dialogue,
        help: Help,
        speller: Speller | None = None,
        articles: Retriever | None = None,
        head: Head | None = None,
    ) -> None:
        self._articles, self._head = articles, head
        self.named: Named | None = None
        """The articles that the question asks to define or compare; set by ``events``."""
        self._question, self._settings = question, settings
        self._is_first = not history
        self._found: dict[str, Found] = {}
        self._history = [said for said in history if said.outcome is not Outcome.NO_SEARCH]
        """Without thanks and greetings, which no follow-up points at."""
        self._dialogue, self._help, self._speller = dialogue, help, speller

    def talk(self, *, has_documents: bool = False) -> Talk | DocumentQuestion | None:
        """Return what was said if it is not a question to the passages; ``None`` for a real question.

        If the user chose a task, it always counts as a real question.

        Args:
            has_documents: whether own documents are searched.

        Raises:
            SetupError: the embedding model is missing or damaged.
        """
        if not self._knows_small_talk or self._settings.task is not None:
            return None
        said = dict.fromkeys((self._question, self._spelt(self._question)))
        found = (talk_of(one, self._head, has_history=not self._is_first, has_documents=has_documents) for one in said)
        talk = next((one for one in found if one is not None), None)
        if isinstance(talk, Talk) and any(said.final_answer for said in self._history) and self._is_about_last():
            return None
        return talk

    def _is_about_last(self) -> bool:
        """Tell whether "how big is it" or "tell me more" asks about the last thing, and not about this program."""
        return leaning.points_at_thing(self._question) or follow_ups.by_rule(self._question, self._history) != ""

    def events(self) -> Generator[Event, None, tuple[str, TaskKind]]:
        """Rewrite the question and choose its kind; return both.

        The spelling is corrected, a greeting is left out, a search phrase becomes a question, and a follow-up is made
        standalone.

        Raises:
            Cancelled: the run was stopped.
            RetrievalError: articles could not be searched by name.
        """
        asked = self._question
        question = yield from self._standalone()
        is_slot = questions.slot_question(asked) is not None
        task = self._settings.task or (TaskKind.SLOTS if is_slot else questions.choose_task(question))
        if self._articles is not None and self._knows_small_talk:
            task, self.named = kind_of(question, self._settings.task, task, self._articles)
        else:
            task = task.base
        yield TaskChosen(task=task, by="user" if self._settings.task else "rule")
        return question, task

    def _standalone(self) -> Generator[Event, None, str]:
        if (slot := questions.slot_question(self._question)) is not None:
            yield QuestionRewritten(standalone=slot, by="rule")
            return slot
        if self._knows_small_talk:
            spelt = self._spelt(self._question)
            whole = bare_question(spelt)
            if self._settings.task is None:
                whole = questions.whole_question(whole)
            if whole != self._question:
                yield QuestionRewritten(standalone=whole, by="rule" if spelt == self._question else "spelling")
                self._question = whole
        if not follow_ups.by_rule(self._question, self._history) and (
            not leaning.leans_on(self._history, self._question) or self._is_other_thing()
        ):
            return self._question
        if self._is_unknown_name() and (aspect := follow_ups.aspect(self._question, self._history)):
            yield QuestionRewritten(standalone=aspect, by="rule")
            return aspect
        written = self._rewritten()
        by: Literal["model", "rule"] = "rule" if written is None else "model"
        standalone = follow_ups.standalone_by_rule(self._question, self._history) if written is None else written
        if standalone != self._question:
            yield QuestionRewritten(standalone=standalone, by=by)
        return standalone

    def _is_other_thing(self) -> bool:
        """Tell whether the question is a bare name, which cannot take the place of a name in the last question.

        After "what is the capital of france" "germany" asks for a capital, and "photosynthesis" for itself.
        """
        if self._articles is None or not leaning.is_fragment_name(self._question):
            return False
        article = self._find(self._question, self._articles).article
        if article is None:
            return False
        names = follow_ups.replaceable(self._history[-1])
        others = [self._find(name, self._articles).article for name in names]
        return not any(other is article or is_alike(article, other) for other in others)

    def _is_unknown_name(self) -> bool:
        """Tell whether a few words name nothing in the articles found: "plot", "cause of death"."""
        rest = leaning.without_continuing(self._question)
        if self._articles is None or not leaning.is_fragment_name(rest):
            return False
        if follow_ups.by_rule(self._question, self._history):
            return False
        found = self._find(rest, self._articles)
        return found.article is None and not any(is_proper(rest, hit.passage) for hit in found.hits)

    def _find(self, name: str, articles: Retriever) -> Found:
        """Return the article of that name, searched once."""
        if name not in self._found:
            self._found[name] = find_article(name, articles)
        return self._found[name]

    def _rewritten(self) -> str | None:
        """Return the follow-up as the model rewrites it; ``None`` if the rule is to rewrite it."""
        if asks_for_more(self._question):
            return None
        if self._help.resolves and (
            leaning.points_back(self._question)
            or follow_ups.by_rule(self._question, self._history)
            or follow_ups.swaps(self._question, self._history)
        ):
            return None  # a small model picks what was named last; the rule picks the subject of the conversation
        try:
            written = self._dialogue.ask(
                self._dialogue.prompts.render(
                    "standalone", history=follow_ups.told(self._history), question=self._question
                ),
                Form.STANDALONE,
                max_tokens=96,
            )
        except (ModelError, BudgetSpent):
            return None  # if the fault lasts, the first round reports it
        written = written.strip().removeprefix("Rewritten:").strip().strip('"')
        is_usable = follow_ups.is_usable_rewrite(
            written, self._question, self._history, in_other_words=not self._help.confines
        )
        return written if is_usable else None

    @property
    def _knows_small_talk(self) -> bool:
        return self._settings.method.knows_small_talk and self._settings.use_ir

    def _spelt(self, question: str) -> str:
        return self._speller.correct(question) if self._speller else question
