"""``readmark series``: rewriting question series. Each verb is imported only when it is called."""

from __future__ import annotations

import click

from readmark.cli.verbs import Verbs

VERBS = {
    "rewrite": "Let a rewriter sit a series; sit by another name.",
    "mark": "Mark the rewrites of a sitting; mark by another name.",
    "table": "Rewriters by metrics by weights, with the gaps between them.",
    "worst": "The worst rewrites of a sitting, by what went wrong; what got worse.",
    "effect": "What rewriting does to retrieval and to reading.",
    "tune": "Search the weights of a metric, or fit them to people's judgements.",
}
"""Every verb with its one line; ``readmark.cli.series.NAME`` has it as ``NAME_command``."""


@click.group("series", cls=Verbs, verbs=VERBS, package=__name__)
def series_command() -> None:
    """Rewrite the questions of a series to stand alone; mark and debug rewriters."""
