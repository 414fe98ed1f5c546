"""A test that is replaced or changed while it is sat or marked: nothing mixed comes of it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import readmark
from readmark.core.errors import DataError


def write(path: Path, answer: str, passages: int = 4) -> None:
    lines = [{"readmark": 1, "language": "en"}]
    for number in range(passages):
        key = {"answers": [{"text": answer}]}
        questions = [{"id": f"q{number}", "text": f"What is {answer} {number}?", "key": key}]
        text = f"It is {answer}, number {number}."
        lines.append({"id": f"p{number}", "text": text, "questions": questions})  # type: ignore[dict-item]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")


def replace_by_another(path: Path) -> None:
    write(path.with_name("new.jsonl"), "fog")
    path.with_name("new.jsonl").replace(path)


def overwrite(path: Path) -> None:
    write(path, "sunshine")


@pytest.mark.parametrize("change", [replace_by_another, overwrite])
@pytest.mark.parametrize("after", [0, 2])
def test_no_answer_is_to_a_question_of_another_test(
    tmp_path: Path, change: Callable[[Path], None], after: int
) -> None:
    path, out = tmp_path / "test.jsonl", tmp_path / "sitting.jsonl"
    write(path, "rain")
    test = readmark.load(path)
    assert test.facts.units == 4
    asked: list[str] = []

    def reader(unit: object) -> str:
        asked.append(unit.item.text)  # type: ignore[attr-defined]
        if len(asked) == after:
            change(path)
        return "rain"

    if not after:
        change(path)
    with pytest.raises(DataError, match=r"test\.jsonl: was replaced or changed"):
        readmark.sit(test, reader, out)
    assert len(asked) == after
    assert all("rain" in question for question in asked)


def test_the_next_repeat_is_of_the_same_test(tmp_path: Path) -> None:
    path = tmp_path / "test.jsonl"
    write(path, "rain")
    asked: list[str] = []

    def reader(unit: object) -> str:
        asked.append(unit.item.text)  # type: ignore[attr-defined]
        if len(asked) == 4:  # the last of the first repeat
            replace_by_another(path)
        return "rain"

    with pytest.raises(DataError, match="was replaced or changed"):
        readmark.sit(readmark.load(path), reader, tmp_path / "sitting.jsonl", repeats=2)
    assert all("rain" in question for question in asked)


def test_marks_are_of_the_test_that_their_fingerprint_names(tmp_path: Path) -> None:
    path = tmp_path / "test.jsonl"
    write(path, "rain")
    test = readmark.load(path)
    assert test.facts.units == 4
    replace_by_another(path)
    sheet = tmp_path / "marks.jsonl"
    with pytest.raises(DataError, match="was replaced or changed"):
        readmark.mark(test, {f"q{number}": "rain" for number in range(4)}, marksheet=sheet)
    assert not sheet.exists()
