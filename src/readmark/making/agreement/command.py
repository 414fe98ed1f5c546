"""``readmark set agree``: how far annotators agree on the work that they share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click
import msgspec

from readmark import console as options
from readmark.console import OUTPUT_FILE, Ticker
from readmark.core.distinct_files import require_distinct_files
from readmark.core.errors import UsageError
from readmark.core.writing import writing
from readmark.making.agreement.agree import agree
from readmark.making.agreement.annotator import Annotator
from readmark.making.agreement.annotators import annotators_by_language
from readmark.making.agreement.report import AgreementReport
from readmark.statistics.agreement.value import Resampling


@click.command("agree")
@click.argument("files", nargs=-1, required=True, metavar="A B...")
@click.option(
    "--what",
    multiple=True,
    metavar="WHAT,...",
    help="What to compare: level, type, np, ne, token, sentence, coreference, answers, "
    "answer_sentences, rewrites, decision, statements, entities, relations, or any other layer "
    "or field (repeatable)  [default: everything that at least two annotators have]",
)
@options.list_option(
    "--names",
    metavar="NAME,...",
    help="Names of the annotators  [default: the names of their files]",
)
@click.option(
    "--scale",
    type=click.Choice(["nominal", "ordinal", "interval", "ratio"]),
    help="Measurement scale of labels  [default: ordinal for level and rating, otherwise nominal]",
)
@options.list_option("--order", metavar="LABEL,...", help="Ordinal labels from lowest to highest.")
@click.option(
    "--singletons/--no-singletons",
    default=True,
    help="For coreference, include entities with a single mention",
)
@click.option(
    "-o", "--output", metavar="REPORT", help="Write the report to this JSON file.", type=OUTPUT_FILE
)
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
    as undefined, with the reason. Tests in two languages, such as ann/en.jsonl, ann/zh.jsonl and
    bo's, are compared in each language; a BRCC file may have both.
    """
    if not 0 < confidence < 1:
        raise UsageError(f"a confidence level is between 0 and 1, not {confidence:g}")
    if output is not None:
        require_distinct_files([output], files)
    compared = [name for names in what for name in options.fields(names)]
    ticker = Ticker()

    def compare(people: Sequence[Annotator]) -> AgreementReport:
        try:
            return agree(
                people,
                compared,
                scale=scale,  # type: ignore[arg-type]
                order=options.fields(order),
                singletons=singletons,
                resampling=Resampling(seed=seed, draws=draws, level=confidence),
                watch=lambda what, measure, done: ticker.say(
                    lambda: f"{what}: {done:,}/{draws:,} draws of {measure}"
                ),
            )
        finally:
            ticker.end()

    people = annotators_by_language(
        files, names=options.fields(names), format=from_format, split=split
    )
    reports = {language: compare(annotators) for language, annotators in people.items()}
    document: Any = {language: report.as_json() for language, report in reports.items()}
    document = document.get("", {"languages": document})
    if output is not None:
        with writing(output) as stream:
            stream.write(msgspec.json.format(msgspec.json.encode(document)) + b"\n")
    if as_json:
        options.print_json(document)
    for language, report in reports.items() if not as_json else ():
        if language:
            click.echo(f"language: {language}")
        options.print_result(report, as_json=False)
    if output is not None and not as_json:
        options.notify([f"{output} written"])
