"""Commands that do one side of a file of two after the other."""

import json
from pathlib import Path
from typing import Any

import pytest

from brcc_files import CANONICAL, put
from command_line import in_process
from readmark.formats.registry import open_test


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    put(tmp_path, CANONICAL, "kite.brcc")
    less = CANONICAL.replace("<NP>商店</NP>", "商店")  # one noun phrase fewer, in Chinese only
    put(tmp_path, less, "bo.brcc")
    return tmp_path


def sides(folder: Path, *arguments: str) -> dict[str, Any]:
    done = in_process(*arguments, "--json", cwd=folder)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert list(found) == ["sides"]
    assert list(found["sides"]) == ["en", "zh"]
    return dict(found["sides"])


def test_both_sides_are_sat_and_marked_as_each_is_alone(folder: Path) -> None:
    sat = sides(folder, "sit", "kite.brcc", "-r", "lead", "-o", "run.jsonl")
    assert {side: one["progress"]["answered"] for side, one in sat.items()} == {"en": 2, "zh": 2}
    assert not (folder / "run.jsonl").exists()
    marked = sides(folder, "mark", "kite.brcc", "run.jsonl", "-o", "marks.jsonl")
    for side, found in marked.items():
        own = f"run.{side}.jsonl"
        alone = in_process("mark", "kite.brcc", own, "--side", side, "--json", cwd=folder)
        assert json.loads(alone.stdout) == found
        assert (folder / f"marks.{side}.jsonl").is_file()
    assert marked["en"]["test"]["paper"] != marked["zh"]["test"]["paper"]
    shown = in_process("mark", "kite.brcc", "run.jsonl", cwd=folder).stdout
    assert [line for line in shown.splitlines() if line.startswith("side")] == [
        "side en",
        "side zh",
    ]


def test_a_sitting_of_one_side_needs_its_side(folder: Path) -> None:
    sides(folder, "sit", "kite.brcc", "-r", "lead", "-o", "run.jsonl")
    done = in_process("mark", "kite.brcc", "run.zh.jsonl", cwd=folder)
    assert done.returncode == 2
    assert "choose kite.brcc:en or kite.brcc:zh" in done.stderr
    assert in_process("mark", "kite.brcc:zh", "run.zh.jsonl", cwd=folder).returncode == 0


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        (("sit", "kite.brcc", "-r", "lead", "-o", "-"), "--output"),
        (("mark", "kite.brcc", "run.jsonl", "--people", "p.jsonl"), "--people"),
        (("mark", "kite.brcc", "run.jsonl", "--format", "csv"), "--format csv"),
        (("set", "export", "kite.brcc", "-o", "out", "--agreement", "a.json"), "--agreement"),
    ],
)
def test_what_is_of_one_side_is_refused(
    folder: Path, arguments: tuple[str, ...], option: str
) -> None:
    done = in_process(*arguments, cwd=folder)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert f"{option} is of one: add --side en or --side zh" in done.stderr


def test_a_sitting_resumes_on_both_sides(folder: Path) -> None:
    command = ("sit", "kite.brcc", "-r", "lead", "-o", "run.jsonl")
    assert {
        one["progress"]["answered"] for one in sides(folder, *command, "--limit", "1").values()
    } == {1}
    before = [(folder / f"run.{side}.jsonl").read_text("utf-8") for side in ("en", "zh")]
    sides(folder, *command)
    after = [(folder / f"run.{side}.jsonl").read_text("utf-8") for side in ("en", "zh")]
    assert all(
        len(more.splitlines()) > len(less.splitlines())
        for more, less in zip(after, before, strict=True)
    )


def test_agreement_is_of_each_side(folder: Path) -> None:
    compare = ("set", "agree", "kite.brcc", "bo.brcc", "--what", "np", "--draws", "10")
    found = sides(folder, *compare, "-o", "agreement.json")
    f1 = {
        side: report["what"]["np"]["pairs"][0]["figures"]["exact"] for side, report in found.items()
    }
    assert f1["en"]["value"] == 1.0
    assert f1["zh"]["value"] < 1.0
    assert json.loads((folder / "agreement.json").read_text("utf-8")) == {"sides": found}
    for side, report in found.items():
        alone = in_process(*compare, "--side", side, "--json", cwd=folder)
        assert json.loads(alone.stdout)["what"] == report["what"]


def test_an_export_is_a_folder_for_each_side(folder: Path) -> None:
    command = ("set", "export", "kite.brcc", "--licence", "CC-BY-4.0", "--name", "kite")
    hidden = ("--hide", "train", "--keys", "secret")
    sides(folder, *command, "-o", "out", *hidden)
    for side in ("en", "zh"):
        alone = in_process(
            *command, "-o", f"alone.{side}", "--side", side, "--hide", "train", cwd=folder
        )
        assert alone.returncode == 0, alone.stderr
        assert (folder / f"out.{side}" / "SHA256SUMS").read_bytes() == (
            folder / f"alone.{side}" / "SHA256SUMS"
        ).read_bytes()
        keyed = open_test(folder / f"secret.{side}" / "train.jsonl")
        assert keyed.language == side
        assert not any("key" in path.name for path in (folder / f"out.{side}").iterdir())


def test_an_export_begins_only_where_both_folders_can_be_written(folder: Path) -> None:
    (folder / "out.zh").mkdir()
    (folder / "out.zh" / "mine").write_text("mine")
    command = ("set", "export", "kite.brcc", "--licence", "CC-BY-4.0", "-o", "out")
    done = in_process(*command, cwd=folder)
    assert done.returncode == 1
    assert "out.zh" in done.stderr
    assert not (folder / "out.en").exists()
