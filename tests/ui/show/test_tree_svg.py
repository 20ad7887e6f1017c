import re
from xml.etree import ElementTree

from searchain.events import fold
from tests.support.stories import QUESTION, everest, nintendo
from ui.show.pictures import WIDTH, svg

SVG = "{http://www.w3.org/2000/svg}"


def texts(picture: str) -> list[tuple[str, str]]:
    """Class and text of every line, from the top."""
    lines = ElementTree.fromstring(picture).iter(f"{SVG}text")
    return [(line.get("class"), line.text) for line in sorted(lines, key=lambda line: int(line.get("y")))]


def test_a_picture_tells_the_question_and_what_became_of_every_step():
    assert texts(svg(fold(nintendo()), is_full=True)) == [
        ("question", QUESTION),
        ("head", "↻ the article says otherwise · round 1"),
        ("query", "Where is the headquarters of Nintendo?"),
        ("old", "Tokyo"),
        ("answer", "→ Kyoto"),
        ("reason", "Dropped: the article says otherwise"),
        ("head", "– not looked up · round 1"),
        ("query", "On which island is Tokyo?"),
        ("answer", "Honshu"),
        ("reason", "Dropped with the step above"),
        ("head", "↻ the article says otherwise · round 2 · new branch"),
        ("query", "Where is the headquarters of Nintendo?"),
        ("old", "Tokyo"),
        ("answer", "→ Kyoto"),
        ("head", "→ looked up · round 2"),
        ("query", "On which island is Kyoto?"),
        ("answer", "Honshu"),
    ]


def test_the_story_tells_each_step_once():
    told = texts(svg(fold(nintendo())))
    assert [text for name, text in told if name == "head"] == [
        "↻ the article says otherwise",
        "↻ the article says otherwise",
        "→ looked up",
    ]


def test_every_node_is_joined_to_what_it_hangs_on_and_none_overlaps_the_next():
    root = ElementTree.fromstring(svg(fold(everest()), is_full=True))
    boxes = [
        (int(box.get("x")), int(box.get("y")), int(box.get("height")))
        for box in root.iter(f"{SVG}rect")
        if box.get("class") == "node"
    ]
    assert len(boxes) == len(list(root.iter(f"{SVG}path"))) == 12
    assert all(top + height < below for (_, top, height), (_, below, _) in zip(boxes, boxes[1:], strict=False))
    assert [left for left, *_ in boxes] == [42, 64, 86, 64, 86, 108, 108, 130, 152, 174, 196, 196]
    assert max(top + height for _, top, height in boxes) < int(root.get("height"))


def test_right_to_left_text_begins_at_the_right():
    (line,) = [
        line
        for line in ElementTree.fromstring(svg(fold(everest()))).iter(f"{SVG}text")
        if line.text == "ما هي عاصمة مصر؟"
    ]
    assert (line.get("direction"), int(line.get("x")) > WIDTH - 50) == ("rtl", True)


def test_light_and_dark_follow_the_reader_and_nothing_is_asked_for():
    picture = svg(fold(nintendo()))
    assert "prefers-color-scheme: dark" in picture
    assert not re.search(r"<script|<image|<foreignObject|href|url\(|@import|http(?!://www.w3.org/2000/svg)", picture)
