"""The command group ``logs``: past questions and replies, for the person at the machine."""

import time
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

import click

from searchain.errors import NotFound
from searchain.events import Event, ReplyDelta, RunFinished, RunStarted, TracingStarted, Turn, fold, to_payload
from searchain.safe_text import clean, one_line
from searchain.turn_json import as_json
from searchain.types import Outcome
from storage.collections.places import Places
from storage.database import Database
from storage.history import feedback, listing, usage
from storage.history.feedback import Feedback
from storage.history.selection import Selection
from storage.log import event_log, runs
from storage.log.conversations import TurnRow
from storage.log.event_log import StoredEvent, paced
from storage.people.users import LOCAL
from ui.cli import logs_upkeep, options
from ui.cli.files import opened
from ui.show import terminal
from ui.show.second_reading import changes


@click.group(commands=logs_upkeep.COMMANDS)
def logs() -> None:
    """Find, show, replay, check and remove past questions with their evidence."""


@logs.command("list")
@click.option("--limit", type=click.IntRange(1), default=20, help="At most so many turns.")
@click.option("--changed", "is_changed", is_flag=True, help="Only turns whose documents say otherwise since.")
@click.option("--json", "is_json", is_flag=True, help="One JSON object per line.")
@options.conditions()
@options.database
def list_(db: Path | None, selection: Selection, limit: int, is_changed: bool, is_json: bool) -> None:
    """List the latest turns, the latest first."""
    selection = replace(selection, is_changed=is_changed or None)
    with opened(db) as store:
        rows = listing.latest(store, limit, selection)
        if selection.conversation and not rows and not listing.latest(store, 1, Selection(selection.conversation)):
            raise NotFound(f"there is no conversation {selection.conversation!r}; see: python assistant.py logs list")
        for row in rows:
            found = event_log.turn(store, row.id) if is_changed else Turn()
            if is_json:
                options.echo_json(asdict(row) | ({"changed": list(map(asdict, found.changed))} if is_changed else {}))
                continue
            click.echo(_line(row))
            for text, number in changes(found):
                click.echo(f"    [{number}] {one_line(text)}")


@logs.command()
@click.argument("words", nargs=-1, required=True)
@click.option("--limit", type=click.IntRange(1), default=20, help="At most so many turns.")
@click.option("--json", "is_json", is_flag=True, help="One JSON object per line.")
@options.conditions(text=False)
@options.database
def search(words: tuple[str, ...], db: Path | None, selection: Selection, limit: int, is_json: bool) -> None:
    """Find turns by their words, best match first.

    WORDS are looked up in questions and replies, and all must occur; "quoted words" stand together, and wor* is the
    beginning of a word.
    """
    with opened(db) as store:
        matches = listing.find(store, " ".join(words), limit, selection)
        if not matches and not is_json:
            click.echo("nothing found", err=True)
        for match in matches:
            if is_json:
                options.echo_json({**asdict(match.turn), "found": {"question": match.question, "answer": match.answer}})
                continue
            click.echo(_line(match.turn))
            for text in (match.question, match.answer):
                if listing.FOUND[0] in text:
                    click.echo(f"    {one_line(text)}")


@logs.command()
@click.argument("id")
@options.database
@click.option("--json", "is_json", is_flag=True, help="One JSON object per turn and line, as `ask --json` prints it.")
def show(id: str, db: Path | None, is_json: bool) -> None:
    """Show a turn or a whole conversation.

    Each turn is shown with its tree, reply, sources and timings.
    """
    with opened(db) as store:
        for number, (conversation, turn) in enumerate(listing.named(store, id)):
            state = event_log.turn(store, turn)
            if is_json:
                place_of = Places(store, LOCAL)
                options.echo_json(as_json(state, conversation=conversation, turn_id=turn, place_of=place_of))
                continue
            click.echo("\n" * (number > 0) + f"turn {turn} of conversation {conversation}")
            for line in terminal.transcript(state):
                click.echo(line)
            for said in feedback.history(store, turn):
                click.echo(_judgement(said))


def _judgement(said: Feedback) -> str:
    what = "the reply" if said.source is None else f"[{said.source}]"
    words = {"up": "is good", "down": "is not good" if said.source is None else "does not support it"}
    judged = f"{what} {words.get(said.value or '', '(taken back)')}"
    return one_line(f"{said.time[:19]} said: {judged}" + (f": {said.comment}" if said.comment else ""))


def _line(row: TurnRow) -> str:
    answer = row.final_answer or row.answer
    rating = terminal.label(row.status, row.outcome, row.probability)
    asked = f"{row.created[:19]} {row.id}{f' {rating}' if rating else ''}: {row.question}"
    return one_line(asked + (f" → {answer[:80]}" if answer else ""))


POLL_SECONDS = 0.2


@logs.command()
@click.argument("turn", required=False)
@click.option(
    "-n", "--turns", "last", type=click.IntRange(0), default=0, help="Begin with the latest N turns.", metavar="N"
)
@click.option("--json", "is_json", is_flag=True, help="Every event as one JSON object per line.")
@options.database
def tail(turn: str | None, last: int, is_json: bool, db: Path | None) -> None:
    """Show runs while they happen.

    With TURN its run is followed to its end; otherwise every new run is followed until ctrl-C.
    """
    with opened(db) as store:
        if turn is not None:
            event_log.check(store, turn, None)
        for id, stored, state in watch(store, turn, last):
            if is_json:
                time_ = stored.time.isoformat(timespec="milliseconds")
                options.echo_json({"turn": id, "seq": stored.seq, "time": time_, "event": to_payload(stored.event)})
                continue
            for line in _tail_lines(stored.event, state):
                click.echo(line if turn else f"{id[-6:]} {line}")


