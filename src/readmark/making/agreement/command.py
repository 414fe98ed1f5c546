"""``readmark set agree``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
import msgspec

from readmark import console as options
from readmark.console import Ticker

if TYPE_CHECKING:
    from readmark.making.agreement.report import AgreementReport


@click.command("agree")
@click.argument("files", nargs=-1, required=True, metavar="A B...")
@click.option(
    "--what",
    multiple=True,
    metavar="WHAT,...",
    help="What to compare: level, type, np, ne, token, sentence, coreference, answers, "
    "answer_sentences, rewrites, decision, statements, entities, relations, or any other layer "
    "or field "
    "(repeatable)  [default: everything that at least two annotators have]",
)
@click.option(
    "--names",
    metavar="NAME,...",
    help="Names of the annotators  [default: the names of their files]",
)
@click.option(
    "--scale",
    type=click.Choice(["nominal", "ordinal", "interval", "ratio"]),
    help="Measurement scale of labels  [default: ordinal for level and rating, otherwise nominal]",
)
@click.option("--ordinal", is_flag=True, help="Short for --scale ordinal.")
@click.option("--order", metavar="LABEL,...", help="Ordinal labels from lowest to highest.")
@click.option(
    "--singletons/--no-singletons",
    default=True,
    help="For coreference, include entities with a single mention",
)
@click.option("-o", "--output", metavar="REPORT", help="Write the report to this JSON file.")
@options.split_option
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
    split: str | None,
    from_format: str | None,
    seed: int,
    draws: int,
    confidence: float,
    as_json: bool,
) -> None:
    """Measure the agreement of annotators who worked on the same passages or units.

    Each file belongs to one annotator: an annotated test in any format, a sitting, or labels as
    CSV, TSV or JSON Lines with the columns id and label. A column person makes several
    annotators of one file, as do several people's answers or ratings in the key of a single
    test, and the annotators of a reading task's statements. Undefined coefficients are shown
    as undefined, with the reason. Files that all hold two sides are compared on each.
    """
    from readmark.core.errors import UsageError
    from readmark.core.files import require_distinct_files, writing
    from readmark.making.agreement.comparison import agree, open_annotators
    from readmark.stats.agreement.value import Resampling

    if ordinal and scale not in (None, "ordinal"):
        raise UsageError(f"--ordinal and --scale {scale} exclude each other")
    if not 0 < confidence < 1:
        raise UsageError(f"a confidence level is between 0 and 1, not {confidence:g}")
    if output is not None:
        require_distinct_files([output], files)
    compared = [name for names in what for name in options.fields(names)]
    ticker = Ticker()

    def compare(format: str | None) -> AgreementReport:
        people = open_annotators(files, names=options.fields(names), format=format, split=split)
        try:
            return agree(
                people,
                compared,
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

    sides = options.two_sides(files[0], from_format)
    if any(options.two_sides(file, from_format) != sides for file in files[1:]):
        sides = []  # a file of one side among those of two: the side must be named
    reports = {side: compare(format) for side, format in sides} or {"": compare(from_format)}
    found: Any = {side: report.as_json() for side, report in reports.items()}
    found = {"sides": found} if sides else found[""]
    if output is not None:
        with writing(output) as stream:
            stream.write(msgspec.json.format(msgspec.json.encode(found)) + b"\n")
    if as_json:
        options.print_json(found)
    for side, report in reports.items() if not as_json else ():
        options.print_side(side, report)
    if output is not None and not as_json:
        options.notify([f"{output} written"])
