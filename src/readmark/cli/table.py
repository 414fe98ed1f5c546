"""``readmark table``."""

from __future__ import annotations

import click

from readmark import console as options


@click.command("table")
@click.argument("marksheets", nargs=-1, required=True, metavar="[SPLIT=]MARKSHEET...")
@click.option(
    "--layout",
    type=click.Choice(["cmrc", "smart"]),
    default="cmrc",
    show_default=True,
    help="cmrc: candidates by splits; smart: levels by candidates and people.",
)
@click.option("--rank-by", metavar="SPLIT", help="The split that candidates are ordered by; test.")
@options.metrics_option
@click.option(
    "--by", metavar="FIELD", default="level", show_default=True, help="The rows of layout smart."
)
@click.option(
    "--same-sets",
    is_flag=True,
    help="Mark candidates against the leave-one-out sets that people face.",
)
@click.option(
    "--format",
    "as_format",
    type=click.Choice(["text", "markdown", "csv"]),
    default="text",
    show_default=True,
    help="How the table is printed.",
)
@options.json_option
def table_command(
    marksheets: tuple[str, ...],
    layout: str,
    rank_by: str | None,
    metrics: tuple[str, ...],
    by: str,
    same_sets: bool,
    as_format: str,
    as_json: bool,
) -> None:
    """Candidates and people side by side, from MARKSHEETs alone: EM and F1 by split, or by level.

    People come first, then candidates by the mean of EM and F1 on the test split. A unit's split is
    its field; where it has none, SPLIT= before the file names it, else the test's name does. A
    split that a candidate did not sit is shown as a dash.
    """
    from readmark.reporting.standings import standings

    found = standings(marksheets, metrics=metrics, rank_by=rank_by, by=by, same_sets=same_sets)
    options.notify(found.notes)
    if as_json:
        options.print_json({"layout": layout, **found.as_json()})
        return
    from readmark.reporting.standings_table import as_csv, as_markdown, print_standings

    if as_format == "text":
        print_standings(found, layout)
    else:
        write = as_markdown if as_format == "markdown" else as_csv
        click.echo(write(found, layout), nl=False)
