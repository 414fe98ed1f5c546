"""``readmark set annotate``."""

from __future__ import annotations

import time
from dataclasses import asdict

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
@click.option("--force", is_flag=True, help="Replace layers that others made.")
@options.from_option
@options.json_option
def annotate_command(
    test: str,
    output: str,
    layers: str,
    lexicon: str | None,
    hmm: bool,
    keys: bool,
    force: bool,
    from_format: str | None,
    as_json: bool,
) -> None:
    """Analyse the passages and questions of a TEST and store the layers in OUT.

    OUT is written whole or not at all, in Readmark's own format. Layers of other makers are
    kept; text and key stay as they are, so every sitting stays markable.
    """
    from readmark.corpus.formats import open_test, save_test
    from readmark.setting.annotation import Annotation, annotated
    from readmark.sitting.runner import Progress
    from readmark.text.analysers import analyser, known_layers

    asked = known_layers(options.fields(layers))
    source = open_test(test, format=from_format)
    language, total = source.language, source.facts.units
    ticker = Ticker()
    began = time.monotonic()

    def watch(done: Annotation) -> None:
        ticker.show(Progress(total, 0, done.units, 0, time.monotonic() - began))

    made, done = annotated(
        source,
        analyser(language, hmm=hmm, lexicon=lexicon),
        asked,
        keys=keys,
        force=force,
        watch=watch,
    )
    try:
        save_test(made, output)
    finally:
        ticker.end()
    if as_json:
        options.print_json({"output": output, "language": language, **asdict(done)})
        return
    counts = ", ".join(f"{name} {done.added.get(name, 0)}" for name in asked)
    kept = sum(done.kept.values())
    options.say(
        [
            f"{output}: {done.analysed} texts analysed by {done.analyser}",
            f"{output}: layers added: {counts}; kept as they were: {kept}",
        ]
    )
