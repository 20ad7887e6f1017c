"""People of a crowd platform: each gets an own share by the link, once, and nothing else. Real requests."""

import io
import json
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, expect
from starlette.testclient import TestClient

from searchain.annotation.labels import to_json
from searchain.annotation.protocol import Labels
from storage.annotation import crowd, history, items, tasks
from storage.annotation.desk import Desk
from storage.database import Database
from storage.people import audit, users
from tests.support.desk_site import FOUR, PHONE, WIDE, Site, desk_page, press, ready, site
from tests.support.judged_replies import uniform_labels
from tests.support.shell import told
from tests.support.waiting import until
from ui.desk import routes
from ui.desk.joining import SECRET
from ui.exports import protocol
from ui.server.access import Who

WHO = "5f8c2a9e41d0b7a3c6e9f012"
CODE, BACK = "C0DE-77", "https://app.prolific.com/submissions/complete?cc=C0DE77"
NO_STUDY, NO_NAME = "There is no such study, or it has ended.", "The link does not say who you are"
CLOSED = ("/", "/annotate/manage", "/annotate/adjudicate", "/annotate/report", "/annotate/export/jsonl", "/people")
CLOSED += ("/annotate/api/manage", "/annotate/api/adjudicate", "/collections", "/audit", "/metrics")


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Site]:
    with site(tmp_path, Who.USERS, ada="admin") as made:
        made.put(*({**FOUR, "question": f"Question {number}?"} for number in range(6)), quota=2)
        yield made


def link(desk: Site, people: int = 3) -> str:
    return crowd.make(desk.store, people, 2, parameter="PROLIFIC_PID", code=CODE, back=BACK, days=30)[0]


def visit(desk: Site, token: str, who: str = WHO, method: str = "GET", **headers) -> tuple[int, dict[str, str], str]:
    values = {SECRET: token, "PROLIFIC_PID": who, "STUDY_ID": "1", "SESSION_ID": "2"}
    return desk.request(f"/join?{urlencode(values)}", method, **headers)


def session(desk: Site, token: str, who: str = WHO) -> dict[str, str]:
    """Come in, and return the headers of the browser."""
    status, headers, _ = visit(desk, token, who, "POST")
    assert (status, headers["location"]) == (303, "/annotate")
    return {"Cookie": headers["set-cookie"].partition(";")[0]}


def take(desk: Site, browser: dict[str, str], without: Sequence[str] = ()) -> dict:
    status, answer = desk.call("next", {"without": list(without)}, **browser)
    assert status == 200
    return answer


def judged(desk: Site, id: str) -> Labels:
    return uniform_labels(next(one for one in items.items(desk.store) if one.id == id))


def submit(desk: Site, browser: dict[str, str], task: dict) -> dict:
    id = task["item"]["id"]
    labels = to_json(judged(desk, id))
    status, answer = desk.call(f"items/{id}/submit", {"labels": labels, "version": task["version"]}, **browser)
    assert status == 200, answer
    return answer["progress"]


def through(desk: Site, token: str, who: str = WHO) -> dict[str, str]:
    """Judge the whole share."""
    browser = session(desk, token, who)
    while task := take(desk, browser)["task"]:
        submit(desk, browser, task)
    return browser


def left(db: Path) -> list[Path]:
    """The files with the identity."""
    return [file for file in db.parent.glob("*.db*") if WHO.encode() in file.read_bytes()]


@pytest.mark.parametrize("screen", [WIDE, PHONE], ids=["wide", "phone"])
def test_in_a_browser_from_the_link_to_the_code(browser: Browser, desk: Site, screen: dict):
    path = urlencode({SECRET: link(desk), "PROLIFIC_PID": WHO})
    with desk_page(browser, desk, f"join?{path}", **screen) as page:
        page.click("text=Begin, or go on")
        before = ""
        for number in range(2):
            expect(page.locator("#progress")).to_have_text(f"{number} of 2 replies judged by you")
            expect(page.locator("#question")).not_to_have_text(before)  # the progress changes before it
            before = page.locator("#question").inner_text()
            ready(page, before)
            press(page, *"111111")
            page.click("#foot [data-action=submit]")
        expect(page.locator("#code")).to_have_text(CODE)
        expect(page.locator(".button")).to_have_attribute("href", BACK)
        page.go_back()
        expect(page.locator("#code")).to_be_visible()  # nothing more is given
    assert len(history.labels(desk.store)) == 2


