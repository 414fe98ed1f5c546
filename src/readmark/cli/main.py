"""``readmark``: the group of commands. Each is imported only when it is called."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Mapping, Sequence

import click

from readmark.cli.moved import moved_command, moved_file, removed_option
from readmark.console import CommandGroup, OutputClosed, UnknownCommand, logged_to_stderr, notify
from readmark.core.configuration import (
    FILE_VARIABLE,
    SETTINGS_VARIABLE,
    lift_restriction,
    put_in_force,
)
from readmark.core.ending import Terminated, end_on_signals, ending_status, leave
from readmark.core.errors import ReadmarkError, UsageError
from readmark.core.extras import MissingExtra, missing_module
from readmark.core.processes import collect_seldom
from readmark.core.registry import Registry
from readmark.core.streams import command_streams, discard_output
from readmark.core.version import __version__

COMMANDS = Registry("command", "readmark.commands")
HEADINGS = {
    "Start here": ("demo", "run", "get", "list", "new", "doctor"),
    "Look at tests and convert them": ("check", "stats", "convert"),
    "Sit, mark and compare": ("sit", "mark", "compare", "people", "table", "report"),
    "Try a single text": ("ask", "score", "rate"),
    "Make tests and train candidates": ("set", "train"),
    "Work with one kind of test": ("series", "panel", "task"),
    "Share tests and answers": ("serve", "hall", "submit", "harness"),
}
"""How ``readmark --help`` groups the commands."""
_OLD_LIMITS = "READMARK_ALLOW"
"""The variable of 0.5 for limits on files."""


@click.group(
    cls=CommandGroup,
    registry=COMMANDS,
    headings=HEADINGS,
    context_settings={"help_option_names": ["-h", "--help"], "show_default": True},
)
@click.version_option(__version__, message="readmark %(version)s")
@click.option(
    "--config",
    "file",
    metavar="FILE",
    help="Configuration file  [default: the nearest readmark.toml, in this folder or a parent]",
)
@click.option(
    "--set",
    "settings",
    multiple=True,
    metavar="KEY=VALUE",
    help="Override a key of the configuration once, such as limits.cost=1.50 or files.line=256MB "
    "(repeatable). `readmark doctor` prints what is in force.",
)
@click.pass_context
def cli(context: click.Context, file: str | None, settings: tuple[str, ...]) -> None:
    """Set, sit and mark machine reading tests, in English and Chinese."""
    before = {name: os.environ.get(name) for name in (FILE_VARIABLE, SETTINGS_VARIABLE)}
    context.call_on_close(lambda: _restore(before))
    if _OLD_LIMITS in os.environ:
        raise UsageError(f"{_OLD_LIMITS} is gone: set files.line and others in readmark.toml")
    put_in_force(file, settings)


def _restore(before: Mapping[str, str | None]) -> None:
    lift_restriction()
    for name, value in before.items():
        os.environ.pop(name, None)
        if value is not None:
            os.environ[name] = value


def main() -> None:
    """Run the command of this process, and exit with its status."""
    end_on_signals()
    collect_seldom()
    leave(run())


def run(args: Sequence[str] | None = None) -> int:
    """Run a command; every error that a user can cause is one line and an exit status."""
    _prepare_output()
    with command_streams(), logged_to_stderr():
        return _run(args)


def _run(args: Sequence[str] | None) -> int:
    gone = moved_file(sys.argv[1:] if args is None else args)
    if gone is not None:
        return complain(gone, 2)
    try:
        status = cli.main(args, prog_name="readmark", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        status = 2
    except UnknownCommand as error:
        status = complain(moved_command(error.path) or _one_line(error), error.exit_code)
    except click.NoSuchOption as error:
        message = removed_option(error) or _misplaced(error) or _one_line(error)
        status = complain(message, error.exit_code)
    except click.ClickException as error:
        status = complain(_one_line(error), error.exit_code)
    except ReadmarkError as error:
        status = complain(str(error), error.exit_status)
    except ModuleNotFoundError as error:
        if (missing := missing_module(error)) is None:
            raise
        status = complain(str(MissingExtra(missing)), MissingExtra.exit_status)
    except (click.Abort, KeyboardInterrupt):
        ending = ending_status()
        status = complain("interrupted", 130) if ending is None else _terminated(ending)
    except Terminated:
        status = _terminated(ending_status() or 1)
    except RecursionError:
        status = complain("the input is nested too deep", 1)
    except MemoryError:
        status = complain("there is not enough memory for this", 1)
    except (BrokenPipeError, OutputClosed):
        # The reader of our output has left: nothing to say, and nowhere to say it.
        _close_output()
        status = 0
    except OSError as error:
        _close_output()
        what = error.filename or "the output"
        status = complain(f"{what} cannot be read or written ({error.strerror or error})", 1)
    return status if isinstance(status, int) else 0


def _prepare_output() -> None:
    """Print to nowhere when standard output is closed, and escape what its encoding lacks."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
        if os.name == "nt" and not sys.stdout.isatty():  # files and pipes are UTF-8, as elsewhere
            sys.stdout.reconfigure(encoding="utf-8", newline="\n")


def _close_output() -> None:
    """Let what is still to be printed go nowhere."""
    if not discard_output():
        with open(os.devnull, "wb") as nowhere:  # noqa: PTH123
            os.dup2(nowhere.fileno(), sys.stdout.fileno())


def complain(message: str, status: int) -> int:
    """Say what is wrong in one line."""
    notify([message])
    return status


def _terminated(status: int) -> int:
    """Say that a signal ended the command; a terminal that was closed hears nothing."""
    with contextlib.suppress(OSError):
        complain("terminated", status)
    return status


def _misplaced(error: click.NoSuchOption) -> str | None:
    """What to type where --config or --set stands after a command, which does not take it."""
    if error.ctx is None or error.option_name not in ("--config", "--set"):
        return None
    name, _, command = error.ctx.command_path.partition(" ")
    value = {"--config": "FILE", "--set": "KEY=VALUE"}[error.option_name]
    option = error.option_name
    return f"{option} stands before the command: {name} {option} {value} {command}"


def _one_line(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    if isinstance(error, click.UsageError) and context is not None:
        return f"{error.format_message()} (see {context.command_path} --help)"
    return error.format_message()
