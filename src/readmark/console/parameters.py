"""The types of parameters that are texts: files to write, words, registered names.

A type says what the shell completes, and what ``-`` means. A text without one of these types is a
file to read.
"""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem

from readmark.core.registry import Registry


class OutputType(click.types.StringParamType):
    """A file to write, where ``-`` is standard output; or a folder, which cannot be ``-``."""

    def __init__(self, *, is_folder: bool = False) -> None:
        self.is_folder = is_folder

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        return [CompletionItem(incomplete, type="file")]


class WordsType(click.types.StringParamType):
    """Words: ``-`` is one of them."""


class RegisteredName(WordsType):
    """A registered name, such as a metric's; of candidates those that sit one kind of test."""

    def __init__(self, group: str, kind: str | None = None) -> None:
        self._group, self._kind = group, kind

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        kind, entries = self._kind, Registry("name", self._group).entries
        return [
            CompletionItem(name, help=entry.summary)
            for name, entry in entries.items()
            if name.startswith(incomplete)
            and (kind is None or not entry.kinds or kind in entry.kinds)
        ]


OUTPUT_FILE, OUTPUT_FOLDER = OutputType(), OutputType(is_folder=True)
WORDS = WordsType()
METRIC_NAME = RegisteredName("readmark.metrics")


def candidate_name(kind: str) -> RegisteredName:
    """The name of a candidate that sits a kind of test."""
    return RegisteredName("readmark.candidates", kind)


_REGISTRIES = {
    "METRIC": "readmark.metrics",
    "FORMAT": "readmark.formats",
    "CANDIDATE": "readmark.candidates",
}
"""The registry whose names a parameter takes, by the parameter's name in help."""


class _CompletedText(click.types.StringParamType):
    """A text that the shell completes: a registered name, or a file."""

    def __init__(self, noun: str) -> None:
        self._noun = noun

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        if self._noun not in _REGISTRIES:
            return [CompletionItem(incomplete, type="file")]
        return RegisteredName(_REGISTRIES[self._noun]).shell_complete(ctx, param, incomplete)


def complete_texts(command: click.Command) -> click.Command:
    """Let the shell complete every parameter of a command that is a text."""
    for parameter in command.params:
        if parameter.type is click.STRING:
            parameter.type = _CompletedText((parameter.metavar or parameter.name or "").upper())
    return command


def call_numbers_n(command: click.Command) -> click.Command:
    """Have help say N for a whole number and X for any other; click says INTEGER and FLOAT."""
    for option in command.params:
        if isinstance(option, click.Option) and option.metavar is None and not option.is_flag:
            if isinstance(option.type, click.types.IntParamType):
                option.metavar = "N"
            elif isinstance(option.type, click.types.FloatParamType):
                option.metavar = "X"
    return command
