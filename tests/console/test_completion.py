"""Completion in the shell, through click's own classes."""

from __future__ import annotations

from collections.abc import Callable
from subprocess import CompletedProcess

import pytest
from click.shell_completion import BashComplete, ShellComplete, get_completion_class

from readmark.builtin import entries
from readmark.cli.main import HEADINGS, cli


def completed(*words: str, incomplete: str = "") -> list[str]:
    """What the shell offers after some words."""
    shell = ShellComplete(cli, {}, "readmark", "_READMARK_COMPLETE")
    return [item.value for item in shell.get_completions(list(words), incomplete)]


@pytest.mark.parametrize(
    ("words", "incomplete", "offered"),
    [
        ((), "co", ["convert", "compare"]),
        (("set",), "sc", ["screen"]),
        (("mark",), "--fu", ["--full"]),
        (("mark", "--format"), "", ["text", "markdown", "csv", "latex"]),
        (("mark", "t.jsonl", "s.jsonl", "-m"), "hum", ["humsent"]),
        (("compare", "t.jsonl", "a", "b", "--metric"), "jac", ["jaccard"]),
        (("score",), "spea", ["spearman"]),
        (("sit", "t.jsonl", "-r"), "sp", ["span"]),
        (("ask", "text", "question", "-r"), "l", ["lead", "longest_overlap", "llm"]),
        (("series", "ask", "-w"), "g", ["guided"]),
        (("rate", "-r"), "f", ["formula", "features"]),
        (("list",), "m", ["metrics"]),
        (("list", "metrics"), "hu", ["humsent"]),
        (("convert", "--to"), "cm", ["cmrc2018"]),
        (("check", "--from"), "squ", ["squad", "squad2"]),
    ],
)
def test_names_are_completed(words: tuple[str, ...], incomplete: str, offered: list[str]) -> None:
    assert completed(*words, incomplete=incomplete) == offered


def test_other_texts_are_files() -> None:
    shell = ShellComplete(cli, {}, "readmark", "_READMARK_COMPLETE")
    for words in (["mark"], ["mark", "test.jsonl"], ["mark", "t", "s", "-o"], ["check"]):
        [item] = shell.get_completions(words, "dat")
        assert (item.type, item.value) == ("file", "dat")


def test_a_name_comes_with_its_line() -> None:
    shell = ShellComplete(cli, {}, "readmark", "_READMARK_COMPLETE")
    [item] = shell.get_completions(["sit", "t.jsonl", "-r"], "span")
    assert item.help == entries("readmark.candidates")["span"].summary


@pytest.mark.parametrize("name", ["bash", "zsh", "fish"])
def test_scripts(
    name: str, monkeypatch: pytest.MonkeyPatch, readmark_cli: Callable[..., CompletedProcess[str]]
) -> None:
    """``_READMARK_COMPLETE=bash_source readmark`` prints the script, which calls readmark back."""
    monkeypatch.setattr(BashComplete, "_check_version", staticmethod(lambda: None))
    done = readmark_cli(env={"_READMARK_COMPLETE": f"{name}_source"})
    assert done.returncode == 0, done.stderr
    assert get_completion_class(name) is not None
    assert f"_READMARK_COMPLETE={name}_complete" in done.stdout
    words = {"COMP_WORDS": "readmark mark t s -m preci", "COMP_CWORD": "5"}
    words |= {"COMP_CWORD": "preci"} if name == "fish" else {}
    done = readmark_cli(env={"_READMARK_COMPLETE": f"{name}_complete", **words})
    assert done.returncode == 0, done.stderr
    assert "precision" in done.stdout


def test_help_has_every_command_under_a_heading(
    readmark_cli: Callable[..., CompletedProcess[str]],
) -> None:
    listed = [name for names in HEADINGS.values() for name in names]
    assert sorted(listed) == sorted(entries("readmark.commands"))
    shown = readmark_cli("--help").stdout
    starts = [shown.index(f"\n{heading}:\n") for heading in HEADINGS]
    assert starts == sorted(starts)
    part = shown[starts[2] : starts[3]]
    assert [line.split()[0] for line in part.splitlines()[2:] if line[2:3].strip()] == [
        *HEADINGS["Sit, mark and compare"]
    ]
