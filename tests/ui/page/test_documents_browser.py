"""Own documents in a real browser: dropped on the page, asked, and the cited words marked in the original."""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw, ImageFont
from playwright.sync_api import Browser, Page, expect

from searchain.documents import passages_of
from searchain.events import Event
from storage.collections import access as collections
from storage.collections import documents, ticks
from storage.collections.files import Files
from storage.database import Database
from tests.searchain.documents.test_office_kinds import WORDS
from tests.support.asked_documents import files
from tests.support.browser import opened_page
from tests.support.chat_page import DESK, PHONE_IN_THE_DARK, ask_to_end, wait_for
from tests.support.judged_runs import judged
from tests.support.retrieval_home import share_models
from tests.support.served_page import ServedPage, served_page
from tests.support.stories import QUESTION, citing, everest, not_found
from tests.support.story_runs import StoryPlayer, store_run
from tests.support.waiting import until


def quoting(store: Database, quote: str) -> Sequence[Event]:
    """A run that finds ``quote`` in the first document that has it."""
    for collection in collections.every(store, "local"):
        for one in documents.of_collection(store, collection.id):
            parsed = Files(store).parsed(one.sha256, one.type or "")
            for passage in passages_of(parsed, one.id, one.sha256) if parsed else ():
                if quote in passage.text:
                    return citing((passage, quote), question="Who?")
    raise AssertionError(f"no document holds {quote!r}")


def page_over(store: Database, player: StoryPlayer, **runs: Any) -> AbstractContextManager[ServedPage]:
    """Serve a page with own documents."""
    return served_page(store.path.parent, people={}, player=player, runs=runs, library=True)


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    home = share_models(tmp_path_factory.mktemp("own") / "home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SEARCHAIN_HOME", str(home))
        store = Database(home / "page.db")
        told = StoryPlayer(lambda asked: not_found(asked) if "Atlantis" in asked else quoting(store, asked))
        with page_over(store, told) as served:
            yield served.url


def drop(page: Page, *paths: Path) -> None:
    """Drop files on the page, as the system's file manager does, while the page replaces what lies under the pointer."""
    devtools = page.context.new_cdp_session(page)
    data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
    under = page.evaluate_handle("document.elementFromPoint(190, 300)")
    for step in ("dragEnter", "dragOver", "drop"):
        if step == "drop":
            under.evaluate("(one) => one.replaceWith(one.cloneNode(true))")
        devtools.send("Input.dispatchDragEvent", {"type": step, "x": 190, "y": 300, "data": data})
    devtools.detach()


