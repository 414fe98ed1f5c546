"""``readmark``: the group of commands. Each is imported only when it is called."""

from __future__ import annotations

import io
import os
import sys

import click

from readmark.console import CommandGroup
from readmark.core.errors import ReadmarkError
from readmark.core.extras import MissingExtra, missing_module
from readmark.core.limits import VARIABLE, described, parse_limits
from readmark.core.processes import TERMINATED, Terminated, end_when_told, leave, was_told
from readmark.core.registry import Entry, Registry
from readmark.core.version import __version__

COMMANDS = Registry(
    "command",
    "readmark.commands",
    {
        "demo": Entry(
            "readmark.cli.demo:demo_command",
            "Sit, mark, compare and report the bundled tests.",
        ),
        "get": Entry(
            "readmark.making.get.command:get_command",
            "Fetch a public test, with its licence and its hash.",
        ),
        "check": Entry(
            "readmark.cli.check:check_command",
            "Validate tests; print what is wrong, place by place.",
        ),
        "stats": Entry(
            "readmark.making.tables.command:stats_command",
            "Corpus tables of tests, side by side.",
        ),
        "convert": Entry(
            "readmark.cli.convert:convert_command",
            "Convert a test or a sitting between formats.",
        ),
        "set": Entry(
            "readmark.making.commands:set_command",
            "Make a test: from raw text to a published, levelled, split test.",
        ),
        "sit": Entry(
            "readmark.cli.sit:sit_command",
            "Let a candidate sit a test; goes on where it was left.",
        ),
        "mark": Entry(
            "readmark.cli.mark:mark_command",
            "Mark a sitting: scores, intervals, slices, people beside.",
        ),
        "compare": Entry(
            "readmark.cli.compare:compare_command",
            "Paired significance: each sitting against the first.",
        ),
        "people": Entry(
            "readmark.cli.people:people_command",
            "How well people do on a test.",
        ),
        "report": Entry(
            "readmark.cli.report:report_command",
            "One HTML page from marksheets.",
        ),
        "table": Entry(
            "readmark.cli.table:table_command",
            "Candidates and people by split or level, from marksheets.",
        ),
        "train": Entry(
            "readmark.cli.train:train_command",
            "Train a candidate on tests with known answers.",
        ),
        "series": Entry(
            "readmark.series.commands.group:series_command",
            "Rewrite question series; tables, worst rewrites, weights.",
        ),
        "panel": Entry(
            "readmark.readability.panels.command:panel_command",
            "Readability panels: pool, plan, collect, mark, power.",
        ),
        "task": Entry(
            "readmark.tasks.commands.group:task_command",
            "Formal reading tasks: pack, check, infer, query, explain, mark.",
        ),
        "harness": Entry(
            "readmark.making.harness.command:harness_command",
            "Tasks for lm-evaluation-harness and Inspect AI; their logs as sittings.",
        ),
        "readability": Entry(
            "readmark.readability.measure:readability_command",
            "Readability formulas, passage by passage.",
        ),
        "rate": Entry(
            "readmark.readability.rate:rate_command",
            "Rate passages from 1 (hardest) to 5 (easiest to read); say why.",
        ),
        "formats": Entry(
            "readmark.cli.registries:formats_command",
            "The formats that are registered.",
        ),
        "metrics": Entry(
            "readmark.cli.registries:metrics_command",
            "The metrics that are registered.",
        ),
        "candidates": Entry(
            "readmark.cli.registries:candidates_command",
            "Who can sit a test.",
        ),
        "readers": Entry(
            "readmark.cli.registries:readers_command",
            "Who can sit a comprehension test.",
        ),
        "rewriters": Entry(
            "readmark.cli.registries:rewriters_command",
            "Who can sit a series test.",
        ),
        "raters": Entry(
            "readmark.cli.registries:raters_command",
            "Who can sit a readability test.",
        ),
        "extractors": Entry(
            "readmark.cli.registries:extractors_command",
            "Who can sit a reading task.",
        ),
        "kinds": Entry(
            "readmark.cli.registries:kinds_command",
            "The kinds of test that are registered.",
        ),
        "doctor": Entry(
            "readmark.cli.doctor:doctor_command",
            "What works here, and what to install for the rest.",
        ),
    },
)


@click.group(
    cls=CommandGroup, registry=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(__version__, message="readmark %(version)s")
@click.option(
    "--allow",
    "asked",
    multiple=True,
    metavar="NAME=VALUE",
    help="Raise a limit on what a file may make Readmark read, such as line=256MB or ratio=none; "
    f"may be repeated. {described()}",
)
@click.pass_context
def cli(context: click.Context, asked: tuple[str, ...]) -> None:
    """Set, sit and mark machine reading tests, in English and Chinese."""
    before = os.environ.get(VARIABLE)
    parse_limits(before or "")
    if asked:
        joined = ",".join(filter(None, (before, *asked)))
        parse_limits(joined)
        os.environ[VARIABLE] = joined  # processes that a command starts read it there
        context.call_on_close(lambda: _restore(before))


def _restore(before: str | None) -> None:
    os.environ.pop(VARIABLE, None)
    if before is not None:
        os.environ[VARIABLE] = before


def main() -> None:
    """Run a command; every error that a user can cause is one line and an exit status."""
    _prepare_output()
    end_when_told()
    try:
        status = cli.main(standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        status = 2
    except click.ClickException as error:
        status = complain(_one_line(error), error.exit_code)
    except ReadmarkError as error:
        status = complain(str(error), error.exit_status)
    except ModuleNotFoundError as error:
        if (missing := missing_module(error)) is None:
            raise
        status = complain(str(MissingExtra(missing)), MissingExtra.exit_status)
    except (click.Abort, KeyboardInterrupt):
        status = complain("terminated", TERMINATED) if was_told() else complain("interrupted", 130)
    except Terminated:
        status = complain("terminated", TERMINATED)
    except RecursionError:
        status = complain("the input is nested too deep", 1)
    except MemoryError:
        status = complain("there is not enough memory for this", 1)
    except BrokenPipeError:
        # The reader of our output has left: nothing to say, and nowhere to say it.
        _close_output()
        status = 0
    except OSError as error:
        _close_output()
        what = error.filename or "the output"
        status = complain(f"{what} cannot be read or written ({error.strerror or error})", 1)
    leave(status if isinstance(status, int) else 0)


def _prepare_output() -> None:
    """Print to nowhere when standard output is closed, and escape what its encoding lacks."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def _close_output() -> None:
    """Let what is still to be printed go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def complain(message: str, status: int) -> int:
    """Say what is wrong in one line."""
    click.echo(f"readmark: {' '.join(message.splitlines())}", err=True)
    return status


def _one_line(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    if isinstance(error, click.UsageError) and context is not None:
        return f"{error.format_message()} (see {context.command_path} --help)"
    return error.format_message()
