"""docs/prompts.md shows every prompt as it is."""

import re

from lab import prompts

SIZES = re.compile(r"\| \d+ \| [\d–]+ \|$", re.MULTILINE)


def test_the_page_is_up_to_date_except_for_the_counts():
    written = (prompts.DOCS / "prompts.md").read_text(encoding="utf-8")
    assert SIZES.sub("", written) == SIZES.sub("", prompts.page(len))
