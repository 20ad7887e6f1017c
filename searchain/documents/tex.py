"""Convert a LaTeX file to document text through HTML. Runs in the child process only.

Nothing that it includes is opened, and no macro of its own is run; those without arguments stand for their text.
"""

import html
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from pylatexenc import latex2text, latexwalker
from pylatexenc.latex2text import EnvironmentTextSpec, LatexNodes2Text, MacroTextSpec
from pylatexenc.latexwalker import LatexMathNode, LatexNode, LatexWalker
from pylatexenc.macrospec import MacroSpec, std_environment

from searchain.documents.decoding import decode
from searchain.documents.html_blocks import blocks_of, parse, write
from searchain.documents.writer import Writer, title_of

_OPEN, _CLOSE, _LINE_END = "\ue000", "\ue001", "\ue002"
"""Stand for ``<``, ``>`` and the end of a line of code, while the text is not HTML yet."""
_TABLES: dict[str, dict[str, str]] = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
"""What stands for macros and environments, with ``{}`` for the last argument or the content; the arguments of those
that pylatexenc does not know; and the environments of each kind."""
_KINDS = {kind: names.split() for kind, names in _TABLES["kinds"].items()}
_RULES = frozenset(("hline", "midrule"))


def _listed(table: str) -> Iterator[tuple[str, str]]:
    """Yield each name in a table, with what stands for it or its arguments."""
    return ((name, form) for form, names in _TABLES[table].items() for name in names.split())


def read(content: bytes, writer: Writer) -> str | None:
    """Write the text, with formulas as they stand; return the title."""
    before, begin, body = decode(content).partition("\\begin{document}")
    head, nodes = (_nodes(text) for text in ((before, body.partition("\\end{document}")[0]) if begin else ("", before)))
    converter = _Converter([*head, *nodes])
    stated = [node for node in head if getattr(node, "macroname", None) in ("title", "author", "date")]
    text = converter.nodelist_to_text([*stated, *nodes])
    page = html.escape(text, quote=False).replace("\n\n", "<p>")
    for sign, meant in ((_OPEN, "<"), (_CLOSE, ">"), (_LINE_END, "\n")):
        page = page.replace(sign, meant)
    write(blocks_of(parse(f"<div>{page}</div>")), writer)
    writer.leave_out(converter.unread, converter.files, "included file")
    return title_of(None, writer)


def _nodes(text: str) -> list[LatexNode]:
    known = latexwalker.get_default_latex_context_db()
    known.add_context_category(
        "more",
        macros=[MacroSpec(*one) for one in _listed("arguments of macros")],
        environments=[std_environment(*one) for one in _listed("arguments of environments")],
        prepend=True,
    )
    found: list[LatexNode] = LatexWalker(text, latex_context=known, tolerant_parsing=True).get_latex_nodes()[0]
    return found


