"""The patterns by which ``citation_styles`` finds citations in the answers of systems."""

import re

_DASH = "[-\u2010-\u2015]"
_WORD = (
    r"(?:(?:documents?|docs?|sources?|src|references?|refs?|citations?|cite|passages?|web|search|results?|context|"
    r"chunk|notes?|fn|id|index|doc_id|[sdr])\s*[.:_#=-]?\s*#?)?"
)
_NUMBERS = (
    rf"#?{_WORD}\d{{1,6}}(?:\s*(?:[,;、，&+|]|\band\b|\bund\b|\bet\b|\bto\b|{_DASH})?\s*\^?{_WORD}(?<!\d)\d{{1,6}})*"
)
_LOCATOR = r"(?:\s*,\s*(?:pp?|S|ch|sec)\.\s*\d+(?:\s*[-–]\s*\d+)?)?"
_LINK = r"\((?P<{name}><?[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)(?:\s+\"[^\"\n]*\")?\)"
_CODE = (
    r"(?P<code>```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|``[^`\n]+``|`[^`\n]+`|\$\$.*?\$\$"
    r"|\\\(.{1,300}?\\\)|\\\[(?!\d).{1,300}?\\\])"
)
_BRACKETS = (
    rf"(?P<brackets>\\?[\[［【〔]{{1,2}}\s*\\?\[?\^?\s*(?P<numbers>{_NUMBERS}){_LOCATOR}\s*\^?\s*"
    rf"(?:†[^\]］】〕\n]{{0,80}})?\\?[\]］】〕]{{1,2}}\\?\]?)(?:{_LINK.format(name='numbered')})?"
)
_TAGS = (
    rf"(?P<tags><sup[^>]*>\s*(?:<a\b[^>]*>)?\s*[\[(]?\s*(?P<sup>{_NUMBERS})\s*[\])]?\s*(?:</a>)?\s*</sup>"
    rf"|<(?:cite|ref|citation)\b[^>]*>\s*\[?(?P<cite>{_NUMBERS})\]?\s*</(?:cite|ref|citation)>"
    rf"|<(?:cite|ref|citation)\s+(?:id|name|n|number)\s*=\s*[\"']?(?P<attribute>\d{{1,6}})[\"']?\s*/?>"
    rf"(?:</(?:cite|ref|citation)>)?|\\cite[pt]?\{{(?P<latex>{_NUMBERS})\}})"
)
_CARET = rf"(?P<caret>\^\[?(?P<careted>{_NUMBERS})\]?\^)"
_SUPERSCRIPT = (
    r"(?P<superscript>(?:(?<=[^\W\d_]{2})|(?<=[.,;:!?)\]”’\"'»]))[⁰¹²³⁴⁵⁶⁷⁸⁹]+(?:[,，˒\u2009 ]?[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)*)"
    r"|(?P<wrapped>[⁽\[]\s*[⁰¹²³⁴⁵⁶⁷⁸⁹]+\s*[⁾\]])"
)
_CIRCLED = r"(?P<circled>[①-⑳❶-❿➀-➓]+)"
ADDRESS = r"https?://[^\s<>\"'\]）】]+"
_LINKED = (
    r"(?P<image>!\[[^\]\n]*\]\([^)\n]*\))"
    rf"|(?P<linked>\(?\[(?P<words>[^\[\]\n]{{1,200}})\]{_LINK.format(name='target')}\)?)"
)
_BARE = rf"(?P<bare>[(<\[]?(?P<address>{ADDRESS})[)>\]]?)"
_WORDED = (
    r"(?P<worded>\(\s*(?:see\s+)?(?:documents?|docs?|sources?|references?|refs?\.?|citations?|passages?)\s*[.:#]?\s*"
    rf"(?P<said>{_NUMBERS})\s*\))"
)
_PARENTHESES = rf"(?P<parentheses>\((?P<inside>{_NUMBERS})\))"
_TITLED = r"(?P<titled>[\[［【](?P<title>[^\[\]\n［］【】]{1,120})[\]］】])"
_YEAR = r"(?:1[89]|20)\d\d[a-z]?"
_UNCLEAR = (
    r"(?P<unclear>[\ue200-\ue2ff]+(?:\w*[\ue200-\ue2ff]+)*"
    r"|\bcite(?:turn\d+\w+?\d+)+|\bturn\d+(?:search|news|view|fetch|file)\d+"
    r"|</?co:\s*[\d,\s]+>|\\(?:cite|footcite|parencite|autocite)[pt]?\{[^}\n]{1,80}\}|\{\{?\s*(?:cite[:\s]*)?\d{1,3}\s*\}?\}"
    rf"|(?-i:\(\s*(?:see\s+|cf\.\s+|e\.g\.,?\s+)?[A-Z][\w’'-]+(?:\s+et\s+al\.?|\s+(?:and|&)\s+[A-Z][\w’'-]+)?,?\s+{_YEAR}[^()\n]{{0,80}}\))"
    rf"|(?-i:\b[A-Z][\w’'-]+(?:\s+et\s+al\.?|\s+(?:and|&)\s+[A-Z][\w’'-]+)?\s+\({_YEAR}\))"
    r"|\(\s*(?:source|quelle|via)\s*:\s*[^()\n]{1,80}\)|##\d+\$\$|\[\[[^\[\]\n]{1,60}\]\]"
    r"|\b(?:[Ss]ource|[Dd]ocument|[Pp]assage|[Dd]oc|[Rr]eference)\s+#?\d{1,3}\b"
    r"|(?<=\w)[*†‡§]{1,2}(?=[\s.,;]|\Z)(?<!\*\*))"
)
_ALL = _CODE, _BRACKETS, _TAGS, _CARET, _SUPERSCRIPT, _CIRCLED, _LINKED, _BARE, _WORDED, _PARENTHESES, _UNCLEAR, _TITLED
ANY = re.compile("|".join(_ALL), re.DOTALL | re.IGNORECASE)
ITEM = re.compile(rf"(?P<first>\d+)(?:\s*(?:{_DASH}|\bto\b|⁻)\s*#?{_WORD}(?P<last>\d+))?", re.IGNORECASE)
DEFINITION = re.compile(r"(?m)^ {0,3}\[(?P<caret>\^?)(?P<label>[^\]\s^][^\]\n]{0,40}?)\^?\]:[ \t]+(?P<body>\S.*)$")
NAMED = re.compile(r"\[\^(?P<label>[^\]\s^]{1,40})\^?\]")
LIST = re.compile(
    r"\n[ \t]*(?:#{1,6}[ \t]*)?[*_]{0,2}(?:sources?|references?|citations?|bibliography|footnotes?|quellen)[*_]{0,2}"
    r"[ \t]*(?::[ \t]*)?[*_]{0,2}[ \t]*\n"
    r"(?P<lines>(?:(?:[ \t]*\n){0,3}[ \t]*(?:[-*][ \t]*)?(?:\[\^?\d{1,3}\^?\]|\d{1,3}[.)]|(?=\w[^\n]{0,160}?"
    rf"\b{_YEAR}))[^\n]*(?:\n|\Z))+)\s*\Z",
    re.IGNORECASE,
)
LISTED = re.compile(
    r"^[ \t]*(?:[-*][ \t]*)?(?:\[\^?(?P<one>\d{1,3})\^?\]|(?P<other>\d{1,3})[.)]|(?=\w)):?[ \t]*(?P<body>\S.*)$",
    re.MULTILINE,
)
BODY = re.compile(rf"(?s)^(?:\[(?P<name>[^\]\n]+)\]\((?P<link>{ADDRESS}?)\)|<?(?P<url>{ADDRESS})>?)?(?P<rest>.*)$")
UNIT = re.compile(r"(?<![^\W\d_])(?:[kcdmnµ]?m|ft|in|mi|yd|sec|cos|sin|tan)\Z")
"""Matches a unit before a raised number, which is then an exponent."""
PLAIN_LETTER = re.compile(r"(?:[a-z]|[ivx]{1,5}|\*+|†+|‡+)", re.IGNORECASE)
