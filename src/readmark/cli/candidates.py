"""``readmark candidates`` and, by the kind of test, ``readers``, ``rewriters`` and the rest."""

from __future__ import annotations

import click

from readmark.cli import options
from readmark.cli.formats import show_registry
from readmark.corpus.errors import ReadmarkError
from readmark.corpus.registry import parameters_of


@click.command("candidates")
@options.json_option
def candidates_command(as_json: bool) -> None:
    """Every candidate that is registered, one line each, with its parameters."""
    _show(None, as_json)


@click.command("readers")
@options.json_option
def readers_command(as_json: bool) -> None:
    """The candidates that sit comprehension tests."""
    _show("comprehension", as_json)


@click.command("rewriters")
@options.json_option
def rewriters_command(as_json: bool) -> None:
    """The candidates that sit series tests."""
    _show("series", as_json)


@click.command("raters")
@options.json_option
def raters_command(as_json: bool) -> None:
    """The candidates that sit readability tests."""
    _show("readability", as_json)


@click.command("extractors")
@options.json_option
def extractors_command(as_json: bool) -> None:
    """The candidates that sit reading tasks."""
    _show("task", as_json)


def _show(kind: str | None, as_json: bool) -> None:
    from readmark.sitting.candidates import CANDIDATES

    more: dict[str, dict[str, object]] = {}
    for name, cls in CANDIDATES.working():
        kinds = CANDIDATES.entry(name).kinds or tuple(getattr(cls, "kinds", ()))
        if kind is None or not kinds or kind in kinds:
            more[name] = {"kinds": list(kinds), "parameters": _parameters(name, cls)}
    show_registry(CANDIDATES, as_json, more)


def _parameters(name: str, cls: type) -> dict[str, object]:
    """A candidate's parameters; one that cannot be described must not hide the others."""
    try:
        declared = parameters_of(cls).values()
    except ReadmarkError as error:
        options.say([f"candidate {name}: {error}"])
        return {}
    return {
        one.name: {"default": one.default, "choices": list(one.choices), "help": one.help}
        for one in declared
    }
