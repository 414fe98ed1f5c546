"""``readmark set agree``."""

from __future__ import annotations

import click
import msgspec

from readmark.cli import options
from readmark.cli.ticker import Ticker

SCALES = ("nominal", "ordinal", "interval", "ratio")


@click.command("agree")
@click.argument("files", nargs=-1, required=True, metavar="A B...")
@click.option(
    "--what",
    multiple=True,
    metavar="WHAT,...",
    help="level, type, np, ne, token, sentence, coreference, answers, answer_sentences, rewrites, "
    "decision, any layer or field; everything that two have if absent.",
)
@click.option("--names", metavar="NAME,...", help="The annotators; their files' names if absent.")
@click.option(
    "--scale",
    type=click.Choice(SCALES),
    help="Of labels; level and rating are ordinal, others nominal.",
)
@click.option("--ordinal", is_flag=True, help="Short for --scale ordinal.")
@click.option("--order", metavar="LABEL,...", help="Ordinal labels from lowest to highest.")
@click.option(
    "--singletons/--no-singletons",
    default=True,
    show_default=True,
    help="Coreference: keep entities of a single mention.",
)
@click.option("-o", "--output", metavar="REPORT", help="Write the report as JSON.")
@options.from_option
@options.seed_option
@options.draws_option
@options.confidence_option
@options.json_option
def agree_command(
    files: tuple[str, ...],
    what: tuple[str, ...],
    names: str | None,
    scale: str | None,
    ordinal: bool,
    order: str | None,
    singletons: bool,
    output: str | None,
    from_format: str | None,
    seed: int,
    draws: int,
    confidence: float,
    as_json: bool,
) -> None:
    """How far annotators agree who worked on the same passages or units.

    Each file is one annotator's: an annotated test in any format, a sitting, or labels as CSV, TSV
    or JSON Lines with the columns id and label. A column person makes several annotators of one
    file, and so do the answers, or ratings, of several people in the key of a single test. What is
    undefined says so.
    """
    from readmark.corpus.errors import UsageError
    from readmark.corpus.files import writing
    from readmark.corpus.outputs import require_apart
    from readmark.measures.agreement import Resampling
    from readmark.setting.agreement import agree, open_annotators

    if ordinal and scale not in (None, "ordinal"):
        raise UsageError(f"--ordinal and --scale {scale} exclude each other")
    if not 0 < confidence < 1:
        raise UsageError(f"a confidence level lies between 0 and 1, not at {confidence:g}")
    if output is not None:
        require_apart([output], files)
    people = open_annotators(files, names=options.fields(names), format=from_format)
    ticker = Ticker()
    try:
        report = agree(
            people,
            [one for some in what for one in options.fields(some)],
            scale="ordinal" if ordinal else scale,  # type: ignore[arg-type]
            order=options.fields(order),
            singletons=singletons,
            resampling=Resampling(seed=seed, draws=draws, level=confidence),
            watch=lambda what, measure, done: ticker.say(
                lambda: f"{what}: {done:,}/{draws:,} draws of {measure}"
            ),
        )
    finally:
        ticker.end()
    if output is not None:
        with writing(output) as stream:
            stream.write(msgspec.json.format(msgspec.json.encode(report.document())) + b"\n")
    if as_json:
        options.print_json(report.document())
        return
    from readmark.reporting.agreement import print_agreement

    print_agreement(report)
    if output is not None:
        options.say([f"{output} written"])
