"""From a question that is not found to a file that answers it, in the shell over the embedded parts."""

import json

from tests.test_checked_texts import LEASE, run


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
