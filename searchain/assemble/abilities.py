"""Measure what a model behind an endpoint does well: three short questions with their passages, asked once.

A model that answers from a passage with its key, that asks on where a passage gives only the first step, and that says
when no passage answers, is capable. Any other is small: the embedded model plans for it, and it reads. A model that
fails with a JSON schema is tried without one, and then with a tool that searches. The result is kept for the endpoint,
the model and the wording of the questions.
"""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from searchain.chain.dialogue import grown
from searchain.chain.prompts import render
from searchain.chain.written import Written, read, without_keys
from searchain.files.home import home
from searchain.files.writing import write_whole
from searchain.llm import grammars
from searchain.llm.base import Form, LanguageModel, Retried, tell
from searchain.types import Abilities, Message

TOKENS = 256
_KEYS = ("k271", "k648")
_NONE = "none"  # what is kept of a model that passes the trials in no way


@dataclass(frozen=True, slots=True)
class Trial:
    """One question with its passages. ``passes`` says whether what the model wrote will do."""

    name: str
    passages: str
    question: str
    passes: Callable[[Written], bool]


TRIALS = (
    Trial(
        "cites",
        "[k382] Vellmar: Vellmar is a town on the river Ostra. It was founded in 1312.\n\n"
        "[k915] Tarn Mill: Tarn Mill is a mill near Harlow, built in 1790.",
        "Which river is Vellmar on?",
        lambda written: "ostra" in written.answer.lower() and without_keys(written.content)[1] == ("k382",),
    ),
    Trial(
        "asks on",
        "[k517] The Salt Road: The Salt Road is a novel by Ilse Brandner, published in 1931.\n\n"
        "[k204] Salt: Salt is a mineral.",
        "In which town was the author of The Salt Road born?",
        lambda written: (
            not written.answer
            and any("brandner" in one.step.query.lower() and not one.step.is_solved for one in written.steps)
        ),
    ),
    Trial(
        "admits",
        "[k733] Lake Ohme: Lake Ohme is 14 kilometres long and freezes in winter.\n\n"
        "[k466] Ohme (unit): The ohme was a measure of wine.",
        "How deep is Lake Ohme?",
        lambda written: not written.answer and not any(one.step.is_solved for one in written.steps),
    ),
)


FORMS = {"schema": Form.INFORMED, "tags": None, "tools": Form.SEARCHING}
"""How the trials are asked, in this order: as JSON of a schema, which a server may pass over, as free text, or with a
tool that searches."""


@dataclass(frozen=True, slots=True)
class Tried:
    """What a model does well, and how it is asked."""

    abilities: Abilities
    way: str
    """A name of ``FORMS``: the way in which it passed the trials."""


def abilities_of(model: LanguageModel, name: str) -> Tried:
    """Return what the model does well; ask it only where that is not known yet.

    ``name``: the model with its endpoint, under which the result is kept. Raises ``ModelError`` if the model could not
    be asked.
    """
    known = _known()
    key = f"{name} {_wording()}"
    if key not in known:
        tell(f"what {model.name} does well is not known yet", "tries it with short questions, once")
        known[key] = next((way for way, form in FORMS.items() if _passes_all(model, form)), _NONE)
        _file().parent.mkdir(parents=True, exist_ok=True)
        with write_whole(_file()) as draft:
            draft.write_text(json.dumps(known, indent=1, sort_keys=True), encoding="utf-8")
    return Tried(Abilities.SMALL if known[key] == _NONE else Abilities.CAPABLE, known[key])


def trials_passed(model: LanguageModel, form: Form | None = Form.INFORMED) -> list[str]:
    """Return the names of the trials that the model passes. Raises ``ModelError`` if the model could not be asked."""
    return [trial.name for trial in TRIALS if trial.passes(read(_said(model, trial, form)))]


def _passes_all(model: LanguageModel, form: Form | None) -> bool:
    return all(trial.passes(read(_said(model, trial, form))) for trial in TRIALS)


def _said(model: LanguageModel, trial: Trial, form: Form | None) -> str:
    messages = [
        Message("system", render("informed", example=_KEYS[0], other=_KEYS[1])),
        Message("user", f"{trial.passages}\n\n[Question]: {trial.question}"),
    ]
    said = ""
    for piece in model.stream(messages, form=form, max_tokens=TOKENS):
        said = grown(said, piece)
        if isinstance(piece, Retried):
            tell(piece.what, piece.action)
    return said


def _wording() -> str:
    asked = render("informed", example=_KEYS[0], other=_KEYS[1]) + "".join(trial.passages for trial in TRIALS)
    asked += json.dumps([list(FORMS), grammars.TOOLS[Form.SEARCHING]])
    return hashlib.sha256(asked.encode()).hexdigest()[:8]


def _file() -> Path:
    return home() / "abilities.json"


def _known() -> dict[str, str]:
    try:
        found = json.loads(_file().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    ways = (*FORMS, _NONE)
    return {key: value for key, value in found.items() if value in ways} if isinstance(found, dict) else {}
