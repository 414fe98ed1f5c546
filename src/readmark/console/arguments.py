"""Checks of a command's arguments as a whole: repeated options, and what ``-`` stands for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click

from readmark.console.parameters import OutputType, WordsType
from readmark.core.streams import STANDARD, reserve_output


def check_arguments(command: click.Command, ctx: click.Context, args: list[str]) -> None:
    """Refuse options that replace an earlier one, and assign the standard streams.

    The arguments are parsed a second time here, since click does not tell what it has dropped.
    """
    try:
        ctx = click.Context(command, parent=ctx, info_name=command.name)
        values, _, order = command.make_parser(ctx).parse_args(args=list(args))
    except click.UsageError:
        return  # the command itself reports it
    _refuse_repetitions(order, ctx)
    _assign_standard_streams(command, ctx, values)


def _refuse_repetitions(order: Sequence[click.Parameter], ctx: click.Context) -> None:
    """Refuse an option that is given twice and takes one value: the first would be lost."""
    for option in dict.fromkeys(order):
        if not isinstance(option, click.Option) or option.multiple or option.count:
            continue
        is_switch = option.is_flag and not option.secondary_opts  # twice on is on
        if order.count(option) > 1 and not is_switch:
            names = "/".join((*option.opts[-1:], *option.secondary_opts[-1:]))
            raise click.UsageError(
                f"{names} is given {order.count(option)} times; it takes one value", ctx
            )


def _assign_standard_streams(
    command: click.Command, ctx: click.Context, values: Mapping[str, Any]
) -> None:
    """Allow ``-`` for one input and one output, and keep stdout for the output.

    ``--json`` prints to standard output as well, so it does not go with ``-o -``.
    """
    inputs = outputs = 0
    for param in command.params:
        value = values.get(param.name or "")
        count = (value if isinstance(value, (list, tuple)) else [value]).count(STANDARD)
        if not count or isinstance(param.type, WordsType | click.Choice):
            continue
        if isinstance(param.type, OutputType):
            if param.type.is_folder:
                raise click.UsageError(
                    f'{param.opts[0]} needs a folder; "-" (standard output) is not allowed', ctx
                )
            outputs += count
        else:
            inputs += count
    if inputs > 1 or outputs > 1:
        which = "standard input" if inputs > 1 else "standard output"
        raise click.UsageError(f"only one argument may be - ({which})", ctx)
    if outputs and values.get("as_json"):
        raise click.UsageError("--json and the output - both write to standard output", ctx)
    if outputs:
        reserve_output()
