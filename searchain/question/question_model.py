"""Read a question: what is asked amid polite words, what it leaves to the conversation, how many look-ups it needs.

One trained model does all three: MiniLM with low-rank deltas, which reads ``[CLS] question [SEP] last question [SEP]
its answer [SEP] …``, the latest first. Its first state says whether and how the question is edited to stand alone, and
how many look-ups it needs. The states of the words say which of them are exchanged, and for which, and where in "hi,
could you tell me who wrote Emma?" the question begins and ends. ``lab.training.question_model`` trains it. A question
without a likely edit stays as it is, because a wrong name is worse than no name.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from searchain.embedded.assets import merged, read_adapter
from searchain.embedded.minilm import CLS, SEP, base_state, minilm, minilm_tokenizer
from searchain.files.weights import read_weights
from searchain.language.text import content_words, opens_with_auxiliary
from searchain.question.edits import JOINTS, Edit, Place, texts_of, words_of
from searchain.question.wording import names_nothing, points_back, unled
from searchain.types import Exchange, Span

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from torch import Tensor

    from searchain.embedded.text_encoder import TextEncoder

WEIGHTS = Path(__file__).parent.parent / "weights" / "question_model"
"""The folder of the committed deltas: ``adapter.safetensors``, ``training.json``."""
HEADS = "heads."
PLACES = (None, *Place)
"""What the first state tells, in order; ``None``: the question stands alone. ``JOINTS`` and ``STEPS`` follow."""
STEPS = ("1", "2", "3")
"""Numbers of look-ups; "3" means three or more."""
ENDS = 10
"""What the state of a word tells: whether what is exchanged begins and ends there, and whether what takes its place
does; four for the question as the text that is edited, four for the last question. The last two: whether what is asked
begins and ends there."""
ASKED = 8
"""The kind of ``ENDS`` with which what is asked begins."""
SOURCE = 2
"""The kind of ``ENDS`` with which words of the conversation begin that take another's place."""
MOST_TOKENS = 64
"""Most tokens of each text that are read."""
LONGEST = 12
"""Most words of a stretch."""
LIKELY = 0.55
"""Least probability of the first edit."""
ALONE = 0.3
"""A question that stands alone with this probability is not edited."""
SURE = 0.7
"""Least probability of a second edit, and of a question that surely stands alone."""
BARE = 0.9
"""Least probability of the words that are asked, where others stand around them."""
AROUND = "around.json"
"""The file of the words around questions that were learnt; other words are never left out."""
MOST_EDITS = 2
KEPT = 64
"""How many questions without a conversation are remembered: each is read for its steps several times in a run."""


class Word(NamedTuple):
    """A word that the model reads."""

    text: int
    """The number of its text in ``texts_of``."""
    span: Span
    first: int
    """Its first token in the input."""
    last: int


@dataclass(frozen=True, slots=True)
class Row:
    """One input of the model: the texts, their tokens and their words."""

    texts: tuple[str, ...]
    ids: tuple[int, ...]
    words: tuple[Word, ...]


class QuestionModel:
    """Reads questions by the trained model. Thread-safe; the model loads at first use.

    Raises (at first use):
        SetupError: the deltas or the base weights are missing or damaged.
    """

    def __init__(self, directory: Path = WEIGHTS) -> None:
        self._directory, self._lock = directory, threading.Lock()
        self._loaded: tuple[Tokenizer, TextEncoder, dict[str, Tensor]] | None = None
        self._alone = lru_cache(KEPT)(lambda question: self._read(question, ()))

    def load(self) -> tuple[Tokenizer, TextEncoder, dict[str, Tensor]]:
        """Return tokenizer, encoder and the layers on its states; load them once."""
        with self._lock:
            if self._loaded is None:
                weights = merged(base_state(), read_adapter(self._directory / "adapter.safetensors"))
                heads = {name: weights.pop(name) for name in list(weights) if name.startswith(HEADS)}
                self._loaded = minilm_tokenizer(), minilm(weights), heads
            return self._loaded

    def standalone(self, question: str, history: Sequence[Exchange]) -> str:
        """Complete a follow-up from the conversation; if it is unclear how, return the question unchanged."""
        whole, least = question, LIKELY
        for _ in range(MOST_EDITS):
            edit, likely, alone = self.read(whole, history)
            if edit is None or likely < least or alone >= ALONE:
                break
            whole, least = edit.applied(whole, history), SURE
            if edit.place.is_of_last:
                break
        return unled(whole)

    def leans(self, question: str, history: Sequence[Exchange]) -> bool:
        """Tell whether a question may need the conversation: by its words, or as it does not surely stand alone."""
        return bool(history) and (points_back(question) or self.read(question, history)[2] < SURE)

    def bare(self, question: str) -> str:
        """Return the question without the polite words around it; one that is too long to be read stays as it is."""
        row, _, ends = self._alone(question)
        if not row.words or row.words[-1].span.end < len(question.rstrip()):
            return question
        begins = ends[[word.first for word in row.words], ASKED].softmax(0)
        stops = ends[[word.last for word in row.words], ASKED + 1].softmax(0)
        first, last = int(begins.argmax()), int(stops.argmax())
        if first > last or float(begins[first] * stops[last]) < BARE:
            return question
        start, end = row.words[first].span.start, row.words[last].span.end
        start = start if self._says_nothing(question[:start]) else 0
        asked = question[start : end if self._says_nothing(question[end:]) else None].strip()
        return asked if content_words(asked) else question

    def _says_nothing(self, words: str) -> bool:
        """Tell whether words were learnt as words around a question, and name nothing."""
        is_name = any(
            word[:1].isupper() and not word.startswith("I") and before[-1] not in ".!?"
            for before, word in pairwise([".", *words.split()])
        )
        return content_words(words) <= self._around and not is_name

    @cached_property
    def _around(self) -> frozenset[str]:
        return read_weights(self._directory / AROUND, frozenset)

    def expected_steps(self, question: str) -> float:
        """Return the probability that a standalone question needs more than one look-up."""
        _, first, _ = self._alone(question)
        return 1 - float(first[-len(STEPS) :].softmax(0)[0])

    def read(self, question: str, history: Sequence[Exchange]) -> tuple[Edit | None, float, float]:
        """Return the likeliest edit, its probability, and how likely the question stands alone."""
        if not history:
            return None, 0.0, 1.0
        row, first, ends = self._read(question, history)
        places = first[: len(PLACES)].softmax(0).tolist()
        joint = JOINTS[int(first[len(PLACES) : -len(STEPS)].argmax())]
        edits = [found for of_last in (False, True) if (found := _edit(row, places, ends, joint, of_last=of_last))]
        likely, edit = max(edits, key=lambda found: found[0], default=(0.0, None))
        return edit, likely, places[0]

    def _read(self, question: str, history: Sequence[Exchange]) -> tuple[Row, Tensor, Tensor]:
        import torch

        tokens, encoder, heads = self.load()
        row = row_of(tokens, question, history)
        ids = torch.tensor([row.ids])
        with torch.inference_mode():
            return row, *scores(encoder(ids, torch.ones_like(ids))[0], heads)


