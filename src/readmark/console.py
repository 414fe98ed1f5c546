"""Options that several commands take, and how a command prints its result."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
import msgspec
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from readmark.core.counts import counted, seconds_left
from readmark.core.errors import DataError, ReadmarkError, did_you_mean
from readmark.core.printable import printable
from readmark.core.registry import Registry
from readmark.core.streams import STANDARD, is_pipe, is_standard, reserve_output
from readmark.marking import MarkSettings
from readmark.sitting import ENGINES, SitSettings
from readmark.statistics.interval_methods import INTERVAL_METHODS, JACKKNIFE, PERCENTILE

if TYPE_CHECKING:
    from readmark.core.display import Result
    from readmark.core.traffic import Traffic
    from readmark.sitting import RunProgress


F = TypeVar("F", bound=Callable[..., Any])

UNMET = 3
"""The exit status where a condition that the user set is not met, and nothing else is wrong."""

_ARGUMENT = re.compile(r"`([a-z]+(?:_[a-z]+)*)`")
_CALL = re.compile(r"`readmark\.([a-z]+)\(([^`]*)\)`")
_OTHER_NAMES = {
    "format": "to",
    "novices": "novice",
    "ontology": "with",
    "questions": "with",
    "repair_offsets": "repair",
}
"""Arguments whose option is called something else."""


def in_options(message: str) -> str:
    """A message of the Python API in the words of the command line.

    Functions name their arguments in backquotes, as in `unit_timeout`; commands call them
    --unit-timeout. A call to make, such as `readmark.convert('a.brcc', 'a/')`, is a command to run.
    """
    message = _CALL.sub(_as_command, message)
    return _ARGUMENT.sub(
        lambda found: f"--{_OTHER_NAMES.get(found[1], found[1]).replace('_', '-')}", message
    )


def _as_command(call: re.Match[str]) -> str:
    import ast
    import shlex

    try:
        arguments = ast.literal_eval(f"({call[2]},)")
    except (SyntaxError, ValueError):  # no call that could be made as it stands
        return call[0]
    return f"`readmark {call[1]} {shlex.join(map(str, arguments))}`"


json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print the result to stdout as one JSON document."
)
format_option = click.option(
    "--format",
    "as_format",
    type=click.Choice(["text", "markdown", "csv"]),
    default="text",
    help="Output format: text for a terminal, markdown for a page, or csv for a spreadsheet",
)
full_option = click.option("--full", is_flag=True, help="Show all details.")
from_option = click.option(
    "--from",
    "from_format",
    metavar="FORMAT",
    help="Format of the test  [default: detected from its content]",
)
split_option = click.option(
    "--split",
    metavar="NAME",
    help="Use only this split of the test, such as dev  [default: the whole test]",
)
to_option = click.option(
    "--to",
    "to_format",
    metavar="FORMAT",
    help="Format to write  [default: detected from OUT's suffix]",
)


def _joined(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> str | None:
    return ",".join(values) if values else None


def list_option(*names: str, default: str | None = None, **more: Any) -> Callable[[F], F]:
    """An option of values with commas between them; when it is repeated, its values add up."""
    more.setdefault("callback", _joined)
    return click.option(*names, multiple=True, default=default and (default,), **more)


def settings_option(settings: type, name: str, *flags: str, **more: Any) -> Callable[[F], F]:
    """The option of a settings object's field, with its type, default and line of help."""
    [field] = [field for field in dataclasses.fields(settings) if field.name == name]
    plain = field.metadata["takes"]
    words = more.pop("default_words", field.metadata["default"])
    help = more.pop("help", in_options(field.metadata["help"]))
    more = {"type": None if plain is list else plain, "multiple": plain is list, **more}
    if plain is bool:
        more["is_flag"] = True
    if words:
        help += f"  [default: {words}]"
    elif plain is bool or field.default in (None, ()):  # click shows other defaults
        help = f"{help.removesuffix('.')}."
    names = (*(flags or (f"--{name.replace('_', '-')}",)), name)
    return click.option(*names, default=field.default, help=help, **more)


