"""The command group ``annotate``: import replies to the desk, show its progress, and export labels."""

import zipfile
from dataclasses import replace
from pathlib import Path

import click

from searchain.annotation import citation_styles
from searchain.errors import UsageError
from searchain.files.writing import write_whole
from searchain.safe_text import one_line
from storage.annotation import import_forms, import_items, items, studies
from storage.annotation import progress as progresses
from storage.annotation import pseudonyms as people
from storage.history.selection import EVERYTHING, Selection
from ui.cli import annotate_crowd, annotate_manage, annotate_report, files, options
from ui.cli.files import opened, writable
from ui.exports.formats import LABEL_FORMATS, unpacked


@click.group(commands=[*annotate_manage.COMMANDS, *annotate_report.COMMANDS, annotate_crowd.crowd])
def annotate() -> None:
    """Have people judge the citations of replies, and measure SKC and AMP."""


def _list_forms(context: click.Context, _: click.Parameter, is_wanted: bool) -> None:
    if is_wanted:
        click.echo("\n".join(f"{name:<18}{form['about']}" for name, form in import_forms.forms().items()))
        context.exit()


@annotate.command("import")
@click.argument("file", required=False, type=options.TO_READ)
@click.option("--from-turns", is_flag=True, help="The replies of stored turns; the conditions below choose them.")
@click.option(
    "--practice",
    type=options.FOLDER,
    metavar="DIR",
    help="Hidden checks (*.jsonl.gz with answer, citations, gold) for the queue; their labels stay hidden.",
)
@click.option(
    "--quota",
    type=click.IntRange(1, 1000),
    help=f"How many annotators judge each reply; default: as the study says, or {items.QUOTA}.",
)
@click.option(
    "--from",
    "format",
    metavar="FORM",
    help="The form of the file, out of --list-forms; default: recognised by its fields.",
)
@click.option(
    "--style",
    "styles",
    type=click.Choice(citation_styles.STYLES),
    multiple=True,
    help="Also read (1) as a citation: paren.",
)
@click.option(
    "--labels",
    type=click.Choice(import_items.LABELS),
    default=import_items.ANNOTATOR,
    help="What judgements in a judged set become: labels of its annotators (default), gold, or nothing.",
)
@click.option(
    "--list-forms",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_list_forms,
    help="List the forms of other systems' answers, and end.",
)
@click.option("--dry-run", "is_trial", is_flag=True, help="Only say what is understood; nothing is imported.")
@click.option("--strict", "is_strict", is_flag=True, help="Refuse a file with a citation that is not understood.")
@options.conditions(
    system_help="Who answered FILE, where it does not say; with --from-turns: the method, such as self-ask."
)
@options.database
def import_(
    file: Path | None,
    from_turns: bool,
    practice: Path | None,
    quota: int | None,
    format: str | None,
    styles: tuple[str, ...],
    labels: str,
    is_trial: bool,
    is_strict: bool,
    selection: Selection,
    db: Path | None,
) -> None:
    """Put replies on the desk.

    FILE holds other systems' answers, one JSON object a line: {"question", "system", "answer", "citations":
    [{"number", "title", "text", "url"?}]}; or one of the forms of --list-forms. Marks are [1], [1, 2], [1-3],
    【1†source】, [^1], [1](address), raised numbers and others like them; a number without a document stays, as an
    invented mark. Judgements of a judged set become labels. Or FILE holds turns of `export --format jsonl`; or what
    `annotate export --format jsonl` wrote, labels included. It may be compressed (.gz), and - is standard input. All of
    it is imported, or none; what is there already stays as it is.
    """
    _check_source(file, practice, selection, from_turns=from_turns)
    if file is None and (format or styles or is_trial or is_strict):
        raise UsageError("--from, --style, --dry-run and --strict are for a FILE of other systems' answers")
    with writable(db, create=True) as store:
        quota = quota or studies.current(store).quota
        if file is not None:
            reading = import_items.Reading(format, selection.system, styles, is_strict, labels)
            raw = unpacked(file.read_bytes()) if zipfile.is_zipfile(file) else files.lines(file)
            done = import_items.file(store, raw, quota=quota, reading=reading, is_trial=is_trial)
            for line in done.told(is_trial=is_trial):
                click.echo(one_line(line), err=True)
        elif practice is not None:
            done = import_items.folder(store, practice, quota=quota)
        else:
            done = import_items.turns(store, selection, quota=quota)
    if is_trial:
        click.echo("nothing was imported: leave --dry-run out to import", err=True)
        return
    there = f", {done.skipped} there already" if done.skipped else "" if done.added else ": none were found"
    click.echo(f"{done.added} imported{there}", err=True)


