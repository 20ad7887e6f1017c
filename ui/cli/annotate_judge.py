"""The command ``annotate judge``: a machine labels replies; annotators do not see its labels."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from searchain.errors import UsageError
from searchain.llm.choose import choose_model
from searchain.types import Message
from ui.cli import options
from ui.cli.opening import writable


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