metrics_option = settings_option(MarkSettings, "metrics", "-m", "--metric", metavar="METRIC")
by_option = list_option(
    "--by",
    metavar="FIELD,...",
    help="Break the results down by these fields: level, type, split, any other field of the "
    "test, or one that is computed, such as overlap or answer_length.",
)
seed_option = settings_option(MarkSettings, "seed")
draws_option = settings_option(MarkSettings, "draws")
trials_option = settings_option(MarkSettings, "trials")
confidence_option = settings_option(MarkSettings, "confidence")
interval_option = settings_option(MarkSettings, "interval", type=click.Choice(INTERVAL_METHODS))
paired_interval_option = settings_option(
    MarkSettings, "interval", type=click.Choice([PERCENTILE, JACKKNIFE])
)
errors_option = click.option(
    "--errors-as-wrong",
    is_flag=True,
    help="Count error rows as wrong answers and do not exit with status 1 because of them.",
)


def is_given(name: str) -> bool:
    """Whether the user gave a parameter of the current command."""
    source = click.get_current_context().get_parameter_source(name)
    return source is ParameterSource.COMMANDLINE


def fields(by: str | None) -> list[str]:
    """The fields of ``--by``."""
    return [name.strip() for name in (by or "").split(",") if name.strip()]


_FILE_NAME = re.compile(r"(?:\.{0,2}/|~/)\S*|\S+\.(?:txt|text|md|html?|jsonl?)(?:\.gz)?")


def text_or_file(given: str) -> str | Path:
    """A file's path, a pipe's or ``-``, where there is such, or else the text itself.

    What is spelt as a path and has no file is an error: it is hardly the text.
    """
    try:
        path = Path(given)
        if is_standard(given) or path.is_file() or is_pipe(given):
            return path
        if path.is_dir() and given:
            raise DataError("is a directory, expected a file or a text", file=given)
    except (OSError, ValueError):  # too long, or with characters that no path has
        return given
    if _FILE_NAME.fullmatch(given):
        raise DataError("no such file", file=given)
    return given


def print_json(document: Any) -> None:
    """One JSON document on stdout: indented for a terminal, compact for a program."""
    try:
        data = msgspec.json.encode(document)
    except UnicodeEncodeError:  # a file's name that is not UTF-8
        import json

        data = json.dumps(msgspec.to_builtins(document)).encode()
    if sys.stdout.isatty():
        data = msgspec.json.format(data, indent=2)
    sys.stdout.buffer.write(data + b"\n")
    sys.stdout.buffer.flush()


def print_result(
    result: Result, *, as_json: bool, as_format: str = "text", full: bool = False
) -> None:
    """A function's result: one JSON document, or the tables that people read."""
    if as_json:
        print_json(result.as_json())
    elif as_format == "markdown":
        click.echo(printable(result.as_markdown(full=full)), nl=False)
    elif as_format == "csv":
        click.echo(result.as_csv(), nl=False)
    else:
        from readmark.core.display import make_console

        console = make_console()
        (result.show_full if full else result.show)(console)


def report_result(result: Result, *, as_json: bool) -> None:
    """The result of a command that writes a file: one JSON document, or its lines on stderr."""
    if as_json:
        print_json(result.as_json())
    else:
        notify(str(result).splitlines())


def notify(lines: Iterable[str]) -> None:
    """Messages, on stderr; what a server says in them cannot steer the terminal."""
    for line in lines:
        said = printable(" ".join(in_options(line).splitlines()))
        click.echo(f"readmark: {said}", err=True)


def problems(count: int, warnings: int = 0) -> str:
    """How many, in words."""
    said = counted(count, "problem") if count else "no problems"
    return f"{said}, {counted(warnings, 'warning')}" if warnings else said


# Progress on stderr, for whatever takes long.


EVERY_TERMINAL = 0.1
EVERY_LOG = 30.0


