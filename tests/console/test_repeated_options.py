"""Options that are given twice: their values add up, or the command is refused; none is lost."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from readmark.cli.main import cli, run


def commands(group: click.Group, *path: str) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from commands(command, *path, name)
        else:
            yield (*path, name), command


def twice(option: click.Option) -> list[str]:
    """An option given two times, with a value each where it takes one."""
    if not option.is_flag:
        values = list(option.type.choices)[:2] if isinstance(option.type, click.Choice) else []
        values = [*values, "1", "2"][:2]
        return [f"{option.opts[-1]}={value}" for value in values]
    return [option.opts[-1], (*option.opts, *option.secondary_opts)[-1]]


def test_no_option_of_any_command_loses_a_value(capfd: pytest.CaptureFixture[str]) -> None:
    tried = 0
    for path, command in commands(cli):
        for option in command.params:
            if not isinstance(option, click.Option) or option.multiple or option.count:
                continue
            if option.is_flag and not option.secondary_opts:
                continue  # on and on again
            tried += 1
            status = run([*path, *twice(option)])
            said = capfd.readouterr().err
            assert status == 2, (path, option.opts, said)
            assert "is given 2 times; it takes one value" in said, (path, option.opts, said)
    assert tried > 400


def test_every_list_of_values_adds_up() -> None:
    """An option whose values are separated by commas takes them one by one too."""
    lists = 0
    for path, command in commands(cli):
        for option in command.params:
            if isinstance(option, click.Option) and (option.metavar or "").endswith(",..."):
                lists += 1
                assert option.multiple, (path, option.opts)
    assert lists > 15


def values_of(name: str, *args: str) -> Any:
    """The value that a command with the option ``--by`` is called with."""
    from readmark import console

    @click.command()
    @console.by_option
    @console.list_option("--article", default="article,title")
    def command(**options: str | None) -> None:
        click.echo(json.dumps(options))

    return json.loads(CliRunner().invoke(command, args).output)[name]


def test_values_are_joined_in_their_order() -> None:
    assert values_of("by", "--by", "level", "--by", "type,split") == "level,type,split"
    assert values_of("by") is None
    assert values_of("by", "--by", "") == ""
    assert values_of("article") == "article,title"
    assert values_of("article", "--article", "a", "--article", "b") == "a,b"


def test_marks_by_two_fields(tmp_path: Path, capfdbinary: Any) -> None:
    key = {"answers": [{"text": "rain"}], "level": 2}
    question = {"id": "q", "text": "What is it?", "key": key}
    lines = [
        {"readmark": 1, "language": "en"},
        {"id": "p", "text": "It is rain.", "genre": "news", "questions": [question]},
    ]
    test = tmp_path / "test.jsonl"
    test.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    answers = tmp_path / "answers.json"
    answers.write_text('{"q": "rain"}', "utf-8")
    marked = ["mark", str(test), str(answers), "--by", "level", "--by", "genre", "--json"]
    assert run(marked) == 0
    assert sorted(json.loads(capfdbinary.readouterr().out)["by"]) == ["genre", "level"]
