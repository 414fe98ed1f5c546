"""``readmark set quality``: signs of careless work, for somebody to look at."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from readmark import console as options
from readmark.console import OUTPUT_FILE
from readmark.core.distinct_files import require_distinct_files
from readmark.core.errors import UsageError
from readmark.core.writing import writing
from readmark.formats.registry import open_test
from readmark.making.quality.judging import judge_quality
from readmark.making.quality.work import collected_work, exported_work
from readmark.statistics.carelessness import EXPECTED


@click.command("quality")
@click.argument("files", nargs=-1, required=True, metavar="EXPORT | TEST WORK...")
@click.option(
    "--expected",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=EXPECTED,
    show_default=True,
    help="Share of known answers that a careful person gets right",
)
@click.option(
    "-o", "--output", metavar="REPORT", help="Write the report to this JSON file.", type=OUTPUT_FILE
)
@options.split_option
@options.from_option
@options.json_option
def quality_command(
    files: tuple[str, ...],
    expected: float,
    output: str | None,
    split: str | None,
    from_format: str | None,
    as_json: bool,
) -> None:
    """Look for signs of careless work: known answers, repeats, haste, patterns of answers.

    EXPORT is a folder that `hall export` wrote. TEST is a test, and each WORK a person's file:
    a sitting, labels or an annotated test. Every finding has its numbers and what it does not
    show. Nothing is left out because of one.
    """
    if output is not None:
        require_distinct_files([output], files)
    if len(files) > 1:
        work = collected_work(open_test(files[0], format=from_format, split=split), files[1:])
    elif split is not None or from_format is not None:
        raise UsageError("--split and --from are for a test and people's work, not for an export")
    elif Path(files[0]).is_dir():
        work = exported_work(files[0])
    else:
        raise UsageError(f"{files[0]} is not a folder: name an export, or a test and people's work")
    report = judge_quality(work, expected=expected)
    if output is not None:
        with writing(output) as stream:
            stream.write(msgspec.json.format(msgspec.json.encode(report.as_json())) + b"\n")
    options.print_result(report, as_json=as_json)
