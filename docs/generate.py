"""Writes the generated parts of the documentation from the code that they describe.

A part stands between ``<!-- generated: NAME -->`` and ``<!-- end -->``. ``python docs/generate.py``
writes the parts anew; with ``--check`` it changes nothing and exits 1 when one is stale.
"""

from __future__ import annotations

import ast
import inspect
import re
import runpy
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any

import click
import msgspec
from msgspec import inspect as types

from readmark.cli.main import HEADINGS, cli
from readmark.comprehension.profiles import PROFILES
from readmark.core import marksheet, sitting, test
from readmark.core import records as values
from readmark.core.configuration_sections import described_keys
from readmark.core.extras import EXTRAS
from readmark.core.kinds import KINDS
from readmark.core.parsed_names import spell
from readmark.core.registry import Registry, parameters_of
from readmark.formats.registry import FORMATS, reads_sittings, reads_tests
from readmark.formats.tables import headings
from readmark.hooks import Kind
from readmark.marking.metrics import METRICS
from readmark.marking.settings import RECORDED, MarkSettings
from readmark.readability import kind as readability_kind
from readmark.series import records as series_records
from readmark.sitting.candidates import CANDIDATES
from readmark.sitting.settings import PlanSettings, SitSettings

DOCS = Path(__file__).resolve().parent
PAGES = (DOCS.parent / "README.md", *sorted(DOCS.rglob("*.md")))
MEMBERS = DOCS / "members.toml"
NO_PARAMETERS = "It takes no parameters.\n"
HOUSE = DOCS.parent / "src" / "readmark"

TEST_VALUES = (
    "Header",
    "Passage",
    "Question",
    "QuestionKey",
    "Answer",
    "Phrase",
    "RecordKey",
    "Layer",
    "Series",
    "SeriesQuestion",
    "SeriesQuestionKey",
    "RatedPassage",
    "RatingKey",
    "Rating",
)
SITTING_VALUES = ("SittingHeader", "Row")
MARKSHEET_VALUES = (
    "MarksheetHeader",
    "MarkedTest",
    "MarkedSplit",
    "MarkedRecord",
    "MarkedUnit",
    "ErrorNames",
    "SeenPassages",
    "MarkedClasses",
    "Alone",
    "Labelled",
    "MarksRow",
)

_PLAIN: dict[type, str] = {
    str: "text",
    int: "whole number",
    float: "number",
    bool: "`true|false`",
    types.StrType: "text",
    types.IntType: "whole number",
    types.FloatType: "number",
    types.BoolType: "true or false",
    types.AnyType: "any value",
}
_PART = re.compile(r"(<!-- generated: (?P<name>[^>]+?) -->\n).*?(<!-- end -->)", re.DOTALL)


class DocsError(Exception):
    """Something that the documentation must say and does not."""


