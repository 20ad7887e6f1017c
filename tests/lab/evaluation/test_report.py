"""The page of results, and the scores that are expected of it."""

import json
import re
import shlex

import pytest
from click.testing import CliRunner

from lab.cli.evaluate import evaluate
from lab.evaluation import expected, report
from lab.evaluation.examples import Example
from lab.evaluation.outfile import OutFile
from lab.evaluation.summary import summarise
from lab.evaluation.trust import NAMES
from lab.systems.base import SYSTEMS
from tests.support.fakes import CITY, EXAMPLE, ISLAND, RUN_HEADER, NoReader, chain_text, outfile_line

EVIL = Example("evil", "What | is <img src=x> ```\n[1](http://x) ?", ("**bold** | $x$",), "a|b", license="CC0")


def out(path, *lines, **run):
    with OutFile(path, RUN_HEADER | run) as file:
        for one in lines:
            file.write({name: value for name, value in one.items() if name != "run"})
    return path


def numbered(*lines):
    return [{**one, "id": f"q{number}"} for number, one in enumerate(lines, 1)]


@pytest.fixture
def outs(tmp_path):
    corrected = outfile_line(EXAMPLE, chain_text((CITY, "Osaka")), chain_text((CITY, "Kyoto"), (ISLAND, "Honshu")))
    wrong = outfile_line(EXAMPLE, chain_text((CITY, "Kyoto"), (ISLAND, "Kyushu")), reader=NoReader())
    return (
        out(tmp_path / "one.jsonl", *numbered(outfile_line(), corrected, wrong)),
        out(tmp_path / "two.jsonl", *numbered(wrong, outfile_line(), outfile_line()), system="direct"),
        out(tmp_path / "three.jsonl", outfile_line(EVIL, chain_text((CITY, "Kyoto"))), data="other/dev 99"),
    )


def run(command, *args):
    return CliRunner().invoke(command, [str(arg) for arg in args])


def section(page, title):
    return re.search(rf"## {title}\n\n(.*?)(?=\n\n## |\Z)", page, re.DOTALL)[1]


def rows(table):
    return [[cell.strip() for cell in row.strip("|").split(" | ")] for row in table.splitlines()[2:]]


def test_the_page_has_scores_differences_verdicts_errors_and_transcripts(outs, tmp_path):
    result = run(report.main, *outs, "--to", tmp_path / "page.md", "--transcripts", 2)
    assert (result.exit_code, result.output) == (0, "")
    page = (tmp_path / "page.md").read_text()
    assert page.startswith("# Evaluation\n")
    assert page == run(report.main, *outs, "--transcripts", 2).output
    scores = rows(section(page, "Scores"))
    asked = [["toy/dev 0123456789ab", system, "scripted", "3"] for system in ("searchain", "direct")]
    assert [row[:4] for row in scores][:2] == asked
    assert [row[4].split()[0] for row in scores] == ["66.7", "66.7", "0.0"]
    (difference,) = rows(section(page, "Compared on the same questions"))
    assert difference[:3] == ["toy/dev 0123456789ab", "direct", "3"]
    assert difference[3].startswith("+0.0 [")
    # the paths: 2 agreed, 1 corrected and 1 agreed, 2 unconfirmed
    assert rows(section(page, "Verdicts and costs").split("\n\n")[1])[0][2:7] == ["50.0", "16.7", "0.0", "0.0", "33.3"]
    head = section(page, "Where wrong answers went wrong").splitlines()[2]
    assert [name for name in head.strip("| ").split(" | ")[2:]][:3] == ["wrong", "failed", "model"]
    transcripts = section(page, "2 transcripts")
    assert transcripts.count("\nQ: On which Japanese island") == 2
    assert "questions: CC0." in transcripts


def test_untrusted_text_stays_in_its_cell_and_in_its_block(outs):
    page = run(report.main, outs[2]).output
    scores = rows(section(page, "By type of question"))
    assert len(scores) == 1
    assert scores[0][2] == "a&#124;b"
    block = re.search(r"^(`{3,})text\n(.*?)^\1$", page, re.DOTALL | re.MULTILINE)
    assert len(block[1]) == 4
    assert "<img src=x> ``` [1](http://x) ?" in block[2]
    assert "<img" not in page.replace(block[0], "")


