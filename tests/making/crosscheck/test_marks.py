"""Marks of a reading task: annotators number them as they like, and sign them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Literal

import msgspec
import pytest

from readmark.formats.registry import open_test, save_test
from readmark.making.crosscheck.adjudicate import adjudicate
from readmark.making.crosscheck.comparison import CrossCheck, cross_check
from readmark.tasks.categories.definitions import Categories
from readmark.tasks.categories.mark_files import read_marks, write_marks
from readmark.tasks.categories.marks import MarkedText, TextMark
from readmark.tasks.new_task import new_task
from readmark.tasks.task_folder import open_task

TEXT = "Hurricane Delia struck Port Alba. Delia had winds of 190 km/h."


def storm(person: str, ids: str, *, back: bool = False, place: bool = True) -> MarkedText:
    """The same marks by other ids; ``back`` joins the mentions the other way round."""
    a, b, c, d, e = ids
    marks = [
        TextMark(a, "Storm", ((0, 15),), {"sort": "Hurricane"}, same=() if back else (b,)),
        TextMark(b, "Storm", ((34, 39),), {"sort": "Hurricane"}, same=(a,) if back else ()),
        TextMark(c, "Wind", ((44, 61),), {}, {"storm": b}),
        TextMark(d, "Landfall", ((16, 22),), {}, {"storm": a, **({"place": e} if place else {})}),
        TextMark(e, "Place", ((23, 32),)),
    ]
    signed = [replace(mark, annotator=person, where=mark.id) for mark in marks[: 5 if place else 4]]
    return MarkedText("delia", TEXT, tuple(signed), "delia")


def written(folder: Path, marked: MarkedText) -> Path:
    path = folder / f"{marked.marks[0].annotator}.jsonl"
    write_marks([marked], str(path))
    return path


def checked(a: Path, b: Path) -> CrossCheck:
    return cross_check(open_test(a), open_test(b), names=("ida", "bo"))


@pytest.fixture
def categories(tmp_path: Path) -> Categories:
    new_task(tmp_path / "storms")
    by_name = open_task(tmp_path / "storms").categories()
    assert by_name is not None
    return by_name


def test_the_same_marks_agree_whatever_they_are_called_and_whoever_made_them(
    tmp_path: Path,
) -> None:
    ida = written(tmp_path, storm("ida", "abcde"))
    bo = written(tmp_path, storm("bo", "edcba", back=True))
    check = checked(ida, bo)
    assert (check.counts["ne"].same, check.counts["ne"].f1, check.rows) == (5, 1.0, [])


def test_a_relation_that_one_annotator_never_drew_is_a_difference(tmp_path: Path) -> None:
    ida = written(tmp_path, storm("ida", "abcde"))
    bo = written(tmp_path, storm("bo", "vwxyz", place=False))
    check = checked(ida, bo)
    # Three marks of five and of four are the same: the landfall leads elsewhere.
    assert check.counts["ne"].f1 == pytest.approx(2 * 3 / 9)
    assert [(row.cause, row.place) for row in check.rows] == [
        ("type", (16, 22)),
        ("only_a", (23, 32)),
    ]


@pytest.mark.parametrize("decision", ["a", "b"])
def test_adjudicated_marks_lead_to_each_other(
    decision: Literal["a", "b"], tmp_path: Path, categories: Categories
) -> None:
    ida = written(tmp_path, storm("ida", "abcde", place=False))
    bo = written(tmp_path, storm("bo", "vwxyz", back=True))
    check = checked(ida, bo)
    decisions = [msgspec.structs.replace(row, decision=decision, by="chen") for row in check.rows]
    gold = adjudicate(open_test(ida), open_test(bo), check.header, decisions, file="decisions")
    assert gold.test is not None
    assert gold.conflicts == []
    save_test(gold.test, tmp_path / "gold.jsonl")
    [marked] = read_marks(str(tmp_path / "gold.jsonl"), categories)
    by_id = {mark.id: mark for mark in marked.marks}
    [landfall] = [mark for mark in marked.marks if mark.category == "Landfall"]
    targets = {name: by_id[id].fragments for name, id in landfall.links.items()}
    both = {"storm": ((0, 15),), "place": ((23, 32),)}
    assert targets == (both if decision == "b" else {"storm": ((0, 15),)})
    [wind] = [mark for mark in marked.marks if mark.category == "Wind"]
    assert by_id[wind.links["storm"]].fragments == ((34, 39),)


def test_a_mark_whose_words_are_not_in_reading_order_covers_them_all(tmp_path: Path) -> None:
    pieces = TextMark("a", "Storm", ((34, 39), (0, 15)), {"sort": "Hurricane"}, annotator="ida")
    path = written(tmp_path, MarkedText("delia", TEXT, (pieces,), "delia"))
    [passage] = open_test(path).records()
    assert passage.layers["ne"].spans == ((0, 39),)
