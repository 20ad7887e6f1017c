"""The report of a seeded database: tables, JSON, plots and the page; nothing of a label's text becomes more than text."""

import csv
import io
import json
import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from searchain.annotation import guided_practice
from searchain.annotation.measures import breakdown
from searchain.annotation.protocol import Backing
from searchain.annotation.units import Judgement
from storage.annotation import gold, pseudonyms
from storage.annotation.progress import Work
from storage.annotation.report import report, report_on
from storage.database import Database
from tests.support.hostile import ACTING
from tests.support.judged_replies import ERRORS, SEARCHAIN, fill_desk, simulate_judging, uniform_labels
from tests.support.shell import annotate as run
from ui.desk.report_html import page, plots, tables
from ui.desk.report_table import agreement_tables, text_lines

ADJUDICATED = 25
KYOTO = [{"number": 1, "title": "Kyoto", "text": "Kyoto is on Honshu."}]


@pytest.fixture(scope="module")
def drawn():
    return simulate_judging(replies=40, seed=7)


@pytest.fixture(scope="module")
def path(drawn, tmp_path_factory):
    path = tmp_path_factory.mktemp("desk") / "chat.db"
    store = Database(path)
    fill_desk(store, drawn)
    for id in list(drawn.gold)[:ADJUDICATED]:
        gold.adjudicate(store, id, drawn.gold[id], "judge", [(name, 1) for name in sorted(ERRORS)])
    store.close()
    return path


@pytest.fixture(scope="module")
def store(path):
    store = Database(path)
    yield store
    store.close()


@pytest.fixture(scope="module")
def whole(drawn):
    """The report with all that it can have."""
    items = {item.id: item for item in drawn.items}
    time = "2026-09-14T09:00:00.000+00:00"
    right = [Judgement(items[id], "gold", labels, time) for id, labels in drawn.gold.items()]
    return report_on(drawn.judgements, right, guidelines=("1.0",))


def test_the_report_of_a_database_is_that_of_the_labels_in_it(store, drawn):
    found = report(store)
    assert found.systems == breakdown(drawn.judgements)
    assert (found.replies, found.labels, found.guidelines) == (80, 240, ("2.1",))
    assert sum(one.replies for one in found.adjudicated.values()) == ADJUDICATED == len(list(drawn.gold)[:ADJUDICATED])
    worked = [(one.annotator, one.submitted, one.skipped) for one in found.work]
    assert worked == [(name, 80, 0) for name in sorted(ERRORS)]
    assert sum(one.seconds for one in found.work) == pytest.approx(sum(one.seconds for one in drawn.judgements))
    assert "|".join(one.name for one in found.disagreement.agreements) == (
        "support|support, as a scale|places of marks|need of a mark|division into knowledge items|SKC of a reply"
    )


def test_gold_of_the_seeded_set_is_without_the_annotators_errors(whole, drawn):
    """After adjudication AMP is what the generator says is so, over the replies that somebody erred on."""
    for system, found in whole.adjudicated.items():
        placed = [one for one in drawn.answers if one.question == "place" and one.item in drawn.gold]
        truth = {(one.item, one.target): one.truth for one in placed if one.system == system}
        assert found.amp.value == pytest.approx(list(truth.values()).count("right") / len(truth), abs=1e-9)
    for one in whole.disagreement.confusions["places of marks"]:
        errs = [said for said in drawn.answers if said.annotator == one.annotator and said.question == "place"]
        assert (one.units, one.right) == (len(errs), sum(said.truth == said.given for said in errs))


def test_the_tables_and_plots_put_the_papers_figures_beside_ours(whole):
    shown = {table.name: table for table in tables(whole)}
    assert " ".join(shown) == (
        "systems citations adjudicated compared agreement pairs confusion worst reliability annotators drift work"
    )
    rows = {row[0]: row for row in shown["systems"].rows}
    assert rows["SearChain (paper)"] == ("SearChain (paper)", "–", "3", "2.882", "–", "–", "–", "0.80", "–", "–", "–")
    assert rows["New Bing (paper)"][3:8] == ("1.143", "–", "–", "–", "0.45")
    assert re.fullmatch(r"\d\.\d\d \[\d\.\d\d, \d\.\d\d\]", rows[SEARCHAIN][3])
    assert rows[SEARCHAIN][1:3] == ("40", "3")
    assert all(len(row) == len(table.head) for table in shown.values() for row in table.rows)
    drawings = [ElementTree.fromstring(plot) for plot in plots(whole)]
    named = [one.get("aria-label").partition(":")[0] for one in drawings]
    assert named == ["SKC", "AMP", "Agreement", "Supported completely, by the program’s state"]
    texts = ["".join(element.itertext()).strip() for element in drawings[0].iter("text")]
    assert {"2.882", "1.143", "SearChain (paper)"} <= set(texts)
    one = whole.systems[SEARCHAIN].skc_marked
    assert f"{one.value:.2f} [{one.low:.2f}, {one.high:.2f}]" in texts


def test_practice_counts_for_the_annotators_alone(drawn):
    known = {"answer": "Kyoto lies on Honshu [1].", "citations": KYOTO, "gold": {"k1": "supported"}}
    item = replace(guided_practice.item(known), id="p1")

    def said(annotator, support):
        return Judgement(item, annotator, uniform_labels(item, support), "2026-08-03T09:00:00.000+00:00", 30.0)

    found = report_on([*drawn.judgements, said("ada", Backing.COMPLETE), said("ben", Backing.NONE)])
    assert replace(found, created="", work=()) == replace(report_on(drawn.judgements), created="", work=())
    worked = [(one.annotator, one.submitted, one.practice, one.practice_right) for one in found.work]
    assert worked == [("ada", 80, 1, 1), ("ben", 80, 1, 0), ("eve", 80, 0, 0)]
    only = report_on([said("ada", Backing.COMPLETE)])
    assert only.work == (Work("ada", 0, 0, None, 30.0, 1, 1),)
    assert [table.name for table in tables(only)] == ["agreement", "work"]


