"""Six checks of a remote language model, with short requests, for ``doctor``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from searchain.assemble.abilities import FORMS, TRIALS, trials_passed
from searchain.chain.parser import parse_chain
from searchain.chain.prompts import render
from searchain.errors import SearChainError, SetupError
from searchain.llm.base import Cut, CutReason, Piece, Thought
from searchain.llm.choose import choose_model
from searchain.llm.embedded import EmbeddedModel
from searchain.types import Message

if TYPE_CHECKING:
    from searchain.llm.openai import OpenAIModel

_WORD = "Write the one word yes, and nothing else."
_LONG = "Count from 1 to 200 in words, separated by commas."
_FEW, _SOME, _PLAN = 8, 300, 400
"""Limits in tokens: too few to count to 200, enough for one word with thoughts, and enough for a short plan."""
_STEPS = 2
_QUESTION = "On which Japanese island is the city where Nintendo has its headquarters?"


def is_of_a_cluster(model: str | None, base_url: str | None) -> bool:
    """Whether the endpoint is that of ``serve --ray``, which offers the embedded model; one that fails is not."""
    try:
        return isinstance(choose_model(model, base_url), EmbeddedModel)
    except SearChainError:
        return False


@dataclass(frozen=True, slots=True)
class _Heard:
    pieces: list[Piece]

    @property
    def text(self) -> str:
        return "".join(piece for piece in self.pieces if isinstance(piece, str))

    @property
    def texts(self) -> int:
        """The number of pieces of text."""
        return sum(isinstance(piece, str) for piece in self.pieces)

    @property
    def thoughts(self) -> int:
        """The number of characters of thoughts."""
        return sum(len(piece.text) for piece in self.pieces if isinstance(piece, Thought))

    @property
    def cut(self) -> Cut | None:
        return next((piece for piece in self.pieces if isinstance(piece, Cut)), None)


class RemoteModel:
    """The checks of one endpoint. A request is sent when a check first needs it; all checks raise ``ModelError``."""

    def __init__(self, model: str | None, base_url: str | None) -> None:
        self._model, self._base_url = model, base_url

    def streams(self) -> str:
        """Check whether text arrives while it is being written."""
        heard = self._word
        if not heard.text.strip():
            raise SetupError(f"{self._chosen.name} wrote nothing ({heard.cut or 'no text'}); choose another model")
        thinks = f", after {heard.thoughts} characters of thoughts" if heard.thoughts else ""
        counted = self._counting
        if counted.texts > 1:
            return f"{self._chosen.name} streams its text{thinks}"
        return f"{self._chosen.name} sends its text at once{thinks}: searches begin only when it has written all of it"

    def keeps_the_format(self) -> str:
        """Check whether the model writes a chain of queries that can be parsed."""
        heard = self._ask(f"[Question]: {_QUESTION}", _PLAN, system=render("multihop"))
        steps = parse_chain(heard.text)
        if not steps:
            raise SetupError(
                f"no step could be read in {' '.join(heard.text.split())[:80]!r}: questions are looked up as they "
                "stand; choose a model that follows instructions"
            )
        few = "" if len(steps) >= _STEPS else ", where two are needed: expect weaker plans"
        return f"{len(steps)} step{'s' if len(steps) > 1 else ''} could be read{few}"

    def stops(self) -> str:
        """Check whether the model stops by itself."""
        if self._word.cut is not None:
            raise SetupError(
                f"asked for one word, the model {self._word.cut}; replies are cut, so choose another model"
            )
        words = len(self._word.text.split())
        return f"ended by itself after {words} word{'' if words == 1 else 's'}, where one was asked for"

    def keeps_to_its_limit(self) -> str:
        """Check whether the limit of tokens holds, and whether the server reports it."""
        heard = self._counting
        if not self._chosen.manner.has_limit:
            return "the limit of tokens counts thoughts: it is not sent to this model any more"
        if heard.cut is not None and heard.cut.reason is CutReason.LENGTH:
            return f"ends at {_FEW} tokens and says so: cut replies are known"
        if len(heard.text.split()) > 4 * _FEW:
            return "takes no limit of tokens: long replies end at the budget of the run"
        return "ends at its limit without saying so: a cut reply may be taken for a whole one"

    def counts(self) -> str:
        """Check whether the server counts tokens, and name the parameters that it does not accept."""
        assert self._word is not None  # one request tells it
        counted = "tells its tokens" if self._chosen.counts_tokens else "tells no tokens, so they are estimated"
        left_out = sorted(self._chosen.manner.left_out)
        without = f"; it takes no {', '.join(left_out)}, which {'is' if len(left_out) == 1 else 'are'} left out"
        return counted + (without if left_out else "")

    def is_able(self) -> str:
        """Check whether the model reads passages, plans and writes, or only reads."""
        passed = max((trials_passed(self._chosen, form) for form in FORMS.values()), key=len)
        failed = [trial.name for trial in TRIALS if trial.name not in passed]
        if failed:
            return f"small ({', '.join(failed)}: not as wanted): it reads answers, and the embedded model plans"
        return f"capable ({', '.join(passed)}): it plans and writes"

    @cached_property
    def _chosen(self) -> OpenAIModel:
        from searchain.llm.openai import OpenAIModel

        chosen = choose_model(self._model, self._base_url)
        assert isinstance(chosen, OpenAIModel)
        return chosen

    @cached_property
    def _word(self) -> _Heard:
        return self._ask(_WORD, _SOME)

    @cached_property
    def _counting(self) -> _Heard:
        return self._ask(_LONG, _FEW)

    def _ask(self, text: str, max_tokens: int, system: str = "") -> _Heard:
        messages = [*([Message("system", system)] if system else []), Message("user", text)]
        return _Heard(list(self._chosen.stream(messages, max_tokens=max_tokens)))
