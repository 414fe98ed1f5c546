"""`keyed`: answers from a file, their repeats, and whose they may be."""

import json
from pathlib import Path
from typing import Any

import pytest

import readmark
from misbehaving_candidates import standing
from readmark.core.errors import DataError, UsageError
from readmark.core.test import Test
from readmark.marking.settings import MarkSettings

FEW = MarkSettings(draws=20, trials=20)


def write(path: Path, *values: Any) -> Path:
    path.write_text("".join(json.dumps(value) + "\n" for value in values), encoding="utf-8")
    return path


def test_keyed_takes_predictions(six: Test, journal: Path, tmp_path: Path) -> None:
    answers = write(tmp_path / "ann.json", {"q1": "q1!", "q4": "", "stranger": "x"})
    done = readmark.sit(six, f'keyed(file="{answers}")', journal)
    header, rows = standing(journal)
    assert [(row["id"], row["text"]) for row in rows] == [("q1", "q1!"), ("q4", "")]
    assert (done.progress.answered, done.unanswered) == (2, 4)
    assert header["signature"]["file"] == "ann.json"
    assert len(header["signature"]["sha256"]) == 16
    marked = readmark.mark(six, journal, settings=FEW)
    assert list(marked.coverage.unanswered) == ["q2", "q3", "q5", "q6"]
    direct = readmark.mark(six, answers, settings=FEW)
    assert marked["f1"].score == direct["f1"].score
    assert list(direct.coverage.unknown) == ["stranger"]


def test_keyed_takes_all_members_of_a_sitting_s_rows(
    six: Test, journal: Path, tmp_path: Path
) -> None:
    row = {
        "id": "q2",
        "text": "boats",
        "start": 3,
        "end": 8,
        "sentence": [0, 9],
        "score": 0.25,
        "evidence": {"page": 4},
        "seconds": 12.5,
        "usage": {"tokens": 7},
    }
    header = {"readmark": 1, "file": "sitting", "candidate": "ann", "kind": "comprehension"}
    early, late = {"id": "q3", "text": "early"}, {"id": "q3", "text": "late", "attempt": 5}
    answers = write(tmp_path / "ann.jsonl", header, row, early, late)
    readmark.sit(six, f'keyed(file="{answers}")', journal)
    [first, second] = standing(journal)[1]
    assert first == row
    assert {name: second[name] for name in ("id", "text")} == {"id": "q3", "text": "late"}
    assert "attempt" not in second


def test_keyed_for_other_kinds(rover: Test, journal: Path, tmp_path: Path) -> None:
    answers = write(tmp_path / "a.json", {"q1": "When was it?"})
    readmark.sit(rover, f'keyed(file="{answers}")', journal)
    assert standing(journal)[1][0]["rewrite"] == "When was it?"
    bad = write(tmp_path / "b.json", {"q1": 3})
    with pytest.raises(DataError, match=r"b\.json:q1: the prediction is 3, expected text"):
        readmark.sit(rover, f'keyed(file="{bad}")', journal)