def test_one_identity_has_one_share_however_often_it_comes(desk: Site):
    token = link(desk)
    assert visit(desk, token)[0] == 200
    assert crowd.people(desk.store, 1) == []  # a program that previews links is nobody
    first = session(desk, token)
    assert submit(desk, first, take(desk, first)["task"])["share"] == 2
    assert desk.request("/join", **first)[2].startswith("You judged 1 of 2 replies; the code comes at the end.")
    again = session(desk, token, WHO.upper())
    assert desk.call("me", **first)[0] == 401  # goes on in the other browser alone
    submit(desk, again, take(desk, again)["task"])
    assert take(desk, again) | {"progress": 0} == {"task": None, "progress": 0, "guesses": None, "has_ended": True}
    page = desk.request("/join", Accept="text/html", **again)[2]
    assert (CODE in page, BACK in page) == (True, True)
    assert take(desk, session(desk, token))["task"] is None
    assert "You went on in another browser" in desk.request("/join", **again)[2]
    [one] = crowd.people(desk.store, 1)
    assert (one["identity"], one["submitted"], bool(one["finished"])) == (WHO, 2, True)
    assert len(history.labels(desk.store)) == 2


def skip(desk: Site, browser: dict[str, str], task: dict) -> bool:
    return desk.call(f"items/{task['item']['id']}/skip", {"reason": "no"}, **browser)[0] == 200


def test_what_is_skipped_is_replaced_but_not_for_ever_or_beyond_the_share(desk: Site):
    token, skipped = link(desk), 0
    browser = session(desk, token)
    while task := take(desk, browser)["task"]:
        skipped += skip(desk, browser, task)
    assert skipped == 4
    assert desk.request("/join", **browser)[2].startswith("You judged nothing, so there is no code.")
    assert crowd.people(desk.store, 1)[0]["finished"] is None
    other = session(desk, token, "another")
    skip(desk, other, take(desk, other)["task"])
    for _ in range(2):
        submit(desk, other, take(desk, other)["task"])
    assert [desk.call("undo", {}, **other)[0] for _ in range(3)] == [200, 200, 400]


def test_what_is_left_for_later_comes_again_before_the_end(desk: Site):
    browser, begun = session(desk, link(desk)), []
    for _ in range(2):
        begun.append(take(desk, browser, begun)["task"]["item"]["id"])
    answer = take(desk, browser, begun)
    assert (answer["task"]["item"]["id"] in begun, answer["has_ended"]) == (True, False)
    with desk.store.writing() as db:  # also at the moment of taking
        other = next(id for id in tasks.candidates(db, "x", 0.0, 9) if id not in begun)
        assert not tasks.take(db, crowd.people(desk.store, 1)[0]["annotator"], other, 0.0, 9e9)


def test_who_comes_by_the_link_sees_the_study_alone(desk: Site):
    browser = session(desk, link(desk))
    assert {path: desk.request(path, Accept="text/html", **browser)[0] for path in CLOSED} == {
        path: 303 if path == "/" else 403 for path in CLOSED
    }
    assert desk.call("manage/samples", {}, **browser)[0] == 403
    assert desk.request("/join", Accept="text/html", **desk.session("ada"))[0] == 404
    name = crowd.people(desk.store, 1)[0]["annotator"]
    assert users.verify(desk.store, name, "") is None


@pytest.mark.parametrize(
    ("change", "who", "status", "words"),
    [
        ("DELETE FROM crowd_links", WHO, 404, NO_STUDY),
        ("UPDATE crowd_links SET expires = 1", WHO, 404, NO_STUDY),
        ("UPDATE crowd_links SET closed = '2026'", WHO, 410, "This study is closed."),
        ("UPDATE crowd_links SET people = 1", WHO, 410, "This study has all the people that it needs."),
        ("UPDATE annotation_items SET done = quota", WHO, 410, "Nothing is left to judge in this study."),
        ("SELECT 1", "{{%PROLIFIC_PID%}}", 400, f"{NO_NAME} (PROLIFIC_PID is missing or not valid)."),
        *(("SELECT 1", odd, 400, NO_NAME) for odd in ("<script>alert(1)</script>", "a" * 65)),
    ],
)
def test_whoever_cannot_come_reads_why_in_one_line(desk: Site, change: str, who: str, status: int, words: str):
    token = link(desk)
    if "people" in change:
        session(desk, token, "another")
    desk.set(change)
    found, _, text = visit(desk, token, who, "POST")
    assert (found, text.startswith(words), text.count("\n")) == (status, True, 0)
    assert visit(desk, token, who)[0] == (status if status < 410 else 200)  # does not tell whether they came before
    names = [one["annotator"] for one in crowd.people(desk.store, 1)] if "DELETE" not in change else []
    assert [one.name for one in users.every(desk.store)] == ["ada", *names][: 1 + ("people" in change)]


