"""The pictures of docs/documents-in-pictures.md, taken of the page itself over small files that are written here.

    python -m lab.benchmarks.document_pictures [--only NAME …]

Each picture has a collection with one or two files, a question, and what is taken: the original with the cited words
marked, or the reply. Chromium prints some of the files; Japanese needs a font on this machine, and the scan tesseract.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import click
from PIL import Image, ImageDraw, ImageFont
from playwright.sync_api import Browser, Page

from assistant import Assistant
from lab.benchmarks.own_answers import own_assistant, submitted
from storage.collections import access as collections
from tests.support.browser import chromium, free_port, visit
from tests.support.chat_page import ask, wait_for
from tests.support.office_files import cells, pptx, shape, xlsx
from tests.support.pdf_forms import filled_form
from ui.page.app import build, serve
from ui.page.own_documents import Library
from ui.server.access import Access

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
DRAWN = "[...document.querySelectorAll('#original img')].every((one) => one.naturalWidth > 300)"
DESK = {"viewport": {"width": 1180, "height": 760}, "device_scale_factor": 1}


@dataclass(frozen=True)
class Shot:
    """One picture; ``is_original`` says whether the document is opened at the citation."""

    name: str
    question: str
    files: Mapping[str, bytes | str]
    """Bytes of a file; of a PDF also the HTML that Chromium prints."""
    is_original: bool = True


LEASE = """Lease of the flat at Harbour Lane 9

The landlady is Ingrid Vass, and the tenant is Pavel Dvorak. The lease begins on 1 March 2024 and runs for five years.

Rent and deposit

The monthly rent is 1,450 euros and is due on the first day of each month. Heating costs 120 euros a month on top of it.
Before moving in, the tenant pays a deposit of 4,350 euros to the landlady.

Repairs

The landlady repairs the roof, the windows and the heating. The tenant pays small repairs of up to 80 euros each, but no
more than 300 euros a year.

Notice

The tenant may end the lease with three months' notice to the end of a month. The landlady may end it only for a reason
that the law names.
"""
MAIL = """From: Petra Vance <petra@mill.example>
To: The committee <all@mill.example>
Subject: Lamps for the mill
Date: Mon, 4 Mar 2024 10:12:00 +0100

Dear all,

the electrician came on Friday. He can replace the lamps of the hall on 18 March and asks for 640 euros. The key hangs
at the bakery.

