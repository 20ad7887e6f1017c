"""Small PDF files written by hand: text at given places, in Helvetica or in a font that any character can be had in.

``pdf(pages)`` gives the bytes. Characters that Helvetica lacks are drawn as boxes: only where they stand and what they
mean matters to a parser.
"""

import math
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

WIDTH, HEIGHT = 612.0, 792.0
_WIDTHS = (
    "278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 "
    "278 584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 "
    "667 944 667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 "
    "556 333 500 278 556 500 722 500 500 500 334 260 334 584"
).split()
"""Thousandths of the size that Helvetica's characters are wide, from the space on; every font here is told to use them."""
LIGATURES = {"ﬁ": (1, "fi"), "ﬂ": (2, "fl")}
"""Character of the source → (code, name of the glyph): one glyph that means two letters."""


@dataclass(frozen=True)
class Text:
    """``text`` with its first baseline point at (x, y) in points from the lower left corner."""

    x: float
    y: float
    text: str
    size: float = 11.0
    bold: bool = False
    angle: float = 0.0
    """Degrees, counterclockwise."""


@dataclass(frozen=True)
class Sheet:
    texts: Sequence[Text]
    rotate: int = 0
    """Degrees by which a viewer turns the page, clockwise."""
    size: tuple[float, float] = (WIDTH, HEIGHT)
    crop: tuple[float, float, float, float] | None = None
    more: bytes = b""
    """Operators after the texts."""


def pdf(
    sheets: Sequence[Sheet],
    *,
    title: str | None = None,
    labels: str | None = None,
    catalog: str = "",
    trailer: str = "",
    objects: Sequence[bytes] = (),
) -> bytes:
    """Write a PDF.

    Args:
        labels: a number tree such as ``"[0 << /S /r >> 2 << /S /D >>]"``.
        catalog, trailer: more entries of these dictionaries.
        objects: bodies of more objects, numbered from 4; ``{n}`` in the other arguments is not replaced.
    """
    bodies: dict[int, bytes] = {}
    others = "".join(sorted({c for sheet in sheets for text in sheet.texts for c in text.text if not _is_plain(c)}))
    next_number = 4 + len(objects)
    for number, body in enumerate(objects, 4):
        bodies[number] = body
    fonts = {"F1": next_number, "F2": next_number + 1}
    bodies[next_number] = _helvetica("Helvetica", next_number + 2)
    bodies[next_number + 1] = _helvetica("Helvetica-Bold", next_number + 2)
    bodies[next_number + 2] = _stream(_to_unicode({code: name for code, name in LIGATURES.values()}))
    next_number += 3
    for first in range(0, len(others), 200):
        some = others[first : first + 200]
        fonts[f"B{first // 200}"] = next_number
        bodies[next_number] = _boxes(some, next_number)
        bodies[next_number + 1] = _stream(b"1000 0 0 0 900 800 d1 0 0 900 800 re f")
        bodies[next_number + 2] = _stream(_to_unicode(dict(enumerate(some, 1))))
        next_number += 3
    resources = "/Resources << /Font << " + " ".join(f"/{name} {n} 0 R" for name, n in fonts.items()) + " >> >>"
    kids = []
    for sheet in sheets:
        kids.append(next_number)
        box = f"/MediaBox [0 0 {sheet.size[0]} {sheet.size[1]}]"
        if sheet.crop:
            box += f" /CropBox [{' '.join(map(str, sheet.crop))}]"
        bodies[next_number] = (
            f"<< /Type /Page /Parent 2 0 R {box} /Rotate {sheet.rotate} {resources} /Contents {next_number + 1} 0 R >>"
        ).encode()
        content = b"\n".join(_show(text, others) for text in sheet.texts) + b"\n" + sheet.more
        bodies[next_number + 1] = _stream(content)
        next_number += 2
    numbers = f"/PageLabels << /Nums {labels} >>" if labels else ""
    bodies[1] = f"<< /Type /Catalog /Pages 2 0 R {numbers} {catalog} >>".encode()
    bodies[2] = f"<< /Type /Pages /Count {len(kids)} /Kids [{' '.join(f'{n} 0 R' for n in kids)}] >>".encode()
    named = "<" + ("\ufeff" + title).encode("utf-16-be").hex() + ">" if title else "()"
    bodies[3] = f"<< /Title {named} >>".encode()
    return assemble(bodies, trailer)


