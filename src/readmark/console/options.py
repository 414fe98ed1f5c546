"""Options that several commands take, defined once, and how a command reads them."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from readmark.console.columns import map_columns
from readmark.console.messages import in_options
from readmark.console.parameters import OUTPUT_FILE
from readmark.core.errors import DataError
from readmark.core.streams import is_pipe, is_standard
from readmark.marking import MarkSettings
from readmark.sitting import ENGINES, SitSettings
from readmark.statistics.interval_methods import INTERVAL_METHODS, JACKKNIFE, PERCENTILE

if TYPE_CHECKING:
    from readmark.core.traffic import Traffic

F = TypeVar("F", bound=Callable[..., Any])

json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print the result to stdout as one JSON document."
)
format_option = click.option(
    "--format",
    "as_format",
    type=click.Choice(["text", "markdown", "csv", "latex"]),
    default="text",
    help="Output format: text for a terminal, markdown for a page, csv for a spreadsheet, or latex "
    "for a paper",
)
plot_option = click.option(
    "--plot",
    metavar="FILE",
    type=OUTPUT_FILE,
    help="Draw the numbers with their intervals into this file, .svg, .png or .pdf.",
)
full_option = click.option("--full", is_flag=True, help="Show all details.")
map_option = click.option(
    "--map",
    multiple=True,
    metavar="COLUMN=FIELD",
    help="What a column is, such as gold=answer (repeatable).",
    expose_value=False,
    callback=map_columns,
)


def from_option(command: F) -> F:
    """``--from``, and ``--map``, for a command that reads a test in any format."""
    return _with_map(
        click.option(
            "--from",
            "from_format",
            metavar="FORMAT",
            help="Format of the test  [default: detected from its content]",
        )(command)
    )


def split_option(command: F) -> F:
    """``--split``, and ``--map``, for a command that reads a test."""
    return _with_map(
        click.option(
            "--split",
            metavar="NAME",
            help="Use only this split of the test, such as dev  [default: the whole test]",
        )(command)
    )


def _with_map(command: F) -> F:
    """The command with ``--map``, added once even if it takes both ``--from`` and ``--split``."""
    # Where click's decorators keep the options until the command is made.
    options: list[click.Parameter] = getattr(command, "__click_params__", [])
    return command if any(option.name == "map" for option in options) else map_option(command)


to_option = click.option(
    "--to",
    "to_format",
    metavar="FORMAT",
    help="Format to write  [default: detected from OUT's suffix]",
)


def _joined(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> str | None:
    return ",".join(values) if values else None


def list_option(*names: str, default: str | None = None, **more: Any) -> Callable[[F], F]:
    """An option of values separated by commas; if it is repeated, its values add up."""
    more.setdefault("callback", _joined)
    return click.option(*names, multiple=True, default=default and (default,), **more)


def settings_option(settings: type, name: str, *flags: str, **more: Any) -> Callable[[F], F]:
    """The option of a settings object's field, with its type, default and line of help."""
    [field] = [field for field in dataclasses.fields(settings) if field.name == name]
    value_type = field.metadata["takes"]
    words = more.pop("default_words", field.metadata["default"])
    help = more.pop("help", in_options(field.metadata["help"]))
    is_list = value_type is list
    more = {"type": None if is_list else value_type, "multiple": is_list, **more}
    if value_type is bool:
        more["is_flag"] = True
    if words:
        help += f"  [default: {words}]"
    elif value_type is bool or field.default in (None, ()):  # click shows other defaults
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


def require_plot(plot: str | None, *inputs: str | None) -> None:
    """Refuse a picture that cannot be written, before anything is computed for it."""
    if plot is not None:
        from readmark.core.distinct_files import require_distinct_files
        from readmark.core.pictures import require_picture

        require_picture(plot)
        require_distinct_files([plot], inputs)


def is_given(name: str) -> bool:
    """Whether a parameter of the current command is on the command line."""
    source = click.get_current_context().get_parameter_source(name)
    return source is ParameterSource.COMMANDLINE


def fields(by: str | None) -> list[str]:
    """The fields of ``--by``."""
    return [name.strip() for name in (by or "").split(",") if name.strip()]


_FILE_NAME = re.compile(r"(?:\.{0,2}/|~/)\S*|\S+\.(?:txt|text|md|html?|jsonl?)(?:\.gz)?")
"""What looks like a path: it begins with a folder or ends with a suffix of texts, in one word."""


def text_or_file(value: str) -> str | Path:
    """The path of a file or pipe, or ``-``; if there is none, the text itself.

    A text that looks like a path is an error if there is no such file.
    """
    try:
        path = Path(value)
        if is_standard(value) or path.is_file() or is_pipe(value):
            return path
        if path.is_dir() and value:  # an empty text would be the path of this folder
            raise DataError("is a directory, expected a file or a text", file=value)
    except (OSError, ValueError):  # too long, or with characters that no path has
        return value
    if _FILE_NAME.fullmatch(value):
        raise DataError("no such file", file=value)
    return value


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
"""Limits of requests over a network that change from run to run; readmark.toml has the others."""


def traffic_options(command: F) -> F:
    """Give a command these options, which it reads with `take_traffic`."""
    for option in reversed(_TRAFFIC):
        command = option(command)
    return command


def take_traffic(fields: dict[str, Any]) -> Traffic | None:
    """Remove the limits of requests from a command's options; None if none is set."""
    names = ("parallel", "max_cost", "cache")
    limits = {name: value for name in names if (value := fields.pop(name)) is not None}
    if not limits:
        return None
    from readmark.core.traffic import Traffic

    return Traffic(**limits)


workers_option = click.option(
    "--workers",
    type=click.IntRange(min=1),
    default=1,
    help="Worker processes on this machine",
)


engine_option = settings_option(SitSettings, "engine", type=click.Choice(ENGINES))