class Ticker:
    """The progress reporter of every command: a changing line on a terminal, else a log line."""

    def __init__(self) -> None:
        self.is_terminal = sys.stderr.isatty()
        self._every = EVERY_TERMINAL if self.is_terminal else EVERY_LOG
        self._began: dict[str, tuple[float, int]] = {}
        self._next = time.monotonic() + self._every
        self._shown = False

    def __enter__(self) -> Ticker:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def show(self, progress: RunProgress) -> None:
        """Report how far a sitting is, when it is time to."""
        done = progress.before + progress.answered + progress.errors
        self.say(
            lambda: _words(done, progress.total, progress.rate, progress.left, progress.errors)
        )

    def count(self, done: int, total: int, what: str = "unit") -> None:
        """Report how many units, or others, are done, when it is time to."""
        rate = self._rate("units", done)

        def words() -> str:
            return _words(done, total, rate, seconds_left(done, total - done, rate), what=what)

        self.say(words)

    def step(self, words: str) -> None:
        """Report a step of a few as it begins."""
        if self.is_terminal:
            click.echo(f"\r\033[K{words}", err=True, nl=False)
            self._shown = True
        else:
            notify([words])

    def replies(self, what: str, done: int, total: int) -> None:
        """Report how many replies have come of how many requests, when it is time to."""
        rate = self._rate(what, done)

        def words() -> str:
            left = seconds_left(done, total - done, rate)
            return f"{done}/{total} {what}, {_pace(rate)}{_left(left)}"

        self.say(words)

    def _rate(self, what: str, done: int) -> float:
        """How many a second since the first count: what came before it took other time."""
        now = time.monotonic()
        began, before = self._began.setdefault(what, (now, done))
        return (done - before) / (now - began) if now > began else 0.0

    def say(self, words: Callable[[], str]) -> None:
        """Report how far other work is, when it is time to."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + self._every
        line = words()
        if self.is_terminal:
            click.echo(f"\r\033[K{line}", err=True, nl=False)
            self._shown = True
        else:
            notify([line])

    def end(self) -> None:
        """Clear the line."""
        if self._shown:
            click.echo("\r\033[K", err=True, nl=False)


def _words(
    done: int, total: int, rate: float, seconds: float | None, failed: int = 0, what: str = "unit"
) -> str:
    errors = f", {error_words(failed)}" if failed else ""
    units = what if total == 1 else f"{what}s"
    pace = f", {_pace(rate)}" if rate or not done else ""  # the first to come have no rate
    return f"{done}/{total} {units}{pace}{_left(seconds)}{errors}"


def _pace(rate: float) -> str:
    """Units a second, or a minute where that is less than one in two seconds."""
    return f"{rate * 60:.1f}/min" if 0 < rate < 0.5 else f"{rate:.1f}/s"


def _left(seconds: float | None) -> str:
    return "" if seconds is None else f", {clock(seconds)} left"


def clock(seconds: float) -> str:
    """A duration as people read it."""
    whole = round(seconds)
    hours, minutes = whole // 3600, whole % 3600 // 60
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"


def error_words(count: int) -> str:
    """Errors in the right number."""
    return counted(count, "error")


# The options that bound what a command asks over a network; readmark.toml has the others.


_TRAFFIC = (
    click.option("--parallel", type=int, help="Concurrent requests  [default: 8]"),
    click.option(
        "--max-cost",
        type=float,
        metavar="X",
        help="Stop before this run costs more  [default: no limit]",
    ),
    click.option(
        "--cache",
        metavar="FILE",
        help="File for cached replies; '' turns the cache off  [default: next to the sitting]",
    ),
)


def traffic_options(command: F) -> F:
    """Give a command the options; it takes them by `take_traffic`."""
    for option in reversed(_TRAFFIC):
        command = option(command)
    return command


def take_traffic(fields: dict[str, Any]) -> Traffic | None:
    """Take the traffic that was asked for out of a command's options; None if nothing was."""
    names = ("parallel", "max_cost", "cache")
    asked = {name: value for name in names if (value := fields.pop(name)) is not None}
    if not asked:
        return None
    from readmark.core.traffic import Traffic

    return Traffic(**asked)


workers_option = click.option(
    "--workers",
    type=click.IntRange(min=1),
    default=1,
    help="Worker processes on this machine",
)


engine_option = settings_option(SitSettings, "engine", type=click.Choice(ENGINES))


