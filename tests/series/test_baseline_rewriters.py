"""The rewriters `none` and `append`, also with a part of the paper left out."""

import pytest

import readmark
from readmark.core.test import Header, in_memory
from readmark.series.records import Series, SeriesQuestion

ROVER = Series(
    id="s",
    target="Lunokhod 1",
    questions=(SeriesQuestion(id="q1", text="When?"), SeriesQuestion(id="q2", text="Who?")),
)


@pytest.mark.parametrize(
    ("candidate", "without", "rewrites"),
    [
        ("none", None, ["When?", "Who?"]),
        ("append", None, ["When? Lunokhod 1", "Who? Lunokhod 1"]),
        ("append", "target", ["When?", "Who?"]),
        ("append", "question", [" Lunokhod 1", " Lunokhod 1"]),
        ("none", "question", ["", ""]),
    ],
)
def test_rewrites(candidate: str, without: str | None, rewrites: list[str]) -> None:
    test = in_memory(Header(name="rover", kind="series"), [ROVER])
    sitting = readmark.sit(test, candidate, without=without)
    assert [row.answer for id in ("q1", "q2") for row in sitting.of(id)] == rewrites
