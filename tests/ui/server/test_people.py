"""The admins' page of people: what each uses, and role and budget set by its forms."""

from urllib.parse import urlencode

import pytest

from storage.people import audit, tokens, users
from tests.support.served_page import ServedPage
from ui.server.people import PeoplePage

BUDGET = "The budget of bob is a number of tokens, or empty for that of everybody."
BOB = {"name": "bob", "role": "chat"}
FORM = {"Content_Type": "application/x-www-form-urlencoded"}
SERVED = {
    "people": {"ann": "chat", "bob": "chat", "root": "admin"},
    "others": lambda made: [PeoplePage(made.store, made.access)],
}


def send(
    closed: ServedPage, who: str = "root", headers: dict[str, str] | None = None, **fields: str
) -> tuple[int, str]:
    """Send a form as it is shown now, with these values in its fields."""
    now = {user.name: f"{user.role} {user.budget or ''}" for user in users.every(closed.store)}
    body = urlencode({"before": now.get(fields["name"], "")} | fields)
    status, _, text = closed.request("/people", "POST", body, **FORM, **(headers or {}), **closed.session(who))
    return status, text


def test_an_admin_sees_what_each_uses_and_sets_role_and_budget(closed: ServedPage):
    tokens.issue(closed.store, "ann")
    closed.store.write("INSERT INTO spending VALUES ('ann', date(), 12345)")
    closed.store.write("INSERT INTO collections (id, owner, name, created) VALUES ('c', 'ann', 'notes', '')")
    closed.store.write(
        "INSERT INTO documents (id, collection, name, sha256, bytes, state, created, updated, removed) VALUES "
        "('d', 'c', 'a.txt', '0', 2500000, 'ready', '', '', NULL), ('e', 'c', 'b.txt', '1', 900000, 'ready', '', '', '')"
    )
    users.add(closed.store, users.new("zoe", "chat", "correct horse"))
    users.remove(closed.store, "zoe")
    assert send(closed, name="ann", role="annotator", budget=" 50,000 ") == (303, "")
    now = {user.name: (user.role, user.budget) for user in users.every(closed.store)}
    others = {"bob": ("chat", None), "root": ("admin", None), "zoe": ("chat", None)}
    assert now == {"ann": ("annotator", 50_000)} | others
    root = closed.session("root")
    tokens.issue(closed.store, "ann", "session")
    closed.store.write("UPDATE tokens SET expires = 1 WHERE user = 'ann' AND kind = 'session'")
    status, headers, text = closed.request("/people", **root)
    assert (headers["cache-control"], ">zoe<" in text) == ("no-store", False)
    row = text.partition(">ann<")[2].partition("</tr>")[0]
    assert (status, "<script" in text) == (200, False)
    for shown in ("<td>12,345<", "<td>2.5 MB<", "<td>0</td><td>1</td>", "<option selected>annotator<", 'value="50000"'):
        assert shown in row
    assert 'name="before" value="annotator 50000"' in row
    assert send(closed, name="ann", role="chat", budget="") == (303, "")
    assert users.get(closed.store, "ann").budget is None
    changed = "changed to 50,000 a day the tokens of", "changed to that of everybody the tokens of"
    assert {"changed the role of", *changed} <= {
        entry.action for entry in audit.entries(closed.store) if (entry.actor, entry.subject) == ("root", "ann")
    }


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"name": "carl", "role": "chat"}, "There is no user carl"),
        ({"name": "<b>", "role": "chat"}, "&#60;b&#62;"),
        ({"name": "bob", "role": "king"}, "There is no role king"),
        *((BOB | {"budget": odd}, BUDGET) for odd in ("-1", "0", "9" * 5_000, "1,5", "1,2,3", "1.000,000")),
        ({"name": "root", "role": "chat"}, "Another admin changes your role"),
        (BOB | {"role": "admin", "before": "admin "}, "bob was changed meanwhile; reload the page"),
        (BOB | {"before": "chat 5"}, "bob was changed meanwhile; reload the page"),
    ],
)
def test_what_cannot_be_is_told_and_changes_nothing(closed: ServedPage, fields: dict[str, str], told: str):
    before = users.every(closed.store)
    status, text = send(closed, **fields)
    assert (status, told in text) == (400, True)
    assert users.every(closed.store) == before


def test_a_budget_is_read_as_it_is_written_in_any_language_and_refused_in_the_readers(closed: ServedPage):
    for budget in ("1000000", "1,000,000", "1.000.000", "1 000 000", "1\u202f000\u202f000"):
        assert send(closed, budget=budget, **BOB) == (303, "")
        assert users.get(closed.store, "bob").budget == 1_000_000
        assert send(closed, budget="", **BOB) == (303, "")
    _, text = send(closed, headers={"Accept-Language": "de"}, budget="many", **BOB)
    assert "Das Budget von bob ist eine Zahl von Tokens" in text


def test_only_a_form_of_a_fair_length_is_read_and_others_may_not(closed: ServedPage):
    status, text = send(closed, budget="9" * 30_000, **BOB)
    assert (status, "That is too long." in text) == (413, True)
    assert closed.request("/people", "HEAD", **closed.session("root"))[::2] == (200, "")
    asked = {"name": "bob", "role": "admin"}
    assert send(closed, "bob", **asked)[0] == 403
    for headers in ({"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        assert send(closed, headers=headers, **asked)[0] == 403
    assert closed.request("/people", **closed.session("bob"))[0] == 403
    assert users.get(closed.store, "bob").role == "chat"
