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
            "Let a rewriter sit a series; sit by another name.",
        ),
        "mark": Entry(
            "readmark.cli.mark:mark_command",
            "Mark the rewrites of a sitting; mark by another name.",
        ),
        "table": Entry(
            "readmark.series.commands.table:table_command",
            "Rewriters by metrics by weights, with the gaps between them.",
        ),
        "worst": Entry(
            "readmark.series.commands.worst:worst_command",
            "The worst rewrites of a sitting, by what went wrong; what got worse.",
        ),
        "effect": Entry(
            "readmark.series.commands.effect:effect_command",
            "What rewriting does to retrieval and to reading.",
        ),
        "tune": Entry(
            "readmark.series.commands.tune:tune_command",
            "Search the weights of a metric, or fit them to people's judgements.",
        ),
    },
)


@click.group("series", cls=CommandGroup, registry=VERBS)
def series_command() -> None:
    """Rewrite the questions of a series to stand alone; mark and debug rewriters."""
