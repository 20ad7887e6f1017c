"""What own documents cost: a dropped PDF to a cited answer, hostile files beside a chat, erasing, a large index, many.

    python -m lab.benchmarks.own_costs [--part drop|hostile|erase|index|many] [--documents 1000] [--picture FILE]

With the embedded parts, in a home that goes in the end. CPU times are of this process and its children; wall times mean
something on a quiet machine alone, so the load of the machine is printed.
"""

from __future__ import annotations

import json
import os
import random
import resource
import sysconfig
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain, islice, zip_longest
from pathlib import Path
from statistics import median
from typing import Any

import bm25s
import click

from assistant import Assistant
from lab.benchmarks.document_pictures import page_of
from lab.benchmarks.own_answers import ask, own_assistant, own_home, queued, submitted
from searchain.documents import parse_file, passages_of
from searchain.documents.sandbox import close_idle
from searchain.errors import DocumentRefused
from searchain.files.home import home
from searchain.retrieval import registry
from searchain.retrieval.live import Shelf
from storage.collections import access, adding, documents, removing
from storage.collections.documents import State
from tests.support.browser import chromium, visit
from tests.support.hostile_files import hostile_files
from tests.support.pdf_files import Sheet, column, pdf

PARTS = ("drop", "hostile", "erase", "index", "many")
BUILDINGS = "library school mill inn bridge chapel hospital market brewery club".split()
VIEWS = ("river", "market", "hill")
TOWNS = "Arden Bexley Corran Dunvale Estmoor Farrow Gilden Harwick Islay Jarrow".split()
QUESTION = "Who founded the library of Harwick?"
CANARY = "The heron of Zanzibar keeps the seventh key."