def test_one_annotator_without_overlap_is_reported_with_reasons_and_nobody_has_no_plots(drawn):
    found = report_on([one for one in drawn.judgements if one.annotator == "ada"])
    text = "\n".join(text_lines(tables(found)))
    assert "no unit is judged by two annotators" in text
    assert "nan" not in text.lower()
    assert "SKC" in page(found)
    alone = list(plots(found))
    assert (len(alone), "no unit is judged by two" in alone[2]) == (4, True)
    assert list(plots(report_on([]))) == []


def test_agreement_and_report_in_the_shell_where_pseudonyms_hide_every_name(path, tmp_path, store):
    shown, agreed = run("report", db=path), run("agreement", db=path)
    assert (shown.exit_code, agreed.exit_code) == (0, 0)
    assert shown.output.startswith("SKC and AMP by system\n")
    assert agreed.output.startswith("Agreement\n")
    assert "\n".join(agreed.output.splitlines()[:6]) in shown.output
    values = json.loads(run("report", "--json", db=path).output)
    assert values["disagreement"] == json.loads(run("agreement", "--json", db=path).output)
    assert values["systems"]["searchain"]["skc_marked"]["n"] == 40
    assert "NaN" not in json.dumps(values)
    known = pseudonyms.names(store, are_hidden=True)
    printed = [run(*asked, "--pseudonyms", db=path).output for asked in (["report"], ["agreement", "--json"])]
    for text in (*printed, page(report(store, pseudonyms=True))):
        assert not re.search(r"\b(ada|ben|eve)\b", text)
        assert all(known(name) in text for name in ERRORS)


def test_figures_are_written_for_statistics_programs_and_for_papers(path):
    values = json.loads(run("report", "--json", db=path).output)
    rows = list(csv.DictReader(io.StringIO(run("report", "--format", "csv", db=path).output)))
    keyed = {(one["section"], one["row"], one["figure"]): one for one in rows}
    assert len(keyed) == len(rows) > 200
    for system, figures in values["systems"].items():
        for name in ("amp", "skc_strict", "citation_recall"):
            row = keyed["systems", system, name]
            assert [float(row[of]) for of in ("value", "low", "high", "n")] == [
                figures[name][of] for of in ("value", "low", "high", "n")
            ]
    support = next(one for one in values["disagreement"]["agreements"] if one["name"] == "support")
    assert float(keyed["disagreement", "agreements support", "ac1"]["value"]) == support["ac1"]["value"]
    text = run("report", "--format", "latex", db=path).output
    tables = re.findall(r"\\begin{table}.*?\\end{table}", text, re.DOTALL)
    assert len(tables) == text.count("\\caption{") > 8
    for one in tables:
        columns = len(re.search(r"{tabular}{(l+)}", one)[1])
        assert {line.count(" & ") for line in one.splitlines() if line.endswith(r"\\")} == {columns - 1}
    assert not re.search(r"(?<!\\)[%#_]|[α-ω÷–’]", text.replace("\\label{tab", ""))


def hostile(drawn):
    """Every text that a report shows, made hostile."""
    judged = []
    for number, one in enumerate(sorted(drawn.judgements, key=lambda one: one.item.id)):
        system, question = f"{ACTING[number % 3]} {one.item.system}", f"\x1b[31m{ACTING[number % len(ACTING)]}"
        item = replace(one.item, system=system, model=ACTING[4], question=question, task=ACTING[1])
        judged.append(replace(one, annotator=f"{one.annotator} {ACTING[2]}", item=item))
    return report_on(judged)


def test_hostile_text_stays_text(drawn, browser, tmp_path):
    found = hostile(drawn)
    (file := tmp_path / "report.html").write_text(page(found))
    opened, asked = browser.new_page(), []
    opened.on("request", lambda request: asked.append(request.url))
    opened.goto(file.as_uri())
    assert opened.evaluate("window.pwned") is None
    assert asked == [file.as_uri()]
    assert opened.locator("script, img, iframe, form, base, input, [onerror], [onload]").count() == 0
    assert opened.locator("#worst + .scroll").inner_text().count("window.pwned=1") > 0
    for plot in plots(found):
        assert {element.tag for element in ElementTree.fromstring(plot).iter()} <= set(
            "svg rect text title line circle path polyline g".split()
        )
    assert not any("\x1b" in line for line in text_lines(agreement_tables(found.disagreement)))
    opened.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1200, 390])
def test_the_page_is_readable_everywhere(whole, browser, tmp_path, scheme, width):
    (tmp_path / "report.html").write_text(page(whole))
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
    opened, said = context.new_page(), []
    opened.on("console", lambda message: said.append(message.text))
    opened.goto((tmp_path / "report.html").as_uri())
    assert said == []
    assert opened.evaluate("document.documentElement.scrollWidth") == width
    assert opened.locator("figure svg:visible").count() == 4
    assert opened.locator("h2").count() == 12
    ink, ground = (
        opened.evaluate(f"getComputedStyle(document.querySelector('figure svg {part}')).fill")
        for part in ("text", ".ground")
    )
    assert (sum(map(int, re.findall(r"\d+", ink))) > sum(map(int, re.findall(r"\d+", ground)))) == (scheme == "dark")
    opened.get_by_text("All confusions, annotator by annotator").click()
    assert opened.locator(".matrices table").count() == 6
    assert opened.locator(".matrices table").first.is_visible()
    context.close()
