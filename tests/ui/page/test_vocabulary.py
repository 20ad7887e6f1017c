"""What a person reads on the page holds none of the paper's words, but in the details."""

import re

import pytest
from lxml import html

from searchain.events import fold
from storage.history import finished_turns
from tests.support.stories import everest, nintendo, not_found
from tests.support.story_runs import store_run
from ui.exports import html_page
from ui.page import choices, evidence, export, own_documents, share, sidebar, transcript, tree_view
from ui.page.choices import Offers
from ui.server.access import Access

WORDS = re.compile(
    r"\b(completed|corrected|disputed|unconfirmed|mend(s|ed)?|set aside|rounds?|nodes?|reader|hops?|chains?|branch(es)?"
    r"|quer(y|ies)|verdict|rank|confidence|threshold|theta|index default)\b|θ|\bf =",
    re.IGNORECASE,
)
STORIES = {"supported": nintendo(), "unsure": everest(), "not found": not_found()}


def read(page: str) -> str:
    """All that is shown or told of ``page``, but for its details."""
    tree = html.fragment_fromstring(f"<div>{page}</div>")
    for details in tree.xpath("//*[contains(concat(' ', @class, ' '), ' details ')] | //style"):
        details.drop_tree()
    told = [value for name in ("title", "aria-label", "placeholder", "alt") for value in tree.xpath(f"//@{name}")]
    return " ".join([*tree.itertext(), *told])


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES)
def test_no_state_of_a_turn_is_told_in_the_papers_words(story):
    for end in range(1, len(story) + 1):
        turn = fold(story[:end])
        pages = [
            *(message["content"] for message in transcript.messages("t1", turn)),
            tree_view.panel([("t1", turn)], "c1"),
            evidence.panel([("t1", turn)]),
        ]
        assert WORDS.findall(" ".join(map(read, pages))) == []


def test_nor_is_the_page_around_it():
    frames = [tree_view.panel((), None), evidence.panel(()), choices.form(Offers()), export.menu()]
    frames += [share.menu(Access()), sidebar.frame(Access()), own_documents.panel("the encyclopedia")]
    assert WORDS.findall(" ".join(map(read, frames))) == []


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES)
def test_nor_a_page_that_is_shared_or_exported(story, store):
    store_run(store, story)
    page = "".join(html_page.write(finished_turns.records(store)))
    assert WORDS.findall(read(page.partition("<body>")[2].partition("</body>")[0])) == []
