"""``readmark panel collect``: sheets in, a rated test and the novices' sittings out."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from readmark import console as options
from readmark.core.errors import DataError, UsageError
from readmark.core.files import line, require_distinct_files, same_file, writing
from readmark.core.folders import making_folder
from readmark.formats.native import NATIVE_SITTING
from readmark.formats.registry import open_test, save_test
from readmark.readability.panels.rating_files import by_row_option
from readmark.readability.panels.ratings import filled_cells, read_ratings
from readmark.readability.panels.rounds import plan_file, read_plan
from readmark.readability.panels.sheets import files_of, unfinished, write_remaining

if TYPE_CHECKING:
    from readmark.readability.panels.collection import Collected
    from readmark.stats.agreement.value import Resampling


@click.command("collect")
@click.argument("test")
@click.argument("plan")
@click.argument("ratings", nargs=-1, required=True, metavar="RATINGS...")
@click.option(
    "-o",
    "--output",
    metavar="RATED",
    help="Test to write: TEST with the experts' ratings as its key.",
)
@click.option(
    "--novices", metavar="FOLDER", help="Folder to write the novices' sittings to, one per novice."
)
@click.option("--report", metavar="FILE", help="Write every finding to this file, as JSON Lines.")
@click.option(
    "--remaining",
    metavar="FOLDER",
    help="Folder to write sheets to, for rounds that are not finished.",
)
@click.option(
    "--real", is_flag=True, help="Accept any number from 1 to 5 as stars, not only whole ones."
)
@click.option(
    "--fastest",
    type=float,
    metavar="N",
    help="Words per minute above which a reading time is flagged as too short  "
    "[default: 600 words in English, 1200 characters in Chinese]",
)
@by_row_option
@options.seed_option
@options.draws_option
@options.confidence_option
@options.split_option
@options.from_option
@options.json_option
def collect_command(
    test: str,
    plan: str,
    ratings: tuple[str, ...],
    seed: int,
    draws: int,
    confidence: float,
    split: str | None,
    from_format: str | None,
    as_json: bool,
    **settings: Any,
) -> None:
    """Collect the RATINGS of a panel from the judges' sheets: CSV, TSV, XLSX or JSON Lines.

    One table may have all judges: a row per passage and a column per judge.

    PLAN is plan.json or its folder. Missing and unusual ratings are reported, and nothing is
    dropped silently: ranks that contradict stars, identical ratings throughout and very fast
    reading are kept. Several files of the same judge are combined. Agreement is printed within
    each panel and between them.
    """
    from readmark.stats.agreement.value import Resampling

    if not 0 < confidence < 1:
        raise UsageError(f"a confidence level is between 0 and 1, not {confidence:g}")
    resampling = Resampling(seed=seed, draws=draws, level=confidence)
    result = collect_files(
        test, plan, ratings, resampling=resampling, format=from_format, split=split, **settings
    )
    options.print_result(result, as_json=as_json)
    if not as_json:
        options.notify(result.notes)


def collect_files(
    test: str,
    plan: str,
    ratings: Sequence[str],
    *,
    output: str | None = None,
    novices: str | None = None,
    report: str | None = None,
    remaining: str | None = None,
    real: bool = False,
    by_row: bool = False,
    fastest: float | None = None,
    resampling: Resampling | None = None,
    format: str | None = None,
    split: str | None = None,
) -> Collected:
    """Read and check the judges' sheets; write whatever is named.

    ``output`` is the test with the experts' ratings, ``novices`` a folder of sittings, ``report``
    the findings, ``remaining`` a folder of sheets for unfinished rounds. ``real`` accepts stars
    that are no whole numbers; ``by_row`` says that a row of a table is a judge's; ``fastest`` is
    the most words a minute that are believed.
    """
    from readmark.readability.panels.collection import collect

    if fastest is not None and not fastest > 0:
        raise UsageError(f"words a minute are more than 0, not {fastest:g}")
    for index, path in enumerate(ratings):
        if any(same_file(path, other) for other in ratings[:index]):
            raise UsageError(f"{path} is named twice")
    made = read_plan(plan)
    folder = plan_file(plan).parent
    handed_out = [folder / name for name in files_of(made)]
    require_distinct_files(
        [output, novices, report, remaining], [test, plan, folder, *handed_out, *ratings]
    )
    source = open_test(test, format=format, split=split)
    returned = read_ratings(made, ratings, real=real, by_row=by_row)
    done = collect(source, made, returned, fastest=fastest, resampling=resampling)
    if output is not None and not any(record.key is not None for record in done.test.records()):
        raise DataError("no expert rated any passage: there is nothing to mark by", file=test)
    filled = filled_cells(returned)
    late = [judge.name for judge in made.judges if unfinished(judge, filled.get(judge.name, {}))]
    with contextlib.ExitStack() as stack:
        if novices is not None:
            sittings = stack.enter_context(making_folder(novices))
            for sitting in done.novices:
                NATIVE_SITTING.write_sitting(sitting, sittings / Path(sitting.file).name)
        if remaining is not None:
            write_remaining(source, made, filled, remaining)
        if report is not None:
            stream = stack.enter_context(writing(report))
            for finding in done.findings:
                stream.write(line(asdict(finding)))
        if output is not None:
            save_test(done.test, output)
    written = {"output": output, "novices_folder": novices, "report": report}
    return replace(done, written=written, remaining=remaining, unfinished=tuple(late))
