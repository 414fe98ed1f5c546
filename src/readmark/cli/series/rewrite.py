"""``readmark series rewrite``: ``readmark sit``, where the candidate is called a rewriter."""

from __future__ import annotations

import click

from readmark.cli.sit import sit_command

_REWRITER = click.Option(
    ["-w", "--rewriter", "-r", "--candidate", "candidate"],
    required=True,
    metavar="REWRITER",
    help="Who rewrites: none, append, guided, keyed(file=F)...",
)

rewrite_command = click.Command(
    "rewrite",
    callback=sit_command.callback,
    params=[_REWRITER if one.name == "candidate" else one for one in sit_command.params],
    help="Let a REWRITER rewrite the questions of a series; readmark sit by another name.",
    short_help="Let a rewriter sit a series.",
)
