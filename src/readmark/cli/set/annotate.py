"""``readmark set annotate``."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from readmark.cli import options
from readmark.cli.ticker import Ticker
from readmark.corpus.values import PAPER_LAYERS

if TYPE_CHECKING:
    from readmark.setting.annotation import Annotation


@click.command("annotate")
@click.argument("test")
@click.option("-o", "--output", required=True, metavar="OUT", help="The annotated test to write.")
@click.option(
    "--layers",
    default=",".join(PAPER_LAYERS),
    show_default=True,
    metavar="NAME,...",
    help="The layers to make.",
)
@click.option("--lexicon", metavar="FILE", help="Chinese: words of your own, a line each.")
@click.option(
    "--hmm/--no-hmm",
    default=True,
    show_default=True,
    help="Chinese: find words that no dictionary has.",
)
@click.option("--keys", is_flag=True, help="Annotate published keys as well.")
@click.option(
    "--mentions", is_flag=True, help="Propose whom he, she, 他 and 她 mean, under the key."
)
@click.option("--force", is_flag=True, help="Replace layers that are there, whoever made them.")
@options.from_option
@click.option("--to", "to_format", metavar="FORMAT", help="The format to write; by OUT's suffix.")
@options.json_option
def annotate_command(
    test: str,
    output: str,
    layers: str,
    lexicon: str | None,
    hmm: bool,
    keys: bool,
    mentions: bool,
    force: bool,
    from_format: str | None,
    to_format: str | None,
    as_json: bool,
) -> None:
    """Analyse the passages and questions of a TEST and store the layers in OUT.

    OUT is written whole or not at all; its suffix tells the format, as for convert (.jsonl is
    Readmark's own, which holds everything). What it proposes is for people to correct: set
    crosscheck --corrections then measures what they changed. Layers that are there are kept,
    whoever made them: people may have been over them. --force makes them anew. Text and key stay
    as they are, so every sitting stays markable. Passages and questions that have a language of
    their own are analysed in that.
    """
    from readmark.corpus.formats import format_for, open_test, save_test
    from readmark.corpus.outputs import require_apart
    from readmark.reporting.terminal import counted
    from readmark.setting.annotation import annotated, languages_of
    from readmark.sitting.runner import Progress
    from readmark.text.analysers import Analyser, analyser, known_layers

    require_apart([output], [test, lexicon])
    asked = known_layers(options.fields(layers))
    source = open_test(test, format=from_format)
    format = to_format or format_for(Path(output), source)
    total = source.facts.units
    languages = languages_of(source)
    ticker = Ticker()
    began = time.monotonic()

    def watch(done: Annotation) -> None:
        ticker.show(Progress(total, 0, done.units, 0, time.monotonic() - began))

    def analyser_of(language: str) -> Analyser:
        # A lexicon is for the Chinese of a test of both; where there is none, it is refused.
        mine = language == "zh" or "zh" not in languages
        return analyser(language, hmm=hmm, lexicon=lexicon if mine else None)

    made, done = annotated(
        source, analyser_of, asked, keys=keys, mentions=mentions, force=force, watch=watch
    )
    try:
        lost = save_test(made, output, format=format)
    finally:
        ticker.end()
    if as_json:
        about = {"output": output, "format": format, "language": source.language, "lost": lost}
        options.print_json({**about, **asdict(done)})
        return
    options.say(f"{format}: {line}" for line in lost)
    by = " and ".join(done.analysers.values())
    options.say([f"{output}: {counted(done.analysed, 'text')} analysed by {by}"])
    options.say(f"{output}: {line}" for line in _told(done))


def _told(done: Annotation) -> Iterator[str]:
    """What became of the layers, a line each."""
    changed = [("added", done.added), ("replaced", done.replaced), ("kept as they were", done.kept)]
    yield "; ".join(f"layers {what}: {_counts(found)}" for what, found in changed if found) or (
        "no layer was made"
    )
    if done.corrected:
        yield f"of those kept, people corrected: {_counts(done.corrected)}"
    if done.otherwise:
        yield (
            "of those kept, another version or other settings made: "
            f"{_counts(done.otherwise)}; --force makes them anew"
        )


def _counts(found: dict[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in found.items())
