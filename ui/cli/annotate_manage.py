"""The commands ``annotate assign``, ``adjudicate``, ``remove``, ``judge``, ``serve`` and ``study``."""

import json
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict
from pathlib import Path

import click

from searchain.annotation.study import differences, from_toml
from searchain.errors import UsageError
from searchain.language.text import plural
from searchain.llm.choose import choose_model
from searchain.safe_text import one_line
from searchain.types import Message
from storage.annotation import gold as golds
from storage.annotation import items, pseudonyms, studies, tasks, withdrawing
from storage.database import Database
from storage.database import default_path as database_path
from storage.people import users
from storage.people.users import LOCAL
from storage.removal import delete
from ui.cli import files, options
from ui.cli.files import confirm, opened, writable
from ui.cli.logs_upkeep import HELD

_LONGEST_STUDY = 1_000_000  # bytes


@click.command()
@click.argument("chosen", nargs=-1, metavar="[ITEM]...")
@click.option("--all", "is_all", is_flag=True, help="Every item that can be judged.")
@click.option(
    "--to", "to", metavar="NAME", multiple=True, required=True, help="An annotator; may be given several times."
)
@click.option("--quota", type=click.IntRange(1, 1000), help="How many annotators are to judge each of the items.")
@click.option("--undo", is_flag=True, help="Remove the assignments; drafts are kept.")
@options.database
def assign(
    chosen: tuple[str, ...], is_all: bool, to: tuple[str, ...], quota: int | None, undo: bool, db: Path | None
) -> None:
    """Give items to annotators by name.

    Assigned items come before the queue and do not expire. `annotate status --items` lists the items.
    """
    if is_all == bool(chosen):
        raise UsageError("name the items to assign, or say --all; see: python assistant.py annotate status --items")
    if undo and quota is not None:
        raise UsageError("--undo and --quota do not go together")
    wanted = None if is_all else list(dict.fromkeys(chosen))
    with writable(db) as store:
        if undo:
            click.echo(f"{tasks.release(store, wanted, to)} taken back", err=True)
            return
        done = tasks.assign(store, wanted, to, quota=quota)
    had = f", {done.had} judged, skipped or assigned before" if done.had else ""
    full = f", {done.full} without a free place (--quota raises their number)" if done.full else ""
    click.echo(f"{done.given} assigned{had}{full}", err=True)


@click.command()
@click.argument("item")
@click.option(
    "--from",
    "annotator",
    metavar="ANNOTATOR",
    required=True,
    help="Take the labels of this annotator, given by name or pseudonym.",
)
@click.option("--by", metavar="NAME", default=LOCAL, help="Who decided.")
@click.option("--reason", type=click.Choice(golds.REASONS), help="Why annotators differed.")
@options.database
def adjudicate(item: str, annotator: str, by: str, reason: str | None, db: Path | None) -> None:
    """Decide what is right about an item.

    The decision is kept beside the annotators' labels, which stay, and names those that count now as its basis.
    Another decision replaces it; earlier ones are kept. Decisions that were made elsewhere come with `annotate import`,
    as lines of `annotate export`.
    """
    with writable(db) as store:
        with store.reading() as connection:
            items.must_be_judgeable(connection, item)
        decider = (
            LOCAL if by == LOCAL else pseudonyms.entitled(store, by)
        )  # at the command line is who runs the machine
        labels = golds.from_annotator(store, item, annotator)
        basis = golds.basis(store, item)
        golds.adjudicate(store, item, labels, decider, basis, reason or "")
    click.echo(f"item {item} decided by {decider}, beside {len(basis)} labels", err=True)


@click.command()
@click.argument("chosen", nargs=-1, required=True, metavar="ITEM...")
@click.option("--with-labels", is_flag=True, help="Also delete all labels of these replies.")
@options.yes
@options.database
def remove(chosen: tuple[str, ...], with_labels: bool, yes: bool, db: Path | None) -> None:
    """Take replies off the desk for good.

    Nothing of their text stays in the file; how they were judged does, without comments. Of a stored turn this removes
    the copy on the desk only: `logs delete` removes both.
    """
    with writable(db) as store:
        with store.reading() as connection:
            for item in chosen:
                items.get(connection, item)
        confirm(
            f"Remove {plural(len(chosen), 'item')} for good"
            f"{', with all labels?' if with_labels else '? Labels stay, and the report counts them apart.'}",
            yes,
        )
        with store.writing() as connection:
            for item in dict.fromkeys(chosen):
                withdrawing.remove(connection, item, with_labels=with_labels)
        is_clean = delete.compact(store)
    click.echo(f"{len(set(chosen))} removed" + ("" if is_clean else f"; {HELD}"), err=True)


