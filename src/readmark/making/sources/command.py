"""``readmark set text``: cut raw text into passages."""

from __future__ import annotations

import signal
import time
from typing import Any

import click

from readmark import console as options
from readmark.console import OUTPUT_FILE, WORDS, Ticker
from readmark.core.counts import counted
from readmark.making.sources.build import TextSettings, build
from readmark.making.sources.built import Counts
from readmark.making.sources.shapes import SHAPES

POSITIVE = click.IntRange(min=1)


@click.command("text")
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="OUT",
    help="Test to write, with the passages.",
    type=OUTPUT_FILE,
)
@click.option(
    "--recipe",
    type=click.Choice(["smart", "cmrc"]),
    help="How to cut: smart takes whole paragraphs of medium-length articles; cmrc "
    "takes up to 500 words and cuts at sentence boundaries  [default: smart; articles of other "
    "lengths are used too if there are fewer than 100, or if the first 100 have no other]",
)
@click.option(
    "--unit",
    type=click.Choice(["characters", "words"]),
    help="Unit of all lengths  [default: from the recipe]",
)
@click.option(
    "--min",
    "shortest",
    type=POSITIVE,
    help="Minimum length of a passage  [default: from the recipe]",
)
@click.option(
    "--max",
    "longest",
    type=POSITIVE,
    help="Maximum length of a passage  [default: from the recipe]",
)
@click.option(
    "--article-min",
    "shortest_article",
    type=POSITIVE,
    help="Minimum length of an article  [default: from the recipe]",
)
@click.option(
    "--article-max",
    "longest_article",
    type=POSITIVE,
    help="Maximum length of an article  [default: from the recipe]",
)
@click.option(
    "--script",
    type=click.Choice(["keep", "simplified"]),
    help="Chinese script: convert to simplified and keep a copy of the original, or "
    "keep as is  [default: simplified]",
)
@click.option(
    "--language",
    metavar="LANG",
    help="Language of the text, en or zh  [default: detected from the source]",
)
@click.option(
    "--limit",
    type=POSITIVE,
    help="Stop after this many articles with passages  [default: no limit]",
)
@click.option(
    "--shape",
    type=click.Choice(list(SHAPES)),
    help="Type of the source  [default: detected from its content]",
)
@click.option(
    "--skipped",
    metavar="FILE",
    help="Write everything that was skipped to this file, as JSON Lines.",
    type=OUTPUT_FILE,
)
@click.option(
    "--name", metavar="TEXT", help="Name of the test  [default: from OUT's name]", type=WORDS
)
@click.option(
    "--licence", metavar="TEXT", help="Licence of the text, recorded in the header.", type=WORDS
)
@click.option(
    "--source",
    metavar="TEXT",
    help="Description of where the text comes from, recorded in the header.",
    type=WORDS,
)
@options.workers_option
@options.engine_option
@options.json_option
def text_command(
    sources: tuple[str, ...], output: str, skipped: str | None, as_json: bool, **settings: Any
) -> None:
    """Cut raw text into passages: a test without questions, one passage per line.

    A SOURCE is a file, a folder, or - for standard input: plain text, HTML, WikiExtractor
    output or a MediaWiki XML dump. Files ending in .gz, .bz2, .xz and .zst are decompressed.
    Each passage records its article and its position there. A truncated source is an error; OUT
    then has the passages made so far, and its header states that it is incomplete.
    """
    began = time.monotonic()

    def progress_line(counts: Counts) -> str:
        size = counts.bytes / 1e6
        rate = size / max(time.monotonic() - began, 1e-6)
        return (
            f"{counted(counts.articles, 'article')}, {counted(counts.passages, 'passage')}, "
            f"{size:.0f} MB, {rate:.1f} MB/s"
        )

    _interrupt_on_hangup()
    try:
        with Ticker() as ticker:
            built = build(
                sources,
                output,
                TextSettings(**settings),
                skipped=skipped,
                progress=(lambda counts: ticker.say(lambda: progress_line(counts)))
                if ticker.is_terminal
                else None,
            )
    except BaseException as error:
        options.notify(getattr(error, "__notes__", ()))  # what was saved
        raise
    options.print_result(built, as_json=as_json)
    options.notify(built.notes)


def _interrupt_on_hangup() -> None:
    """A terminal that is closed interrupts, as Ctrl-C does, unless nohup prevents it.

    The passages made so far are then saved.
    """
    hangup = getattr(signal, "SIGHUP", None)  # Windows has none
    if hangup is not None and signal.getsignal(hangup) is not signal.SIG_IGN:
        signal.signal(hangup, signal.default_int_handler)