@contextlib.contextmanager
def candidate_output_to_stderr() -> Iterator[None]:
    """What a candidate prints, the libraries behind it included, goes to standard error."""
    sys.stdout.flush()
    try:
        own = os.dup(1)
        os.dup2(2, 1)
    except OSError:  # one of them is closed: there is nothing to keep apart
        yield
        return
    try:
        yield
    finally:
        sys.stdout.flush()
        os.dup2(own, 1)
        os.close(own)


# Completion in the shell: the names of what is registered, and files.


_REGISTERED = {
    "METRIC": "readmark.metrics",
    "FORMAT": "readmark.formats",
    "CANDIDATE": "readmark.candidates",
}
"""By what a parameter is called in its help: the registry."""


class _Completed(click.types.StringParamType):
    """A text that the shell completes: a registered name, or a file."""

    def __init__(self, noun: str) -> None:
        self._noun = noun

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        if self._noun not in _REGISTERED:
            return [CompletionItem(incomplete, type="file")]
        return RegisteredName(_REGISTERED[self._noun]).shell_complete(ctx, param, incomplete)


def _complete_texts(command: click.Command) -> click.Command:
    """Let the shell complete every parameter of a command that is a text."""
    for parameter in command.params:
        if parameter.type is click.STRING:
            parameter.type = _Completed((parameter.metavar or parameter.name or "").upper())
    return command


def _call_numbers_n(command: click.Command) -> click.Command:
    """Help says N for a whole number and X for any other, where click says INTEGER and FLOAT."""
    for option in command.params:
        if isinstance(option, click.Option) and option.metavar is None and not option.is_flag:
            if isinstance(option.type, click.types.IntParamType):
                option.metavar = "N"
            elif isinstance(option.type, click.types.FloatParamType):
                option.metavar = "X"
    return command


# What a parameter that takes a text is: a file to read, unless its type says that it is another.


class OutputType(click.types.StringParamType):
    """A file to write, where ``-`` is standard output; or a folder, which it is not."""

    def __init__(self, *, is_folder: bool = False) -> None:
        self.is_folder = is_folder

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        return [CompletionItem(incomplete, type="file")]


class WordsType(click.types.StringParamType):
    """Words, where ``-`` is one."""


class RegisteredName(WordsType):
    """A registered name, such as a metric's; of candidates those that sit one kind of test."""

    def __init__(self, group: str, kind: str | None = None) -> None:
        self._group, self._kind = group, kind

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        kind, entries = self._kind, Registry("name", self._group).entries
        return [
            CompletionItem(name, help=entry.summary)
            for name, entry in entries.items()
            if name.startswith(incomplete)
            and (kind is None or not entry.kinds or kind in entry.kinds)
        ]


OUTPUT_FILE, OUTPUT_FOLDER = OutputType(), OutputType(is_folder=True)
WORDS = WordsType()
METRIC_NAME = RegisteredName("readmark.metrics")


def candidate_name(kind: str) -> RegisteredName:
    """The name of a candidate that sits a kind of test."""
    return RegisteredName("readmark.candidates", kind)


# Which of a command's parameters are standard input and standard output.


def check_arguments(command: click.Command, ctx: click.Context, args: list[str]) -> None:
    """See that no option takes the place of an earlier one, and assign the standard streams."""
    try:
        ctx = click.Context(command, parent=ctx, info_name=command.name)
        values, _, order = command.make_parser(ctx).parse_args(args=list(args))
    except click.UsageError:
        return  # the command itself reports it
    _refuse_repetitions(order, ctx)
    if STANDARD in args:
        _assign_standard_streams(command, ctx, values)


def _refuse_repetitions(order: Sequence[click.Parameter], ctx: click.Context) -> None:
    """Refuse an option that is given twice and has room for one value: the first would be lost."""
    for option in dict.fromkeys(order):
        if not isinstance(option, click.Option) or option.multiple or option.count:
            continue
        is_switch = option.is_flag and not option.secondary_opts  # twice on is on
        if order.count(option) > 1 and not is_switch:
            names = "/".join((*option.opts[-1:], *option.secondary_opts[-1:]))
            raise click.UsageError(f"{names} is given {order.count(option)} times, takes one", ctx)