@click.command(help=__doc__.partition("\n")[0])
@click.option("--part", "chosen", multiple=True, type=click.Choice(PARTS), default=PARTS, help="Default: all.")
@click.option("--documents", "count", default=1000, show_default=True, help="Files in the part many.")
@click.option(
    "--picture", type=click.Path(dir_okay=False, path_type=Path), help="Keep a picture of the panel with them."
)
def main(chosen: tuple[str, ...], count: int, picture: Path | None) -> None:
    click.echo(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    if set(chosen) - {"index"}:
        with own_assistant() as assistant:
            measures = {
                "drop": dropped,
                "hostile": hostile,
                "erase": erased,
                "many": partial(many, count=count, picture=picture),
            }
            for part, measure in measures.items():
                if part in chosen:
                    measure(assistant)
    if "index" in chosen:
        with own_home():
            adding_to_a_large_index(copies=1)
            adding_to_a_large_index(copies=10)


def dropped(assistant: Assistant) -> None:
    """From the bytes of ten pages to the end of a cited answer, the models loaded."""
    warm = access.create(assistant._store, "local", "warm")
    submitted(assistant, warm.id, {"warm.txt": b"The mill of Arden was built by Cora Lind."})
    ask(assistant, "Who built the mill of Arden?", warm.index)
    for number in range(3):
        collection, content = access.create(assistant._store, "local", f"dropped {number}"), ten_pages()
        busy, started = cpu(), time.perf_counter()
        submitted(assistant, collection.id, {"towns.pdf": content + b"\n" * number})
        ready = time.perf_counter() - started
        reply = ask(assistant, QUESTION, collection.index)
        wall = time.perf_counter() - started
        place = next((source["place"] for source in reply["sources"] if source["place"]), None)
        page = place["regions"][0]["page"] if place and place["regions"] else None
        click.echo(
            f"ten pages dropped: ready after {ready:.1f} s, answer {reply['final_answer']!r} (page {page}) after "
            f"{wall:.1f} s; {cpu() - busy:.1f} CPU-s"
        )


def ten_pages() -> bytes:
    """Ten pages of about 350 words, each about the buildings of one town."""
    chance = random.Random(3)
    names = [
        f"{first} {last}" for first in ("Ada", "Bo", "Cy", "Di", "Ed") for last in ("Marsh", "North", "Oakes", "Penn")
    ]
    sheets = []
    for town in TOWNS:
        body = " ".join(
            f"The {thing} of {town} was founded by {chance.choice(names)} in {chance.randrange(1500, 1900)}, and it "
            f"has {chance.randrange(3, 90)} rooms, of which most look over the {chance.choice(VIEWS)}."
            for thing in (*BUILDINGS, *(f"old {thing}" for thing in BUILDINGS))
        )
        sheets.append(Sheet(column(body, 72, 720, 460, 11)[0]))
    return pdf(sheets, title="The towns")


def hostile(assistant: Assistant) -> None:
    """Read the hostile files while somebody asks; every file gets a sentence, every question its answer."""
    own = access.create(assistant._store, "local", "own")
    submitted(assistant, own.id, {"mill.txt": b"The mill of Arden was built by Cora Lind."})
    ask(assistant, "Who built the mill of Arden?", own.index)
    collection = access.create(assistant._store, "local", "hostile")
    made = list(hostile_files())
    given = {f"{number}-{one.name}": one.content for number, one in enumerate(made)}
    reading = threading.Thread(target=submitted, args=(assistant, collection.id, given))
    started = time.perf_counter()
    reading.start()
    answers = []
    while reading.is_alive():
        asked = time.perf_counter()
        reply = ask(assistant, "Who built the mill of Arden?", own.index)
        answers.append((reply["final_answer"], time.perf_counter() - asked))
    reading.join()
    refused = [one for one in documents.of_collection(assistant._store, collection.id) if one.reason]
    for one in sorted(refused, key=lambda one: int(one.name.partition("-")[0])):
        click.echo(f"    {one.name}: {one.state}: {one.reason}")
    right = sum(answer == "Cora Lind" for answer, _ in answers)
    click.echo(
        f"{len(made)} hostile files in {time.perf_counter() - started:.0f} s: {len(refused)} refused with a sentence, "
        f"{len(made) - len(refused)} read without what harms; meanwhile {right} of {len(answers)} questions answered, "
        f"the slowest in {max(seconds for _, seconds in answers):.1f} s"
    )


def erased(assistant: Assistant) -> None:
    """Quote a document in a reply, erase it, and look for its words in every file of the home."""
    collection = access.create(assistant._store, "local", "erased")
    text = f"The lock was made by Ivo Brandt. {CANARY}"
    submitted(assistant, collection.id, {"canary.txt": text.encode(), "other.txt": b"The motor is cooled by a fan."})
    answer = ask(assistant, "Who made the lock?", collection.index)["final_answer"]
    before = holding(CANARY)
    removing.erase(assistant._store, documents.named(assistant._store, collection.id, ["canary.txt"]))
    after = {words: holding(words) for words in (CANARY, "Zanzibar", "canary.txt", answer)}
    click.echo(f"erased: {len(before)} files held the sentence before, quoted in a reply ({answer!r}); now {after}")


def holding(words: str) -> list[str]:
    """The files of the home that hold ``words``, links not followed."""
    files = (path for path in Path(home()).rglob("*") if path.is_file() and not path.is_symlink())
    return [path.name for path in files if words.encode() in path.read_bytes()]


def many(assistant: Assistant, count: int, picture: Path | None) -> None:
    """Add real files; compare with ten of them, and with reading and indexing by bm25s; change and remove one."""
    store, files = assistant._store, list(islice(real_files(), count))
    kinds = Counter(Path(name).suffix for name, _ in files)
    click.echo(f"{len(files)} files, {sum(len(content) for _, content in files) / 1e6:.1f} MB: {dict(kinds)}")
    few = access.create(store, "local", "few")
    submitted(assistant, few.id, dict(files[:FEW]))
    collection = access.create(store, "local", "many")
    before = size_on_disk()
    queued(assistant, collection.id, dict(files))
    added(assistant, collection.id, files, before)
    for step, wanted in (("a search", latency), ("a question", partial(asked, assistant))):
        of_few, of_many = (wanted(one.index) for one in (few, collection))
        click.echo(
            f"{step}: {FEW} files {of_few:.3f} s, {count} files {of_many:.3f} s (medians), {of_many / of_few:.2f} ×"
        )
    fresh = {"added.txt": b"The mill of Arden was built by Cora Lind."}
    timed("one more file", lambda: submitted(assistant, collection.id, fresh))
    timed("its new version", lambda: submitted(assistant, collection.id, {"added.txt": b"Bo Marsh built the mill."}))
    timed("removed", lambda: removing.remove(store, documents.named(store, collection.id, ["added.txt"])))
    on_the_page(assistant, len(files), picture)


def on_the_page(assistant: Assistant, count: int, picture: Path | None) -> None:
    """Open the panel of the real page with all files listed."""
    with chromium() as browser, page_of(assistant) as url, visit(browser, url, viewport=SCREEN) as visitor:
        page = visitor.page
        started = time.perf_counter()
        answer = page.request.get(f"{url}collections")
        listed = time.perf_counter() - started
        toggle, panel = page.locator("#documents-toggle"), page.locator("#documents")
        started = time.perf_counter()
        toggle.click()
        panel.locator("li li").nth(count - 1).wait_for(state="attached")
        opened, size = time.perf_counter() - started, len(answer.body()) / 1e3
        click.echo(f"the page's list: {listed:.2f} s, {size:.0f} KB; its panel is filled after {opened:.2f} s")
        if picture:
            page.wait_for_timeout(500)
            page.screenshot(path=picture)


SCREEN: dict[str, Any] = {"width": 1280, "height": 800}
FEW = 10
SOURCES = (Path("/usr/share/doc"), Path(sysconfig.get_path("purelib")))
"""Documentation of Debian and of Python packages."""
KINDS = (".html", ".txt", ".md", ".rst", ".csv", ".json", ".xml", "")
SMALLEST, LARGEST = 1_000, 8_000
"""Bytes of a file."""


def real_files() -> Iterator[tuple[str, bytes]]:
    """Yield documentation that is installed here, no two files alike, the kinds in turn; drawn by a seed."""
    chance, seen = random.Random(5), set[bytes]()
    by_kind: dict[str, list[Path]] = {kind: [] for kind in KINDS}
    for path in sorted(path for source in SOURCES for path in source.rglob("*")):
        is_plain = path.suffix in KINDS and not path.is_symlink() and path.is_file()
        if is_plain and SMALLEST <= path.stat().st_size <= LARGEST:
            by_kind[path.suffix].append(path)
    for some in by_kind.values():
        chance.shuffle(some)
    for number, path in enumerate(filter(None, chain(*zip_longest(*by_kind.values())))):
        content = path.read_bytes()
        if content not in seen:
            seen.add(content)
            yield f"{path.parent.name}-{path.stem}-{number}{path.suffix or '.txt'}", content


def added(assistant: Assistant, collection: str, files: Sequence[tuple[str, bytes]], before: int) -> None:
    """Read and encode the queued files; say when they are found by words and by meaning, and what that costs."""
    store, count, words = assistant._store, len(files), 0.0
    started, busy, peak = time.perf_counter(), cpu(), 0.0
    reading = busy
    while pending := documents.next_up(store, collection):
        if not words and pending[0].state is State.ENCODING:
            words, reading = time.perf_counter() - started, cpu() - busy
            click.echo(f"all {count} found by words after {words:.0f} s, {reading:.0f} CPU-s")
        adding.step(store, collection)
        peak = max(peak, resident())
    total = cpu() - busy
    parsed, indexed = by_words_alone(files)
    passages = registry.get(access.index_of(collection)).passages
    click.echo(
        f"{passages} passages by meaning after {time.perf_counter() - started:.0f} s, {total:.0f} CPU-s, "
        f"{1000 * total / count:.0f} CPU-ms a document, {1000 * total / passages:.0f} a passage; reading and indexing "
        f"by bm25s in this process {parsed + indexed:.0f} CPU-s, so {total / (parsed + indexed):.1f} ×, without the "
        f"reading {(total - reading) / indexed:.0f} ×; memory at most {peak:.2f} GB; "
        f"{(size_on_disk() - before) / 1e6:.0f} MB on the disk"
    )
    states = Counter(one.state.value for one in documents.of_collection(store, collection))
    click.echo(f"states: {dict(states)}")


def size_on_disk() -> int:
    files = (path for path in Path(home()).rglob("*") if not path.is_symlink())
    return sum(path.stat().st_blocks * 512 for path in files if path.is_file())


def by_words_alone(files: Sequence[tuple[str, bytes]], sample: int = 50) -> tuple[float, float]:
    """Return the CPU seconds of reading ``files`` and of indexing their passages by bm25s.

    ``sample`` files are read, each in its child process as always, and the figure is scaled.
    """
    passages, busy, scale = [], cpu(), len(files) / min(sample, len(files))
    with tempfile.TemporaryDirectory() as folder:
        for name, content in files[:sample]:
            file = Path(folder) / name
            file.write_bytes(content)
            with suppress(DocumentRefused):
                passages += passages_of(parse_file(file, name), name, "0" * 64)
    parsed, busy = cpu() - busy, cpu()
    retriever = bm25s.BM25()
    retriever.index(bm25s.tokenize([one.text for one in passages], show_progress=False), show_progress=False)
    return parsed * scale, (cpu() - busy) * scale


TOPICS = "Who wrote the manual?|Which licence applies?|How is the package installed?|What is the default port?".split(
    "|"
)


def latency(index: str) -> float:
    """Return the median seconds of a search, each query asked once before."""
    retriever = Shelf().searching(index)
    return median(seconds(partial(retriever.search, topic, 5)) for topic in TOPICS * 2 if retriever.search(topic, 5))


def asked(assistant: Assistant, index: str) -> float:
    """Return the median seconds of a question, each asked once before."""
    return median(seconds(partial(ask, assistant, topic, index)) for topic in TOPICS if ask(assistant, topic, index))


def seconds(act: Callable[[], object]) -> float:
    started = time.perf_counter()
    act()
    return time.perf_counter() - started


def timed(what: str, act: Callable[[], object]) -> None:
    busy = cpu()
    click.echo(f"{what}: {seconds(act):.2f} s, {cpu() - busy:.2f} CPU-s")


def resident() -> float:
    """Return the gigabytes of memory that this process holds now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e9


def adding_to_a_large_index(copies: int, size: int = 20) -> None:
    """What one document of ``size`` passages costs in an index of ``copies`` times the default one."""
    from searchain.retrieval import updates
    from searchain.types import Passage, Place

    name = f"large-{copies}"
    pointer = json.loads(registry.path("default").read_text())
    (part,) = pointer["parts"]
    names = [part, *(f"{part[:-2]}{number:02}" for number in range(1, copies))]
    for other in names[1:]:
        (registry.parts_root() / other).symlink_to((registry.parts_root() / part).resolve())
    registry.path(name).write_text(
        json.dumps(pointer | {"name": name, "parts": names, "passages": copies * pointer["passages"]})
    )
    index = registry.get(name)
    chance = random.Random(4)
    words = "river town mill valley bridge stone harvest market winter road glass copper ship tower garden".split()
    for number in range(4):
        passages, start = [], 0
        for row in range(size):
            text = " ".join(chance.choices(words, k=90)).capitalize() + "."
            place = Place(f"01J0000000000000000000{copies:02}0{number}", f"{number}" * 64, start, start + len(text))
            passages.append(Passage(f"added-{number}-{row}", "Added", text, place=place))
            start += len(text) + 1
        busy, started = cpu(), time.perf_counter()
        updates.announce(name, passages)
        updates.encode(name)
        updates.compact(name)
        now = registry.get(name)
        click.echo(
            f"{size} passages added to {index.passages + size * number:,}: {cpu() - busy:.2f} CPU-s, "
            f"{time.perf_counter() - started:.1f} s, {len(now.parts)} parts"
            + (", with loading the encoder" if number == 0 and copies == 1 else "")
        )


def cpu() -> float:
    """CPU seconds of this process and of its children; those that wait for files are ended."""
    close_idle()
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


if __name__ == "__main__":
    main()
