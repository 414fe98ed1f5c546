"""``readmark set wiki``."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

import click
from rich.table import Table
from rich.text import Text

from readmark import console as options
from readmark.console import EVERY_TERMINAL
from readmark.core.display import counted, make_console, plain_table
from readmark.making.sources.build import Built
from readmark.text.markup import RULES

if TYPE_CHECKING:
    from readmark.making.sources.build import Counts


SHAPES = ("wikiextractor", "wikiextractor-json", "mediawiki", "html", "plain")
OTHER_SHARE = 0.05
"""Of articles in another language: a wiki has some, a mistake has more."""
positive = click.IntRange(min=1)


@click.command("wiki")
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@click.option(
    "-o", "--output", required=True, metavar="OUT", help="Test to write, with the passages."
)
@click.option(
    "--recipe",
    type=click.Choice(["smart", "cmrc"]),
    default="smart",
    help="How to cut: smart takes whole paragraphs of medium-length articles; cmrc "
    "takes up to 500 words and cuts at sentence boundaries",
)
@click.option(
    "--unit",
    type=click.Choice(["characters", "words"]),
    help="Unit of all lengths  [default: from the recipe]",
)
@click.option(
    "--min",
    "shortest",
    type=positive,
    help="Minimum length of a passage  [default: from the recipe]",
)
@click.option(
    "--max",
    "longest",
    type=positive,
    help="Maximum length of a passage  [default: from the recipe]",
)
@click.option(
    "--article-min", type=positive, help="Minimum length of an article  [default: from the recipe]"
)
@click.option(
    "--article-max", type=positive, help="Maximum length of an article  [default: from the recipe]"
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
    type=positive,
    help="Stop after this many articles with passages  [default: no limit]",
)
@click.option(
    "--shape",
    type=click.Choice(SHAPES),
    help="Type of the source  [default: detected from its content]",
)
@click.option(
    "--skipped",
    metavar="FILE",
    help="Write everything that was skipped to this file, as JSON Lines.",
)
@click.option("--name", metavar="TEXT", help="Name of the test  [default: from OUT's name]")
@click.option("--licence", metavar="TEXT", help="Licence of the text, recorded in the header.")
@click.option(
    "--source",
    "origin",
    metavar="TEXT",
    help="Description of where the text comes from, recorded in the header.",
)
@click.option("--workers", type=positive, default=1, help="Worker processes")
@options.json_option
def wiki_command(
    sources: tuple[str, ...],
    output: str,
    recipe: str,
    unit: str | None,
    shortest: int | None,
    longest: int | None,
    article_min: int | None,
    article_max: int | None,
    script: str | None,
    language: str | None,
    limit: int | None,
    shape: str | None,
    skipped: str | None,
    name: str | None,
    licence: str | None,
    origin: str | None,
    workers: int,
    as_json: bool,
) -> None:
    """Cut raw text into passages: a test without questions, one passage per line.

    A SOURCE is a file or folder: WikiExtractor output, a MediaWiki XML dump, HTML or plain
    text. Files ending in .gz, .bz2, .xz and .zst are decompressed. Each passage records its
    article and its position there. A truncated source is an error; OUT then has the passages
    made so far, and its header states that it is incomplete.
    """
    from readmark.making.sources.build import Wanted, build

    wanted = Wanted(
        recipe=recipe,
        language=language,
        script=script,
        unit=unit,
        shortest=shortest,
        longest=longest,
        shortest_article=article_min,
        longest_article=article_max,
        limit=limit,
        shape=shape,
        name=name,
        licence=licence,
        source=origin,
        workers=workers,
    )
    line = _Line()
    _end_gently()
    try:
        built = build(sources, output, wanted, not_taken=skipped, watch=line.show)
    except BaseException as error:
        line.end()
        options.notify(getattr(error, "__notes__", ()))  # what was saved
        raise
    line.end()
    if as_json:
        options.print_json(document(built))
    else:
        print_built(built)
    options.notify(_remarks(built, skipped))


def document(built: Built) -> dict[str, object]:
    """What was made, as one JSON document."""
    counts = built.counts
    return {
        "output": built.output,
        "name": built.header.name,
        "language": built.header.language,
        "licence": built.header.licence,
        "recipe": built.header.fields["recipe"],
        "script": built.header.fields["script"],
        "articles": counts.articles,
        "used": counts.used,
        "passages": counts.passages,
        "characters": counts.characters,
        "converted": counts.converted,
        "mixed": counts.mixed,
        "not_taken": dict(counts.not_taken),
        "left_out": dict(counts.left_out),
        "cleaned": dict(counts.cleaned),
    }


def _end_gently() -> None:
    """A terminal that is closed interrupts, as Ctrl-C does, unless nohup says that it shall not."""
    hangup = getattr(signal, "SIGHUP", None)  # Windows has none
    if hangup is not None and signal.getsignal(hangup) == signal.SIG_DFL:
        signal.signal(hangup, signal.default_int_handler)


def _remarks(built: Built, skipped: str | None) -> list[str]:
    said = [f"damaged, and passed over: {one}" for one in built.unsound]
    counts, language = built.counts, built.header.language
    if counts.other_language > OTHER_SHARE * counts.articles:
        other = "not Chinese" if language == "zh" else "Chinese"
        found = f"{counts.other_language:,} of {counts.articles:,} articles"
        said.append(f"{found} are {other} and were cut as {language}: separate them (--language)")
    if language not in ("en", "zh"):
        said.append(f"there are no sentence rules for {language!r}: it was cut as English is")
    if built.header.licence is None:
        said.append("the header names no licence: give --licence (Wikipedia's is CC BY-SA)")
    if skipped is not None:
        said.append(f"{skipped}: everything that was not taken, with its reason")
    return said


class _Line:
    """How far the reading is, in one line that changes; only on a terminal."""

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._began = self._next = time.monotonic()
        self._shown = False

    def show(self, counts: Counts) -> None:
        now = time.monotonic()
        if not self._terminal or now < self._next:
            return
        self._next = now + EVERY_TERMINAL
        size = counts.bytes / 1e6
        rate = size / max(now - self._began, 1e-6)
        said = f"{counts.articles:,} articles, {counts.passages:,} passages, {size:.0f} MB"
        click.echo(f"\r\033[K{said}, {rate:.1f} MB/s", err=True, nl=False)
        self._shown = True

    def end(self) -> None:
        if self._shown:
            click.echo("\r\033[K", err=True, nl=False)


# What became of a source, for a terminal: articles read and used, and the others by reason.


REASONS = {
    "redirect": "a redirect",
    "namespace": "a page that is no article",
    "not_wikitext": "a page of another content model",
    "disambiguation": "a page that tells others apart",
    "empty": "no text",
    "too_short": "shorter than articles are to be",
    "too_long": "longer than articles are to be",
    "too_large": "larger than a wiki lets a page be",
    "no_passage": "too little text for a passage",
    "repeated": "an id that was there before",
    "not_text": "a file that is no text",
    "unclosed": "damaged: the end is missing",
    "outside": "damaged: text between articles",
    "encoding": "damaged: not UTF-8",
    "json": "damaged: not a JSON object",
    "markup": "damaged: wikitext that cannot be parsed",
    "short_rest": "a rest too short for a passage",
    "long_sentence": "a sentence longer than a passage",
    "heading": "a heading with no passage after it",
    "tail": "references, notes, links and the like",
}
"""Every reason in words."""


def print_built(built: Built) -> None:
    """Passages made, then what gave none, what was left out, and what was swept up."""
    console = make_console()
    counts = built.counts
    passages = counted(counts.passages, "passage")
    used = f"{counts.used:,} of {counted(counts.articles, 'article')}"
    said = f": {passages}, {counts.characters:,} characters, from {used}"
    console.print(Text.assemble((built.output, "bold"), said))
    if counts.converted:
        console.print(f"converted to simplified characters: {counted(counts.converted, 'passage')}")
    if counts.mixed:
        console.print(f"with traditional characters that stay: {counted(counts.mixed, 'passage')}")
    for title, found, words in (
        ("not taken", counts.not_taken, REASONS),
        ("left out of articles", counts.left_out, REASONS),
        ("cleaned", counts.cleaned, RULES),
    ):
        if found:
            console.print(_table(title, found, words))


def _table(title: str, counts: Mapping[str, int], words: Mapping[str, str]) -> Table:
    table = plain_table(title, "count", "what it is")
    table.columns[-1].justify = "left"
    for name, count in sorted(counts.items(), key=lambda one: (-one[1], one[0])):
        table.add_row(name, f"{count:,}", words.get(name, ""))
    return table
