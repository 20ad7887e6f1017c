"""The command group ``documents``: collections of own files that can be searched."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from searchain import console
from searchain.errors import DocumentRefused, NotFound, UsageError
from searchain.events import fold
from searchain.language.text import plural
from searchain.safe_text import one_line
from storage.collections import access, adding, removing
from storage.collections import documents as rows
from storage.collections import lacking as unanswered
from storage.collections.access import Collection, Elsewhere, Role
from storage.collections.documents import Document, State
from storage.collections.files import Files
from storage.collections.lacking import Unanswered
from storage.database import Database
from storage.people import users
from storage.people.users import LOCAL
from ui.cli import options
from ui.cli.files import confirm, writable
from ui.show.terminal import rating

if TYPE_CHECKING:
    from assistant import Assistant
    from searchain.documents import FoundFile


@click.group()
def documents() -> None:
    """Add own files to collections, list and remove them.

    Ask them with: assistant.py ask "QUESTION" --collection NAME
    """


@documents.command()
@click.argument("paths", nargs=-1, required=True, type=options.PATH, metavar="PATH…")
@options.in_collection
@options.database
def add(paths: tuple[Path, ...], collection: str, db: Path | None) -> None:
    """Add files, folders, zips and web archives.

    PDF, DOCX, EPUB, HTML, Markdown, text, CSV, JSON, XML, mail, notebooks, reStructuredText, Org, LaTeX and pictures
    are read. A file of the same name replaces the one that is there. A missing collection is made, and is yours.
    """
    for path in paths:
        if not path.exists():
            raise UsageError(f"there is no file {str(path)!r}; check its name and its folder")
    with writable(db, create=True) as store:
        removing.tidy(store)
        try:
            into = access.named(store, LOCAL, collection, Role.EDITOR)
        except NotFound:
            into = access.create(store, LOCAL, collection)
        if _add(store, into, paths):
            sys.exit(1)


@documents.command("list")
@click.option("--collection", metavar="NAME", help="Only the documents of this collection, by name or id.")
@options.of_user
@click.option("--json", "as_json", is_flag=True, help="One JSON object a document and line.")
@options.database
def list_(collection: str | None, owner: str | None, as_json: bool, db: Path | None) -> None:
    """List the collections with their documents."""
    with writable(db, create=True) as store:
        user = _user(store, owner)
        found = [access.named(store, user, collection)] if collection else access.every(store, user)
        for one in found:
            there = rows.of_collection(store, one.id)
            if not as_json:
                ready = sum(document.state is State.READY for document in there)
                counts = f"{plural(len(there), 'document')}, {ready} ready"
                click.echo(one_line(f"{one.name}: {counts}; id {one.id}; {_sending(one.elsewhere)}"))
            for document in there:
                if as_json:
                    of = {"collection_name": one.name, "elsewhere": one.elsewhere}
                    options.echo_json(asdict(document) | of)
                else:
                    click.echo(f"  {_line(document)}")


@documents.command()
@click.argument("names", nargs=-1, required=True, metavar="NAME…")
@options.in_collection
@options.of_user
@options.database
def show(names: tuple[str, ...], collection: str, owner: str | None, db: Path | None) -> None:
    """Show what is known of documents, with their headings."""
    with writable(db) as store:
        into = access.named(store, _user(store, owner), collection)
        for document in rows.named(store, into.id, names):
            click.echo(one_line(_line(document)))
            for name in ("id", "sha256", "parser", "created", "updated"):
                click.echo(f"  {name}: {one_line(str(getattr(document, name) or '–'))}")
            click.echo(f"  {_sending(into.elsewhere)}")
            for heading in _headings(Files(store), document):
                click.echo(one_line(f"  # {heading}"))


def _of_gone(command: Callable[..., None]) -> Callable[..., None]:
    for option in (
        options.database,
        options.yes,
        click.option("--all", "is_all", is_flag=True, help="The whole collection."),
        options.of_user,
        options.in_collection,
        click.argument("names", nargs=-1, metavar="[NAME]…"),
    ):
        command = option(command)
    return command


@documents.command()
@_of_gone
def remove(
    names: tuple[str, ...], collection: str, owner: str | None, is_all: bool, yes: bool, db: Path | None
) -> None:
    """Remove documents: nothing of them is found any more.

    What old replies quote of them stays, marked; `documents erase` covers that too. A NAME is a file, a folder with all
    in it, or an id.
    """
    with writable(db) as store:
        into, gone = _chosen(store, owner, collection, names, is_all)
        confirm(f"Remove {_told(into, gone, is_all)}?", yes)
        if is_all:
            removing.remove_collection(store, into)
        else:
            removing.remove(store, gone)
        store.empty_log()
    click.echo(one_line(f"removed {_told(into, gone, is_all)}; old replies keep what they quote of them"))


@documents.command()
@_of_gone
def erase(names: tuple[str, ...], collection: str, owner: str | None, is_all: bool, yes: bool, db: Path | None) -> None:
    """Remove documents, and cover what old replies quote of them.

    Documents that were removed before can be erased as well. Exports and backups that were made earlier stay as they
    are.
    """
    with writable(db) as store:
        into, gone = _chosen(store, owner, collection, names, is_all, removed=True)
        confirm(f"Erase {_told(into, gone, is_all)}, also from old replies?", yes)
        erased = removing.remove_collection(store, into, with_quotes=True) if is_all else removing.erase(store, gone)
    covered = f"words covered in {plural(erased.turns, 'old reply', 'old replies')}"
    click.echo(one_line(f"erased {_told(into, gone, is_all)}; {covered}; earlier exports and backups stay as they are"))
    if not erased.is_clean:
        click.echo("another program has the database open: traces of the text go when the last one closes it", err=True)


@documents.command()
@options.in_collection
@click.option("--user", metavar="NAME", help="The user to let in or out.")
@click.option(
    "--role",
    type=click.Choice(["reader", "editor", "none"]),
    default="reader",
    help="What they may do: search it (reader), change it as well (editor), or nothing any more.",
)
@click.option("--public/--private", "is_public", default=None, help="Let everybody who may chat search it, or not.")
@options.database
def share(collection: str, user: str | None, role: str, is_public: bool | None, db: Path | None) -> None:
    """Let users read or change a collection."""
    if user is None and is_public is None:
        raise UsageError("name whom to let in: --user NAME, or --public for everybody")
    with writable(db) as store:
        into = access.named(store, LOCAL, collection, Role.OWNER)
        if user is not None:
            access.share(store, into, users.get(store, user).name, None if role == "none" else Role(role))
        if is_public is not None:
            access.publish(store, into, is_public)
        into = access.named(store, LOCAL, into.id)
        let_in = ", ".join(f"{name} ({role})" for name, role in access.members(store, into).items()) or "nobody else"
    click.echo(one_line(f"{into.name}: {'public; ' if into.is_public else ''}open to {let_in}"))


@documents.command()
@click.argument("name")
@options.database
def allow(name: str, db: Path | None) -> None:
    """Let a model on another machine get a collection's passages."""
    _decide(name, Elsewhere.ALLOWED, db)


