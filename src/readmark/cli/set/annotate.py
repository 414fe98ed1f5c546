"""``readmark set annotate``."""

from __future__ import annotations

import time
from dataclasses import asdict
from pathlib import Path

import click

from readmark.cli import options
from readmark.cli.ticker import Ticker
from readmark.corpus.values import PAPER_LAYERS


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
@click.option("--force", is_flag=True, help="Replace layers that others made or corrected.")
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
    crosscheck --corrections then measures what they changed. Layers of other makers are kept, and
    so are layers of this analyser that were corrected since; text and key stay as they are, so
    every sitting stays markable. Passages and questions that have a language of their own are
    analysed in that.
    """
    from readmark.corpus.formats import format_for, open_test, save_test
    from readmark.setting.annotation import Annotation, annotated, languages_of
    from readmark.sitting.runner import Progress
    from readmark.text.analysers import Analyser, analyser, known_layers

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
    named = (*asked, "mention") if mentions else asked
    counts = ", ".join(f"{name} {done.added.get(name, 0)}" for name in named)
    kept = sum(done.kept.values())
    options.say(f"{format}: {line}" for line in lost)
    if done.corrected:
        told = ", ".join(f"{name} {count}" for name, count in done.corrected.items())
        options.say([f"{output}: layers that people corrected were kept: {told}"])
    options.say(
        [
            f"{output}: {done.analysed} texts analysed by {' and '.join(done.analysers.values())}",
            f"{output}: layers added: {counts}; kept as they were: {kept}",
        ]
    )
