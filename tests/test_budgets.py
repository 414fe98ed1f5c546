"""Rules that keep the house easy to learn: how many commands and names there are, and that all of
the code is used. Lines and words are only printed: ``python tests/test_budgets.py``."""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from inspect import get_annotations
from pathlib import Path

import click
import pytest

import readmark
from readmark import hooks
from readmark.builtin import ROOMS, entries
from readmark.cli.main import cli

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "readmark"

BANNED = {
    "utils",
    "helpers",
    "common",
    "misc",
    "told",
    "whose",
    "let_out",
    "leaving",
    "owing",
    "together",
    "ahead",
    "spared",
    "beside",
    "mending",
    "likeness",
    "nearness",
}
# Written by docs/generate.py or by make reproduce: not pages that somebody wrote.
GENERATED = {"cli.md", "reference.md", *(path.name for path in ROOT.glob("docs/reproductions*.md"))}


@cache
def modules() -> dict[str, Path]:
    """Every module by its dotted name."""
    found = {}
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


# To parse all of the source takes seconds, to look for these in its text a tenth of one.
IMPORT = re.compile(r"^ *((?:from [\w.]+ )?import (?:\([^)]*\)|\w[\w., ]*))(?: *#.*)?$", re.M)
NAMED = re.compile(r"""["'](readmark\.[\w.]+)""")
CLASS = re.compile(r"^class ([A-Za-z]\w*)", re.M)
ALIAS = re.compile(r"^ {0,4}([A-Z]\w*[a-z]\w*) = (?![A-Z]\w*\(|\w+\.\w+\()[A-Za-z(]", re.M)


def nodes(path: Path) -> list[ast.AST]:
    return list(ast.walk(ast.parse(text(path))))


@cache
def imports() -> dict[str, frozenset[str]]:
    """The modules that each module imports, wherever in it the import is."""
    return {name: frozenset(_imported(path) & modules().keys()) for name, path in modules().items()}


def _imported(path: Path) -> set[str]:
    found = set()
    for node in ast.parse("\n".join(IMPORT.findall(text(path)))).body:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


@cache
def named_in_strings() -> frozenset[str]:
    """Modules that a string in the source names, such as those of what the rooms declare."""
    found: set[str] = set()
    for path in modules().values():
        found.update(NAMED.findall(text(path)))
    return frozenset(found & modules().keys())


# How much there is to learn.


COMMANDS, OPTIONS, OPTIONS_OF_ONE = 80, 500, 22
"""The contract's numbers. Options that mean the same everywhere are not counted."""
EVERYWHERE = {"--json", "--split", "--from", "--map"}  # --config and --set stand before a command
HOOK_MEMBERS = 90  # 20 of them of kinds, 20 of works
PUBLIC_NAMES = 64


@cache
def options_of_commands() -> dict[str, list[str]]:
    """The options that each command has for itself."""
    found: dict[str, list[str]] = {}

    def look(command: click.Command, path: str) -> None:
        if isinstance(command, click.Group):
            context = click.Context(command)
            for name in command.list_commands(context):
                part = command.get_command(context, name)
                assert part is not None
                look(part, f"{path} {name}".strip())
        else:
            options = [one for one in command.params if isinstance(one, click.Option)]
            found[path] = [one.opts[-1] for one in options if not EVERYWHERE & set(one.opts)]

    look(cli, "")
    return found


def test_there_are_few_commands() -> None:
    assert len(options_of_commands()) <= COMMANDS


def test_there_are_few_options() -> None:
    assert sum(map(len, options_of_commands().values())) <= OPTIONS
    for name in ("sit", "mark"):
        assert len(options_of_commands()[name]) <= OPTIONS_OF_ONE, name


def test_the_help_of_sit_fits_on_a_screen() -> None:
    # The parent says how the option for help is spelt; click remembers the first spelling it meets.
    parent = cli.make_context("readmark", [], resilient_parsing=True)
    command = cli.get_command(parent, "sit")
    assert command is not None
    context = click.Context(command, info_name="sit", parent=parent, max_content_width=80)
    context.terminal_width = 80
    assert len(command.get_help(context).splitlines()) <= 50


