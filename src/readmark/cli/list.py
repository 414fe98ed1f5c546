"""``readmark list``: what is registered, and what its parameters are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import click
from rich.console import Console

from readmark import console as options
from readmark.console import WORDS
from readmark.core.display import Result, print_registry
from readmark.core.errors import ReadmarkError, UsageError, did_you_mean
from readmark.core.parsed_names import spell
from readmark.core.registry import Registry
from readmark.hooks import hook

SECTIONS = {
    "candidates": "who can sit a test: readers, rewriters, raters, extractors",
    "metrics": "how answers are scored",
    "formats": "files that tests and sittings are read from and written to",
    "kinds": "kinds of test",
    "works": "what people do in the exam hall",
}
"""What can be listed, in this order."""
_NOUNS = {section: section.removesuffix("s") for section in SECTIONS}


def _complete_section(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    return [section for section in SECTIONS if section.startswith(incomplete)]


def _complete_name(context: click.Context, _: click.Parameter, incomplete: str) -> list[str]:
    section = context.params.get("what")
    names = _registry(section) if section in SECTIONS else ()
    return [name for name in names if name.startswith(incomplete)]


@click.command("list")
@click.argument(
    "what", required=False, metavar=f"[{'|'.join(SECTIONS)}]", shell_complete=_complete_section
)
@click.argument("name", required=False, shell_complete=_complete_name, type=WORDS)
@options.json_option
def list_command(what: str | None, name: str | None, as_json: bool) -> None:
    """List candidates, metrics, formats, kinds of test and works of the exam hall.

    Without an argument, prints how many there are of each. With NAME, or with a name alone
    (readmark list span), shows the parameters of one entry.
    """
    listing = list_registered(what, name)
    options.notify(listing.notes)
    options.print_result(listing, as_json=as_json)


@dataclass(frozen=True, repr=False)
class Listing(Result):
    """What is registered, by section and name: one line each, the package, the parameters."""

    sections: Mapping[str, Mapping[str, Mapping[str, Any]]]
    detail: str = "names"
    """What `show` prints: "counts" of the sections, "names", or the "parameters" of entries."""
    notes: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Sections with their entries; the same members whatever `show` prints."""
        return {name: dict(entries) for name, entries in self.sections.items()}

    def table_rows(self) -> list[dict[str, Any]]:
        """One row per entry."""
        return [
            {"section": section, "name": name, **entry}
            for section, entries in self.sections.items()
            for name, entry in entries.items()
        ]

    def show(self, console: Console) -> None:
        """Print counts, names with their lines, or parameters."""
        if self.detail == "counts":
            rows = [
                (section, f"{len(entries):>3}  {SECTIONS[section]}")
                for section, entries in self.sections.items()
            ]
            print_registry(rows, console)
            console.print("readmark list metrics lists one of them; readmark list f1 shows a name.")
        elif self.detail == "names":
            for entries in self.sections.values():
                _show_names(entries, console)
        else:
            for section, entries in self.sections.items():
                for name, entry in entries.items():
                    _show_parameters(_NOUNS[section], name, entry, console)


