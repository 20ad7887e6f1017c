"""Untrusted text made safe for HTML, for Markdown and for Gradio's templates, with one function.

Questions, model text, passages and titles are hostile until they went through ``escape``. Besides HTML's own characters
it encodes every character with which text could start something in Markdown (images, links, code, emphasis), in
Handlebars (``{{ }}``) or in a JavaScript template (``${ }``), and tabs and line breaks, so that the result is one line:
a blank line would end an HTML block in Markdown, and a tab could begin a code block. What people see and copy stays the
same text.
"""

from __future__ import annotations

import re

_ENCODED = {character: f"&#{ord(character)};" for character in "&<>\"'`*_[]{}$\\~|#!\t\n\r\u2028\u2029"}
# NUL and its like vanish or are replaced in HTML; their pictures show that something is there
_PICTURES = {chr(code): chr(0x2400 + code) for code in range(32) if chr(code) not in "\t\n\r"} | {"\x7f": "\u2421"}
_TABLE = str.maketrans(_ENCODED | _PICTURES)
# an override could show text in another order than it is read, also outside of its element; C1 controls, which HTML
# would read as other characters, and lone surrogates are no text
_NO_TEXT = re.compile("[\x80-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def escape(text: str) -> str:
    """``text`` as the content of an element or of a quoted attribute, on one line."""
    return _NO_TEXT.sub("\ufffd", text).translate(_TABLE)


def web_address(url: str | None) -> str | None:
    """``url`` escaped for ``href``, or ``None`` when it is not a plain http or https address."""
    if url is None or not re.fullmatch(r"https?://[^\s\x00-\x20\x7f\u202a-\u202e\u2066-\u2069]+", url, re.IGNORECASE):
        return None
    return escape(url)
