"""Functions as metrics. Numbers are worked by hand.

Of three questions a is answered "kettle", b "boat", and c is not answered.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import readmark
from made import asked, comprehension, passage
from readmark.hooks import MetricFacts
from readmark.readability.kind import RatedPassage, Rating, RatingKey

TEST = comprehension(
    passage("p1", asked("a", "copper kettle", "kettle"), asked("b", "coat")),
    passage("p2", asked("c", "seven boats", "boats")),
)
OLD = {"a": "kettle", "b": "boat"}
NEW = {"a": "kettle", "b": "coat"}
FEW = readmark.MarkSettings(draws=20, trials=20)


def same_start(answer: str, references: Sequence[str]) -> float:
    """Whether an answer begins as a reference does: of a and, in NEW, of b."""
    return any(reference[0] == answer[0] for reference in references)


def length(answer: str, references: Sequence[str]) -> float:
    return len(answer)


def surplus(answer: str, references: Sequence[str]) -> float:
    return len(answer) - min(map(len, references))


surplus.facts = MetricFacts(best=0, worst=9, scale=10)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("function", "score"),
    [
        (same_start, 1 / 3),
        (length, 10 / 3),  # 6 + 4 + 0 for the unanswered
        (surplus, 10 * (0 + 0 + 9) / 3),  # 9 for the unanswered, shown tenfold
        (lambda answer, references: len(references), 3 / 3),  # 2 and 1
    ],
)
def test_mark(function: Any, score: float) -> None:
    marks = readmark.mark(TEST, OLD, FEW, metrics=[function])
    [(name, mark)] = marks.marks.items()
    assert name == function.__name__.strip("<>")
    assert mark.score == pytest.approx(score)
    assert list(marks.coverage.unanswered) == ["c"]


def test_beside_named_metrics_and_alone() -> None:
    marks = readmark.mark(TEST, OLD, FEW, metrics=["em", length])
    assert list(marks.marks) == ["em", "length"]
    assert marks.per_unit()["a"] == {"em": 1.0, "length": 6.0}
    assert list(readmark.mark(TEST, OLD, FEW, metrics=length).marks) == ["length"]


def test_compare() -> None:
    [same] = readmark.compare(TEST, OLD, NEW, settings=FEW, metrics=[same_start])
    assert (same.metric, same.difference) == ("same_start", pytest.approx(1 / 3))
    assert not same.lower_is_better
    [more] = readmark.compare(TEST, NEW, {"a": "kettles"}, settings=FEW, metrics=[surplus])
    assert more.lower_is_better
    assert more.difference == pytest.approx(10 * (1 + 9 - 0) / 3)  # 0, 0, 9 and 1, 9, 9


def test_score() -> None:
    score = readmark.score(same_start, "kettle", ["copper", "coat"])
    assert float(score) == 0
    assert float(readmark.score(same_start, "kettle", "kind")) == 1
    name = score.signature["function"].partition("-")
    assert (name[0], len(name[2])) == ("same_start", 12)
    assert readmark.score(functools.partial(length), "boat", "x").signature == {
        "metric": "partial",
        "function": "partial",  # Python knows no source of it
        "unanswered": "0",
        "units": "mean",
    }


def test_the_signature_changes_with_the_source() -> None:
    one = readmark.score(same_start, "x", "x").signature["function"]
    assert one == readmark.score(same_start, "y", "z").signature["function"]

    def same_end(answer: str, references: Sequence[str]) -> float:
        return any(reference[-1] == answer[-1] for reference in references)

    same_end.__name__ = "same_start"
    assert readmark.score(same_end, "x", "x").signature["function"] != one


def test_marksheets_and_people(tmp_path: Path) -> None:
    files = [tmp_path / "old.jsonl", tmp_path / "new.jsonl"]
    for file, answers in zip(files, (OLD, NEW), strict=True):
        readmark.mark(TEST, answers, FEW, metrics=[same_start], marksheet=file)
    [found] = readmark.compare(TEST, *files, settings=FEW, metrics=[same_start])
    assert found.difference == pytest.approx(1 / 3)
    *_, row = readmark.table(files[1]).table_rows()
    assert (row["metric"], row["score"]) == ("same_start", pytest.approx(2 / 3))


def test_what_a_function_states_of_itself_is_in_the_marksheet(tmp_path: Path) -> None:
    """Half of what is left out has 9, so less is better: 30 for OLD, and 60 for one answer."""
    files = [tmp_path / "old.jsonl", tmp_path / "few.jsonl"]
    for file, answers in zip(files, (OLD, {"a": "kettle"}), strict=True):
        readmark.mark(TEST, answers, FEW, metrics=[surplus], marksheet=file)
    rows = readmark.table(*files).table_rows()
    ranked = {row["rank"]: row["score"] for row in rows if row["rank"] is not None}
    assert ranked == {1: pytest.approx(30), 2: pytest.approx(60)}
    page = tmp_path / "page.html"
    readmark.report(*files, path=page)
    assert "surplus" in page.read_text("utf-8")


def test_answers_that_are_no_texts_come_as_the_kind_has_them() -> None:
    key = RatingKey(ratings=(Rating(rating=4.0, annotator="e"),))
    record = RatedPassage(id="p", text="A cat.", key=key)
    test = readmark.in_memory(readmark.Header(kind="readability", language="en"), [record])

    def farther(answer: Any, references: Sequence[Any]) -> float:
        return answer.rating - references[0].rating

    assert readmark.mark(test, {"p": 1.5}, FEW, metrics=farther)["farther"].score == -2.5


def f1(answer: str, references: Sequence[str]) -> float:
    return 0.0


def wrong(answer: str, references: Sequence[str]) -> float:
    raise LookupError("no such word")


def undefined(answer: str, references: Sequence[str]) -> float:
    return math.nan


@pytest.mark.parametrize(
    ("metrics", "message"),
    [
        ([f1], "there is another metric f1: give the function another name"),
        ([length, length], "there is another metric length"),
        ([3], "a metric is a name or a function of answer and references, not 3"),
        ([str], "a metric is a name or a function of answer and references, not <class 'str'>"),
        ([wrong], "metric wrong failed in statistics on unit a: LookupError: no such word"),
        ([undefined], r"metric undefined gave \(nan, 1.0\) for unit a, expected 2 numbers"),
    ],
)
def test_what_cannot_be_a_metric_is_one_line(metrics: Any, message: str) -> None:
    with pytest.raises(readmark.ReadmarkError, match=message):
        readmark.mark(TEST, OLD, FEW, metrics=metrics)
