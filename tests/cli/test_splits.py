"""`--split` on every command that reads a test, and what hidden splits are kept out of."""

import csv
import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from readmark.cli.main import cli

Run = Callable[..., subprocess.CompletedProcess[str]]
TEXT = "The {0} kettle stood on the stove until noon. Then {0} people drank the tea together."


def passage(number: int, split: str) -> dict[str, Any]:
    text = TEXT.format(f"number {number}")
    start = text.index("on the stove")
    key = {"answers": [{"text": "on the stove", "start": start, "annotator": "ann"}], "level": 1}
    question = {"id": f"{split}{number}", "text": f"Where did kettle {number} stand?", "key": key}
    return {"id": f"p{number}", "split": split, "text": text, "questions": [question]}


def write(path: Path, *lines: Any) -> None:
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    path.write_text(text, encoding="utf-8")


@pytest.fixture
def hall(tmp_path: Path) -> Path:
    header = {"readmark": 1, "name": "tea", "language": "en", "licence": "CC-BY-4.0"}
    splits = ("train", "train", "dev", "dev", "test", "test", "test")
    passages = [passage(number, split) for number, split in enumerate(splits)]
    write(tmp_path / "tea.jsonl", {**header, "hidden": ["test"]}, *passages)
    answers = {line["questions"][0]["id"]: "on the stove" for line in passages}
    (tmp_path / "answers.json").write_text(json.dumps(answers))
    return tmp_path


@pytest.fixture
def run(readmark_cli: Run, hall: Path) -> Run:
    def call(*args: str, status: int = 0) -> subprocess.CompletedProcess[str]:
        done = readmark_cli(*args, cwd=hall)
        assert done.returncode == status, done.stderr
        assert "Traceback" not in done.stderr
        return done

    return call


