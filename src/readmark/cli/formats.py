"""``readmark formats``, ``metrics`` and ``kinds``: what is registered, one line each."""

from __future__ import annotations

import click

from readmark.cli import options
from readmark.corpus.registry import Registry, parameters_of


@click.command("formats")
@options.json_option
def formats_command(as_json: bool) -> None:
    """The formats of tests and sittings that are registered, one line each."""
    from readmark.corpus.formats import FORMATS, reads_sittings, reads_tests

    holds = {
        name: [
            noun
            for noun, test in (("tests", reads_tests), ("sittings", reads_sittings))
            if test(one)
        ]
        for name, one in FORMATS.working()
    }
    more: dict[str, dict[str, object]] = {
        name: {"holds": held, "parameters": _parameters(type(FORMATS.load(name)))}
        for name, held in holds.items()
    }
    show_registry(FORMATS, as_json, more)


@click.command("metrics")
@options.json_option
def metrics_command(as_json: bool) -> None:
    """The metrics that are registered, one line each, with their parameters."""
    from readmark.marking.metrics import METRICS

    more: dict[str, dict[str, object]] = {}
    for name, metric in METRICS.working():
        more[name] = {
            "kinds": list(METRICS.entry(name).kinds or getattr(metric, "kinds", ())),
            "parameters": _parameters(metric),
        }
    show_registry(METRICS, as_json, more)


@click.command("kinds")
@options.json_option
def kinds_command(as_json: bool) -> None:
    """The kinds of test that are registered, one line each."""
    from readmark.corpus.kinds import KINDS

    show_registry(KINDS, as_json, {name: {} for name in KINDS})


def _parameters(cls: type) -> dict[str, object]:
    return {
        one.name: {"default": one.default, "choices": list(one.choices), "help": one.help}
        for one in parameters_of(cls).values()
    }


def show_registry(registry: Registry, as_json: bool, more: dict[str, dict[str, object]]) -> None:
    """Names and their lines, those that ``more`` has, as a list or as JSON."""
    if as_json:
        options.print_json(
            {
                name: {"summary": registry.summary(name), "package": entry.package, **more[name]}
                for name, entry in registry.entries.items()
                if name in more
            }
        )
        return
    from readmark.reporting.terminal import print_registry

    print_registry([(_with_parameters(name, more[name]), registry.summary(name)) for name in more])


def _with_parameters(name: str, more: dict[str, object]) -> str:
    parameters = more.get("parameters")
    return (
        f"{name}({','.join(parameters)})" if isinstance(parameters, dict) and parameters else name
    )
