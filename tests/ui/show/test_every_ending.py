"""Every row of the table of outcomes, wherever people and programs meet a turn: the tick stands for supported alone."""

import csv
import io
import json
import re
from dataclasses import dataclass, replace
from html import unescape
from types import SimpleNamespace

import pytest

from assistant import Assistant
from searchain.events import ReplyDelta, TracingStarted, Turn, fold
from searchain.reply.outcome import message_of
from searchain.settings import Settings
from searchain.turn_json import as_json
from searchain.types import Outcome, Passage, Place, RivalAnswer, Source, Status, Support, Verdict
from storage.database import Database
from storage.history import finished_turns, listing
from storage.log import event_log, verify
from tests.support import shell
from tests.support.stories import QUESTION, ending, nintendo, reply, started, unrated
from tests.support.story_runs import StoryPlayer, store_run
from ui.api import openai_values
from ui.exports.formats import FORMATS
from ui.page import transcript, turn_routes
from ui.show import labels, terminal
from ui.show.labels import odds, outcome, rated
from ui.translation import speaking

*TOLD, END = nintendo()
TICK = "✓"


@dataclass(frozen=True)
class Case:
    """A row of the table: the events of such a turn, what programs read of it, and what people do."""

    events: tuple
    status: str | None
    outcome: str | None
    line: str
    """How the page tells it; ``""``: nothing at all."""


def ended(status, outcome=None, probability=None, final_answer="Honshu"):
    return (*TOLD, replace(END, status=status, outcome=outcome, probability=probability, final_answer=final_answer))


def greeting():
    text = "Hello! Ask me something that a library could know."
    said = TracingStarted(path=(), writer="template"), ReplyDelta(text=text), *reply((text, Support.OWN))
    return (started("hello")[0], *said, ending(Status.ANSWERED, Outcome.NO_SEARCH))


def without_search():
    first, *rest = ended(Status.PARTIAL, Outcome.UNRATED)
    return (replace(first, settings={"use_ir": False}), *rest)


CASES = {
    "supported": Case(nintendo(), "answered", "supported", "✓ Supported: Honshu"),
    "unsure": Case(ended(Status.PARTIAL, Outcome.UNSURE, 0.4), "partial", "unsure", "? Not sure: Honshu"),
    "perhaps": Case(ended(Status.PARTIAL, Outcome.UNSURE, 0.39), "partial", "unsure", "? Perhaps: Honshu"),
    "quoted": Case(ended(Status.ANSWERED, Outcome.QUOTED), "answered", "quoted", "❝ Quoted: Honshu"),
    "not found": Case(
        ended(Status.NOT_FOUND, Outcome.NOT_FOUND, final_answer=""), "not_found", "not_found", "– Not found"
    ),
    "small talk": Case(greeting(), "answered", "no_search", ""),
    "stopped": Case(ended(Status.STOPPED, final_answer=""), "stopped", None, "■ Stopped"),
    "failed": Case(ended(Status.FAILED, final_answer=""), "failed", None, "! Could not go on"),
    "interrupted": Case(ended(Status.INTERRUPTED, final_answer=""), "interrupted", None, "■ Interrupted"),
    "running": Case(tuple(TOLD), None, None, ""),
    "stored before, answered": Case(unrated(nintendo()), "answered", None, "– Not rated: Honshu"),
    "stored before, partial": Case(unrated(ended(Status.PARTIAL)), "partial", None, "– Not rated: Honshu"),
    "without search": Case(without_search(), "partial", "unrated", "– Not rated: Honshu"),
}
OVER = {name: case for name, case in CASES.items() if case.status is not None}
REPLIED = {name: case for name, case in OVER.items() if case.status in ("answered", "partial", "not_found")}


def each(cases):
    return pytest.mark.parametrize("case", cases.values(), ids=cases)


def text(html: str) -> str:
    return " ".join(unescape(re.sub("<[^>]+>", " ", html)).split())


def exported(store: Database, format: str) -> str:
    return "".join(FORMATS[format].write(finished_turns.records(store)))


def has_tick(shown: str, case: Case, *, of_sentences: bool = False) -> bool:
    """Whether the tick is as it must be: there for a supported reply, and for sentences that their sources say."""
    turn = fold(case.events)
    signs = [rated(turn, sentence) for sentence in turn.sentences] if of_sentences else []
    return (TICK in shown) == (case.outcome == "supported" or any(sign and sign.icon == TICK for sign in signs))


