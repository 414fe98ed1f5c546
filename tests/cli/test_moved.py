"""Commands and options of 0.5 that are gone name what to use instead."""

from importlib.util import find_spec

import click
import pytest

from command_line import in_process
from promised import commands
from readmark.cli import moved
from readmark.cli.main import cli


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
