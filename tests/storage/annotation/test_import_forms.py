"""Answers and judged sets as other programs store them: each becomes an item with its marks, documents and labels."""

import json
from contextlib import closing
from pathlib import Path

import pytest

from searchain.annotation.protocol import Place, default_labels
from storage.annotation import gold, history, items
from storage.annotation.import_forms import forms
from storage.database import Database
from tests.support.shell import annotate as run

FOLDER = Path(__file__).parents[2] / "data" / "forms"
FILES = {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in sorted(FOLDER.glob("*.json"))}
"""One small file for each form, and what it says."""
DOCUMENTS = [{"title": "Kyoto", "text": "Kyoto is old."}, {"title": "Nara", "text": "Nara is older."}]
FIRST = {"number": 1, **DOCUMENTS[0]}


def stored(path, what=items.items):
    with closing(Database(path)) as store:
        return list(what(store))


def said(labels):
    needs = {True: "mark missing", False: "needs none", None: None}
    return [[one.support or needs[one.missing] for one in labels.knowledge_items], [one.place for one in labels.marks]]


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("indent", [None, 1])
def test_a_form_is_read(tmp_path, name, indent):
    one, path = FILES[name], tmp_path / "d.db"
    text, options = json.dumps(one["file"], indent=indent), one.get("options", ())
    tried = run("import", "-", "--dry-run", "--strict", *options, db=path, input=text)
    assert f"form: {one['form']} ({len(one['reads'])})" in tried.stderr
    done = run("import", "-", "--from", one["form"], *options, db=path, input=text)
    assert (done.stderr.splitlines()[-1], done.exit_code) == (f"{len(one['reads'])} imported", 0)
    for item, reads in zip(stored(path), one["reads"], strict=True):
        sources = sorted([*item.sources, *item.uncited], key=lambda source: source.number)
        assert (item.question, item.system, item.answer) == (reads["question"], reads["system"], reads["answer"])
        assert [[each.number, each.title, each.text, each.url] for each in sources] == reads["documents"]
        assert item.invented == frozenset()
    assert [[each.annotator, *said(each.labels)] for each in stored(path, history.labels)] == one.get("labels", [])


def test_every_form_has_a_file_and_a_line_in_the_list_and_the_documentation():
    assert {one["form"] for one in FILES.values()} == set(forms())
    listed = run("import", "--list-forms", db="").stdout.splitlines()
    assert listed == [f"{name:<18}{form['about']}" for name, form in forms().items()]
    page = Path("docs/annotation.md").read_text(encoding="utf-8")
    assert [name for name, form in forms().items() if f"| `{name}` | {form['about']} |" not in page] == []


def _changed(name, old, new):
    return json.dumps(FILES[name]["file"]).replace(old, new, 1)


CLAIMED = json.dumps(FILES["llm-aggrefact"]["file"])
WITH_GAPS = {
    "one edited nothing": (_changed("citebench", '"edits": [{}', '"edits": [null'), ["complete", "partial"], 0),
    "no edits": (_changed("citebench", '"edits": [{}, {"add-evidence": ["2"]}]', '"edits": null'), ["complete"] * 2, 0),
    "no evidence": (_changed("expertqa", '"support": "Missing"', '"support": "N/A"'), ["needs none"], 0),
    "judged twice": (f"{CLAIMED}\n{CLAIMED}", ["complete"], 0),
    "judged otherwise": (CLAIMED + "\n" + _changed("llm-aggrefact", '"label": 1', '"label": 0'), ["complete"], 1),
}
"""Of a judged set: the file, each annotator's judgement of the statement in question, and how many judgements differ."""


@pytest.mark.parametrize("what", WITH_GAPS)
def test_gaps_and_doubles_of_judged_sets(tmp_path, what):
    text, expected, differing = WITH_GAPS[what]
    done = run("import", "-", "--system", "m", db=tmp_path / "d.db", input=text)
    assert (done.exit_code, f"{differing} judged again, and otherwise: the first" in done.stderr) == (
        0,
        bool(differing),
    )
    at = -1 if what == "no evidence" else 0
    assert [said(one.labels)[0][at] for one in stored(tmp_path / "d.db", history.labels)] == expected


@pytest.mark.parametrize("name", [name for name, one in FILES.items() if len(one.get("labels", ())) == 1])
def test_judgements_become_gold_or_nothing(tmp_path, name):
    one = FILES[name]
    text, options = json.dumps(one["file"]), one.get("options", ())
    assert run("import", "-", "--labels", "none", *options, db=tmp_path / "d.db", input=text).stderr == "1 imported\n"
    for _ in range(2):
        again = run("import", "-", "--labels", "gold", *options, db=tmp_path / "d.db", input=text)
        assert again.stderr.splitlines()[-1] == "0 imported, 1 there already"
    assert f"judged by: {one['labels'][0][0]} (1)" in again.stderr
    decided = stored(tmp_path / "d.db", gold.gold)
    assert [[each.adjudicator, *said(each.labels)] for each in decided] == one["labels"]
    assert stored(tmp_path / "d.db", history.labels) == []
    lines = run("export", db=tmp_path / "d.db").stdout
    assert run("import", "-", db=tmp_path / "again.db", input=lines).stderr == "2 imported\n"
    assert run("export", db=tmp_path / "again.db").stdout == lines


