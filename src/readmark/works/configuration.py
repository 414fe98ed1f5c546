"""A project's configuration: one TOML file with everything that an annotator's page shows.

"The tool is configured by a single declarative file" is what the DARPA Machine Reading document
asks of an annotation tool (section 3.3). Categories are those of ``categories.toml``, entries are
forms, and the work that the file names says how items are made and how results are written.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any, Literal

import msgspec

from readmark.core.errors import DataError, did_you_mean
from readmark.core.json_lines import in_words
from readmark.core.records import Value
from readmark.works.marks import MarkAttribute, MarkRelation, Text

_NAME = re.compile(r"[^\W\d]\w{0,39}")
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
_TOML_PLACE = re.compile(r" \(at line (\d+), column \d+\)$")
LONGEST = 1 << 20
"""Characters of a configuration."""
MOST_PEOPLE = 1000
"""The largest overlap."""
MOST_DAYS = 10_000
"""Items are due in fewer days than this."""
_DEEP_KEY = re.compile(r"""(?<![\w-])(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){64}""")
"""A key of very many parts: the time that the parser takes grows with the square of them."""

Widget = Literal["text", "long_text", "number", "choice", "choices", "flag", "span", "spans"]


class HallRole(StrEnum):
    """What a person is in a project; an owner is one in the whole hall."""

    OWNER = "owner"
    ORGANISER = "organiser"
    ANNOTATOR = "annotator"
    ADJUDICATOR = "adjudicator"
    EXPERT = "expert"
    NOVICE = "novice"
    PARTICIPANT = "participant"
    TEAM = "team"
    """Takes part in a shared task, in a team."""


WORKERS = (
    HallRole.ANNOTATOR,
    HallRole.ADJUDICATOR,
    HallRole.EXPERT,
    HallRole.NOVICE,
    HallRole.PARTICIPANT,
)
"""Roles that items are handed out to."""


class ProjectTable(Value, frozen=True):
    """What a project is, and how its items are handed out."""

    name: Text
    work: str
    description: Text = ""
    guidelines: Text = ""
    overlap: int | Literal["all"] = 1
    """How many people get each item."""
    roles: tuple[str, ...] = ()
    """Who gets the items: roles in the project; by default everybody but adjudicators."""
    seed: int = 1
    days: float | None = None
    """How long after it is handed out an item is due."""
    qualify: float | None = None
    """The share of the qualifying items that must be right before real work is handed out."""
    is_final: bool = msgspec.field(default=False, name="final")
    """Whether what is handed in stays so, unless an organiser opens it again."""
    repeat: float = 0.0
    """The share of a person's items that they get a second time, later."""
    agree: tuple[str, ...] = ()
    """What live agreement compares; by default everything that two people's files have."""


class EntryField(Value, frozen=True):
    """A field of a form."""

    widget: Widget = "text"
    label: Text = ""
    guideline: Text = ""
    choices: tuple[str | int, ...] | dict[str, Text] = ()
    shortcut: str = ""
    optional: bool = False
    default: str | int | float | bool | None = None


class FormEntry(Value, frozen=True):
    """A form that an annotator fills in, once or again and again."""

    fields: dict[str, EntryField | Widget]
    label: Text = ""
    guideline: Text = ""
    shortcut: str = ""
    single: bool = False
    """Whether an item has exactly one."""
    fixed: bool = False
    """Whether the item brings its entries: people fill them in, and add or remove none."""
    advance: bool = False
    """Whether a choice that completes a form opens the next incomplete one."""


class ProjectCategory(Value, frozen=True):
    """What can be marked in a text. ``layer`` or ``statements`` say what becomes of a mark."""

    label: Text = ""
    shortcut: str = ""
    colour: str = ""
    guideline: Text = ""
    layer: str = ""
    tiles: bool = False
    """Whether marks of this category cover the text without gaps, as words do."""
    given: bool = False
    """Whether only the item brings marks of this category: people can add none."""
    id: str = ""
    attributes: dict[str, MarkAttribute | str] = {}
    relations: dict[str, MarkRelation | str] = {}
    statements: tuple[str, ...] = ()
    when: dict[str, tuple[str, ...]] = {}


