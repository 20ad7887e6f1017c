"""Documents of every kind that is read, written for this project, with questions that they answer and others.

Everything in them is invented. The questions were written with the documents, before anything was measured on them;
every second one is kept apart: nothing may be fitted to those.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tests.support.hostile_files import docx, epub, paragraph
from tests.support.pdf_files import Sheet, Text, column, pdf


@dataclass(frozen=True)
class Section:
    """A heading with what stands below it; in a PDF a page of its own."""

    heading: str
    paragraphs: tuple[str, ...] = ()
    table: tuple[tuple[str, ...], ...] = ()
    """The first row names the columns."""
    items: tuple[str, ...] = ()


@dataclass(frozen=True)
class Written:
    """One document."""

    name: str
    title: str
    sections: tuple[Section, ...]

    @property
    def content(self) -> bytes:
        return _WRITERS[self.name.rpartition(".")[2]](self)


@dataclass(frozen=True)
class Asked:
    """A question, any of whose ``answers`` is right; none: no document answers it."""

    question: str
    answers: tuple[str, ...] = ()
    document: str = ""
    page: int | None = None
    is_table: bool = False


def _pdf(written: Written) -> bytes:
    sheets = []
    for number, section in enumerate(written.sections, 1):
        texts = [Text(72, 740, f"{written.title}", 8), Text(72, 700, section.heading, 16, bold=True)]
        y = 670.0
        for paragraph_ in section.paragraphs:
            lines, y = column(paragraph_, 72, y, 460, 11)
            texts += lines
            y -= 10
        for row in section.table:
            texts += [Text(72 + 150 * n, y, cell, 11) for n, cell in enumerate(row)]
            y -= 16
        texts += [Text(72, y - 14 * n, f"• {item}", 11) for n, item in enumerate(section.items)]
        texts.append(Text(300, 40, str(number), 8))
        sheets.append(Sheet(texts))
    return pdf(sheets, title=written.title)


def _html_body(written: Written) -> str:
    parts = [f"<h1>{written.title}</h1>"]
    for section in written.sections:
        parts.append(f"<h2>{section.heading}</h2>")
        parts += [f"<p>{one}</p>" for one in section.paragraphs]
        if section.items:
            parts.append("<ul>" + "".join(f"<li>{one}</li>" for one in section.items) + "</ul>")
        if section.table:
            head, *rows = section.table
            cells = "".join(f"<th>{cell}</th>" for cell in head)
            lines = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
            parts.append(f"<table><tr>{cells}</tr>{lines}</table>")
    return "".join(parts)


def _html(written: Written) -> bytes:
    menu = "<nav><a href='/'>Home</a> <a href='/shop'>All our offers of the week</a></nav>"
    page = f"<main>{_html_body(written)}</main><footer>Imprint</footer>"
    return f"<!doctype html><html><head><title>{written.title}</title></head><body>{menu}{page}</body></html>".encode()


def _epub(written: Written) -> bytes:
    return epub(f"<html><body>{_html_body(written)}</body></html>", title=written.title)


def _docx(written: Written) -> bytes:
    parts = [paragraph(written.title, "Heading1")]
    for section in written.sections:
        parts.append(paragraph(section.heading, "Heading2"))
        parts += [paragraph(one) for one in (*section.paragraphs, *section.items)]
        if section.table:
            rows = (
                "<w:tr>" + "".join(f"<w:tc>{paragraph(cell)}</w:tc>" for cell in row) + "</w:tr>"
                for row in section.table
            )
            parts.append(f"<w:tbl>{''.join(rows)}</w:tbl>")
    return docx("".join(parts))


def _markdown(written: Written) -> bytes:
    return "\n\n".join(_lines(written, "# ", "## ")).encode()


def _text(written: Written) -> bytes:
    return "\n\n".join(_lines(written, "", "")).encode()


def _lines(written: Written, first: str, second: str) -> Iterator[str]:
    yield first + written.title if first else f"{written.title}\n{'=' * len(written.title)}"
    for section in written.sections:
        yield second + section.heading if second else f"{section.heading}\n{'-' * len(section.heading)}"
        yield from section.paragraphs
        if section.items:
            yield "\n".join(f"- {one}" for one in section.items)
        if section.table:
            head, *rows = section.table
            yield "\n".join(f"| {' | '.join(row)} |" for row in (head, ("---",) * len(head), *rows))


def _csv(written: Written) -> bytes:
    return "\n".join(",".join(f'"{cell}"' for cell in row) for row in written.sections[0].table).encode()


_WRITERS = {
    "pdf": _pdf,
    "docx": _docx,
    "html": _html,
    "md": _markdown,
    "txt": _text,
    "epub": _epub,
    "csv": _csv,
}

DOCUMENTS: Sequence[Written] = (
    Written(
        "pump-manual.pdf",
        "Manual of the Ostrava P-40 pump",
        (
            Section(
                "Purpose",
                (
                    "The Ostrava P-40 is a pump for clean water. It was developed by Hedda Lindqvist in the workshop of "
                    "Brunnholm, and it is built in the town of Eskerby.",
                    "It must not be used for sea water, because salt attacks the bronze wheel.",
                ),
            ),
            Section(
                "Maintenance",
                (
                    "The bearings must be oiled every ninety days. Use nothing but oil of the grade VG 46.",
                    "The relief valve opens at a pressure of 8 bar. If it drips, change the seal, which has the part "
                    "number KX-2207.",
                ),
            ),
            Section(
                "Technical data",
                (),
                (
                    ("Property", "Value"),
                    ("Weight", "62 kilograms"),
                    ("Power", "4 kilowatts"),
                    ("Largest flow", "310 litres"),
                ),
            ),
        ),
    ),
    Written(
        "harbour-report.pdf",
        "Report on the harbour of Vellmar",
        (
            Section(
                "History",
                (
                    "The harbour of Vellmar was opened in 1874 by the merchant Tomas Aldrin. It was destroyed by a storm in "
                    "1911 and rebuilt within six years.",
                ),
            ),
            Section(
                "Ships",
                (
                    "Today the harbour takes ships of up to 190 metres. Most of them carry timber to the port of Lindhavn.",
                    "The harbour master is Greta Osei, who followed Paul Varga in 2016.",
                ),
            ),
            Section(
                "Goods of the year",
                (),
                (
                    ("Goods", "Tonnes"),
                    ("Timber", "412,000"),
                    ("Grain", "96,500"),
                    ("Fish", "18,200"),
                    ("Salt", "7,400"),
                ),
            ),
        ),
    ),
    Written(
        "lease.docx",
        "Lease of the flat in Marten Street 14",
        (
            Section(
                "Parties",
                (
                    "The landlady is Ines Kowalczyk. The tenant is Daniel Orimoto, a teacher at the school of music.",
                    "The lease begins on 1 March 2023 and has no fixed end.",
                ),
            ),
            Section(
                "Rent",
                (
                    "The rent is 740 euros a month, to be paid by the third working day. The deposit is 2,220 euros.",
                    "A notice must be given three months before the end of a quarter.",
                ),
            ),
            Section("Keys", (), (("Key", "Number"), ("Front door", "3"), ("Cellar", "2"), ("Letter box", "1"))),
        ),
    ),
    Written(
        "minutes.docx",
        "Minutes of the gardening society",
        (
            Section(
                "Elections",
                ("Rosa Teuber was elected president with 31 votes. Emil Sand remains treasurer for two more years.",),
            ),
            Section(
                "Decisions",
                (
                    "The society will plant forty apple trees along the Quarry Path. The old greenhouse will be pulled down "
                    "in October.",
                ),
            ),
        ),
    ),
    Written(
        "lighthouse.html",
        "The lighthouse of Skarn",
        (
            Section(
                "The tower",
                (
                    "The lighthouse of Skarn was designed by the engineer Ludvig Maren. It stands on a rock four miles off "
                    "the coast and is 38 metres high.",
                    "Its first keeper was Anna Brekke, who lived there for twenty-six years with her dog Pilot.",
                ),
            ),
            Section(
                "The light",
                ("The lamp burned whale oil until 1902, when it was changed to gas. Since 1958 it has been electric.",),
                (("Year", "Keeper"), ("1866", "Anna Brekke"), ("1892", "Jonas Wirth"), ("1921", "Sigrid Holt")),
            ),
        ),
    ),
    Written(
        "bakery.html",
        "The bakery of the Moreau family",
        (
            Section(
                "The family",
                (
                    "The bakery was founded in Tervigny by Claire Moreau. Her grandson Luc Moreau bakes there today.",
                    "It is known for its chestnut bread, which is sold only on Saturdays.",
                ),
            ),
            Section("Prices", (), (("Bread", "Price"), ("Chestnut bread", "4.80 euros"), ("Rye loaf", "3.20 euros"))),
        ),
    ),
    Written(
        "expedition.md",
        "Diary of the Tessaly expedition",
        (
            Section(
                "The crew",
                (
                    "The leader of the expedition was Margit Solano. The ship was called Northern Wren and carried "
                    "nineteen people.",
                    "The doctor, Ivo Patel, wrote most of this diary.",
                ),
            ),
            Section(
                "The island",
                (
                    "On 17 August they landed on an island that they named Little Tessaly. They found a colony of grey "
                    "terns and a spring of warm water.",
                ),
                (("Instrument", "Weight"), ("Theodolite", "11 kg"), ("Barometer", "2 kg"), ("Sledge", "54 kg")),
            ),
        ),
    ),
    Written(
        "recipes.md",
        "Recipes of the canteen",
        (
            Section(
                "Lentil soup",
                ("The soup must cook for fifty minutes. It is seasoned with cumin and lemon.",),
                items=("400 grams of lentils", "two carrots", "one litre of broth"),
            ),
            Section("Plum cake", ("The cake is baked at 180 degrees. The dough needs a night in the fridge.",)),
        ),
    ),
    Written(
        "theatre.txt",
        "The theatre on the Kettle Square",
        (
            Section(
                "The house",
                (
                    "The theatre on the Kettle Square has 620 seats. It was built by the architect Nadia Ferrow and opened "
                    "with the opera The Silver Reed.",
                ),
            ),
            Section(
                "The people",
                ("Its director is Oskar Lunde. The orchestra is led by Mirela Castan, who came from Zagreb in 2014.",),
            ),
        ),
    ),
    Written(
        "railway.txt",
        "The narrow railway of Holm",
        (
            Section(
                "The line",
                (
                    "The narrow railway runs from Holm to Upper Ravine. It is 23 kilometres long and has seven tunnels.",
                    "The first engine was called Beetle. The last train ran in May 1967.",
                ),
            ),
        ),
    ),
    Written(
        "novel.epub",
        "The Clockmaker of Dunmoor",
        (
            Section(
                "The shop",
                (
                    "Edwin Harrow kept a small shop in Dunmoor, where he mended clocks. His apprentice was a girl of "
                    "twelve called Tilly Nash.",
                ),
            ),
            Section(
                "The theft",
                (
                    "One morning the golden watch was gone. It had been hidden in the church tower by the sexton, Abel Crane.",
                ),
            ),
        ),
    ),
    Written(
        "staff.csv",
        "staff",
        (
            Section(
                "",
                (),
                (
                    ("Name", "Department", "Room", "Extension"),
                    ("Yusuf Demir", "Accounts", "B12", "4471"),
                    ("Carla Benedetti", "Legal", "C03", "4415"),
                    ("Piotr Zielony", "Workshop", "A01", "4402"),
                    ("Hanne Voss", "Library", "D21", "4490"),
                ),
            ),
        ),
    ),
    Written(
        "rivers.csv",
        "rivers",
        (
            Section(
                "",
                (),
                (
                    ("River", "Length", "Mouth"),
                    ("Arvel", "214 km", "Lake Tonne"),
                    ("Brisk", "87 km", "North Bay"),
                    ("Calder Water", "152 km", "Arvel"),
                ),
            ),
        ),
    ),
)

ANSWERABLE: Sequence[Asked] = (
    Asked("Who developed the Ostrava P-40 pump?", ("Hedda Lindqvist",), "pump-manual.pdf", 1),
    Asked("In which town is the Ostrava P-40 built?", ("Eskerby",), "pump-manual.pdf", 1),
    Asked(
        "How often must the bearings of the pump be oiled?", ("every ninety days", "ninety days"), "pump-manual.pdf", 2
    ),
    Asked("At what pressure does the relief valve open?", ("8 bar",), "pump-manual.pdf", 2),
    Asked("What is the part number of the seal of the relief valve?", ("KX-2207",), "pump-manual.pdf", 2),
    Asked("What is the weight of the Ostrava P-40 pump?", ("62 kilograms",), "pump-manual.pdf", 3, True),
    Asked("What is the largest flow of the pump?", ("310 litres",), "pump-manual.pdf", 3, True),
    Asked("Who opened the harbour of Vellmar?", ("Tomas Aldrin",), "harbour-report.pdf", 1),
    Asked("When was the harbour of Vellmar opened?", ("1874",), "harbour-report.pdf", 1),
    Asked("When was the harbour of Vellmar destroyed by a storm?", ("1911",), "harbour-report.pdf", 1),
    Asked("Who is the harbour master of Vellmar?", ("Greta Osei",), "harbour-report.pdf", 2),
    Asked("To which port is timber carried?", ("Lindhavn",), "harbour-report.pdf", 2),
    Asked("How many tonnes of timber came through the harbour?", ("412,000",), "harbour-report.pdf", 3, True),
    Asked("How many tonnes of fish came through the harbour?", ("18,200",), "harbour-report.pdf", 3, True),
    Asked("Who is the landlady of the flat in Marten Street?", ("Ines Kowalczyk",), "lease.docx"),
    Asked("Who is the tenant of the flat?", ("Daniel Orimoto",), "lease.docx"),
    Asked("When does the lease begin?", ("1 March 2023",), "lease.docx"),
    Asked("How much is the deposit?", ("2,220 euros",), "lease.docx"),
    Asked("How many keys of the cellar are there?", ("2",), "lease.docx", None, True),
    Asked("Who was elected president of the gardening society?", ("Rosa Teuber",), "minutes.docx"),
    Asked("Who is the treasurer of the gardening society?", ("Emil Sand",), "minutes.docx"),
    Asked("How many apple trees will be planted?", ("forty",), "minutes.docx"),
    Asked("Who designed the lighthouse of Skarn?", ("Ludvig Maren",), "lighthouse.html"),
    Asked("How high is the lighthouse of Skarn?", ("38 metres",), "lighthouse.html"),
    Asked("What was the name of the dog of Anna Brekke?", ("Pilot",), "lighthouse.html"),
    Asked("Who became keeper of the lighthouse in 1921?", ("Sigrid Holt",), "lighthouse.html", None, True),
    Asked("Who founded the bakery in Tervigny?", ("Claire Moreau",), "bakery.html"),
    Asked("What does the rye loaf cost?", ("3.20 euros",), "bakery.html", None, True),
    Asked("Who led the Tessaly expedition?", ("Margit Solano",), "expedition.md"),
    Asked("What was the ship of the Tessaly expedition called?", ("Northern Wren",), "expedition.md"),
    Asked("What is the weight of the sledge?", ("54 kg",), "expedition.md", None, True),
    Asked("How long must the lentil soup cook?", ("fifty minutes",), "recipes.md"),
    Asked("How many grams of lentils are needed for the soup?", ("400",), "recipes.md", None, True),
    Asked("Who built the theatre on the Kettle Square?", ("Nadia Ferrow",), "theatre.txt"),
    Asked("How many seats has the theatre on the Kettle Square?", ("620",), "theatre.txt"),
    Asked("Who leads the orchestra of the theatre?", ("Mirela Castan",), "theatre.txt"),
    Asked("How long is the narrow railway of Holm?", ("23 kilometres",), "railway.txt"),
    Asked("What was the first engine of the narrow railway called?", ("Beetle",), "railway.txt"),
    Asked("Who was the apprentice of Edwin Harrow?", ("Tilly Nash",), "novel.epub"),
    Asked("Who hid the golden watch in the church tower?", ("Abel Crane",), "novel.epub"),
    Asked("In which room is Carla Benedetti?", ("C03",), "staff.csv", None, True),
    Asked("What is the extension of Hanne Voss?", ("4490",), "staff.csv", None, True),
    Asked("How long is the river Brisk?", ("87 km",), "rivers.csv", None, True),
    Asked("Into what does the Calder Water flow?", ("Arvel",), "rivers.csv", None, True),
)

UNANSWERABLE: Sequence[Asked] = (
    Asked("Who painted the harbour of Vellmar?"),
    Asked("How much does the Ostrava P-40 pump cost?"),
    Asked("What is the telephone number of Ines Kowalczyk?"),
    Asked("When was Rosa Teuber born?"),
    Asked("Who is the husband of Greta Osei?"),
    Asked("How old is the tenant of the flat?"),
    Asked("In which year did the Tessaly expedition begin?"),
    Asked("Who wrote the opera The Silver Reed?"),
    Asked("How deep is the harbour of Vellmar?"),
    Asked("What is the salary of Piotr Zielony?"),
    Asked("Which company built the engine Beetle?"),
    Asked("Who was the second doctor of the Northern Wren?"),
    Asked("What does the plum cake cost?"),
    Asked("Where was Ludvig Maren born?"),
    Asked("How many pages has The Clockmaker of Dunmoor?"),
    Asked("Who owns the theatre on the Kettle Square?"),
)


def kept_apart(asked: Sequence[Asked]) -> Sequence[Asked]:
    """Every second question, to which nothing may be fitted."""
    return asked[1::2]
