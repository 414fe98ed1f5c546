"""``readmark formats``, ``metrics``, ``kinds``, ``candidates`` and the rest: what is registered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import click
from rich.console import Console

from readmark import console as options
from readmark.core.display import Result, print_registry
from readmark.core.errors import ReadmarkError
from readmark.core.registry import Registry, parameters_of


@dataclass(frozen=True, repr=False)
class Listing(Result):
    """What is registered under each name: one line of prose, its package, its parameters."""

    entries: Mapping[str, Mapping[str, Any]]
    notes: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """A member a name."""
        return dict(self.entries)

    def table_rows(self) -> list[dict[str, Any]]:
        """One row per name."""
        return [{"name": name, **entry} for name, entry in self.entries.items()]

    def show(self, console: Console) -> None:
        """Print a line a name, with its parameters in brackets."""
        rows = [(name, entry["summary"]) for name, entry in self.entries.items()]
        parameters = {
            name: f"({', '.join(entry['parameters'])})"
            for name, entry in self.entries.items()
            if entry.get("parameters")
        }
        print_registry(rows, console, more=parameters)


def list_formats() -> Listing:
    """The formats of tests and sittings."""
    from readmark.formats.registry import FORMATS, reads_sittings, reads_tests

    more = {}
    for name, format in FORMATS.working():
        held = {"tests": reads_tests(format), "sittings": reads_sittings(format)}
        holds = [noun for noun, holds in held.items() if holds]
        more[name] = {"holds": holds, "parameters": _parameters(type(format))}
    return _listing(FORMATS, more)


def list_metrics() -> Listing:
    """The metrics, with their parameters."""
    from readmark.marking.metrics import METRICS

    more = {
        name: {
            "kinds": list(METRICS.entry(name).kinds or getattr(metric, "kinds", ())),
            "parameters": _parameters(metric),
        }
        for name, metric in METRICS.working()
    }
    return _listing(METRICS, more)


def list_kinds() -> Listing:
    """The kinds of test."""
    from readmark.core.kinds import KINDS

    return _listing(KINDS, {name: {} for name in KINDS})


def list_candidates(kind: str | None = None) -> Listing:
    """The candidates, with their parameters: all, or those that sit a kind of test."""
    from readmark.sitting.candidates import CANDIDATES

    more: dict[str, dict[str, Any]] = {}
    notes = []
    for name, cls in CANDIDATES.working():
        kinds = CANDIDATES.entry(name).kinds or tuple(getattr(cls, "kinds", ()))
        if kind is None or not kinds or kind in kinds:
            more[name] = {"kinds": list(kinds), "parameters": {}}
            try:
                more[name]["parameters"] = _parameters(cls)
            except ReadmarkError as error:  # one that cannot be described must not hide the others
                notes.append(f"candidate {name}: {error}")
    return _listing(CANDIDATES, more, tuple(notes))


def _listing(
    registry: Registry, more: Mapping[str, Mapping[str, Any]], notes: tuple[str, ...] = ()
) -> Listing:
    return Listing(
        {
            name: {"summary": registry.summary(name), "package": entry.package, **more[name]}
            for name, entry in registry.entries.items()
            if name in more
        },
        notes,
    )


def _parameters(cls: type) -> dict[str, object]:
    return {
        value.name: {"default": value.default, "choices": list(value.choices), "help": value.help}
        for value in parameters_of(cls).values()
    }


def _command(name: str, help: str, entries: Callable[[], Listing]) -> click.Command:
    @click.command(name, help=help)
    @options.json_option
    def command(as_json: bool) -> None:
        listing = entries()
        options.notify(listing.notes)
        options.print_result(listing, as_json=as_json)

    return command


formats_command = _command(
    "formats", "List the formats of tests and sittings, one per line.", list_formats
)
metrics_command = _command(
    "metrics", "List the metrics, one per line, with their parameters.", list_metrics
)
kinds_command = _command("kinds", "List the kinds of test, one per line.", list_kinds)
candidates_command = _command(
    "candidates", "List all candidates, one per line, with their parameters.", list_candidates
)
readers_command = _command(
    "readers",
    "List the candidates that sit comprehension tests.",
    lambda: list_candidates("comprehension"),
)
rewriters_command = _command(
    "rewriters", "List the candidates that sit series tests.", lambda: list_candidates("series")
)
raters_command = _command(
    "raters",
    "List the candidates that sit readability tests.",
    lambda: list_candidates("readability"),
)
extractors_command = _command(
    "extractors", "List the candidates that sit reading tasks.", lambda: list_candidates("task")
)