def test_the_tick_has_its_section_and_pictures_where_questions_are_known_to_be_answerable(outs, tmp_path):
    known = [{**one, "answerable": True, "probability": None} for one in numbered(outfile_line(), outfile_line())]
    everyday = out(tmp_path / "every day.jsonl", *known)
    (tmp_path / "every day.reliability.svg").write_text("<svg/>")
    (tmp_path / "docs").mkdir()
    assert run(report.main, outs[0], everyday, "--to", tmp_path / "docs" / "page.md").exit_code == 0
    page = (tmp_path / "docs" / "page.md").read_text()
    table, picture = section(page, "Whether the tick can be believed").split("\n\n")
    assert rows(table)[0] == ["right, of the answerable", "100.0 [100.0, 100.0]"]
    assert rows(table)[-1] == ["expected calibration error", "– (no reply has a probability)"]
    assert picture == "![every day.reliability.svg](every%20day.reliability.svg)"
    assert (tmp_path / "docs" / "every day.reliability.svg").read_text() == "<svg/>"
    assert "believed" not in run(report.main, outs[0]).output


ROWS = expected.load(expected.FILE)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.system}-{row.data.split()[0]}")
def test_every_expected_score_has_a_command_that_exists(row):
    python, script, command, *args = shlex.split(row.command)
    assert (python, script, command) == ("python", "assistant.py", "eval")
    assert row.system in SYSTEMS
    given = evaluate.make_context("eval", list(args)).params
    assert (given["system_name"], str(given["data"])) == (row.system, f"$DATA/{row.data.split()[0]}.jsonl.gz")
    assert row.score in ("cover_em", "rouge_l", *NAMES)
    assert row.goal is None or 0 < row.goal < 100
    if row.measured is not None:
        assert 0 <= row.measured.low <= row.measured.mean <= row.measured.high <= 100
        assert row.measured.n > 0
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", row.measured.date)
        assert row.measured.model
        assert row.measured.content


@pytest.fixture
def stored(tmp_path):
    file = tmp_path / "expected.json"
    expected.save(
        [
            expected.Expected("python …", "searchain", "toy/dev 0123456789ab", "cover_em", 35.0, None),
            expected.Expected("python …", "direct", "toy/dev 0123456789ab", "rouge_l", None, None),
        ],
        file,
    )
    return file


def summary(path, *lines, **run):
    path.write_text(json.dumps({"run": RUN_HEADER | run, **summarise(lines)}))
    return path


def test_scores_are_stored_and_later_compared(stored, tmp_path):
    lines = outfile_line(), outfile_line(EXAMPLE, chain_text((CITY, "Kyoto")))
    first = summary(tmp_path / "one.json", *lines, data="moved/there 0123456789ab")
    result = run(expected.main, "--file", stored, "--store", first)
    assert result.exit_code == 0
    assert result.output.splitlines() == [
        "searchain on toy/dev 0123456789ab: cover_em 50.0 [0.0, 100.0], n = 2, goal 35",
        "    python …",
        "direct on toy/dev 0123456789ab: rouge_l not measured yet",
        "    python …",
    ]
    assert expected.load(stored)[0].measured.content == "none"
    assert run(expected.main, "--file", stored).output == result.output
    run(expected.main, "--file", stored, "--store", summary(tmp_path / "two.json", outfile_line(), outfile_line()))
    same = summary(tmp_path / "two.json", outfile_line())
    assert run(expected.main, "--file", stored, "--check", same).exit_code == 0
    low = run(expected.main, "--file", stored, "--check", first)
    assert low.exit_code == 1
    assert low.output.splitlines()[0] == (
        "DIFFERENT: searchain on toy/dev 0123456789ab: 50.0 [0.0, 100.0], n = 2; expected 100.0 [100.0, 100.0], n = 2"
    )
