"""Ask questions over a folder of documents, and print each answer with its sources.

The documents go into a collection with the folder's name; asking again adds only files that are new or have changed.

Usage, in the folder of the project:
    python -m examples.ask_folder reports/ "What did the auditors find?" "Who signed the report?"
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from assistant import Assistant, open_assistant
from searchain.errors import SearChainError
from searchain.events import fold

PROGRAM = Path(__file__).parents[1] / "assistant.py"


def main(folder: Path, questions: list[str]) -> None:
    """Add the folder, then ask every question."""
    collection = folder.resolve().name
    adding = subprocess.run([sys.executable, PROGRAM, "documents", "add", folder, "--collection", collection])
    if adding.returncode:
        print("some files were left out; the others are searched", file=sys.stderr)
    assistant = open_assistant()
    try:
        index = assistant.searched([collection])
        for question in questions:
            ask(assistant, index, question)
    except SearChainError as error:
        sys.exit(f"error: {error}")
    finally:
        assistant.close()


def ask(assistant: Assistant, index: str, question: str) -> None:
    """Print the answer, how sure it is, and of each source the quoted words with their place in the document."""
    started = assistant.start(question, index=index)
    turn = fold(stored.event for stored in assistant.follow(started.turn))
    sure = f"{turn.outcome}, {turn.probability:.0%} likely right" if turn.probability is not None else turn.outcome
    print(f"\n{question}\n{turn.answer or turn.message}\n({sure})")
    place_of = assistant.place_of()
    for source in turn.sources:
        place = place_of(source) or {"regions": []}
        pages = sorted({region["page"] for region in place["regions"]})
        where = f", page {pages[0]}" if pages else ""
        print(f"[{source.number}] {source.passage.title}{where}: “{source.quote}”")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit('usage: python -m examples.ask_folder FOLDER "QUESTION" …')
    main(Path(sys.argv[1]), sys.argv[2:])