def assemble(bodies: dict[int, bytes], trailer: str = "") -> bytes:
    """Write numbered objects with their table; object 1 is the catalogue, object 3 the information."""
    parts, offsets, size = [b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"], {}, 15
    for number in sorted(bodies):
        offsets[number] = size
        parts.append(b"%d 0 obj\n" % number + bodies[number] + b"\nendobj\n")
        size += len(parts[-1])
    count = max(bodies) + 1
    table = [b"xref\n0 %d\n0000000000 65535 f \n" % count]
    table += [b"%010d 00000 n \n" % offsets[n] if n in offsets else b"0000000000 00000 f \n" for n in range(1, count)]
    end = f"trailer\n<< /Size {count} /Root 1 0 R /Info 3 0 R {trailer} >>\nstartxref\n{size}\n%%EOF\n".encode()
    return b"".join([*parts, *table, end])


@dataclass(frozen=True)
class Glyph:
    """One drawn character and the middle of it, as shares (0–1) of the page as displayed, from the top left."""

    character: str
    page: int
    """From 1."""
    x: float
    y: float


def glyphs(sheets: Sequence[Sheet]) -> list[Glyph]:
    """Say where every character of ``sheets`` is drawn, spaces left out, by arithmetic alone."""
    found = []
    for page, sheet in enumerate(sheets, 1):
        for text in sheet.texts:
            angle, along = math.radians(text.angle), 0.0
            for character in text.text:
                wide = width(character) * text.size
                across, up = along + wide / 2, 0.33 * text.size
                along += wide
                if character == " ":
                    continue
                x = text.x + across * math.cos(angle) - up * math.sin(angle)
                y = text.y + across * math.sin(angle) + up * math.cos(angle)
                found.append(Glyph(character, page, *_displayed(sheet, x, y)))
    return found


def width(character: str) -> float:
    """How far a character moves on, in units of the size."""
    if character in LIGATURES:
        return 0.5
    return int(_WIDTHS[ord(character) - 32]) / 1000 if _is_plain(character) else 1.0


def _displayed(sheet: Sheet, x: float, y: float) -> tuple[float, float]:
    left, bottom, right, top = sheet.crop or (0.0, 0.0, *sheet.size)
    u, v = (x - left) / (right - left), (y - bottom) / (top - bottom)
    return {0: (u, 1 - v), 90: (v, u), 180: (1 - u, v), 270: (1 - v, 1 - u)}[sheet.rotate]


def column(
    text: str, x: float, top: float, room: float, size: float = 10.0, leading: float = 1.2
) -> tuple[list[Text], float]:
    """Set ``text`` in lines of at most ``room`` points below ``top``; returns them and where the next line would be.

    A word with a soft hyphen (U+00AD) may be parted there, and gets a hyphen at the end of its line.
    """
    lines, line = [], ""
    for word in text.split():
        plain = word.replace("\u00ad", "")
        if line and _wide(f"{line} {plain}", size) > room:
            head, part, tail = word.partition("\u00ad")
            if part and _wide(f"{line} {head}-", size) <= room:
                lines.append(f"{line} {head}-")
                line = tail.replace("\u00ad", "")
                continue
            lines.append(line)
            line = plain
        else:
            line = f"{line} {plain}" if line else plain
    lines.append(line)
    step = size * leading
    return [Text(x, top - step * n, line, size) for n, line in enumerate(lines)], top - step * len(lines)


def _wide(text: str, size: float) -> float:
    return sum(map(width, text)) * size


def _is_plain(character: str) -> bool:
    return " " <= character <= "~" or character in LIGATURES


def _show(text: Text, others: str) -> bytes:
    cosine, sine = math.cos(math.radians(text.angle)), math.sin(math.radians(text.angle))
    shown = [f"BT {cosine:.5f} {sine:.5f} {-sine:.5f} {cosine:.5f} {text.x:.2f} {text.y:.2f} Tm".encode()]

    def drawn(character: str) -> tuple[str, int]:
        """The font and the code."""
        if _is_plain(character):
            return "F2" if text.bold else "F1", LIGATURES.get(character, (ord(character),))[0]
        at = others.index(character)
        return f"B{at // 200}", at % 200 + 1

    for name, run in groupby(map(drawn, text.text), key=itemgetter(0)):
        shown.append(f"/{name} {text.size} Tf <{bytes(code for _, code in run).hex()}> Tj".encode())
    return b" ".join([*shown, b"ET"])


def _helvetica(name: str, to_unicode: int) -> bytes:
    differences = " ".join(f"{code} /{glyph}" for code, glyph in LIGATURES.values())
    widths = " ".join(["500"] * 31 + _WIDTHS)
    return (
        f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} /ToUnicode {to_unicode} 0 R "
        f"/FirstChar 1 /LastChar 126 /Widths [{widths}] "
        f"/Encoding << /BaseEncoding /WinAnsiEncoding /Differences [{differences}] >> >>"
    ).encode()


def _boxes(characters: str, number: int) -> bytes:
    """A font of which every glyph is a box; its drawing is object ``number + 1``, its meaning ``number + 2``."""
    count = len(characters)
    return (
        "<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 800] /FontMatrix [0.001 0 0 0.001 0 0] "
        f"/FirstChar 1 /LastChar {count} /Widths [{' '.join(['1000'] * count)}] "
        f"/CharProcs << {' '.join(f'/g{n} {number + 1} 0 R' for n in range(1, count + 1))} >> "
        f"/Encoding << /Differences [1 {' '.join(f'/g{n}' for n in range(1, count + 1))}] >> "
        f"/ToUnicode {number + 2} 0 R /Resources << >> >>"
    ).encode()


def _to_unicode(meanings: dict[int, str]) -> bytes:
    lines = "\n".join(f"<{code:02X}> <{text.encode('utf-16-be').hex()}>" for code, text in meanings.items())
    return (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Own def /CMapType 2 def\n"
        f"1 begincodespacerange <00> <FF> endcodespacerange\n{len(meanings)} beginbfchar\n{lines}\nendbfchar\n"
        "endcmap end end"
    ).encode()


def _stream(content: bytes) -> bytes:
    packed = zlib.compress(content)
    return b"<< /Length %d /Filter /FlateDecode >>\nstream\n" % len(packed) + packed + b"\nendstream"
