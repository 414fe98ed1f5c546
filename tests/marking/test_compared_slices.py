"""Comparisons slice by slice: each as a test of its own, with Holm's adjustment by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

import readmark
from made import asked, comprehension, passage, sat
from readmark.core.test import Test
from readmark.marking.settings import MarkSettings

FEW = MarkSettings(draws=50, trials=200)
LEVELS = {f"q{index}": 1 + index // 12 for index in range(36)}
"""Three levels of twelve passages, one question each."""


def made(ids: Sequence[str] = tuple(LEVELS)) -> Test:
    return comprehension(
        *(passage(id, asked(id, "kettle", level=LEVELS[id])) for id in ids), language="en"
    )


A = dict.fromkeys(LEVELS, "kettle")
B = {id: "kettle" if level < 3 else "boat" for id, level in LEVELS.items()}
C = {id: "kettle" if int(id[1:]) % 4 else "boat" for id in LEVELS}


def holm(values: Mapping[str, float]) -> dict[str, float]:
    """Step-down adjustment, written out: the k-th least p times what is left, never falling."""
    found: dict[str, float] = {}
    highest = 0.0
    ordered = sorted(values.items(), key=lambda item: item[1])
    for rank, (name, p) in enumerate(ordered):
        highest = max(highest, min(1.0, p * (len(ordered) - rank)))
        found[name] = highest
    return found


@pytest.mark.parametrize("metric", ["em", "f1"])
def test_a_slice_is_compared_as_a_test_of_its_units_alone(metric: str) -> None:
    (whole,) = readmark.compare(made(), A, C, metrics=metric, by="level", settings=FEW)
    for level, part in whole.by["level"].items():
        ids = [id for id, at in LEVELS.items() if str(at) == level]
        (alone,) = readmark.compare(made(ids), A, C, metrics=metric, settings=FEW)
        for name in ("score_a", "score_b", "difference", "low", "high", "p", "units", "clusters"):
            assert getattr(part, name) == getattr(alone, name), name


def test_the_family_is_all_slices_of_a_field_and_all_sittings() -> None:
    found = readmark.compare(made(), A, B, C, metrics=["em", "f1"], by="level", settings=FEW)
    for metric in ("em", "f1"):
        parts = {
            f"{one.b} {label}": part
            for one in found
            if one.metric == metric
            for label, part in one.by["level"].items()
        }
        assert len(parts) == 6
        expected = holm({name: part.p or 0.0 for name, part in parts.items()})
        assert {name: part.adjusted_p for name, part in parts.items()} == pytest.approx(expected)
    assert all(
        part.signature.endswith("|adjusted:holm over slices and candidates")
        for one in found
        for part in one.by["level"].values()
    )
    assert [row["value"] for row in found.table_rows()] == [None, "1", "2", "3"] * 4


def test_marksheets_are_compared_by_the_fields_of_the_test(tmp_path: Path) -> None:
    test = made()
    readmark.save(test, tmp_path / "t.jsonl")
    for name, answers in (("a", A), ("c", C)):
        readmark.mark(test, answers, marksheet=tmp_path / f"{name}.jsonl", settings=FEW)
    sheets = (tmp_path / "a.jsonl", tmp_path / "c.jsonl")
    by = ("level", "answer_length", "overlap")
    found = readmark.compare(test, *sheets, by=by, settings=FEW)
    direct = readmark.compare(test, A, C, by=by, settings=FEW)
    assert [one.by for one in found] == [one.by for one in direct]
    assert found.derived.keys() == {"answer_length", "overlap"}
    assert found.as_json()["derived"] == found.derived


def test_only_what_both_sat_is_compared() -> None:
    part = sat(C, covers=tuple(LEVELS)[:18])
    (found,) = readmark.compare(made(), A, part, by="level", settings=FEW)
    assert {label: one.units for label, one in found.by["level"].items()} == {"1": 12, "2": 6}


def test_a_slice_on_which_a_metric_counts_nothing() -> None:
    test = comprehension(
        passage("p", asked("a", "kettle", level=1), text="A kettle sings. A boat sails."),
        passage("q", asked("b", "a badger", level=2), text="A kettle sings. A boat sails."),
        language="en",
    )
    answers = {"a": "A kettle sings.", "b": "A boat sails."}
    (found,) = readmark.compare(test, answers, {}, metrics="humsent", by="level", settings=FEW)
    assert found.by["level"]["1"].difference == -100
    assert found.by["level"]["2"].difference is None
    assert found.by["level"]["2"].adjusted_p is None
