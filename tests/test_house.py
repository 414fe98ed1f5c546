"""Rules that keep the house in order: every command and option explains itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import click
import pytest

from readmark.cli.main import cli
from readmark.console import CommandGroup
from readmark.core.traffic import ATTEMPTS, PARALLEL, TIMEOUT

DEFAULT = "[default: "
OLD_DEFAULT = re.compile(r"; [\w.,' ]+ (if|when|unless) (absent|given|not)\b|; \d[\d.,]*\.?$")
OLD_WORDS = re.compile(
    r"\b(beside|gone on with|goes? on|under way|told|tells?|mend(ed)?|whose is which|if absent)\b",
    re.IGNORECASE,
)


@cache
def commands() -> dict[str, tuple[click.Command, click.Context]]:
    """Every command and group by its path, with the context that ``--help`` renders it in."""
    return dict(_walk(cli, click.Context(cli, info_name="readmark", **cli.context_settings)))


def _walk(
    command: click.Command, context: click.Context
) -> Iterator[tuple[str, tuple[click.Command, click.Context]]]:
    yield context.command_path, (command, context)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            verb = command.get_command(context, name)
            assert verb is not None, f"{context.command_path} {name} does not load"
            settings = {"info_name": name, "parent": context, **verb.context_settings}
            yield from _walk(verb, click.Context(verb, **settings))


def options() -> Iterator[tuple[str, click.Option, str]]:
    """Every option with its name and its help as it is shown."""
    for path, (command, context) in commands().items():
        for option in command.get_params(context):
            if isinstance(option, click.Option):
                record = option.get_help_record(context)
                yield f"{path} {option.opts[-1]}", option, record[1] if record else ""


def summaries() -> Iterator[tuple[str, str]]:
    """The one-line summary of every command, as its group lists it."""
    for path, (command, context) in commands().items():
        if isinstance(command, CommandGroup):
            for name in command.list_commands(context):
                yield f"{path} {name}", command.summary(name)
        elif isinstance(command, click.Group):
            for name, verb in command.commands.items():
                yield f"{path} {name}", verb.get_short_help_str(limit=200)


def test_the_walk_reaches_every_level() -> None:
    paths = commands()
    assert {"readmark", "readmark mark", "readmark set levels", "readmark train span"} <= set(paths)
    assert len(paths) > 60


def test_every_command_has_help_and_a_summary() -> None:
    silent = [path for path, (command, _) in commands().items() if not (command.help or "").strip()]
    silent += [path for path, summary in summaries() if not summary.strip()]
    assert silent == []


def test_help_and_summaries_are_sentences() -> None:
    texts = dict(summaries())
    texts |= {
        path: (one.help or "").strip().split("\n\n")[0] for path, (one, _) in commands().items()
    }
    odd = {path: text for path, text in texts.items() if not re.fullmatch(r"[A-Z].*\.", text, re.S)}
    assert odd == {}


def test_every_option_has_help() -> None:
    assert [name for name, option, _ in options() if not (option.help or "").strip()] == []


def test_every_default_is_shown() -> None:
    """A default that click knows is rendered by click; one that is computed is in the text."""
    hidden = []
    for name, option, shown in options():
        context = click.Context(click.Command(""), show_default=True)
        if option.default != "" and "default" in _extra(option, context):
            hidden += [name] if DEFAULT not in shown else []
    assert hidden == []


def _extra(option: click.Option, context: click.Context) -> dict[str, object]:
    """What click can show of an option, whatever the option itself says about showing it."""
    own, option.show_default = option.show_default, True
    try:
        return dict(option.get_help_extra(context))
    finally:
        option.show_default = own


def test_defaults_are_written_one_way() -> None:
    """Help ends in ``  [default: X]`` or in a full stop, and states a default at most once."""
    odd = []
    for name, option, shown in options():
        text = option.help or ""
        if shown.count(DEFAULT) > 1 or OLD_DEFAULT.search(text):
            odd.append(name)
        elif DEFAULT in text:
            odd += [] if re.search(r"[^.]  \[default: [^\]]+\]$", text) else [name]
        else:
            odd += [] if text.endswith(".") != (DEFAULT in shown) else [name]
    assert odd == []


def test_help_uses_plain_words() -> None:
    texts = [(name, option.help or "") for name, option, _ in options()]
    texts += [(path, command.help or "") for path, (command, _) in commands().items()]
    texts += list(summaries())
    assert [(name, found[0]) for name, text in texts if (found := OLD_WORDS.search(text))] == []


@pytest.mark.parametrize("path", ["readmark sit", "readmark mark"])
def test_defaults_of_requests_are_those_of_traffic(path: str) -> None:
    """These are written by hand, since an option that is not given must stay None."""
    command, _ = commands()[path]
    helps = {option.name: getattr(option, "help", "") for option in command.params}
    for name, default in (("parallel", PARALLEL), ("timeout", TIMEOUT), ("attempts", ATTEMPTS)):
        if name in helps:
            assert helps[name].endswith(f"  [default: {default:g}]")
