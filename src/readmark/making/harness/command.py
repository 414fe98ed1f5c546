"""``readmark harness``: tests as tasks of evaluation harnesses, and their logs as sittings."""

from __future__ import annotations

from typing import Any

import click

from readmark import console as options
from readmark.console import OUTPUT_FILE, OUTPUT_FOLDER
from readmark.formats.registry import open_test
from readmark.making.harness.export import export_task
from readmark.making.harness.log_import import import_log
from readmark.making.harness.task_files import MAX_TOKENS


@click.group("harness", cls=options.CheckedGroup)
def harness_command() -> None:
    """Export a test to an evaluation harness; import the harness's log as a sitting.

    `readmark mark TEST LOG` marks such a log directly; an import also locates the answers.
    """


@harness_command.command("export", short_help="Write a test as a task of a harness.")
@click.argument("test")
@click.option(
    "--to",
    "harness",
    required=True,
    type=click.Choice(["lm-eval", "inspect"]),
    help="Target harness: lm-evaluation-harness or Inspect AI.",
)
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="DIR",
    help="Folder to write; it must not exist.",
    type=OUTPUT_FOLDER,
)
@click.option(
    "--prompt",
    metavar="FILE",
    help="File with a custom prompt  [default: the built-in prompt]",
)
@click.option(
    "--max-tokens",
    type=int,
    default=MAX_TOKENS,
    help="Maximum tokens per reply, including reasoning",
)
@click.option(
    "--shots",
    type=int,
    metavar="N",
    help="Number of worked examples before each question  [default: none]",
)
@click.option(
    "--shots-from",
    metavar="TEST2",
    help="Test to take the examples from; its passages must differ from TEST's.",
)
@options.seed_option
@click.option("--with-keys", is_flag=True, help="Also write the keys of hidden splits.")
@options.split_option
@options.from_option
@options.json_option
def export_command(
    test: str,
    harness: str,
    output: str,
    split: str | None,
    from_format: str | None,
    as_json: bool,
    **task: Any,
) -> None:
    """Write a TEST as a task of a harness, with its prompts and a page with the two commands.

    The harness prints its own scores; Readmark marks the same answers from the harness's log.
    Keys of hidden splits are omitted, so the harness counts those questions as wrong. Examples
    come from the train split of TEST2, or from all of it if it has no splits.
    """
    source = open_test(test, format=from_format, split=split)
    exported = export_task(source, output, harness, **task)
    if as_json:
        options.print_result(exported, as_json=True)
    else:
        options.notify(exported.notes)


@harness_command.command("import", short_help="Write a harness's log as a sitting of a test.")
@click.argument("log")
@click.argument("test")
@click.option(
    "-o", "--output", required=True, metavar="SITTING", help="Sitting to write.", type=OUTPUT_FILE
)
@click.option(
    "--filter",
    "filter_name",
    metavar="NAME",
    help="Name of the lm-eval filter whose responses are imported  [default: the first in the log]",
)
@click.option("--raw", is_flag=True, help="Import the raw responses, before any filter.")
@options.split_option
@options.from_option
@options.json_option
def import_command(
    log: str,
    test: str,
    output: str,
    split: str | None,
    from_format: str | None,
    as_json: bool,
    **responses: Any,
) -> None:
    """Write the LOG of a harness as a sitting of TEST, with answers located in their passages.

    LOG is a samples_*.jsonl of lm-evaluation-harness, or an .eval or .json of Inspect AI. A log
    of another version of the test is refused.
    """
    source = open_test(test, format=from_format, split=split)
    imported = import_log(log, source, output, **responses)
    if as_json:
        options.print_result(imported, as_json=True)
    else:
        options.notify((*imported.notes, f"{output} written: {imported}"))