class _Converter(LatexNodes2Text):
    """Makes text with HTML tags, whose brackets are ``_OPEN`` and ``_CLOSE``."""

    def __init__(self, nodes: Sequence[LatexNode]) -> None:
        self.unread: Counter[str] = Counter()
        self.files: list[str] = []
        """The names of included files."""
        handlers = {
            **{name + star: self.math_node_to_text for name in _KINDS["maths"] for star in ("", "*")},
            **dict.fromkeys(_KINDS["tables"], self._table),
            **dict.fromkeys(_KINDS["code"], self._code),
            **dict.fromkeys(_KINDS["pictures"], self._picture),
            **{name: self._body_in(form) for name, form in _listed("environments")},
        }
        macros = [
            *(MacroTextSpec(name, self._words_in(form)) for name, form in _listed("macros")),
            *(MacroTextSpec(name, self._left_out) for name in _KINDS["including"]),
            MacroTextSpec("includegraphics", self._picture),
        ]
        environments = [EnvironmentTextSpec(name, handler) for name, handler in handlers.items()]
        context = latex2text.get_default_latex_context_db()
        context.add_context_category("html", macros=macros, environments=environments, prepend=True)
        super().__init__(latex_context=context, math_mode="verbatim")
        own = [MacroTextSpec(name, self.nodelist_to_text([value])) for name, value in _defined(nodes)]
        context.add_context_category("own", macros=own, prepend=True)

    def _last(self, node: LatexNode) -> str:
        arguments = [one for one in (node.nodeargd.argnlist if node.nodeargd else None) or [] if one is not None]
        return self.nodelist_to_text(arguments[-1:]).strip()

    def _words_in(self, form: str) -> Callable[[LatexNode], str]:
        return lambda node: _put(form, self._last(node))

    def _body_in(self, form: str) -> Callable[[LatexNode], str]:
        return lambda node: _put(form, self.nodelist_to_text(node.nodelist))

    def _picture(self, node: LatexNode) -> str:
        self.unread["picture"] += 1
        return ""

    def _left_out(self, node: LatexNode) -> str:
        self.files.append(self._last(node))
        return ""

    def math_node_to_text(self, node: LatexNode) -> str:
        """Return a formula as it stands; a mere number or name is not counted."""
        source: str = node.latex_verbatim()
        if node.isNodeType(LatexMathNode) and source.strip("$").isalnum():
            return source.strip("$")
        self.unread["formula"] += 1
        return " ".join(source.split())

    def _code(self, node: LatexNode) -> str:
        lines = node.latex_verbatim().split("\n")[1:-1]
        return _put("<pre>{}</pre>", _LINE_END.join(lines))

    def _table(self, node: LatexNode) -> str:
        """Return the rows of a table; the rows above its first inner rule name the columns."""
        rows: list[list[list[LatexNode]]] = [[[]]]
        rules: list[int] = []
        for one in node.nodelist:
            name = getattr(one, "macroname", None) or getattr(one, "specials_chars", None)
            if name == "&":
                rows[-1].append([])
            elif name in ("\\", "tabularnewline"):
                rows.append([[]])
            elif name in _RULES:
                rules.append(len(rows) - 1)
            else:
                rows[-1][-1].append(one)
        inner = sorted({rule for rule in rules if 0 < rule < len(rows) - 1})
        heads = inner[0] if inner and inner[0] + 1 not in inner else 0
        written = (self._row(row, "th" if n < heads else "td") for n, row in enumerate(rows))
        return _put("<table>{}</table>", "".join(written))

    def _row(self, row: Sequence[Sequence[LatexNode]], tag: str) -> str:
        return _put("<tr>{}</tr>", "".join(self._cell(cell, tag) for cell in row))

    def _cell(self, nodes: Sequence[LatexNode], tag: str) -> str:
        spans = {"multicolumn": "colspan", "multirow": "rowspan"}
        merged = next((node for node in nodes if getattr(node, "macroname", None) in spans), None)
        if merged is None:
            return _put(f"<{tag}>{{}}</{tag}>", self.nodelist_to_text(nodes).strip())
        count = self.nodelist_to_text(merged.nodeargd.argnlist[:1]).strip()
        span = f"{spans[merged.macroname]}={count}" if count.isdecimal() else ""
        return _put(f"<{tag} {span}>{{}}</{tag}>", self._last(merged))


def _put(form: str, text: str) -> str:
    """Put ``text`` into ``form``, whose brackets become signs."""
    return form.replace("<", _OPEN).replace(">", _CLOSE).format(text)


def _defined(nodes: Sequence[LatexNode]) -> Iterator[tuple[str, LatexNode]]:
    """Yield the names of the file's own macros that take no arguments, with what they stand for."""
    for node in nodes:
        if getattr(node, "macroname", None) in ("newcommand", "renewcommand", "providecommand") and node.nodeargd:
            _, name, count, _, value = node.nodeargd.argnlist
            words = name.latex_verbatim().strip("{}\\ ") if name is not None else ""
            if count is None and value is not None and words.isalpha():
                yield words, value
