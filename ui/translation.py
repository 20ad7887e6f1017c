"""Translations of the page's texts to the reader's language, from gettext catalogues.

The code has English texts and looks up their translations when it shows them. A language is one file such as
``ui/locale/de.po``, which needs no compiling. Texts for programs and exports stay English.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date
from functools import cache
from gettext import GNUTranslations, NullTranslations
from http.cookies import CookieError, SimpleCookie
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from babel.messages import Catalog

ENGLISH = "en"
COOKIE = "searchain_language"
"""The cookie with the language chosen in the menu; without it, the browser's languages count."""
_FOLDER = Path(__file__).parent / "locale"
_LANGUAGE: ContextVar[str] = ContextVar("language", default=ENGLISH)
_MANY = 10  # the most languages of a browser that are considered


def _(message: str, /, **values: object) -> str:
    """Translate ``message`` to the present language, and replace its ``{names}`` by ``values``."""
    said = _translations(_LANGUAGE.get()).gettext(message) if message else ""  # that of the empty text is the head
    return said.format_map(values) if values else said


def n_(one: str, many: str, count: int, /, **values: object) -> str:
    """Translate a message in the plural form for ``count``, which is ``{n}`` in the message."""
    said = _translations(_LANGUAGE.get()).ngettext(one, many, count)
    return said.format_map({"n": number(count), **values})


def number(value: float, digits: int = 0) -> str:
    """Write ``value`` as the language does (``1.200,5``), with ``digits`` decimals, else with those it has."""
    from babel.numbers import format_decimal  # here, so that a command that shows no number starts sooner

    pattern = f"#,##0.{'0' * digits or '######'}"
    return format_decimal(value, pattern, locale=_LANGUAGE.get().replace("-", "_"))


def day(known: str) -> str:
    """Write a date as the language does: ``2024-06`` as ``June 2024`` or ``2024年6月``. What is not a date stays."""
    from babel.dates import format_date, format_skeleton  # here, so that a command that shows no date starts sooner

    try:
        at, locale = date.fromisoformat(f"{known}-01-01"[:10]), _LANGUAGE.get().replace("-", "_")
    except ValueError:
        return known
    if len(known) == len("2024-06-03"):
        return format_date(at, "long", locale=locale)
    return format_skeleton("yMMMM" if "-" in known else "y", at, locale=locale)


def N_(message: str) -> str:
    """Mark ``message`` for translation, which happens when it is shown."""
    return message


def language() -> str:
    """Return the tag of the present language: ``en``, ``zh-CN``."""
    return _LANGUAGE.get()


@contextmanager
def speaking(tag: str) -> Iterator[None]:
    """Use the language ``tag`` within the block."""
    token = _LANGUAGE.set(tag)
    try:
        yield
    finally:
        _LANGUAGE.reset(token)


@cache
def languages() -> dict[str, str]:
    """Map the tags of all languages to their own names."""
    tags = sorted(file.stem.replace("_", "-") for file in _FOLDER.glob("*.po"))
    return {tag: _own_name(tag) for tag in (ENGLISH, *tags)}


def _own_name(tag: str) -> str:
    from babel import Locale  # here, because the command line speaks English

    locale = Locale.parse(tag, sep="-")
    in_script = locale.languages.get(f"{locale.language}_{locale.script}")  # zh-CN is zh_Hans, 简体中文
    return in_script or locale.get_display_name() or tag


def language_of(headers: Mapping[str, str]) -> str:
    """Return the language chosen on the page, else the first of the browser's languages that has a catalogue."""
    try:
        chosen = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        chosen = None
    if chosen is not None and chosen.value in languages():
        return chosen.value
    accepted = headers.get("accept-language", "")
    asked = re.findall(r"([A-Za-z]{2,3}(?:-[A-Za-z0-9]+)*)\s*(?:;\s*q=([01](?:\.\d+)?))?", accepted)
    ranked = sorted(asked[:_MANY], key=lambda one: -float(one[1] or 1))
    return next((found for tag, _weight in ranked if (found := _nearest(tag))), ENGLISH)


def _nearest(tag: str) -> str | None:
    """Return the language of ``tag``, else a variant of it: Chinese in another script is better than English."""
    tags = {known.lower(): known for known in languages()}
    tag = tag.lower()
    same = (known for small, known in tags.items() if small.partition("-")[0] == tag.partition("-")[0])
    return tags.get(tag) or next(same, None)


@cache
def script_words(tag: str, room: str) -> str:
    """Return the texts of the scripts in ``room`` (``ui/page/``) as JSON, from English to the language ``tag``."""
    said = {
        message.id: message.string
        for message in _catalogue(tag) or ()
        if isinstance(message.id, str)
        and any(file.startswith(room) and file.endswith(".js") for file, _line in message.locations)
    }
    return json.dumps(said, ensure_ascii=False)


@cache
def _catalogue(tag: str) -> Catalog | None:
    """Read the catalogue of ``tag``; ``None`` for English, or if there is no catalogue."""
    file = _FOLDER / f"{tag.replace('-', '_')}.po"
    if tag == ENGLISH or not file.is_file():
        return None
    from babel.messages.pofile import read_po  # here, because the command line speaks English

    with file.open("rb") as lines:
        return read_po(lines)


@cache
def _translations(tag: str) -> NullTranslations:
    catalogue = _catalogue(tag)
    if catalogue is None:
        return NullTranslations()
    from babel.messages.mofile import write_mo

    compiled = BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return GNUTranslations(compiled)