def test_a_closed_study_lets_people_submit_what_they_hold(desk: Site):
    token = link(desk)
    browser = session(desk, token)
    held = take(desk, browser)["task"]
    assert told("annotate", "crowd", "close", 1, db=desk.store.path)[0] == 0
    assert visit(desk, token, "another", "POST")[0] == 410
    browser = session(desk, token)
    assert take(desk, browser)["task"]["item"]["id"] == held["item"]["id"]
    submit(desk, browser, held)
    assert take(desk, browser)["has_ended"]
    assert CODE in desk.request("/join", **browser)[2]


def test_a_lease_that_is_over_is_no_part_of_the_share(desk: Site):
    browser = session(desk, link(desk))
    lost = take(desk, browser)["task"]["item"]["id"]
    desk.set("UPDATE annotation_tasks SET expires = 1")
    for _ in range(2):
        submit(desk, browser, take(desk, browser, [lost])["task"])
    assert take(desk, browser)["has_ended"]
    assert desk.call(f"items/{lost}/open", {}, **browser)[1]["task"]["lease"] is None
    sent = {"labels": to_json(judged(desk, lost)), "version": 0}
    answer = desk.call(f"items/{lost}/submit", sent, **browser)
    assert (answer[0], "you have your share of replies" in answer[1]["error"]) == (400, True)
    assert CODE in desk.request("/join", **browser)[2]
    assert len(history.labels(desk.store)) == 2


def test_who_waits_for_others_has_no_code_yet(desk: Site):
    token = link(desk)
    browser = session(desk, token)
    submit(desk, browser, take(desk, browser)["task"])
    desk.set("UPDATE annotation_items SET quota = done + 1")
    ids = [id for (id,) in desk.store.rows("SELECT id FROM annotation_items")]
    for id in ids:
        Desk(desk.store).open_item("ada", id)
    assert take(desk, browser)["has_ended"]
    said = "The replies that are left are being judged by others; try again in 15 minutes."
    assert desk.request("/join", **browser)[::2] == (200, said)
    assert visit(desk, token, "another", "POST")[::2] == (410, said)
    for id in ids:
        Desk(desk.store).submit("ada", id, judged(desk, id))
    assert crowd.people(desk.store, 1)[0]["finished"] is None
    take(desk, browser)
    assert CODE in desk.request("/join", **browser)[2]


def test_one_identity_is_one_annotator_by_whichever_link_and_does_not_come_again_once_removed(desk: Site):
    first, second = link(desk), link(desk)
    finished = through(desk, first)
    assert take(desk, session(desk, second))["has_ended"]
    assert desk.call("me", **finished)[0] == 401
    assert [len(crowd.people(desk.store, number)) for number in (1, 2)] == [1, 0]
    users.remove(desk.store, crowd.people(desk.store, 1)[0]["annotator"])
    said = "You were taken out of this study. Please return to the page that sent you here."
    assert visit(desk, first, method="POST")[::2] == (410, said)


def test_the_link_signs_nobody_out_and_a_form_of_another_site_lets_nobody_in(desk: Site):
    token = link(desk)
    status, headers, text = visit(desk, token, method="POST", **desk.session("ada"))
    assert (status, "set-cookie" in headers) == (409, False)
    assert text == "You are signed in here as ada; open the link in a private window."
    assert visit(desk, token, method="POST", Origin="https://evil.example")[0] == 403
    assert crowd.people(desk.store, 1) == []


def test_many_new_people_of_one_address_wait(desk: Site):
    token = link(desk, people=30)
    answers = [visit(desk, token, f"person{number}", "POST") for number in range(6)]
    assert 429 in [status for status, *_ in answers]
    assert len(crowd.people(desk.store, 1)) < 6
    assert visit(desk, token, "person0", "POST")[0] == 303  # who came before does not wait