def _check_source(file: Path | None, practice: Path | None, selection: Selection, *, from_turns: bool) -> None:
    """Raise ``UsageError`` unless exactly one source is named, and for conditions on a source without them."""
    if (file is not None) + from_turns + (practice is not None) != 1:
        raise UsageError("say what to import: a FILE, --from-turns, or --practice DIR")
    if (replace(selection, system=None) if file else selection) != EVERYTHING and not from_turns:
        raise UsageError("conditions such as --since choose among stored turns; add --from-turns")


@annotate.command()
@click.option("--items", "is_list", is_flag=True, help="List the items instead: id, judgements, system, question.")
@options.database
def status(is_list: bool, db: Path | None) -> None:
    """Show the progress of the desk.

    Counts are given over all, by system and by annotator.
    """
    with opened(db) as store:
        if is_list:
            for one in progresses.items(store):
                shown = one_line(one["question"]) if one["is_there"] else "(removed)"
                click.echo(f"{one['id']}\t{one['done']} of {one['quota']}\t{one_line(one['system'])}\t{shown}")
            return
        told = "{items} replies on the desk, {complete} complete; {judgements} of {wanted} judgements"
        click.echo(told.format(**progresses.progress(store, "")))
        for title, shares in (("system", progresses.systems(store)), ("annotator", progresses.annotators(store))):
            for share in shares:
                counts = "{submitted} submitted, {skipped} skipped, {drafts} begun".format(**share)
                click.echo(one_line(f"{title} {share['name']}: {counts}, {share['seconds'] / 60:.0f} min"))


_ABOUT = "\n".join(f"  {name:<13}{format.about}" for name, format in LABEL_FORMATS.items())


@annotate.command(epilog=f"\b\nFormats:\n{_ABOUT}")
@click.option("--format", "name", type=click.Choice(list(LABEL_FORMATS)), default="jsonl", help="What to write.")
@click.option("--pseudonyms", is_flag=True, help="Write pseudonyms instead of annotators' names.")
@click.option(
    "--protocol",
    "is_protocol",
    is_flag=True,
    help="Write one zip for reviewers: labels, study, guidelines, report, methods and datasheet, with pseudonyms.",
)
@click.option(
    "-o",
    "--out",
    type=options.NEW,
    metavar="FILE",
    help="The file, replaced when the export is complete; default: standard output.",
)
@options.database
def export(name: str, pseudonyms: bool, is_protocol: bool, out: Path | None, db: Path | None) -> None:
    """Write replies, labels and gold to a file.

    `annotate import` reads the first of its formats, and the zip.
    """
    if is_protocol and out is None:
        raise UsageError("name the zip with -o FILE")
    if pseudonyms or is_protocol:
        click.echo("comments are written as they are: look for names in them before you hand the file on", err=True)
    if is_protocol and out is not None:
        from ui.exports import protocol  # here, because of numpy

        with opened(db) as store, write_whole(out.resolve()) as draft:
            draft.write_bytes(protocol.packed(store))
        click.echo(f"written to {out}", err=True)
        return
    with opened(db) as store, files.target(out) as write:
        for piece in LABEL_FORMATS[name].write(store, people.names(store, are_hidden=pseudonyms)):
            write(piece)