Best wishes,
Petra
"""
SPENDING = """Date,Category,Paid to,Amount
2024-02-03,Travel,Nordbahn,182.40 €
2024-02-19,Equipment,Sport Lehmann,640.00 €
2024-03-02,Travel,Nordbahn,96.50 €
2024-03-11,Catering,Café Mira,210.00 €
2024-03-28,Printing,Kopie & Co,48.50 €
2024-04-05,Equipment,Sport Lehmann,129.90 €
2024-04-17,Travel,Busreisen Vogt,330.00 €
"""
COLUMNS = """<title>The Mill Post</title><style>body{font:11px/1.5 serif} div{columns:3;column-gap:24px}</style>
<h1>The Mill Post</h1><div><h3>The weir</h3><p>The weir at the lower mill was closed for eleven days in May. A tree had
lodged under the gate, and the water stood a metre above the mark. Two divers cut it free on the second Sunday.</p>
<h3>The bridge</h3><p>The new footbridge was opened by Oluwaseun Brandt on 3 June. It is 42 metres long and made of
larch. The old one had been closed since the flood of 2021, and children had walked to school by the road.</p>
<h3>The choir</h3><p>The choir sings in the barn on Fridays. It has thirty-one voices and looks for a second bass.
Nobody has to read music, but everybody has to come in time, since the barn is locked at eight.</p>
<h3>The bees</h3><p>The hives were moved from
the orchard to the slope above the chapel. They gave 64 kilograms of honey, a third more than last year, of which
the half was sold at the market and the rest kept for the feast.</p></div>"""
POOL = """<!DOCTYPE html><title>Opening hours of the baths</title><h1>Opening hours of the baths</h1>
<p>All times are those of the summer season, from May to September.</p>
<table><tr><th>Pool</th><th>Monday</th><th>Tuesday</th><th>Wednesday</th></tr>
<tr><td>Indoor pool</td><td colspan="2">closed for cleaning</td><td>9 to 21</td></tr>
<tr><td>Outdoor pool</td><td>10 to 19</td><td>10 to 19</td><td>10 to 20</td></tr>
<tr><td>Sauna</td><td>14 to 22</td><td colspan="2">12 to 22</td></tr></table>
<p>Children under twelve may enter with an adult.</p>"""
JAPANESE = """<html lang="ja"><title>賃貸借契約書</title><style>body{font:16px/2 IPAPGothic,sans-serif}</style>
<h1>賃貸借契約書</h1>
<p>貸主は田中花子、借主は山本太郎である。</p><p>家賃は月額八万五千円で、毎月末日までに支払う。</p><p>敷金は十七万円とする。</p>
<p>契約期間は二〇二四年四月一日から二年間とする。</p></html>"""
ARABIC = """<html lang="ar" dir="rtl"><title>عقد إيجار</title><style>body{font:18px/2 "DejaVu Sans"}</style>
<h1>عقد إيجار</h1>
<p>المالكة هي ليلى حداد والمستأجر هو سامي منصور.</p><p>قيمة الإيجار الشهري أربعمئة دينار تدفع في أول كل شهر.</p>
<p>مدة العقد سنتان تبدأ في أول آذار.</p></html>"""
SLIDES = pptx(
    shape("Renewing the mill", role="title") + shape("What was done", "What comes next", role="body"),
    shape("What was done", role="title") + shape("The wheel turns again", "New roof: 212 square metres", role="body"),
    shape("What comes next", role="title")
    + shape("The miller's flat is painted in autumn", "The turbine is built by Holm &amp; Sons", role="body"),
)
SHEET = xlsx(
    {
        "Costs": cells(
            ("Item", "Firm", "Euros"),
            ("Roof", "Keller", 18200),
            ("Turbine", "Holm &amp; Sons", 9450),
            ("Paint", "Mira", 860),
            ("Wheel", "Orlov", 12300),
        )
    }
)


def scan() -> bytes:
    """A delivery note as a scanner gives it: a little turned, and grey."""
    page = Image.new("L", (1000, 620), 236)
    draw = ImageDraw.Draw(page)
    for line, text in enumerate(
        (
            "Delivery note 7731",
            "",
            "Goods: 14 sacks of lime, 2 pumps",
            "Delivered on 9 April 2024",
            "Received by Ingrid Vass",
        )
    ):
        draw.text((90, 80 + 75 * line), text, fill=40, font=ImageFont.load_default(46 if line == 0 else 32))
    output = io.BytesIO()
    page.rotate(0.8, fillcolor=236, expand=False).save(output, "PNG")
    return output.getvalue()


SHOTS = (
    Shot("document-sheet", "What does the turbine cost?", {"mill-costs.xlsx": SHEET}),
    Shot("document-slide", "Who builds the turbine?", {"mill.pptx": SLIDES}),
    Shot("document-mail", "When can the electrician replace the lamps?", {"lamps.eml": MAIL.encode()}),
    Shot("document-form", "When was Petra Lindqvist born?", {"licence.pdf": filled_form()}),
    Shot("document-scan", "Who received delivery note 7731?", {"note-7731.png": scan()}),
    Shot("document-columns", "Who opened the new footbridge?", {"mill-post.pdf": COLUMNS}),
    Shot("document-merged", "Which pool is closed for cleaning on Tuesday?", {"baths.html": POOL.encode()}),
    Shot("document-japanese", "家賃はいくらですか。", {"keiyaku.pdf": JAPANESE}),
    Shot("document-arabic", "كم قيمة الإيجار الشهري؟", {"ijar.pdf": ARABIC}),
    Shot("reply-sum", "What did we spend in total in March?", {"club-spending.csv": SPENDING.encode()}, False),
    Shot("reply-whole", "What is the lease about?", {"lease.txt": LEASE.encode()}, False),
    Shot("reply-perhaps", "When does the landlady repair the heating?", {"lease.txt": LEASE.encode()}, False),
)


@click.command(help=__doc__.partition("\n")[0])
@click.option("--only", "names", multiple=True, help="Take this picture alone; may be given again.")
def main(names: tuple[str, ...]) -> None:
    with chromium() as browser, served() as (assistant, url):
        for shot in SHOTS:
            if not names or shot.name in names:
                take(browser, assistant, url, shot)


@contextmanager
def served() -> Iterator[tuple[Assistant, str]]:
    """The page over an empty database, with the embedded parts."""
    with own_assistant() as assistant, page_of(assistant) as url:
        yield assistant, url


@contextmanager
def page_of(assistant: Assistant) -> Iterator[str]:
    """Serve the page of ``assistant``, and return its address."""
    access = Access()
    library = Library(assistant._store, assistant, access)
    site = serve(
        build(assistant, about="the embedded model", access=access, library=library), host="127.0.0.1", port=free_port()
    )
    try:
        yield site.url
    finally:
        site.close()
        library.close()


def take(browser: Browser, assistant: Assistant, url: str, shot: Shot) -> None:
    """Ask the question on the page, and keep a picture of what it shows."""
    collection = collections.create(assistant._store, "local", shot.name)
    files = {
        name: content if isinstance(content, bytes) else printed(browser, content)
        for name, content in shot.files.items()
    }
    submitted(assistant, collection.id, files)
    with visit(browser, url, **DESK) as visitor:
        page = visitor.page
        page.locator("#documents-toggle").click()
        page.get_by_role("checkbox", name=shot.name).first.check()
        page.keyboard.press("Escape")
        ask(page, shot.question)
        wait_for(page, "done")
        if shot.is_original:
            page.locator("#chat a.cite").first.click()
            page.get_by_role("button", name="Show in the document").last.click()
            page.wait_for_function(DRAWN)
            page.wait_for_timeout(1_000)  # the view scrolls to the words
            keep(page, "#original", shot.name)
        else:
            page.wait_for_timeout(1_000)
            keep(page, "#chat", shot.name)


def printed(browser: Browser, html: str) -> bytes:
    """A page as the PDF that Chromium prints."""
    page = browser.new_page()
    page.set_content(html)
    content = page.pdf(format="A5")
    page.close()
    return content


def keep(page: Page, part: str, name: str) -> None:
    picture = Image.open(io.BytesIO(page.locator(part).screenshot()))
    path = FOLDER / f"{name}.webp"
    picture.convert("RGB").save(path, "WEBP", quality=80, method=6)
    click.echo(f"{path.name}: {picture.width} × {picture.height}, {path.stat().st_size // 1000} KB")


if __name__ == "__main__":
    main()
