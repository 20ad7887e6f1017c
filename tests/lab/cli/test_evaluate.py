"""``assistant.py eval``, from the questions to the summary: resumed, refused, analysed, and on the real parts."""

import json
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

import assistant
from lab.scripted.server import Failure, Reply, ScriptedServer
from tests.support.json_lines import kept, write_lines
from tests.support.retrieval_home import write_corpus
from tests.support.shell import run

ROOT = Path(assistant.__file__).parent
RECORDS = kept("toy-questions.json")


@pytest.fixture
def data(tmp_path):
    return write_lines(tmp_path / "toy.jsonl", RECORDS)


run = partial(run, "eval")


def shell(*args, **options):
    words = [sys.executable, ROOT / "assistant.py", "eval", *map(str, args)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


def told(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def no_ir(data, out, server, *args):
    where = ("--data", data, "--out", out, "--model", "m", "--base-url", server.base_url)
    return ("--system", "searchain-no-ir", *where, *args)


def replies():
    """A server that plans one step for each question."""
    answers = {"Canada": "Ottawa", "Where does": "Kyoto", "island": "Kyushu"}
    plan = "[Query 1]: What of {}?\n[Answer 1]: {}\n"
    script = [Reply(plan.format(*one), when=one[0], repeats=True) for one in answers.items()]
    return ScriptedServer(models=("m",), script=script)


def test_a_run_scores_every_question_and_sums_up(data, tmp_path):
    out = tmp_path / "out.jsonl"
    with replies() as server:
        result = run(*no_ir(data, out, server, "--jobs", 2, "--set", "reply=template"))
        assert result.exit_code == 0, result.stderr
        lines = sorted((line["id"], line["final_answer"], line["cover_em"]) for line in told(out))
        assert lines == [("canada", "Ottawa", 1.0), ("island", "Kyushu", 0.0), ("japan", "Kyoto", 1.0)]
        summary = json.loads(result.stdout)
        assert summary == json.loads((tmp_path / "out.summary.json").read_text())
        assert (summary["questions"], summary["scores"]["cover_em"]["mean"]) == (3, 66.67)
        assert summary["run"]["model"] == f"m at {server.base_url.split('/')[2]}"
        assert {kind: of["scores"]["cover_em"]["mean"] for kind, of in summary["types"].items()} == {
            "bridge": 0.0,
            "single": 100.0,
        }
        assert summary["run"]["settings"]["use_ir"] is False
        assert summary["run"]["index"] == ""
        table = result.stderr.splitlines()
        assert table[0].startswith(f"searchain-no-ir on {tmp_path.name}/toy ")
        assert table[2].startswith("all (3)")
        asked = len(server.requests)
        again = run(*no_ir(data, out, server, "--set", "reply=template", "--analyse", "--summary", tmp_path / "s.json"))
        assert (again.exit_code, json.loads(again.stdout), len(server.requests)) == (0, summary, asked)
        assert again.stderr.splitlines()[len(table) :][:2] == [
            "1 of 3 questions wrong, by the stage that explains it",
            "model                  1  100.0 % of the wrong,  33.3 % of all",
        ]
        other = run(*no_ir(data, out, server, "--set", "max_rounds=2"))
        assert (other.exit_code, other.stdout) == (2, "")
        assert other.stderr.startswith(f"error: '{out}' holds answers of another run: settings is ")
        assert other.stderr.count("\n") == 1
    analysed = run("--analyse", "--out", out)
    assert analysed.stdout.splitlines() == again.stderr.splitlines()[len(table) :]


def test_questions_known_to_be_answerable_or_not_measure_the_tick(data, tmp_path):
    records = [
        {**record, "type": "yesno", "answerable": known}
        for record, known in zip(RECORDS, (True, False, True), strict=True)
    ]
    records.append({"id": "claim", "question": "Canada has a capital.", "answers": ["Ottawa"], "answerable": True})
    write_lines(data, records)
    out = tmp_path / "out.jsonl"
    with replies() as server:
        result = run(*no_ir(data, out, server, "--set", "reply=template"))
        assert result.exit_code == 0, result.stderr
        by_type = run(*no_ir(data, tmp_path / "typed.jsonl", server, "--task", "longform", "--limit", 1))
        assert by_type.exit_code == 0
    # as a user's: the type decides nothing
    tasks = {line["id"]: line["task"] for line in told(out)}
    assert tasks == {"canada": "multihop", "japan": "multihop", "island": "multihop", "claim": "factcheck"}
    assert told(tmp_path / "typed.jsonl")[0]["task"] == "longform"
    made = json.loads(result.stdout)["trust"]
    assert (made["questions"], made["answerable"]) == (4, 3)
    assert made["figures"]["right_answerable"]["mean"] == pytest.approx(33.33)
    assert "right, of the answerable                       33.3 [" in result.stderr
    assert (tmp_path / "out.risk-coverage.svg").read_text().startswith("<svg ")
    assert not (tmp_path / "out.reliability.svg").exists()  # without a search no reply is sure


@pytest.mark.parametrize(("sign", "status", "words"), [(signal.SIGINT, 130, "stopped"), (signal.SIGKILL, -9, "")])
def test_a_run_that_is_ended_goes_on_where_it_was(index_home, data, tmp_path, sign, status, words):
    out = tmp_path / "out.jsonl"
    with replies() as server:
        server.script[-1] = Reply("[Query 1]: Which island?", when="island", first_token=60)
        running = shell(*no_ir(data, out, server, "--set", "reply=template"))
        while not out.exists() or out.read_bytes().count(b"\n") < 2:
            assert running.poll() is None
            time.sleep(0.05)
        time.sleep(0.3)
        running.send_signal(sign)
        stdout, stderr = running.communicate(timeout=30)
        assert (running.returncode, stdout, stderr.strip()) == (status, "", words)
        assert [line["id"] for line in told(out)] == ["canada", "japan"]
        with out.open("a") as file:
            file.write('{"id": "island", "answ')
        server.script = [Reply("[Query 1]: Which island?\n[Answer 1]: Honshu\n", when="island", repeats=True)]
        result = run(*no_ir(data, out, server, "--set", "reply=template"))
    assert result.exit_code == 0, result.stderr
    assert [(line["id"], line["cover_em"]) for line in told(out)] == [("canada", 1.0), ("japan", 1.0), ("island", 1.0)]


def test_failed_questions_are_told_and_asked_anew(data, tmp_path):
    out = tmp_path / "out.jsonl"
    with ScriptedServer(models=("m",)) as server:
        server.script = [
            Reply("[Query 1]: Who?\n[Answer 1]: Ottawa\n", when="Canada", repeats=True),
            Failure(status=400, repeats=True),
        ]
        result = run(*no_ir(data, out, server))
        assert result.exit_code == 1
        assert json.loads(result.stdout)["statuses"] == {"failed": 2, "partial": 1}
        assert result.stderr.splitlines()[-1].startswith("error: 2 of 3 questions failed, first 'japan': ")
        server.script = [Reply("[Query 1]: Who?\n[Answer 1]: Kyoto\n", repeats=True)]
        result = run(*no_ir(data, out, server))
        assert result.exit_code == 0
        assert json.loads(result.stdout)["scores"]["cover_em"]["mean"] == 66.67
    assert [line["id"] for line in told(out)] == ["canada", "japan", "island", "japan", "island"]


def test_a_service_that_is_gone_ends_the_run(data, tmp_path):
    write_lines(data, (RECORDS[0] | {"id": str(number)} for number in range(20)))
    with ScriptedServer(models=("m",)) as server:
        server.script = [Failure(status=401, repeats=True)]
        result = run(*no_ir(data, tmp_path / "out.jsonl", server))
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.count("\n") == 1
    assert "5 questions in a row failed, the last with: " in result.stderr
    assert len(told(tmp_path / "out.jsonl")) == 5


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--system", "nothing"], "no system 'nothing'; there are: searchain, "),
        (["--system", None], "name --system and --data; systems: searchain, "),
        (["--data", "missing.jsonl"], "'missing.jsonl' cannot be read"),
        (["--data", __file__], "no example"),
        (["--corpus", "missing.jsonl"], "no file 'missing.jsonl'"),
        (["--sample", 1], "--sample draws --limit N"),
        (["--task", "poetry"], "'poetry' is not one of"),
        (["--set", "passages"], "--set 'passages' cannot be used"),
        (["--set", "passages=0"], "'passages' is 0"),
        (["--set", "first_call=never"], "setting 'first_call' is 'never'; it must be passages or plan"),
        (["--set", "without=colour"], "setting 'without' names 'colour'; it may name: reads_kinds, "),
        (["--set", "use_ir=false", "--system", "direct"], "is what makes the system 'direct'"),
        (["--out", None], "name the file of the answers with --out"),
    ],
)
def test_wrong_use_is_told_in_one_line(data, tmp_path, monkeypatch, args, words):
    monkeypatch.setenv("SEARCHAIN_HOME", str(tmp_path))
    given = {"--system": "searchain", "--data": data, "--out": tmp_path / "out.jsonl"}
    pairs = list(zip(args[::2], args[1::2], strict=True))
    result = run(
        *(part for name, value in {**given, **dict(pairs)}.items() if value is not None for part in (name, value))
    )
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1), result.stderr
    assert words in result.stderr
    assert not (tmp_path / "out.jsonl").exists()


def test_the_real_embedded_parts_answer_from_a_corpus_file(index_home, data, tmp_path):
    corpus = write_corpus(tmp_path / "cities.jsonl")
    out = tmp_path / "out.jsonl"
    args = ("--system", "direct-retrieval", "--data", data, "--corpus", corpus, "--out", out, "--limit", 2)
    done = shell(*args, env=os.environ | {"SEARCHAIN_HOME": str(index_home)})
    stdout, stderr = done.communicate(timeout=300)
    assert done.returncode == 0, stderr
    summary, lines = json.loads(stdout), told(out)
    assert [(line["id"], line["final_answer"]) for line in lines] == [("canada", "Ottawa"), ("japan", "Kyoto")]
    assert summary["scores"]["recall_5"]["mean"] == 100.0
    assert summary["run"]["index"].startswith("eval-")
    for line in lines:
        assert {source["title"] for source in line["sources"]} <= {"Ottawa", "Toronto", "Nintendo", "Kyoto"}
        for sentence in line["sentences"]:
            assert line["answer"][sentence["start"] : sentence["end"]] == sentence["text"]
    assert "trust" not in summary
    assert summary["per_question"]["llm_calls"] == 0
