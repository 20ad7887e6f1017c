"""An operator sees, hands over and erases what is stored of a user; after erasing no byte of it is on the disk."""

import json
import zipfile

from storage.annotation import guided
from storage.collections import access
from storage.people import tokens, users
from tests.storage.collections.test_documents import asked, holding
from tests.support.own_documents import add, collection_of, store, toy_parser  # noqa: F401
from tests.support.shell import printed as run

PUMP = "The zanzibar pump must be oiled every ninety days."


def test_everything_of_a_user_can_be_handed_over_and_erased(store, index_home, tmp_path):
    for name in ("Zebediah", "bob"):
        users.add(store, users.new(name, "annotator", "correct horse"))
    manuals = collection_of(store, "Zebediah", "Secret plans")
    add(store, manuals, cockatoo=PUMP)
    access.share(store, manuals, "bob", access.Role.READER)
    asked(store, manuals.index, "Zebediah")
    of_bob = asked(store, manuals.index, "bob")
    tokens.issue(store, "Zebediah")
    store.write("INSERT INTO annotators VALUES ('zebediah', 'annotator-12', '2026')")
    guided.record(store, "Zebediah", "read")
    assert "cockatoo.txt: ready" in run("documents", "list", "--user", "zebediah")
    assert "there is no user 'eve'" in run("documents", "list", "--user", "eve", status=2)
    run("user", "export", "zebediah", "-o", tmp_path / "all.zip")
    with zipfile.ZipFile(tmp_path / "all.zip") as packed:
        assert packed.read("documents/Secret plans/cockatoo.txt").decode() == PUMP
        assert len(packed.read("conversations.jsonl").splitlines()) >= 1
        assert json.loads(packed.read("account.json"))["name"] == "Zebediah"
    run("user", "remove", "zebediah")
    assert "cockatoo.txt: ready" in run("documents", "list", "--user", "Zebediah")
    run("user", "remove", "zebediah", "--erase", "--yes")
    (tmp_path / "password").write_text("correct horse")
    run("user", "add", "other", "--password-file", tmp_path / "password")
    store.close()
    for text in ("ebediah", "zanzibar", "cockatoo", "Secret plans"):
        assert holding(index_home, text) == [], text
    shown = json.loads(run("logs", "show", of_bob, "--json").splitlines()[0])
    assert shown["question"]
    run("logs", "verify")
