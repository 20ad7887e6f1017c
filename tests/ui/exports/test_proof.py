"""Proof files hold for ever, every changed byte is found, and originals are compared where they are at hand."""

import json
import random
import shutil
from functools import partial
from pathlib import Path

import pytest

from searchain import verify
from searchain.errors import ProofUnreadable
from searchain.proof import form
from searchain.types import Passage, Place
from storage.collections import access, removing
from storage.collections.places import Places
from storage.history import finished_turns
from storage.people.users import LOCAL
from tests.support.generated_runs import generated_run
from tests.support.own_documents import add, collection_of, parse_text, store, toy_parser  # noqa: F401
from tests.support.shell import told
from tests.support.stories import citing
from tests.support.story_runs import database_with, store_run
from tests.ui.exports.test_exports import Page
from ui.exports.formats import FORMATS

KEPT = Path(__file__).parents[2] / "data" / "proof"
STORED = KEPT / "format-1.html"


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """A hundred proofs of runs whose every text is hostile."""
    folder = tmp_path_factory.mktemp("hostile")
    with_runs = database_with(folder / "chat.db", *(generated_run(random.Random(seed)) for seed in range(100)))
    proofs = []
    for number, record in enumerate(finished_turns.records(with_runs)):
        proofs.append(folder / f"{number}.html")
        proofs[-1].write_text("".join(FORMATS["proof"].write([record])), encoding="utf-8", newline="")
    with_runs.close()
    return proofs


run = partial(told, "verify")


def test_a_hundred_proofs_are_accepted_unchanged_and_a_changed_byte_is_found_wherever_it_is(hostile, tmp_path):
    assert len(hostile) == 100
    assert [proof.name for proof in hostile if not verify(proof).holds] == []
    chance, unnoticed, changed = random.Random(7), [], tmp_path / "changed.html"
    for proof in [STORED, *hostile[:99]]:
        content = bytearray(proof.read_bytes())
        at = chance.randrange(len(content))
        content[at] ^= chance.randrange(1, 256)
        changed.write_bytes(content)
        try:
            if verify(changed).holds:
                unnoticed.append((proof.name, at))
        except ProofUnreadable:
            pass
    assert unnoticed == []


def test_a_proof_has_only_elements_of_its_own_and_loads_nothing(hostile):
    tags = "html head meta title style body h1 h2 h3 p code section div a small ol li blockquote mark script"
    attributes = "lang charset http-equiv content name dir class id href type"
    for proof in hostile:
        elements = Page(proof.read_text(encoding="utf-8")).elements
        assert {tag for tag, _ in elements} <= set(tags.split())
        assert {name for _, named in elements for name in named} <= set(attributes.split())
        assert [named for tag, named in elements if tag == "script"] == [{"type": "application/json", "id": "proof"}]
        assert all(named["href"].startswith("#") for tag, named in elements if tag == "a")


def test_the_stored_proof_holds_with_its_originals_and_what_is_missing_or_changed_is_said(tmp_path):
    found = verify(STORED, KEPT)
    assert {check.state for check in found.checks} == {"holds"}
    assert sum("stands in notes/" in check.about for check in found.checks) == 2
    status, out, _ = run(STORED, "--documents", KEPT)
    assert status == 0
    assert "✓ holds    reply 1 [1]: stands in notes/lease.md at 205 to 338" in out.splitlines()
    shutil.copy(KEPT / "lease.md", tmp_path)
    lease = (KEPT / "lease.md").read_text(encoding="utf-8")
    assert run(STORED, "--documents", tmp_path)[0] == 0  # what is not at hand is no change
    (tmp_path / "lease.md").write_text(lease.replace("3,450", "3,500"), encoding="utf-8")
    status, out, error = run(STORED, "--documents", tmp_path, "--json")
    told = json.loads(out)
    states = {(check["what"], check["state"]) for check in told["checks"]}
    assert (status, told["holds"], error.count("\n")) == (1, False, 1)
    assert {("notes/lease.md", "changed"), ("reply 1 [1]", "changed"), ("notes/minutes.txt", "missing")} <= states
    (tmp_path / "lease.md").write_text("# A new beginning\n\n" + lease, encoding="utf-8")
    lines = run(STORED, "--documents", tmp_path)[1].splitlines()
    assert "✓ holds    reply 1 [1]: stands in notes/lease.md at 221, no longer at 205" in lines