def hook_members() -> list[str]:
    """Every member that `hooks.py` declares, by its protocol."""
    return [
        f"{name}.{member}"
        for name, protocol in vars(hooks).items()
        if isinstance(protocol, type) and protocol.__module__ == hooks.__name__
        for member in {**vars(protocol), **get_annotations(protocol)}
        if not member.startswith("_")
    ]


def test_a_plug_in_has_few_hooks() -> None:
    assert len(hook_members()) <= HOOK_MEMBERS


def test_there_are_few_public_names() -> None:
    assert len(readmark.__all__) <= PUBLIC_NAMES


# A name means one thing.


TWICE = [
    "Answers",
    "By",
    "Change",
    "Compare",
    "Condition",
    "Count",
    "Counts",
    "Finding",
    "Key",
    "Labels",
    "MeasuredPassage",
    "Name",
    "Pair",
    "Pieces",
    "Place",
    "Readability",
    "Reading",
    "Stratum",
    "Term",
    "Text",
    "Value",
]
"""Names of types that exist in two modules. Take names out, put none in."""


def type_names() -> dict[str, list[str]]:
    """The modules that define each public class or alias of a type."""
    owners: defaultdict[str, list[str]] = defaultdict(list)
    for name, path in modules().items():
        for defined in {*CLASS.findall(text(path)), *ALIAS.findall(text(path))}:
            owners[defined].append(name)
    return owners


def test_a_name_of_a_type_means_one_thing() -> None:
    assert sorted(name for name, found in type_names().items() if len(found) > 1) == TWICE


def test_public_class_names_are_unique() -> None:
    owners: defaultdict[str, list[str]] = defaultdict(list)
    for name, path in modules().items():
        for owned in CLASS.findall(text(path)):
            owners[owned].append(name)
    assert {name: found for name, found in owners.items() if len(found) > 1} == {}


def test_no_module_has_a_banned_name() -> None:
    assert [name for name in modules() if name.rpartition(".")[2].strip("_") in BANNED] == []


def test_everything_is_reached_from_the_product() -> None:
    """From the public names, the command line and what the rooms declare; not only from tests."""
    waiting = ["readmark", "readmark.__main__", "readmark.hooks", "readmark.builtin"]
    waiting += [f"readmark.{room}.plugins" for room in ROOMS]
    waiting += named_in_strings()
    reached = set()
    while waiting:
        name = waiting.pop()
        if name in reached or name not in modules():
            continue
        reached.add(name)
        waiting += imports()[name]
        waiting.append(name.rpartition(".")[0])
    data = {"readmark.bundle", "readmark.tasks.domains"}  # folders of data alone
    left = modules().keys() - reached - data
    # Alembic finds the migrations by their folder.
    assert sorted(name for name in left if ".migrations." not in name) == []


WORD = re.compile(r"\b[A-Za-z_]\w*\b")


def _words(*folders: str) -> Counter[str]:
    """How often each word stands in the files of some folders."""
    paths = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.*"))]
    wanted = [path for path in paths if path.suffix in (".py", ".toml", ".md", ".html")]
    return Counter(word for path in wanted for word in WORD.findall(text(path)))


def _definitions(path: Path) -> Iterator[tuple[str, ast.stmt]]:
    """Functions, classes and constants of a module, and methods of its plain classes."""
    for node in ast.parse(text(path)).body:
        if isinstance(node, ast.Assign):
            yield from ((one.id, node) for one in node.targets if isinstance(one, ast.Name))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id, node
        elif isinstance(node, ast.ClassDef):
            yield node.name, node
            inside = () if node.bases else node.body  # a base may call what it declares
            yield from ((one.name, one) for one in inside if isinstance(one, FUNCTION))
        elif isinstance(node, FUNCTION):
            yield node.name, node


FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)
REGISTERED = re.compile(r"\b(click|event)\.|\.(get|post|put|patch|delete|websocket)\(")
"""What a decorator of a function says that something else calls."""


