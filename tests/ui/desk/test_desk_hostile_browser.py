"""Hostile texts in every place where the desk's pages show one: nothing runs, nothing is loaded, all is read as written."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from searchain.annotation.labels import MAX_COMMENT
from searchain.annotation.protocol import Backing
from storage.annotation import items, progress
from storage.annotation.desk import Desk
from storage.annotation.gold import adjudicate
from tests.support.desk_site import Site, desk_page, site
from tests.support.hostile import PAYLOADS
from tests.support.judged_replies import uniform_labels

TEXTS = tuple(text for text in PAYLOADS if not re.search("[\x00\ud800-\udfff]", text))
"""Those that can be imported: no database keeps the others."""
INVENTED = len([text for text in TEXTS if re.search(r"\[\^?\d+\]", text)])
"""Texts that cite documents which do not exist: such a mark is never right, so there may be nothing to differ about."""
FOREIGN = ":is(img, svg, math, iframe, object, embed, video, audio, form, base, meta, style, script, template, picture, slot, marquee)"


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """For each text a reply that is made of it, judged by two people who are called so and comment so, and decided."""
    with site(tmp_path_factory.mktemp("hostile")) as made:
        for number, text in enumerate(TEXTS):
            source = {"number": 77, "title": text, "text": f"D {text} E", "url": text}
            answer = f"A {text} B [77]. C [77]."
            made.put({"question": f"{text} {number}", "system": text, "answer": answer, "citations": [source]}, quota=3)
        desk = Desk(made.store)
        for one in progress.items(made.store):
            text, id = one["system"], one["id"]
            for who, support in ((text, Backing.COMPLETE), (f"{text} too", Backing.NONE)):
                item = desk.open_item(who, id).item
                desk.submit(who, id, uniform_labels(item, support, comment=text))
            based_on = ((text, 1), (f"{text} too", 1))
            adjudicate(made.store, id, uniform_labels(item, comment=text), f"{text} decides", based_on)
        yield made


ACTING = """(region) => [...document.querySelectorAll(`${region} *`)].flatMap((one) => [...one.getAttributeNames()
    .filter((name) => /^on|^(src|srcset|action|formaction|background|poster|style|autofocus)$/.test(name)),
    ...(one.matches('a') && !['http:', 'https:'].includes(one.protocol) ? [one.protocol] : [])])"""
"""A script: the attributes and addresses in a region that could act."""


def spelt(text: str) -> str:
    """As the desk shows it: what has no shape has a sign in its place."""
    text = re.sub("[\x80-\x9f\u202a-\u202e\u2066-\u2069]", "\ufffd", text).replace("\x7f", "\u2421")
    return re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f]", lambda one: chr(0x2400 + ord(one[0])), text)


def idle(page: Page) -> None:
    """Waits until the page takes keys again: none does anything while it waits for the desk."""
    expect(page.locator("body:not(.is-busy)")).to_have_count(1)


def listed(page: Page) -> int:
    """How many replies the open drawer lists."""
    expect(page.locator("dialog .reply")).not_to_have_count(0)
    return page.locator("dialog .reply").count()


def unharmed(page: Page, region: str) -> None:
    """Nothing ran, and no element came out of a text."""
    assert page.evaluate("window.pwned") is None
    assert page.locator(f"{region} {FOREIGN}").count() == 0
    assert page.evaluate(ACTING, region) == []


def test_the_judging_page(browser: Browser, desk: Site):
    seen, answers = [], {item.question: item.answer for item in items.items(desk.store)}
    with desk_page(browser, desk) as page:
        for _ in TEXTS:
            expect(page.locator("#now h2")).to_be_visible()
            idle(page)
            question = page.locator("#question").text_content()
            [(number, text)] = [one for one in enumerate(TEXTS) if spelt(f"{one[1]} {one[0]}") == question]
            assert page.locator("#reply").text_content() == spelt(answers[f"{text} {number}"])
            assert page.locator("[data-text='77']").text_content() == spelt(f"D {text} E")
            assert page.locator("#documents [data-number='77'] bdi").text_content() == spelt(text)
            for key in ("1", "e", "Escape", "s"):
                page.keyboard.press(key)
            unharmed(page, "#work")
            seen.append(text)
            page.keyboard.press("Escape")
            page.keyboard.press("n")
        expect(page.locator("#empty")).to_be_visible()
        page.keyboard.press("l")
        assert listed(page) >= len(TEXTS) - INVENTED
        unharmed(page, "dialog")
    assert sorted(seen) == sorted(TEXTS)


def test_comments_in_the_history(browser: Browser, desk: Site):
    [id] = [one["id"] for one in progress.items(desk.store) if one["system"] == TEXTS[0]]
    with desk_page(browser, desk) as page:
        comment = "\n".join(TEXTS)[:MAX_COMMENT]
        item = Desk(desk.store).open_item("local", id)
        Desk(desk.store).submit("local", id, uniform_labels(item.item, comment=comment), version=item.version)
        page.reload()
        expect(page.locator("#now h2")).to_be_visible()
        page.keyboard.press("l")
        page.get_by_role("button", name="History").click()
        expect(page.locator("dialog ol li")).to_have_count(1)
        assert page.locator("dialog ol p").text_content() == spelt(comment)
        unharmed(page, "dialog")


def test_the_adjudicating_page(browser: Browser, desk: Site):
    with desk_page(browser, desk, "annotate/adjudicate") as page:
        expect(page.locator(":is(#now h2, #empty):visible")).to_have_count(1)  # decided, unless another test judged one
        idle(page)
        page.keyboard.press("l")
        disputes = listed(page)
        assert disputes >= len(TEXTS) - INVENTED
        unharmed(page, "dialog")
        page.locator("dialog .reply").first.click()
        for place in range(disputes):
            idle(page)
            expect(page.locator("#columns li")).not_to_have_count(0)
            question = page.locator("#question").text_content()
            [text] = [text for number, text in enumerate(TEXTS) if spelt(f"{text} {number}") == question]
            assert page.locator("#columns q").all_text_contents().count(spelt(text)) == 2
            assert page.locator("#comment").input_value() == re.sub("\r\n?", "\n", text)
            unharmed(page, "#work")
            if place < disputes - 1:
                page.keyboard.press("n")
                expect(page.locator("#question")).not_to_have_text(question)


def test_the_managing_page(browser: Browser, desk: Site):
    with desk_page(browser, desk, "annotate/manage") as page:
        expect(page.locator("#items label")).to_have_count(len(TEXTS))
        rows = page.locator("#tables tbody th").all_text_contents()
        assert {spelt(text) for text in TEXTS} | {spelt(f"{text} too") for text in TEXTS} <= set(rows)
        unharmed(page, ":is(#tables, #items, #people)")