@documents.command()
@click.argument("name")
@options.database
def refuse(name: str, db: Path | None) -> None:
    """Keep a collection's passages on this machine."""
    _decide(name, Elsewhere.REFUSED, db)


def _decide(name: str, elsewhere: Elsewhere, db: Path | None) -> None:
    with writable(db) as store:
        into = access.named(store, LOCAL, name, Role.EDITOR)
        access.decide(store, into, elsewhere)
        click.echo(one_line(f"{into.name}: {_sending(elsewhere)}"))


_SENDING = {
    Elsewhere.UNKNOWN: "not allowed, because nobody has decided yet",
    Elsewhere.ALLOWED: "allowed",
    Elsewhere.REFUSED: "refused",
}


def _sending(elsewhere: Elsewhere) -> str:
    return f"sending passages to a model elsewhere: {_SENDING[elsewhere]}"


def _add(store: Database, into: Collection, paths: Sequence[Path]) -> int:
    """Add the files at ``paths``; return how many of them cannot be searched."""
    files, unreadable = Files(store), 0
    for found, name in _found(paths):
        try:
            if found.refused is not None:
                raise found.refused
            _, is_new = rows.submit(store, files, into.id, name, files.put_file(found.path))
            if not is_new:
                click.echo(one_line(f"{name}: already there"))
        except (DocumentRefused, UsageError, OSError) as error:
            unreadable += 1
            state = error.state if isinstance(error, DocumentRefused) else State.FAILED.value
            click.echo(one_line(f"{name}: {state}: {error}"))
    ended: list[Document] = []
    with console.stages() as progress:
        adding.work(store, into.id, report=lambda document: _report(document, ended), progress=progress)
    ready = sum(document.state is State.READY for document in ended)
    unreadable += len(ended) - ready
    if ended or unreadable:
        others = f", {unreadable} cannot be searched" if unreadable else ""
        click.echo(one_line(f"{plural(ready, 'document')} ready in {into.name!r}{others}"))
    return unreadable


