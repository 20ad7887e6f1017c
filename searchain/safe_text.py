"""Make untrusted text safe for a terminal, for HTML and for the store, and recognise plain text.

Questions, model output, passages and titles are hostile until they went through one of these functions. Which
characters are replaced, removed or refused depends on where the text goes.
"""

import ipaddress
import re

COVER = "█"
"""Stands in the place of each character that was redacted."""

_SURROGATES = "\ud800-\udfff"
"""Halves of a pair: no encoding accepts one alone."""
_CONTROLS = "\x00-\x08\x0b-\x1f\x7f"
"""ASCII controls except tab and line feed."""
_C1_CONTROLS = "\x80-\x9f"
_BIDI_OVERRIDES = "\u202a-\u202e\u2066-\u2069"
"""Characters that show text in another order than it is read, even outside their element."""
_NONCHARACTERS = "\ufffe\uffff"
"""Characters that XML does not allow."""

_SURROGATE = re.compile(f"[{_SURROGATES}]")
_CONTROL = re.compile(f"[{_CONTROLS}]")
_BIDI_OVERRIDE = re.compile(f"[{_BIDI_OVERRIDES}]")
_NOT_PLAIN = re.compile(f"[{_CONTROLS}{_C1_CONTROLS}{_SURROGATES}{_NONCHARACTERS}]")
_WEB_ADDRESS = re.compile(rf"https?://[^\s\x00-\x20\x7f{_BIDI_OVERRIDES}]+", re.IGNORECASE)

_ESCAPE_SEQUENCE = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor movement
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)?"  # OSC, DCS …: titles, links
    r"|\x1b[ -/]*[0-~]"
)
_ACTS_ON_TERMINALS = re.compile(
    f"[{_CONTROLS}{_C1_CONTROLS}{_BIDI_OVERRIDES}"
    "\u061c\u200e\u200f"  # marks of direction
    "\u2028\u2029]"
)

_ENCODED = {character: f"&#{ord(character)};" for character in "&<>\"'`*_[]{}$\\~|#!\t\n\r\u2028\u2029"}
# NUL and its like vanish or are replaced in HTML; their pictures show that something is there
_PICTURES = {chr(code): chr(0x2400 + code) for code in range(32) if chr(code) not in "\t\n\r"} | {"\x7f": "\u2421"}
_HTML = str.maketrans(_ENCODED | _PICTURES)
_NOT_HTML = re.compile(f"[{_C1_CONTROLS}{_BIDI_OVERRIDES}{_SURROGATES}]")  # HTML reads C1 controls as other characters


def clean(text: str) -> str:
    """Remove escape sequences, bidi controls and all controls but tab and line feed, for a terminal.

    Lone surrogates become U+FFFD.
    """
    return without_surrogates(_ACTS_ON_TERMINALS.sub("", _ESCAPE_SEQUENCE.sub("", text)))


def one_line(text: str) -> str:
    """Clean ``text`` and make every run of white space one space."""
    return " ".join(clean(text).split())


def escape(text: str) -> str:
    """Escape ``text`` as the content of an element or of a quoted attribute, on one line.

    Besides HTML's own characters this encodes what could start something in Markdown (images, links, code, emphasis),
    in Handlebars (``{{ }}``) or in a JavaScript template (``${ }``). Tabs and line breaks are encoded too: a blank line
    would end an HTML block in Markdown, and a tab could begin a code block. People see and copy the same text.
    """
    return _NOT_HTML.sub("\ufffd", text).translate(_HTML)


def web_address(url: str | None) -> str | None:
    """Escape ``url`` for ``href``; return ``None`` when it is not a plain http or https address."""
    return escape(url) if url is not None and _WEB_ADDRESS.fullmatch(url) else None


def is_loopback(host: str) -> bool:
    """Return whether ``host`` is this machine; a name that has to be looked up, but for ``localhost``, is not."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def without_surrogates(text: str) -> str:
    """Replace every lone surrogate by U+FFFD, so that the text can be encoded. Offsets stay true."""
    return _SURROGATE.sub("\ufffd", text)


def without_controls(text: str) -> str:
    """Replace what no display, database or tokenizer takes: ASCII controls, and lone surrogates."""
    return _CONTROL.sub(" ", without_surrogates(text.replace("\r\n", "\n")))


def is_plain(text: str) -> bool:
    """Tell whether ``text`` has no controls but tab and line feed, no lone surrogates, no noncharacters."""
    return not _NOT_PLAIN.search(text)


def has_bidi_override(text: str) -> bool:
    """Tell whether ``text`` could change the order in which the text around it is read."""
    return bool(_BIDI_OVERRIDE.search(text))