def forged(change):
    """The stored proof with other content, whose digest and page fit."""
    content = json.loads(STORED.read_text(encoding="utf-8").partition(form._OPEN)[2].partition("</script>")[0])
    change(content["content"])
    return form.written(content["content"])


OTHER = {"text": "Kyoto lies on Kyushu.", "sha256": form.sha256("Kyoto lies on Kyushu."), "span": None}


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda proof: proof["replies"][0]["sentences"][0].update(start=1), "reply 1"),
        (lambda proof: proof["replies"][0]["sentences"][0]["marks"][0].update(number=2), "reply 1"),
        (lambda proof: proof["replies"][0]["sources"][0]["span"].update(end=900), "reply 1 [1]"),
        (lambda proof: proof["replies"][0]["sources"][0].update(sha256="0" * 64), "reply 1 [1]"),
        (lambda proof: proof["replies"][0]["sources"][0]["place"].update(end=339), "reply 1 [1]"),
        (lambda proof: proof["documents"].clear(), "reply 1 [1]"),
        (lambda proof: proof["replies"][2]["sources"][0].update(OTHER), "reply 3 [1]"),
    ],
)
def test_what_does_not_fit_together_is_found_though_the_digest_fits(tmp_path, change, what):
    (tmp_path / "forged.html").write_text(forged(change), encoding="utf-8", newline="")
    changed = {check.what for check in verify(tmp_path / "forged.html", KEPT).checks if check.state == "changed"}
    assert what in changed
    assert "the file" not in changed


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (STORED.read_text(encoding="utf-8").replace('"format":1', '"format":2'), "a proof of format 2"),
        ("<html>another page</html>", "is not a proof file"),
        (form._OPEN + "[" * 100_000 + "</script>", "is not a proof file"),
        (form._OPEN + '{"format":1,"sha256":"","content":{}}</script>', "is not a proof file"),
    ],
)
def test_a_file_that_cannot_be_checked_is_refused_in_one_line(tmp_path, content, told):
    (tmp_path / "other.html").write_text(content, encoding="utf-8")
    status, out, error = run(tmp_path / "other.html")
    assert (status, out, error.count("\n")) == (1, "", 1)
    assert told in error


OILED = "The pump must be oiled every ninety days."


def oiled(pump):
    """A run that cites the document ``pump``."""
    return citing((Passage("p1", "pump", OILED, place=Place(pump.id, pump.sha256, 0, len(OILED))), "ninety days"))


def proof_of(store, user=LOCAL):
    return "".join(FORMATS["proof"].pieces(finished_turns.records(store), Places(store, user).document))


def test_names_of_documents_are_for_those_who_may_search_them(store):
    manuals = collection_of(store, owner="ann")
    (pump,) = add(store, manuals, pump=OILED)
    store_run(store, oiled(pump), owner="bob")
    assert "pump.txt" not in proof_of(store, "bob")
    assert "every <mark>ninety days</mark>." in proof_of(store, "bob")  # what his own reply holds
    access.share(store, manuals, "bob", access.Role.READER)
    assert "pump.txt" in proof_of(store, "bob")


def test_the_originals_of_the_database_are_at_hand(store, tmp_path, monkeypatch):
    manuals = collection_of(store)
    (pump,) = add(store, manuals, pump=OILED)
    store_run(store, oiled(pump))
    proof = tmp_path / "pump.html"
    proof.write_text(proof_of(store), encoding="utf-8")
    monkeypatch.setattr("searchain.proof.verify.parse_file", parse_text)
    assert "✓ holds    reply 1 [1]: stands in pump.txt at 0 to 41" in run(proof, "--db", store.path)[1]
    add(store, manuals, pump="The pump must be oiled every sixty days.")
    status, out, _ = run(proof, "--db", store.path)
    assert (status, "≠ changed  reply 1 [1]: does not stand in pump.txt" in out) == (1, True)
    removing.remove(store, [pump])
    status, out, _ = run(proof, "--db", store.path)
    assert (status, "– missing  pump.txt" in out) == (0, True)
