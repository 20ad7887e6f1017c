"""Whether the quotations of ticked replies carry the answers: ``python -m lab.benchmarks.quotations --replies FILE``.

FILE is what ``eval --system searchain --out FILE`` writes. For each settled step of a ticked reply the sentences that
the reply quotes from its passage are judged by the model that chooses quotations. ``--draw 60`` prints so many ticked
replies, drawn by a seed, for people to read: question, answer, quotation, and what the model says.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import click

from searchain.files.jsonl import read_jsonl
from searchain.language import text
from searchain.language.descriptions import bare_title
from searchain.reading.similarity import QueryEncoder
from searchain.reading.stance import MiniLMStance, embedded_stance
from searchain.reply.quoting import Quoter, sentences_in
from searchain.safe_text import one_line
from searchain.types import Node, Outcome, Passage, Verdict

ASKED = ("multihop", "slots", "yesno", "factcheck")
"""Kinds of question with a short answer; other replies are nothing but quotations."""


def ticked(replies: Path) -> list[dict[str, Any]]:
    found = read_jsonl(replies, dict[str, Any], "reply")
    return [one for one in found if one["outcome"] == Outcome.SUPPORTED and one["task"] in ASKED]


def steps(reply: dict[str, Any]) -> Iterator[Node]:
    """Yield the cited steps of a reply, each once."""
    nodes = {one["id"]: one for one in reply["tree"]["nodes"]}
    for id, source in {source["node"]: source for source in reply["sources"]}.items():
        passage = Passage(source["title"], source["title"], source["text"])
        answer = nodes[id]["answer"]
        yield Node(id, None, 1, nodes[id]["query"], answer=answer, verdict=Verdict(source["verdict"]), passage=passage)


def is_carried(reply: dict[str, Any], quoter: Quoter) -> bool:
    """Return whether the quoted sentences carry each step of the reply."""
    said = " ".join(one["text"] for one in reply["sentences"])
    for one in reply["sources"]:
        said = said.replace(f"[{one['number']}]", "").replace(f" ({bare_title(one['title'])})", "")
    for node in steps(reply):
        assert node.passage is not None
        body = node.passage.text
        among = [one for one in sentences_in(node.passage) if text.contains(body[one.start : one.end], said)]
        if not quoter.quoted(node, among).is_carried:
            return False
    return True


@click.command(help=__doc__.partition("\n")[0])
@click.option("--replies", required=True, type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--draw", default=0, help="Print so many ticked replies to read.")
@click.option("--seed", default=0, show_default=True)
def main(replies: Path, draw: int, seed: int) -> None:
    """Judge the ticked replies, and print some of them."""
    quoter, found = Quoter(MiniLMStance(embedded_stance()), QueryEncoder()), ticked(replies)
    judged = {one["id"]: is_carried(one, quoter) for one in found}
    click.echo(f"{sum(judged.values())} of {len(found)} ticked replies quote a sentence that carries the answer")
    for number, one in enumerate(Random(seed).sample(found, min(draw, len(found))), start=1):
        click.echo(f"\n{number}. {one_line(one['question'])}")
        click.echo(f"   answer: {one_line(one['final_answer'])}")
        click.echo(f"   reply: {one_line(one['answer'])}")
        click.echo(f"   model: {'carried' if judged[one['id']] else 'not carried'}")


if __name__ == "__main__":
    main()
