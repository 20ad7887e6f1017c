"""The admins' page of people: what each uses, and role and budget set by its forms."""

from collections.abc import Iterator
from urllib.parse import urlencode

import pytest

from storage.people import audit, tokens, users
from tests.support.served_page import ServedPage, served_page
from ui.server.access import Who
from ui.server.people import PeoplePage

FORM = {"Content_Type": "application/x-www-form-urlencoded"}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedPage]:
    people = {"ann": "chat", "bob": "chat", "root": "admin"}
    with served_page(
        tmp_path_factory.mktemp("people"),
        Who.USERS,
        people=people,
        others=lambda made: [PeoplePage(made.store, made.access)],
    ) as served:
        yield served


def send(site: ServedPage, who: str = "root", origin: str = "", **fields: str) -> tuple[int, str]:
    headers = FORM | site.session(who) | ({"Origin": origin} if origin else {})
    status, _, text = site.request("/people", "POST", urlencode(fields), **headers)
    return status, text


def test_an_admin_sees_what_each_uses_and_sets_role_and_budget(site: ServedPage):
    tokens.issue(site.store, "ann")
    site.store.write("INSERT INTO spending VALUES ('ann', date(), 12345)")
    site.store.write("INSERT INTO collections (id, owner, name, created) VALUES ('c', 'ann', 'notes', '')")
    site.store.write(
        "INSERT INTO documents (id, collection, name, sha256, bytes, state, created, updated) "
        "VALUES ('d', 'c', 'a.txt', '0', 2500000, 'ready', '', '')"
    )
    assert send(site, name="ann", role="annotator", budget=" 50,000 ") == (303, "")
    assert [(user.name, user.role, user.budget) for user in users.every(site.store)] == [
        ("ann", "annotator", 50_000),
        ("bob", "chat", None),
        ("root", "admin", None),
    ]
    status, _, text = site.request("/people", **site.session("root"))
    row = text.partition(">ann<")[2].partition("</tr>")[0]
    assert (status, "<script" in text) == (200, False)
    for shown in ("<td>12,345<", "<td>2.5 MB<", "<td>0</td><td>1</td>", "<option selected>annotator<", 'value="50000"'):
        assert shown in row
    assert send(site, name="ann", role="chat", budget="") == (303, "")
    assert users.get(site.store, "ann").budget is None
    assert {"changed the role of", "changed the token budget of"} <= {
        entry.action for entry in audit.entries(site.store) if (entry.actor, entry.subject) == ("root", "ann")
    }


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"name": "carl", "role": "chat"}, "there is no user"),
        ({"name": "<b>", "role": "chat"}, "&#60;b&#62;"),
        ({"name": "bob", "role": "king"}, "there is no role"),
        ({"name": "bob", "role": "chat", "budget": "-1"}, "the budget of bob is a number of tokens"),
        ({"name": "bob", "role": "chat", "budget": "0"}, "the budget of bob is a number of tokens"),
        ({"name": "bob", "role": "chat", "budget": "9" * 5_000}, "the budget of bob is a number of tokens"),
        ({"name": "root", "role": "chat"}, "your own role is changed by another admin"),
    ],
)
def test_what_cannot_be_is_told_and_changes_nothing(site: ServedPage, fields: dict[str, str], told: str):
    before = users.every(site.store)
    status, text = send(site, **fields)
    assert (status, told in text) == (400, True)
    assert users.every(site.store) == before


def test_others_may_not(site: ServedPage):
    asked = {"name": "bob", "role": "admin"}
    assert send(site, "bob", **asked)[0] == 403
    assert send(site, origin="https://evil.example", **asked)[0] == 403
    assert site.request("/people", **site.session("bob"))[0] == 403
    assert users.get(site.store, "bob").role == "chat"
