"""Twenty edits of cited words are noticed, and twenty harmless edits are not, over files of several kinds."""

from dataclasses import replace

import pytest

from searchain.documents import parse_file, passages_of
from searchain.documents.recheck import Comparison, Version, cited_in, words_of
from searchain.types import Passage, Place, Span
from tests.support.written_files import Section, Written

RENT = "The monthly rent is 1,150 euros without heating."
DEPOSIT = "The tenant pays a deposit of 3,450 euros in three equal parts."
KEYS = "Ines Duarte keeps the second key of the cellar."
LEASE = Written(
    "lease",
    "Lease agreement",
    (
        Section("Rent", (f"{RENT} It is due on the third working day.", "The rent of the garage is 60 euros.")),
        Section("Deposit", (f"{DEPOSIT} It is payed back within six months.", KEYS)),
        Section("House", ("Dogs are allowed on the first floor.", "The stairs are cleaned on Fridays.")),
    ),
)
KINDS = ("txt", "md", "docx", "html")
EDITS = (
    (DEPOSIT, "3,450", "1,500", "a deposit of 1,500 euros"),
    (RENT, "without", "including", "including heating"),
    (KEYS, "Ines Duarte", "Colin Meyer", "Colin Meyer keeps"),
    (DEPOSIT, "three equal parts", "two equal parts", "in two equal parts"),
    (RENT, RENT, "", ""),
)
HARMLESS = (
    ("payed back", "paid back"),
    ("The stairs are cleaned on Fridays.", "The stairs and the yard are cleaned every Monday."),
    ("The monthly rent is", "Here is what was agreed. The monthly rent is"),
    ("a deposit of 3,450 euros", "a “deposit” of 3,450 euros"),
    ("The tenant pays a deposit", "The  Tenant pays\na deposit"),
)


def edited(before, after):
    """The lease with other words."""
    sections = (replace(s, paragraphs=tuple(p.replace(before, after) for p in s.paragraphs)) for s in LEASE.sections)
    return replace(LEASE, sections=tuple(sections))


def read(folder, written, kind):
    path = folder / f"lease.{kind}"
    path.write_bytes(replace(written, name=path.name).content)
    return parse_file(path, path.name)


def became(old, new, cited):
    """What became of a sentence, as the passage cites it that holds it, with and without the old text."""
    passage = next(one for one in passages_of(old, "d", old.version) if cited in one.text)
    start = passage.text.index(cited)
    [span] = cited_in(passage, Span(start + 4, start + 8), ())
    assert passage.text[span.start : span.end] == cited
    return [Comparison(new).now(passage, span, before) for before in (Version(old.text), None)]


@pytest.mark.parametrize("kind", KINDS)
def test_twenty_edits_of_cited_words_are_noticed(tmp_path, kind):
    old = read(tmp_path, LEASE, kind)
    for cited, before, after, now in EDITS:
        new = read(tmp_path, edited(before, after), kind)
        for found in became(old, new, cited):
            assert found.instead is not None, (before, after)
            assert now in found.instead
            assert new.text[found.start : found.end] == found.instead


@pytest.mark.parametrize("kind", KINDS)
def test_twenty_harmless_edits_alarm_nobody(tmp_path, kind):
    old = read(tmp_path, LEASE, kind)
    for before, after in HARMLESS:
        new = read(tmp_path, edited(before, after), kind)
        assert old.text != new.text or "\n" in after, (before, after)  # some readers join white space
        for cited in (RENT, DEPOSIT, KEYS):
            assert [found.instead for found in became(old, new, cited)] == [None, None], (before, after, cited)


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        ("It costs 5 € today.", "It costs 5 $ today.", False),
        ("It fell to -5 degrees.", "It fell to 5 degrees.", False),
        ("The share is 12 %.", "The share is 12.", False),
        ("押金为三千元。钥匙有两把。", "押金为三千元。钥匙有三把。", True),
        ("押金为三千元。钥匙有两把。", "押金为四千元。钥匙有两把。", False),
        ("**The deposit** is due.", "THE DEPOSIT is due!", True),
    ],
)
def test_words_are_the_same_where_only_their_dress_changes(before, after, same):
    words = [said for said, _, _ in words_of(before.partition("。")[0])]
    assert Version(after).holds(words) is same


def test_a_sentence_that_the_reply_quotes_counts_beside_the_span():
    passage = Passage("p", "Lease", f"{RENT} {DEPOSIT} {KEYS}", place=Place("d", "v", 0, 160))
    spans = cited_in(passage, Span(20, 31), [f"1,150 euros. {DEPOSIT}", DEPOSIT, "Yes."])
    assert [passage.text[one.start : one.end] for one in spans] == [RENT, DEPOSIT]
    [nearest] = cited_in(passage, None, ["A deposit of 3,450 euros is paid in parts."])
    assert passage.text[nearest.start : nearest.end] == DEPOSIT