class WorkedExample(Value, frozen=True):
    """A worked example that stands next to the guidelines."""

    text: str
    comment: Text = ""
    title: Text = ""


class Configuration(Value, frozen=True):
    """A project's file."""

    project: ProjectTable
    options: dict[str, Any] = {}
    """Settings of the work itself, such as the rules that it checks."""
    entry: dict[str, FormEntry] = {}
    category: dict[str, ProjectCategory] = {}
    object: dict[str, dict[str, Any]] = {}
    example: tuple[WorkedExample, ...] = ()


LARGEST_OPTIONS = 4000
"""Characters of options that lists have: those of a reading task are its files."""


class ConfigurationListing(msgspec.Struct, frozen=True, omit_defaults=True):
    """What lists of projects need of a configuration: to read a thousand files takes seconds."""

    name: Text
    work: str
    roles: tuple[str, ...] = ()
    options: dict[str, Any] | None = None
    """None where they are long."""


def listing_of(configuration: Configuration) -> ConfigurationListing:
    """What lists say of a project with this configuration."""
    project, options = configuration.project, configuration.options
    is_short = len(msgspec.json.encode(options)) <= LARGEST_OPTIONS
    return ConfigurationListing(
        project.name, project.work, project.roles, options if is_short else None
    )


def read_configuration(text: str, file: str = "project.toml") -> Configuration:
    """A configuration from its text; a ``DataError`` names the first faulty line."""
    if len(text) > LONGEST:
        raise DataError(f"longer than {LONGEST} characters", file=file)
    if (deep := _DEEP_KEY.search(text)) is not None:
        line = text.count("\n", 0, deep.start()) + 1
        raise DataError("a key has too many parts", file=file, where=line)
    data: dict[str, Any] = {}
    try:
        data = tomllib.loads(text)
        configuration = msgspec.convert(data, Configuration)
    except tomllib.TOMLDecodeError as error:
        place = _TOML_PLACE.search(str(error))
        message = _TOML_PLACE.sub("", str(error))
        raise DataError(message, file=file, where=place[1] if place else 1) from error
    except RecursionError as error:
        raise DataError("nested too deep", file=file, where=1) from error
    except msgspec.ValidationError as error:
        members = _with_names(data, _path_of(error), str(error))
        raise DataError(in_words(error), file=file, where=line_of(text, *members)) from error
    except ValueError as error:  # Python reads no number of thousands of digits
        raise DataError("a number has too many digits", file=file, where=1) from error
    for path, message in _not_json(data):
        raise DataError(message, file=file, where=line_of(text, *path))
    for path, message in _faults(configuration):
        raise DataError(message, file=file, where=line_of(text, *path))
    return configuration


