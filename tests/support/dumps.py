"""Generated dumps in the forms in which Wikipedia and retrieval corpora come, each page with two short paragraphs."""

import bz2
import gzip
import json
import lzma
from collections.abc import Callable, Iterator
from pathlib import Path
from xml.sax.saxutils import escape

OPENERS = {"": open, ".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}


def sentences(number: int) -> tuple[str, str]:
    """Return what the two paragraphs of a page say."""
    return (
        f"Place {number} is a town on the river {number % 97}. It was founded in the year {1000 + number % 900}.",
        f"About {number % 50} thousand people live in place {number}, and most of them work in the mills.",
    )


def kilt(rows: int) -> Iterator[str]:
    for number in range(rows):
        first, second = sentences(number)
        text = [f"Place {number}\n", f"{first}\n", "Section::::People.\n", f"BULLET::::- {second}\n"]
        yield json.dumps(
            {"_id": str(number), "wikipedia_id": str(number), "wikipedia_title": f"Place {number}", "text": text}
        )


def cirrus(rows: int) -> Iterator[str]:
    for number in range(rows):
        yield json.dumps({"index": {"_type": "_doc", "_id": str(number)}})
        page = {"namespace": 0, "wiki": "enwiki", "title": f"Place {number}", "text": " ".join(sentences(number))}
        yield json.dumps(page)
    yield json.dumps({"index": {"_type": "_doc", "_id": "999999999"}})
    yield json.dumps({"namespace": 1, "wiki": "enwiki", "title": "Talk:Place 1", "text": "No article."})


def mediawiki(rows: int) -> Iterator[str]:
    yield '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en">'
    yield "<siteinfo><base>https://en.wikipedia.org/wiki/Main_Page</base></siteinfo>"
    for number in range(rows):
        first, second = sentences(number)
        text = (
            "{{Infobox settlement|name=x}}\n'''" + first.replace(" is", "''' is", 1) + "<ref>a book</ref>\n\n"
            "== People ==\n" + second.replace("mills", "[[mill]]s") + "\n== References ==\n* a [[book]]\n"
        )
        yield (
            f"<page><title>Place {number}</title><ns>0</ns><id>{number + 1}</id>"
            f"<revision><id>7</id><text>{escape(text)}</text></revision></page>"
        )
    yield "<page><title>Old name</title><ns>0</ns><id>999999998</id><redirect title='x'/></page>"
    yield "<page><title>Talk:Place 1</title><ns>1</ns><id>999999999</id><revision><text>x</text></revision></page>"
    yield "</mediawiki>"


def dpr(rows: int) -> Iterator[str]:
    yield "id\ttext\ttitle"
    for number in range(rows):
        yield f'{number + 1}\t"{" ".join(sentences(number))} ""Quoted"""\tPlace {number}'


def colbert(rows: int) -> Iterator[str]:
    for number in range(rows):
        yield f"{number}\tTitle: Place {number} Text: {' '.join(sentences(number))}"


FORMATS: dict[str, tuple[str, Callable[[int], Iterator[str]]]] = {
    "kilt": ("kilt_knowledgesource.json", kilt),
    "cirrus": ("enwiki-cirrussearch-content.json", cirrus),
    "mediawiki": ("enwiki-pages-articles.xml", mediawiki),
    "dpr": ("psgs_w100.tsv", dpr),
    "colbert": ("collection.tsv", colbert),
}


def write_dump(folder: Path, name: str, rows: int, ending: str = "") -> Path:
    """Write a dump of ``rows`` pages, compressed as ``ending`` says."""
    file, make = FORMATS[name]
    path = folder / (file + ending)
    with OPENERS[ending](path, "wt", encoding="utf-8") as out:
        out.writelines(f"{line}\n" for line in make(rows))
    return path