@pytest.mark.parametrize("way", ["user remove", "close --forget", "expired"])
def test_the_identity_is_erased_from_the_file(desk: Site, way: str):
    token = link(desk)
    browser = through(desk, token)
    [one] = crowd.people(desk.store, 1)
    db = desk.store.path
    assert left(db)
    assert f"{WHO}\t{one['annotator']}\t2 submitted, 0 skipped" in told("annotate", "crowd", "list", 1, db=db)[1]
    if way == "user remove":
        assert told("user", "remove", one["annotator"], "--erase", "--yes", db=db)[0] == 0
    elif way == "expired":
        desk.set("UPDATE crowd_links SET expires = 1")
        told("annotate", "crowd", "list", 1, db=db)
        assert left(db)  # listing erases nothing
        crowd.expire(desk.store)
        assert {one.actor for one in audit.entries(desk.store, 2)} == {crowd.EXPIRY}
    else:
        assert told("annotate", "crowd", "close", 1, "--forget", "--yes", db=db)[0] == 0
    assert [row["identity"] for row in crowd.people(desk.store, 1)] == [None]
    assert desk.call("me", **browser)[0] == 401
    assert len(history.labels(desk.store)) == 2
    desk.store.empty_log()
    assert left(db) == []


def test_a_running_desk_erases_who_came_by_links_that_ended(desk: Site):
    session(desk, link(desk))
    desk.set("UPDATE crowd_links SET expires = 1")
    with TestClient(routes.app(desk.store, desk.access)):
        assert until(lambda: crowd.people(desk.store, 1)[0]["identity"] is None, 20)


def test_exports_say_how_many_came_and_not_who_but_a_person_is_given_all(desk: Site, tmp_path: Path):
    through(desk, link(desk))
    [one] = crowd.people(desk.store, 1)
    out = tmp_path / "person.zip"
    assert told("user", "export", one["annotator"], "-o", out, db=desk.store.path)[0] == 0
    with zipfile.ZipFile(out) as pack:
        assert json.loads(pack.read("account.json"))["crowd"][0]["identity"] == WHO
    raw = protocol.packed(desk.store)
    with zipfile.ZipFile(io.BytesIO(raw)) as pack:
        texts = {name: pack.read(name).decode() for name in pack.namelist()}
    said = "Annotators who came by a link of a crowd platform: 1; labels of 1 of them count."
    assert said in texts["methods.md"]
    assert not [name for name, text in texts.items() if WHO in text or one["annotator"] in text]
    (tmp_path / "round.zip").write_bytes(raw)
    again = tmp_path / "again.db"
    assert told("annotate", "import", tmp_path / "round.zip", db=again)[0] == 0
    with zipfile.ZipFile(io.BytesIO(protocol.packed(Database(again)))) as pack:
        assert said in pack.read("methods.md").decode()


def test_the_command_prints_the_link_and_its_state_and_refuses_one_that_makes_no_sense(desk: Site, tmp_path: Path):
    asked, empty = ("annotate", "crowd", "open", "--people", 3, "--replies", 2), tmp_path / "empty.db"
    Database(empty).close()
    for options, words in (
        ([], "say what people bring back"),
        (["--code", "a\nb"], "say what people bring back"),
        (["--back", "http://example.org"], "begins with https://"),
        (["--code", "x", "--person", "study"], "is no parameter of a link"),
        (["--code", "x"], "add an admin first"),
    ):
        status, out, err = told(*asked, *options, db=empty)
        assert (status, out, words in err) == (2, "", True)
    _, out, _ = told(*asked, "--code", CODE, "--public-url", "https://desk.example.org", db=desk.store.path)
    assert out.startswith("https://desk.example.org/join?study=")
    assert out.endswith("&PROLIFIC_PID={{%PROLIFIC_PID%}}\n")
    listed = "1\topen\t0 of 3 people, 0 finished\t2 replies each\n"
    assert told("annotate", "crowd", "list", db=desk.store.path) == (0, listed, "")
    assert told("annotate", "crowd", "list", 9, db=desk.store.path)[0] == 2


def test_a_desk_that_answers_its_own_machine_alone_lets_nobody_in(tmp_path: Path):
    with site(tmp_path, Who.LOCAL) as desk:
        desk.put(FOUR)
        users.add(desk.store, users.new("ada", "admin", "correct horse"))  # whoever asked would be an admin here
        assert visit(desk, link(desk), method="POST")[0] == 403