def _not_json(value: Any, *path: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Values that TOML has and JSON has not: pages are made of JSON."""
    if isinstance(value, dict):
        for name, member in value.items():
            yield from _not_json(member, *path, name)
    elif isinstance(value, list):
        for member in value:
            yield from _not_json(member, *path)
    elif isinstance(value, float) and not math.isfinite(value):
        yield path, f"{path[-1]} is not a finite number"
    elif isinstance(value, int) and not -(2**53) < value < 2**53:
        yield path, f"{path[-1]} is too large a number"
    elif not isinstance(value, str | int | float):
        yield path, f"{path[-1]} is a date or a time: put it in quotes"


def _path_of(error: msgspec.ValidationError) -> list[str]:
    """The names on the way to a fault; msgspec does not name the members of a table (``[...]``)."""
    quoted = re.findall(r"`([^`]*)`", str(error))
    path = [
        name for part in quoted if part.startswith("$") for name in re.findall(r"\w+|\.{3}", part)
    ]
    unknown = re.search(r"unknown field `([^`]*)`", str(error))
    return [*path, unknown[1]] if unknown else path


def _with_names(data: dict[str, Any], path: list[str], message: str) -> list[str]:
    """The path with names instead of ``...``: those whose tables alone give the same message."""
    for index, name in enumerate(path):
        if name != "...":
            continue
        table: Any = data
        for step in path[:index]:
            table = table.get(step) if isinstance(table, dict) else None
        if not isinstance(table, dict):
            break
        for key, value in list(table.items()):
            table.clear()
            table[key] = value
            try:
                msgspec.convert(data, Configuration)
            except msgspec.ValidationError as error:
                if str(error) == message:
                    path[index] = key
                    break
    return path


def line_of(text: str, *path: str) -> int:
    """The line of the table or member that a path leads to; else that of the nearest above it."""
    table: list[str] = []
    best, depth = 1, 0
    for number, line in enumerate(text.split("\n"), 1):
        if header := re.match(r"\s*\[{1,2}([^\[\]]+)\]", line):
            table = re.findall(r"[\w-]+", header[1])
            place = table
        elif key := re.match(r"\s*([\w.\"-]+)\s*=", line):
            place = [*table, *re.findall(r"[\w-]+", key[1])]
        else:
            continue
        shared = 0
        for name, step in zip(place, path, strict=False):
            if step not in (name, "..."):
                break
            shared += 1
        if shared > depth and shared == len(place):
            best, depth = number, shared
    return best


def _faults(configuration: Configuration) -> Iterator[tuple[tuple[str, ...], str]]:
    """What is wrong, one by one: to find similar names for thousands of faults takes minutes."""
    project = configuration.project
    if project.overlap != "all" and not 1 <= project.overlap <= MOST_PEOPLE:
        message = f'overlap is {project.overlap}, expected 1 to {MOST_PEOPLE}, or "all"'
        yield ("project", "overlap"), message
    for role in project.roles:
        if role not in WORKERS:
            message = f"{role!r} is not a role that gets items; {did_you_mean(role, WORKERS)}"
            yield ("project", "roles"), message
    if project.days is not None and not 0 < project.days < MOST_DAYS:
        message = f"days is {project.days:g}, expected a number above 0 and below {MOST_DAYS:,}"
        yield ("project", "days"), message
    if project.qualify is not None and not 0 < project.qualify <= 1:
        message = f"qualify is {project.qualify:g}, expected a share above 0 and up to 1"
        yield ("project", "qualify"), message
    if not 0 <= project.repeat <= 0.5:
        message = f"repeat is {project.repeat:g}, expected a share from 0 to 0.5"
        yield ("project", "repeat"), message
    shortcuts: dict[str, str] = {}
    tables: dict[str, Mapping[str, Any]] = {
        "entry": configuration.entry,
        "category": configuration.category,
    }
    for table, declared in tables.items():
        for name, value in declared.items():
            path = (table, name)
            if not _NAME.fullmatch(name):
                yield path, f"{name!r} cannot be a name: expected one word"
            key = value.shortcut
            if len(key) > 1:
                message = f"the shortcut of {name} is {key!r}, expected one character"
                yield (*path, "shortcut"), message
            elif key and shortcuts.setdefault(key, name) != name:
                message = f"the shortcut {key!r} of {name} is also that of {shortcuts[key]}"
                yield (*path, "shortcut"), message
    for name, category in configuration.category.items():
        path = ("category", name)
        if category.colour and not _COLOUR.fullmatch(category.colour):
            message = f"the colour of {name} is {category.colour!r}, expected one such as #4477aa"
            yield (*path, "colour"), message
        for name_of_relation, value in category.relations.items():
            relation = MarkRelation(to=value) if isinstance(value, str) else value
            for to in relation.targets:
                if to not in configuration.category:
                    hint = did_you_mean(to, configuration.category)
                    leads_to = f"leads to {to}, which is not a category"
                    message = f"{name_of_relation} of {name} {leads_to}; {hint}"
                    yield (*path, "relations", name_of_relation), message
    for name, entry in configuration.entry.items():
        if not entry.fields:
            yield ("entry", name), f"the entry {name} has no fields"
        for field, described in entry.fields.items():
            widget = described if isinstance(described, str) else described.widget
            choices = () if isinstance(described, str) else described.choices
            if widget in ("choice", "choices") and not choices:
                message = f"{field} of {name} is a {widget} and has no choices"
                yield ("entry", name, "fields", field), message


def in_language(text: Text, language: str) -> str:
    """A text in a language, else in English, else in any."""
    if isinstance(text, str):
        return text
    return text.get(language) or text.get("en") or next(iter(text.values()), "")