@each(CASES)
def test_words_and_page(case: Case):
    turn = fold(case.events)
    told = as_json(turn, conversation="c", turn_id="t")
    assert (told["status"], told["outcome"]) == (case.status, case.outcome)
    label = labels.ended(turn)
    assert (f"{label.icon} {outcome(turn)}" if label else outcome(turn)) == case.line
    shown = transcript.messages("t1", turn)
    page = " ".join(text(message["content"]) for message in shown)
    told = re.search(r'<div class="outcome is-([\w-]+)">(.*?)</div>', shown[-1]["content"])
    words, _, answer = case.line.partition(": ")
    assert bool(told) == bool(case.line)
    assert not told or text(told[2]).startswith(words)
    assert not answer or text(shown[-1]["content"]).startswith(answer) == (words != "? Perhaps")
    assert has_tick(page, case, of_sentences=True)
    assert ("is-supported" in shown[-1]["content"]) == (case.outcome == "supported")


@each(OVER)
def test_shared_and_exported_pages(case: Case, store):
    store_run(store, case.events)
    html, markdown = exported(store, "html"), exported(store, "markdown")
    body = text(html.partition("</head>")[2])
    word, _colon, answer = case.line.partition(": ")
    assert word in body
    assert not answer or (f"{answer} {word}" in body) == (word != "? Perhaps")
    assert has_tick(body, case, of_sentences=True)
    words = case.line[2:]
    assert (f"**{words}**" in markdown) == bool(words)
    is_checked = case.outcome in ("supported", "quoted", "unsure", "unrated")
    assert ("*(its source says it)*" in markdown) == ("*(from the model)*" in markdown) == is_checked
    assert list(verify.verify(store)) == []


@each(OVER)
def test_tables_lists_and_exports_for_programs(case: Case, store):
    turn = store_run(store, case.events).turn
    [row] = listing.latest(store, -1)
    assert (row.status, row.outcome) == (case.status, case.outcome)
    assert row.probability == event_log.turn(store, turn).probability

    def logs(*args):
        status, out, err = shell.told("logs", *args, db=store.path)
        assert status == 0, err
        return out

    for args in (["list"], ["show", turn], ["replay", turn, "--speed", "0"], ["tail", turn]):
        assert has_tick(logs(*args), case)
    for told in map(json.loads, (logs("list", "--json"), logs("show", turn, "--json"))):
        assert (told["status"], told["outcome"]) == (case.status, case.outcome)
    if case.outcome == "supported":
        assert told["probability"] == 0.91
        assert [sentence["probability"] for sentence in told["sentences"]] == [0.93, 0.91, None]
        assert [source["probability"] for source in told["sources"]] == [0.93, 0.91]
        assert [node["probability"] for node in told["tree"]["nodes"]] == [0.93, None, 0.93, 0.91]
    if case.outcome == "no_search":
        assert (told["sources"], told["final_answer"], told["probability"]) == ([], "", None)
    if case.line:
        assert case.line.partition(":")[0] in logs("list")
    turn = event_log.turn(store, turn)
    sentence = turn.sentences[0].probability
    [first, *_] = csv.DictReader(io.StringIO(exported(store, "csv")))
    assert (first["status"], first["outcome"]) == (case.status, case.outcome or "")
    assert first["probability"] == ("" if turn.probability is None else str(turn.probability))
    assert first["sentence_probability"] == ("" if sentence is None else str(sentence))
    assert first["source_probability"] == (str(turn.sources[0].probability or "") if turn.sources else "")
    [item] = json.loads(exported(store, "alce"))["data"]
    assert (item["outcome"], item["probability"]) == (case.outcome, turn.probability)
    assert {"id", "question", "output", "docs"} < set(item)


@each(REPLIED)
def test_shell(case: Case, tmp_path):
    def opened(*, db, **named):
        return Assistant(Database(db), StoryPlayer(lambda question: case.events), Settings())

    asked = shell.run("ask", QUESTION, db=tmp_path / "chat.db", obj=opened)
    assert asked.exit_code == 0
    assert has_tick(asked.stdout + asked.stderr, case)
    *_, end, go_on = [line for line in asked.stderr.splitlines() if line]
    assert end.startswith(case.line.partition(":")[0])
    assert go_on.startswith("to go on")
    printed = shell.run("ask", QUESTION, "--json", db=tmp_path / "chat.db", obj=opened)
    assert (json.loads(printed.stdout)["status"], json.loads(printed.stdout)["outcome"]) == (case.status, case.outcome)


