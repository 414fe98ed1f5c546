"""``readmark task sheet``: queries as a sheet for people, and their answers as a sitting."""

from __future__ import annotations

import click

from readmark import console as options
from readmark.console import OUTPUT_FILE
from readmark.tasks.commands.shared_options import print_with_notes


@click.command("sheet")
@click.argument("task", metavar="TASK")
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="FILE",
    help="Sheet to write (.csv, .tsv or .xlsx), or with --answers the sitting.",
    type=OUTPUT_FILE,
)
@click.option("--answers", metavar="SHEET", help="Completed sheet to read.")
@click.option("--annotator", metavar="NAME", help="Who completed the sheet.")
@options.split_option
@options.json_option
def sheet_command(
    task: str,
    output: str,
    answers: str | None,
    annotator: str | None,
    split: str | None,
    as_json: bool,
) -> None:
    """Write the questions of TASK as a sheet for people, or read their answers as a sitting.

    A row is a question on a document, with a column for each value that it asks for and one for
    the words of the answer. Further answers are further rows with the same id, or without one.
    """
    from readmark.core.errors import UsageError
    from readmark.tasks.query_sheet import read_query_sheet, write_query_sheet

    if (answers is None) != (annotator is None):
        raise UsageError("--answers and --annotator go together")
    if answers is None or annotator is None:
        print_with_notes(write_query_sheet(task, output, split=split), as_json)
    else:
        result = read_query_sheet(task, answers, output, annotator=annotator, split=split)
        print_with_notes(result, as_json)
