"""``readmark``: the group of commands. Each is imported only when it is called."""

from __future__ import annotations

import io
import os
import sys

import click

from readmark.console import CommandGroup, notify
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
            "Sit, mark, compare and report on the bundled tests.",
        ),
        "get": Entry(
            "readmark.making.get.command:get_command",
            "Fetch a public test and record its licence and hash.",
        ),
        "check": Entry(
            "readmark.cli.check:check_command",
            "Validate tests and print every problem with its location.",
        ),
        "stats": Entry(
            "readmark.making.tables.command:stats_command",
            "Print corpus statistics of tests side by side.",
        ),
        "convert": Entry(
            "readmark.cli.convert:convert_command",
            "Convert a test or a sitting between formats.",
        ),
        "set": Entry(
            "readmark.making.commands:set_command",
            "Make a test, from raw text to publication.",
        ),
        "sit": Entry(
            "readmark.cli.sit:sit_command",
            "Let a candidate sit a test; an interrupted run resumes.",
        ),
        "mark": Entry(
            "readmark.cli.mark:mark_command",
            "Mark a sitting: scores, intervals, slices, comparison with people.",
        ),
        "compare": Entry(
            "readmark.cli.compare:compare_command",
            "Test each sitting against the first for significance.",
        ),
        "people": Entry(
            "readmark.cli.people:people_command",
            "Measure how well people do on a test.",
        ),
        "report": Entry(
            "readmark.cli.report:report_command",
            "Write one HTML page from marksheets.",
        ),
        "table": Entry(
            "readmark.cli.table:table_command",
            "Print candidates and people by split or level, from marksheets.",
        ),
        "ask": Entry(
            "readmark.cli.ask:ask_command",
            "Put one question on a passage to readers.",
        ),
        "score": Entry(
            "readmark.cli.score:score_command",
            "Score one answer against references.",
        ),
        "train": Entry(
            "readmark.cli.train:train_command",
            "Train a candidate on tests with known answers.",
        ),
        "series": Entry(
            "readmark.series.commands.group:series_command",
            "Rewrite question series; mark, compare and tune rewriters.",
        ),
        "panel": Entry(
            "readmark.readability.panels.command:panel_command",
            "Run readability panels: pool, plan, collect, mark, power.",
        ),
        "task": Entry(
            "readmark.tasks.commands.group:task_command",
            "Work with formal reading tasks: pack, check, infer, query, explain.",
        ),
        "harness": Entry(
            "readmark.making.harness.command:harness_command",
            "Exchange tests and logs with lm-evaluation-harness and Inspect AI.",
        ),
        "readability": Entry(
            "readmark.readability.measure:readability_command",
            "Compute readability formulas for each passage.",
        ),
        "rate": Entry(
            "readmark.readability.rate:rate_command",
            "Rate passages from 1 (hardest) to 5 (easiest to read), with reasons.",
        ),
        "formats": Entry(
            "readmark.cli.registries:formats_command",
            "List the formats of tests and sittings.",
        ),
        "metrics": Entry(
            "readmark.cli.registries:metrics_command",
            "List the metrics.",
        ),
        "candidates": Entry(
            "readmark.cli.registries:candidates_command",
            "List all candidates.",
        ),
        "readers": Entry(
            "readmark.cli.registries:readers_command",
            "List the candidates for comprehension tests.",
        ),
        "rewriters": Entry(
            "readmark.cli.registries:rewriters_command",
            "List the candidates for series tests.",
        ),
        "raters": Entry(
            "readmark.cli.registries:raters_command",
            "List the candidates for readability tests.",
        ),
        "extractors": Entry(
            "readmark.cli.registries:extractors_command",
            "List the candidates for reading tasks.",
        ),
        "kinds": Entry(
            "readmark.cli.registries:kinds_command",
            "List the kinds of test.",
        ),
        "doctor": Entry(
            "readmark.cli.doctor:doctor_command",
            "Report what works here and what to install for the rest.",
        ),
    },
)


@click.group(
    cls=CommandGroup,
    registry=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "show_default": True},
)
@click.version_option(__version__, message="readmark %(version)s")
@click.option(
    "--allow",
    "asked",
    multiple=True,
    metavar="NAME=VALUE",
    help="Raise a limit on the size of input files, such as line=256MB or ratio=none "
    f"(repeatable). {described()}",
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
    notify([message])
    return status


def _one_line(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    if isinstance(error, click.UsageError) and context is not None:
        return f"{error.format_message()} (see {context.command_path} --help)"
    return error.format_message()
