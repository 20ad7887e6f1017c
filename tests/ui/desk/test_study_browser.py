"""The study on the page: from a fresh database to a frozen study with three people invited, its skips, and its zip."""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, expect

from searchain.annotation.study import Study
from storage.annotation import history, progress, studies
from storage.annotation.desk import Desk
from storage.database import Database
from storage.people import users
from tests.support.browser import free_port, opened_page
from tests.support.desk_site import FOUR, PHONE, Site, desk_page, site
from tests.support.json_lines import kept
from ui.server.access import Who

ROOT = Path(__file__).parents[3]
PEOPLE = ("ann", "ben", "cyd")


@contextmanager
def served(db: Path) -> Iterator[str]:
    """Start ``annotate serve`` as a program of its own."""
    url = f"http://127.0.0.1:{(port := free_port())}/"
    asked = [sys.executable, "assistant.py", "annotate", "serve", "--port", str(port), "--db", str(db)]
    running = subprocess.Popen(asked, cwd=ROOT, stderr=subprocess.DEVNULL)
    try:
        client = httpx.Client(transport=httpx.HTTPTransport(retries=50), trust_env=False)
        client.get(url)  # once it is there
        yield url
    finally:
        running.terminate()
        running.wait()


def test_eight_clicks_and_fields_lead_to_a_frozen_study_whose_three_people_sign_in(browser: Browser, tmp_path: Path):
    db = tmp_path / "desk.db"
    with served(db) as url, opened_page(browser, url, "annotate", wait_for="body") as page:
        page.click("text=Try it with 24 sample answers")
        expect(page.locator("#drawer-title, #now h2").first).to_be_visible()
        page.keyboard.press("Escape")
        page.click("#menu >> text=Manage")
        expect(page.locator("#far")).to_have_text("24 replies on the desk, 0 complete; 0 of 48 judgements.")
        page.fill("#title", "Two engines")
        page.fill("#quota", "3")
        page.click("button[value=freeze]")
        expect(page.locator("#notice")).to_have_text(re.compile("The study is frozen: [0-9a-f]{64}"))
        page.fill("#names", "\n".join(PEOPLE))
        page.click("button[value=invite]")
        rows = [row.split("\t") for row in page.locator("#invited tbody").inner_text().split("\n")]
    store = Database(db)
    study = studies.current(store)
    assert (study.title, study.quota, studies.is_frozen(store)) == ("Two engines", 3, True)
    assert {one["quota"] for one in progress.items(store)} == {3}
    store.close()
    roles = {name: role.split(":")[0] for name, _, role in rows}
    assert roles == dict.fromkeys(PEOPLE, "annotator") | {"admin": "admin"}
    with served(db) as url:  # now there are users
        for name, password, _ in (rows[0], rows[-1]):
            with opened_page(browser, url, "annotate", wait_for="body") as page:
                page.fill("#name", name)
                page.fill("#password", password)
                page.click("button")
                expect(page.locator("#menu >> text=Manage")).to_have_count(1)
                expect(page.locator("#menu .admin")).to_be_visible(visible=name == "admin")


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Site]:
    with site(tmp_path, Who.USERS, Study(guided_practice=False, seed=7), ada="admin", ann="annotator") as made:
        made.put(FOUR)
        yield made


def test_an_admin_reads_why_a_reply_was_skipped_and_takes_it_off_on_a_phone(browser: Browser, desk: Site):
    task = Desk(desk.store).next_item("ann")
    Desk(desk.store).skip("ann", task.item.id, "it is <b>shown</b> wrongly")
    with desk_page(browser, desk, "annotate/manage", "ada", **PHONE) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= 380
        expect(page.locator("#skips q")).to_have_text("it is <b>shown</b> wrongly")
        page.tap("#skips summary")
        page.tap("text=Take it off the desk")
        expect(page.locator("#skips q")).to_have_count(0)
    assert [one["is_there"] for one in progress.items(desk.store)] == [False]


def test_a_frozen_study_changes_for_a_reason_alone(browser: Browser, desk: Site):
    studies.freeze(desk.store, "ada")
    with desk_page(browser, desk, "annotate/manage", "ada") as page:
        page.check("text=Hide the addresses")
        page.click("button[value=save]")
        expect(page.locator("#notice")).to_contain_text("the study is frozen; a change of hide_addresses is logged")
        assert not studies.current(desk.store).hide_addresses
        page.check("text=Hide the addresses")
        page.fill("#reason", "they gave systems away")
        page.click("button[value=save]")
        expect(page.locator(".step").last).to_contain_text("changed: hide_addresses they gave systems away")
    study = studies.current(desk.store)
    assert study == Study(guided_practice=False, seed=7, hide_addresses=True)  # all else stays


def test_the_zip_of_one_desk_is_taken_in_by_another(browser: Browser, desk: Site, tmp_path: Path):
    desk.call("next", {}, "ann")
    with desk_page(browser, desk, "annotate/manage", "ada") as page:
        with page.expect_download() as got:
            page.click("#protocol")
        pack = tmp_path / "round.zip"
        got.value.save_as(pack)
    (other := tmp_path / "other").mkdir()
    with site(other, Who.LOCAL, Study()) as there:
        status, text = there.send("do=invite&names=bob%20Admin")  # who is named as the first admin
        assert (status, "would add" in text, users.every(there.store)) == (400, True, [])
        there.set("DELETE FROM annotation_studies")
        with desk_page(browser, there, "annotate/manage") as page:
            page.set_input_files("#file", pack)
            page.click("button[value=import]")
            expect(page.locator("#notice")).to_contain_text("put on the desk")
        assert studies.current(there.store).seed == 7
        assert len(history.labels(there.store)) == 0


@pytest.mark.parametrize(("form", "said"), kept("refused-forms.json"))
def test_what_cannot_be_is_refused_with_its_reason(desk: Site, form: str, said: str):
    users.add(desk.store, users.new("gone", "annotator", "correct horse"))
    users.remove(desk.store, "gone")
    there = users.every(desk.store)
    status, text = desk.send(form, "ada")
    assert (status, users.every(desk.store)) == (400, there)
    assert said.replace("&#x27;", "'") in text.replace("&#39;", "'").replace("&#x27;", "'")
    assert (len(studies.history(desk.store)), [one["quota"] for one in progress.items(desk.store)]) == (1, [2])


@pytest.mark.parametrize(
    ("who", "headers"),
    [("ann", {}), ("ada", {"Origin": "null"}), ("ada", {"Sec_Fetch_Site": "cross-site", "Origin": "http://evil.test"})],
)
def test_nobody_else_and_no_other_site_sets_the_study(desk: Site, who: str, headers: dict[str, str]):
    assert desk.send("do=freeze&quota=2&seed=1&pass_mark=1", who, **headers)[0] == 403
    assert not studies.is_frozen(desk.store)
