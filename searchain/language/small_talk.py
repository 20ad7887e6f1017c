"""What is said to an assistant without being a question to a library, by the rules of ``small_talk_rules``.

A rule has to match all that was said, so that a question which only mentions the weather or a poem is looked up.
``small_talk`` says which rule an utterance falls under, and ``bare_question`` takes a greeting off a real question.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Protocol

from searchain.language import languages, sentences
from searchain.language import small_talk_rules as rules
from searchain.language.program_questions import program_reply
from searchain.language.small_talk_rules import HISTORY_REPLY, REPLIES, Kind


class Vocabulary(Protocol):
    """What is known of words; ``spelling.Speller`` is one."""

    def knows(self, word: str) -> bool:
        """Whether the word is known to be right."""

    def is_like_a_word(self, word: str) -> bool:
        """Whether the letters of the word follow one another as in known words."""


@dataclass(frozen=True, slots=True)
class SmallTalk:
    """The kind of an utterance that is not a question to a library, and what is answered to it."""

    kind: Kind
    reply: str


def small_talk(
    question: str,
    *,
    has_history: bool = False,
    has_documents: bool = False,
    vocabulary: Vocabulary | None = None,
) -> SmallTalk | None:
    """Say what an utterance is when it is not a question to a library; ``None`` for a question.

    Args:
        has_documents: own documents are searched, so that fewer questions are about this program.
        vocabulary: tells words from slips on the keyboard; without it only the plainest slips are seen.

    >>> small_talk("thx!").kind.value, small_talk("What is 17 * 23?").kind.value
    ('thanks', 'calculation')
    >>> small_talk("hi, who wrote Hamlet?"), small_talk("Who wrote the poem The Raven?")
    (None, None)
    """
    if (reply := program_reply(plain(question), has_documents=has_documents)) is not None:
        return SmallTalk(Kind.PROGRAM, reply)
    kind = _kind(question, has_history=has_history, vocabulary=vocabulary)
    if kind is None:
        return None
    if kind is Kind.LANGUAGE:
        return SmallTalk(kind, languages.reply_in(languages.foreign_language(question) or ""))
    return SmallTalk(kind, HISTORY_REPLY if kind is Kind.HISTORY and has_history else REPLIES[kind])


def bare_question(question: str) -> str:
    """Return the question without a greeting, thanks or a polite frame before it.

    >>> bare_question("hi, could you please tell me who wrote Hamlet?")
    'who wrote Hamlet?'
    >>> bare_question("Hello, Dolly! is set in which city?"), bare_question("Can you tell me about Rome?")
    ('Hello, Dolly! is set in which city?', 'tell me about Rome?')
    """
    rest = _LEADING.sub("", question.strip(), count=1)
    rest = _FRAME.sub("", rest, count=1)
    rest = _EXACTLY.sub("", rest)
    return re.sub(r"(?:,\s+|(?<!\s)\s+)(?:please|pls|plz)(?=\W*$)", "", rest, flags=re.IGNORECASE) or question


def plain(question: str) -> str:
    """Return what was said in lower case, short forms written out, without punctuation.

    >>> plain("Whats up? I'm  BORED!!"), plain("wat can u do")
    ('what is up i am bored', 'what can you do')
    """
    folded = unicodedata.normalize("NFKC", question).casefold().replace("’", "'")
    words = (rules.SHORT.get(word, word) for word in re.findall(r"[^\W_]+(?:['][^\W_]+)*", folded))
    return " ".join(words).replace("'", "")


def _kind(question: str, *, has_history: bool, vocabulary: Vocabulary | None) -> Kind | None:
    said = plain(question)
    if not said:
        return Kind.THANKS if re.search("[👍👌🙏❤💯🎉👏😀-😆😊🙂]", question) else Kind.GIBBERISH
    if languages.foreign_language(question):
        return Kind.LANGUAGE
    if found := _by_form(question) or _by_rule(said, has_history=has_history):
        return found
    if _is_mash(question, vocabulary):
        return Kind.GIBBERISH
    if found := _by_request(question, said):
        return found
    pieces = [question[start:end] for start, end in sentences.split(question)]
    if len(pieces) < 2:
        return None
    kinds = [_kind(piece, has_history=has_history, vocabulary=vocabulary) for piece in pieces]
    if None not in kinds:
        return next((kind for kind in reversed(kinds) if kind not in rules.COURTESIES), kinds[-1])
    if any(kind is None and _is_question(piece) for kind, piece in zip(kinds, pieces, strict=True)):
        return None
    return next(
        (kind for kind in (kinds[0], kinds[-1]) if kind in rules.REQUESTS), None
    )  # the rest is what it works on


def _by_form(question: str) -> Kind | None:
    """The kind of what shows by signs, which ``plain`` takes away: links, files, code, quotations, arithmetic."""
    asked = question.strip().casefold()
    if re.search(rules.LINK, asked) or re.search(rules.FILE, asked):
        return Kind.IMPOSSIBLE
    if re.search(rules.CODE_SIGNS, asked):
        return Kind.CODE
    if re.search(rf"^(?:what is |what's |whats |say )?[\"“'‘].+[\"”'’] in {rules.LANGUAGE}\W*$", asked):
        return Kind.TRANSLATION
    if re.match(r"(?:system|assistant|new instructions?)\s*:|<\|im_|\[inst\]|#+\s*instructions?\b", asked):
        return Kind.INSTRUCTION
    if re.search(r"[,.!;]\s*(?:thanks|thank you|thx|ty)\b[^,.?]*$", asked) and not _is_question(asked):
        return Kind.THANKS
    return Kind.CALCULATION if _is_calculation(asked) else None


def _by_rule(said: str, *, has_history: bool) -> Kind | None:
    requested = re.sub(rf"^(?:{rules.REQUEST})+", "", re.sub(r"(?: please| for me| now please)+$", "", said))
    for rule in rules.RULES:
        if rule.matches(said) or (requested and requested != said and rule.matches(requested)):
            return rule.kind
    if courtesy := _courtesy(said):
        return courtesy
    if not has_history and re.fullmatch(r"(?:why|how|when|where|who|what|which|really|how so|why not|how come)", said):
        return Kind.HISTORY
    return None


def _is_question(piece: str) -> bool:
    """Whether a sentence asks something that may be looked up."""
    return piece.rstrip().endswith("?") or bool(re.match(rules.ASKING, piece.strip(), re.IGNORECASE))


def _by_request(question: str, said: str) -> Kind | None:
    """The kind of an order or of a statement about oneself, by its first words.

    What asks something after all ("Make It or Break It: who goes to the Olympics?"), ends like a search by keywords
    ("call me maybe singer") or is written as a title ("Turn the Page") is not small talk.
    """
    requested = re.sub(rf"^(?:{rules.REQUEST})+", "", said)
    if re.search(rf"\b{rules.ASKING}|\b(?:{rules.KEYWORD})$", requested) and not re.match(rules.PLAIN_ORDER, requested):
        return None
    words = [word for word in re.findall(r"[^\W\d_]{4,}|[A-Z]\w+", question[1:]) if word != "Im"]
    if words and sum(word[0].isupper() for word in words) * 2 > len(words):
        return None
    return next((kind for kind, opening in rules.ORDERS if re.match(opening, requested)), None)


def _courtesy(said: str) -> Kind | None:
    """The kind of an utterance made of nothing but greetings, thanks and goodbyes."""
    if not re.fullmatch(rf"(?:(?:{rules.THANKS}|{rules.FAREWELL}|{rules.GREETING}|{rules.FILLER})(?: |$))+", said):
        return None
    for kind, words in ((Kind.THANKS, rules.THANKS), (Kind.FAREWELL, rules.FAREWELL), (Kind.GREETING, rules.GREETING)):
        if re.search(rf"\b(?:{words})\b", said):
            return kind
    return None


def _is_calculation(asked: str) -> bool:
    """Whether numbers are to be put together: "17 * 23", "15 % of 80"; not a date, a size or a name ("9/11", "4x4")."""
    asks = re.match(rules.CALCULATE, asked)
    body = asked[asks.end() :] if asks else asked
    body = re.sub(r"(?<=\d),(?=\d{3}\b)", "", body).strip(" ?.!").removesuffix("=").strip()
    if re.fullmatch(rules.SPOKEN_SUM, body):
        return bool(asks) or any(letter.isdigit() for letter in body)
    if not re.fullmatch(rules.SUM, body):
        return False
    signs = re.findall(r"(?<=[\d) ])[-–+*×÷/^:x](?=[\d( ])", body)
    if len(signs) != 1 or signs[0] in "+*×÷^" or " " in body or asked.startswith(("calc", "comp", "solve", "eval")):
        return True
    numbers = [float(number) for number in re.findall(r"\d+(?:\.\d+)?", body)]
    if signs[0] == "x":
        return not {2.0, 4.0} & set(numbers)
    return signs[0] == "/" and max(numbers) >= 60


def _is_mash(question: str, vocabulary: Vocabulary | None) -> bool:
    """Whether nothing but slips of a hand on the keyboard was typed."""
    words = re.findall(r"[^\W\d_]+", question)
    unknown = [word for word in words if vocabulary is None or not vocabulary.knows(word)]
    slips = [word for word in unknown if _is_slip(word) or _is_unlike_words(word, vocabulary, alone=len(words) == 1)]
    others = [word for word in words if word not in slips]
    return (
        len(slips) * 2 > len(words) - 1 > -1
        and all(_is_row(word.casefold()) or len(word) < 3 for word in others)
        and bool(slips)
    )


def _is_unlike_words(word: str, vocabulary: Vocabulary | None, *, alone: bool) -> bool:
    """Whether the letters are in an order that no known word has; one short word alone may be an abbreviation."""
    is_long = len(word) >= (6 if alone else 4)
    return vocabulary is not None and is_long and word.islower() and not vocabulary.is_like_a_word(word)


def _is_slip(word: str) -> bool:
    """Whether no word of a language that is written in Latin letters looks like this one."""
    if not word.isascii() or len(word) < 5:
        return False
    low = word.casefold()
    if re.search(r"(.)\1{4,}", low) or re.fullmatch(r"(.{1,3})\1{3,}", low):
        return True
    if word.isupper() and len(word) < 9:
        return False  # an abbreviation
    if len(low) >= 6 and _is_row(low) and low not in ("qwerty", "qwertz", "azerty"):
        return True
    vowels = sum(letter in "aeiouy" for letter in low)
    run = max(map(len, re.findall(r"[^aeiouy]+", low)), default=0)
    return len(low) >= 7 and (vowels == 0 or (run >= 6 and vowels / len(low) < 0.2))


def _is_row(word: str) -> bool:
    """Whether the letters stand side by side on a keyboard, in pieces of three and more."""
    if len(word) < 3:
        return not word
    return any(
        (word[:size] in row or word[:size] in row[::-1]) and _is_row(word[size:])
        for row in ("qwertyuiop", "asdfghjkl", "zxcvbnm")
        for size in range(len(word), 2, -1)
    )


_HELLO = (
    r"(?:hi|hello|hey|hiya|howdy|greetings|good (?:morning|afternoon|evening|day))"
    r"(?:\s+(?:there|again|all|searchain|everyone|bot|friend))?"
)
_TELLING = (
    rf"(?:(?:please,?\s+)?(?:(?:can|could|would|will|do)\s+(?:you|u)\s+(?:please\s+|pls\s+|kindly\s+)?)?"
    rf"(?:(?:tell|let)\s+me\s+(?:know\s+)?|say\s+|know\s+|(?:find\s+out|look\s+up|explain\s+to\s+me)\s+)(?:please,?\s+)?(?={rules.ASKING})"
    rf"|(?:can|could|would|will)\s+(?:you|u)\s+(?:please\s+|pls\s+|kindly\s+)?(?=(?:tell|explain|describe|name|list|give|summari[sz]e)\b)"
    rf"|please,?\s+(?=(?:tell|explain|describe|name|list)\b|{rules.ASKING})"
    rf"|i(?:\s+(?:want|need|wish)|(?:\s+would|['’]d|d)\s+like)\s+to\s+know\s+(?={rules.ASKING})"
    rf"|i\s+(?:was\s+|am\s+)?wonder(?:ing)?,?\s+(?={rules.ASKING}))"
)
_EXACTLY = re.compile(r"(?<=\w) (?:exactly|precisely)(?=\W*$)|(?<=^where) exactly|(?<=^when) exactly", re.IGNORECASE)
_FRAME = re.compile(rf"^{_TELLING}", re.IGNORECASE)
_LEADING = re.compile(
    rf"^(?:{_HELLO}\s*[,.!:;–-]*\s+(?=(?:so\s+)?{rules.ASKING}|{_TELLING})"
    rf"|(?:{_HELLO}|(?:many\s+)?thanks(?:\s+a\s+lot)?|thx|thank\s+you(?:\s+(?:so|very)\s+much)?|great|cool)\s*[,.!:;–-]+\s+"
    rf"(?=(?:and\s+|but\s+|so\s+)?(?:{rules.ASKING}|{_TELLING}|(?:is|are|was|were|do|does|did|can|name|list|explain|tell)\b))"
    rf"|(?:ok|okay|alright|well|hmm+|um+|right|now)\s*[,.!:;–-]*\s+"
    rf"(?=(?:and\s+|but\s+|so\s+)?(?:{rules.ASKING}|{_TELLING}|(?:is|are|was|were|do|does|did|can|name|list|explain|tell)\b)))",
    re.IGNORECASE,
)
