"""Groups of commands: each command is imported only when it is called."""

from __future__ import annotations

from typing import Any

import click

from readmark.corpus.errors import did_you_mean
from readmark.corpus.registry import Registry


class CommandGroup(click.Group):
    """A group whose commands are a registry: names, one line of help each, and where they live."""

    def __init__(self, *args: Any, registry: Registry, **more: Any) -> None:
        super().__init__(*args, **more)
        self._registry = registry

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self._registry)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self._registry:
            return None
        command: click.Command = self._registry.load(cmd_name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and args[0] not in self._registry:
            group = "" if ctx.parent is None else f"{self.name} has "
            hint = did_you_mean(args[0], self._registry.entries)
            raise click.UsageError(f"{group}no {self._registry.noun} {args[0]!r}; {hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, self._registry.summary(name)) for name in self._registry])
