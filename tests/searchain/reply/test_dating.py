"""Replies to questions for what holds now, with the date of what they cite."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from searchain.assemble import parts
from searchain.documents.parsed import OwnFile, ParsedDocument
from searchain.events import ReplyDelta, TracingStarted, fold
from searchain.reply.dating import Dating, date_of
from searchain.reply.outcome import OTHER_TIME
from searchain.types import Outcome, Passage, Place, RivalAnswer, Source, Span, Status, Verdict
from tests.support.json_lines import kept
from tests.support.own_passages import document
from tests.support.stories import ending

ARTICLE = Passage("acme", "Acme", "Acme makes tools. Ada Holm leads it. In 2011 it had 40 workshops.")


class Head:
    def kind_of(self, question, least=0.9):
        return "now" if {"now": 0.95, "perhaps now": 0.5}.get(question, 0.1) >= least else None


def file_of(text, *, name="fees.txt", changed=None, read=None):
    parsed = ParsedDocument(name, "txt", "v", 1, "toy", name, text, (), changed=changed)
    return OwnFile("fees", name, None, "2026-01-01", read or (lambda: parsed))


def as_of(*quotes, **more):
    """Return the date of a reply that cites ``quotes``."""
    return reply(*quotes, **more).as_of


def reply(*quotes, question="now", date="2026-08", files=dict, before=(), outcome=None, **more):
    """Return a reply that cites ``quotes``, (passage, words of it), behind the events ``before``."""
    sources = []
    for number, (passage, words) in enumerate(quotes, 1):
        start = passage.text.index(words)
        span = Span(start, start + len(words))
        sources.append(Source(number, passage, span, 1.0, question, Verdict.COMPLETED, "n1"))
    end = ending(Status.ANSWERED, outcome, final_answer=more.pop("answer", "x"), **more)
    events = iter([*before, ReplyDelta(text="x", sources=tuple(sources)), end])
    return fold(Dating(Head(), files, date).events(question, events))


def test_a_reply_has_the_date_of_what_it_cites_only_if_the_question_asks_for_what_holds_now():
    quote = (ARTICLE, "Ada Holm")
    assert as_of(quote) == "2026-08"
    assert as_of(quote, question="then") is None
    assert as_of(quote, question="perhaps now") is None
    assert as_of(quote, date=None) is None
    assert as_of(quote, answer="") is None
    assert as_of(quote, conflict=(RivalAnswer("x", (1,)),)) is None
    assert as_of() is None


@pytest.mark.parametrize(("sentence", "words", "date"), kept("dates.json")["sentences"])
def test_a_sentence_that_states_a_date_speaks_for_itself(sentence, words, date):
    assert as_of((replace(ARTICLE, text=f"Acme makes tools since 1902. {sentence}"), words)) == date


@pytest.mark.parametrize(
    ("sentence", "question", "outcome"),
    [
        ("Ada Holm led it until 2011.", "now", Outcome.UNSURE),
        ("Ada Holm led it until 2011.", "perhaps now", Outcome.UNSURE),
        ("Ada Holm led it until 2011.", "then", Outcome.SUPPORTED),
        ("Ada Holm leads it.", "now", Outcome.SUPPORTED),
        ("As of May 2023, Ada Holm leads it.", "now", Outcome.SUPPORTED),
    ],
)
def test_a_sentence_about_another_time_does_not_support_what_holds_now(sentence, question, outcome):
    quote = (replace(ARTICLE, text=sentence), "Ada Holm")
    turn = reply(quote, question=question, outcome=Outcome.SUPPORTED, probability=0.98, date=None)
    assert turn.outcome is outcome
    is_supported = outcome is Outcome.SUPPORTED
    assert (turn.status is Status.ANSWERED, turn.probability, turn.message) == (
        (True, 0.98, "") if is_supported else (False, None, OTHER_TIME)
    )
    assert reply(quote, outcome=Outcome.UNRATED).outcome is Outcome.UNRATED
    own = (replace(ARTICLE, text=sentence, place=Place("d", "0" * 64, 0, len(sentence))), "Ada Holm")
    assert reply(own, question=question, outcome=Outcome.SUPPORTED, probability=0.98).outcome is Outcome.SUPPORTED


def test_the_reply_that_a_review_replaces_is_not_dated():
    old = Source(1, replace(ARTICLE, text="Ada Holm led it until 2011."), Span(0, 8), 1.0, "", Verdict.COMPLETED, "n1")
    before = (ReplyDelta(text="x", sources=(old,)), TracingStarted(path=(), writer="template"))
    assert as_of((ARTICLE, "Ada Holm"), before=before) == "2026-08"


def test_the_files_are_listed_and_read_once_a_reply():
    done = []
    parsed = file_of("Fees\n\nAcme costs 40 euros.", changed="2025-02-03").read()
    file = file_of("", read=lambda: done.append("read") or parsed)
    passages = document("fees", "Acme costs 40 euros.", "It takes 3 days.", title="Fees")
    quotes = [(passage, passage.text[:4]) for passage in passages]
    assert as_of(*quotes, files=lambda: done.append("listed") or {"fees": file}) == "2025-02-03"
    assert done == ["listed", "read"]
    done.clear()
    named = replace(file, name="fees_20240601.txt")
    assert as_of(*quotes, files=lambda: {"fees": named}) == "2024-06-01"
    assert not done


def test_what_holds_by_several_sources_has_the_oldest_date():
    (own,) = document("fees", "Acme costs 40 euros.", title="Fees of May 2024")
    assert as_of((ARTICLE, "Ada Holm"), (own, "40 euros")) == "2024-05"
    (undated,) = document("rules", "Acme costs 40 euros.", title="Rules")
    assert as_of((ARTICLE, "Ada Holm"), (undated, "40 euros")) is None


@pytest.mark.parametrize(("name", "text", "changed", "date"), kept("dates.json")["files"])
def test_a_file_is_dated_by_its_name_or_heading_else_by_its_metadata(name, text, changed, date):
    (own,) = document("fees", "Acme costs 40 euros.", title="Fees")
    file = file_of(text, name=name, changed=changed)
    assert date_of(own, file) == date
    assert as_of((own, "40 euros"), files=lambda: {"fees": file}) == date


@pytest.mark.parametrize(("index", "files", "date"), kept("dates.json")["indexes"])
def test_an_index_has_the_oldest_date_in_the_names_of_its_files(monkeypatch, index, files, date):
    monkeypatch.setattr(parts.registry, "get", lambda name: SimpleNamespace(sources=files))
    assert parts.date_of(index) == date
