"""Do marks fall with the level? The machine's, people's and their difference, by whole passages."""

import io
import itertools
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

import readmark

# A right answer is "yes"; per passage and question: level, machine, ann, bo.
ROWS = [
    [(1, "yes", "yes", "yes"), (2, "yes", "yes", "no"), (3, "no", "yes", "yes")],
    [(1, "yes", "no", "yes"), (3, "no", "yes", "yes"), (4, "no", "no", "yes")],
    [(1, "yes", "yes", "yes"), (2, "no", "yes", "yes"), (4, "no", "yes", "yes")],
    [(2, "yes", "yes", "yes"), (2, "no", "no", "no"), (4, "yes", "yes", "no")],
]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    lines: list[dict[str, Any]] = [{"readmark": 1, "language": "en"}]
    answers: dict[str, dict[str, str]] = {"machine": {}, "ann": {}, "bo": {}}
    for number, rows in enumerate(ROWS):
        questions = []
        for index, (level, *given) in enumerate(rows):
            id = f"p{number}q{index}"
            key = {"answers": [{"text": "yes"}], "level": level}
            questions.append({"id": id, "text": f"Is it {id}?", "key": key})
            for name, answer in zip(answers, given, strict=True):
                answers[name][id] = answer
        text = f"yes and no, number {number}"
        lines.append({"id": f"p{number}", "text": text, "questions": questions})
    (tmp_path / "test.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines), "utf-8")
    for name, given in answers.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(given), "utf-8")
    return tmp_path


def by_hand() -> dict[str, float]:
    """The slopes by numpy's least squares, in points per level."""
    rows = [row for passage in ROWS for row in passage]
    levels = [row[0] for row in rows]
    right = np.array([[answer == "yes" for answer in row[1:]] for row in rows], dtype=float)
    people = right[:, 1:].mean(axis=1)
    values = {"machine": right[:, 0], "people": people, "difference": right[:, 0] - people}
    return {name: 100 * float(np.polyfit(levels, y, 1)[0]) for name, y in values.items()}


def test_a_panel_and_a_machine(files: Path) -> None:
    test = files / "test.jsonl"
    panel = [files / "ann.json", files / "bo.json"]
    marks = readmark.mark(test, files / "machine.json", metrics=["em"], by="level", people=panel)
    found = marks.as_json()["trend"]["level"]["em"]
    for name, slope in by_hand().items():
        assert found[name]["slope"] == pytest.approx(slope)
        assert found[name]["low"] <= slope <= found[name]["high"]
        assert (found[name]["units"], found[name]["clusters"]) == (12, 4)
    # p by all sixteen ways to flip the signs of the four passages' scores.
    rows = [(number, *row[:2]) for number, passage in enumerate(ROWS) for row in passage]
    levels = np.array([level for _, level, _ in rows], dtype=float)
    right = np.array([answer == "yes" for *_, answer in rows], dtype=float)
    scores = (levels - levels.mean()) * (right - right.mean())
    parts = [scores[[row[0] == number for row in rows]].sum() for number in range(4)]
    flipped = [abs(np.dot(signs, parts)) for signs in itertools.product((1, -1), repeat=4)]
    exact = np.mean([total >= abs(sum(parts)) - 1e-9 for total in flipped])
    assert found["machine"]["p"] == pytest.approx(float(exact), abs=0.02)
    printed = str(marks)
    assert "per level" in printed
    assert "difference" in printed


@pytest.mark.parametrize("width", [80, 60, 50])
def test_a_narrow_terminal_breaks_names_before_their_brackets(files: Path, width: int) -> None:
    marks = readmark.mark(
        files / "test.jsonl",
        files / "machine.json",
        metrics=["em", "f1(profile=zh)"],
        by="level",
        people=[files / "ann.json", files / "bo.json"],
    )
    text = io.StringIO()
    marks.show(Console(file=text, width=width))
    _, trends = text.getvalue().split("\ntrend ")
    assert ("f1(profile=zh) " in trends) is (width > 50)
    assert "f1(profile=z " not in trends
    assert re.search(r"\d to [+-]\d", trends)  # an interval has one line


def test_people_alone(files: Path) -> None:
    people = readmark.people(
        files / "test.jsonl", files / "ann.json", files / "bo.json", metrics=["em"], by="level"
    )
    found = people.as_json()["trend"]["level"]["em"]
    assert list(found) == ["people"]
    assert found["people"]["slope"] == pytest.approx(by_hand()["people"])
    assert "per level" in str(people)


def test_without_levels_there_is_no_trend(files: Path) -> None:
    marks = readmark.mark(files / "test.jsonl", files / "machine.json", metrics=["em"])
    assert "trend" not in marks.as_json()
    lettered = (files / "test.jsonl").read_text("utf-8").replace('"level": 1', '"level": "easy"')
    (files / "lettered.jsonl").write_text(lettered, "utf-8")
    marks = readmark.mark(
        files / "lettered.jsonl", files / "machine.json", metrics=["em"], by="level"
    )
    assert "trend" not in marks.as_json()


def test_only_means_of_units_have_a_trend(files: Path) -> None:
    """Precision over all tokens is no mean of units' precision: a slope of units is not its own."""
    answers = json.loads((files / "machine.json").read_text("utf-8"))
    longer = {**answers, "p0q0": "yes and no and no"}
    marks = readmark.mark(files / "test.jsonl", longer, metrics=["em", "precision"], by="level")
    assert list(marks.as_json()["trend"]["level"]) == ["em"]


def test_a_report_has_the_trends_in_both_languages(files: Path) -> None:
    for name, out in (("machine.json", "marks.jsonl"),):
        readmark.mark(
            files / "test.jsonl",
            files / name,
            metrics=["em", "f1"],
            by="level",
            people=[files / "ann.json", files / "bo.json"],
            marksheet=files / out,
        )
    readmark.report(files / "marks.jsonl", path=files / "report.html")
    page = (files / "report.html").read_text("utf-8")
    assert "Do marks fall with the level?" in page
    assert "得分是否随等级下降？" in page
    slope = by_hand()["difference"]
    assert f"−{abs(slope):.2f}" in page
