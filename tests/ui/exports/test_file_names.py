import re

import pytest

from ui.exports.formats import attachment, file_name


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Who painted “The Mona Lisa”?", "Who-painted-The-Mona-Lisa-2026-11-23.md"),
        ("谁画了蒙娜丽莎？", "谁画了蒙娜丽莎-2026-11-23.md"),
        ("../../etc/passwd", "etc-passwd-2026-11-23.md"),
        ("CON", "CON-2026-11-23.md"),
        ("a\u202etxt.exe\r\n\x00", "a-txt-exe-2026-11-23.md"),
        ("?!", "conversation-2026-11-23.md"),
        ("word " * 40, "-".join(["word"] * 16) + "-2026-11-23.md"),
        ("語" * 90, "語" * 26 + "-2026-11-23.md"),
    ],
)
def test_a_file_is_named_after_its_title_and_day(title, name):
    assert file_name(title, ".md", "2026-11-23T10:00:00Z") == name


@pytest.mark.parametrize(
    ("name", "header"),
    [
        ("Mona-Lisa.md", "attachment; filename=\"Mona-Lisa.md\"; filename*=utf-8''Mona-Lisa.md"),
        ("谁-1.md", "attachment; filename=\"1.md\"; filename*=utf-8''%E8%B0%81-1.md"),
        ('a"; x="b\r\n.txt', "attachment; filename=\"a xb.txt\"; filename*=utf-8''a%22%3B%20x%3D%22b%0D%0A.txt"),
    ],
)
def test_the_header_names_it_in_plain_letters_and_whole(name, header):
    assert attachment(name) == header
    assert re.fullmatch(r"[\x20-\x7e]+", header)
