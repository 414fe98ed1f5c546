"""Commands and options of 0.5 that are gone name what to use instead."""

import re
from importlib.util import find_spec
from pathlib import Path

import click
import pytest

import readmark
from command_line import in_process
from readmark.cli import moved
from readmark.cli.main import cli
from version_promises import commands


def test_a_command_that_is_gone_names_the_new_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(moved.MOVED, "series sing", "readmark sit")
    done = in_process("series", "sing", "t.jsonl", "-o", "s.jsonl")
    assert done.returncode == 2
    assert done.stderr == "readmark: readmark series sing is gone: use readmark sit\n"


def test_an_option_that_is_gone_says_what_to_write(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(moved.REMOVED_OPTIONS, "--sung", "set sing.key in readmark.toml")
    done = in_process("mark", "t.jsonl", "s.jsonl", "--sung", "7")
    assert done.returncode == 2
    assert done.stderr == "readmark: --sung is gone: set sing.key in readmark.toml\n"


def test_other_unknown_commands_and_options_get_a_hint() -> None:
    assert "did you mean" in in_process("set", "splitt").stderr
    assert "No such option '--sung'" in in_process("mark", "--sung").stderr


@pytest.mark.parametrize("path", moved.MOVED)
def test_moved_commands_are_gone_and_their_replacements_exist(path: str) -> None:
    assert not exists(path.split())
    words = moved.MOVED[path].split()
    if words[:2] == ["python", "-m"]:  # what only made data that ships is no command
        assert find_spec(words[2]) is not None
        return
    if words[0].startswith("readmark."):  # a function of the package
        assert words[0].removeprefix("readmark.").partition("(")[0] in readmark.__all__
        return
    assert words[0] == "readmark"
    assert exists(words[1:3]) or exists(words[1:2])


@pytest.mark.parametrize("entry", moved.REMOVED_OPTIONS)
def test_removed_options_are_gone(entry: str) -> None:
    """An entry without a command may be for an option that a few commands still have."""
    command, _, option = entry.rpartition(" ")
    having = [path for path, options in commands() if option in options]
    assert f"readmark {command}" not in having


def exists(words: list[str]) -> bool:
    command: click.Command | None = cli
    for word in words:
        if not isinstance(command, click.Group):
            return False
        command = command.get_command(click.Context(command), word)
    return command is not None


# Nothing that ships or is shown names what is gone.


ROOT = Path(__file__).resolve().parents[2]
READ = ("*.md", "src/**/*", "docs/**/*", "reproductions/**/*", "benchmarks/**/*", "training/**/*",
        "Makefile", "Containerfile", ".github/**/*", ".ci/**/*")  # fmt: skip
SUFFIXES = {".md", ".py", ".toml", ".html", ".js", ".ipynb", ".yml", ".yaml", ".sh", ""}
HISTORY = {"CHANGELOG.md", "src/readmark/cli/moved.py"}
NOTE = re.compile(r"""[("（]readmark panel synthesise[)"）]""")
"""The bundled panel's header says who made it up; files that ship stay as they are."""
COMMAND = re.compile(
    r"(?:\breadmark (?:--(?:config|set) \S+ )*|`)("
    + "|".join(sorted(map(re.escape, moved.MOVED), key=len, reverse=True))
    + r")(?![\w-])(?!\.py)"
)


OPTIONS = [
    (
        option,
        re.compile(rf"\breadmark (?:--(?:config|set) \S+ )*{command}\b[^\n`]*\s{option}(?![\w-])"),
    )
    for command, _, option in (entry.rpartition(" ") for entry in moved.REMOVED_OPTIONS)
]


def mentions(text: str) -> list[str]:
    """Commands and options in a text that are gone, as a reader would copy them."""
    found = [
        match[0]
        for match in COMMAND.finditer(NOTE.sub("", text))
        if match[0].startswith("readmark") or " " in match[1]  # `metrics` alone is a word
    ]
    for option, called in OPTIONS:
        for match in called.finditer(text) if option in text else ():
            words = match[0].split()[1:]
            if all(option not in options for path, options in commands() if is_called(path, words)):
                found.append(match[0])
    return found


def is_called(path: str, words: list[str]) -> bool:
    """Whether a line calls a command, such as `readmark train span` or a group's."""
    return words[: len(path.split()) - 1] == path.split()[1:]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("run `readmark series mark a b`", ["readmark series mark"]),
        ("readmark --set a.b=1 formats", ["readmark --set a.b=1 formats"]),
        ("`panel raters` errs", ["`panel raters"]),
        ("the `metrics` of readmark kinds", ["readmark kinds"]),
        ("readmark sit t -r m --timeout 3", ["readmark sit t -r m --timeout"]),
        ("readmark train span --batch 3", []),
        ("readmark metrics.py", []),
    ],
)
def test_a_mention_is_noticed(text: str, found: list[str]) -> None:
    assert mentions(text) == found


def test_nothing_names_what_is_gone() -> None:
    files = {path for pattern in READ for path in ROOT.glob(pattern) if path.suffix in SUFFIXES}
    named = {path.relative_to(ROOT).as_posix(): path for path in files if path.is_file()}
    assert len(named) > 800
    found = {
        name: lines
        for name, path in sorted(named.items())
        if name not in HISTORY and (lines := mentions(path.read_text("utf-8", "replace")))
    }
    assert found == {}