def test_keyed_refuses_the_answers_to_another_paper(
    six: Test, journal: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.jsonl"
    readmark.sit(six, "lead", other)
    header, rows = other.read_text(encoding="utf-8").split("\n", 1)
    other.write_text(
        json.dumps(json.loads(header) | {"paper": "0" * 32}) + "\n" + rows, encoding="utf-8"
    )
    with pytest.raises(DataError, match="is a sitting of another paper"):
        readmark.sit(six, f'keyed(file="{other}")', journal)
    assert not journal.exists()


@pytest.mark.process
def test_keyed_takes_each_repeat_from_the_same_repeat(
    six: Test, journal: Path, tmp_path: Path
) -> None:
    earlier = tmp_path / "earlier.jsonl"
    readmark.sit(six, 'changing(words="kettle q5! boats")', earlier, repeats=3)
    candidate = f'keyed(file="{earlier}")'
    expected = readmark.mark(six, earlier, metrics="em", settings=FEW)
    for workers in (1, 2):
        again = tmp_path / f"{workers}.jsonl"
        assert readmark.sit(six, candidate, again, repeats=3, workers=workers).unanswered == 0
        marked = readmark.mark(six, again, metrics="em", settings=FEW)
        assert marked.scores.repeats == expected.scores.repeats
        assert marked.per_unit() == expected.per_unit()
    message = r"earlier.jsonl: has answers of 3 repeats, not of {}: sit it with `repeats` 3"
    for repeats in (1, 2, 4):
        with pytest.raises(UsageError, match=message.format(repeats)):
            readmark.sit(six, candidate, journal, repeats=repeats)
    predictions = write(tmp_path / "ann.json", {"q1": "q1!"})
    with pytest.raises(UsageError, match=r"has answers of 1 repeat, not of 2: sit it with `rep"):
        readmark.sit(six, f'keyed(file="{predictions}")', journal, repeats=2)
    assert not journal.exists()


def test_a_repeat_that_the_file_lacks_stays_unanswered(
    six: Test, journal: Path, tmp_path: Path
) -> None:
    header = {"readmark": 1, "file": "sitting", "candidate": "ann", "repeats": 2}
    rows = [
        {"id": "q1", "text": "second", "repeat": 1},
        {"id": "q2", "text": "first"},
        {"id": "q2", "text": "fifth", "repeat": 4},
    ]
    answers = write(tmp_path / "ann.jsonl", header, *rows)
    done = readmark.sit(six, f'keyed(file="{answers}")', journal, repeats=2)
    assert done.unanswered == 10
    assert [(row["text"], row.get("repeat", 0)) for row in standing(journal)[1]] == [
        ("first", 0),
        ("second", 1),
    ]
    assert done.notes == (
        f"{answers}: rows of repeats beyond the 2 of its header were left out: 1 (q2)",
    )


def test_a_limited_sitting_stays_limited(six: Test, journal: Path, tmp_path: Path) -> None:
    earlier = tmp_path / "earlier.jsonl"
    readmark.sit(six, "slow(ms=0)", earlier, limit=4)
    candidate = f'keyed(file="{earlier}")'
    messages: list[str] = []
    done = readmark.sit(six, candidate, journal, tell=messages.append)
    note = f"{earlier}: holds answers to a part of the test; 4 of 6 units are sat"
    assert messages == [note] == list(done.notes)
    assert (done.progress.total, done.unanswered) == (4, 0)
    assert standing(journal)[0]["covers"] == ["q1", "q2", "q3", "q4"]
    assert readmark.mark(six, journal, settings=FEW).coverage.covers == "the first 4 units"
    assert readmark.sit(six, candidate, journal).progress.before == 4
    fewer = tmp_path / "fewer.jsonl"
    readmark.sit(six, candidate, fewer, limit=2)
    assert standing(fewer)[0]["covers"] == ["q1", "q2"]
    for limit in (5, 6, 99):
        with pytest.raises(UsageError, match=f"covers 4 units, and the first {limit} of the test"):
            readmark.sit(six, candidate, tmp_path / "more.jsonl", limit=limit)


@pytest.mark.parametrize(
    ("header", "covers"),
    [
        ({"covers": ["q5", "q2"]}, ["q5", "q2"]),
        ({"covers": ["q5", "stranger"]}, ["q5"]),
        ({"limit": 2}, ["q1", "q2"]),
        ({"limit": 9}, None),
    ],
)
def test_the_header_says_which_units_are_covered(
    six: Test, journal: Path, tmp_path: Path, header: dict[str, Any], covers: list[str] | None
) -> None:
    first = {"readmark": 1, "file": "sitting", "candidate": "ann", **header}
    answers = write(tmp_path / "ann.jsonl", first, {"id": "q2", "text": "x"})
    readmark.sit(six, f'keyed(file="{answers}")', journal)
    assert standing(journal)[0].get("covers") == covers


def test_a_part_of_another_test_is_refused(six: Test, journal: Path, tmp_path: Path) -> None:
    first = {"readmark": 1, "file": "sitting", "candidate": "ann", "covers": ["a"]}
    answers = write(tmp_path / "ann.jsonl", first, {"id": "a", "text": "x"})
    with pytest.raises(DataError, match=r"ann.jsonl: no answer is to a unit of <memory>: "):
        readmark.sit(six, f'keyed(file="{answers}")', journal)
    assert not journal.exists()


def test_what_was_left_out_must_be_left_out_again(six: Test, journal: Path, tmp_path: Path) -> None:
    blind, whole = tmp_path / "blind.jsonl", tmp_path / "whole.jsonl"
    readmark.sit(six, "slow(ms=0)", blind, without="question")
    readmark.sit(six, "slow(ms=0)", whole)
    for file, without, message in (
        (blind, None, "was sat without the question: sit it with `without` question"),
        (blind, "passage", "was sat without the question: sit it with `without` question"),
        (whole, "question", "was sat with nothing left out: sit it without `without`"),
    ):
        with pytest.raises(UsageError, match=f"{file.name}: {message}"):
            readmark.sit(six, f'keyed(file="{file}")', journal, without=without)
    assert not journal.exists()
    readmark.sit(six, f'keyed(file="{blind}")', journal, without="question")
    assert readmark.mark(six, journal, settings=FEW).coverage.covers == "without the question"
    # Predictions do not say how they were made: that is for whoever hands them in.
    predictions = write(tmp_path / "ann.json", {"q1": "q1!"})
    other = tmp_path / "other.jsonl"
    readmark.sit(six, f'keyed(file="{predictions}")', other, without="passage")
    assert standing(other)[0]["without"] == "passage"
