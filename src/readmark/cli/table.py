"""``readmark table``."""

from __future__ import annotations

import click

from readmark import console as options
from readmark.marking import MarkSettings


@click.command("table")
@click.argument("marksheets", nargs=-1, required=True, metavar="[SPLIT=]MARKSHEET...")
@click.option(
    "--rank-by",
    metavar="SPLIT",
    help="Split to sort candidates by  [default: test]",
)
@options.settings_option(
    MarkSettings,
    "metrics",
    "-m",
    "--metric",
    metavar="METRIC",
    help="Metric to show (repeatable)",
    default_words="em and f1, otherwise the first two",
)
@click.option(
    "--by",
    metavar="FIELD",
    help="Print a row per value of this field, such as level, and a column per candidate  "
    "[default: a row per candidate and a column per split]",
)
@click.option(
    "--same-sets",
    is_flag=True,
    help="Mark candidates against the same leave-one-out answer sets as people.",
)
@click.option(
    "--split", metavar="NAME", help="Show only this split, such as dev  [default: every split]"
)
@options.plot_option
@options.format_option
@options.json_option
def table_command(
    marksheets: tuple[str, ...],
    rank_by: str | None,
    metrics: tuple[str, ...],
    by: str | None,
    same_sets: bool,
    plot: str | None,
    as_format: str,
    split: str | None,
    as_json: bool,
) -> None:
    """Print candidates and people side by side, from MARKSHEETs, by split or by level.

    People come first, then candidates, sorted by the mean of the metrics on the test split. The
    split of a unit is its field split, otherwise the SPLIT= before the file, otherwise the name
    of the test. Several tests, such as two languages, have a column each. A dash marks a split
    that a candidate did not sit.
    """
    from readmark.reporting import table

    options.require_plot(plot, *marksheets)
    standings = table(
        *marksheets,
        metrics=metrics,
        rank_by=rank_by,
        by=by,
        same_sets=same_sets,
        split=split,
    )
    options.notify(standings.notes)
    options.print_result(standings, as_json=as_json, as_format=as_format)
    if plot is not None:
        standings.plot().save(plot)
        options.notify([f"{plot} written"])