def _found(paths: Sequence[Path]) -> Iterator[tuple[FoundFile, str]]:
    """Yield the files at ``paths`` with their names in the collection; a folder's name begins those of its files."""
    from searchain.documents import files_in

    for path in paths:
        folder = f"{path.resolve().name}/" if path.is_dir() else ""
        yield from ((found, f"{folder}{found.name}") for found in files_in(path))


def _report(document: Document, ended: list[Document]) -> None:
    """Report the state of a document: final states on standard output, others on a terminal's standard error."""
    if document.is_under_way:
        if sys.stderr.isatty():
            click.echo(one_line(_line(document)), err=True)
        return
    ended.append(document)
    click.echo(one_line(_line(document)))


def _user(store: Database, name: str | None) -> str:
    return LOCAL if name is None else users.canonical(store, name)


def _chosen(
    store: Database, owner: str | None, collection: str, names: Sequence[str], is_all: bool, *, removed: bool = False
) -> tuple[Collection, list[Document]]:
    if bool(names) is is_all:
        raise UsageError("name documents, or --all for the whole collection")
    into = access.named(store, _user(store, owner), collection, Role.OWNER if is_all else Role.EDITOR)
    if is_all:
        return into, rows.of_collection(store, into.id)
    return into, rows.named(store, into.id, names, removed=removed)


def _told(into: Collection, gone: Sequence[Document], is_all: bool) -> str:
    if is_all:
        return f"the collection {into.name!r} with {plural(len(gone), 'document')}"
    return f"{plural(len(gone), 'document') if len(gone) != 1 else repr(gone[0].name)} of {into.name!r}"


def _line(document: Document) -> str:
    pages = f", {plural(document.pages, 'page')}" if document.pages else ""
    why = f": {document.reason}" if document.reason else ""
    return f"{document.name}: {document.state}{pages}{why}"


def _headings(files: Files, document: Document) -> Iterator[str]:
    from searchain.documents import BlockKind

    parsed = files.parsed(document.sha256, document.type) if document.type else None
    if parsed is None:
        return
    for block in parsed.blocks:
        if block.kind is BlockKind.HEADING:
            yield parsed.text[block.start : block.end]


NEAREST = 200
"""Most characters of the nearest passage that are listed."""


@documents.command()
@options.in_collection
@options.of_user
@click.option("--again", "is_again", is_flag=True, help="Ask them again, where they are now answered they are gone.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a group and line.")
@options.parts
@options.database
@click.pass_context
def lacking(
    context: click.Context, collection: str, owner: str | None, is_again: bool, as_json: bool, **named: Any
) -> None:
    """List questions that were not found in a collection, similar ones together, with the nearest passage.

    Without --user the questions of everybody are listed. --again asks those of the user, by default of the person at
    this machine, each in its conversation.
    """
    from searchain.reading.similarity import QueryEncoder

    with writable(named["db"]) as store:
        user = _user(store, owner)
        into = access.named(store, user, collection)
        asked = [one for one in unanswered.unanswered(store, into.index) if owner is None or one.owner == user]
    if is_again:
        _ask_again(context.obj(**named), [one for one in asked if one.owner == user])
        return
    for group in unanswered.grouped(asked, QueryEncoder()):
        if as_json:
            options.echo_json({"questions": [asdict(one) for one in group]})
            continue
        for one in group:
            click.echo(one_line(f"{one.question} ({one.created[:10]}, {one.owner})"))
        if group[0].title:
            click.echo(f"  nearest: {one_line(f'{group[0].title}: {group[0].text}')[:NEAREST]}")


def _ask_again(assistant: Assistant, asked: Sequence[Unanswered]) -> None:
    """Ask each question in its conversation, over what it searched, and say how it ended."""
    with closing(assistant):
        for one in asked:
            before = assistant.turn(one.turn, owner=one.owner)
            where: dict[str, Any] = {"conversation": one.conversation, "owner": one.owner, "index": before.index}
            history = assistant.history(one.conversation, owner=one.owner, before=one.turn)
            started = assistant.start(before.question, history=history, replaces=one.turn, **where)
            turn = fold(stored.event for stored in assistant.follow(started.turn, owner=one.owner))
            click.echo(one_line(f"{one.question} {rating(turn)} {turn.final_answer}"))