def commands(group: click.Group, *names: str) -> Iterator[tuple[str, click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from commands(command, *names, name)
        else:
            yield " ".join((*names, name)), command


NO_SPLITS = {
    "set text",
    "set collect",
    "panel power",
    "get",
    "demo",
    "ask",
}
"""Commands that read no test, or none whose records have splits."""


def test_every_command_that_takes_a_format_takes_a_split() -> None:
    found = dict(commands(cli))
    missing = [
        name
        for name, command in found.items()
        if {"--from"} & {option for param in command.params for option in param.opts}
        and "--split" not in {option for param in command.params for option in param.opts}
        and name not in NO_SPLITS
    ]
    assert missing == []
    with_split = [
        name
        for name, command in found.items()
        if any("--split" in param.opts for param in command.params)
    ]
    wanted = {"mark", "sit", "compare", "people", "check", "stats", "convert", "report", "table",
              "train span", "train rater", "series tune",
              "panel mark", "harness export", "set filter", "set join", "set export"}  # fmt: skip
    assert wanted <= set(with_split)


def test_the_path_on_a_split(run: Run, hall: Path) -> None:
    run("sit", "tea.jsonl", "-r", "lead", "-o", "s.jsonl", "--split", "dev")
    for more in ((), ("--split", "dev")):
        marked = json.loads(run("mark", "tea.jsonl", "s.jsonl", "--json", *more).stdout)
        assert (marked["units"], marked["test"]["split"]) == (2, "dev")
    run("mark", "tea.jsonl", "s.jsonl", "--split", "test", "--json", status=1)
    again = run("sit", "tea.jsonl", "-r", "lead", "-o", "s.jsonl", "--split", "dev")
    assert "2 before" in again.stderr
    run("convert", "tea.jsonl", "dev.jsonl", "--split", "dev")
    assert json.loads(run("mark", "dev.jsonl", "s.jsonl", "--json").stdout)["units"] == 2
    assert (
        json.loads(run("stats", "tea.jsonl", "--split", "dev", "--json").stdout)["tests"][0][
            "units"
        ]
        == 2
    )
    assert (
        run("check", "tea.jsonl", "--split", "train").stderr == "readmark: tea.jsonl: no problems\n"
    )
    compared = run("compare", "tea.jsonl", "s.jsonl", "answers.json", "--split", "dev", "--json")
    assert json.loads(compared.stdout)["comparisons"][0]["units"] == 2
    run("report", "tea.jsonl", "s.jsonl", "answers.json", "-o", "r.html")
    run("report", "tea.jsonl", "answers.json", "-o", "r.html", "--split", "dev")
    run("mark", "tea.jsonl", "answers.json", "-o", "m.jsonl")
    table = json.loads(run("table", "m.jsonl", "--split", "dev", "--json").stdout)
    assert list(table["splits"]) == ["dev"]
    assert (
        "have no split 'x'; they have" in run("table", "m.jsonl", "--split", "x", status=2).stderr
    )


@pytest.mark.parametrize(
    "args",
    [
        ("mark", "tea.jsonl", "answers.json"),
        ("sit", "tea.jsonl", "-r", "lead", "-o", "out.jsonl"),
        ("compare", "tea.jsonl", "answers.json", "answers.json"),
        ("people", "tea.jsonl"),
        ("check", "tea.jsonl"),
        ("stats", "tea.jsonl"),
        ("convert", "tea.jsonl", "out.jsonl"),
        ("report", "tea.jsonl", "answers.json", "-o", "out.html"),
        ("rate", "--formulas", "tea.jsonl"),
        ("harness", "export", "tea.jsonl", "--to", "lm-eval", "-o", "out"),
        ("set", "export", "tea.jsonl", "-o", "out"),
        ("set", "filter", "tea.jsonl", "--keep", "level=1", "-o", "out.jsonl"),
        ("set", "join", "tea.jsonl", "tea.jsonl", "-o", "out.jsonl"),
        ("set", "levels", "tea.jsonl", "-o", "out.jsonl"),
        ("set", "challenge", "tea.jsonl", "-o", "out.jsonl"),
        ("set", "blind", "tea.jsonl", "--annotator", "a", "--annotator", "b", "-o", "out"),
    ],
)
def test_an_unknown_split_is_a_usage_error(run: Run, hall: Path, args: tuple[str, ...]) -> None:
    done = run(*args, "--split", "tset", status=2)
    assert done.stderr == "readmark: tea.jsonl has no split 'tset'; it has train, dev, test\n"
    assert done.stdout == ""
    assert sorted(path.name for path in hall.iterdir()) == ["answers.json", "tea.jsonl"]


def test_answers_from_a_file_of_the_whole_test(run: Run) -> None:
    run("sit", "tea.jsonl", "-r", "keyed(file=answers.json)", "-o", "whole.jsonl")
    done = run(
        "sit", "tea.jsonl", "--split", "dev", "-r", "keyed(file=whole.jsonl)", "-o", "d.jsonl"
    )
    assert "whole.jsonl: answers to units of other splits were ignored: 5" in done.stderr
    assert "sat 2 units: 2 answered" in done.stderr
    done = run("sit", "tea.jsonl", "-r", "keyed(file=d.jsonl)", "-o", "x.jsonl", status=2)
    assert "d.jsonl: has answers to split dev alone: sit that split" in done.stderr
    done = run("mark", "tea.jsonl", "d.jsonl", "--split", "test", status=1)
    assert done.stderr == "readmark: d.jsonl: is a sitting of split dev, not of split test\n"


def test_hidden_splits_are_not_handed_to_annotators(run: Run, hall: Path) -> None:
    args = ("set", "blind", "tea.jsonl", "--annotator", "bo", "--annotator", "cai", "--json")
    done = run(*args, "-o", "sheets")
    note = "tea.jsonl: hidden, so not used for annotators: split test"
    assert (json.loads(done.stdout)["hidden"], note in done.stderr) == ([note], True)
    assert "test4" not in (hall / "sheets/bo.answers.csv").read_text()
    sheet = hall / "sheets/bo.answers.csv"
    with sheet.open(newline="", encoding="utf-8-sig") as stream:
        rows = [{**row, "answer": "the stove"} for row in csv.DictReader(stream)]
    with sheet.open("w", newline="", encoding="utf-8") as stream:
        filled = csv.DictWriter(stream, list(rows[0]))
        filled.writeheader()
        filled.writerows(rows)
    done = run("set", "merge", "tea.jsonl", "sheets/bo.answers.csv", "-o", "merged.jsonl")
    assert "another paper" not in done.stderr
    run(*args, "-o", "more", "--split", "test")
    assert "test4" in (hall / "more/bo.answers.csv").read_text()


def test_an_unknown_field_is_a_usage_error(run: Run) -> None:
    for command in ("mark", "people"):
        done = run(command, "tea.jsonl", "answers.json", "--by", "level,levle", status=2)
        assert done.stderr == (
            "readmark: tea.jsonl has no field 'levle'; its fields are answer_length, answerable, "
            "level, overlap, passage_length, passage_overlap, question_length, question_word, "
            "split, type, unanswerable\n"
        )


def test_training_a_rater_refuses_a_hidden_test(run: Run, hall: Path) -> None:
    header = {"readmark": 1, "kind": "readability", "language": "en", "hidden": ["test"]}
    write(hall / "h.jsonl", header, {"id": "a", "split": "test", "text": "Some text."})
    done = run("train", "rater", "h.jsonl", "-o", "model.json", status=1)
    assert "h.jsonl: split test is hidden, and nothing else is left for training" in done.stderr


def test_export_writes_keys_apart_and_says_how_to_submit(run: Run, hall: Path) -> None:
    done = json.loads(run("set", "export", "tea.jsonl", "-o", "pub", "--json").stdout)
    assert done["keys"] == {"test": "pub.keys/test.jsonl"}
    published = (hall / "pub/native/test.jsonl").read_text()
    assert "answers" not in published
    card = (hall / "pub/README.md").read_text()
    sit = "readmark sit native/test.jsonl -r CANDIDATE -o test.sitting.jsonl"
    mark = "readmark mark test.jsonl test.sitting.jsonl --redact -o test.marks.jsonl"
    assert sit in card
    assert mark in card
    run("sit", "pub/native/test.jsonl", "-r", "lead", "-o", "s.jsonl")
    with_key = json.loads(run("mark", "pub.keys/test.jsonl", "s.jsonl", "--json").stdout)
    with_all = json.loads(run("mark", "tea.jsonl", "s.jsonl", "--json").stdout)
    assert with_key["units"] == 3
    for member in ("marks", "units", "per_unit", "unanswered"):
        assert with_key[member] == with_all[member]
    assert with_key["test"]["key"] == with_all["test"]["key"]
    run("set", "export", "tea.jsonl", "-o", "pub2", "--keys", "pub2/keys", status=2)
    run("set", "export", "tea.jsonl", "-o", "pub3", "--keys", "pub.keys", status=2)
    run("set", "export", "tea.jsonl", "-o", "pub4", "--keys", "k", "--with-keys", status=2)
    names = {path.name for path in hall.iterdir()}
    assert not names & {"pub2", "pub3", "pub4", "k"}
