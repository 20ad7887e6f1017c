"""The documents that the fixed set of questions is about: of every kind that is read, and all of it invented.

The questions stand in ``lab.benchmarks/own-questions.jsonl``.
"""

from __future__ import annotations

from collections.abc import Sequence

from tests.support.written_files import Section, Written, web_archive_of, zip_of

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
    Written(
        "bees.pdf",
        "Bees on the roofs of Karlow",
        (
            Section(
                "The count",
                (
                    "For a long time nobody knew how many bees live in Karlow. In the spring of 2019 the bio­lo­gist "
                    "Jana Willard began to climb the roofs of the city with a note­book and a ladder. She found hives "
                    "on hotels, on schools and even on a prison. Her first list named 143 hives, and it was printed in "
                    "the bulletin of the botanical garden.",
                    "The count was repeated in each of the four years that followed. It was paid for by the Corvin "
                    "Foundation, which had until then given money to choirs alone. The foun­dation asked for one thing "
                    "only: the list should be open to everybody.",
                    "The bees of the old town fly to the lime trees along the Castle Road, which flower in June. Those of "
                    "the new quarters live on the acacias behind the freight station. Both trees were planted by the "
                    "gardener Theo Malik between 1931 and 1936.",
                ),
            ),
            Section(
                "Illness",
                (
                    "In the winter of 2021 a third of all hives died. The cause was a mite that had come with queens "
                    "from abroad. The vet­erinary office, led by Bruno Castell, ordered that every hive be treated with "
                    "oxalic acid in December, when there is no brood.",
                    "The keepers at the opera house refused at first. They gave way after a talk that lasted nine hours. "
                    "Since then each hive has carried a blue label, on which the day of the last treat­ment is "
                    "written.",
                    "A hive must not be moved by more than three metres a day, because the bees would not find it again. "
                    "This rule is older than the office, and it is printed on the back of the label.",
                ),
            ),
            Section(
                "Honey of the year 2022",
                (
                    "The table shows what was harvested. The keepers sell most of it at the market on the Fish Bridge, "
                    "in jars of half a pound. What is left is given to the hospital of Saint Odile.",
                ),
                (
                    ("Roof", "Hives", "Honey in kilograms"),
                    ("Opera house", "12", "286"),
                    ("Grand Hotel", "8", "171"),
                    ("School of music", "5", "94"),
                    ("Prison", "3", "66"),
                ),
            ),
        ),
        columns=2,
    ),
)

LETTERS: Sequence[Written] = (
    Written(
        "letters/1903.txt",
        "Letters of the year 1903",
        (
            Section(
                "To the bank",
                (
                    "Dear Mr Holloway, the loan of 6,000 crowns was repaid on 2 May. I ask you to send back the deeds of "
                    "the paper mill at Orrin.",
                ),
            ),
            Section(
                "To her sister",
                (
                    "Dear Philippa, we have hired a new foreman, Silas Greenaway, who worked in Bremen before. The flood "
                    "took the lower weir, and the men rebuilt it with oak from the Abbot's Wood.",
                ),
            ),
        ),
    ),
    Written(
        "inventory.csv",
        "inventory",
        (
            Section(
                "",
                (),
                (
                    ("Item", "Shelf", "Pieces"),
                    ("Copper kettle", "F7", "9"),
                    ("Felt roller", "B2", "31"),
                    ("Glue barrel", "K4", "14"),
                ),
            ),
        ),
    ),
)
"""What the zip holds."""

MUSEUM: Sequence[Written] = (
    Written(
        "visit.html",
        "A visit to the salt museum",
        (
            Section(
                "Opening hours",
                (
                    "The salt museum of Pellworth is closed on Tuesdays. Guided tours begin at the old boiling house "
                    "and last seventy minutes.",
                ),
                (("Ticket", "Price"), ("Adults", "11 euros"), ("Pupils", "4 euros"), ("Families", "24 euros")),
            ),
        ),
    ),
    Written(
        "history.html",
        "The history of the salt museum",
        (
            Section(
                "Founding",
                (
                    "The museum was founded by the mining engineer Dorothea Lanz, who had led the last shift of the "
                    "works. Its oldest piece is a wooden pump of the year 1588.",
                ),
                items=("1962: the works are closed", "1971: the museum is opened", "1994: a fire destroys the mill"),
            ),
        ),
    ),
)
"""What the web archive holds."""


def files() -> dict[str, bytes]:
    """The files as they are dropped, by name."""
    found = {one.name: one.content for one in DOCUMENTS}
    return found | {"estate.zip": zip_of(LETTERS), "museum.warc.gz": web_archive_of("salt.example", MUSEUM)}