@pytest.mark.parametrize(
    "view", [pytest.param(DESK, id="desk"), pytest.param(PHONE_IN_THE_DARK, id="phone", marks=pytest.mark.slow)]
)
def test_a_dropped_file_is_asked_and_its_words_are_marked(browser: Browser, url: str, tmp_path: Path, view: dict):
    for name in ("bees.pdf", "lease.docx"):
        (tmp_path / name).write_bytes(files()[name])
    (tmp_path / "empty.txt").write_text("\n")
    with opened_page(browser, url, **view) as page:
        drop(page, *(tmp_path / name for name in ("bees.pdf", "lease.docx", "empty.txt")))
        rows = page.locator("#documents li li")
        expect(rows.filter(has_text="bees.pdf")).to_contain_text("ready, 3 pages", timeout=300_000)
        expect(rows.filter(has_text="lease.docx")).to_contain_text("ready", timeout=300_000)
        expect(rows.filter(has_text="empty.txt")).to_contain_text("no text: The file holds no text.")
        expect(page.locator("#documents .collections > li > label input")).to_be_checked()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.keyboard.press("Escape")
        expect(page.locator("#documents-toggle .changed")).to_have_text("3")
        where = "The answer is looked up in your documents “My documents” (3 documents)."
        expect(page.locator("#chat .welcome .where")).to_have_text(where)
        expect(page.get_by_role("textbox", name="Question")).to_have_attribute("placeholder", "Ask your documents")
        expect(page.locator("#chat .examples")).to_be_hidden()  # they ask the encyclopedia
        page.goto(url)
        expect(page.locator("#documents-toggle .changed")).to_have_text("3")  # a new conversation keeps it

        ask_to_end(page, "Bruno Castell")
        shown = opened(page)
        expect(shown.locator(".where")).to_have_text("page 2 of 3 · bees.pdf")
        page.wait_for_function("document.querySelector('#original img')?.naturalWidth > 300")
        box, sheet = shown.locator(".box").bounding_box(), shown.locator(".sheet").bounding_box()
        # the left of two columns, which goes from 60 to 290 of 612 points, and there the upper half
        left, right = ((at - sheet["x"]) / sheet["width"] for at in (box["x"], box["x"] + box["width"]))
        assert 0.09 < left < right < 0.48
        assert 0.14 < (box["y"] - sheet["y"]) / sheet["height"] < 0.35
        expect(shown.locator(".box")).to_be_in_viewport()
        height = shown.locator(".box").bounding_box()["height"]
        assert height > 9  # pixels: words that can be read, on a phone too
        if view is PHONE_IN_THE_DARK:
            assert_two_lines(page)
        button = shown.locator("button.size")
        is_growing = button.inner_text() == "Larger"
        button.click()
        expect(button).to_have_text("Whole page" if is_growing else "Larger", use_inner_text=True)
        expect(shown.locator(".box")).to_be_in_viewport()
        assert (shown.locator(".box").bounding_box()["height"] > height) is is_growing
        page.route("**/place?page=3", lambda route: route.fulfill(status=503, json={"error": "Busy."}), times=1)
        shown.get_by_role("button", name="Next page").click()
        expect(shown.get_by_role("alert")).to_have_text("Busy.")
        shown.get_by_role("button", name="Next page").click()
        expect(shown.locator(".where")).to_have_text("page 3 of 3 · bees.pdf")
        expect(shown.locator(".box")).to_have_count(0)
        page.keyboard.press("Escape")
        expect(shown).to_have_count(0)
        page.keyboard.press("Escape")  # on a phone the sources lie over the chat
        expect(page.locator(".has-sheet")).to_have_count(0)

        ask_to_end(page, "Ines Kowalczyk", replies=2)
        shown = opened(page)
        expect(shown.locator("mark")).to_have_text("Ines Kowalczyk")
        expect(shown.locator("mark")).to_be_in_viewport()
        page.keyboard.press("Escape")
        page.keyboard.press("Escape")

        ask_to_end(page, "Who is the mayor of Atlantis?", replies=3)
        beyond = page.get_by_role("button", name="Search beyond your documents")
        beyond.click()
        wait_for(page, "done", replies=4)  # asked again in its place
        expect(page.locator("#documents .besides")).to_be_checked()
        expect(beyond).to_have_count(0)


def test_a_replaced_file_says_beside_the_reply_what_it_says_now(browser: Browser, url: str, tmp_path: Path):
    minutes = tmp_path / "minutes.txt"
    minutes.write_text("The board met in May. The new chair of the board is Wanda Pereira.", encoding="utf-8")
    with opened_page(browser, url) as page:
        row = page.locator("#documents li li").filter(has_text="minutes.txt")
        drop(page, minutes)
        expect(row).to_contain_text("ready", timeout=300_000)
        page.keyboard.press("Escape")
        ask_to_end(page, "Wanda Pereira")
        expect(page.locator("#chat .changes")).to_have_count(0)
        minutes.write_text("The board met in May. The new chair of the board is Otto Brandt.", encoding="utf-8")
        drop(page, minutes)
        listed = page.locator("#documents .overtaken")
        expect(listed).to_contain_text("Changed since: 1", timeout=300_000)
        listed.locator("summary").click()
        listed.get_by_role("link", name="Who?").click()
        expect(page.locator("#chat .changes")).to_contain_text(
            "minutes.txt has changed. Now: “The new chair of the board is Otto Brandt.” [1]"
        )


READS_PICTURES = pytest.mark.skipif(not shutil.which("tesseract"), reason="tesseract is not installed")


