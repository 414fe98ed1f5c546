"""A group of commands that knows their lines and imports each only when it is called."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click

from readmark.corpus.errors import did_you_mean


class Verbs(click.Group):
    """A group whose verb NAME is ``NAME_command`` in the module NAME of ``package``."""

    def __init__(self, *args: Any, verbs: Mapping[str, str], package: str, **more: Any) -> None:
        super().__init__(*args, **more)
        self._verbs = verbs
        self._package = package

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self._verbs)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self._verbs:
            return None
        module = import_module(f"{self._package}.{cmd_name}")
        command: click.Command = getattr(module, f"{cmd_name}_command")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and args[0] not in self._verbs:
            hint = did_you_mean(args[0], self._verbs)
            raise click.UsageError(f"{self.name} has no verb {args[0]!r}; {hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(self._verbs.items()))
