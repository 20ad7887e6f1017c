"""Convert reStructuredText to document text through HTML. Runs in the child process only."""

from collections import defaultdict
from collections.abc import Callable
from typing import Any

from docutils import nodes
from docutils.core import publish_parts
from docutils.parsers.rst import Directive, directives, roles

from searchain.documents.decoding import decode
from searchain.documents.html_blocks import blocks_of, parse, write
from searchain.documents.writer import Writer, title_of

_SETTINGS = {
    "_disable_config": True,
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "report_level": 5,
    "halt_level": 5,
    "initial_header_level": 2,
    "math_output": "LaTeX",
    "syntax_highlight": "none",
    "embed_stylesheet": False,
    "stylesheet_path": None,
}
_WITHOUT_WORDS = frozenset(
    "contents currentmodule default-domain default-role highlight include index literalinclude raw toctree".split()
)
"""Directives that hold nothing for readers, such as names of files and of index entries."""


class _Kept(Directive):
    """A directive of another program, such as Sphinx: its name, its argument and what it holds are kept as text."""

    has_content = True
    optional_arguments = 1
    final_argument_whitespace = True
    option_spec: dict[str, Callable[[str], Any]] = defaultdict(lambda: str)

    def run(self) -> list[nodes.Node]:
        if self.name in _WITHOUT_WORDS:
            return []
        found = nodes.container()
        for line in "".join(self.arguments).splitlines():
            text, _ = self.state.inline_text(f"{self.name}: {line.strip()}", self.lineno)
            found += nodes.paragraph("", "", *text)
        self.state.nested_parse(self.content, self.content_offset, found)
        return [found]


def _plain(role: str, source: str, text: str, *_: object, **__: object) -> tuple[list[nodes.Node], list[nodes.Node]]:
    """Return the words of ``:role:`words <target>```, a role of another program."""
    return [nodes.inline(source, text.partition(" <")[0].lstrip("~!"))], []


_known_directive, _known_role = directives.directive, roles.role


def _directive(name: str, *place: Any) -> Any:
    found, messages = _known_directive(name, *place)
    return (_Kept, []) if found is None or name in _WITHOUT_WORDS else (found, messages)


def _role(name: str, *place: Any) -> Any:
    found, messages = _known_role(name, *place)
    return (found, messages) if found else (_plain, [])


def read(content: bytes, writer: Writer) -> str | None:
    """Write the text; nothing that it includes is opened, and nothing raw is taken over. Return the title."""
    directives.directive, roles.role = _directive, _role  # docutils looks them up there, as Sphinx also relies on
    parts = publish_parts(decode(content), writer="html4", settings_overrides=_SETTINGS)
    write(blocks_of(parse(parts["html_body"])), writer)
    return title_of(None, writer)
