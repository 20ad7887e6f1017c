"""Every regular expression of the program on long hostile texts: time must grow with their length, not with its square.

They are found in the sources, so that a new one is tried by itself.
"""

import ast
import importlib
import re
import time
from collections import defaultdict, deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from operator import or_
from pathlib import Path

ROOT = Path(__file__).parents[1]
ANCHORED = {"match", "fullmatch"}
SEARCHING = {"search", "sub", "subn", "split", "findall", "finditer"}
LENGTH = 12_000
"""Characters: four hundred milliseconds where the time grows with the square, a fifth of one where it does not."""
SECONDS = 0.13
# fmt: off
PIECES = (
    "a", "A", "Ab ", "é", "0", "1,", "9.", " ", "\t", "\n", " \n", "\n\n", "-", "--", "_", "*", "#", ".",
    ". ", "?", "!", ":", ";", ",", ", ", "'", "\"", "“", "(", "((", "[", "[[", "]", "{", "<", "</",
    "<a ", ">", "&", "%", "\\", "/", "|", "`", "~", "=", "$", "@", "a@", "http://", "the ", "and ",
    "a, ", "of the ", "Mr. ", "[Query 1]: ", "[k1", "k100,", "[Answer 1]", "**[", "- a", "1. ", "x=",
    "\\(", "a-", "a'", "I am ", "who is ", "January 1, ", "\x1b[", "\x1b]", "日", "。",
)
# fmt: on
"""What hostile texts are made of, besides the letters of each expression."""
END = "!\x00"
"""After which nothing fits, so that every way is tried."""


@dataclass(frozen=True)
class Used:
    """An expression, where it stands, and whether it is only matched from the beginning of a text on."""

    where: str
    pattern: re.Pattern[str]
    is_anchored: bool

    def seconds(self, text: str) -> float:
        """The processor's seconds for all that is found in ``text``."""
        best = float("inf")
        for _ in range(3):
            begun = time.thread_time()
            if self.is_anchored:
                self.pattern.match(text)
            else:
                deque(self.pattern.finditer(text), maxlen=0)
            best = min(best, time.thread_time() - begun)
            if best < SECONDS:
                break
        return best


def expressions() -> Iterator[Used]:
    """All expressions: constants of modules and classes, and literals in calls."""
    files = [ROOT / "assistant.py", *(f for d in "searchain storage ui lab".split() for f in (ROOT / d).rglob("*.py"))]
    sources = {file: file.read_text(encoding="utf-8") for file in sorted(files)}
    everywhere = methods_of("\n".join(sources.values()))
    for file, source in sources.items():
        here = methods_of(source)
        if not re.search(r"^import re$", source, re.MULTILINE):
            continue
        dotted = ".".join(file.relative_to(ROOT).with_suffix("").parts)
        module = importlib.import_module(dotted.removesuffix(".__init__"))
        own = [one for one in vars(module).values() if isinstance(one, type) and one.__module__ == module.__name__]
        for owner in (module, *own):
            for name, value in list(vars(owner).items()):
                used = (here if name.startswith("_") else everywhere)[name]
                is_anchored = bool(used & ANCHORED) and not used & SEARCHING
                for one in several(value):
                    if isinstance(one, re.Pattern) and isinstance(one.pattern, str):
                        yield Used(f"{module.__name__}.{name}", one, is_anchored)
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Call) and ast.unparse(node.func).removeprefix("re.") in ANCHORED | SEARCHING:
                first = node.args[0] if node.args else None
                if (
                    ast.unparse(node.func).startswith("re.")
                    and isinstance(first, ast.Constant)
                    and isinstance(first.value, str)
                ):
                    flags = [re.RegexFlag[one] for one in re.findall(r"re\.([A-Z]+)", ast.unparse(node))]
                    pattern = re.compile(first.value, reduce(or_, flags, re.NOFLAG))
                    yield Used(f"{module.__name__}:{node.lineno}", pattern, ast.unparse(node.func)[3:] in ANCHORED)


def methods_of(source: str) -> dict[str, set[str]]:
    """Name of a constant → the methods that are called on it."""
    found = defaultdict[str, set[str]](set)
    for name, method in re.findall(r"\b([_A-Z]\w*)(?:\[[^]]*\])?\.(\w+)\(", source):
        found[name].add(method)
    return found


def several(value: object) -> list[object]:
    """What a constant holds."""
    if isinstance(value, dict):
        return list(value.values())
    return list(value) if isinstance(value, tuple | list) else [value]


def slow(used: Used) -> list[str]:
    """The texts for which an expression takes too long."""
    own = re.findall(r"[A-Za-z]{2,}|[^\w\s\\]", used.pattern.pattern)
    found = []
    for piece in dict.fromkeys([*PIECES, *own, *(f"{one} " for one in own if one.isalpha())]):
        text = (piece * (LENGTH // len(piece) + 1))[:LENGTH] + END
        if (taken := used.seconds(text)) > SECONDS:
            found.append(f"{taken:.2f} s for {piece!r} × {LENGTH // len(piece)}")
    return found


def test_no_regular_expression_takes_long_for_long_texts():
    every = {(one.pattern, one.is_anchored): one for one in expressions()}
    assert len(every) > 150
    found = {f"{one.where} {one.pattern.pattern[:80]}": told[:4] for one in every.values() if (told := slow(one))}
    assert found == {}


def test_a_slow_one_would_be_found():
    assert slow(Used("here", re.compile(r"\s+$"), is_anchored=False))
