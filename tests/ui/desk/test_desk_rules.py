"""The desk's rules in the browser are those of the protocol: both are asked about the same replies and labels."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from playwright.sync_api import Browser, Page

from searchain.annotation import protocol
from searchain.annotation.labels import check, contradictions, labels_from_json, to_json
from searchain.annotation.protocol import Backing, Item, Labels, Place, bearing, default_labels, lacks_support, marks_of
from searchain.types import Span
from tests.support.desk_site import desk_page, site
from tests.support.judged_replies import item_of, simulate_judging, uniform_labels

STRUCTURE = """async ([item, labels, steps]) => {
  const rules = await import('./annotate/static/rules.js'), ready = rules.prepared(item), all = [labels];
  for (const [what, which, where] of steps) {
    const one = labels.knowledge_items[which % (labels.knowledge_items.length || 1)];
    const bearer = (mark) => item.marks.length && rules.carrier(ready, labels, item.marks[mark % item.marks.length]);
    const gaps = one ? rules.gaps(ready, one) : [];
    const next = what === 'split' && gaps.length ? rules.split(ready, labels, one.id, gaps[where % gaps.length])
      : what === 'join' && one ? rules.joined(ready, labels, one.id) : what === 'remove' && one ? rules.without(ready, labels, one.id)
      : what === 'add' ? rules.added(ready, labels, where % ready.letters.length,
        Math.min(where % ready.letters.length + which, ready.letters.length))?.[0]
      : what === 'fill' && rules.uncovered(ready, labels, where % ready.letters.length)
        ? rules.added(ready, labels, ...rules.uncovered(ready, labels, where % ready.letters.length))[0]
      : what === 'say' && one ? (rules.marksOf(ready, labels, one.id).length ? rules.supported(ready, labels, one.id, rules.BACKINGS[where % 5])
        : rules.needing(labels, one.id, where % 2 === 1))
      : what === 'cite' && rules.points(ready, labels).find((point) => point.kind === 'uncited')
        ? rules.citable(labels, rules.points(ready, labels).find((point) => point.kind === 'uncited').id, where % 2 && 7)
      : what === 'judge' && one && bearer(which)?.id !== one.id ? rules.placed(ready, labels, which % (item.marks.length || 1), 'elsewhere', one.id) : null;
    if (next) all.push(labels = next);
  }
  return all;
}"""
FOLLOWING = """async ([item, labels]) => {
  const rules = await import('./annotate/static/rules.js'), ready = rules.prepared(item), next = rules.following(ready, labels);
  return [next.marks, next.knowledge_items.map((one) => rules.conflict(ready, next, one.id))];
}"""
POINTS = """async ([item, all]) => {
  const rules = await import('./annotate/static/rules.js'), ready = rules.prepared(item);
  return all.map((labels) => [rules.points(ready, labels).filter((one) => one.isOpen).map((one) => [one.kind, one.kind === 'mark' ? `${one.mark}` : one.id]),
    item.marks.map((mark) => rules.carrier(ready, labels, mark)?.id ?? null),
    labels.knowledge_items.map((one) => rules.marksOf(ready, labels, one.id).map((mark) => mark.index))]);
}"""

KEPT = """async ([item, labels]) => {
  const rules = await import('./annotate/static/rules.js'), votes = await import('./annotate/static/votes.js'), ready = rules.prepared(item);
  const agreed = votes.agreed(ready, ['A', 'B'].map((letter) => ({ letter, labels })), labels);
  return [rules.following(ready, labels), agreed].map((next) => next.knowledge_items.map((one) => one.uncited));
}"""


def odd() -> Item:
    """A reply that offsets could stumble over: letters of two and four bytes, marks without words around them, gaps."""
    answer = "𝒩intendo 🎮 sits in 京都 [1][2] — né 1889 [2]. [1] Über 😀😀 x² [2], and more of it here [1]. Bye\n\n• ½ of it [2]"
    sentences, at = [], 0
    for end in [answer.index(". [1]") + 1, answer.index(". Bye") + 1, answer.index("\n\n"), len(answer)]:
        sentences.append(Span(at + len(answer[at:end]) - len(answer[at:end].lstrip()), end))
        at = end
    return item_of(answer, sentences)


@pytest.fixture(scope="module")
def page(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with site(tmp_path_factory.mktemp("rules")) as made, desk_page(browser, made) as page:
        yield page


def steps(random: Random, *more: str) -> list[tuple[str, int, int]]:
    kinds = ("split", "split", "join", "remove", "add", "add", "fill", "judge", *more)
    number = 12 + 2 * len(more)
    return [(random.choice(kinds), random.randint(1, 40), random.randint(0, 400)) for _ in range(number)]


@pytest.mark.parametrize("seed", range(6))
def test_bearers_and_open_points_are_the_protocols(page: Page, seed: int):
    random = Random(seed)
    for item in (odd(), *random.sample(simulate_judging(replies=12, seed=seed).items, 8)):
        item = replace(item, uncited=(protocol.ItemSource(7, "T", "text", None),))
        more = steps(random, *["say"] * 9, *["cite"] * 4)
        raw = page.evaluate(STRUCTURE, [item.blind(), to_json(default_labels(item)), more])
        all_labels = [labels_from_json(one) for one in raw]
        asked = page.evaluate(POINTS, [item.blind(), raw])
        assert asked == [
            [
                [[one.step.value, one.target] for one in protocol.open_points(labels, item, asks_uncited=True)],
                [bearer and bearer.id for bearer in protocol.carriers(item, labels).values()],
                [[mark.index for mark in marks_of(item, labels, one.id)] for one in labels.knowledge_items],
            ]
            for labels in all_labels
        ]
        for labels in all_labels:
            bears = bearing(item, labels)
            named = [one for one in labels.knowledge_items if one.uncited is not None]
            assert all(lacks_support(one, bears=one.id in bears) for one in named)


def test_what_was_said_of_documents_that_are_not_shown_any_more_is_kept(page: Page):
    item = odd()
    labels = uniform_labels(item, Backing.NONE, Place.SUPERFLUOUS)
    bears = bearing(item, labels)
    said = [7 if lacks_support(one, bears=one.id in bears) else None for one in labels.knowledge_items]
    kept = (replace(one, uncited=number) for one, number in zip(labels.knowledge_items, said, strict=True))
    labels = replace(labels, knowledge_items=tuple(kept))
    assert 7 in said
    assert page.evaluate(KEPT, [item.blind(), to_json(labels)]) == [said, said]


@pytest.mark.parametrize("seed", range(6))
def test_whatever_is_done_to_knowledge_items_can_be_submitted(page: Page, seed: int):
    random = Random(seed + 100)
    for item in (odd(), *random.sample(simulate_judging(replies=12, seed=seed).items, 8)):
        for raw in page.evaluate(STRUCTURE, [item.blind(), to_json(default_labels(item)), steps(random)]):
            labels = labels_from_json(raw)
            check(judged(item, labels), item)


def judged(item: Item, labels: Labels) -> Labels:
    """What is open judged in the strictest way; what was judged stays."""
    bears = bearing(item, labels)

    def said(one: protocol.KnowledgeItem) -> dict[str, object]:
        return {"support": one.support or Backing.NONE} if one.id in bears else {"missing": bool(one.missing)}

    items = (replace(one, **said(one)) for one in labels.knowledge_items)
    marks = (one if one.place else replace(one, place=Place.SUPERFLUOUS) for one in labels.marks)
    return Labels(tuple(items), tuple(marks))


def test_what_is_offered_can_be_submitted_and_nothing_else(page: Page):
    """Every support with every place of a mark: the page refuses what the protocol refuses."""
    item = next(one for one in simulate_judging(replies=12, seed=1).items if len(one.marks) >= 3)
    default = default_labels(item)
    for backing in Backing:
        for place in (Place.RIGHT, Place.SUPERFLUOUS):
            said = ({"support": backing}, {"missing": False})
            items = (replace(one, **said[not marks_of(item, default, one.id)]) for one in default.knowledge_items)
            labels = Labels(tuple(items), tuple(replace(one, place=place) for one in default.marks))
            after, conflicts = page.evaluate(FOLLOWING, [item.blind(), to_json(labels)])
            found = contradictions(labels, item)
            assert bool(found) == (after != to_json(labels)["marks"] or any(conflicts)), (backing, place, found)