def _assign_standard_streams(
    command: click.Command, ctx: click.Context, given: Mapping[str, Any]
) -> None:
    """See that ``-`` is one input and one output at most, and keep stdout for the output.

    ``--json`` would print to standard output as well, so it does not go with ``-o -``.
    """
    inputs = outputs = 0
    for param in command.params:
        value = given.get(param.name or "")
        several = value if isinstance(value, (list, tuple)) else [value]
        count = several.count(STANDARD)
        if not count or isinstance(param.type, WordsType | click.Choice):
            continue
        if isinstance(param.type, OutputType):
            if param.type.is_folder:
                raise click.UsageError(f"{param.opts[0]} names a folder, which - is not", ctx)
            outputs += count
        else:
            inputs += count
    if inputs > 1 or outputs > 1:
        which = "standard input is read" if inputs > 1 else "standard output is written"
        raise click.UsageError(f"{which} once: only one - can stand for it", ctx)
    if outputs and given.get("as_json"):
        raise click.UsageError("--json and the output - both write to standard output", ctx)
    if outputs:
        reserve_output()


# Groups of commands: each command is imported only when it is called.


class OutputClosed(Exception):
    """The reader of standard output has left, as ``head`` does."""


class UnknownCommand(click.UsageError):
    """No command has this name; ``path`` is what was typed after `readmark`."""

    def __init__(self, message: str, path: str) -> None:
        super().__init__(message)
        self.path = path


class CheckedGroup(click.Group):
    """A group whose commands' arguments are checked as a whole before they are called."""

    noun = "command"

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        names = self.list_commands(ctx)
        if args and not args[0].startswith("-") and args[0] not in names:
            groups = ctx.command_path.split()[1:]
            where = f"{' '.join(groups)} has " if groups else ""
            hint = did_you_mean(args[0], names)
            raise UnknownCommand(
                f"{where}no {self.noun} {args[0]!r}; {hint}", " ".join([*groups, args[0]])
            )
        name, command, rest = super().resolve_command(ctx, args)
        if command is not None and not isinstance(command, click.Group):
            check_arguments(command, ctx, rest)
        return name, command, rest

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        command = super().get_command(ctx, cmd_name)
        return None if command is None else _call_numbers_n(command)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Whole lines of help, which click would cut."""
        commands = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        lines = [(name, each.get_short_help_str(limit=200)) for name, each in commands if each]
        with formatter.section("Commands"):
            formatter.write_dl(lines)


class CommandGroup(CheckedGroup):
    """A group whose commands are a registry: names, one line of help each, and where they live."""

    def __init__(
        self,
        *args: Any,
        registry: Registry,
        headings: Mapping[str, Sequence[str]] | None = None,
        **more: Any,
    ) -> None:
        super().__init__(*args, **more)
        self.noun = registry.noun
        self._registry = registry
        self._headings = headings or {}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """As the headings have them, and then those without one."""
        names = chain(*self._headings.values(), self._registry)
        return [name for name in dict.fromkeys(names) if name in self._registry]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self._registry:
            return None
        command = _call_numbers_n(self._registry.load(cmd_name))
        return _complete_texts(command) if ctx.resilient_parsing else command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete the names of commands without importing them."""
        names = [name for name in self.list_commands(ctx) if name.startswith(incomplete)]
        items = [CompletionItem(name, help=self._registry.entry(name).summary) for name in names]
        return [*items, *click.Command.shell_complete(self, ctx, incomplete)]

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:  # click would exit with status 1
            raise OutputClosed from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        listed = {name for names in self._headings.values() for name in names}
        others = [name for name in self._registry if name not in listed]
        width = max(map(len, self._registry))
        sections = {**self._headings, "Other commands" if listed else "Commands": others}
        for heading, names in sections.items():
            if names:
                with formatter.section(heading):
                    formatter.write_dl([(f"{name:<{width}}", self.summary(name)) for name in names])

    def summary(self, name: str) -> str:
        """The help line of a command; a plug-in's is its own, and says where it comes from."""
        entry = self._registry.entry(name)
        if entry.package == "readmark":
            return entry.summary
        try:
            command: click.Command = self._registry.load(name)
            line = command.get_short_help_str(limit=200).rstrip(".")
        except ReadmarkError:
            line = "cannot be loaded"
        return f"{line} (from {entry.package})"