@click.command()
@click.option("--check", is_flag=True, help="The program's own check of support, without a language model.")
@click.option("--model", metavar="NAME", help="A language model of an OpenAI-compatible endpoint.")
@click.option("--base-url", metavar="URL", help="The endpoint; or set SEARCHAIN_BASE_URL.")
@click.option("--limit", type=click.IntRange(1), help="At most so many replies now.")
@options.database
def judge(check: bool, model: str | None, base_url: str | None, limit: int | None, db: Path | None) -> None:
    """Let a machine judge the replies on the desk.

    What it says is marked as a machine's, is never shown to annotators, and never counts as a label. The report holds
    it against people, and estimates figures over all replies from it, corrected by those that people judged.
    """
    if check == bool(model or base_url):
        raise UsageError("say who judges: --check, or --model NAME (and --base-url URL)")
    from searchain.annotation import machines  # here, because of numpy and the models
    from storage.annotation import machines as stored

    if check:
        from searchain.reply.support_check import SupportCheck

        name, judging = "support check", machines.from_check(SupportCheck())
    else:
        say, name = _model(model, base_url)
        judging = machines.from_model(say)
    with writable(db) as store, click.progressbar(length=1, label=name) as bar:

        def told(number: int, of: int) -> None:
            bar.length = of
            bar.update(1)

        done = stored.judge_all(store, name, judging, limit=limit, told=told)
    click.echo(f"{done} replies judged by {name}", err=True)


def _model(model: str | None, base_url: str | None) -> tuple[Callable[[str], str], str]:
    chosen = choose_model(model, base_url)

    def say(prompt: str) -> str:
        pieces = chosen.stream([Message("user", prompt)], max_tokens=16)
        return "".join(piece for piece in pieces if isinstance(piece, str))

    return say, chosen.name


@click.command()
@click.option("--host", default="127.0.0.1", help="The address to listen on.")
@click.option("--port", type=click.IntRange(1, 65535), default=7861, help="The port to listen on.")
@options.public_url("users")
@options.database
def serve(host: str, port: int, public_url: str | None, db: Path | None) -> None:
    """Serve the annotation desk and its API, without the chat.

    It needs neither models nor an index. By default it is for the person at this machine; with users (`user add`)
    everybody signs in, and programs send `Authorization: Bearer TOKEN` (`user token`). Ends with ctrl-C.
    """
    import uvicorn  # here, because `--help` need not pay for it

    from ui.desk.routes import app
    from ui.server import connections
    from ui.server.access import Access, Who
    from ui.server.connections import check_free

    check_free(host, port)
    with closing(Database(db or database_path())) as store:
        who = Who.USERS if users.are_there(store) else Who.LOCAL
        others = f"--host {host}" if host not in options.LOOPBACK else "--public-url" if public_url else ""
        if who is Who.LOCAL and others:
            raise UsageError(f"{others} lets others use the desk; add users first: python assistant.py user add NAME")
        access = Access(who, store, answers_to_any_host=host not in options.LOOPBACK, public_url=public_url)
        shown = f"[{host}]" if ":" in host else host
        click.echo(f"The annotation desk: http://{shown}:{port}/annotate  (ctrl-C ends it)", err=True)
        limits = connections.limits()
        uvicorn.run(app(store, access), host=host, port=port, log_level="warning", access_log=False, **limits)


@click.command()
@click.argument("file", required=False, type=options.FILE)
@click.option(
    "--freeze", is_flag=True, help="Freeze the study: later changes need a reason, and the report prints them."
)
@click.option(
    "--because", metavar="TEXT", default="", show_default=False, help="The reason for changing a frozen study."
)
@click.option("--json", "is_json", is_flag=True, help="One JSON object.")
@options.database
def study(file: Path | None, freeze: bool, because: str, is_json: bool, db: Path | None) -> None:
    """Show, set or freeze the study that the desk follows.

    FILE is a study.toml: title, questions, systems, quota, seed, hypotheses, primary, exclusions, guidelines,
    guided_practice, pass_mark, hide_addresses, normalise_marks, show_uncited, ask_for_systems, annotators. Without FILE
    the study is shown with its hash and its history.
    """
    if file is not None or freeze:
        with writable(db, create=True) as store:
            if file is not None:
                changed = studies.change(store, from_toml(_text(file)), LOCAL, because)
                click.echo(f"changed: {', '.join(changed)}" if changed else "nothing changed", err=True)
            if freeze:
                click.echo(f"frozen: {studies.freeze(store, LOCAL)}", err=True)
        return
    with opened(db) as store:
        current, entries = studies.current(store), studies.history(store)
    if is_json:
        history = [asdict(one) for one in entries]
        options.echo_json({"hash": current.hash, "study": asdict(current), "history": history})
        return
    for name, value in asdict(current).items():
        if name != "labels":
            click.echo(f"{name}: {one_line(json.dumps(value, ensure_ascii=False))}")
    click.echo(f"hash: {current.hash}")
    for before, after in zip([None, *entries], entries, strict=False):
        names = differences(before.study, after.study) if before else []
        said = f": {', '.join(names)}" if names else ""
        click.echo(one_line(f"{after.created[:16]} {after.action} by {after.by}{said} {after.reason}").rstrip())


def _text(file: Path) -> bytes:
    text = b"".join(files.lines(file))
    if len(text) > _LONGEST_STUDY:
        raise UsageError(f"{str(file)!r} is too large; {_LONGEST_STUDY:,} bytes are the most")
    return text


COMMANDS = [assign, adjudicate, remove, study, serve, judge]
