"""docs/prompts.md shows every prompt as it is."""

import re

from lab import prompts
from searchain.chain.prompts import FOLDER, names

SIZES = re.compile(r"\| \d+ \| [\d–]+ \|$", re.MULTILINE)


def test_the_page_is_up_to_date_except_for_the_counts():
    written = (prompts.DOCS / "prompts.md").read_text(encoding="utf-8")
    assert SIZES.sub("", written) == SIZES.sub("", prompts.page(len))


def test_the_page_counts_and_links_each_prompt():
    page = prompts.page(len)
    for name in names():
        assert f"\n## {name}\n" in page
        assert f"| [{name}](#{name}) | " in page
    size = len((FOLDER / "multihop.md").read_text().strip())
    brief = len((FOLDER / "brief" / "multihop.md").read_text().strip())
    assert f"| – | {size} | {brief} |" in page


def test_every_described_prompt_exists():
    assert {prompts._kind(name) for name in names()} == set(prompts.PROMPTS)
