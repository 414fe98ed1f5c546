"""``readmark series``: rewriting question series. Each verb is imported only when it is called."""

from __future__ import annotations

from importlib import import_module

import click

from readmark.corpus.errors import did_you_mean

VERBS = {
    "rewrite": "Let a rewriter sit a series; sit by another name.",
    "mark": "Mark the rewrites of a sitting; mark by another name.",
    "table": "Rewriters by metrics by weights, with the gaps between them.",
    "worst": "The worst rewrites of a sitting, by what went wrong; what got worse.",
    "tune": "Search the weights of a metric, or fit them to people's judgements.",
}
"""Every verb with its one line; ``readmark.cli.series.NAME`` has it as ``NAME_command``."""


class Verbs(click.Group):
    """A group that knows its verbs' lines without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in VERBS:
            return None
        command: click.Command = getattr(
            import_module(f"readmark.cli.series.{cmd_name}"), f"{cmd_name}_command"
        )
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and args[0] not in VERBS:
            raise click.UsageError(
                f"series has no verb {args[0]!r}; {did_you_mean(args[0], VERBS)}"
            )
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(VERBS.items()))


@click.group("series", cls=Verbs)
def series_command() -> None:
    """Rewrite the questions of a series to stand alone; mark and debug rewriters."""