@pytest.mark.parametrize(
    ("name", "quote", "where", "mark"),
    [
        ("letters.mbox", "Petra Vance", "message 2 of 2 (Lamps) · letters.mbox", "mark"),
        ("costs.xlsx", "€ 550.50", "Costs!C4 · costs.xlsx", "mark"),
        ("talk.pptx", "In a group", "slide 2 · talk.pptx", "mark"),
        pytest.param("note.png", "Ingrid Vass", "page 1 of 1 · note.png", ".box", marks=READS_PICTURES),
    ],
)
def test_words_are_marked_in_a_message_a_cell_a_slide_and_a_picture(
    browser: Browser, url: str, tmp_path: Path, name: str, quote: str, where: str, mark: str
):
    path = tmp_path / name
    if name in WORDS:
        path.write_bytes(WORDS[name][0])
    elif path.suffix == ".png":
        picture = Image.new("L", (900, 400), 255)
        ImageDraw.Draw(picture).text((40, 60), f"Received by {quote}", fill=0, font=ImageFont.load_default(32))
        picture.save(path)
    else:
        mail = "From a Mon Jan 1\nSubject: {}\n\n{}\n\n"
        path.write_text(mail.format("Bread", "None.") + mail.format("Lamps", f"Ask {quote}."))
    with opened_page(browser, url) as page:
        drop(page, path)
        expect(page.locator("#documents li li").filter(has_text=name)).to_contain_text("ready", timeout=300_000)
        page.keyboard.press("Escape")
        ask_to_end(page, quote)
        shown = opened(page)
        expect(shown.locator(".where")).to_contain_text(where)
        if mark == ".box":
            page.wait_for_function("document.querySelector('#original img')?.naturalWidth === 900")
        else:
            expect(shown.locator(mark)).to_have_text(quote)
        expect(shown.locator(mark)).to_be_in_viewport()


def test_whether_passages_leave_the_machine_is_asked_once(browser: Browser, tmp_path: Path):
    store = Database(tmp_path / "page.db")
    collections.create(store, "local", "letters")
    served = page_over(store, StoryPlayer(not_found), elsewhere=lambda settings: "model.example")
    with served as site, opened_page(browser, site.url) as page:
        toggle, tick = page.locator("#documents-toggle"), page.get_by_role("checkbox", name="letters")
        switch = page.get_by_role("checkbox", name="Its passages may be sent to the language model at model.example")
        toggle.click()
        expect(switch).not_to_be_checked()
        tick.click()
        question = "May passages of “letters” be sent to the language model at model.example?"
        asked = page.get_by_role("dialog", name=question)
        asked.get_by_role("button", name="Refuse").click()
        expect(asked).to_have_count(0)
        page.keyboard.press("Escape")
        ask_to_end(page, "Who is the mayor of Atlantis?")
        expect(page.locator("#chat")).to_contain_text(
            "the collection 'letters' does not allow that its passages are sent to the model at model.example"
        )
        expect(page.locator("#chat .user")).to_contain_text("Who is the mayor of Atlantis?")
        toggle.click()
        tick.uncheck()
        tick.check()
        with page.expect_response("**/collections/*"):
            switch.check()
        expect(switch).to_be_checked()
        page.keyboard.press("Escape")
        [letters] = collections.every(store, "local")
        assert letters.elsewhere is collections.Elsewhere.ALLOWED


def assert_two_lines(page: Page) -> None:
    """The foot of an original has two aligned lines of buttons that a finger hits, on a narrow phone too."""
    size = page.viewport_size
    for width in (390, 360):
        page.set_viewport_size({"width": width, "height": 780})
        boxes = [one.bounding_box() for one in page.locator("#original .foot > *").all()]
        assert len({box["y"] for box in boxes}) == 2
        assert {box["height"] for box in boxes} == {40}
        assert boxes[0]["width"] == pytest.approx(boxes[1]["width"], abs=1)
    page.set_viewport_size(size)


def opened(page: Page):
    """The original of the last reply's citation."""
    page.locator("#chat a.cite").last.click()
    button = page.get_by_role("button", name="Show in the document").last
    button.click()
    return page.locator("#original")


def test_one_file_of_many_is_found_in_the_panel(browser: Browser, tmp_path: Path):
    store = Database(tmp_path / "page.db")
    collection, kept = collections.create(store, "local", "reports"), Files(store)
    for number in range(40):
        stored = kept.put([f"Report {number}".encode()], 100)
        document, _ = documents.submit(store, kept, collection.id, f"report-{number}.txt", stored)
        state = documents.State.NO_TEXT if number == 23 else documents.State.READY
        documents.set_state(store, document, state)
    with page_over(store, StoryPlayer(not_found)) as site, opened_page(browser, site.url) as page:
        page.locator("#documents-toggle").click()
        rows, files = page.locator("#documents li li"), page.locator("#documents .files")
        expect(rows).to_have_count(40)
        expect(rows.first).to_contain_text("report-23.txt")  # what cannot be searched comes first
        files.evaluate("(one) => { one.scrollTop = 150 }")
        page.evaluate("document.dispatchEvent(new Event('settings-filled'))")  # the list is drawn again
        assert files.evaluate("(one) => one.scrollTop") == 150
        page.get_by_role("searchbox", name="Find a file").fill("PORT-17")
        expect(rows).to_have_count(1)
        expect(rows).to_contain_text("report-17.txt")


