"""Own documents from end to end, with the real parsers, encoder, Reader and model: add, ask, see the place, erase."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import assistant as program
from searchain.assemble import Choice, Parts
from tests.support.asked_documents import files
from ui.cli.main import cli

NAMES = ("pump-manual.pdf", "lease.docx", "staff.csv", "lighthouse.html")
CANARY = "Hedda Lindqvist"


@pytest.fixture
def home(index_home):
    """A home with the four documents, and one model and one Reader for all commands."""
    made: dict[Choice, Parts] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(program, "Parts", lambda choice: made.setdefault(choice, Parts(choice)))
        folder = index_home / "to-add"
        folder.mkdir()
        for name, content in files().items():
            if name in NAMES:
                (folder / name).write_bytes(content)
        yield index_home
    for parts in made.values():
        parts.model().close()


def run(*args: object, status: int = 0) -> str:
    done = CliRunner().invoke(cli, [str(arg) for arg in args])
    assert done.exit_code == status, done.output
    return done.stdout


def ask(question: str, *args: str) -> dict:
    return json.loads(run("ask", question, "--json", "--collection", "work", *args))


def files_with(words: str, home: Path) -> list[str]:
    """Every file below ``home`` that holds ``words``, links not followed."""
    needle = words.encode()
    found = (path for path in home.rglob("*") if path.is_file() and not path.is_symlink())
    return [str(path.relative_to(home)) for path in found if needle in path.read_bytes()]


@pytest.mark.slow
def test_own_documents_are_added_asked_cited_at_their_place_and_erased(home):
    told = run("documents", "add", *(home / "to-add" / name for name in NAMES), "--collection", "work")
    assert "4 documents ready in 'work'" in told
    for path in (home / "to-add").iterdir():
        path.unlink()

    reply = ask("Who developed the Ostrava P-40 pump?")
    assert reply["final_answer"] == CANARY
    assert reply["collections"] == ["work"]
    place = reply["sources"][0]["place"]
    assert (place["name"], place["type"]) == ("pump-manual.pdf", "pdf")
    (region,) = place["regions"]
    assert region["page"] == 1
    left, top, right, bottom = region["boxes"][0]
    assert 0.08 < left < right < 0.95  # within the line, which begins at 72 of 612 points
    assert 0.12 < top < bottom < 0.22  # in the first lines below the heading

    follow_up = json.loads(
        run("ask", "In which room is Carla Benedetti?", "--json", "--conversation", reply["conversation"])
    )
    assert follow_up["collections"] == ["work"]  # a follow-up stays within the collection
    assert follow_up["final_answer"] == "C03"
    assert follow_up["sources"][0]["place"]["name"] == "staff.csv"

    assert ask("Who is the landlady of the flat in Marten Street?")["final_answer"] == "Ines Kowalczyk"
    reply = ask("Who designed the lighthouse of Skarn?")
    assert reply["final_answer"] == "Ludvig Maren"
    assert reply["sources"][0]["place"]["anchor"]

    reply = ask("Which documents mention Anna Brekke?")
    assert (reply["final_answer"], reply["sources"][0]["place"]["name"]) == (
        "The lighthouse of Skarn",
        "lighthouse.html",
    )
    assert "4 documents" in ask("What are these documents about?")["answer"]

    assert files_with(CANARY, home)
    run("documents", "erase", "pump-manual.pdf", "--collection", "work", "--yes")
    assert files_with(CANARY, home) == []
    assert CANARY not in json.dumps(ask("Who developed the Ostrava P-40 pump?"))
