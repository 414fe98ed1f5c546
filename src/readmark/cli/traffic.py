"""The options that bound what a command asks over a network."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from readmark.models.llm.traffic import Traffic

F = TypeVar("F", bound=Callable[..., Any])

_OPTIONS = (
    click.option("--parallel", type=int, help="Requests under way at a time; 8."),
    click.option("--timeout", type=float, help="Seconds for one whole reply; 120."),
    click.option("--attempts", type=int, help="How often a request is tried; 6."),
    click.option("--requests-a-minute", type=float, help="No more requests than these."),
    click.option("--tokens-a-minute", type=float, help="No more tokens than these."),
    click.option("--max-tokens-total", type=int, help="Ask no more once this run took these."),
    click.option("--max-cost", type=float, help="Ask no more once this run cost this; --prices."),
    click.option(
        "--prices", metavar="FILE", help="What a million tokens cost: TOML or JSON, by model."
    ),
    click.option("--cache", metavar="FILE", help="Where replies are kept; '' is nowhere."),
)


def traffic_options(command: F) -> F:
    """Give a command the options; it takes them as ``**traffic``."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def traffic_of(given: dict[str, Any]) -> Traffic | None:
    """The traffic that was asked for; None when nothing was."""
    asked = {name: value for name, value in given.items() if value is not None}
    if not asked:
        return None
    from readmark.models.llm.traffic import Traffic

    return Traffic(**asked)
