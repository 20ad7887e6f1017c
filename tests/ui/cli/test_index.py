"""``index`` and ``serve`` as they are typed."""

import json
import signal
import subprocess
import sys
from pathlib import Path

from searchain.retrieval.remote import RemoteRetriever
from tests.support.retrieval_home import CITIES, write_corpus
from tests.support.shell import told as run

ROOT = Path(__file__).parents[3]


def test_the_life_of_an_index(index_home, tmp_path):
    first = write_corpus(tmp_path / "first.jsonl", CITIES[:3])
    with first.open("a") as file:
        file.write('{broken\n{"id": "x", "title": "no text"}\n')
    more = write_corpus(tmp_path / "more.jsonl", CITIES[2:])

    assert run("index", "list") == (0, "", "")
    assert run("index", "build", first, "--name", "cities") == (
        0,
        "index 'cities' built: 3 passages, 2 skipped\n",
        "skipped: first.jsonl line 4: not JSON\nskipped: first.jsonl line 5: no text\n",
    )
    status, out, _ = run("index", "build", first, "--name", "cities")
    assert (status, out) == (0, "index 'cities' is up to date: 3 passages, 2 skipped\n")
    assert run("index", "add", "cities", more) == (0, "index 'cities' has 2 more: 5 passages\n", "")
    assert run("index", "add", "cities", more) == (0, "index 'cities' has all of them already: 5 passages\n", "")

    status, out, _ = run("index", "list", "--json")
    known = json.loads(out)
    assert (status, known["name"], known["passages"]) == (0, "cities", 5)
    assert known["sources"] == ["first.jsonl", "more.jsonl"]
    assert run("index", "list")[1] == (
        f"cities: 5 passages from first.jsonl, more.jsonl; checkpoint embedded; {known['created']}\n"
    )

    assert run("index", "remove", "cities", input="n\n")[0] == 2  # nobody is there to be asked
    assert run("index", "remove", "cities", "--yes") == (0, "index 'cities' removed\n", "")
    assert run("index", "list") == (0, "", "")


def test_serve_answers_other_processes(index_home, tmp_path):
    assert run("index", "build", write_corpus(tmp_path / "cities.jsonl"), "--name", "cities")[0] == 0
    command = [sys.executable, "-u", "assistant.py", "serve", "--index", "cities", "--port", "0"]
    program = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        line = program.stdout.readline()
        assert line.startswith("index 'cities' (5 passages) at http://127.0.0.1:")
        (hit,) = RemoteRetriever(line.split()[-1]).search("What is the capital of Canada?", 1)
        assert (hit.passage.id, hit.passage.title, hit.passage.text) == CITIES[0]
    finally:
        program.send_signal(signal.SIGINT)
        rest, _ = program.communicate(timeout=20)
    assert rest == ""