def test_all_code_is_used() -> None:
    """By the product, a plug-in or a script; what only tests use, or nothing, is dead."""
    used = _words("src", "benchmarks", "training", "reproductions", "docs")
    dead = []
    for name, path in modules().items():
        if ".migrations." in name:
            continue
        lines = text(path).splitlines()
        for defined, node in _definitions(path):
            decorators = getattr(node, "decorator_list", ())
            is_called = any(REGISTERED.search(ast.unparse(each)) for each in decorators)
            if defined.startswith(("__", "_repr_")) or is_called:  # notebooks call the latter
                continue
            if used[defined] > 9:
                continue
            itself = WORD.findall(" ".join(lines[node.lineno - 1 : node.end_lineno]))
            if used[defined] <= itself.count(defined):
                dead.append(f"{name}.{defined}")
    assert dead == []


PATH = ("core", "sitting", "marking", "reporting")
KINDS = set(entries("readmark.kinds"))


def test_the_path_names_no_kind() -> None:
    """Kinds are found through registries; only files that name none have a default."""
    defaults = {"readmark.core.test", "readmark.core.marksheet"}
    named = [
        f"{name}:{node.lineno}"
        for name, path in modules().items()
        if name.split(".")[1:2] and name.split(".")[1] in PATH
        if any(f'"{kind}"' in text(path) for kind in KINDS)
        for node in nodes(path)
        if isinstance(node, ast.Constant) and node.value in KINDS - {"task"}  # also a job
        if name not in defaults
    ]
    assert named == []


def test_plug_ins_are_looked_at_through_their_declared_hooks() -> None:
    """No hasattr on a plug-in, and no getattr with a name that hooks.py does not declare."""
    odd = []
    for name, path in modules().items():
        if name.split(".")[1:2] and name.split(".")[1] in (*PATH[1:], "formats"):
            for node in nodes(path) if "attr(" in text(path) else ():
                if (
                    isinstance(node, ast.Call)
                    and isinstance(node.func, ast.Name)
                    and node.func.id in ("hasattr", "getattr")
                    and isinstance(node.args[0], ast.Name | ast.Attribute)
                    and isinstance(node.args[1], ast.Constant)
                ):
                    owner = ast.unparse(node.args[0])
                    if re.search(r"metric|candidate|format|kind|writer|reader|transform", owner):
                        odd.append(f"{name}:{node.lineno}: {ast.unparse(node)}")
    assert odd == []


ASKED_OF_OTHERS = {
    "core.confinement": "os",
    "core.ending": "signal",
    "core.registry": "an entry point: has it what hooks.py requires?",
    "comprehension.hf.loading": "a network of transformers",
    "comprehension.span.requirements": "a network of transformers",
    "comprehension.span.unpadded": "a network of transformers",
    "server.bodies": "a request of Starlette",
    "server.operations.logs": "a record of logging",
    "text.analysers.english": "a model of spaCy",
}
"""What may be asked if it has something: a thing of another library, or a plug-in at the door."""


def test_records_keys_and_plug_ins_are_what_their_types_say() -> None:
    asking = {
        name.removeprefix("readmark.")
        for name, path in modules().items()
        for node in (nodes(path) if "hasattr(" in text(path) else ())
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "hasattr"
    }
    assert asking == set(ASKED_OF_OTHERS)


def pages() -> list[Path]:
    written = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return [path for path in written if path.name not in GENERATED]


@pytest.mark.parametrize("path", pages(), ids=lambda path: path.name)
def test_pages_import_nothing_deeper_than_the_public_names(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    code = "\n".join(re.findall(r"```python\n(.*?)```", text, re.S))
    deep = re.findall(r"^\s*(?:from|import) (readmark\.(?!hooks\b|works import)\S+)", code, re.M)
    assert deep == []


if __name__ == "__main__":
    options = options_of_commands()
    print(f"{len(options)} commands, {sum(map(len, options.values()))} options of their own")
    print(f"{len({one for each in options.values() for one in each})} different options")
    print(f"{len(hook_members())} members of hooks, {len(readmark.__all__)} public names")
    lines = sum(len(text(path).splitlines()) for path in modules().values())
    print(f"{len(modules())} modules, {lines:,} lines")
    print(f"{sum(len(text(path).split()) for path in pages()):,} words on {len(pages())} pages")
