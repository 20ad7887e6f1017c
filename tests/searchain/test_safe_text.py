import re

import pytest

from searchain.safe_text import escape, web_address
from tests.support.hostile import CORPUS
from tests.support.json_lines import kept


@pytest.mark.parametrize("text", CORPUS)
def test_escaped_text_has_nothing_to_start_markup_with_and_reads_as_before(text: str):
    escaped = escape(text)
    assert not re.search(
        r"[<>\"'`*_\[\]{}$\\~|\n\r\t\u2028\u2029]|&(?!#\d+;)|[\u202a-\u202e\u2066-\u2069\x00-\x1f\x7f-\x9f]", escaped
    )
    seen = re.sub("[\x80-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", "\ufffd", text)
    pictured = re.sub(r"[\x00-\x08\x0b\x0c\x0e-\x1f]", lambda c: chr(0x2400 + ord(c[0])), seen).replace(
        "\x7f", "\u2421"
    )
    assert re.sub(r"&#(\d+);", lambda entity: chr(int(entity[1])), escaped) == pictured


def test_escaping_keeps_ordinary_text_readable():
    assert escape("Kyoto (京都), 1.46 million - 20% of it?") == "Kyoto (京都), 1.46 million - 20% of it?"


@pytest.mark.parametrize(("url", "address"), kept("web-addresses.json"))
def test_only_plain_web_addresses_become_links(url, address):
    assert web_address(url) == address
