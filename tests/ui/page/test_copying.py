"""Replies as text to paste elsewhere; hostile texts stay texts in Markdown."""

import re

import pytest

from searchain.events import ReplyDelta, TracingStarted, fold
from searchain.types import Outcome, Passage, Source, Status, Support, Verdict
from tests.support.hostile import PAYLOADS
from tests.support.stories import ending, reply, started
from ui.page.turn_routes import as_markdown, formatted, with_sources


def turn(answer: str, *passages: Passage, outcome: Outcome | None = Outcome.NO_SEARCH):
    sources = tuple(
        Source(number, passage, None, 1.0, "q", Verdict.AGREED, "n1") for number, passage in enumerate(passages, 1)
    )
    said = TracingStarted(path=(), writer="model"), ReplyDelta(text=answer, sources=sources)
    return fold([*started("q"), *said, *reply((answer, Support.SUPPORTED)), ending(Status.ANSWERED, outcome)])


@pytest.mark.parametrize("payload", PAYLOADS)
def test_markdown_starts_nothing_of_its_own_and_formatted_text_has_no_markup_but_its_own(payload):
    told = turn(f"{payload} [1]".replace("\ud800", ""), Passage("p1", payload, payload, payload))
    copied = as_markdown(told)
    assert not re.search(r"(?<!\\)<(?!https?://)|(?<!\\)!\[|(?<!\\)`|\]\((?!<https?://)|[\x00\x1b]", copied)
    own = r"<(?!/?(?:p|ol|li|a)(?:>| href=\"https?://[^\"]*\">)|br />|/?(?:ul|li)>)"
    assert not re.search(own, formatted(told))


def test_formatted_text_links_each_mark_and_source_to_plain_web_addresses_alone():
    listed = turn("The headings:\n- Introduction [1].\n- Results [1].", Passage("p1", "Report", "text", "text"))
    assert "The headings:<br />\n" in formatted(listed)
    told = turn("So & so [1].", Passage("p1", "A <b>", "x", "https://example.org/a?b=1&c=2"), outcome=Outcome.SUPPORTED)
    to = '<a href="https://example.org/a?b=1&amp;c=2">'
    assert formatted(told) == (
        f"<p>So &amp; so {to}[1]</a>.</p>\n<ol>\n<li>{to}A &lt;b&gt;</a></li>\n</ol>\n<p>✓ Supported</p>\n"
    )
    for url in ("javascript:alert(1)", "https://example.org/a>b", "https://example.org/a b", "//example.org", ""):
        told = turn("So [1].", Passage("p1", "A", "x", url))
        assert (with_sources(told), as_markdown(told)) == ("So [1].\n\n[1] A", "So \\[1\\].\n\n1. A")
