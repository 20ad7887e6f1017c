"""Sizes of text and colours are named in one sheet, for light and dark; the others use the names."""

import re
from pathlib import Path

import pytest

from ui.page import static

SHEETS = sorted(Path(static.__file__).parent.glob("*.css"))
BASE = next(sheet for sheet in SHEETS if sheet.name == "1-base.css")
NAMED = re.compile(r"^(:root|\.dark) \{.*?^\}", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_no_other_sheet_names_a_size_of_text_or_a_colour(sheet: Path):
    used = NAMED.sub("", sheet.read_text(encoding="utf-8"))
    assert re.findall(r"font-size: [\d.]+(?:rem|px)|(?<![\w&(])#(?:[0-9a-f]{3}){1,2}\b(?=[;,) ])", used) == []


def test_every_name_that_is_used_is_there_in_light():
    light, dark = (part[0] for part in NAMED.finditer(BASE.read_text(encoding="utf-8")))
    named = set(re.findall(r"(--[\w-]+):", light))
    assert set(re.findall(r"(--[\w-]+):", dark)) <= named
    used = set(re.findall(r"var\((--(?:text-|space-|tone-|fill|danger|on-fill)[\w-]*)", static.style()))
    assert used <= named
