"""Fields that are derived from units: quartiles by hand, lookups, and slices by them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import readmark
from made import asked, comprehension, passage, sat
from readmark.core.labels import in_order
from readmark.core.test import Header, Test, in_memory
from readmark.marking import DerivedField
from readmark.marking.fields import UnitFields, quartile_labels
from readmark.marking.settings import MarkSettings
from readmark.readability.kind import RatedPassage
from readmark.series.records import Series, SeriesQuestion

QUICK = MarkSettings(draws=10, trials=50)


@pytest.mark.parametrize(
    ("values", "decimals", "labels"),
    [
        # the ends are the 2nd, 4th and 6th of eight values
        (range(1, 9), 0, ["1 to 2"] * 2 + ["3 to 4"] * 2 + ["5 to 6"] * 2 + ["7 to 8"] * 2),
        # ranks are rounded up: the 2nd, 3rd and 4th of five
        ([10, 20, 30, 40, 50], 0, ["10 to 20", "10 to 20", "30", "40", "50"]),
        # equal values share the lower bin, however many there are
        ([1, 1, 1, 2, 3, 4, 5, 6], 0, ["1"] * 3 + ["2"] + ["3 to 4"] * 2 + ["5 to 6"] * 2),
        ([0.5] * 5, 2, ["0.50"] * 5),
        ([0.0, 0.333, 0.3333, 1.0], 2, ["0.00", "0.33", "0.33", "1.00"]),
        ([7], 0, ["7"]),
        ([1.0, 2.0], 1, ["1", "2"]),
        ([], 0, []),
    ],
)
def test_quartiles_are_named_by_the_values_in_them(
    values: list[float], decimals: int, labels: list[str]
) -> None:
    given = {str(index): value for index, value in enumerate(values)}
    assert list(quartile_labels(given, decimals=decimals).values()) == labels


@given(st.lists(st.floats(0, 1000), min_size=1), st.randoms())
def test_bins_do_not_depend_on_the_order_and_part_no_equal_values(
    values: list[float], random: Any
) -> None:
    given = {str(index): value for index, value in enumerate(values)}
    mixed = list(given.items())
    random.shuffle(mixed)
    labels = quartile_labels(given, decimals=1)
    assert quartile_labels(dict(mixed), decimals=1) == labels
    assert len(set(labels.values())) <= 4
    rounded = {id: round(value, 1) for id, value in given.items()}
    by_value = sorted(given, key=lambda id: rounded[id])
    assert [labels[id] for id in by_value] == sorted(
        (labels[id] for id in given), key=lambda label: (in_order(label)[1], label)
    )
    assert len({(rounded[id], labels[id]) for id in given}) == len(set(rounded.values()))


LENGTHS = {"p": "one two three", "q": "one two three four five", "r": "one", "s": "one two"}


def lengths(**own: Any) -> Test:
    """A test of four passages; some questions have a passage length of their own."""
    return comprehension(
        *(
            passage(id, asked(id, "one", key_fields=own.get(id, {})), text=text)
            for id, text in LENGTHS.items()
        ),
        language="en",
    )


def test_slices_by_a_derived_field() -> None:
    marks = readmark.mark(
        lengths(), {"p": "one", "r": "one"}, metrics="em", by="passage_length", settings=QUICK
    )
    slices = marks.by["passage_length"]
    assert {label: part.marks["em"].score for label, part in slices.items()} == {
        "1": 100.0,
        "2": 0.0,
        "3": 100.0,
        "5": 0.0,
    }
    assert marks.slices.derived == {"passage_length": "unit:words|bins:quartiles of the test"}
    assert marks.as_json()["derived"] == marks.slices.derived
    assert "passage_length unit:words|bins:quartiles of the test" in marks.as_text(full=True)


def test_the_files_own_field_comes_first() -> None:
    some = lengths(p={"passage_length": "long"})
    marks = readmark.mark(some, sat({"p": "one"}), by="passage_length", settings=QUICK)
    assert list(marks.by["passage_length"]) == ["long", "-"]
    assert marks.slices.derived == {}


def test_bins_are_those_of_the_whole_test_whatever_was_sat() -> None:
    part = sat({"p": "one"}, covers=("p", "q"))
    marks = readmark.mark(lengths(), part, by="passage_length", settings=QUICK)
    assert list(marks.by["passage_length"]) == ["3", "5"]


def test_people_have_the_same_slices() -> None:
    questions = (asked("q", ("a", "one"), ("b", "one")), asked("r", ("a", "one"), ("b", "two")))
    test = comprehension(passage("p", *questions, text="one two"), language="en")
    people = readmark.people(test, metrics="em", by="question_word", settings=QUICK)
    assert people.by["question_word"]["what"].units == 2
    assert people.as_json()["derived"] == {"question_word": "question words:rules-2"}


@pytest.mark.parametrize("redact", [False, True])
def test_marksheets_have_what_was_asked_by(tmp_path: Path, redact: bool) -> None:
    sheet = tmp_path / "marks.jsonl"
    test, by = lengths(), ("passage_length", "answerable")
    readmark.mark(test, {"p": "one"}, by=by, marksheet=sheet, redact=redact, settings=QUICK)
    lines = [json.loads(line) for line in sheet.read_text(encoding="utf-8").splitlines()]
    fields = {line["id"]: line["fields"] for line in lines if line.get("row") == "unit"}
    assert {id: found["passage_length"] for id, found in fields.items()} == {
        "p": "3",
        "q": "5",
        "r": "1",
        "s": "2",
    }
    assert {found["answerable"] for found in fields.values()} == {"HasAns"}
    assert lines[-1]["marks"]["derived"].keys() == {"passage_length", "answerable"}
    page = tmp_path / "report.html"
    readmark.report(sheet, path=page)
    assert "passage_length" in page.read_text(encoding="utf-8")


def test_other_kinds_derive_what_suits_them() -> None:
    series = in_memory(
        Header(kind="series", language="en"),
        [
            Series(
                id="s", target="Anna", questions=(SeriesQuestion(id="q", text="Whom did she ask?"),)
            )
        ],
    )
    rated = in_memory(
        Header(kind="readability", language="zh"), [RatedPassage(id="p", text="河水很凉。")]
    )
    for test, name, value in ((series, "question_word", "whom"), (rated, "passage_length", "5")):
        assert UnitFields(test, [name]).value(next(test.units()), name) == value
    french = in_memory(Header(kind="series", language="fr"), series.records())
    assert UnitFields(french, ["question_word"]).rules == {}


class Sized:
    """A plug-in's kind, as far as a lookup needs it."""

    def __init__(self, kind: Any) -> None:
        self._kind = kind

    def __getattr__(self, name: str) -> Any:
        return getattr(self._kind, name)

    def derived_fields(self, test: Test) -> Mapping[str, DerivedField]:
        return {
            "initial": DerivedField(lambda unit: unit.id[0], "initial:first letter"),
            "size": DerivedField(lambda unit: len(unit.id), "size:id", quartiles=True),
        }


def test_a_kind_of_a_plugin_gives_its_own_fields() -> None:
    test = lengths()
    test.__dict__["kind"] = Sized(test.kind)
    fields = UnitFields(test, ["initial", "size", "answerable"])
    unit = next(test.units())
    assert [fields.value(unit, name) for name in ("initial", "size", "answerable")] == [
        "p",
        "1",
        None,
    ]
    assert fields.rules == {
        "initial": "initial:first letter",
        "size": "size:id|bins:quartiles of the test",
    }
