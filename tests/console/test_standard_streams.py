"""``-`` is standard output, however the option before it is spelt."""

from __future__ import annotations

import click
import pytest

from readmark.console import OUTPUT_FILE, arguments, json_option


@click.command("copy")
@click.argument("source")
@click.option("-o", "--output", type=OUTPUT_FILE)
@json_option
def copy_command(source: str, output: str | None, as_json: bool) -> None:
    """Copy SOURCE."""


@pytest.fixture
def reserved(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    calls: list[bool] = []
    monkeypatch.setattr(arguments, "reserve_output", lambda: calls.append(True))
    return calls


@pytest.mark.parametrize("option", [["-o", "-"], ["-o-"], ["--output", "-"], ["--output=-"]])
def test_stdout_is_kept_for_the_output(option: list[str], reserved: list[bool]) -> None:
    context = click.Context(copy_command)
    arguments.check_arguments(copy_command, context, ["in.jsonl", *option])
    assert reserved
    with pytest.raises(click.UsageError, match="both write to standard output"):
        arguments.check_arguments(copy_command, context, ["in.jsonl", *option, "--json"])


def test_other_outputs_leave_stdout_alone(reserved: list[bool]) -> None:
    context = click.Context(copy_command)
    arguments.check_arguments(copy_command, context, ["in.jsonl", "-oout.jsonl", "--json"])
    arguments.check_arguments(copy_command, context, ["-", "-o", "out.jsonl"])
    assert not reserved
