"""Files that are made to harm: one clear sentence each, and the process that asked goes on."""

import io
import re
import resource
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from searchain.documents import DocumentRefused, files_in, page_image, parse_file, regions, sandbox
from searchain.documents.originals import locate
from tests.support.hostile_files import docx, hostile_files, packed, paragraph
from tests.support.pdf_files import Sheet, Text, pdf, width
from tests.support.written_files import web_archive

FILES = {one.what: one for one in hostile_files()}


@pytest.mark.parametrize("what", FILES)
def test_a_hostile_file_gets_one_sentence(what: str, tmp_path: Path):
    hostile = FILES[what]
    path = tmp_path / "stored"
    path.write_bytes(hostile.content)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    if hostile.state is None:
        document = parse_file(path, hostile.name)
        assert not any(word in document.text for word in ("root:", "evil.test", "alert"))
    else:
        with pytest.raises(DocumentRefused) as refusal:
            parse_file(path, hostile.name)
        assert refusal.value.state == hostile.state
        assert re.fullmatch(r"(?!.*Traceback)[A-Z].*\.", refusal.value.reason)
    sandbox.close_idle()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 30


def test_the_child_has_nothing_of_its_surroundings(tmp_path: Path, program):
    """Only the file itself and the limits: what a reader that was taken over would find."""
    opened = program(
        "def answer(request, content):\n"
        "    seen.append(content)\n"
        "    names = ('CORE', 'AS', 'CPU', 'FSIZE')\n"
        "    limits = [resource.getrlimit(getattr(resource, f'RLIMIT_{name}'))[0] for name in names]\n"
        "    held = [os.path.realpath(f'/proc/self/fd/{name}') for name in os.listdir('/proc/self/fd')]\n"
        "    return repr((dict(os.environ), os.listdir('.'), limits, seen, held)).encode()\n"
        "seen = []\n"
    )
    for content in (b"one", b"two"):
        environment, here, limited, seen, held = eval(opened(content))
        assert set(environment) <= {"LC_CTYPE", "ONEDNN_PRIMITIVE_CACHE_CAPACITY", "LRU_CACHE_CAPACITY"}
        assert (here, limited, seen) == ([], [0, 1 << 30, 60, 64_000_000], [content])
        assert not [one for one in held if "socket" in one]