def row_of(tokens: Tokenizer, question: str, history: Sequence[Exchange]) -> Row:
    """Return what the model reads."""
    texts = texts_of(question, history)
    ids, words = [CLS], []
    for number, text in enumerate(texts):
        found = tokens.encode(text, add_special_tokens=False)
        offsets = found.offsets[:MOST_TOKENS]
        for span in words_of(text):
            inside = [at for at, (start, end) in enumerate(offsets, len(ids)) if start < span.end and end > span.start]
            words += [Word(number, span, inside[0], inside[-1])] if inside else []
        ids += [*found.ids[:MOST_TOKENS], SEP]
    return Row(tuple(texts), tuple(ids), tuple(words))


def scores(states: Tensor, heads: Mapping[str, Tensor]) -> tuple[Tensor, Tensor]:
    """Return the logits of places, joints and steps [… , all three], and of the tokens [… , tokens, ENDS]."""
    from torch.nn.functional import linear

    first, ends = (
        (heads[f"{HEADS}{name}.weight"].float(), heads[f"{HEADS}{name}.bias"].float()) for name in ("first", "ends")
    )
    return linear(states[..., 0, :].float(), *first), linear(states.float(), *ends)


def _edit(row: Row, places: Sequence[float], ends: Tensor, joint: str, *, of_last: bool) -> tuple[float, Edit] | None:
    """Return the likeliest edit of the question, or of the last one, with its probability."""
    others = {0} if of_last else set(range(1, len(row.texts)))
    at, put = _stretch(row, ends, 4 * of_last, {int(of_last)}), _stretch(row, ends, 4 * of_last + 2, others)
    if at is None or put is None or (of_last and not content_words(row.texts[1])):
        return None
    place = max((one for one in Place if one.is_of_last == of_last), key=lambda one: places[PLACES.index(one)])
    (known, _, span), (likely, source, words) = at, put
    put_in = row.texts[source][words.start : words.end]
    if _is_question(source) and names_nothing(put_in):  # all of a yes/no question, behind "why"
        if not place.inserts or row.texts[source + 1].casefold() == "no":
            return None
        put_in = put_in[:1].lower() + put_in[1:]
    return places[PLACES.index(place)] * known * likely, Edit(place, span, put_in, joint)


def _stretch(row: Row, ends: Tensor, kind: int, texts: Collection[int]) -> tuple[float, int, Span] | None:
    """Return the likeliest stretch of words in ``texts`` that may be edited: its share of all stretches, its text and
    its place.

    Words that stand in several places count together.
    """
    own = [word for word in row.words if word.text in texts]
    if not own:
        return None
    starts = ends[[word.first for word in own], kind].softmax(0).tolist()
    stops = ends[[word.last for word in own], kind + 1].softmax(0).tolist()
    found: dict[str, list[tuple[float, float, int, Span]]] = {}
    others = 0.0
    for one, begin in enumerate(own):
        for other, end in enumerate(own[one:], one):
            if end.text != begin.text:
                break
            span = Span(begin.span.start, end.span.end)
            words = row.texts[begin.text][span.start : span.end].casefold()
            if _may_move(words, row.texts[begin.text], is_long=other - one >= LONGEST, is_source=kind == SOURCE):
                found.setdefault(words, []).append((starts[one], stops[other], begin.text, span))
            else:
                others += starts[one] * stops[other]
    if not found:
        return None
    rated = [(sum(each[0] for each in same) * sum(each[1] for each in same), same) for same in found.values()]
    likely, same = max(rated, key=lambda pair: pair[0])
    _, _, text, span = max(same, key=lambda each: each[0] * each[1])
    return likely / (others + sum(one for one, _ in rated)), text, span


def _may_move(words: str, text: str, *, is_long: bool, is_source: bool) -> bool:
    """Tell whether words of ``text`` may be edited: from an earlier one not "she" or "was Emma written".

    All of a text may ("did the dodo die out", "Will Smith"), unless it only refers.
    """
    if opens_with_auxiliary(words) and words == text.rstrip(" ?.!").casefold():
        return True
    return not is_long and not (is_source and names_nothing(words))


def _is_question(text: int) -> bool:
    """Tell by the number of a text whether it is an earlier question; answers have even numbers."""
    return text % 2 == 1
