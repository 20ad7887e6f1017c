"""Replies to questions for what holds now, with the date of what they cite."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from searchain.assemble import parts
from searchain.documents.parsed import OwnFile, ParsedDocument
from searchain.events import ReplyDelta, fold
from searchain.reply.dating import Dating, date_of
from searchain.types import Passage, RivalAnswer, Source, Span, Status, Verdict
from tests.support.own_passages import document
from tests.support.stories import ending

ARTICLE = Passage("acme", "Acme", "Acme makes tools. Ada Holm leads it. In 2011 it had 40 workshops.")


class Head:
    def kind_of(self, question):
        return "now" if question == "now" else None


def file_of(text, *, name="fees.txt", changed=None):
    parsed = ParsedDocument(name, "txt", "v", 1, "toy", name, text, (), changed=changed)
    return OwnFile("fees", name, None, "2026-01-01", lambda: parsed)


def as_of(*quotes, question="now", date="2026-08", files=None, **more):
    """Return the date of a reply that cites ``quotes``: (passage, words of it)."""
    sources = []
    for number, (passage, words) in enumerate(quotes, 1):
        start = passage.text.index(words)
        span = Span(start, start + len(words))
        sources.append(Source(number, passage, span, 1.0, question, Verdict.COMPLETED, "n1"))
    end = ending(Status.ANSWERED, final_answer=more.pop("answer", "x"), **more)
    events = iter([ReplyDelta(text="x", sources=tuple(sources)), end])
    return fold(Dating(Head(), lambda: files or {}, date).events(question, events)).as_of


def test_a_reply_has_the_date_of_what_it_cites_only_if_the_question_asks_for_what_holds_now():
    quote = (ARTICLE, "Ada Holm")
    assert as_of(quote) == "2026-08"
    assert as_of(quote, question="then") is None
    assert as_of(quote, date=None) is None
    assert as_of(quote, answer="") is None
    assert as_of(quote, conflict=(RivalAnswer("x", (1,)),)) is None
    assert as_of() is None


@pytest.mark.parametrize(
    ("sentence", "words", "date"),
    [
        ("As of May 2023, it has 12 members.", "12", "2023-05"),
        ("It had 40 members at the 2021 census.", "40", None),
        ("Ada Holm led it until 2011.", "Ada Holm", None),
        ("Minutes of 5 May 2024\nThe chair is Ada Holm.", "Ada Holm", "2026-08"),
        ("The next meeting is on 4 May 2027.", "4 May 2027", "2026-08"),
    ],
)
def test_a_sentence_that_states_a_date_speaks_for_itself(sentence, words, date):
    assert as_of((replace(ARTICLE, text=f"Acme makes tools since 1902. {sentence}"), words)) == date


def test_what_holds_by_several_sources_has_the_oldest_date():
    (own,) = document("fees", "Acme costs 40 euros.", title="Fees of May 2024")
    assert as_of((ARTICLE, "Ada Holm"), (own, "40 euros")) == "2024-05"
    (undated,) = document("rules", "Acme costs 40 euros.", title="Rules")
    assert as_of((ARTICLE, "Ada Holm"), (undated, "40 euros")) is None


@pytest.mark.parametrize(
    ("name", "text", "changed", "date"),
    [
        ("fees_20240601.txt", "Fees\n\nAcme costs 40 euros.", "2025-02-03", "2024-06-01"),
        ("fees.txt", "Fees from May 2023\n\nAcme costs 40 euros.", "2025-02-03", "2023-05"),
        ("fees.txt", "Fees\n\nAcme costs 40 euros.", "2025-02-03", "2025-02-03"),
        ("fees.txt", "In 1911 the club was founded by the three sisters of the first mayor of the town.", None, None),
    ],
)
def test_a_file_is_dated_by_its_name_or_heading_else_by_its_metadata(name, text, changed, date):
    (own,) = document("fees", "Acme costs 40 euros.", title="Fees")
    file = file_of(text, name=name, changed=changed)
    assert date_of(own, file) == date
    assert as_of((own, "40 euros"), files={"fees": file}) == date


@pytest.mark.parametrize(
    ("index", "files", "date"),
    [
        ("default", (), "2026-08"),
        ("default+c-01m8k1hah9a4hye3w5sf18bvm3", (), "2026-08"),
        ("wiki", ("enwiki-20240601-pages.xml.bz2",), "2024-06-01"),
        ("wiki", ("enwiki-20240601-pages.xml.bz2", "default"), "2024-06-01"),
        ("wiki", ("enwiki-20240601-pages.xml.bz2", "notes.txt"), None),
        ("c-01m8k1hah9a4hye3w5sf18bvm3", (), None),
    ],
)
def test_an_index_has_the_oldest_date_in_the_names_of_its_files(monkeypatch, index, files, date):
    monkeypatch.setattr(parts.registry, "get", lambda name: SimpleNamespace(sources=files))
    assert parts.date_of(index) == date
