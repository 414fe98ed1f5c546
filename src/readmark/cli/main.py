"""``readmark``: the group of commands. Each is imported only when it is called."""

from __future__ import annotations

import io
import os
import sys
from importlib import import_module

import click

from readmark.corpus.errors import ReadmarkError, did_you_mean
from readmark.corpus.limits import VARIABLE, described, parse_limits
from readmark.corpus.version import __version__
from readmark.sitting.leaving import TERMINATED, Terminated, end_when_told, leave, was_told

COMMANDS = {
    "demo": "Sit, mark, compare and report the bundled tests.",
    "get": "Fetch a public test, with its licence and its hash.",
    "check": "Validate tests; print what is wrong, place by place.",
    "stats": "Corpus tables of tests, side by side.",
    "convert": "Convert a test or a sitting between formats.",
    "set": "Make a test: from raw text to a published, levelled, split test.",
    "sit": "Let a candidate sit a test; goes on where it was left.",
    "mark": "Mark a sitting: scores, intervals, slices, people beside.",
    "compare": "Paired significance: each sitting against the first.",
    "people": "How well people do on a test.",
    "report": "One HTML page from marksheets.",
    "table": "Candidates and people by split or level, from marksheets.",
    "train": "Train a candidate on tests with known answers.",
    "series": "Rewrite question series; tables, worst rewrites, weights.",
    "panel": "Readability panels: pool, plan, collect, mark, power.",
    "task": "Formal reading tasks: pack, check, infer, query, explain, mark.",
    "harness": "Tasks for lm-evaluation-harness and Inspect AI; their logs as sittings.",
    "readability": "Readability formulas, passage by passage.",
    "rate": "Rate passages from 1 (hardest) to 5 (easiest to read); say why.",
    "formats": "The formats that are registered.",
    "metrics": "The metrics that are registered.",
    "candidates": "Who can sit a test.",
    "readers": "Who can sit a comprehension test.",
    "rewriters": "Who can sit a series test.",
    "raters": "Who can sit a readability test.",
    "extractors": "Who can sit a reading task.",
    "kinds": "The kinds of test that are registered.",
    "doctor": "What works here, and what to install for the rest.",
}
"""Every command with its one line; ``readmark.cli.NAME`` has it as ``command``."""

_SHARED_FILE = {"metrics": "formats", "kinds": "formats"} | dict.fromkeys(
    ("readers", "rewriters", "raters", "extractors"), "candidates"
)


class Commands(click.Group):
    """A group that knows its commands' lines without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"readmark.cli.{_SHARED_FILE.get(cmd_name, cmd_name)}")
        command: click.Command = getattr(module, f"{cmd_name}_command")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            raise click.UsageError(f"no command {args[0]!r}; {did_you_mean(args[0], COMMANDS)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
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
    except (click.Abort, KeyboardInterrupt):
        status = complain("terminated", TERMINATED) if was_told() else complain("interrupted", 130)
    except Terminated:
        status = complain("terminated", TERMINATED)
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
