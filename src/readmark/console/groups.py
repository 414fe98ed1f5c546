"""Groups of commands, of which each is imported only when it is called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

import click
from click.shell_completion import CompletionItem

from readmark.console.arguments import check_arguments
from readmark.console.parameters import call_numbers_n, complete_texts
from readmark.core.errors import ReadmarkError, did_you_mean
from readmark.core.registry import Registry


class OutputClosed(Exception):
    """Nobody reads standard output any more, as after ``head``."""


class UnknownCommand(click.UsageError):
    """There is no such command; ``path`` is what was typed after `readmark`."""

    def __init__(self, message: str, path: str) -> None:
        super().__init__(message)
        self.path = path


class CheckedGroup(click.Group):
    """A group whose commands' arguments are checked as a whole before they are called."""

    noun = "command"

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        names = self.list_commands(ctx)
        if args and not args[0].startswith("-") and args[0] not in names:
            groups = ctx.command_path.split()[1:]
            where = f"{' '.join(groups)} has " if groups else ""
            hint = did_you_mean(args[0], names)
            raise UnknownCommand(
                f"{where}no {self.noun} {args[0]!r}; {hint}", " ".join([*groups, args[0]])
            )
        name, command, rest = super().resolve_command(ctx, args)
        if command is not None and not isinstance(command, click.Group):
            check_arguments(command, ctx, rest)
        return name, command, rest

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        command = super().get_command(ctx, cmd_name)
        return None if command is None else call_numbers_n(command)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands with their whole line of help, which click would cut."""
        commands = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        lines = [
            (name, command.get_short_help_str(limit=200)) for name, command in commands if command
        ]
        with formatter.section("Commands"):
            formatter.write_dl(lines)


class CommandGroup(CheckedGroup):
    """A group whose commands are in a registry: names, a line of help each, and their modules."""

    def __init__(
        self,
        *args: Any,
        registry: Registry,
        headings: Mapping[str, Sequence[str]] | None = None,
        **more: Any,
    ) -> None:
        super().__init__(*args, **more)
        self.noun = registry.noun
        self._registry = registry
        self._headings = headings or {}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands under headings, in their order, then the others."""
        names = chain(*self._headings.values(), self._registry)
        return [name for name in dict.fromkeys(names) if name in self._registry]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self._registry:
            return None
        command = call_numbers_n(self._registry.load(cmd_name))
        return complete_texts(command) if ctx.resilient_parsing else command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete the names of commands without importing them."""
        names = [name for name in self.list_commands(ctx) if name.startswith(incomplete)]
        items = [CompletionItem(name, help=self._registry.entry(name).summary) for name in names]
        return [*items, *click.Command.shell_complete(self, ctx, incomplete)]

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:  # click would exit with status 1
            raise OutputClosed from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with_heading = {name for names in self._headings.values() for name in names}
        others = [name for name in self._registry if name not in with_heading]
        width = max(map(len, self._registry), default=0)
        sections = {**self._headings, "Other commands" if with_heading else "Commands": others}
        for heading, names in sections.items():
            if names:
                with formatter.section(heading):
                    formatter.write_dl([(f"{name:<{width}}", self.summary(name)) for name in names])

    def summary(self, name: str) -> str:
        """The help line of a command; that of a plug-in's command names its package."""
        entry = self._registry.entry(name)
        if entry.package == "readmark":
            return entry.summary
        try:
            command: click.Command = self._registry.load(name)
            line = command.get_short_help_str(limit=200).rstrip(".")
        except ReadmarkError:
            line = "cannot be loaded"
        return f"{line} (from {entry.package})"
