"""The whole hostile corpus in every place where a text can stand, on the page and in a snapshot: nothing runs, nothing is
loaded, and every text is read as it was written."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

import pytest
from playwright.sync_api import Browser, Page, expect

from searchain import events as run
from searchain.errors import UsageError
from searchain.events import ChainDelta, Event, NodeJudged, NodeParsed, ReplyDelta, RoundStarted
from searchain.types import Passage, Source, Span, Status, Support, Usage, Verdict
from storage.people import shares, users
from tests.support.browser import opened_page
from tests.support.hostile import CORPUS, PAYLOADS
from tests.support.served_page import ServedPage, served_page
from tests.support.stories import ending, found, reply, started
from tests.support.story_runs import StoryPlayer, store_run
from ui.page.sidebar import PAGE

BATCH = 180
BATCHES = tuple(CORPUS[at : at + BATCH] for at in range(0, len(CORPUS), BATCH))
TITLES = tuple(text for text in PAYLOADS if not re.search("[\x00\ud800-\udfff]", text))
END = ending(Status.ANSWERED)
REGIONS = "#chat .message-row, #side, article, h1"
ELEMENTS = """(regions) => { const count = {}; for (const region of document.querySelectorAll(regions))
  for (const one of [region, ...region.querySelectorAll('*:not(b.same)')])  // which words are the same depends on the words
    for (const name of [one.tagName, ...one.getAttributeNames().filter((name) => /^on|^(src|srcset|action|formaction|background|poster|style)$/.test(name))])
      count[name] = (count[name] || 0) + 1; return count }"""
MIXED = """(regions) => { const mixed = new Set(); for (const region of document.querySelectorAll(regions)) {
  const walk = document.createTreeWalker(region, NodeFilter.SHOW_TEXT);
  for (let text = walk.nextNode(); text; text = walk.nextNode()) {
    if (!/[\\u0590-\\u08ff\\u200e\\u200f\\u061c]/.test(text.data)) continue;
    for (let e = text.parentElement; ; e = e.parentElement) {
      const style = getComputedStyle(e);
      if (['isolate', 'plaintext', 'isolate-override'].includes(style.unicodeBidi)) break;
      if (style.display === 'inline' || style.display === 'contents') continue;
      if (e.textContent.trim() !== text.data.trim()) mixed.add(`${e.tagName}.${e.className}: ${e.textContent.slice(0, 60)}`);
      break } } } return [...mixed] }"""


def everywhere(text: str, number: int = 1) -> tuple[Event, ...]:
    """A run of two rounds in which the question, the model, the passage, its title and the Reader all say ``text``."""
    passage = Passage(f"p{number}", text, f"A {text} B", text if number % 2 else f"https://example.org/{number}")
    span = Span(2, 2 + len(text))
    source = Source(1, passage, span, 1.0, text, Verdict.CORRECTED, "n2")
    said = f"{text} [1]."
    [bound] = reply((said, Support.SUPPORTED))
    marks = bound.sentence.marks[-1:]  # the text's own numbers are no marks
    first, *others = started(text)
    return (
        replace(first, model=text),
        *others,
        run.QuestionRewritten(standalone=f"So: {text}", by="model"),
        RoundStarted(round=1),
        ChainDelta(round=1, text=text),
        NodeParsed(node="n1", parent=None, round=1, query=text, answer=f"not {text}"),
        *found("n1", text, passage, text, 1.0),
        NodeJudged(node="n1", verdict=Verdict.CORRECTED, rule=text, before=f"not {text}", after=text),
        run.FeedbackSent(node="n1", kind="verification", text=text),
        run.BranchOpened(node="n2", mends="n1", parent=None, round=2, query=text, answer=text),
        RoundStarted(round=2),
        NodeJudged(node="n2", verdict=Verdict.CORRECTED, rule=text, before=text, after=text, same_as="n1"),
        run.ModelFault(what=text, action=text),
        run.TracingStarted(path=("n2",), writer="model"),
        ReplyDelta(text=said, sources=(source,)),
        replace(bound, sentence=replace(bound.sentence, marks=marks)),
        ending(Status.PARTIAL, final_answer=text, usage=Usage(seconds=1), message=text),
    )


def harmless(text: str) -> str:
    """A text of the same form of which nothing is to be feared."""
    return re.sub(r"\[\d\]|\S", lambda match: match[0] if len(match[0]) > 1 else "x", text)


def shown(text: str) -> str:
    """``text`` as the page shows it: controls as pictures, what is no text replaced."""
    return re.sub(
        "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]",
        lambda c: "\u2421" if c[0] == "\x7f" else chr(0x2400 + ord(c[0])),
        re.sub("[\x80-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", "\ufffd", text),
    )


@dataclass
class Site(ServedPage):
    """A served page whose conversations are made of texts."""

    def conversation(self, texts: tuple[str, ...]) -> str:
        """A conversation with a turn for each of ``texts``."""
        begun = None
        for number, text in enumerate(texts):
            begun = store_run(self.store, everywhere(text, number), conversation=begun).conversation
        return begun


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    player = StoryPlayer(streamed, pause=0.02)
    with served_page(tmp_path_factory.mktemp("hostile"), player=player, people={}, shares=True) as served:
        yield Site(**vars(served))


def test_the_corpus_is_large_and_various_and_none_of_it_names_a_user():
    assert len(set(CORPUS)) == len(CORPUS) >= 200
    for text in CORPUS:
        with pytest.raises(UsageError):
            users.new(text, "chat", "correct horse")


@pytest.mark.parametrize("texts", BATCHES, ids=range(len(BATCHES)))
def test_the_page_reads_every_text_as_text(browser: Browser, site: Site, texts: tuple[str, ...]):
    made = {}
    for kind, each in (("hostile", texts), ("harmless", tuple(map(harmless, texts)))):
        with opened_page(browser, site.url, f"?c={site.conversation(each)}") as page:
            expect(page.locator("#chat .outcome")).to_have_count(len(each))
            made[kind] = page.evaluate(ELEMENTS, REGIONS)
            if kind == "hostile":
                reads(page, texts)
            assert page.evaluate("window.pwned") is None
    assert made["hostile"] == made["harmless"]


def reads(page: Page, texts: tuple[str, ...]) -> None:
    """Every text stands where it belongs."""
    assert page.locator("#chat .question").all_text_contents() == [shown(text) for text in texts]
    for answer, text in zip(page.locator("#chat .answer-block").all_text_contents(), texts, strict=True):
        assert f"{shown(text)} [1]" in answer
    read = page.locator("#side").text_content()
    for text in texts:
        assert f"A {shown(text)} B" in read
    assert page.locator("#reasoning .node .query").all_text_contents()[:2] == [shown(texts[-1])] * 2
    links = page.locator("#chat .message-row a, #side a")
    to = links.evaluate_all("all => all.map((link) => link.protocol + link.hostname)")
    assert set(to) <= {"http:127.0.0.1", "https:example.org"}
    visible = re.sub(r"\s+", " ", page.locator("#chat").inner_text())
    for text in texts:
        assert re.sub(r"\s+", " ", shown(text)).strip() in visible
    assert page.evaluate(MIXED, REGIONS) == []


@pytest.mark.parametrize("texts", BATCHES, ids=range(len(BATCHES)))
def test_a_snapshot_reads_every_text_as_text(browser: Browser, site: Site, texts: tuple[str, ...]):
    made = {}
    for kind, each in (("hostile", texts), ("harmless", tuple(map(harmless, texts)))):
        token, _ = shares.make(site.store, site.conversation(each), owner="local")
        context = browser.new_context()
        page, asked, errors = context.new_page(), [], []
        page.on("request", lambda request: asked.append(request.url))  # noqa: B023
        page.on("pageerror", lambda error: errors.append(str(error)))  # noqa: B023
        page.on("console", lambda message: errors.append(message.text))  # noqa: B023
        page.goto(f"{site.url}s/{token}")
        made[kind] = page.evaluate(ELEMENTS, REGIONS)
        if kind == "hostile":
            titles = page.locator(".conversation > h1, article h2").all_text_contents()
            assert titles == [shown(text) for text in texts]
            everything = page.locator("main").text_content()
            for text in texts:
                assert f"A {shown(text).replace(chr(10), '')} B" in everything
            assert page.evaluate(MIXED, REGIONS) == []
        assert (page.evaluate("window.pwned"), asked, errors) == (None, [f"{site.url}s/{token}"], [])
        context.close()
    assert made["hostile"] == made["harmless"]


def streamed(question: str) -> tuple[Event, ...]:
    """A run whose model writes all texts, one after the other."""
    told = [*started(question), RoundStarted(round=1)]
    for number, text in enumerate(PAYLOADS):
        told.append(ChainDelta(round=1, text=f"{text}\n"))
        told.append(NodeParsed(node=f"n{number}", parent=None, round=1, query=text, answer=text))
    return (*told, END)


def test_what_a_model_writes_is_text_while_it_writes(browser: Browser, site: Site):
    with opened_page(browser, site.url) as page:
        page.fill("#question textarea", "What is written?")
        page.keyboard.press("Enter")
        expect(page.locator("#reasoning[data-state=running]")).to_be_visible()
        expect(page.locator("#reasoning[data-state=done]")).to_be_visible()
        assert page.locator("#reasoning .node .query").all_text_contents() == [shown(text) for text in PAYLOADS]
        expect(page.locator("#chat .step").first).to_be_hidden()  # the chain folds when it is done
        page.click("#chat .how > summary")
        expect(page.locator("#chat .step .query")).to_have_count(len(PAYLOADS))
        assert page.locator("#chat .step .query").all_text_contents() == [shown(text) for text in PAYLOADS]
        assert page.evaluate("window.pwned") is None


def test_titles_are_read_as_text_in_the_list_of_conversations_and_of_links(browser: Browser, site: Site):
    with site.store.writing() as db:
        db.execute("DELETE FROM shares")
        db.execute("UPDATE conversations SET owner = 'nobody'")
    for text in TITLES:
        begun = store_run(site.store, (*started(text), END))
        site.store.write("UPDATE conversations SET title = ? WHERE id = ?", (text, begun.conversation))
        shares.make(site.store, begun.conversation, owner="local")
    with opened_page(browser, site.url) as page:
        for listed in range(PAGE, len(TITLES), PAGE):
            expect(page.locator("#nav .title")).to_have_count(listed)
            page.click("#nav .more")
        page.click("#share summary")
        for titles in (page.locator("#nav .title"), page.locator("#share li bdi")):
            expect(titles).to_have_count(len(TITLES))
            assert titles.all_text_contents() == list(reversed(TITLES))
        assert page.locator(":is(#nav, #share) :is(img, script, svg, iframe, form, style)").count() == 0
        assert page.evaluate(MIXED, "#nav, #share") == []
        assert page.evaluate("window.pwned") is None
