"""``readmark set quality`` on sittings and labels: the same checks as in the exam hall."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from made import asked, comprehension, passage
from readmark.formats.registry import save_test

OPTIONS = ("a mill", "a ferry", "a school", "a bridge")


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, dict[str, Path]]:
    """Twelve passages of 100 words with a question each; Bob takes the first option in 2 s."""
    passages = [
        passage(
            f"p{n}", asked(f"q{n}", OPTIONS[n % 4], options=OPTIONS), text="word " * 99 + f"end{n}."
        )
        for n in range(12)
    ]
    save_test(comprehension(*passages, language="en"), tmp_path / "test.jsonl")
    people = {}
    for name in ("Ann", "Bob", "Cy"):
        rows: list[dict[str, Any]] = [{"readmark": 1, "file": "sitting", "kind": "comprehension"}]
        for n in range(12):
            text, seconds = (OPTIONS[0], 2.0) if name == "Bob" else (OPTIONS[n % 4], 40.0)
            rows.append({"id": f"q{n}", "text": text, "seconds": seconds})
        people[name] = tmp_path / f"{name}.jsonl"
        people[name].write_text("\n".join(map(json.dumps, rows)), "utf-8")
    return tmp_path / "test.jsonl", people


def test_sittings(files: tuple[Path, dict[str, Path]], readmark_cli: Any, tmp_path: Path) -> None:
    test, people = files
    out = tmp_path / "report.json"
    done = readmark_cli("set", "quality", test, *people.values(), "--json", "-o", out)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert json.loads(out.read_text("utf-8")) == report
    codes = {(each["code"], each["field"]) for each in report["findings"]}
    assert {each["person"] for each in report["findings"]} == {"Bob"}
    # 100 words in 2 s are 3,000 a minute; the first option is an answer like any other.
    assert codes == {
        ("too_fast", ""),
        ("faster_than_others", ""),
        ("same_answer", "answers"),
        ("same_answer", "option"),
    }
    option = next(each for each in report["findings"] if each["field"] == "option")
    # The others chose it in 6 of 24: (6 + 0.5) / 25 on the nine questions where neither did.
    overall = 6.5 / 25
    chance = ((2 + overall) / 3) ** 3 * (overall / 3) ** 9
    assert (option["other"], option["p"]) == ("1", pytest.approx(4 * chance))
    assert [round(each["pace"]) for each in report["people"]] == [150, 3000, 150]
    text = readmark_cli("set", "quality", test, *people.values()).stdout
    assert "Bob: 12 of 12 items read faster than people read (100%, interval 74–100%)" in text
    assert "They may know the text already" in text


def test_a_split_alone(files: tuple[Path, dict[str, Path]], readmark_cli: Any) -> None:
    """Bob is careless in the first six passages alone; the others are of another split."""
    test, people = files
    lines = [json.loads(line) for line in test.read_text("utf-8").splitlines()]
    for n, line in enumerate(lines[1:]):
        line["split"] = "early" if n < 6 else "late"
    test.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    rows = [json.loads(line) for line in people["Bob"].read_text("utf-8").splitlines()]
    for n, row in enumerate(rows[1:]):
        if n >= 6:
            row |= {"text": OPTIONS[n % 4], "seconds": 40.0}
    people["Bob"].write_text("\n".join(map(json.dumps, rows)), "utf-8")

    def found(split: str) -> set[str]:
        done = readmark_cli("set", "quality", test, *people.values(), "--split", split, "--json")
        assert done.returncode == 0, done.stderr
        report = json.loads(done.stdout)
        assert {each["timed"] for each in report["people"]} == {6}
        return {each["code"] for each in report["findings"]}

    assert "too_fast" in found("early")
    assert found("late") == set()


def test_labels_of_one_file_and_nothing_to_find(
    files: tuple[Path, dict[str, Path]], readmark_cli: Any, tmp_path: Path
) -> None:
    labels = tmp_path / "labels.csv"
    rows = [f"q{n},{n % 4 + 1},{name}" for name in ("Ann", "Bob") for n in range(12)]
    labels.write_text("id,level,person\n" + "\n".join(rows) + "\n", "utf-8")
    done = readmark_cli("set", "quality", files[0], labels)
    assert done.returncode == 0, done.stderr
    assert "nothing to look at" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["test.jsonl"], 2, "test.jsonl is not a folder: name an export, or a test and people"),
        (["."], 1, "has no folder people with work in it"),
        (["test.jsonl", "none.jsonl"], 1, "none.jsonl"),
        ([".", "--split", "dev"], 2, "--split and --from are for a test and people's work"),
    ],
)
def test_bad_arguments(
    files: tuple[Path, dict[str, Path]],
    readmark_cli: Any,
    tmp_path: Path,
    arguments: list[str],
    status: int,
    message: str,
) -> None:
    done = readmark_cli("set", "quality", *arguments, cwd=tmp_path)
    assert (done.returncode, len(done.stderr.splitlines())) == (status, 1), done.stderr
    assert message in done.stderr