def test_thirty_judged_replies_give_the_collection_its_own_tick(browser: Browser, tmp_path: Path):
    store = Database(tmp_path / "page.db")
    mine = collections.create(store, "local", "rates")
    judged(store, mine.index, [(0.8, "up")] * 26 + [(0.7, "down")] * 2 + [(0.6, None), (0.3, None), (0.9, None)])
    with page_over(store, StoryPlayer()) as site, opened_page(browser, site.url) as page:
        page.locator("#documents-toggle").click()
        line = page.locator("#documents .judged")
        expect(line).to_contain_text("28 of 30 judged; at 30 the tick is yours")
        line.get_by_role("button", name="Judge replies").click()
        asked = page.get_by_role("dialog", name=QUESTION)
        expect(asked.locator(".judged-answer")).to_have_text("Honshu")
        expect(asked.locator("table.beside td").first).to_contain_text("Nintendo has its headquarters in Kyoto")
        expect(asked.locator(".support")).to_have_count(0)  # judged blind
        asked.get_by_role("button", name="Skip").click()
        for _ in range(3):
            value = ticks.tick(store, mine.id).judged
            asked.get_by_role("button", name="Good").click()
            assert until(lambda: ticks.tick(store, mine.id).judged > value)  # noqa: B023
        expect(page.locator("dialog")).to_have_count(0)
        page.locator("#documents-toggle").click()
        expect(line).to_contain_text("✓ here: 28 of 30 were right [79, 98]")
        said = "Every rated reply over this collection is judged; ask more questions."
        expect(page.locator("#documents .said")).to_have_text(said)
        assert ticks.threshold(store, mine.index) == 0.6


@pytest.mark.parametrize(("screen", "refused"), [(DESK, 0), (PHONE_IN_THE_DARK, 1), (DESK, 2)], ids=str)
def test_not_found_questions_are_asked_again_with_one_click(browser: Browser, index_home, screen: dict, refused: int):
    store = Database(index_home / "page.db")
    flat = collections.create(store, "local", "flat")

    def over(events):
        first, *rest = events
        return [replace(first, index=flat.index), *rest]

    asked = {"Where can I park?": "local", "Who is the janitor?": "bob", "Is there <b>parking</b>?": "local"}
    for question, owner in asked.items():
        store_run(store, over(not_found(question)), owner=owner)
    alike = lambda one, other: float("park" in one and "park" in other)  # noqa: E731
    player = StoryPlayer(lambda question: over(everest(question)))
    with page_over(store, player, alike=alike) as site, opened_page(browser, site.url, **screen) as page:
        page.click("#documents-toggle")
        page.get_by_role("button", name="Not found: 3").click()
        sheet = page.get_by_role("dialog", name="Asked of “flat” and not found")
        expect(sheet.locator("li")).to_have_count(1)
        expect(sheet.locator("li a")).to_have_text(["Is there <b>parking</b>?", "Where can I park?"])
        expect(sheet).to_contain_text("Nearest: “Mount Everest”")
        expect(sheet).to_contain_text("1 question of somebody else was not found either")
        expect(sheet).not_to_contain_text("janitor")
        answers = iter([*range(2 - refused), *[None] * refused])  # the last ones of the first click

        def refuse(route):
            is_refused = next(answers, 0) is None
            route.fulfill(status=429, json={"error": "Too many."}) if is_refused else route.continue_()

        page.route("**/turns/*/again", refuse)
        again = sheet.get_by_role("button", name="Ask again")
        again.click()
        if refused:  # nothing is lost, and what was asked is not asked twice
            expect(sheet.get_by_role("alert")).to_have_text(f"{2 - refused} of 2 asked: Too many.")
            expect(again).to_be_enabled()
            again.click()
        asked = "Where can I park?" if refused == 1 else "Is there <b>parking</b>?"
        expect(page.locator("#chat .asked.is-newest .question")).to_have_text(asked)
        expect(page.locator("#chat .outcome.is-perhaps")).to_have_count(1)
        page.click("#documents-toggle")
        expect(page.get_by_role("button", name="Not found: 1")).to_be_visible()  # the other person's
