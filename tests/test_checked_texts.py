"""Texts checked, and questions listed that no file answers, from the shell over the embedded parts."""

import gc
import json

import pytest

from storage.database import Database
from tests.support.shell import told

LEASE = (
    "The monthly rent for the flat is 1,150 euros. The tenant pays a deposit of 3,450 euros. Small pets are allowed."
)
ANSWER = (
    "Hello!\n\nThe rent is 1,150 euros a month [1]. The deposit is 2,450 euros [1]. The flat has a balcony that faces "
    "south. Can I help you further?\n\nSources:\n[1] lease.txt\n"
)


def run(*words, **options):
    found = told(*words, **options)
    gc.collect()  # the traceback of a command holds the models, which are a gigabyte
    return found


def test_a_text_beside_a_collection(tmp_path, index_home):
    db, lease, answer = tmp_path / "x.db", tmp_path / "lease.txt", tmp_path / "answer.md"
    lease.write_text(LEASE)
    answer.write_text(ANSWER)
    assert run("documents", "add", lease, "--collection", "flat", db=db)[0] == 0
    status, out, err = run("check", answer, "--collection", "flat", "--json", db=db)
    assert status == 0, err
    found = json.loads(out)
    states = ["own", "supported", "contradicted", "absent", "own"]
    assert [one["support"] for one in found["sentences"]] == states
    sources = {one["number"]: one for one in found["sources"]}
    (wrong,) = found["sentences"][2]["citations"]
    span = sources[wrong]["span"]
    assert sources[wrong]["text"][span["start"] : span["end"]] == "3,450 euros"
    assert sources[wrong]["place"]["name"] == "lease.txt"
    status, out, err = run("check", "-", "--collection", "flat", db=db, input="Small pets are allowed.")
    assert (status, out.splitlines()[0]) == (0, "“ Word for word: Small pets are allowed [1].")
    assert "1: “ Word for word: Small pets are allowed [1]." in err
    assert "1 of 1 claims are supported" in err
    exported = tmp_path / "x.md"
    status, _, _ = run("export", "--format", "markdown", "-o", exported, db=db)
    assert status == 0
    assert "a passage says otherwise" in exported.read_text()


@pytest.mark.parametrize(
    ("name", "content", "collection", "said"),
    [
        ("a.txt", b"   ", "flat", "cannot check 'a.txt'"),
        ("a.pdf", b"no pdf", "flat", "cannot check 'a.pdf'"),
        ("a.doc", b"Pets are allowed.", "flat", "save it as .docx"),
        ("a.txt", b"Pets are allowed.", "nowhere", "nowhere"),
    ],
)
def test_what_cannot_be_checked_is_said_in_one_line(tmp_path, name, content, collection, said):
    Database(tmp_path / "x.db").close()
    (tmp_path / name).write_bytes(content)
    status, _, err = run("check", tmp_path / name, "--collection", collection, db=tmp_path / "x.db")
    assert status in (1, 2)
    assert said in err.splitlines()[-1]


def test_a_question_is_listed_until_a_file_answers_it(tmp_path, index_home):
    db, lease, contacts = tmp_path / "x.db", tmp_path / "lease.txt", tmp_path / "contacts.txt"
    lease.write_text(LEASE)
    contacts.write_text("Contacts. The janitor of the house is Wanda Pereira. Her phone number is 555 0199.")
    asked = ["What is the phone number of the janitor?", "What is the janitor's telephone number?"]
    assert run("documents", "add", lease, "--collection", "flat", db=db)[0] == 0
    for question in (*asked, "Is there a swimming pool?"):
        run("ask", question, "--collection", "flat", db=db)
    status, out, err = run("documents", "lacking", "--collection", "flat", "--json", db=db)
    assert status == 0, err
    groups = [[one["question"] for one in json.loads(line)["questions"]] for line in out.splitlines()]
    assert groups == [asked[::-1], ["Is there a swimming pool?"]]
    status, out, _ = run("documents", "lacking", "--collection", "flat", db=db)
    assert "nearest: lease: The monthly rent" in out
    assert run("documents", "add", contacts, "--collection", "flat", db=db)[0] == 0
    status, out, err = run("documents", "lacking", "--collection", "flat", "--again", db=db)
    assert status == 0, err
    assert out.count("555 0199") == 2
    left = run("documents", "lacking", "--collection", "flat", db=db)[1].splitlines()
    assert [line.partition(" (")[0] for line in left if not line.startswith(" ")] == ["Is there a swimming pool?"]
    status, _, err = run("documents", "lacking", "--collection", "nowhere", db=db)
    assert status == 2 or status == 1
    assert "there is no collection 'nowhere'" in err
