"""HTML from jinja2 templates, in which every value is escaped by the project's own rules.

A template is in the folder ``templates`` of its package; its name begins with the package: ``page/turn.html``. Its
lines are stripped and joined, because Gradio's Markdown does not change HTML on a single line.
"""

from functools import cache
from pathlib import Path

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from searchain.safe_text import escape, web_address
from ui.translation import _, n_

_HERE = Path(__file__).parent


def _joined(template: str) -> str | None:
    """Load ``ROOM/NAME`` from the templates of the package ``ui/ROOM`` as one line."""
    room, _, name = template.partition("/")
    file = _HERE / room / "templates" / name
    return "".join(line.strip() for line in file.read_text(encoding="utf-8").split("\n")) if file.is_file() else None


def _finalize(value: object) -> Markup:
    """Escape a value for HTML, Markdown and Gradio's templates; ``Markup`` is escaped already."""
    return value if isinstance(value, Markup) else Markup("" if value is None else escape(str(value)))


@cache
def _environment() -> Environment:
    made = Environment(loader=FunctionLoader(_joined), autoescape=True, finalize=_finalize, undefined=StrictUndefined)
    # jinja's own filters escape for HTML alone, or not at all
    made.filters = {"web": web, "lines": _lines, "length": len, "min": min}
    made.globals |= {"_": _, "n_": n_}
    return made


def render(template: str, /, **values: object) -> Markup:
    """Render ``template`` with ``values``, each of which is escaped."""
    return Markup(_environment().get_template(template).render(values))


def web(url: str | None) -> Markup | None:
    """Return ``url`` for an attribute; ``None`` unless it is a plain http or https address."""
    address = web_address(url)
    return None if address is None else Markup(address)


def _lines(text: str) -> Markup:
    return Markup("<br>").join(_finalize(line) for line in text.split("\n"))