@logs.command()
@click.argument("turn")
@click.option(
    "--speed", type=options.Number(0), default=1.0, help="How many times as fast as it happened; 0 is at once."
)
@options.database
def replay(turn: str, speed: float, db: Path | None) -> None:
    """Show a stored run again, event by event, as it happened."""
    state = Turn()
    with opened(db) as store:
        event_log.check(store, turn, None)
        events = event_log.events(store, turn)
    for stored in paced(events, speed):
        state = fold([stored.event], state)
        match stored.event:
            case RunStarted():
                click.echo(one_line(stored.event.question))
            case TracingStarted():
                click.echo()
            case ReplyDelta():
                click.echo(clean(stored.event.text), nl=False)
                continue
            case RunFinished():
                click.echo("\n" * bool(state.answer), nl=False)
                rating = terminal.rating(state)
                ended = " · ".join(filter(None, (rating, terminal.timings(state))))
                for line in (*terminal.sources(state), ended, state.message):
                    if line:
                        click.echo(one_line(line) if line == state.message else line)
        if progress := terminal.progress(stored.event, state):
            click.echo(progress)


@logs.command()
@click.option("--json", "is_json", is_flag=True, help="One JSON object.")
@options.conditions()
@options.database
def stats(selection: Selection, is_json: bool, db: Path | None) -> None:
    """Show usage, outcomes, knowledge sources and feedback.

    Usage is counted by day and model, the rest by model. The shares of outcomes are those among the replies that are
    rated. A step that a reply rests on is the model's knowledge (LLM), or was corrected or completed by a passage.
    """
    with opened(db) as store:
        used, sources = usage.usage(store, selection), usage.knowledge(store, selection)
        outcomes, judged = usage.outcomes(store, selection), usage.judged(store, selection)
    if is_json:
        values = {"usage": used, "outcomes": outcomes, "knowledge": list(map(asdict, sources)), "feedback": judged}
        options.echo_json(values)
        return
    if not used:
        raise NotFound("there are no finished turns to count; see: python assistant.py logs list")
    for line in (*_usage(used), "", *_outcomes(outcomes), *_knowledge(sources), *_feedback(judged)):
        click.echo(line)


def watch(store: Database, turn: str | None, last: int = 0) -> Iterator[tuple[str, StoredEvent, Turn]]:
    """Yield events with their turn's ID and state: of ``turn`` to its end, or of all from the latest ``last`` on."""
    with store.reading() as db:
        newest = db.execute("SELECT coalesce(max(number), 0) FROM turns").fetchone()[0]
    known, following = newest - last, {turn: (-1, Turn())} if turn else {}
    while following or turn is None:
        if turn is None:
            with store.reading() as db:
                for number, id in db.execute("SELECT number, id FROM turns WHERE number > ? ORDER BY number", (known,)):
                    known, following[id] = number, (-1, Turn())
        is_quiet = True
        for id, (seq, state) in list(following.items()):
            is_going = runs.is_going(store, id)  # asked before reading, so that the last events are not missed
            for stored in event_log.events(store, id, seq):
                is_quiet, seq, state = False, stored.seq, fold([stored.event], state)
                yield id, stored, state
            following[id] = seq, state
            if not is_going:
                del following[id]
        if is_quiet and (following or turn is None):
            time.sleep(POLL_SECONDS)


def _tail_lines(event: Event, state: Turn) -> Iterator[str]:
    match event:
        case RunStarted():
            yield one_line(event.question)
        case RunFinished():
            rating = terminal.label(state.status, state.outcome, state.probability)
            found = event.final_answer or event.message or state.answer[:80]
            yield one_line(": ".join(filter(None, (rating, found))))
    if line := terminal.progress(event, state):
        yield line


def _usage(used: list[usage.Counted]) -> Iterator[str]:
    head = ("turns", "answered", "rounds", "calls", "tokens in", "tokens out", "model s", "search s", "read s", "all s")
    yield f"{'day':<10}" + "".join(f"{name:>11}" for name in head) + "  model"
    for row in used:
        numbers = "".join(f"{row[name]:>11,}" for name in usage.COUNTS)
        seconds = "".join(f"{row[name]:>11,.1f}" for name in usage.SECONDS)
        yield f"{one_line(row['day']):<10}{numbers}{seconds}  {one_line(row['model'])}"


def _outcomes(outcomes: list[usage.Counted]) -> Iterator[str]:
    if not outcomes:
        return
    yield f"{'outcomes':<10}" + "".join(f"{name:>18}" for name in (*Outcome, "no outcome")) + "  model"
    for row in outcomes:
        counts = [row[outcome] for outcome in Outcome]
        told = [f"{count:,} ({count / (sum(counts) or 1):.1%})" for count in counts]
        cells = "".join(f"{text:>18}" for text in (*told, f"{row['not_rated']:,}"))
        yield f"{'':<10}{cells}  {one_line(row['model'])}"
    yield ""


def _feedback(judged: list[usage.Counted]) -> Iterator[str]:
    if judged:
        yield ""
        yield f"{'feedback':<10}{'good':>11}{'not good':>11}{'citations that do not support it':>36}  model"
    for row in judged:
        counts = f"{row['up']:>11,}{row['down']:>11,}{row['unsupported']:>36,}"
        yield f"{'':<10}{counts}  {one_line(row['model'])}"


def _knowledge(sources: list[usage.Knowledge]) -> Iterator[str]:
    yield f"{'steps':<10}{'LLM':>18}{'corrected':>18}{'completed':>18}  model"
    for row in sources:
        counts = zip((row.llm, row.corrected, row.completed), row.shares, strict=True)
        columns = "".join(f"{f'{count:,} ({share:.1%})':>18}" for count, share in counts)
        yield f"{row.llm + row.corrected + row.completed:<10,}{columns}  {one_line(row.model)}"
