"""Texts that try to become more than text on a page; each would set ``window.pwned`` or call ``http://evil.test``.

``CORPUS`` is every family as it stands, and the families that could act in every context that could set them free.
"""

from tests.support.json_lines import kept

_TEXTS = kept("hostile-texts.json")

ACTING: tuple[str, ...] = tuple(_TEXTS["acting"])
"""One of each kind that could run, load, cover or send something."""

_CONTEXTS = _TEXTS["contexts"]
"""What could lead out of an attribute, an element, a comment, a template, a code block or a line."""

_ALONE = _TEXTS["alone"]
"""What acts in a way of its own, or misleads the eye."""

_MUCH = ("<" * 300, "{" * 300 + "}" * 300, "&" * 300, "[" * 200 + "](" * 200, "long" * 4_000, "a " * 2_000, "\n" * 300)

ODD: tuple[str, ...] = tuple(_TEXTS["odd"])
"""What is only unusual: other scripts, formulas of spreadsheets, quotes, ends of lines, nothing."""

PAYLOADS = (*ACTING, *_ALONE)
"""One of each family: for tests that take a while for each."""

ORDERED = [form.replace("{order}", order) for form in _TEXTS["forms"] for order in _TEXTS["orders"]]
"""Passages that order whoever reads them to answer Osaka; ``{key}`` stands for a key that a model was shown."""

CORPUS = (
    *PAYLOADS,
    *(context.replace("{}", text) for text in ACTING for context in _CONTEXTS),
    *_MUCH,
    "🏴‍☠️👩‍👩‍👧‍👦" * 40,
)