def test_a_file_that_ends_its_reader_keeps_nothing_from_the_next(program):
    opened = program(
        "def answer(request, content):\n"
        "    content == b'bad' and os.kill(os.getpid(), signal.SIGSEGV)\n"
        "    content == b'worse' and os.kill(os.getppid(), signal.SIGKILL)\n"
        "    return content\n"
    )
    for bad in (b"bad", b"worse"):
        assert opened(b"good") == b"good"
        with pytest.raises(DocumentRefused, match="made its reader stop|longer than"):
            opened(bad)
    assert opened(b"good") == b"good"


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Return a function that opens content in processes which answer by a given function."""
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    sandbox.close_idle()

    def opening(answer: str) -> Callable[[bytes], bytes]:
        imports = "import os, resource, signal, sys; sys.path.insert(0, sys.argv.pop())\n"
        serving = "from searchain.documents import child; child._answer = answer; child.serve()"
        monkeypatch.setattr(sandbox, "_PROGRAM", f"{imports}{answer}{serving}")
        file = tmp_path / "a.txt"
        return lambda content: (
            sandbox.run_child(file, {"do": "parse", "name": "a.txt"}) if file.write_bytes(content) else b""
        )

    yield opening
    sandbox.close_idle()


def test_a_wide_page_is_drawn_small(tmp_path: Path):
    path = tmp_path / "wide.pdf"
    path.write_bytes(FILES["a page 2,000,000 points wide"].content)
    with Image.open(io.BytesIO(page_image(path, 1))) as picture:
        assert picture.width * picture.height <= 4_000_000
        assert max(picture.size) <= 8_000
    with pytest.raises(DocumentRefused, match="has no page 2; it has 1"):
        page_image(path, 2)


def test_a_page_and_its_marks_come_from_the_original(tmp_path: Path):
    path = tmp_path / "a.pdf"
    path.write_bytes(pdf([Sheet([Text(72, 700, "The Seine flows through Paris.")])]))
    document = parse_file(path, "a.pdf")
    start = document.text.index("Paris")
    (region,) = regions(path, document, start, start + 5)
    (box,) = region.boxes
    before = 72 + 11 * sum(map(width, "The Seine flows through "))
    assert (region.page, round(box[0], 2), round(box[1], 2)) == (1, round(before / 612, 2), 0.1)
    with Image.open(io.BytesIO(page_image(path, 1))) as picture:
        assert (picture.format, picture.size) == ("WEBP", (918, 1188))
        inside = picture.convert("L").crop([round(s * n) for s, n in zip(box, picture.size * 2, strict=True)])
        assert inside.getextrema()[0] < 128  # there is ink in the mark
    # words that are not found again leave the page without a mark
    (region,) = locate(document, 0, 10, lambda pages: [([(0.1, 0.1, 0.2, 0.2)], "other words")])
    assert (region.page, region.boxes) == (1, ())
    path.write_bytes(b"%PDF- no more")
    assert [region.boxes for region in regions(path, document, 0, 10)] == [()]


def test_the_files_of_a_folder_a_zip_and_a_web_archive(tmp_path: Path):
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config.txt").write_text("hidden")
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "note.txt").write_text("A note.")
    (tmp_path / "clip.mp4").write_bytes(b"\0\0")
    (tmp_path / "link.txt").symlink_to("/etc/passwd")
    files = {"b/report.docx": docx(paragraph("A report.")), "inner.zip": packed({"x.txt": "in the inner one"})}
    others = {"../../up.txt": "Upwards.", "/etc/passwd.txt": "Absolute.", "__MACOSX/._a.txt": "no", "tool.exe": "MZ"}
    (tmp_path / "all.zip").write_bytes(packed(files | others))
    (tmp_path / "site.warc.gz").write_bytes(
        web_archive(
            ("http://example.org/rivers", "text/html; charset=utf-8", b"<p>The Seine flows to the sea.</p>", "200 OK"),
            ("http://example.org/rivers", "text/html", b"<p>Once more.</p>", "200 OK"),
            ("http://example.org/gone", "text/html", b"<p>Not found.</p>", "404 Not Found"),
            ("http://example.org/a.png", "image/png", b"\x89PNG", "200 OK"),
        )
    )
    (tmp_path / "broken.zip").write_bytes(b"PK\x03\x04 and nothing more")
    found = {}
    for file in files_in(tmp_path):
        if file.refused:
            found[file.name] = file.refused.state
            continue
        assert file.path.resolve().is_relative_to(tmp_path) or "searchain-unpacked-" in str(file.path)
        found[file.name] = (parse_file(file.path, file.name).text, file.url)
    assert found == {
        "all.zip/../../up.txt": ("Upwards.", None),
        "all.zip//etc/passwd.txt": ("Absolute.", None),
        "all.zip/b/report.docx": ("A report.", None),
        "all.zip/inner.zip": "failed",
        "all.zip/tool.exe": "failed",
        "broken.zip": "failed",
        "clip.mp4": "failed",
        "deep/note.txt": ("A note.", None),
        "example.org/rivers.html": ("The Seine flows to the sea.", "http://example.org/rivers"),
    }
    assert not list(Path(tmp_path).rglob("up.txt"))


def test_names_in_a_zip_are_read_in_the_encoding_of_the_machine_that_wrote_them(tmp_path: Path):
    """Old programs write names in the code page of their machine, and nothing in the zip says which."""
    for encoding, names in (
        ("cp932", ["文章1.txt", "文章2.txt"]),
        ("cp932", ["議事録.txt"]),
        ("cp437", ["Prüfung.txt", "Übersicht.txt"]),
        ("cp866", ["Договор.txt", "Отчёт за год.txt"]),
        ("utf-8", ["Rzeka Żółta.txt"]),
    ):
        plain = [f"{n}{'x' * (len(name.encode(encoding)) - 5)}.txt" for n, name in enumerate(names)]
        content = packed(dict.fromkeys(plain, "A file."))
        for name, placeholder in zip(names, plain, strict=True):
            content = content.replace(placeholder.encode(), name.encode(encoding))
        (tmp_path / "all.zip").write_bytes(content)
        assert sorted(file.name for file in files_in(tmp_path / "all.zip")) == sorted(f"all.zip/{one}" for one in names)