AZURE = {"question": "Q?", "model": "m", "choices": [{"message": {"content": "Kyoto is old [doc1]."}}]}
LLAMA = {"user_input": "Q?", "response": "Kyoto [1]. Nara [2].", "source_nodes": [{"node": {"text": "Kyoto."}}]}
CLAIM = FILES["expertqa"]["file"]
REFUSED = {
    "marks without documents": (AZURE, (), "its answer has 1 mark and no document: which field holds the documents?"),
    "another form's documents": (LLAMA, ("--from", "ragas", "--system", "m"), "as ragas: retrieved_contexts[], con"),
    "question": (chat := {"response": AZURE["choices"][0]}, ("--from", "openai"), "Looked for: question, user_input"),
    "no text": ({"question": "Q?", **chat}, ("--from", "gemini"), "no text of a reply; looked for: candidates[0].con"),
    "no system": ({**LLAMA, "query": "Q?"}, (), "it does not say who answered; name the system (--system NAME)"),
    "nothing known": ({"x": 1, "y": 2}, (), "--list-forms`; its fields are 'x', 'y'"),
    "a judgement": (json.loads(json.dumps(CLAIM).replace("Partial", "Perhaps")), (), "'Perhaps' is no judgement of"),
    "several as gold": (FILES["citebench"]["file"], ("--labels", "gold", "--system", "m"), "2 annotators judged it"),
    "fewer judgements": (
        json.loads(json.dumps(FILES["alce-human"]["file"]).replace(', {"citation_precision_score": 0}', "")),
        (),
        "it judges 1 citations of a part that has 2",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_read_is_refused_with_the_fields_looked_for(tmp_path, what):
    file, options, message = REFUSED[what]
    done = run("import", "-", *options, db=tmp_path / "d.db", input=json.dumps(file))
    assert (done.exit_code, done.stderr.count("\n"), stored(tmp_path / "d.db")) == (1, 1, [])
    assert message in done.stderr


def test_a_citation_without_a_place_or_a_document_is_named(tmp_path):
    file = json.loads(json.dumps(FILES["cohere"]["file"]).replace('"0", "1"', '"7"'))
    file["citations"][0] |= {"start": 300, "end": 400, "text": "Osaka"}
    listed = json.loads(json.dumps(FILES["openai-files"]["file"]).replace('"index": 13', '"index": 1'))
    tried = run("import", "-", "--dry-run", db=tmp_path / "f.db", input=json.dumps(listed))
    assert "“a citation at 1–1” (1)" in tried.stderr
    tried = run("import", "-", "--dry-run", db=tmp_path / "d.db", input=json.dumps(file))
    assert tried.stderr.splitlines()[0] == "1 reply, 2 marks, 1 invented, 0 without marks, 1 look uncited"
    assert "looks like a citation, not understood: “a citation at 300–400” (1)" in tried.stderr
    assert run("import", "-", "--strict", db=tmp_path / "d.db", input=json.dumps(file)).exit_code == 2


def test_invented_marks_stay_and_a_dry_run_changes_nothing(tmp_path):
    answers = [
        {"question": "Invented?", "system": "m", "answer": "It is so [1][9].", "citations": [FIRST]},
        {"question": "Unclear?", "system": "m", "answer": "It is so (Smith, 2020).", "citations": []},
        {
            "question": "Uncited?",
            "system": "m",
            "answer": "It is so [1].",
            "citations": [FIRST, {"number": 2, "title": "Nara", "text": ""}],
        },
    ]
    text = "".join(json.dumps(one) + "\n" for one in answers)
    tried = run("import", "-", "--dry-run", db=tmp_path / "d.db", input=text)
    assert tried.stderr.splitlines() == [
        "3 replies, 3 marks, 1 invented, 1 without marks, 1 look uncited",
        "form: own (3)",
        "understood: [1] (3)",
        "1 of 3 documents have no text, only a title or an address",
        "looks like a citation, not understood: “(Smith, 2020)” (1)",
        "nothing was imported: leave --dry-run out to import",
    ]
    assert stored(tmp_path / "d.db") == []
    refused = run("import", "-", "--strict", db=tmp_path / "d.db", input=text)
    assert (refused.exit_code, "(Smith, 2020)" in refused.stderr, refused.stderr.count("\n")) == (2, True, 1)
    assert run("import", "-", db=tmp_path / "d.db", input=text).stderr.endswith("3 imported\n")
    invented, _, uncited = stored(tmp_path / "d.db")
    assert (invented.answer, invented.invented) == ("It is so [1][9].", {1})
    assert [one.place for one in default_labels(invented).marks] == [None, Place.INVENTED]
    assert [source.number for source in uncited.uncited] == [2]
    assert run("import", "-", db=tmp_path / "d.db", input=text).stderr.endswith("0 imported, 3 there already\n")
