"""What a version of Readmark promises to those who build on it, as far as that can be listed.

python tests/version_promises.py > tests/stored/VERSION/promises.json
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args, get_type_hints

import click
from click.testing import CliRunner

import readmark
from readmark import hooks
from readmark.builtin import REMOVED, entries, groups
from readmark.cli import moved
from readmark.cli.main import cli

STORED = Path(__file__).resolve().parent / "stored"
LISTED = ("formats", "kinds", "metrics", "candidates", "transforms", "analysers")
"""Groups of plug-ins whose names people write in commands and files."""
PRINTED = {
    "mark": ("mark", "reading.jsonl", "answers.json", "--by", "level"),
    "compare": ("compare", "reading.jsonl", "sitting.jsonl", "answers.json", "--trials", "10"),
    "people": ("people", "reading.jsonl", "--by", "level"),
    "check": ("check", "reading.jsonl"),
    "stats": ("stats", "reading.jsonl"),
    "table": ("table", "marksheet.jsonl"),
    "score": ("score", "f1", "at nine", "nine"),
    "ask": ("ask", "The ferry leaves at nine.", "When?", "-r", "lead"),
    "sit": ("sit", "reading.jsonl", "-r", "lead", "-o", "{out}/sitting.jsonl"),
    "convert": ("convert", "reading.jsonl", "{out}/reading.json"),
    "report": ("report", "marksheet.jsonl", "-o", "{out}/report.html"),
}
"""Commands with ``--json`` on stored files."""


def promised(folder: Path, out: Path) -> dict[str, Any]:
    """Everything that may grow and must not shrink; ``out`` is for what commands write."""
    return {
        "names": {name: _parameters(getattr(readmark, name)) for name in readmark.__all__},
        "hooks": {name: _members(getattr(hooks, name)) for name in hooks.__all__},
        "groups": groups(),
        "registered": {group: sorted(entries(f"readmark.{group}")) for group in LISTED},
        "commands": dict(commands()),
        "json": {name: _printed(args, folder, out) for name, args in PRINTED.items()},
    }


def _parameters(value: object) -> list[str]:
    """What a function is called with; nothing for a class, whose members are documented.

    After "*" come arguments that are given by keyword: their order means nothing.
    """
    if not inspect.isfunction(value):
        return []
    parameters = list(inspect.signature(value).parameters.values())
    first = [one for one in parameters if one.kind not in (one.KEYWORD_ONLY, one.VAR_KEYWORD)]
    keywords = [one.name for one in parameters if one.kind is one.KEYWORD_ONLY]
    for one in parameters:
        if one.kind is one.VAR_KEYWORD:  # **fields: Unpack[MarkFields]
            [typed] = get_args(get_type_hints(value)[one.name])
            keywords += typed.__annotations__
    return [*(one.name for one in first), *(["*", *keywords] if keywords else [])]


def _members(value: object) -> dict[str, list[str]]:
    """The members of a protocol or value that are not Python's own, with their parameters."""
    if not inspect.isclass(value):
        return {}
    classes = [one for one in value.__mro__ if one.__module__.startswith("readmark")]
    named = {name for one in classes for name in (*vars(one), *inspect.get_annotations(one))}
    return {
        name: _parameters(inspect.getattr_static(value, name, None)) for name in sorted(named)
        if name.isidentifier() and not name.startswith("_")
    }  # fmt: skip


def commands() -> Iterator[tuple[str, list[str]]]:
    """Every command, and how its options are spelt."""
    yield from _commands(cli, click.Context(cli, info_name="readmark", **cli.context_settings))


def _commands(command: click.Command, context: click.Context) -> Iterator[tuple[str, list[str]]]:
    options = (option for option in command.params if isinstance(option, click.Option))
    spelt = [name for option in options for name in (*option.opts, *option.secondary_opts)]
    yield context.command_path, sorted(spelt)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            verb = command.get_command(context, name)
            assert verb is not None
            yield from _commands(verb, click.Context(verb, info_name=name, parent=context))


def _printed(args: tuple[str, ...], folder: Path, out: Path) -> dict[str, Any]:
    """The members of the JSON document that a command prints, as deep as their names are fixed."""
    given = [
        str(folder / word) if (folder / word).is_file() else word.format(out=out) for word in args
    ]
    done = CliRunner().invoke(cli, [*given, "--json"])
    assert done.exit_code == 0, done.output
    document = json.loads(done.stdout)
    return {"members": sorted(document), **_inside(document)}


def _inside(document: dict[str, Any]) -> dict[str, list[str]]:
    """The members of the first entry of what holds several alike."""
    found = {}
    for name in ("marks", "comparisons", "answers", "scores", "test"):
        held = document.get(name)
        entry = held[0] if isinstance(held, list) and held else held
        if name == "marks" and isinstance(held, dict):
            entry = next(iter(held.values()))
        if isinstance(entry, dict):
            found[name] = sorted(entry)
    return found


def lost(before: Any, now: Any, where: str = "") -> list[str]:
    """What was promised and is there no longer; positional parameters keep their order too."""
    if isinstance(before, dict):
        return [
            line
            for name, value in before.items()
            for line in (
                lost(value, now[name], f"{where}/{name}") if name in now else [f"{where}/{name}"]
            )
        ]
    missing = [f"{where}: {name}" for name in before if name not in now and name != "*"]
    ordered = now[: now.index("*")] if "*" in now else now
    was = [name for name in before if name in ordered]
    is_now = [name for name in ordered if name in before]
    return missing or ([] if is_now == was else [f"{where}: in another order"])


def replacement(loss: str) -> str | None:
    """What Readmark names instead of something that is lost, which is a line of `lost`."""
    where, _, name = loss.partition(": ")
    group, *path = where.removeprefix("/").split("/")
    if group == "commands":
        command = path[0].removeprefix("readmark").strip()
        return moved.option_replacement(command, name) if name else moved.MOVED.get(command)
    if group == "registered":
        return REMOVED.get(f"readmark.{path[0]}", {}).get(name)
    if group in ("names", "hooks"):
        thing = ".".join(path if group == "names" else ["hooks", *path])
        return readmark.REMOVED_NAMES.get(f"{thing}({name})" if name else thing)
    return None


if __name__ == "__main__":
    import tempfile

    newest = max(path for path in STORED.iterdir() if path.is_dir())
    with tempfile.TemporaryDirectory() as out:
        text = json.dumps(promised(newest, Path(out)), indent=1)
    print(re.sub(r"\[\s+([^\[\]{}]+?)\s+\]", lambda list: " ".join(list[0].split()), text))