def _show_names(entries: Mapping[str, Mapping[str, Any]], console: Console) -> None:
    """A line for each name, with its parameters in brackets, by the kind of test it serves."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for name, entry in entries.items():
        groups.setdefault(_served(entry), []).append((name, entry["summary"]))
    parameters = {
        name: f"({', '.join(entry['parameters'])})"
        for name, entry in entries.items()
        if entry["parameters"]
    }
    for index, (group, rows) in enumerate(sorted(groups.items(), key=lambda item: "," in item[0])):
        if index:
            console.print()
        if len(groups) > 1:
            console.print(group, style="bold", highlight=False)
        print_registry(rows, console, more=parameters)


def _served(entry: Mapping[str, Any]) -> str:
    return ", ".join(entry.get("kinds", ())) or "any"


def _show_parameters(noun: str, name: str, entry: Mapping[str, Any], console: Console) -> None:
    console.print(f"{noun} {name}: {entry['summary']}", highlight=False)
    if "kinds" in entry:
        console.print(f"kinds of test: {_served(entry)}", highlight=False)
    if entry.get("holds"):
        console.print(f"holds {' and '.join(entry['holds'])}", highlight=False)
    rows = []
    for parameter, about in entry["parameters"].items():
        line = about["help"]
        if about["choices"]:
            line += f" ({'|'.join(about['choices'])})"
        if about["default"] not in (None, "") and "default:" not in line:
            line += f"  [default: {spell(about['default'])}]"
        rows.append((parameter, line))
    print_registry(rows, console)


def list_registered(what: str | None = None, name: str | None = None) -> Listing:
    """What is registered in a section, or everywhere; with a name, only the entries of that name.

    ``what`` may be a name too, which is then sought in every section.
    """
    if what is None:
        sections, notes = _entries(*SECTIONS)
        return Listing(sections, "counts", notes)
    if name is None and what in SECTIONS:
        sections, notes = _entries(what)
        return Listing(sections, "names", notes)
    if name is not None and what not in SECTIONS:
        raise UsageError(f"cannot list {what!r}; {did_you_mean(what, SECTIONS)}")
    sections, notes = _entries(*(SECTIONS if name is None else (what,)))
    entry_name = what if name is None else name
    matches = {
        section: {entry_name: entries[entry_name]}
        for section, entries in sections.items()
        if entry_name in entries
    }
    if not matches:
        names = [each for entries in sections.values() for each in entries]
        scope = "is listed" if name is None else f"is among the {what}"
        hint = did_you_mean(entry_name, [*(SECTIONS if name is None else ()), *names])
        raise UsageError(f"nothing called {entry_name!r} {scope}; {hint}")
    return Listing(matches, "parameters", notes)


def _entries(*sections: str) -> tuple[dict[str, dict[str, dict[str, Any]]], tuple[str, ...]]:
    """The entries of sections, and notes on those that cannot be described."""
    notes: list[str] = []
    entries = {section: dict(_described(section, notes)) for section in sections}
    return entries, tuple(notes)


def _described(section: str, notes: list[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The entries of a section; what cannot be described is added to the notes."""
    registry = _registry(section)
    if section == "works":  # their modules need the extra "serve", their names do not
        for name, entry in registry.entries.items():
            try:
                summary = registry.summary(name)
            except ReadmarkError as error:
                notes.append(f"work {name}: {error}")
            else:
                yield name, {"summary": summary, "package": entry.package, "parameters": {}}
        return
    for name, thing in registry.working():
        entry = registry.entry(name)
        cls = thing if isinstance(thing, type) else type(thing)
        described: dict[str, Any] = {"summary": registry.summary(name), "package": entry.package}
        if section in ("candidates", "metrics"):
            declared = thing.facts.kinds if section == "metrics" else hook(cls, "kinds", ())
            described["kinds"] = list(entry.kinds or declared or _registry("kinds"))
        if section == "formats":
            described["holds"] = _holds(thing)
        described["parameters"] = {}
        if section != "kinds":
            try:
                described["parameters"] = _parameters(registry, name)
            except ReadmarkError as error:  # one that cannot be described must not hide the others
                notes.append(f"{_NOUNS[section]} {name}: {error}")
        yield name, described


def _registry(section: str) -> Registry:
    from readmark.core.kinds import KINDS
    from readmark.formats.registry import FORMATS
    from readmark.marking import METRICS
    from readmark.sitting import CANDIDATES
    from readmark.works import WORKS

    return {
        "candidates": CANDIDATES,
        "metrics": METRICS,
        "formats": FORMATS,
        "kinds": KINDS,
        "works": WORKS,
    }[section]


def _holds(format: object) -> list[str]:
    from readmark.formats.registry import reads_sittings, reads_tests

    holds = {"tests": reads_tests(format), "sittings": reads_sittings(format)}
    return [noun for noun, is_held in holds.items() if is_held]


def _parameters(registry: Registry, name: str) -> dict[str, object]:
    return {
        value.name: {"default": value.default, "choices": list(value.choices), "help": value.help}
        for value in registry.parameters(name).values()
    }
