"""``readmark candidates`` and, by the kind of test, ``readers``, ``rewriters`` and the rest."""

from __future__ import annotations

import click

from readmark import console as options
from readmark.core.errors import ReadmarkError
from readmark.core.registry import Registry, parameters_of

# ``readmark formats``, ``metrics`` and ``kinds``: what is registered, one line each.


@click.command("formats")
@options.json_option
def formats_command(as_json: bool) -> None:
    """List the formats of tests and sittings, one per line."""
    from readmark.formats.registry import FORMATS, reads_sittings, reads_tests

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
    """List the metrics, one per line, with their parameters."""
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
    """List the kinds of test, one per line."""
    from readmark.core.kinds import KINDS

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
    from readmark.core.display import print_registry

    print_registry([(_with_parameters(name, more[name]), registry.summary(name)) for name in more])


def _with_parameters(name: str, more: dict[str, object]) -> str:
    parameters = more.get("parameters")
    return (
        f"{name}({','.join(parameters)})" if isinstance(parameters, dict) and parameters else name
    )


@click.command("candidates")
@options.json_option
def candidates_command(as_json: bool) -> None:
    """List all candidates, one per line, with their parameters."""
    _show(None, as_json)


@click.command("readers")
@options.json_option
def readers_command(as_json: bool) -> None:
    """List the candidates that sit comprehension tests."""
    _show("comprehension", as_json)


@click.command("rewriters")
@options.json_option
def rewriters_command(as_json: bool) -> None:
    """List the candidates that sit series tests."""
    _show("series", as_json)


@click.command("raters")
@options.json_option
def raters_command(as_json: bool) -> None:
    """List the candidates that sit readability tests."""
    _show("readability", as_json)


@click.command("extractors")
@options.json_option
def extractors_command(as_json: bool) -> None:
    """List the candidates that sit reading tasks."""
    _show("task", as_json)


def _show(kind: str | None, as_json: bool) -> None:
    from readmark.sitting.candidates import CANDIDATES

    more: dict[str, dict[str, object]] = {}
    for name, cls in CANDIDATES.working():
        kinds = CANDIDATES.entry(name).kinds or tuple(getattr(cls, "kinds", ()))
        if kind is None or not kinds or kind in kinds:
            more[name] = {"kinds": list(kinds), "parameters": _candidates_parameters(name, cls)}
    show_registry(CANDIDATES, as_json, more)


def _candidates_parameters(name: str, cls: type) -> dict[str, object]:
    """A candidate's parameters; one that cannot be described must not hide the others."""
    try:
        declared = parameters_of(cls).values()
    except ReadmarkError as error:
        options.notify([f"candidate {name}: {error}"])
        return {}
    return {
        one.name: {"default": one.default, "choices": list(one.choices), "help": one.help}
        for one in declared
    }