@each(REPLIED)
def test_openai(case: Case):
    turn = fold(case.events)
    asked = SimpleNamespace(wants_sources=False, wants_usage=False, model=openai_values.MODEL)
    written = openai_values.Completion(asked, SimpleNamespace(turn="t", conversation="c"))
    last_chunk = written.end(turn).partition("\n")[0].removeprefix("data: ")
    for told in (json.dumps(written.whole(turn)), last_chunk):
        about = json.loads(told)["searchain"]
        assert (about["status"], about["outcome"]) == (case.status, case.outcome)
        assert about["probability"] == turn.probability


@each(OVER)
def test_copies(case: Case):
    turn = fold(case.events)
    for form in (turn_routes.with_sources, turn_routes.as_markdown):
        assert has_tick(form(turn), case)
        last = form(turn).split("\n")[-1].removeprefix("\\")  # which keeps a sign from being Markdown's
        assert last.startswith(case.line.partition(":")[0])
    assert TICK not in turn_routes.text(turn)
    assert turn_routes.text(turn).endswith(" (not sure)") == (case.outcome == "unsure")


@pytest.mark.parametrize(
    ("outcome", "probability", "words"),
    [
        (Outcome.UNSURE, 0.58, "about 6 in 10 such answers are right"),
        (Outcome.UNSURE, 0.39, "about 4 in 10 such answers are right"),
        (Outcome.UNSURE, 0.02, "under 1 in 10 such answers is right"),
        (Outcome.UNSURE, 0.78, "about 8 in 10 such answers are right; a tick needs more"),
        (Outcome.UNSURE, 0.88, "about 9 in 10 such answers are right; a tick needs more"),
        (Outcome.UNSURE, None, ""),
        (Outcome.QUOTED, None, ""),
        (Outcome.SUPPORTED, 0.97, "over 9 in 10 such answers are right"),
        (Outcome.NOT_FOUND, 0.3, ""),
    ],
)
def test_how_many_such_answers_are_right(outcome, probability, words):
    assert odds(outcome, probability) == words


@pytest.mark.parametrize(("doubt", "needs_more"), [("", True), ("a step stayed open", False)])
def test_a_likely_reply_needs_a_higher_probability_unless_something_else_is_in_doubt(doubt, needs_more):
    message = message_of(Outcome.UNSURE, doubt)
    turn = Turn(status=Status.PARTIAL, outcome=Outcome.UNSURE, probability=0.88, message=message)
    assert labels.sureness(turn).endswith("a tick needs more") is needs_more


def test_a_reply_whose_sources_differ_says_so_and_one_about_what_holds_now_its_date():
    own, rivals = Place("b", "v", 0, 1), (RivalAnswer("1", (1,)), RivalAnswer("2", (2,)))
    for places, words in (
        ((Place("a", "v", 0, 1), own), "Your documents differ"),
        ((None, None), "The articles differ"),
        ((None, own), "Your documents and the articles differ"),
    ):
        passages = [Passage("p", "T", "x", place=place) for place in places]
        sources = (Source(n, one, None, 1.0, "q", Verdict.COMPLETED, "n1") for n, one in enumerate(passages, 1))
        turn = Turn(sources=tuple(sources), conflict=rivals, status=Status.PARTIAL, outcome=Outcome.UNSURE)
        assert (labels.sureness(turn), labels.sureness(replace(turn, conflict=()))) == (words, "")
    for language, date, words in (
        ("en", "2024-06", "as of June 2024"),
        ("en", "2024-06-03", "as of June 3, 2024"),
        ("de", "2024-06", "Stand Juni 2024"),
        ("zh-CN", "2024", "截至2024年"),
        ("en", "850-03", "as of 850-03"),
    ):
        turn = Turn(status=Status.ANSWERED, outcome=Outcome.SUPPORTED, probability=0.93, as_of=date)
        with speaking(language):
            assert labels.sureness(turn) == f"{words} · {odds(Outcome.SUPPORTED, 0.93)}"


def test_how_sure_a_reply_is_reads_the_same_everywhere(store):
    turn = event_log.turn(store, store_run(store, ended(Status.PARTIAL, Outcome.UNSURE, 0.31)).turn)
    words = "about 3 in 10 such answers are right"
    page = transcript.messages("t1", turn)[-1]["content"]
    html, markdown = exported(store, "html"), exported(store, "markdown")
    for told in (page, html, markdown, turn_routes.with_sources(turn), terminal.rating(turn)):
        assert words in told
    assert all("is-perhaps" in shown for shown in (page, html))
    assert "%" not in html.partition('<details class="details">')[0].partition("<body>")[2]
    assert "How sure: about 3 in 10 (31 %)" in html
    assert "How sure about 3 in 10 (31 %)" in text(page)
