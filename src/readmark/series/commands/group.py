"""``readmark series``: rewriting question series. Each verb is imported only when it is called."""

from __future__ import annotations

import click

from readmark.console import CommandGroup
from readmark.core.registry import Entry, Registry

VERBS = Registry(
    "verb",
    "readmark.series_commands",
    {
        "rewrite": Entry(
            "readmark.cli.sit:rewrite_command",
            "Let a rewriter rewrite a series; the same as readmark sit.",
        ),
        "mark": Entry(
            "readmark.cli.mark:mark_command",
            "Mark the rewrites of a sitting; the same as readmark mark.",
        ),
        "table": Entry(
            "readmark.series.commands.table:table_command",
            "Compare rewriters by metric and weighting, with the gaps between them.",
        ),
        "worst": Entry(
            "readmark.series.commands.worst:worst_command",
            "Show the worst rewrites of a sitting by type of error, and regressions.",
        ),
        "effect": Entry(
            "readmark.series.commands.effect:effect_command",
            "Show the effect of rewriting on retrieval and on reading.",
        ),
        "tune": Entry(
            "readmark.series.commands.tune:tune_command",
            "Search a metric's weights, or fit them to people's judgements.",
        ),
    },
)


@click.group("series", cls=CommandGroup, registry=VERBS)
def series_command() -> None:
    """Rewrite the questions of a series to be understood alone; mark and debug rewriters."""
