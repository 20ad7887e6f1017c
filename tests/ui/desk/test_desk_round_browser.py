"""A whole annotation round on the desk's pages: three people judge by keys, mouse and touch, and somebody decides. A real browser."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from searchain.annotation.protocol import Backing, Place
from storage.annotation import gold, history
from tests.support.desk_site import FOUR, PHONE, WIDE, Site, desk_page, site, title
from tests.support.stories import QUESTION
from tests.support.story_runs import store_run
from ui.server.access import Who

USUAL = {"Support": "Complete", "Mark": "Right place", "Missing": "Needs no mark"}
SAID = {
    ("ann", "Support 4 of 4"): "Partial",
    ("cyd", "Support 4 of 4"): "Partial",
    ("bob", "Mark 3 of 5"): "Superfluous",
    ("cyd", "Mark 3 of 5"): "Superfluous",
    ("cyd", "Missing marks 1 of 1"): "A mark is missing",
    ("ada", "Support 4 of 4"): "Partial",
    ("ada", "Mark 3 of 5"): "Superfluous",
}
"""What people say otherwise, by who is asked, and what."""
KEYS = {"Complete": "1", "Partial": "2", "Right place": "1", "Superfluous": "3", "Needs no mark": "1"}
KEYS |= {"A mark is missing": "2"}


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Site]:
    with site(tmp_path, Who.USERS, ann="annotator", bob="annotator", cyd="annotator", ada="admin") as made:
        store_run(made.store, owner="ada")
        yield made


def by_key(page: Page, word: str) -> None:
    page.keyboard.press(KEYS[word])


def by_mouse(page: Page, word: str) -> None:
    page.locator("#now .option", has_text=word).click()


def by_touch(page: Page, word: str) -> None:
    page.locator("#now .option", has_text=word).tap()


HANDS: dict[str, tuple[dict, Callable[[Page, str], None], Callable[[Page], None]]] = {
    "ann": (WIDE, by_key, lambda page: page.keyboard.press("Control+Enter")),
    "bob": (WIDE, by_mouse, lambda page: page.locator("#submit").click()),
    "cyd": (PHONE, by_touch, lambda page: page.locator("#submit").tap()),
}


def is_blind(page: Page, more: str = "searchain") -> None:
    """Nothing tells who wrote the reply, or who judged it."""
    said = page.locator("#work").inner_text()
    assert not re.search(rf"engine|searchain|{more}|\b(ann|bob|cyd)\b", said, re.IGNORECASE)


def judge(page: Page, who: str, choose: Callable[[Page, str], None]) -> None:
    """All that is asked about the reply, one question after the other."""
    expect(page.locator("#now h2")).to_be_visible()
    while (asked := title(page)) != "All is judged":
        choose(page, SAID.get((who, asked), USUAL[asked.split()[0]]))


def test_three_annotators_and_an_adjudicator(browser: Browser, desk: Site):
    with desk_page(browser, desk, "annotate/manage", "ada") as page:
        page.locator("#lines").fill(json.dumps(FOUR))
        page.locator("#import-quota").fill("3")
        page.get_by_role("button", name="Import", exact=True).click()
        expect(page.locator("#notice")).to_have_text("1 put on the desk.")
        expect(page.locator("#far")).to_contain_text("1 reply on the desk")
        page.locator("#turns-quota").fill("3")
        page.get_by_role("button", name="Put them on the desk").click()
        expect(page.locator("#far")).to_have_text("2 replies on the desk, 0 complete; 0 of 6 judgements.")
    with ExitStack() as stack:
        pages = {
            who: stack.enter_context(desk_page(browser, desk, who=who, **context))
            for who, (context, _, _) in HANDS.items()
        }
        seen = {who: set() for who in HANDS}
        for number in (1, 2):
            for who, page in pages.items():
                _, choose, submit = HANDS[who]
                expect(page.locator("#work")).to_be_visible()
                seen[who].add(page.locator("#question").inner_text())
                judge(page, who, choose)
                is_blind(page, "corrected|completed|verified")
                submit(page)
                expect(page.locator("#progress")).to_contain_text(re.compile(f"{number} repl(y|ies) judged by you"))
                expect(page.locator("body:not(.is-busy)")).to_have_count(1)
        for page in pages.values():
            expect(page.locator("#empty")).to_contain_text("No reply is waiting for you")
        assert all(questions == {QUESTION, FOUR["question"]} for questions in seen.values())

    labels = {(one.item.question, one.annotator): one.labels for one in history.labels(desk.store)}
    assert {(question, who) for question in (QUESTION, FOUR["question"]) for who in HANDS} == set(labels)
    before = history.labels(desk.store)
    decide(browser, desk)
    assert history.labels(desk.store) == before

    decisions = {one.item.question: one for one in gold.gold(desk.store)}
    assert {(one.adjudicator, tuple(sorted(one.based_on))) for one in decisions.values()} == {
        ("ada", (("ann", 1), ("bob", 1), ("cyd", 1)))
    }
    foreign, own = decisions[FOUR["question"]].labels, decisions[QUESTION].labels
    assert [one.support for one in foreign.knowledge_items] == [*[Backing.COMPLETE] * 3, Backing.PARTIAL]
    assert [one.place for one in foreign.marks] == [*[Place.RIGHT] * 2, Place.SUPERFLUOUS, *[Place.RIGHT] * 2]
    assert foreign.comment == "Nobody says what document 3 adds."
    assert [one.missing for one in own.knowledge_items] == [None, None, False]


def decide(browser: Browser, desk: Site) -> None:
    """Keys and mouse by turns; what all agree on is decided already, and nobody has a name."""
    with desk_page(browser, desk, "annotate/adjudicate", "ada") as page:
        asked = []
        page.on("request", lambda request: asked.append(request.url))
        expect(page.locator("#progress")).to_have_text("0 of 2 disputed replies decided")
        expect(page.locator("#question")).to_have_text(FOUR["question"])  # the one with more disagreement
        expect(page.locator("#columns li")).to_have_count(3)
        mario = page.locator("#points .point", has_text="Mario is a plumber").first
        [id] = {one.item.id for one in history.labels(desk.store) if one.item.question == FOUR["question"]}
        said = desk.call(f"adjudicate/{id}", who="ada")[1]["columns"]  # in the order of the anonymous columns
        votes = [f"{one['letter']} {one['labels']['knowledge_items'][3]['support']}" for one in said]
        assert sorted(mario.locator(".vote").all_inner_texts()) == sorted(votes)
        assert title(page) == "Support 4 of 4"
        by_key(page, "Partial")
        assert title(page) == "Mark 3 of 5"
        by_mouse(page, "Superfluous")
        page.locator("#comment").fill("Nobody says what document 3 adds.")
        page.locator("#reason").select_option("guideline gap")
        is_blind(page)
        page.keyboard.press("Control+Enter")
        expect(page.locator("#question")).to_have_text(QUESTION)
        expect(page.locator("#points .is-disputed")).to_have_count(1)
        assert title(page) == "Missing marks 1 of 1"
        by_mouse(page, "Needs no mark")
        page.locator("#submit").click()
        expect(page.locator("#empty")).to_contain_text("All replies with disagreement are decided")
        expect(page.locator("#progress")).to_have_text("2 of 2 disputed replies decided")
        page.locator("#menu").get_by_role("button", name="Disputed replies").click()
        expect(page.locator("dialog h3")).to_have_text("Decided (2)")
        # for the drawer alone: who decides does not wait for all labels to be compared again
        assert len([url for url in asked if url.endswith("/api/adjudicate")]) == 1