def table(header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A Markdown table."""
    head = list(header)
    lines = [head, ["---"] * len(head), *map(list, rows)]
    return "".join(f"| {' | '.join(_cell(one) for one in line)} |\n" for line in lines)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|") or " "


def commands() -> str:
    """Every command with its arguments and options."""
    context = cli.make_context("readmark", [], resilient_parsing=True)
    parts = ["## readmark\n\n```\nreadmark [OPTIONS] COMMAND [ARGS]...\n```\n"]
    parts += [f"{_help(cli)}\n", _options(cli, context)]
    for name in chain(*HEADINGS.values()):
        command = cli.get_command(context, name)
        if command is None:
            raise DocsError(f"no command {name}")
        parts += _described(command, name, context)
    return "\n".join(parts)


def _described(command: click.Command, name: str, parent: click.Context) -> Iterator[str]:
    """A command, and the commands that it is a group of."""
    own = click.Context(command, info_name=name.split()[-1], parent=parent)
    usage = " ".join(["readmark", name, *command.collect_usage_pieces(own)])
    rank = "#" * (1 + len(name.split()))
    yield f"{rank} readmark {name}\n\n```\n{usage}\n```\n\n{_help(command)}\n"
    yield _options(command, own)
    if isinstance(command, click.Group):
        for verb in command.list_commands(own):
            inner = command.get_command(own, verb)
            if inner is not None:
                yield from _described(inner, f"{name} {verb}", own)


def _options(command: click.Command, context: click.Context) -> str:
    found = [one for one in command.get_params(context) if isinstance(one, click.Option)]
    rows = [_option(option, context) for option in found]
    return table(("option", "default", "what it does"), rows)


def _help(command: click.Command) -> str:
    return re.sub(r"(\{[^}]*\})", r"`\1`", inspect.cleandoc(command.help or ""))


def _option(option: click.Option, context: click.Context) -> tuple[str, str, str]:
    if option.is_flag:
        value = ""
    elif isinstance(option.type, click.Choice):
        value = " " + "|".join(map(str, option.type.choices))
    else:
        value = f" {option.metavar or option.type.name.upper()}"
    help, _, computed = (option.help or "").removesuffix("]").partition("  [default: ")
    shown = option.get_help_extra(context).get("default")
    names = " / ".join([", ".join(sorted(option.opts, key=len)), *option.secondary_opts])
    return f"`{names}{value}`", f"`{shown}`" if shown else computed, f"{help.rstrip('.')}."


def _parameters(cls: type) -> str:
    rows = [
        (
            f"`{one.name}`",
            f"`{'|'.join(one.choices)}`" if one.choices else _PLAIN[one.type],
            " " if one.default is None else f"`{spell(one.default)}`",
            one.help,
        )
        for one in parameters_of(cls).values()
    ]
    return table(("parameter", "values", "default", "what it is"), rows) if rows else NO_PARAMETERS


def metric_parameters() -> str:
    """Every metric under a heading of its own, with its parameters."""
    return _entries(METRICS)


def candidate_parameters() -> str:
    """Every candidate under a heading of its own, with its parameters."""
    return _entries(CANDIDATES)


def _entries(registry: Registry) -> str:
    parts = []
    shown: dict[str, str] = {}
    for name in _own(registry):
        entry = registry.entry(name)
        kinds = ", ".join(entry.kinds or ["every kind of test"])
        summary = f"{entry.summary[0].upper()}{entry.summary[1:]} ({kinds})."
        parameters = _parameters(registry.load(name))
        first = shown.setdefault(parameters, name)
        if first != name and parameters != NO_PARAMETERS:
            parameters = f"The parameters are those of [{first}](#{first}).\n"
        parts.append(f"### {name}\n\n{summary}\n\n{parameters}")
    return "\n".join(parts)


def test_members() -> str:
    """The members of every value of a test."""
    return _structs(TEST_VALUES)


def sitting_members() -> str:
    """The members of every value of a sitting."""
    return _structs(SITTING_VALUES)


def marksheet_members() -> str:
    """The members of every value of a marksheet."""
    return _structs(MARKSHEET_VALUES)


def _structs(names: Iterable[str]) -> str:
    return "\n".join(f"### {name}\n\n{struct(name)}" for name in names)


def profiles() -> str:
    """Every profile in one line."""
    return table(("profile", "in short"), ((f"`{name}`", said) for name, said in PROFILES.items()))


def formats() -> str:
    """Every format, what it holds, and whether it can be written."""
    rows = []
    for name in _own(FORMATS):
        one = FORMATS.load(name)
        holds = [n for n, t in (("tests", reads_tests), ("sittings", reads_sittings)) if t(one)]
        writers = ("write", "write_sitting", "convert")
        written = "yes" if any(hasattr(one, writer) for writer in writers) else "no"
        rows.append((f"`{name}`", FORMATS.entry(name).summary, ", ".join(holds), written))
    return table(("format", "what it is", "holds", "written too"), rows)


def kinds() -> str:
    """Every kind of test."""
    rows = []
    for name in _own(KINDS):
        kind = KINDS.load(name)
        said = KINDS.entry(name).summary
        rows.append((f"`{name}`", said, kind.record_noun, f"`{kind.answer}`", kind.main_metric))
    return table(("kind", "what it is", "cluster", "answer's member", "compared by"), rows)


def settings() -> str:
    """What decides everything random, with its defaults."""
    rows = [
        (f"`{one.name}`", f"`{one.default}`", one.metadata["help"])
        for one in fields(MarkSettings)
        if one.name in RECORDED
    ]
    return table(("setting", "default", "what it is"), rows)


def settings_objects() -> str:
    """The settings objects of the Python API, each field with its type and default."""
    parts = []
    for cls in (SitSettings, PlanSettings, MarkSettings):
        inherited = {one.name for base in cls.__mro__[1:-1] for one in fields(base)}
        rows = [
            (
                f"`{one.name}`",
                _settings_type(one.metadata["takes"]),
                "" if one.default in (None, ()) else f"`{one.default}`",
                one.metadata["help"],
            )
            for one in fields(cls)
            if one.name not in inherited
        ]
        more = "Has the fields of `SitSettings`, and:\n\n" if inherited else ""
        heads = ("field", "type", "default", "what it is")
        parts.append(f"### {cls.__name__}\n\n{more}{table(heads, rows)}")
    return "\n".join(parts)


def _settings_type(plain: type) -> str:
    return "text or list of texts" if plain is list else _PLAIN.get(plain, f"`{plain.__name__}`")


def extras() -> str:
    """What can be installed beside the base."""
    rows = []
    for name, packages in _project()["project"]["optional-dependencies"].items():
        if name not in EXTRAS:
            raise DocsError(f"extra {name} is declared and doctor does not know it")
        names = ", ".join(re.match(r"[\w-]+(\[.*\])?", one)[0] for one in packages)  # type: ignore[index]
        rows.append((f"`{name}`", EXTRAS[name], names))
    return table(("extra", "what it adds", "packages"), rows)


def house() -> str:
    """The folders of the package, in the words of their own docstrings."""
    rows = [(f"`{path.parent.name}/`", _said(path)) for path in sorted(HOUSE.glob("*/__init__.py"))]
    return table(("folder", "what is there"), rows)


def _said(path: Path) -> str:
    return (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").split("\n\n")[0]


def doors() -> str:
    """What other rooms may use of each room that has a door."""
    rows = []
    for path in sorted(HOUSE.glob("*/__init__.py")):
        names = getattr(import_module(f"readmark.{path.parent.name}"), "__all__", ())
        if names:
            rows.append(
                (f"`readmark.{path.parent.name}`", ", ".join(f"`{name}`" for name in names))
            )
    return table(("door", "what others may use"), rows)


def layers() -> str:
    """The contract that import-linter checks."""
    [contract] = _project()["tool"]["importlinter"]["contracts"]
    return "```\n" + "\n".join(contract["layers"]) + "\n```\n"


def struct(name: str) -> str:
    """The members of a value that stands in files."""
    cls = next(
        getattr(module, name)
        for module in (values, test, sitting, marksheet, series_records, readability_kind)
        if hasattr(module, name)
    )
    about = types.type_info(cls)
    if not isinstance(about, types.StructType):
        raise DocsError(f"{name} is no struct")
    meanings = _meanings(name)
    rows = []
    if about.tag_field is not None:
        rows.append((f"`{about.tag_field}`", "text", f'`"{about.tag}"`', "which row this is"))
    for one in about.fields:
        if (cls, one.name) == (sitting.Row, "answer"):
            rows += [
                (f"`{kind.answer}`", _answer_type(kind), _default(one), meanings.pop(kind.answer))
                for _, kind in KINDS.working()
            ]
            continue
        if one.name not in meanings:
            raise DocsError(f"{MEMBERS.name} does not say what {name}.{one.name} is")
        rows.append(
            (f"`{one.encode_name}`", _type(one.type), _default(one), meanings.pop(one.name))
        )
    _all_told(name, meanings)
    return table(("member", "type", "default", "what it is"), rows)


def _type(one: types.Type) -> str:
    """A type in the words of JSON."""
    match one:
        case types.StructType():
            return _link(one.cls.__name__)
        case types.UnionType():
            return " or ".join(_type(part) for part in one.types if not _is_none(part))
        case types.VarTupleType() | types.ListType():
            return f"list of {_type(one.item_type)}"
        case types.TupleType():
            return "[start, end]"
        case types.DictType():
            inside = _type(one.value_type)
            return "object" if inside == "any value" else f"object of {inside}"
    return _PLAIN[type(one)]


def _answer_type(kind: Kind) -> str:
    return _type(types.type_info(kind.answer_type))


def _is_none(one: types.Type) -> bool:
    return isinstance(one, types.NoneType) or getattr(one, "cls", None) is msgspec.UnsetType


def _link(name: str) -> str:
    return f"[{name}](#{name.lower()})"


def _default(field: types.Field) -> str:
    if field.required:
        return "required"
    if field.default_factory is not msgspec.NODEFAULT:
        return {dict: "`{}`", list: "`[]`"}[field.default_factory]
    if field.default is None or field.default is msgspec.NODEFAULT:
        return "absent"
    return f"`{msgspec.json.encode(field.default).decode()}`"


def _meanings(name: str) -> dict[str, str]:
    told = tomllib.loads(MEMBERS.read_text(encoding="utf-8"))
    return dict(told.get(name, {}))


def _all_told(name: str, left: dict[str, str]) -> None:
    if left:
        raise DocsError(f"{MEMBERS.name} tells of {name}.{', '.join(left)}, which does not exist")


def _project() -> dict[str, Any]:
    return tomllib.loads((DOCS.parent / "pyproject.toml").read_text(encoding="utf-8"))


def _own(registry: Registry) -> Iterator[str]:
    """What comes with Readmark: plug-ins that happen to be installed are not ours to document."""
    return (name for name, entry in registry.entries.items() if entry.package == "readmark")


def small_models(name: str) -> str:
    """A table of what language models were measured to do, out of the figures that are kept."""
    path = DOCS.parent / "benchmarks" / "small_models.py"
    return table(*runpy.run_path(str(path))["page_table"](name))


def configuration_keys() -> str:
    """The keys of readmark.toml, section by section."""
    rows: dict[str, list[tuple[str, ...]]] = {}
    for name, spec in described_keys():
        section, _, key = name.rpartition(".")
        default = spec.default_shown
        if default and not spec.default_words:
            default = f"`{default}`"
        words = spec.value.words if spec.value is not None else ""
        rows.setdefault(section, []).append((f"`{key}`", words, default or "required", spec.help))
    head = ("key", "takes", "default", "meaning")
    parts = (f"### `[{section}]`\n\n{table(head, lines)}" for section, lines in rows.items())
    return "\n" + "\n".join(parts) + "\n"


def configuration_columns() -> str:
    """The keys of [columns]: the fields of a table of questions, with the headings of each."""
    rows = [(f"`{field}`", ", ".join(known)) for field, known in headings.HEADINGS.items()]
    return table(("key", "default"), rows)


PARTS: dict[str, Callable[[], str]] = {
    "configuration-columns": configuration_columns,
    "configuration-keys": configuration_keys,
    "commands": commands,
    "metric-parameters": metric_parameters,
    "candidate-parameters": candidate_parameters,
    "test-members": test_members,
    "sitting-members": sitting_members,
    "marksheet-members": marksheet_members,
    "profiles": profiles,
    "formats": formats,
    "kinds": kinds,
    "settings": settings,
    "settings-objects": settings_objects,
    "extras": extras,
    "house": house,
    "doors": doors,
    "layers": layers,
}
ABOUT: dict[str, Callable[[str], str]] = {
    "struct": struct,
    "small-models": small_models,
}


def fresh(page: str) -> str:
    """A page with its generated parts as the code is now."""

    def replaced(found: re.Match[str]) -> str:
        name, _, argument = found["name"].partition(" ")
        if argument and name in ABOUT:
            made = ABOUT[name](argument)
        elif not argument and name in PARTS:
            made = PARTS[name]()
        else:
            raise DocsError(f"no generated part {found['name']!r}")
        return f"{found[1]}{made}{found[3]}"

    return _PART.sub(replaced, page)


def main(arguments: list[str]) -> int:
    """Write the parts, or say which pages are stale."""
    if arguments not in ([], ["--check"]):
        print("usage: python docs/generate.py [--check]", file=sys.stderr)
        return 2
    stale = 0
    for path in PAGES:
        page = path.read_text(encoding="utf-8")
        try:
            made = fresh(page)
        except DocsError as error:
            print(f"{path.name}: {error}", file=sys.stderr)
            return 1
        if made != page:
            stale += 1
            name = path.relative_to(DOCS.parent)
            print(f"{name}: {'stale; run make docs' if arguments else 'written'}", file=sys.stderr)
            if not arguments:
                path.write_text(made, encoding="utf-8")
    return 1 if stale and arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
